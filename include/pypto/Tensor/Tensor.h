// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lazy tensors. An operation computes nothing: it makes a node of a graph. `realize` compiles and
// runs what is needed for a result.
//
//   auto a = Tensor::fromSlice<float>({1024, 1024}, data);
//   auto c = (a.matmul(b) + bias).gelu();
//   c.realize();
//   llvm::ArrayRef<float> result = c.data<float>();
//
// Each operation comes in two forms. `tryX` returns an error that has the operation, the shapes and
// the place where the user wrote it; `x` throws it as a TensorException. Tensors may be used by
// several threads at once.
#ifndef PYPTO_TENSOR_TENSOR_H
#define PYPTO_TENSOR_TENSOR_H

#include "pypto/Tensor/Graph.h"
#include "pypto/Tensor/OpLists.h"

#include <concepts>
#include <iosfwd>
#include <map>
#include <optional>
#include <ranges>
#include <variant>
#include <vector>

namespace pypto::lazy {

class Tensor;
class ExecutionPlan;

/// A shape in a call: numbers in braces, variables among them, or numbers that are known later.
struct ShapeOperand {
  Shape shape;
  ShapeOperand(std::initializer_list<Extent> shape) : shape(shape) {}
  ShapeOperand(Shape shape) : shape(std::move(shape)) {}
  template <std::ranges::input_range Range>
    requires std::convertible_to<std::ranges::range_value_t<const Range>, Extent>
  ShapeOperand(const Range &range) : shape(std::ranges::begin(range), std::ranges::end(range)) {}
};

/// Axes or extents in a call: a number, numbers in braces, or a range of any integers.
class IntegersOperand {
public:
  IntegersOperand() = default;
  IntegersOperand(std::initializer_list<int64_t> numbers) : numbers(numbers) {}
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  IntegersOperand(T number) : numbers{static_cast<int64_t>(number)} {}
  template <std::ranges::input_range Range>
    requires std::integral<std::ranges::range_value_t<const Range>>
  IntegersOperand(const Range &range)
      : numbers(std::ranges::begin(range), std::ranges::end(range)) {}

  operator llvm::ArrayRef<int64_t>() const { return numbers; }
  auto begin() const { return numbers.begin(); }
  auto end() const { return numbers.end(); }
  size_t size() const { return numbers.size(); }
  bool empty() const { return numbers.empty(); }

private:
  llvm::SmallVector<int64_t, 4> numbers;
};

/// A whole number of 64 bits, with or without a sign.
struct WholeNumber {
  bool isNegative = false;
  /// Of a negative one its two's complement.
  uint64_t bits = 0;

  template <std::integral T>
  explicit WholeNumber(T value)
      : isNegative(std::signed_integral<T> && value < T{}),
        bits(static_cast<uint64_t>(
            static_cast<std::conditional_t<std::signed_integral<T>, int64_t, uint64_t>>(value))) {}
  double getDouble() const {
    return isNegative ? static_cast<double>(static_cast<int64_t>(bits)) : static_cast<double>(bits);
  }
};

/// What an operation takes next to its tensor: another tensor, or a number, which gets the element
/// type that fits. Remembers where it was written.
class Operand {
public:
  Operand(const Tensor &tensor, Place place = Place::current());
  template <typename T>
    requires std::is_arithmetic_v<T>
  Operand(T number, Place place = Place::current()) : value(keep(number)), place(place) {}

