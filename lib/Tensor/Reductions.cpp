// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpBuilding.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <cmath>

using namespace pypto::lazy;

static llvm::Expected<Tensor> makeReduction(const Tensor &tensor, llvm::StringRef name, OpKind op,
                                            llvm::ArrayRef<int64_t> axes, bool keepDims,
                                            Place place) {
  auto normalized = normalizeAxes(name, axes, tensor.getRank(), place);
  if (!normalized)
    return normalized.takeError();
  bool needsElements = op == OpKind::ReduceMax || op == OpKind::ReduceMin;
  for (int64_t axis : *normalized)
    if (needsElements && tensor.getShape()[axis].max == 0)
      return makeError(name,
                       "expects elements along axis " + llvm::Twine(axis) + ", but got " +
                           formatShape(tensor.getShape()),
                       place);
  NodeRef node = tensor.getNode();
  DType dtype = node->dtype;
  // Counting bools is counting; narrow floats are summed in a wide one.
  if (op == OpKind::ReduceAdd || op == OpKind::ReduceMul) {
    if (dtype == DType::Bool)
      node = castTo(node, dtype = DType::I64);
    else if (dtype == DType::F16 || dtype == DType::BF16)
      node = castTo(node, DType::F32);
  }
  node = castTo(reduce(op, node, *normalized), dtype);
  return Tensor(keepDims ? node : dropAxes(node, *normalized));
}

#define REDUCTION(TRY, NAME, OP)                                                                   \
  llvm::Expected<Tensor> Tensor::try##TRY(Axes axes, bool keepDims, Place place) const {           \
    return makeReduction(*this, NAME, OP, axes, keepDims, place);                                  \
  }
REDUCTION(Sum, "sum", OpKind::ReduceAdd)
REDUCTION(Prod, "prod", OpKind::ReduceMul)
REDUCTION(Max, "max", OpKind::ReduceMax)
REDUCTION(Min, "min", OpKind::ReduceMin)
#undef REDUCTION

llvm::Expected<Tensor> Tensor::tryAll(Axes axes, bool keepDims, Place place) const {
  if (getDType() != DType::Bool)
    return makeError("all", "expects bools, but got " + stringifyDType(getDType()), place);
  return makeReduction(*this, "all", OpKind::ReduceMin, axes, keepDims, place);
}

llvm::Expected<Tensor> Tensor::tryAny(Axes axes, bool keepDims, Place place) const {
  if (getDType() != DType::Bool)
    return makeError("any", "expects bools, but got " + stringifyDType(getDType()), place);
  return makeReduction(*this, "any", OpKind::ReduceMax, axes, keepDims, place);
}

/// How many elements a reduction over `axes` takes, as a tensor.
static llvm::Expected<Tensor> countReduced(const Tensor &tensor, llvm::StringRef name,
                                           llvm::ArrayRef<int64_t> axes, Place place) {
  auto normalized = normalizeAxes(name, axes, tensor.getRank(), place);
  if (!normalized)
    return normalized.takeError();
  int64_t count = 1;
  Shape variables;
  for (int64_t axis : *normalized) {
    const Extent &extent = tensor.getShape()[axis];
    if (extent.isStatic())
      count *= extent.max;
    else
      variables.push_back(extent);
  }
  Tensor result(makeConstant(static_cast<double>(count), tensor.getDType()));
  // A variable is counted by a sum of ones.
  if (!variables.empty())
    return result * Tensor::ones(variables, tensor.getDType()).sum();
  return result;
}

llvm::Expected<Tensor> Tensor::tryMean(Axes axes, bool keepDims, Place place) const {
  if (!isFloat(getDType()))
    return makeError("mean", "expects floats, but got " + stringifyDType(getDType()), place);
  llvm::Expected<Tensor> count = countReduced(*this, "mean", axes, place);
  if (!count)
    return count.takeError();
  llvm::Expected<Tensor> total = trySum(axes, keepDims, place);
  if (!total)
    return total.takeError();
  return *total / *count;
}

llvm::Expected<Tensor> Tensor::tryVariance(Axes axes, bool keepDims, Place place) const {
  if (!isFloat(getDType()))
    return makeError("variance", "expects floats, but got " + stringifyDType(getDType()), place);
  llvm::Expected<Tensor> center = tryMean(axes, /*keepDims=*/true, place);
  if (!center)
    return center.takeError();
  return (*this - *center).square(place).tryMean(axes, keepDims, place);
}

