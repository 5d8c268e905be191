// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on one element.
#include "ScalarOps.h"

#include "Lowering.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::lowering;

/// `i1` orders false before true.
static bool isUnsigned(Type element) { return element.isUnsignedInteger() || element.isInteger(1); }

static Value select(ImplicitLocOpBuilder &b, Value condition, Value yes, Value no) {
  return arith::SelectOp::create(b, condition, yes, no);
}

static Value compare(ImplicitLocOpBuilder &b, arith::CmpIPredicate predicate, Value lhs,
                     Value rhs) {
  return arith::CmpIOp::create(b, predicate, lhs, rhs);
}

static Value compare(ImplicitLocOpBuilder &b, arith::CmpFPredicate predicate, Value lhs,
                     Value rhs) {
  return arith::CmpFOp::create(b, predicate, lhs, rhs);
}

Value lowering::emitConstant(ImplicitLocOpBuilder &b, Type element, double value) {
  Type type = getComputeElement(element);
  if (isa<FloatType>(type))
    return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
  return arith::ConstantOp::create(b, b.getIntegerAttr(type, static_cast<int64_t>(value)));
}

Value lowering::emitConstant(ImplicitLocOpBuilder &b, Type element, const APInt &value) {
  return arith::ConstantOp::create(b, b.getIntegerAttr(getComputeElement(element), value));
}

Value lowering::emitLimit(ImplicitLocOpBuilder &b, Type element, bool isGreatest) {
  if (auto type = dyn_cast<FloatType>(element)) {
    const llvm::fltSemantics &semantics = type.getFloatSemantics();
    bool hasInfinity = APFloat::semanticsHasInf(semantics);
    APFloat limit = hasInfinity ? APFloat::getInf(semantics, !isGreatest)
                                : APFloat::getLargest(semantics, !isGreatest);
    return emitConstant(b, element, limit.convertToDouble());
  }
  unsigned width = getComputeElement(element).getIntOrFloatBitWidth();
  if (isUnsigned(element))
    return emitConstant(b, element,
                        isGreatest ? APInt::getMaxValue(width) : APInt::getMinValue(width));
  return emitConstant(
      b, element, isGreatest ? APInt::getSignedMaxValue(width) : APInt::getSignedMinValue(width));
}

Value lowering::emitNeutral(ImplicitLocOpBuilder &b, BinaryKind kind, Type element) {
  switch (kind) {
  case BinaryKind::Add:
    // Of floats -0.0: 0.0 would change -0.0.
    return emitConstant(b, element, isa<FloatType>(element) ? -0.0 : 0.0);
  case BinaryKind::Mul:
    return emitConstant(b, element, 1.0);
  case BinaryKind::Maximum:
    return emitLimit(b, element, /*isGreatest=*/false);
  case BinaryKind::Minimum:
    return emitLimit(b, element, /*isGreatest=*/true);
  default:
    llvm_unreachable("not used to combine");
  }
}

//===- Integers ------------------------------------------------------------------===//

/// Zero where the divisor is zero, no trap for the smallest number by -1.
static Value emitIntegerDivision(ImplicitLocOpBuilder &b, Type element, Value lhs, Value rhs,
                                 bool isRemainder) {
  Value zero = emitConstant(b, element, 0), one = emitConstant(b, element, 1);
  Value byZero = compare(b, arith::CmpIPredicate::eq, rhs, zero);
  if (isUnsigned(element)) {
    Value divisor = select(b, byZero, one, rhs);
    Value result = isRemainder ? arith::RemUIOp::create(b, lhs, divisor).getResult()
                               : arith::DivUIOp::create(b, lhs, divisor).getResult();
    return select(b, byZero, zero, result);
  }
  Value byMinusOne = compare(b, arith::CmpIPredicate::eq, rhs, emitConstant(b, element, -1));
  Value divisor = select(b, arith::OrIOp::create(b, byZero, byMinusOne), one, rhs);
  // By one: the remainder is zero, as it is for both special divisors.
  if (isRemainder)
    return arith::RemSIOp::create(b, lhs, divisor);
  Value result = arith::DivSIOp::create(b, lhs, divisor);
  result = select(b, byMinusOne, arith::SubIOp::create(b, zero, lhs), result);
  return select(b, byZero, zero, result);
}

