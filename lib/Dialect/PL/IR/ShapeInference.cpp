// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types of operations that put together, transpose, fill and select.
#include "pypto/Dialect/PL/IR/TypeRules.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

bool pl::mayBeEqual(ArrayRef<ExtentAttr> lhs, ArrayRef<ExtentAttr> rhs) {
  return lhs.size() == rhs.size() && llvm::all_of(llvm::zip_equal(lhs, rhs), [](auto pair) {
           auto [left, right] = pair;
           return !left.isConstant() || !right.isConstant() || left == right;
         });
}

LogicalResult pl::inferTranspose(OptionalLoc loc, Type source, int64_t axis1, int64_t axis2,
                                 InferredTypes &types) {
  FailureOr<ExtentTypeInterface> shaped = expectShaped(loc, source);
  if (failed(shaped))
    return failure();
  int64_t rank = shaped->getExtents().size();
  for (int64_t axis : {axis1, axis2})
    if (axis < 0 || axis >= rank)
      return emitOptionalError(loc, "C1: expects axes less than ", rank, ", but got ", axis);
  SmallVector<ExtentAttr> extents(shaped->getExtents()), valid(shaped->getValid());
  std::swap(extents[axis1], extents[axis2]);
  if (!valid.empty())
    std::swap(valid[axis1], valid[axis2]);
  return appendLike(loc, *shaped, extents, valid, shaped->getElementType(), types);
}

/// What both operands define in a dimension of equal extents.
static ExtentAttr intersectValid(ExtentAttr left, ExtentAttr right) {
  if (left == right)
    return left;
  if (left.isConstant() && right.isConstant())
    return left.getConstant() < right.getConstant() ? left : right;
  return ExtentAttr::getDynamic(left.getContext());
}

LogicalResult pl::inferConcat(OptionalLoc loc, Type lhs, Type rhs, std::optional<int64_t> axis,
                              InferredTypes &types) {
  FailureOr<ExtentTypeInterface> left = expectShaped(loc, lhs), right = expectShaped(loc, rhs);
  if (failed(left) || failed(right))
    return failure();
  int64_t rank = left->getExtents().size();
  int64_t along = axis.value_or(rank - 1);
  if (along < 0 || along >= rank)
    return emitOptionalError(loc, "C3: expects an axis less than ", rank, ", but got ", along);
  if (left->getElementType() != right->getElementType())
    return emitOptionalError(loc, "C2: expects equal element types, but got ",
                             left->getElementType(), " and ", right->getElementType());
  SmallVector<ExtentAttr> extents(left->getExtents()), other(right->getExtents());
  if (other.size() == extents.size())
    other[along] = extents[along];
  if (!mayBeEqual(extents, other))
    return emitOptionalError(loc, "C1: expects extents that differ in dimension ", along,
                             " only, but got ", lhs, " and ", rhs);
  ArrayRef<ExtentAttr> leftValid = getValidOrExtents(*left), rightValid = getValidOrExtents(*right);
  if (!left->getValid().empty() && leftValid[along] != extents[along])
    return emitOptionalError(loc,
                             "C4: expects a first operand that is valid in its whole extent "
                             "of dimension ",
                             along, ", but got ", lhs);
  SmallVector<ExtentAttr> valid;
  for (int64_t dim = 0; dim != rank; ++dim) {
    valid.push_back(dim == along ? extents[dim] + rightValid[dim]
                                 : intersectValid(leftValid[dim], rightValid[dim]));
    if (dim == along)
      extents[dim] = extents[dim] + right->getExtents()[dim];
    else if (!extents[dim].isConstant())
      extents[dim] =
          right->getExtents()[dim].isConstant() ? right->getExtents()[dim] : extents[dim];
  }
  if (left->getValid().empty() && right->getValid().empty())
    valid.clear();
  return appendLike(loc, *left, extents, valid, left->getElementType(), types);
}

LogicalResult pl::inferFillpad(OptionalLoc loc, Type source, Pad pad, InferredTypes &types) {
  FailureOr<ExtentTypeInterface> shaped = expectShaped(loc, source);
  if (failed(shaped))
    return failure();
  if (pad == Pad::Null)
    return emitOptionalError(loc, "C1: expects 'zero', 'max' or 'min', but got 'null'");
  return appendLike(loc, *shaped, shaped->getExtents(), {}, shaped->getElementType(), types);
}

LogicalResult pl::inferSelect(OptionalLoc loc, Type mask, Type lhs, Type rhs,
                              InferredTypes &types) {
  FailureOr<ExtentTypeInterface> condition = expectShaped(loc, mask);
  SmallVector<Type, 1> selected;
  if (failed(condition) || failed(inferBinary(loc, lhs, rhs, selected)))
    return failure();
  if (!condition->getElementType().isSignlessInteger(1))
    return emitOptionalError(loc, "C3: expects a mask of i1 elements, but got ", mask);
  auto shaped = cast<ExtentTypeInterface>(selected.front());
  SmallVector<ExtentAttr> extents, valid;
  if (failed(broadcastShapes(loc, *condition, shaped, extents, valid)))
    return failure();
  return appendLike(loc, shaped, extents, valid, shaped.getElementType(), types);
}

namespace {
/// Which of two valid shapes contains the other, as far as constants tell.
struct Containment {
  bool left = true, right = true;
  /// False if neither can contain the other.
  bool isPossible() const { return left || right; }
};
} // namespace

/// The larger one of two valid extents of a dimension, `?` if that is not known.
static ExtentAttr uniteValid(ExtentAttr left, ExtentAttr right, ExtentAttr extent,
                             Containment &containment) {
  bool isUnknown = left.isDynamic() || right.isDynamic();
  if (left == right && !isUnknown)
    return left;
  if (left.isConstant() && right.isConstant()) {
    bool leftIsLarger = left.getConstant() > right.getConstant();
    containment.left &= leftIsLarger;
    containment.right &= !leftIsLarger;
    return leftIsLarger ? left : right;
  }
  if ((left == extent || right == extent) && !extent.isDynamic())
    return extent;
  return ExtentAttr::getDynamic(left.getContext());
}

LogicalResult pl::inferPart(OptionalLoc loc, Type lhs, Type rhs, InferredTypes &types) {
  FailureOr<ExtentTypeInterface> left = expectShaped(loc, lhs), right = expectShaped(loc, rhs);
  if (failed(left) || failed(right))
    return failure();
  if (!mayBeEqual(left->getExtents(), right->getExtents()))
    return emitOptionalError(loc, "C1: expects equal extents, but got ", lhs, " and ", rhs);
  if (left->getElementType() != right->getElementType())
    return emitOptionalError(loc, "C2: expects equal element types, but got ",
                             left->getElementType(), " and ", right->getElementType());
  Containment containment;
  SmallVector<ExtentAttr> valid;
  for (auto [a, b, extent] :
       llvm::zip_equal(getValidOrExtents(*left), getValidOrExtents(*right), left->getExtents()))
    valid.push_back(uniteValid(a, b, extent, containment));
  if (!containment.isPossible())
    return emitOptionalError(loc, "C3: expects a valid shape inside the other one, but got ", lhs,
                             " and ", rhs);
  if (left->getValid().empty() || right->getValid().empty())
    valid.clear();
  return appendLike(loc, *left, left->getExtents(), valid, left->getElementType(), types);
}