/// The first index at which the extreme is.
static llvm::Expected<Tensor> makeArg(const Tensor &tensor, llvm::StringRef name, OpKind op,
                                      int64_t axis, bool keepDims, Place place) {
  llvm::Expected<int64_t> position = normalizeAxis(name, axis, tensor.getRank(), place);
  if (!position)
    return position.takeError();
  llvm::Expected<Tensor> extreme = makeReduction(tensor, name, op, *position, true, place);
  if (!extreme)
    return extreme.takeError();
  // A NaN is the extreme of its row, and found by being different from itself.
  Tensor isExtreme = tensor.equal(*extreme);
  if (isFloat(tensor.getDType()))
    isExtreme = isExtreme.maximum(tensor.isNaN(place));
  Extent extent = tensor.getShape()[*position];
  Tensor index = Tensor::iota(Shape(tensor.getShape()), *position);
  Tensor last(makeIntegerConstant(extent.max, DType::I64));
  return isExtreme.where(index, last).tryMin(*position, keepDims, place);
}

llvm::Expected<Tensor> Tensor::tryArgMax(int64_t axis, bool keepDims, Place place) const {
  return makeArg(*this, "argMax", OpKind::ReduceMax, axis, keepDims, place);
}
llvm::Expected<Tensor> Tensor::tryArgMin(int64_t axis, bool keepDims, Place place) const {
  return makeArg(*this, "argMin", OpKind::ReduceMin, axis, keepDims, place);
}

//===- Products -----------------------------------------------------------------------------===//

/// The sum over the last axis of a product, without that axis.
static NodeRef contract(NodeRef a, NodeRef b, llvm::ArrayRef<int64_t> axes) {
  DType dtype = a->dtype;
  DType wide = dtype == DType::F16 || dtype == DType::BF16 ? DType::F32 : dtype;
  NodeRef product = binary(OpKind::Mul, castTo(a, wide), castTo(b, wide));
  return castTo(dropAxes(reduce(OpKind::ReduceAdd, product, axes), axes), dtype);
}

llvm::Expected<Tensor> Tensor::tryMatmul(const Tensor &other, Place place) const {
  auto fail = [&] {
    return makeError("matmul",
                     "expects shapes (…, m, k) and (…, k, n), but got " +
                         lazy::formatShape(getShape()) + " and " +
                         lazy::formatShape(other.getShape()),
                     place);
  };
  if (getRank() == 0 || other.getRank() == 0)
    return fail();
  DType dtype = promote(getDType(), other.getDType());
  if (dtype == DType::Bool)
    return makeError("matmul", "expects numbers, but got bool", place);
  NodeRef a = castTo(getNode(), dtype), b = castTo(other.getNode(), dtype);
  // A vector is a row on the left, a column on the right; its dimension vanishes again.
  Shape left(a->shape), right(b->shape);
  if (left.size() == 1)
    left.insert(left.begin(), Extent(1));
  if (right.size() == 1)
    right.push_back(Extent(1));
  Extent m = left[left.size() - 2], k = left.back(), n = right.back();
  if (k != right[right.size() - 2])
    return fail();
  llvm::Expected<Shape> batch = broadcastShapes("matmul", llvm::ArrayRef(left).drop_back(2),
                                                llvm::ArrayRef(right).drop_back(2), place);
  if (!batch) {
    llvm::consumeError(batch.takeError());
    return fail();
  }
  // (…, m, 1, k) * (…, 1, n, k), summed over k.
  Shape spaced = left;
  spaced.insert(spaced.end() - 1, Extent(1));
  a = reshapeTo(a, spaced);
  auto swapped = llvm::to_vector(llvm::seq<int64_t>(0, right.size()));
  std::swap(swapped[right.size() - 1], swapped[right.size() - 2]);
  b = permuteTo(reshapeTo(b, right), swapped);
  spaced = b->shape;
  spaced.insert(spaced.end() - 2, Extent(1));
  b = reshapeTo(b, spaced);
  Shape space = *batch;
  llvm::append_values(space, m, n, k);
  NodeRef product = contract(broadcastTo(a, space), broadcastTo(b, space), space.size() - 1);
  llvm::SmallVector<int64_t> dropped;
  if (getRank() == 1)
    dropped.push_back(product->shape.size() - 2);
  if (other.getRank() == 1)
    dropped.push_back(product->shape.size() - 1);
  return Tensor(dropAxes(product, dropped));
}