/// `rhs`, an unsigned number of bits, has the type of `lhs`.
static Value emitShift(ImplicitLocOpBuilder &b, BinaryKind kind, Type element, Value lhs,
                       Value rhs) {
  unsigned width = lhs.getType().getIntOrFloatBitWidth();
  Value zero = emitConstant(b, element, 0);
  Value isInside = compare(b, arith::CmpIPredicate::ule, rhs, emitConstant(b, element, width - 1));
  if (kind == BinaryKind::Shr && !isUnsigned(element)) {
    Value amount = select(b, isInside, rhs, emitConstant(b, element, width - 1));
    return arith::ShRSIOp::create(b, lhs, amount);
  }
  Value amount = select(b, isInside, rhs, zero);
  Value result = kind == BinaryKind::Shl ? arith::ShLIOp::create(b, lhs, amount).getResult()
                                         : arith::ShRUIOp::create(b, lhs, amount).getResult();
  return select(b, isInside, result, zero);
}

static Value emitIntegerBinary(ImplicitLocOpBuilder &b, BinaryKind kind, Type element, Value lhs,
                               Value rhs) {
  bool isPlain = isUnsigned(element);
  switch (kind) {
  case BinaryKind::Add:
    return arith::AddIOp::create(b, lhs, rhs);
  case BinaryKind::Sub:
    return arith::SubIOp::create(b, lhs, rhs);
  case BinaryKind::Mul:
    return arith::MulIOp::create(b, lhs, rhs);
  case BinaryKind::Div:
    return emitIntegerDivision(b, element, lhs, rhs, /*isRemainder=*/false);
  case BinaryKind::Fmod:
    return emitIntegerDivision(b, element, lhs, rhs, /*isRemainder=*/true);
  case BinaryKind::Maximum:
    return isPlain ? arith::MaxUIOp::create(b, lhs, rhs).getResult()
                   : arith::MaxSIOp::create(b, lhs, rhs).getResult();
  case BinaryKind::Minimum:
    return isPlain ? arith::MinUIOp::create(b, lhs, rhs).getResult()
                   : arith::MinSIOp::create(b, lhs, rhs).getResult();
  case BinaryKind::And:
    return arith::AndIOp::create(b, lhs, rhs);
  case BinaryKind::Or:
    return arith::OrIOp::create(b, lhs, rhs);
  case BinaryKind::Xor:
    return arith::XOrIOp::create(b, lhs, rhs);
  case BinaryKind::Shl:
  case BinaryKind::Shr:
    return emitShift(b, kind, element, lhs, rhs);
  }
  llvm_unreachable("unknown kind");
}

//===- Floats --------------------------------------------------------------------===//

Value lowering::emitBinary(ImplicitLocOpBuilder &b, BinaryKind kind, Type element, Value lhs,
                           Value rhs) {
  if (!isa<FloatType>(element))
    return emitIntegerBinary(b, kind, element, lhs, rhs);
  switch (kind) {
  case BinaryKind::Add:
    return arith::AddFOp::create(b, lhs, rhs);
  case BinaryKind::Sub:
    return arith::SubFOp::create(b, lhs, rhs);
  case BinaryKind::Mul:
    return arith::MulFOp::create(b, lhs, rhs);
  case BinaryKind::Div:
    return arith::DivFOp::create(b, lhs, rhs);
  case BinaryKind::Fmod:
    return arith::RemFOp::create(b, lhs, rhs);
  case BinaryKind::Maximum:
    return arith::MaximumFOp::create(b, lhs, rhs);
  case BinaryKind::Minimum:
    return arith::MinimumFOp::create(b, lhs, rhs);
  default:
    llvm_unreachable("bitwise operations verify that their elements are integers");
  }
}

static Value emitIntegerUnary(ImplicitLocOpBuilder &b, UnaryKind kind, Type element, Value source) {
  Value zero = emitConstant(b, element, 0);
  switch (kind) {
  case UnaryKind::Neg:
    return arith::SubIOp::create(b, zero, source);
  case UnaryKind::Not:
    return arith::XOrIOp::create(b, source, emitConstant(b, element, -1));
  case UnaryKind::Abs:
    if (isUnsigned(element))
      return source;
    return select(b, compare(b, arith::CmpIPredicate::slt, source, zero),
                  arith::SubIOp::create(b, zero, source), source);
  case UnaryKind::Relu:
    return emitIntegerBinary(b, BinaryKind::Maximum, element, source, zero);
  default:
    llvm_unreachable("the other operations verify that their elements are floats");
  }
}

