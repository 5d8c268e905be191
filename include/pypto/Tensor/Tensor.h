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

#include <concepts>
#include <map>
#include <optional>
#include <variant>

namespace pypto::lazy {

class Tensor;
class ExecutionPlan;

/// A shape in a call: numbers in braces, variables among them, or numbers that are known later.
struct ShapeOperand {
  Shape shape;
  ShapeOperand(std::initializer_list<Extent> shape) : shape(shape) {}
  ShapeOperand(Shape shape) : shape(std::move(shape)) {}
  template <typename Range>
    requires std::convertible_to<const Range &, llvm::ArrayRef<int64_t>>
  ShapeOperand(const Range &range) : shape(makeShape(range)) {}
};

/// What an operation takes next to its tensor: another tensor, or a number, which gets the element
/// type that fits. Remembers where it was written.
class Operand {
public:
  Operand(const Tensor &tensor, Place place = Place::current());
  Operand(double value, Place place = Place::current()) : value(value), place(place) {}
  Operand(float value, Place place = Place::current()) : value(double(value)), place(place) {}
  Operand(int value, Place place = Place::current()) : value(int64_t(value)), place(place) {}
  Operand(int64_t value, Place place = Place::current()) : value(value), place(place) {}
  Operand(bool value, Place place = Place::current()) : value(value), place(place) {}

  Place getPlace() const { return place; }
  /// The node; a number becomes a constant next to elements of `other`.
  NodeRef getNode(std::optional<DType> other) const;
  /// The element type of a tensor; nothing for a number.
  std::optional<DType> getDType() const;

private:
  std::variant<NodeRef, double, int64_t, bool> value;
  Place place;
};

/// Elementwise operations of one tensor.
#define PYPTO_LAZY_UNARY_OPS(X)                                                                    \
  X(neg, Neg)                                                                                      \
  X(abs, Abs)                                                                                      \
  X(sqrt, Sqrt)                                                                                    \
  X(rsqrt, Rsqrt)                                                                                  \
  X(reciprocal, Reciprocal)                                                                        \
  X(square, Square)                                                                                \
  X(sign, Sign)                                                                                    \
  X(exp, Exp)                                                                                      \
  X(exp2, Exp2)                                                                                    \
  X(log, Log)                                                                                      \
  X(log2, Log2)                                                                                    \
  X(sin, Sin)                                                                                      \
  X(cos, Cos)                                                                                      \
  X(tan, Tan)                                                                                      \
  X(tanh, Tanh)                                                                                    \
  X(erf, Erf)                                                                                      \
  X(floor, Floor)                                                                                  \
  X(ceil, Ceil)                                                                                    \
  X(round, Round)                                                                                  \
  X(trunc, Trunc)                                                                                  \
  X(logicalNot, LogicalNot)                                                                        \
  X(bitwiseNot, BitwiseNot)                                                                        \
  X(isNaN, IsNaN)                                                                                  \
  X(isInf, IsInf)                                                                                  \
  X(relu, Relu)                                                                                    \
  X(relu6, Relu6)                                                                                  \
  X(sigmoid, Sigmoid)                                                                              \
  X(silu, Silu)                                                                                    \
  X(gelu, Gelu)                                                                                    \
  X(geluTanh, GeluTanh)                                                                            \
  X(quickGelu, QuickGelu)                                                                          \
  X(softplus, Softplus)                                                                            \
  X(softsign, Softsign)                                                                            \
  X(mish, Mish)                                                                                    \
  X(hardSigmoid, HardSigmoid)                                                                      \
  X(hardSwish, HardSwish)

/// Elementwise operations of two tensors, which broadcast against each other.
#define PYPTO_LAZY_BINARY_OPS(X)                                                                   \
  X(add, Add)                                                                                      \
  X(sub, Sub)                                                                                      \
  X(mul, Mul)                                                                                      \
  X(div, Div)                                                                                      \
  X(rem, Rem)                                                                                      \
  X(pow, Pow)                                                                                      \
  X(maximum, Maximum)                                                                              \
  X(minimum, Minimum)                                                                              \
  X(bitwiseAnd, BitwiseAnd)                                                                        \
  X(bitwiseOr, BitwiseOr)                                                                          \
  X(bitwiseXor, BitwiseXor)                                                                        \
  X(shiftLeft, ShiftLeft)                                                                          \
  X(shiftRight, ShiftRight)                                                                        \
  X(less, Less)                                                                                    \
  X(lessEqual, LessEqual)                                                                          \
  X(greater, Greater)                                                                              \
  X(greaterEqual, GreaterEqual)                                                                    \
  X(equal, Equal)                                                                                  \
  X(notEqual, NotEqual)

/// Reductions. Without axes: over all; with `keepDims` the axes stay with extent one.
#define PYPTO_LAZY_REDUCTIONS(X)                                                                   \
  X(sum, Sum)                                                                                      \
  X(prod, Prod)                                                                                    \
  X(max, Max)                                                                                      \
  X(min, Min)                                                                                      \
  X(mean, Mean)                                                                                    \
  X(variance, Variance)                                                                            \
  X(all, All)                                                                                      \
  X(any, Any)

class Tensor {
public:
  using Axes = llvm::ArrayRef<int64_t>;
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
  static llvm::Expected<Tensor> tryFromBytes(DType dtype, Axes shape, const void *data,
                                             size_t numBytes, Place place = Place::current());
  /// All elements are `value`. Nothing is allocated.
  static Tensor full(Shape shape, Operand value, DType dtype = DType::F32);
  static Tensor zeros(Shape shape, DType dtype = DType::F32) { return full(shape, 0, dtype); }
  static Tensor ones(Shape shape, DType dtype = DType::F32) { return full(shape, 1, dtype); }
  /// 0, 1, … along `axis` of a tensor of this shape.
  static Tensor iota(Shape shape, int64_t axis, DType dtype = DType::I64);
  static Tensor arange(int64_t count, DType dtype = DType::I64) { return iota({count}, 0, dtype); }
  static Tensor linspace(double first, double last, int64_t count);
  static Tensor eye(int64_t size, DType dtype = DType::F32);