//===- Einsum -------------------------------------------------------------------------------===//

/// `node` over all letters in `space`: permuted, repeated along those that it lacks. Letters that
/// it has twice are its diagonal.
static NodeRef spread(NodeRef node, llvm::StringRef letters, llvm::StringRef space,
                      const Shape &extents) {
  llvm::SmallVector<int64_t> order;
  Shape spaced;
  for (char letter : space) {
    size_t position = letters.find(letter);
    spaced.push_back(position == llvm::StringRef::npos ? Extent(1) : node->shape[position]);
    if (position != llvm::StringRef::npos)
      order.push_back(position);
  }
  return broadcastTo(reshapeTo(permuteTo(node, order), spaced), extents);
}

llvm::Expected<Tensor> Tensor::tryEinsum(llvm::StringRef formula, llvm::ArrayRef<Tensor> tensors,
                                         Place place) {
  auto fail = [&](const llvm::Twine &reason) {
    return makeError("einsum", reason + " in '" + formula + "'", place);
  };
  auto [inputs, result] = formula.split("->");
  llvm::SmallVector<llvm::StringRef> parts;
  inputs.split(parts, ',');
  if (!formula.contains("->") || parts.size() != tensors.size())
    return fail("expects letters for each of " + llvm::Twine(tensors.size()) +
                " tensors and for the result");
  std::string space = result.str();
  Shape extents(space.size(), Extent(-1));
  DType dtype = tensors[0].getDType();
  for (auto [letters, tensor] : llvm::zip_equal(parts, tensors)) {
    dtype = promote(dtype, tensor.getDType());
    if (static_cast<int64_t>(letters.size()) != tensor.getRank())
      return fail("expects " + llvm::Twine(tensor.getRank()) + " letters for shape " +
                  lazy::formatShape(tensor.getShape()) + ", but got '" + letters + "'");
    for (auto [letter, extent] : llvm::zip_equal(letters, tensor.getShape())) {
      if (!llvm::isAlpha(letter) || letters.count(letter) != 1)
        return fail("expects each letter once in '" + letters + "'");
      size_t position = space.find(letter);
      if (position == std::string::npos) {
        position = space.size();
        space.push_back(letter);
        extents.push_back(Extent(-1));
      }
      if (extents[position] == Extent(-1))
        extents[position] = extent;
      else if (extents[position] != extent)
        return fail("expects one extent for '" + llvm::Twine(letter) + "', but got " +
                    lazy::formatShape(extents[position]) + " and " + lazy::formatShape(extent));
    }
  }
  for (auto [letter, extent] : llvm::zip_equal(space, extents))
    if (extent == Extent(-1) || result.count(letter) > 1)
      return fail("expects each letter of the result once, and in a tensor; got '" + result + "'");
  NodeRef product;
  for (auto [letters, tensor] : llvm::zip_equal(parts, tensors)) {
    NodeRef factor = spread(castTo(tensor.getNode(), dtype), letters, space, extents);
    product = product ? binary(OpKind::Mul, product, factor) : factor;
  }
  auto axes = llvm::to_vector(llvm::seq<int64_t>(result.size(), space.size()));
  return Tensor(dropAxes(reduce(OpKind::ReduceAdd, product, axes), axes));
}

//===- Norms and attention ------------------------------------------------------------------===//

Tensor Tensor::softmax(int64_t axis, Place place) const {
  Tensor shifted = *this - max({axis}, true, place);
  Tensor powers = shifted.exp(place);
  return powers / powers.sum({axis}, true, place);
}

Tensor Tensor::logSoftmax(int64_t axis, Place place) const {
  Tensor shifted = *this - max({axis}, true, place);
  return shifted - shifted.exp(place).sum({axis}, true, place).log(place);
}

Tensor Tensor::layerNorm(int64_t axis, double epsilon, Place place) const {
  Tensor centered = *this - mean({axis}, true, place);
  return centered * (centered.square(place).mean({axis}, true, place) + epsilon).rsqrt(place);
}