Value lowering::emitUnary(ImplicitLocOpBuilder &b, UnaryKind kind, Type element, Value source) {
  if (!isa<FloatType>(element))
    return emitIntegerUnary(b, kind, element, source);
  switch (kind) {
  case UnaryKind::Exp:
    return math::ExpOp::create(b, source);
  case UnaryKind::Log:
    return math::LogOp::create(b, source);
  case UnaryKind::Sqrt:
    return math::SqrtOp::create(b, source);
  case UnaryKind::Rsqrt:
    return arith::DivFOp::create(b, emitConstant(b, element, 1.0), math::SqrtOp::create(b, source));
  case UnaryKind::Recip:
    return arith::DivFOp::create(b, emitConstant(b, element, 1.0), source);
  case UnaryKind::Sin:
    return math::SinOp::create(b, source);
  case UnaryKind::Cos:
    return math::CosOp::create(b, source);
  case UnaryKind::Neg:
    return arith::NegFOp::create(b, source);
  case UnaryKind::Abs:
    return math::AbsFOp::create(b, source);
  case UnaryKind::Relu:
    return arith::MaximumFOp::create(b, source, emitConstant(b, element, 0.0));
  case UnaryKind::Not:
    llvm_unreachable("the complement verifies that its elements are integers");
  }
  llvm_unreachable("unknown kind");
}

Value lowering::emitCompare(ImplicitLocOpBuilder &b, CmpKind kind, Type element, Value lhs,
                            Value rhs) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  static constexpr F floats[] = {F::OEQ, F::UNE, F::OLT, F::OLE, F::OGT, F::OGE};
  static constexpr I signedOnes[] = {I::eq, I::ne, I::slt, I::sle, I::sgt, I::sge};
  static constexpr I unsignedOnes[] = {I::eq, I::ne, I::ult, I::ule, I::ugt, I::uge};
  auto index = static_cast<unsigned>(kind);
  if (isa<FloatType>(element))
    return compare(b, floats[index], lhs, rhs);
  return compare(b, isUnsigned(element) ? unsignedOnes[index] : signedOnes[index], lhs, rhs);
}

Value lowering::emitIsBetter(ImplicitLocOpBuilder &b, Type element, bool isMax, Value candidate,
                             Value best) {
  if (!isa<FloatType>(element))
    return emitCompare(b, isMax ? CmpKind::GT : CmpKind::LT, element, candidate, best);
  // Also true if one of both is NaN.
  Value isBetter =
      compare(b, isMax ? arith::CmpFPredicate::UGT : arith::CmpFPredicate::ULT, candidate, best);
  Value isNumber = compare(b, arith::CmpFPredicate::ORD, best, best);
  return arith::AndIOp::create(b, isBetter, isNumber);
}

//===- Conversions ------------------------------------------------------------------===//

static Value roundTo(ImplicitLocOpBuilder &b, Value value, Type element, RoundMode mode) {
  switch (mode) {
  case RoundMode::Rint:
    return math::RoundEvenOp::create(b, value);
  case RoundMode::Round:
    return math::RoundOp::create(b, value);
  case RoundMode::Floor:
    return math::FloorOp::create(b, value);
  case RoundMode::Ceil:
    return math::CeilOp::create(b, value);
  case RoundMode::None:
  case RoundMode::Trunc:
    return math::TruncOp::create(b, value);
  case RoundMode::Odd: {
    // Of the two neighbours the odd one; a whole number is its own neighbour.
    Value floor = math::FloorOp::create(b, value);
    Value half = arith::MulFOp::create(b, floor, emitConstant(b, element, 0.5));
    Value isEven = compare(b, arith::CmpFPredicate::OEQ, math::FloorOp::create(b, half), half);
    return select(b, isEven, math::CeilOp::create(b, value), floor);
  }
  }
  llvm_unreachable("unknown mode");
}

