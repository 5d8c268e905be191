// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types of reductions and of rows and columns applied to a whole.
#include "pypto/Dialect/PL/IR/TypeRules.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

/// The dimension that is `fromEnd` from the last one; error C1 if there is none.
static FailureOr<size_t> getDimension(OptionalLoc loc, ExtentTypeInterface type, unsigned fromEnd) {
  size_t rank = type.getExtents().size();
  if (rank < fromEnd)
    return emitOptionalError(loc, "C1: expects a rank of at least ", fromEnd, ", but got ", rank);
  return rank - fromEnd;
}

static SmallVector<ExtentAttr> withOne(ArrayRef<ExtentAttr> extents, size_t dim) {
  SmallVector<ExtentAttr> result(extents);
  if (!result.empty())
    result[dim] = ExtentAttr::get(result[dim].getContext(), 1);
  return result;
}

/// The source with the dimension reduced to one; `elementType` null keeps that of the source.
static LogicalResult inferReduced(OptionalLoc loc, Type source, unsigned fromEnd, Type elementType,
                                  InferredTypes &types) {
  FailureOr<ExtentTypeInterface> shaped = expectShaped(loc, source);
  if (failed(shaped))
    return failure();
  FailureOr<size_t> dim = getDimension(loc, *shaped, fromEnd);
  if (failed(dim))
    return failure();
  if (shaped->getElementType().isInteger(1))
    return emitOptionalError(loc, "C2: expects elements other than i1, but got ", source);
  types.push_back(shaped->cloneWith(withOne(shaped->getExtents(), *dim),
                                    withOne(shaped->getValid(), *dim),
                                    elementType ? elementType : shaped->getElementType()));
  return success();
}

LogicalResult pl::inferReduction(OptionalLoc loc, Type source, unsigned fromEnd,
                                 InferredTypes &types) {
  return inferReduced(loc, source, fromEnd, Type(), types);
}

LogicalResult pl::inferArgReduction(OptionalLoc loc, Type source, unsigned fromEnd,
                                    InferredTypes &types) {
  return inferReduced(loc, source, fromEnd, IntegerType::get(source.getContext(), 32), types);
}

/// `whole` with the valid shape that remains when `vector` is applied to it, and the given
/// elements.
static LogicalResult inferExpanded(OptionalLoc loc, ExtentTypeInterface whole,
                                   ExtentTypeInterface vector, unsigned fromEnd, Type elementType,
                                   InferredTypes &types) {
  FailureOr<size_t> dim = getDimension(loc, whole, fromEnd);
  if (failed(dim))
    return failure();
  SmallVector<ExtentAttr> expected = withOne(whole.getExtents(), *dim);
  ExtentAttr one = expected[*dim];
  if (!mayBeEqual(expected, vector.getExtents()) || vector.getExtents()[*dim] != one)
    return emitOptionalError(loc, "C1: expects a vector with the extents of ", whole,
                             " and one element in dimension ", *dim, ", but got ", vector);
  SmallVector<ExtentAttr> extents, valid;
  if (failed(broadcastShapes(loc, whole, vector, extents, valid)))
    return failure();
  return appendLike(loc, whole, whole.getExtents(), valid, elementType, types);
}

LogicalResult pl::inferExpand(OptionalLoc loc, Type target, Type vector, unsigned fromEnd,
                              InferredTypes &types) {
  FailureOr<ExtentTypeInterface> whole = expectShaped(loc, target);
  FailureOr<ExtentTypeInterface> part = expectShaped(loc, vector);
  if (failed(whole) || failed(part))
    return failure();
  return inferExpanded(loc, *whole, *part, fromEnd, part->getElementType(), types);
}

LogicalResult pl::inferExpandBinary(OptionalLoc loc, Type source, Type vector, unsigned fromEnd,
                                    InferredTypes &types) {
  FailureOr<ExtentTypeInterface> part = expectShaped(loc, vector);
  FailureOr<Type> element = promoteElements(loc, source, vector);
  if (failed(part) || failed(element))
    return failure();
  return inferExpanded(loc, cast<ExtentTypeInterface>(source), *part, fromEnd, *element, types);
}

LogicalResult pl::inferExpandFloat(OptionalLoc loc, Type source, Type vector, unsigned fromEnd,
                                   InferredTypes &types) {
  if (failed(inferExpandBinary(loc, source, vector, fromEnd, types)))
    return failure();
  Type element = cast<ExtentTypeInterface>(types.back()).getElementType();
  if (isa<FloatType>(element))
    return success();
  return emitOptionalError(loc, "C2: expects float elements, but got ", element);
}