Tensor Tensor::rmsNorm(int64_t axis, double epsilon, Place place) const {
  return *this * (square(place).mean({axis}, true, place) + epsilon).rsqrt(place);
}

Tensor Tensor::attention(const Tensor &key, const Tensor &value, bool isCausal, Place place) const {
  if (getRank() < 2 || !getShape().back().isStatic())
    throwError(makeError("attention",
                         "expects shape (…, n, size), but got " + lazy::formatShape(getShape()),
                         place));
  double scale = 1 / std::sqrt(static_cast<double>(getShape().back().max));
  Tensor scores = matmul(key.transpose(-2, -1, place), place) * scale;
  if (isCausal) {
    Shape shape(scores.getShape());
    Tensor row = iota(shape, shape.size() - 2), column = iota(shape, shape.size() - 1);
    scores = column.lessEqual(row).where(scores, -HUGE_VAL);
  }
  return scores.softmax(-1, place).matmul(value, place);
}

//===- Indices ------------------------------------------------------------------------------===//

llvm::Expected<Tensor> Tensor::tryTake(const Tensor &indices, int64_t axis, Place place) const {
  llvm::Expected<int64_t> position = normalizeAxis("take", axis, getRank(), place);
  if (!position)
    return position.takeError();
  if (isFloat(indices.getDType()) || indices.getDType() == DType::Bool)
    return makeError("take",
                     "expects integers as indices, but got " + stringifyDType(indices.getDType()),
                     place);
  Shape shape(getShape().take_front(*position));
  llvm::append_range(shape, indices.getShape());
  llvm::append_range(shape, getShape().drop_front(*position + 1));
  return Tensor(makeNode(OpKind::Take, getDType(), shape,
                         {getNode(), castTo(indices.getNode(), DType::I64)}, *position));
}

Tensor Tensor::oneHot(int64_t count, DType dtype, Place place) const {
  if (isFloat(getDType()) || getDType() == DType::Bool)
    throwError(
        makeError("oneHot", "expects integers, but got " + stringifyDType(getDType()), place));
  Shape shape(getShape());
  shape.push_back(Extent(count));
  Tensor position = iota(shape, shape.size() - 1);
  return position.equal(unsqueeze(-1, place)).cast(dtype, place);
}

static Tensor maskTriangle(const Tensor &tensor, int64_t diagonal, bool isLower, Place place) {
  if (tensor.getRank() < 2)
    throwError(makeError(
        isLower ? "tril" : "triu",
        "expects at least two dimensions, but got " + formatShape(tensor.getShape()), place));
  Shape shape(tensor.getShape());
  Tensor row = Tensor::iota(shape, shape.size() - 2),
         column = Tensor::iota(shape, shape.size() - 1);
  Tensor limit = row + diagonal;
  return (isLower ? column.lessEqual(limit) : column.greaterEqual(limit)).where(tensor, 0);
}

Tensor Tensor::tril(int64_t diagonal, Place place) const {
  return maskTriangle(*this, diagonal, true, place);
}
Tensor Tensor::triu(int64_t diagonal, Place place) const {
  return maskTriangle(*this, diagonal, false, place);
}

//===- Making tensors -----------------------------------------------------------------------===//

Tensor Tensor::full(Shape shape, Operand value, DType dtype) {
  return Tensor(broadcastTo(castTo(value.getNode(dtype), dtype), shape));
}

Tensor Tensor::iota(Shape shape, int64_t axis, DType dtype) {
  int64_t position =
      unwrap(normalizeAxis("iota", axis, static_cast<int64_t>(shape.size()), Place::current()));
  Shape line(shape.size(), Extent(1));
  line[position] = shape[position];
  return Tensor(
      broadcastTo(castTo(makeNode(OpKind::Iota, DType::I64, line, {}, position), dtype), shape));
}

Tensor Tensor::linspace(double first, double last, int64_t count) {
  double step = count > 1 ? (last - first) / static_cast<double>(count - 1) : 0;
  return arange(count, DType::F32) * step + first;
}

Tensor Tensor::eye(int64_t size, DType dtype) { return arange(size).oneHot(size, dtype); }