/// Rounds, saturates, makes zero of NaN.
static Value emitFloatToInteger(ImplicitLocOpBuilder &b, Value value, Type from, Type to,
                                RoundMode mode) {
  Type type = getComputeElement(to);
  unsigned width = type.getIntOrFloatBitWidth();
  bool isPlain = isUnsigned(to);
  Value rounded = roundTo(b, value, from, mode);
  Value low = emitConstant(b, from, isPlain ? 0.0 : -std::ldexp(1.0, width - 1));
  Value end = emitConstant(b, from, std::ldexp(1.0, isPlain ? width : width - 1));
  Value isLow = compare(b, arith::CmpFPredicate::OLT, rounded, low);
  Value isHigh = compare(b, arith::CmpFPredicate::OGE, rounded, end);
  Value isNaN = compare(b, arith::CmpFPredicate::UNO, rounded, rounded);
  Value isOutside = arith::OrIOp::create(b, arith::OrIOp::create(b, isLow, isHigh), isNaN);
  Value safe = select(b, isOutside, emitConstant(b, from, 0.0), rounded);
  Value result = isPlain ? arith::FPToUIOp::create(b, type, safe).getResult()
                         : arith::FPToSIOp::create(b, type, safe).getResult();
  APInt min = isPlain ? APInt::getMinValue(width) : APInt::getSignedMinValue(width);
  APInt max = isPlain ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  result = select(b, isLow, emitConstant(b, to, min), result);
  return select(b, isHigh, emitConstant(b, to, max), result);
}

/// f64 to f32 so that rounding the result again to something narrower is rounding once: towards
/// zero, the last bit set if anything was lost.
static Value truncateToOdd(ImplicitLocOpBuilder &b, Value value) {
  Type f32 = b.getF32Type(), i32 = b.getI32Type();
  Value nearest = arith::TruncFOp::create(b, f32, value);
  Value back = arith::ExtFOp::create(b, b.getF64Type(), nearest);
  Value isAbove = compare(b, arith::CmpFPredicate::OGT, math::AbsFOp::create(b, back),
                          math::AbsFOp::create(b, value));
  Value isInexact = compare(b, arith::CmpFPredicate::ONE, back, value);
  Value bits = arith::BitcastOp::create(b, i32, nearest);
  bits = arith::SubIOp::create(b, bits, arith::ExtUIOp::create(b, i32, isAbove));
  bits = arith::OrIOp::create(b, bits, arith::ExtUIOp::create(b, i32, isInexact));
  return arith::BitcastOp::create(b, f32, bits);
}

/// An integer of at most 64 bits as an f64 in the same way: exact, or with the last bit set.
static Value convertToOddDouble(ImplicitLocOpBuilder &b, Value value, bool isPlain) {
  Type f64 = b.getF64Type(), i64 = b.getI64Type();
  auto toDouble = [&](Value number, bool isPositive) -> Value {
    return isPositive ? arith::UIToFPOp::create(b, f64, number).getResult()
                      : arith::SIToFPOp::create(b, f64, number).getResult();
  };
  if (value.getType().getIntOrFloatBitWidth() <= 53)
    return toDouble(value, isPlain);
  // Two halves are exact, and so is what their sum loses.
  Value half = arith::ConstantIntOp::create(b, i64, 32);
  Value mask = arith::ConstantIntOp::create(b, i64, 0xffffffff);
  Value high = isPlain ? arith::ShRUIOp::create(b, value, half).getResult()
                       : arith::ShRSIOp::create(b, value, half).getResult();
  Value low = toDouble(arith::AndIOp::create(b, value, mask), /*isPositive=*/true);
  Value scale = arith::ConstantOp::create(b, b.getF64FloatAttr(std::ldexp(1.0, 32)));
  high = arith::MulFOp::create(b, toDouble(high, isPlain), scale);
  Value sum = arith::AddFOp::create(b, high, low);
  Value lost = arith::SubFOp::create(b, low, arith::SubFOp::create(b, sum, high));
  Value zero = arith::ConstantOp::create(b, b.getF64FloatAttr(0.0));
  Value one = arith::ConstantIntOp::create(b, i64, 1),
        none = arith::ConstantIntOp::create(b, i64, 0),
        back = arith::ConstantIntOp::create(b, i64, -1);
  Value bits = arith::BitcastOp::create(b, i64, sum);
  Value isEven = compare(b, arith::CmpIPredicate::eq, arith::AndIOp::create(b, bits, one), none);
  Value isInexact = compare(b, arith::CmpFPredicate::ONE, lost, zero);
  Value isOutwards =
      compare(b, arith::CmpFPredicate::OGT, arith::MulFOp::create(b, lost, sum), zero);
  Value step = select(b, arith::AndIOp::create(b, isEven, isInexact),
                      select(b, isOutwards, one, back), none);
  return arith::BitcastOp::create(b, f64, arith::AddIOp::create(b, bits, step));
}

