// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products: result types and verification.
#include "pypto/Dialect/PL/IR/PLOps.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

/// C4 and C5: the element type of a product; `elementType` is the one asked for, or null.
static FailureOr<Type> getProductElement(OptionalLoc loc, Type lhs, Type rhs, Type elementType) {
  Type promoted = promote(lhs, rhs);
  if (!promoted || lhs.isInteger(1) || rhs.isInteger(1))
    return emitOptionalError(loc, "C4: expects element types that promote and are not i1, but got ",
                             lhs, " and ", rhs);
  if (!elementType)
    return promoted;
  if (!isElementType(elementType) || elementType.isInteger(1) ||
      isa<FloatType>(elementType) != isa<FloatType>(promoted))
    return emitOptionalError(loc, "C5: expects ",
                             isa<FloatType>(promoted) ? "a float" : "an integer",
                             " element type, but got ", elementType);
  return elementType;
}

LogicalResult pl::inferMatmul(OptionalLoc loc, Type lhs, Type rhs, bool transposeLhs,
                              bool transposeRhs, Type elementType, InferredTypes &types) {
  FailureOr<ExtentTypeInterface> left = expectShaped(loc, lhs), right = expectShaped(loc, rhs);
  if (failed(left) || failed(right))
    return failure();
  for (ExtentTypeInterface type : {*left, *right})
    if (type.getExtents().size() < 2)
      return emitOptionalError(loc, "C1: expects operands of rank two or more, but got ", type);
  FailureOr<Type> element =
      getProductElement(loc, left->getElementType(), right->getElementType(), elementType);
  if (failed(element))
    return failure();
  ArrayRef<ExtentAttr> leftExtents = left->getExtents(), rightExtents = right->getExtents();
  ExtentAttr leftK = transposeLhs ? leftExtents.end()[-2] : leftExtents.back();
  ExtentAttr rightK = transposeRhs ? rightExtents.back() : rightExtents.end()[-2];
  if (!mayBeEqual(leftK, rightK))
    return emitOptionalError(loc, "C2: expects equal inner extents, but got ", leftK.getConstant(),
                             " and ", rightK.getConstant());
  if (!broadcastExtents(leftExtents.drop_back(2), rightExtents.drop_back(2)))
    return emitOptionalError(loc, "C3: expects batches that broadcast, but got ", lhs, " and ",
                             rhs);
  auto batchOf = [&](ExtentTypeInterface type) {
    ArrayRef<ExtentAttr> valid = getValidOrExtents(type);
    return cast<ExtentTypeInterface>(
        type.cloneWith(type.getExtents().drop_back(2), valid.drop_back(2), type.getElementType()));
  };
  SmallVector<ExtentAttr> extents, valid;
  if (failed(broadcastShapes(loc, batchOf(*left), batchOf(*right), extents, valid)))
    return failure();
  if (valid.empty())
    valid = extents;
  auto append = [&](ArrayRef<ExtentAttr> a, ArrayRef<ExtentAttr> b,
                    SmallVectorImpl<ExtentAttr> &list) {
    list.push_back(transposeLhs ? a.back() : a.end()[-2]);
    list.push_back(transposeRhs ? b.end()[-2] : b.back());
  };
  append(leftExtents, rightExtents, extents);
  append(getValidOrExtents(*left), getValidOrExtents(*right), valid);
  // `?` as the valid extent of `?` claims no more than the implicit valid shape does.
  if (left->getValid().empty() && right->getValid().empty())
    valid.clear();
  return appendLike(loc, *left, extents, valid, *element, types);
}

LogicalResult pl::verifyMatmulAcc(Operation *op, Type acc, Type product) {
  ArrayRef<ExtentAttr> expected = cast<ExtentTypeInterface>(product).getExtents();
  if (mayBeEqual(cast<ExtentTypeInterface>(acc).getExtents(), expected))
    return success();
  return op->emitOpError() << "C6: expects an accumulator with the extents of " << product
                           << ", but got " << acc;
}

LogicalResult MatmulAccOp::verify() {
  SmallVector<Type, 1> product;
  if (failed(inferMatmul(getLoc(), getLhs().getType(), getRhs().getType(), getATrans(), getBTrans(),
                         getAcc().getType().getElementType(), product)))
    return failure();
  return verifyMatmulAcc(*this, getAcc().getType(), product.front());
}