  Place getPlace() const { return place; }
  /// The node; a number becomes a constant next to elements of `other`: of that type if it holds
  /// the number, else of one that does.
  NodeRef getNode(std::optional<DType> other) const;
  /// The node as elements of `dtype`; throws if that does not hold the number.
  NodeRef getNodeOf(DType dtype) const;
  /// True for a tensor, and for a number that elements of `dtype` hold when it has been rounded: to
  /// the nearest float, to an integer towards zero.
  bool fits(DType dtype) const;
  /// The element type of a tensor; nothing for a number.
  std::optional<DType> getDType() const;
  /// The value of a number; nothing for a tensor.
  std::optional<double> getNumber() const;
  /// A number without a fraction, by its type.
  std::optional<WholeNumber> getWhole() const {
    const auto *whole = std::get_if<WholeNumber>(&value);
    return whole ? std::optional(*whole) : std::nullopt;
  }
  bool isWhole() const { return std::holds_alternative<WholeNumber>(value); }
  /// A number in the text of an error.
  std::string format() const;

private:
  using Value = std::variant<NodeRef, double, WholeNumber, bool>;
  template <typename T> static Value keep(T number) {
    if constexpr (std::same_as<T, bool>)
      return number;
    else if constexpr (std::integral<T>)
      return WholeNumber(number);
    else
      return static_cast<double>(number);
  }

  Value value;
  Place place;
};

/// How elements at indices that occur several times are joined with what is there.
enum class ScatterMode { Set, Add, Mul, Max, Min };
/// What is around a tensor that is padded: a value; its elements mirrored at the edge; its last
/// element; its elements again.
enum class PadMode { Constant, Reflect, Replicate, Circular };

class Tensor {
public:
  using Axes = IntegersOperand;
  using Variables = std::map<std::string, int64_t>;

  //===- Making tensors -----------------------------------------------------------------===//

  /// Copies elements to a buffer of its own.
  template <typename T>
  static llvm::Expected<Tensor> tryFromSlice(Axes shape, llvm::ArrayRef<T> data,
                                             Place place = Place::current()) {
    return tryFromBytes(DTypeOf<T>::value, shape, data.data(), data.size() * sizeof(T), place);
  }
  template <typename T>
  static Tensor fromSlice(Axes shape, llvm::ArrayRef<T> data, Place place = Place::current()) {
    return unwrap(tryFromSlice<T>(shape, data, place));
  }
  /// Bits of a vector, which are no array.
  template <std::same_as<bool> T, std::same_as<std::vector<bool>> Bits>
  static Tensor fromSlice(Axes shape, const Bits &data, Place place = Place::current()) {
    llvm::SmallVector<T> bools(data.begin(), data.end());
    return unwrap(tryFromSlice<T>(shape, bools, place));
  }
  PYPTO_LAZY_STATIC(fromBytes, tryFromBytes,
                    (DType dtype, Axes shape, const void *data, size_t numBytes,
                     Place place = Place::current()),
                    (dtype, shape, data, numBytes, place))
  /// The elements that are in a buffer, which is not copied.
  PYPTO_LAZY_STATIC(fromBuffer, tryFromBuffer,
                    (DType dtype, Axes shape, BufferRef buffer, Place place = Place::current()),
                    (dtype, shape, std::move(buffer), place))
  /// The array in a `.npy` file.
  PYPTO_LAZY_STATIC(fromNpy, tryFromNpy, (llvm::StringRef path, Place place = Place::current()),
                    (path, place))
  /// Memory that is to be written by the caller; zero at first.
  PYPTO_LAZY_STATIC(empty, tryEmpty,
                    (Axes shape, DType dtype = DType::F32, Place place = Place::current()),
                    (shape, dtype, place))
  // From here on nothing is allocated.
  /// All elements are `value`.
  PYPTO_LAZY_STATIC(full, tryFull,
                    (ShapeOperand shape, const Operand &value, DType dtype = DType::F32,
                     Place place = Place::current()),
                    (std::move(shape), value, dtype, place))
  PYPTO_LAZY_STATIC(zeros, tryZeros,
                    (ShapeOperand shape, DType dtype = DType::F32, Place place = Place::current()),
                    (std::move(shape), dtype, place))
  PYPTO_LAZY_STATIC(ones, tryOnes,
                    (ShapeOperand shape, DType dtype = DType::F32, Place place = Place::current()),
                    (std::move(shape), dtype, place))
  /// 0, 1, … along `axis` of a tensor of this shape.
  PYPTO_LAZY_STATIC(iota, tryIota,
                    (ShapeOperand shape, int64_t axis, DType dtype = DType::I64,
                     Place place = Place::current()),
                    (std::move(shape), axis, dtype, place))
  /// 0, 1, … `count` - 1.
  PYPTO_LAZY_STATIC(arange, tryArange,
                    (int64_t count, DType dtype = DType::I64, Place place = Place::current()),
                    (count, dtype, place))
  /// From `first` on in steps, up to but without `end`: i64 if all are whole numbers, else f32.
  PYPTO_LAZY_STATIC(range, tryRange,
                    (const Operand &first, const Operand &end, const Operand &step = 1,
                     std::optional<DType> dtype = std::nullopt, Place place = Place::current()),
                    (first, end, step, dtype, place))
  /// `count` numbers in equal steps, of which the last is `last`.
  PYPTO_LAZY_STATIC(linspace, tryLinspace,
                    (double first, double last, int64_t count, Place place = Place::current()),
                    (first, last, count, place))
  PYPTO_LAZY_STATIC(eye, tryEye,
                    (int64_t size, DType dtype = DType::F32, Place place = Place::current()),
                    (size, dtype, place))
  /// Numbers from [0, 1) that depend on the seed and the position only.
  PYPTO_LAZY_STATIC(uniform, tryUniform,
                    (ShapeOperand shape, uint64_t seed, DType dtype = DType::F32,
                     Place place = Place::current()),
                    (std::move(shape), seed, dtype, place))
  /// The same, normally distributed.
  PYPTO_LAZY_STATIC(normal, tryNormal,
                    (ShapeOperand shape, uint64_t seed, DType dtype = DType::F32,
                     Place place = Place::current()),
                    (std::move(shape), seed, dtype, place))

