// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types of tensor operations.
#include "pypto/Dialect/PL/IR/TypeRules.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

FailureOr<ExtentTypeInterface> pl::expectShaped(OptionalLoc loc, Type type) {
  if (auto shaped = dyn_cast<ExtentTypeInterface>(type))
    return shaped;
  return emitOptionalError(loc, "expects a tensor or a tile, but got ", type);
}

LogicalResult pl::appendLike(OptionalLoc loc, ExtentTypeInterface like,
                             ArrayRef<ExtentAttr> extents, ArrayRef<ExtentAttr> valid,
                             Type elementType, InferredTypes &types) {
  auto emit = [&] { return loc ? emitError(*loc) : InFlightDiagnostic(); };
  if (failed(like.verifyClone(emit, extents, valid, elementType)))
    return failure();
  types.push_back(like.cloneWith(extents, valid, elementType));
  return success();
}

ArrayRef<ExtentAttr> pl::getValidOrExtents(ExtentTypeInterface type) {
  return type.getValid().empty() ? type.getExtents() : type.getValid();
}

/// Valid extents of an elementwise result: what both operands define.
static ExtentAttr mergeValid(ExtentAttr left, ExtentAttr right, ExtentAttr leftFull,
                             ExtentAttr rightFull) {
  auto isOne = [](ExtentAttr e) { return e.isConstant() && e.getConstant() == 1; };
  if (left == right && !left.isDynamic())
    return left;
  // A broadcast operand, or one that is fully defined, does not narrow.
  if ((isOne(rightFull) && !isOne(leftFull)) ||
      (right == rightFull && !right.isDynamic() && rightFull == leftFull))
    return left;
  if ((isOne(leftFull) && !isOne(rightFull)) ||
      (left == leftFull && !left.isDynamic() && leftFull == rightFull))
    return right;
  if (left.isConstant() && right.isConstant())
    return left.getConstant() < right.getConstant() ? left : right;
  return ExtentAttr::getDynamic(left.getContext());
}

LogicalResult pl::broadcastShapes(OptionalLoc loc, ExtentTypeInterface lhs, ExtentTypeInterface rhs,
                                  SmallVectorImpl<ExtentAttr> &extents,
                                  SmallVectorImpl<ExtentAttr> &valid) {
  std::optional<SmallVector<ExtentAttr>> shape =
      broadcastExtents(lhs.getExtents(), rhs.getExtents());
  if (!shape)
    return emitOptionalError(loc, "C1: the shapes of ", lhs, " and ", rhs, " do not broadcast");
  extents.assign(shape->begin(), shape->end());
  if (lhs.getValid().empty() && rhs.getValid().empty())
    return success();
  ExtentAttr one = ExtentAttr::get(lhs.getContext(), 1);
  auto padded = [&](ArrayRef<ExtentAttr> list) {
    SmallVector<ExtentAttr> result(extents.size() - list.size(), one);
    llvm::append_range(result, list);
    return result;
  };
  SmallVector<ExtentAttr> left = padded(getValidOrExtents(lhs)),
                          right = padded(getValidOrExtents(rhs));
  SmallVector<ExtentAttr> leftFull = padded(lhs.getExtents()), rightFull = padded(rhs.getExtents());
  for (auto [l, r, lf, rf] : llvm::zip_equal(left, right, leftFull, rightFull))
    valid.push_back(mergeValid(l, r, lf, rf));
  return success();
}

/// Shape of `lhs op rhs` with the given element type.
static LogicalResult inferShaped(OptionalLoc loc, Type lhs, Type rhs, Type elementType,
                                 InferredTypes &types) {
  auto left = cast<ExtentTypeInterface>(lhs);
  auto right = dyn_cast<ExtentTypeInterface>(rhs);
  if (!right) {
    return appendLike(loc, left, left.getExtents(), left.getValid(), elementType, types);
  }
  SmallVector<ExtentAttr> extents, valid;
  if (failed(broadcastShapes(loc, left, right, extents, valid)))
    return failure();
  return appendLike(loc, left, extents, valid, elementType, types);
}