/// Rounds once, also where the compute type of the result is wider.
static Value emitIntegerToFloat(ImplicitLocOpBuilder &b, Value value, Type from, Type to) {
  Type type = getComputeElement(to);
  // What is exact as f32 is rounded when it is stored.
  static constexpr unsigned kExactBits = 24;
  if (to != type && value.getType().getIntOrFloatBitWidth() > kExactBits)
    return truncateToOdd(b, convertToOddDouble(b, value, isUnsigned(from)));
  return isUnsigned(from) ? arith::UIToFPOp::create(b, type, value).getResult()
                          : arith::SIToFPOp::create(b, type, value).getResult();
}

static Value emitFloatToFloat(ImplicitLocOpBuilder &b, Value value, Type to) {
  Type from = value.getType(), type = getComputeElement(to);
  if (from == type)
    return value;
  if (from.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(b, type, value);
  return to == type ? arith::TruncFOp::create(b, type, value).getResult() : truncateToOdd(b, value);
}

Value lowering::emitCast(ImplicitLocOpBuilder &b, Value value, Type from, Type to, RoundMode mode) {
  Type type = getComputeElement(to);
  bool fromFloat = isa<FloatType>(from), toFloat = isa<FloatType>(to);
  if (to.isInteger(1) && !from.isInteger(1)) {
    Value zero = emitConstant(b, from, 0);
    return fromFloat ? compare(b, arith::CmpFPredicate::UNE, value, zero)
                     : compare(b, arith::CmpIPredicate::ne, value, zero);
  }
  if (fromFloat)
    return toFloat ? emitFloatToFloat(b, value, to) : emitFloatToInteger(b, value, from, to, mode);
  if (toFloat)
    return emitIntegerToFloat(b, value, from, to);
  unsigned fromWidth = value.getType().getIntOrFloatBitWidth(),
           toWidth = type.getIntOrFloatBitWidth();
  if (fromWidth == toWidth)
    return value;
  if (fromWidth > toWidth)
    return arith::TruncIOp::create(b, type, value);
  return isUnsigned(from) ? arith::ExtUIOp::create(b, type, value).getResult()
                          : arith::ExtSIOp::create(b, type, value).getResult();
}

//===- Storage ------------------------------------------------------------------------===//

Value lowering::loadElement(ImplicitLocOpBuilder &b, Value stored, Type element) {
  Type type = getComputeElement(element);
  if (stored.getType() == type)
    return stored;
  if (isa<FloatType>(type))
    return arith::ExtFOp::create(b, type, stored);
  return arith::TruncIOp::create(b, type, stored);
}

Value lowering::storeElement(ImplicitLocOpBuilder &b, Value computed, Type element) {
  Type type = getStorageElement(element);
  if (computed.getType() == type)
    return computed;
  if (isa<FloatType>(type))
    return arith::TruncFOp::create(b, type, computed);
  return isUnsigned(element) ? arith::ExtUIOp::create(b, type, computed).getResult()
                             : arith::ExtSIOp::create(b, type, computed).getResult();
}

Value lowering::scalarToCompute(ImplicitLocOpBuilder &b, Value scalar, Type element) {
  Type type = getComputeElement(element);
  if (scalar.getType() == type)
    return scalar;
  if (scalar.getType().isIndex())
    return arith::IndexCastOp::create(b, type, scalar);
  return arith::ExtFOp::create(b, type, scalar);
}

Value lowering::computeToScalar(ImplicitLocOpBuilder &b, Value computed, Type element) {
  Type type = getScalarType(element);
  if (computed.getType() == type)
    return computed;
  if (type.isIndex())
    return arith::IndexCastOp::create(b, type, computed);
  return arith::TruncFOp::create(b, type, computed);
}

//===- One shape -----------------------------------------------------------------------===//

Value lowering::emitElementwise(ImplicitLocOpBuilder &b, ValueRange operands, RankedTensorType type,
                                Type element, function_ref<Value(ValueRange)> body) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), operands.front());
  Value init = tensor::EmptyOp::create(b, sizes, type.getElementType());
  SmallVector<AffineMap> maps(operands.size() + 1, b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  auto build = [&](OpBuilder &nested, Location loc, ValueRange arguments) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(nested.getInsertionBlock(), nested.getInsertionPoint());
    SmallVector<Value> elements;
    for (Value argument : arguments.drop_back())
      elements.push_back(loadElement(b, argument, element));
    linalg::YieldOp::create(b, storeElement(b, body(elements), element));
  };
  Value result =
      linalg::GenericOp::create(b, init.getType(), operands, init, maps, iterators, build)
          .getResult(0);
  return result.getType() == type ? result : tensor::CastOp::create(b, type, result);
}