  //===- What is known without computing ------------------------------------------------===//

  llvm::ArrayRef<Extent> getShape() const { return getNode()->shape; }
  int64_t getRank() const { return getNode()->shape.size(); }
  DType getDType() const { return getNode()->dtype; }
  NodeRef getNode() const { return entry->node.load(); }
  /// The memory with the elements, if they have been computed; a reshape of it shares it.
  BufferRef getBuffer() const;
  /// The extents of what is in memory: variables have the values that it was computed for, before
  /// that their largest ones.
  llvm::SmallVector<int64_t> getDataShape() const;

  //===- Elementwise ------------------------------------------------------------------------===//

#define PYPTO_LAZY_DECLARE(NAME, TRY)                                                              \
  PYPTO_LAZY_FORMS(NAME, try##TRY, (Place place = Place::current()), (place))
  PYPTO_LAZY_UNARY_OPS(PYPTO_LAZY_DECLARE)
#undef PYPTO_LAZY_DECLARE
#define PYPTO_LAZY_DECLARE(NAME, TRY)                                                              \
  PYPTO_LAZY_FORMS(NAME, try##TRY, (const Operand &other), (other))
  PYPTO_LAZY_BINARY_OPS(PYPTO_LAZY_DECLARE)
#undef PYPTO_LAZY_DECLARE

  PYPTO_LAZY_FORMS(cast, tryCast, (DType dtype, Place place = Place::current()), (dtype, place))
  /// The same bits as elements of another type of that size.
  PYPTO_LAZY_FORMS(bitcast, tryBitcast, (DType dtype, Place place = Place::current()),
                   (dtype, place))
  /// Elements of `then` where this, a bool, is true.
  PYPTO_LAZY_FORMS(where, tryWhere, (const Operand &then, const Operand &otherwise),
                   (then, otherwise))
  /// `value` where `mask` is true, else what is here.
  PYPTO_LAZY_FORMS(maskedFill, tryMaskedFill, (const Tensor &mask, const Operand &value),
                   (mask, value))
  PYPTO_LAZY_FORMS(clamp, tryClamp, (const Operand &low, const Operand &high), (low, high))
  /// this + (end - this) * weight
  PYPTO_LAZY_FORMS(lerp, tryLerp, (const Operand &end, const Operand &weight), (end, weight))
  PYPTO_LAZY_FORMS(leakyRelu, tryLeakyRelu, (double slope = 0.01, Place place = Place::current()),
                   (slope, place))
  /// With a slope that is a tensor.
  PYPTO_LAZY_FORMS(prelu, tryPrelu, (const Tensor &slope, Place place = Place::current()),
                   (slope, place))
  PYPTO_LAZY_FORMS(elu, tryElu, (double alpha = 1, Place place = Place::current()), (alpha, place))
  PYPTO_LAZY_FORMS(celu, tryCelu, (double alpha = 1, Place place = Place::current()),
                   (alpha, place))
  PYPTO_LAZY_FORMS(hardShrink, tryHardShrink, (double limit = 0.5, Place place = Place::current()),
                   (limit, place))
  PYPTO_LAZY_FORMS(softShrink, trySoftShrink, (double limit = 0.5, Place place = Place::current()),
                   (limit, place))
  /// The first half along an axis times the sigmoid of the second.
  PYPTO_LAZY_FORMS(glu, tryGlu, (int64_t axis = -1, Place place = Place::current()), (axis, place))

  //===- Movement: views, if what is moved is in memory ---------------------------------===//

  /// One extent may be -1: what is left over. Variables stay where they are.
  PYPTO_LAZY_FORMS(reshape, tryReshape, (ShapeOperand shape, Place place = Place::current()),
                   (std::move(shape), place))
  PYPTO_LAZY_FORMS(permute, tryPermute, (Axes permutation, Place place = Place::current()),
                   (permutation, place))
  PYPTO_LAZY_FORMS(transpose, tryTranspose,
                   (int64_t a = -2, int64_t b = -1, Place place = Place::current()), (a, b, place))
  PYPTO_LAZY_FORMS(moveAxis, tryMoveAxis,
                   (int64_t from, int64_t to, Place place = Place::current()), (from, to, place))
  /// Repeats extents of one; new dimensions come in front.
  PYPTO_LAZY_FORMS(expand, tryExpand, (ShapeOperand shape, Place place = Place::current()),
                   (std::move(shape), place))
  /// `padding` has how many elements come before and after, for each dimension.
  PYPTO_LAZY_FORMS(pad, tryPad,
                   (llvm::ArrayRef<std::pair<int64_t, int64_t>> padding, const Operand &value = 0,
                    Place place = Place::current()),
                   (padding, value, place))
  /// The same with elements of this tensor.
  PYPTO_LAZY_FORMS(padWith, tryPadWith,
                   (llvm::ArrayRef<std::pair<int64_t, int64_t>> padding, PadMode mode,
                    Place place = Place::current()),
                   (padding, mode, place))
  /// Elements [begin, end) of each dimension. An end may be a variable; the range has to be inside
  /// whatever its value is.
  PYPTO_LAZY_FORMS(shrink, tryShrink,
                   (llvm::ArrayRef<std::pair<int64_t, Extent>> ranges,
                    Place place = Place::current()),
                   (ranges, place))
  /// Elements [begin, end) along one axis in steps; negative positions count from the end, a
  /// negative step goes backwards from the last element.
  PYPTO_LAZY_FORMS(slice, trySlice,
                   (int64_t axis, int64_t begin, int64_t end, int64_t step = 1,
                    Place place = Place::current()),
                   (axis, begin, end, step, place))
  /// One position along an axis, which goes; negative ones count from the end.
  PYPTO_LAZY_FORMS(select, trySelect, (int64_t axis, int64_t index, Place place = Place::current()),
                   (axis, index, place))
  PYPTO_LAZY_FORMS(flip, tryFlip, (Axes axes, Place place = Place::current()), (axes, place))
  /// Elements that leave at the end come back at the front.
  PYPTO_LAZY_FORMS(roll, tryRoll, (int64_t shift, int64_t axis, Place place = Place::current()),
                   (shift, axis, place))
  PYPTO_LAZY_FORMS(squeeze, trySqueeze, (int64_t axis, Place place = Place::current()),
                   (axis, place))
  PYPTO_LAZY_FORMS(unsqueeze, tryUnsqueeze, (int64_t axis, Place place = Place::current()),
                   (axis, place))
  /// One dimension in place of those from `first` to `last`.
  PYPTO_LAZY_FORMS(flatten, tryFlatten,
                   (int64_t first = 0, int64_t last = -1, Place place = Place::current()),
                   (first, last, place))
  /// Several dimensions in place of one.
  PYPTO_LAZY_FORMS(unflatten, tryUnflatten,
                   (int64_t axis, ShapeOperand shape, Place place = Place::current()),
                   (axis, std::move(shape), place))
  /// The whole tensor several times along each axis; new dimensions come in front.
  PYPTO_LAZY_FORMS(repeat, tryRepeat, (Axes counts, Place place = Place::current()),
                   (counts, place))
  /// Each element several times.
  PYPTO_LAZY_FORMS(repeatInterleave, tryRepeatInterleave,
                   (int64_t count, int64_t axis, Place place = Place::current()),
                   (count, axis, place))
  /// Windows along an axis: a new last dimension has the elements of each, `dilation` apart;
  /// windows begin `step` apart.
  PYPTO_LAZY_FORMS(unfold, tryUnfold,
                   (int64_t axis, int64_t size, int64_t step = 1, int64_t dilation = 1,
                    Place place = Place::current()),
                   (axis, size, step, dilation, place))
  /// The diagonals of the last two dimensions, as a last dimension.
  PYPTO_LAZY_FORMS(diagonal, tryDiagonal, (int64_t offset = 0, Place place = Place::current()),
                   (offset, place))
  /// Matrices that have the last dimension as a diagonal, and are zero elsewhere.
  PYPTO_LAZY_FORMS(diag, tryDiag, (int64_t offset = 0, Place place = Place::current()),
                   (offset, place))
  PYPTO_LAZY_FORMS(trace, tryTrace, (int64_t offset = 0, Place place = Place::current()),
                   (offset, place))
  PYPTO_LAZY_STATIC(concat, tryConcat,
                    (llvm::ArrayRef<Tensor> tensors, int64_t axis, Place place = Place::current()),
                    (tensors, axis, place))
  PYPTO_LAZY_STATIC(stack, tryStack,
                    (llvm::ArrayRef<Tensor> tensors, int64_t axis, Place place = Place::current()),
                    (tensors, axis, place))
  /// Pieces of these sizes along an axis.
  PYPTO_LAZY_SEVERAL(split, trySplit, (Axes sizes, int64_t axis, Place place = Place::current()),
                     (sizes, axis, place))
  /// Pieces of equal size, of which the last may be smaller.
  PYPTO_LAZY_SEVERAL(chunk, tryChunk, (int64_t count, int64_t axis, Place place = Place::current()),
                     (count, axis, place))
  /// The positions along an axis, which goes.
  PYPTO_LAZY_SEVERAL(unbind, tryUnbind, (int64_t axis, Place place = Place::current()),
                     (axis, place))
  /// The same elements, but in memory of their own.
  PYPTO_LAZY_FORMS(contiguous, tryContiguous, (Place place = Place::current()), (place))

  //===- Reductions and scans ---------------------------------------------------------------===//

#define PYPTO_LAZY_DECLARE(NAME, TRY)                                                              \
  PYPTO_LAZY_FORMS(NAME, try##TRY,                                                                 \
                   (Axes axes = {}, bool keepDims = false, Place place = Place::current()),        \
                   (axes, keepDims, place))
  PYPTO_LAZY_REDUCTIONS(PYPTO_LAZY_DECLARE)
#undef PYPTO_LAZY_DECLARE
  /// The sum of squares of distances from the mean, divided by the count less `correction`.
  PYPTO_LAZY_FORMS(variance, tryVariance,
                   (Axes axes = {}, bool keepDims = false, int64_t correction = 0,
                    Place place = Place::current()),
                   (axes, keepDims, correction, place))
  PYPTO_LAZY_FORMS(stddev, tryStddev,
                   (Axes axes = {}, bool keepDims = false, int64_t correction = 0,
                    Place place = Place::current()),
                   (axes, keepDims, correction, place))
  /// The first index of the greatest element along an axis.
  PYPTO_LAZY_FORMS(argMax, tryArgMax,
                   (int64_t axis, bool keepDims = false, Place place = Place::current()),
                   (axis, keepDims, place))
  PYPTO_LAZY_FORMS(argMin, tryArgMin,
                   (int64_t axis, bool keepDims = false, Place place = Place::current()),
                   (axis, keepDims, place))
  /// At each position what the elements up to it are together. In which order floats are added:
  /// docs/numerics.md.
  PYPTO_LAZY_FORMS(cumSum, tryCumSum, (int64_t axis, Place place = Place::current()), (axis, place))
  PYPTO_LAZY_FORMS(cumProd, tryCumProd, (int64_t axis, Place place = Place::current()),
                   (axis, place))
  PYPTO_LAZY_FORMS(cumMax, tryCumMax, (int64_t axis, Place place = Place::current()), (axis, place))
  PYPTO_LAZY_FORMS(cumMin, tryCumMin, (int64_t axis, Place place = Place::current()), (axis, place))

  //===- Products, norms ----------------------------------------------------------------===//

  /// As NumPy's `matmul`. Elements of f16 and bf16 are summed in f32.
  PYPTO_LAZY_FORMS(matmul, tryMatmul, (const Tensor &other, Place place = Place::current()),
                   (other, place))
  /// The sum of the products of two vectors.
  PYPTO_LAZY_FORMS(dot, tryDot, (const Tensor &other, Place place = Place::current()),
                   (other, place))
  /// All products of the elements of two vectors.
  PYPTO_LAZY_FORMS(outer, tryOuter, (const Tensor &other, Place place = Place::current()),
                   (other, place))
  /// As NumPy's `einsum`, e.g. "bij,bjk->bik" or "...ij, ...jk -> ...ik". A letter that a tensor
  /// has twice is its diagonal; without an arrow the result has the letters that occur once.
  /// Extents of one are repeated.
  PYPTO_LAZY_STATIC(einsum, tryEinsum,
                    (llvm::StringRef formula, llvm::ArrayRef<Tensor> tensors,
                     Place place = Place::current()),
                    (formula, tensors, place))
  // Of f16 and bf16 these are computed in f32.
  PYPTO_LAZY_FORMS(softmax, trySoftmax, (int64_t axis = -1, Place place = Place::current()),
                   (axis, place))
  PYPTO_LAZY_FORMS(logSoftmax, tryLogSoftmax, (int64_t axis = -1, Place place = Place::current()),
                   (axis, place))
  /// Mean 0 and variance 1 over the axes.
  PYPTO_LAZY_FORMS(layerNorm, tryLayerNorm,
                   (Axes axes = -1, double epsilon = 1e-5, Place place = Place::current()),
                   (axes, epsilon, place))
  PYPTO_LAZY_FORMS(rmsNorm, tryRmsNorm,
                   (Axes axes = -1, double epsilon = 1e-5, Place place = Place::current()),
                   (axes, epsilon, place))
  /// softmax(this @ key^T / sqrt(size), masked) @ value, over the last two dimensions. Masks and
  /// more: nn::attention.
  PYPTO_LAZY_FORMS(attention, tryAttention,
                   (const Tensor &key, const Tensor &value, bool isCausal = false,
                    Place place = Place::current()),
                   (key, value, isCausal, place))

  //===- Indices ------------------------------------------------------------------------===//
  // Indices below zero count from the end. An element that is read at an index that is not there is
  // zero; one that is written there is dropped.

  /// The slices along `axis` at `indices`, whose shape takes the place of the axis.
  PYPTO_LAZY_FORMS(take, tryTake,
                   (const Tensor &indices, int64_t axis = 0, Place place = Place::current()),
                   (indices, axis, place))
  /// At each position of `indices` the element that is at this index along `axis`.
  PYPTO_LAZY_FORMS(gather, tryGather,
                   (const Tensor &indices, int64_t axis, Place place = Place::current()),
                   (indices, axis, place))
  /// A copy in which the elements of `values` are joined with those at `indices` along `axis`, in
  /// order.
  PYPTO_LAZY_FORMS(scatter, tryScatter,
                   (const Tensor &indices, const Operand &values, int64_t axis,
                    ScatterMode mode = ScatterMode::Set, Place place = Place::current()),
                   (indices, values, axis, mode, place))
  /// 1 at the index in a new last dimension of this extent, else 0.
  PYPTO_LAZY_FORMS(oneHot, tryOneHot,
                   (int64_t count, DType dtype = DType::F32, Place place = Place::current()),
                   (count, dtype, place))
  /// Zero above (below) the diagonal of the last two dimensions.
  PYPTO_LAZY_FORMS(tril, tryTril, (int64_t diagonal = 0, Place place = Place::current()),
                   (diagonal, place))
  PYPTO_LAZY_FORMS(triu, tryTriu, (int64_t diagonal = 0, Place place = Place::current()),
                   (diagonal, place))
  /// Elements in order along an axis; equal ones stay in order, and a NaN is greater than any
  /// number.
  PYPTO_LAZY_FORMS(sort, trySort,
                   (int64_t axis = -1, bool descending = false, Place place = Place::current()),
                   (axis, descending, place))
  /// Where the sorted elements come from.
  PYPTO_LAZY_FORMS(argSort, tryArgSort,
                   (int64_t axis = -1, bool descending = false, Place place = Place::current()),
                   (axis, descending, place))
  /// The `count` greatest (least) elements along an axis in order, and where they are.
  PYPTO_LAZY_SEVERAL(topK, tryTopK,
                     (int64_t count, int64_t axis = -1, bool greatest = true,
                      Place place = Place::current()),
                     (count, axis, greatest, place))

  //===- Assignment ---------------------------------------------------------------------===//

  /// From now on this tensor, in each handle to it, has the elements of `value`, which broadcasts.
  /// What was computed or made from it before keeps the old ones. If it was in memory, the elements
  /// go to its buffer when they are computed: plans that read the buffer then read them. The buffer
  /// has other memory from then on, and no plan may read it at that moment.
  llvm::Error tryAssign(const Operand &value);
  void assign(const Operand &value);
  /// The same of elements [begin, end) of each dimension: the others stay.
  llvm::Error tryAssignSlice(llvm::ArrayRef<std::pair<int64_t, Extent>> ranges,
                             const Operand &value);
  void assignSlice(llvm::ArrayRef<std::pair<int64_t, Extent>> ranges, const Operand &value);
  /// Assign the result, which has to have the type of this tensor.
  Tensor &operator+=(const Operand &other);
  Tensor &operator-=(const Operand &other);
  Tensor &operator*=(const Operand &other);
  Tensor &operator/=(const Operand &other);
  Tensor &operator%=(const Operand &other);

  /// Puts elements into the buffer that this tensor is: whatever reads it is computed from them.
  template <typename T>
  llvm::Error tryWrite(llvm::ArrayRef<T> data, Place place = Place::current()) {
    return tryWriteBytes(DTypeOf<T>::value, data.data(), data.size() * sizeof(T), place);
  }
  template <typename T> void write(llvm::ArrayRef<T> data, Place place = Place::current()) {
    if (llvm::Error error = tryWrite(data, place))
      throwError(std::move(error));
  }
  llvm::Error tryWriteBytes(DType dtype, const void *data, size_t numBytes,
                            Place place = Place::current());

  //===- Computing ----------------------------------------------------------------------===//

  // What depends on variables is computed for values of them, and again for others. A tensor keeps
  // the elements of the last values, which `data` and `getBuffer` give, and is computed for these
  // unless others are asked for; at first the values are the largest. Other tensors that are made
  // of it do not read these elements: they have values of their own.
  llvm::Error tryRealize(const Variables &variables = {}) const;
  void realize(const Variables &variables = {}) const;
  static llvm::Error tryRealizeBatch(llvm::ArrayRef<Tensor> tensors,
                                     const Variables &variables = {});
  static void realizeBatch(llvm::ArrayRef<Tensor> tensors, const Variables &variables = {});
  llvm::Expected<std::unique_ptr<ExecutionPlan>> tryPrepare() const;
  std::unique_ptr<ExecutionPlan> prepare() const;
  static llvm::Expected<std::unique_ptr<ExecutionPlan>>
  tryPrepareBatch(llvm::ArrayRef<Tensor> tensors);
  static std::unique_ptr<ExecutionPlan> prepareBatch(llvm::ArrayRef<Tensor> tensors);

  /// Computes the tensor, and writes it to a `.npy` file.
  llvm::Error trySaveNpy(llvm::StringRef path) const;
  void saveNpy(llvm::StringRef path) const;

  /// The graph as a module that `pypto-opt --rangeify` and `pypto-run` take.
  static std::string toMLIR(llvm::ArrayRef<Tensor> tensors);

  /// The elements in row-major order; computes them if need be. They are there as long as the
  /// tensor is, and is not computed for other values of its variables.
  template <typename T> llvm::ArrayRef<T> data() const {
    checkDType(DTypeOf<T>::value);
    auto [buffer, shape] = getElements();
    return buffer->template as<T>().take_front(countElements(makeShape(shape)));
  }

  /// A tensor for a node.
  explicit Tensor(NodeRef node) : entry(std::make_shared<Entry>(std::move(node))) {}

  Tensor operator-() const { return neg(); }

  /// Type, shape and elements, which are computed if need be; of many the first and the last along
  /// each axis. An error takes the place of elements.
  void print(llvm::raw_ostream &os) const;

private:
  /// What a node that depends on variables was computed for.
  struct Bound {
    NodeRef node;
    Variables variables;
    BufferRef buffer;
  };
  struct Entry {
    explicit Entry(NodeRef node) : node(std::move(node)) {}
    SharedRef<Node> node;
    /// The buffer, with its version, that elements which have been assigned go to.
    SharedRef<Node> home;
    SharedRef<Bound> bound;
  };
  /// Tensors that are computed together.
  struct Batch;
  void checkDType(DType dtype) const;
  /// The elements with their shape, computed if need be.
  std::pair<BufferRef, llvm::SmallVector<int64_t>> getElements() const;
  /// What `node`, for which this tensor stands, was computed for; null if it was not.
  std::shared_ptr<const Bound> getBound(const NodeRef &node) const;
  /// Its variables, with the values of `asked`, else those of before.
  Variables chooseValues(const NodeRef &node, const Variables &asked) const;
  static llvm::Error compute(const Batch &batch);
  /// After what it stands for has been computed: lets go of the graph, and brings elements that
  /// were assigned to their buffer.
  llvm::Error settle() const;
  llvm::Error moveHome(const NodeRef &value) const;

  /// Shared by all copies of this handle, so that they all see an assignment.
  std::shared_ptr<Entry> entry;
};

Tensor operator+(const Operand &a, const Operand &b);
Tensor operator-(const Operand &a, const Operand &b);
Tensor operator*(const Operand &a, const Operand &b);
Tensor operator/(const Operand &a, const Operand &b);
Tensor operator%(const Operand &a, const Operand &b);
// Tensors of bools. There is no `==`: what searches and tests use it for is a bool.
Tensor operator<(const Operand &a, const Operand &b);
Tensor operator<=(const Operand &a, const Operand &b);
Tensor operator>(const Operand &a, const Operand &b);
Tensor operator>=(const Operand &a, const Operand &b);

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Tensor &tensor);
std::ostream &operator<<(std::ostream &os, const Tensor &tensor);

} // namespace pypto::lazy

namespace pypto {
using lazy::Tensor;
} // namespace pypto

#endif