FailureOr<Type> pl::promoteElements(OptionalLoc loc, Type lhs, Type rhs) {
  FailureOr<ExtentTypeInterface> shaped = expectShaped(loc, lhs);
  if (failed(shaped))
    return failure();
  Type left = shaped->getElementType();
  auto right = dyn_cast<ExtentTypeInterface>(rhs);
  if (!right) {
    if (rhs != getScalarType(left))
      return emitOptionalError(loc, "C2: expects a scalar of type ", getScalarType(left),
                               ", but got ", rhs);
    return left;
  }
  Type result = promote(left, right.getElementType());
  if (!result)
    return emitOptionalError(loc, "C2: element types ", left, " and ", right.getElementType(),
                             " do not promote");
  return result;
}

LogicalResult pl::inferBinary(OptionalLoc loc, Type lhs, Type rhs, InferredTypes &types) {
  FailureOr<Type> element = promoteElements(loc, lhs, rhs);
  return failed(element) ? failure() : inferShaped(loc, lhs, rhs, *element, types);
}

LogicalResult pl::inferBitwise(OptionalLoc loc, Type lhs, Type rhs, InferredTypes &types) {
  FailureOr<Type> element = promoteElements(loc, lhs, rhs);
  if (failed(element))
    return failure();
  if (isa<FloatType>(*element))
    return emitOptionalError(loc, "C2: expects integer elements, but got ", *element);
  return inferShaped(loc, lhs, rhs, *element, types);
}

LogicalResult pl::inferShift(OptionalLoc loc, Type lhs, Type rhs, InferredTypes &types) {
  FailureOr<Type> promoted = promoteElements(loc, lhs, rhs);
  if (failed(promoted))
    return failure();
  Type element = cast<ExtentTypeInterface>(lhs).getElementType();
  if (isa<FloatType>(*promoted))
    return emitOptionalError(loc, "C2: expects integer elements, but got ", *promoted);
  return inferShaped(loc, lhs, rhs, element, types);
}

LogicalResult pl::inferCompare(OptionalLoc loc, Type lhs, Type rhs, InferredTypes &types) {
  if (failed(promoteElements(loc, lhs, rhs)))
    return failure();
  return inferShaped(loc, lhs, rhs, IntegerType::get(lhs.getContext(), 1), types);
}

LogicalResult pl::inferUnary(OptionalLoc loc, Type source, InferredTypes &types) {
  FailureOr<ExtentTypeInterface> shaped = expectShaped(loc, source);
  return failed(shaped) ? failure() : inferCast(loc, source, shaped->getElementType(), types);
}

LogicalResult pl::inferFloatUnary(OptionalLoc loc, Type source, InferredTypes &types) {
  FailureOr<ExtentTypeInterface> shaped = expectShaped(loc, source);
  if (succeeded(shaped) && !isa<FloatType>(shaped->getElementType()))
    return emitOptionalError(loc, "C1: expects float elements, but got ", shaped->getElementType());
  return failed(shaped) ? failure() : inferUnary(loc, source, types);
}

LogicalResult pl::inferIntegerUnary(OptionalLoc loc, Type source, InferredTypes &types) {
  FailureOr<ExtentTypeInterface> shaped = expectShaped(loc, source);
  if (succeeded(shaped) && isa<FloatType>(shaped->getElementType()))
    return emitOptionalError(loc, "C1: expects integer elements, but got ",
                             shaped->getElementType());
  return failed(shaped) ? failure() : inferUnary(loc, source, types);
}

LogicalResult pl::inferCast(OptionalLoc loc, Type source, Type elementType, InferredTypes &types) {
  FailureOr<ExtentTypeInterface> shaped = expectShaped(loc, source);
  if (failed(shaped))
    return failure();
  if (!isElementType(elementType))
    return emitOptionalError(loc, "C1: expects an element type, but got ", elementType);
  return appendLike(loc, *shaped, shaped->getExtents(), shaped->getValid(), elementType, types);
}
