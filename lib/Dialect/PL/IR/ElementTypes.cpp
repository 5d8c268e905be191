// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which types may be elements and scalars, and how they promote.
#include "pypto/Dialect/PL/IR/TypeRules.h"

using namespace mlir;
using namespace pypto;

static bool isAllowedWidth(unsigned width) {
  return width == 4 || width == 8 || width == 16 || width == 32 || width == 64;
}

bool pl::isElementType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return !integer.isSigned() && (isAllowedWidth(integer.getWidth()) ||
                                   (integer.getWidth() == 1 && integer.isSignless()));
  return isa<IndexType>(type) || (isa<FloatType>(type) && cast<FloatType>(type).getWidth() <= 64);
}

bool pl::isScalarType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() && isElementType(type);
  return isElementType(type);
}

Type pl::getScalarType(Type elementType) {
  auto integer = dyn_cast<IntegerType>(elementType);
  return integer && !integer.isSignless()
             ? IntegerType::get(integer.getContext(), integer.getWidth())
             : elementType;
}

Type pl::promote(Type lhs, Type rhs) {
  if (lhs == rhs)
    return lhs;
  auto lhsFloat = dyn_cast<FloatType>(lhs), rhsFloat = dyn_cast<FloatType>(rhs);
  if (lhsFloat && rhsFloat) {
    if (lhsFloat.getWidth() != rhsFloat.getWidth())
      return lhsFloat.getWidth() > rhsFloat.getWidth() ? lhs : rhs;
    // Two formats of one width: the next wider one holds both.
    return lhsFloat.getWidth() == 16  ? Type(Float32Type::get(lhs.getContext()))
           : lhsFloat.getWidth() == 8 ? Type(Float16Type::get(lhs.getContext()))
                                      : Type();
  }
  if (lhsFloat || rhsFloat)
    return lhsFloat ? lhs : rhs;
  // `index` is as wide as a 64-bit integer and signed; beside one it is the integer that stays.
  auto lhsInt = dyn_cast<IntegerType>(lhs), rhsInt = dyn_cast<IntegerType>(rhs);
  if (!lhsInt || !rhsInt) {
    IntegerType other = lhsInt ? lhsInt : rhsInt;
    return other && other.getWidth() == 64 ? Type(other) : Type(IndexType::get(lhs.getContext()));
  }
  if (lhsInt.getWidth() != rhsInt.getWidth())
    return lhsInt.getWidth() > rhsInt.getWidth() ? lhs : rhs;
  return lhsInt.isUnsigned() ? rhs : lhs;
}