  //===- What is known without computing ------------------------------------------------===//

  llvm::ArrayRef<Extent> getShape() const { return getNode()->shape; }
  int64_t getRank() const { return getNode()->shape.size(); }
  DType getDType() const { return getNode()->dtype; }
  NodeRef getNode() const { return entry->load(); }
  /// The memory with the elements, if they have been computed; a reshape of it shares it.
  BufferRef getBuffer() const;

  //===- Elementwise ------------------------------------------------------------------------===//

#define PYPTO_LAZY_DECLARE(NAME, TRY)                                                              \
  llvm::Expected<Tensor> try##TRY(Place place = Place::current()) const;                           \
  Tensor NAME(Place place = Place::current()) const { return unwrap(try##TRY(place)); }
  PYPTO_LAZY_UNARY_OPS(PYPTO_LAZY_DECLARE)
#undef PYPTO_LAZY_DECLARE
#define PYPTO_LAZY_DECLARE(NAME, TRY)                                                              \
  llvm::Expected<Tensor> try##TRY(const Operand &other) const;                                     \
  Tensor NAME(const Operand &other) const { return unwrap(try##TRY(other)); }
  PYPTO_LAZY_BINARY_OPS(PYPTO_LAZY_DECLARE)
#undef PYPTO_LAZY_DECLARE

  llvm::Expected<Tensor> tryCast(DType dtype, Place place = Place::current()) const;
  Tensor cast(DType dtype, Place place = Place::current()) const {
    return unwrap(tryCast(dtype, place));
  }
  /// The same bits as elements of another type of that size.
  llvm::Expected<Tensor> tryBitcast(DType dtype, Place place = Place::current()) const;
  Tensor bitcast(DType dtype, Place place = Place::current()) const {
    return unwrap(tryBitcast(dtype, place));
  }
  /// Elements of `then` where this, a bool, is true.
  llvm::Expected<Tensor> tryWhere(const Operand &then, const Operand &otherwise) const;
  Tensor where(const Operand &then, const Operand &otherwise) const {
    return unwrap(tryWhere(then, otherwise));
  }
  Tensor clamp(const Operand &low, const Operand &high) const { return maximum(low).minimum(high); }
  Tensor leakyRelu(double slope = 0.01, Place place = Place::current()) const;
  Tensor elu(double alpha = 1, Place place = Place::current()) const;

  //===- Movement: views, if what is moved is in memory ---------------------------------===//

  /// One extent may be -1: what is left over. Variables stay where they are.
  llvm::Expected<Tensor> tryReshape(ShapeOperand shape, Place place = Place::current()) const;
  Tensor reshape(ShapeOperand shape, Place place = Place::current()) const {
    return unwrap(tryReshape(std::move(shape), place));
  }
  llvm::Expected<Tensor> tryPermute(Axes permutation, Place place = Place::current()) const;
  Tensor permute(Axes permutation, Place place = Place::current()) const {
    return unwrap(tryPermute(permutation, place));
  }
  Tensor transpose(int64_t a = -2, int64_t b = -1, Place place = Place::current()) const;
  /// Repeats extents of one; new dimensions come in front.
  llvm::Expected<Tensor> tryExpand(ShapeOperand shape, Place place = Place::current()) const;
  Tensor expand(ShapeOperand shape, Place place = Place::current()) const {
    return unwrap(tryExpand(std::move(shape), place));
  }
  /// `padding` has how many elements come before and after, for each dimension.
  llvm::Expected<Tensor> tryPad(llvm::ArrayRef<std::pair<int64_t, int64_t>> padding,
                                const Operand &value = 0, Place place = Place::current()) const;
  Tensor pad(llvm::ArrayRef<std::pair<int64_t, int64_t>> padding, const Operand &value = 0,
             Place place = Place::current()) const {
    return unwrap(tryPad(padding, value, place));
  }
  /// Elements [begin, end) of each dimension; an end may be a variable if the begin is 0.
  llvm::Expected<Tensor> tryShrink(llvm::ArrayRef<std::pair<int64_t, Extent>> ranges,
                                   Place place = Place::current()) const;
  Tensor shrink(llvm::ArrayRef<std::pair<int64_t, Extent>> ranges,
                Place place = Place::current()) const {
    return unwrap(tryShrink(ranges, place));
  }
  llvm::Expected<Tensor> tryFlip(Axes axes, Place place = Place::current()) const;
  Tensor flip(Axes axes, Place place = Place::current()) const {
    return unwrap(tryFlip(axes, place));
  }
  Tensor squeeze(int64_t axis, Place place = Place::current()) const;
  Tensor unsqueeze(int64_t axis, Place place = Place::current()) const;
  Tensor flatten(Place place = Place::current()) const { return reshape({-1}, place); }
  static llvm::Expected<Tensor> tryConcat(llvm::ArrayRef<Tensor> tensors, int64_t axis,
                                          Place place = Place::current());
  static Tensor concat(llvm::ArrayRef<Tensor> tensors, int64_t axis,
                       Place place = Place::current()) {
    return unwrap(tryConcat(tensors, axis, place));
  }
  static Tensor stack(llvm::ArrayRef<Tensor> tensors, int64_t axis, Place place = Place::current());

  //===- Reductions -------------------------------------------------------------------------===//

#define PYPTO_LAZY_DECLARE(NAME, TRY)                                                              \
  llvm::Expected<Tensor> try##TRY(Axes axes = {}, bool keepDims = false,                           \
                                  Place place = Place::current()) const;                           \
  Tensor NAME(Axes axes = {}, bool keepDims = false, Place place = Place::current()) const {       \
    return unwrap(try##TRY(axes, keepDims, place));                                                \
  }
  PYPTO_LAZY_REDUCTIONS(PYPTO_LAZY_DECLARE)
#undef PYPTO_LAZY_DECLARE
  /// The first index of the greatest element along an axis.
  llvm::Expected<Tensor> tryArgMax(int64_t axis, bool keepDims = false,
                                   Place place = Place::current()) const;
  Tensor argMax(int64_t axis, bool keepDims = false, Place place = Place::current()) const {
    return unwrap(tryArgMax(axis, keepDims, place));
  }
  llvm::Expected<Tensor> tryArgMin(int64_t axis, bool keepDims = false,
                                   Place place = Place::current()) const;
  Tensor argMin(int64_t axis, bool keepDims = false, Place place = Place::current()) const {
    return unwrap(tryArgMin(axis, keepDims, place));
  }

  //===- Products, norms, indices -------------------------------------------------------===//

  /// As NumPy's `matmul`. Elements of f16 and bf16 are summed in f32.
  llvm::Expected<Tensor> tryMatmul(const Tensor &other, Place place = Place::current()) const;
  Tensor matmul(const Tensor &other, Place place = Place::current()) const {
    return unwrap(tryMatmul(other, place));
  }
  /// As NumPy's `einsum` with an explicit result and without dots, e.g. "bij,bjk->bik".
  static llvm::Expected<Tensor> tryEinsum(llvm::StringRef formula, llvm::ArrayRef<Tensor> tensors,
                                          Place place = Place::current());
  static Tensor einsum(llvm::StringRef formula, llvm::ArrayRef<Tensor> tensors,
                       Place place = Place::current()) {
    return unwrap(tryEinsum(formula, tensors, place));
  }
  Tensor softmax(int64_t axis = -1, Place place = Place::current()) const;
  Tensor logSoftmax(int64_t axis = -1, Place place = Place::current()) const;
  Tensor layerNorm(int64_t axis = -1, double epsilon = 1e-5, Place place = Place::current()) const;
  Tensor rmsNorm(int64_t axis = -1, double epsilon = 1e-5, Place place = Place::current()) const;
  /// softmax(this @ key^T / sqrt(size), masked) @ value, over the last two dimensions.
  Tensor attention(const Tensor &key, const Tensor &value, bool isCausal = false,
                   Place place = Place::current()) const;
  /// The slices along `axis` at `indices`, whose shape takes the place of the axis. Indices below
  /// zero count from the end; elements at an index that is not there are zero.
  llvm::Expected<Tensor> tryTake(const Tensor &indices, int64_t axis = 0,
                                 Place place = Place::current()) const;
  Tensor take(const Tensor &indices, int64_t axis = 0, Place place = Place::current()) const {
    return unwrap(tryTake(indices, axis, place));
  }
  /// 1 at the index in a new last dimension of this extent, else 0.
  Tensor oneHot(int64_t count, DType dtype = DType::F32, Place place = Place::current()) const;
  /// Zero above (below) the diagonal of the last two dimensions.
  Tensor tril(int64_t diagonal = 0, Place place = Place::current()) const;
  Tensor triu(int64_t diagonal = 0, Place place = Place::current()) const;
  /// The same elements, but in memory of their own.
  Tensor contiguous(Place place = Place::current()) const;

  //===- Assignment ---------------------------------------------------------------------===//

  /// From now on this tensor, in each handle to it, has the elements of `value`, which broadcasts.
  /// What was computed or made from it before keeps the old ones.
  llvm::Error tryAssign(const Operand &value);
  void assign(const Operand &value);

  //===- Computing ----------------------------------------------------------------------===//

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

  /// The graph as a module that `pypto-opt --rangeify` and `pypto-run` take.
  static std::string toMLIR(llvm::ArrayRef<Tensor> tensors);

  /// The elements in row-major order; computes them if need be.
  template <typename T> llvm::ArrayRef<T> data() const {
    checkDType(DTypeOf<T>::value);
    return getRealized()->template as<T>().take_front(countElements(getShape()));
  }

  /// A tensor for a node.
  explicit Tensor(NodeRef node) : entry(std::make_shared<Entry>(std::move(node))) {}

  friend Tensor operator+(const Operand &a, const Operand &b);
  friend Tensor operator-(const Operand &a, const Operand &b);
  friend Tensor operator*(const Operand &a, const Operand &b);
  friend Tensor operator/(const Operand &a, const Operand &b);
  friend Tensor operator%(const Operand &a, const Operand &b);
  Tensor operator-() const { return neg(); }

private:
  using Entry = std::atomic<NodeRef>;
  void checkDType(DType dtype) const;
  BufferRef getRealized() const;

  /// Shared by all copies of this handle, so that they all see an assignment.
  std::shared_ptr<Entry> entry;
};

Tensor operator+(const Operand &a, const Operand &b);
Tensor operator-(const Operand &a, const Operand &b);
Tensor operator*(const Operand &a, const Operand &b);
Tensor operator/(const Operand &a, const Operand &b);
Tensor operator%(const Operand &a, const Operand &b);

} // namespace pypto::lazy

namespace pypto {
using lazy::Tensor;
} // namespace pypto

#endif
