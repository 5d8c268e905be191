// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpBuilding.h"

#include "llvm/ADT/Twine.h"
#include <cmath>
#include <limits>
#include <numbers>

using namespace pypto::lazy;

//===- Helpers --------------------------------------------------------------------------===//

static llvm::Expected<Tensor> makeUnary(const Tensor &tensor, llvm::StringRef name, OpKind op,
                                        bool needsFloat, Place place) {
  DType dtype = tensor.getDType();
  if (needsFloat && !isFloat(dtype))
    return makeError(name, "expects floats, but got " + stringifyDType(dtype), place);
  if (dtype == DType::Bool)
    return makeError(name, "expects numbers, but got bool", place);
  return Tensor(unary(op, tensor.getNode()));
}

/// Both operands with one type and shape.
static llvm::Expected<std::pair<NodeRef, NodeRef>> unite(llvm::StringRef name, const Operand &a,
                                                         const Operand &b, Place place) {
  NodeRef x = a.getNode(b.getDType()), y = b.getNode(a.getDType());
  DType dtype = promote(x->dtype, y->dtype);
  for (const Operand *operand : {&a, &b})
    if (!operand->fits(dtype))
      return makeError(name,
                       "expects a number that " + stringifyDType(dtype) + " holds, but got " +
                           operand->format(),
                       place);
  llvm::Expected<Shape> shape = broadcastShapes(name, x->shape, y->shape, place);
  if (!shape)
    return shape.takeError();
  return std::pair(broadcastTo(castTo(x, dtype), *shape), broadcastTo(castTo(y, dtype), *shape));
}

namespace {
/// What elements an operation takes.
enum class Domain { Any, Numbers, Integers };
} // namespace

static llvm::Expected<Tensor> makeBinary(llvm::StringRef name, OpKind op, Domain domain,
                                         const Operand &a, const Operand &b, Place place) {
  auto united = unite(name, a, b, place);
  if (!united)
    return united.takeError();
  DType dtype = united->first->dtype;
  if (domain == Domain::Numbers && dtype == DType::Bool)
    return makeError(name, "expects numbers, but got bool", place);
  if (domain == Domain::Integers && isFloat(dtype))
    return makeError(name, "expects integers, but got " + stringifyDType(dtype), place);
  return Tensor(binary(op, united->first, united->second));
}

//===- Comparisons --------------------------------------------------------------------------===//

/// `x op number`, or `number op x`, of integers; exact, whatever the number.
static Tensor compareIntegers(OpKind op, const Tensor &x, const Operand &number, bool isLeft) {
  DType dtype = x.getDType();
  double value = *number.getNumber();
  std::optional<WholeNumber> whole = number.isWhole() ? number.getWhole() : findWhole(value);
  auto compare = [&](OpKind op, NodeRef constant) {
    constant = broadcastTo(constant, x.getNode()->shape);
    return Tensor(isLeft ? binary(op, constant, x.getNode()) : binary(op, x.getNode(), constant));
  };
  auto decide = [&](bool result) { return Tensor::full(Shape(x.getShape()), result, DType::Bool); };
  if (whole && fitsIn(*whole, dtype))
    return compare(op, makeIntegerConstant(*whole, dtype));
  if (op == OpKind::Equal || op == OpKind::NotEqual || std::isnan(value))
    return decide(op == OpKind::NotEqual);
  if (value > getGreatest(dtype).getDouble() || value >= 0x1p64 || (whole && !whole->isNegative))
    return decide(!isLeft);
  if (value < getLeast(dtype).getDouble())
    return decide(isLeft);
  // A fraction: x < 1.5 is x <= 1, and 1.5 <= x is 1 < x.
  return compare(isLeft ? OpKind::Less : OpKind::LessEqual,
                 makeIntegerConstant(*findWhole(std::floor(value)), dtype));
}

static llvm::Expected<Tensor> makeCompare(llvm::StringRef name, OpKind op, const Operand &a,
                                          const Operand &b, Place place) {
  auto isInteger = [](const Operand &operand) {
    std::optional<DType> dtype = operand.getDType();
    return dtype && *dtype != DType::Bool && !isFloat(*dtype);
  };
  if (isInteger(a) && b.getNumber())
    return compareIntegers(op, Tensor(a.getNode(std::nullopt)), b, /*isLeft=*/false);
  if (isInteger(b) && a.getNumber())
    return compareIntegers(op, Tensor(b.getNode(std::nullopt)), a, /*isLeft=*/true);
  return makeBinary(name, op, Domain::Any, a, b, place);
}

//===- One operand --------------------------------------------------------------------------===//

#define UNARY(TRY, NAME, OP, NEEDS_FLOAT)                                                          \
  llvm::Expected<Tensor> Tensor::try##TRY(Place place) const {                                     \
    return makeUnary(*this, NAME, OP, NEEDS_FLOAT, place);                                         \
  }
UNARY(Neg, "neg", OpKind::Neg, false)
UNARY(Abs, "abs", OpKind::Abs, false)
UNARY(Sqrt, "sqrt", OpKind::Sqrt, true)
UNARY(Rsqrt, "rsqrt", OpKind::Rsqrt, true)
UNARY(Cbrt, "cbrt", OpKind::Cbrt, true)
UNARY(Exp, "exp", OpKind::Exp, true)
UNARY(Exp2, "exp2", OpKind::Exp2, true)
UNARY(Log, "log", OpKind::Log, true)
UNARY(Log2, "log2", OpKind::Log2, true)
UNARY(Log10, "log10", OpKind::Log10, true)
UNARY(Sin, "sin", OpKind::Sin, true)
UNARY(Cos, "cos", OpKind::Cos, true)
UNARY(Tan, "tan", OpKind::Tan, true)
UNARY(Asin, "asin", OpKind::Asin, true)
UNARY(Acos, "acos", OpKind::Acos, true)
UNARY(Atan, "atan", OpKind::Atan, true)
UNARY(Sinh, "sinh", OpKind::Sinh, true)
UNARY(Cosh, "cosh", OpKind::Cosh, true)
UNARY(Tanh, "tanh", OpKind::Tanh, true)
UNARY(Asinh, "asinh", OpKind::Asinh, true)
UNARY(Acosh, "acosh", OpKind::Acosh, true)
UNARY(Atanh, "atanh", OpKind::Atanh, true)
UNARY(Erf, "erf", OpKind::Erf, true)
UNARY(Erfc, "erfc", OpKind::Erfc, true)
UNARY(Floor, "floor", OpKind::Floor, true)
UNARY(Ceil, "ceil", OpKind::Ceil, true)
UNARY(Round, "round", OpKind::Round, true)
UNARY(Trunc, "trunc", OpKind::Trunc, true)
#undef UNARY

llvm::Expected<Tensor> Tensor::trySquare(Place place) const {
  return attempt("square", place, [&] { return mul(*this); });
}

llvm::Expected<Tensor> Tensor::trySign(Place place) const {
  if (getDType() == DType::Bool)
    return makeError("sign", "expects numbers, but got bool", place);
  // A NaN stays.
  Tensor signs = less(0).where(Tensor(makeIntegerConstant(-1, getDType())),
                               equal(0).where(*this, Tensor(makeIntegerConstant(1, getDType()))));
  return isFloat(getDType()) ? notEqual(*this).where(*this, signs) : signs;
}

llvm::Expected<Tensor> Tensor::tryLogicalNot(Place place) const {
  if (getDType() != DType::Bool)
    return makeError("logicalNot", "expects bools, but got " + stringifyDType(getDType()), place);
  return Tensor(unary(OpKind::Not, getNode()));
}

llvm::Expected<Tensor> Tensor::tryBitwiseNot(Place place) const {
  if (isFloat(getDType()))
    return makeError("bitwiseNot", "expects integers, but got " + stringifyDType(getDType()),
                     place);
  return Tensor(unary(OpKind::Not, getNode()));
}

llvm::Expected<Tensor> Tensor::tryCast(DType dtype, Place) const {
  return Tensor(castTo(getNode(), dtype));
}

llvm::Expected<Tensor> Tensor::tryBitcast(DType dtype, Place place) const {
  bool isSame = lazy::getSize(dtype) == lazy::getSize(getDType());
  if (!isSame || dtype == DType::Bool || getDType() == DType::Bool)
    return makeError("bitcast",
                     "expects element types of one size, but got " + stringifyDType(getDType()) +
                         " and " + stringifyDType(dtype),
                     place);
  if (dtype == getDType())
    return separate(*this);
  return Tensor(makeNode(OpKind::Bitcast, dtype, getNode()->shape, getNode()));
}

//===- Two operands -------------------------------------------------------------------------===//

#define BINARY(TRY, NAME, OP, DOMAIN)                                                              \
  llvm::Expected<Tensor> Tensor::try##TRY(const Operand &other) const {                            \
    return makeBinary(NAME, OP, DOMAIN, *this, other, other.getPlace());                           \
  }
BINARY(Add, "add", OpKind::Add, Domain::Numbers)
BINARY(Sub, "sub", OpKind::Sub, Domain::Numbers)
BINARY(Mul, "mul", OpKind::Mul, Domain::Numbers)
BINARY(Div, "div", OpKind::Div, Domain::Numbers)
BINARY(Rem, "rem", OpKind::Rem, Domain::Numbers)
BINARY(Maximum, "maximum", OpKind::Max, Domain::Any)
BINARY(Minimum, "minimum", OpKind::Min, Domain::Any)
BINARY(BitwiseAnd, "bitwiseAnd", OpKind::And, Domain::Integers)
BINARY(BitwiseOr, "bitwiseOr", OpKind::Or, Domain::Integers)
BINARY(BitwiseXor, "bitwiseXor", OpKind::Xor, Domain::Integers)
#undef BINARY

#define COMPARISON(TRY, NAME, OP, A, B)                                                            \
  llvm::Expected<Tensor> Tensor::try##TRY(const Operand &other) const {                            \
    return makeCompare(NAME, OP, A, B, other.getPlace());                                          \
  }
COMPARISON(Less, "less", OpKind::Less, *this, other)
COMPARISON(LessEqual, "lessEqual", OpKind::LessEqual, *this, other)
COMPARISON(Greater, "greater", OpKind::Less, other, *this)
COMPARISON(GreaterEqual, "greaterEqual", OpKind::LessEqual, other, *this)
COMPARISON(Equal, "equal", OpKind::Equal, *this, other)
COMPARISON(NotEqual, "notEqual", OpKind::NotEqual, *this, other)
#undef COMPARISON

/// How far to shift: so far that nothing is left, if the number is no position of a bit.
static Operand getShift(const Tensor &tensor, const Operand &amount) {
  std::optional<WholeNumber> whole = amount.getWhole();
  unsigned bits =
      tensor.getDType() == DType::Bool ? 64 : pypto::lazy::getSize(tensor.getDType()) * 8;
  bool isInside = !whole || (!whole->isNegative && whole->bits < bits);
  return isInside ? amount : Operand(bits, amount.getPlace());
}

llvm::Expected<Tensor> Tensor::tryShiftLeft(const Operand &other) const {
  return makeBinary("shiftLeft", OpKind::Shl, Domain::Integers, *this, getShift(*this, other),
                    other.getPlace());
}
llvm::Expected<Tensor> Tensor::tryShiftRight(const Operand &other) const {
  return makeBinary("shiftRight", OpKind::Shr, Domain::Integers, *this, getShift(*this, other),
                    other.getPlace());
}

llvm::Expected<Tensor> Tensor::tryAtan2(const Operand &other) const {
  return attempt("atan2", other.getPlace(), [&] {
    expectFloats(*this);
    return unwrap(
        makeBinary("atan2", OpKind::Atan2, Domain::Numbers, *this, other, other.getPlace()));
  });
}

/// Both operands of a composed operation with one type and shape.
static std::pair<Tensor, Tensor> uniteTensors(const Operand &a, const Operand &b) {
  auto [x, y] = unwrap(unite("", a, b, b.getPlace()));
  return {Tensor(x), Tensor(y)};
}

/// An operation of two operands that is made of others. `build` gets them with one type and shape,
/// narrow floats as wide ones.
static llvm::Expected<Tensor>
composeBinary(llvm::StringRef name, const Operand &a, const Operand &b, bool needsFloat,
              llvm::function_ref<Tensor(const Tensor &, const Tensor &)> build) {
  Place place = b.getPlace();
  auto united = unite(name, a, b, place);
  if (!united)
    return united.takeError();
  DType dtype = united->first->dtype;
  return computeWide(name, dtype, place, [&](DType wide) {
    Tensor x(united->first), y(united->second);
    if (needsFloat)
      expectFloats(Tensor(a.getNode(std::nullopt)));
    expectNumbers(x);
    // A number is not rounded to a narrow type.
    if (b.getNumber() && wide != dtype)
      y = Tensor(makeConstant(*b.getNumber(), wide)).expand(Shape(x.getShape()));
    return build(x.cast(wide), y.cast(wide));
  });
}

llvm::Expected<Tensor> Tensor::tryHypot(const Operand &other) const {
  return composeBinary("hypot", *this, other, true, [](const Tensor &x, const Tensor &y) {
    // The greater one is taken out: its square might not be finite.
    Tensor a = x.abs().maximum(y.abs()), b = x.abs().minimum(y.abs());
    Tensor ratio = a.equal(0).where(0, b / a);
    Tensor result = a * (ratio * ratio + 1).sqrt();
    // That of an infinity is one, even if the other number is not known.
    return x.isInf().logicalOr(y.isInf()).where(std::numeric_limits<double>::infinity(), result);
  });
}

// log(e^x + e^y) without overflow; of two equal infinities it is that.
llvm::Expected<Tensor> Tensor::tryLogAddExp(const Operand &other) const {
  return composeBinary("logAddExp", *this, other, true, [](const Tensor &x, const Tensor &y) {
    Tensor result = x.maximum(y) + (-(x - y).abs()).exp().log1p();
    return x.equal(y).where(x + std::numbers::ln2, result);
  });
}

llvm::Expected<Tensor> Tensor::trySquaredDifference(const Operand &other) const {
  return composeBinary("squaredDifference", *this, other, false,
                       [](const Tensor &x, const Tensor &y) { return (x - y).square(); });
}

/// Whether the remainder has to have the other sign, that of the divisor.
static Tensor isAcrossZero(const Tensor &rest, const Tensor &y) {
  return rest.notEqual(0).logicalAnd(rest.less(0).notEqual(y.less(0)));
}

// The remainder has the sign of the divisor, and the quotient goes with it.
llvm::Expected<Tensor> Tensor::tryFloorMod(const Operand &other) const {
  return composeBinary("floorMod", *this, other, false, [](const Tensor &x, const Tensor &y) {
    Tensor rest = x % y;
    if (isUnsigned(rest.getDType()))
      return rest;
    Tensor result = isAcrossZero(rest, y).where(rest + y, rest);
    if (!isFloat(rest.getDType()))
      return result;
    return rest.equal(0).where(y.less(0).where(-0.0, 0.0), result);
  });
}

/// The whole number that, times the divisor, goes with the remainder: the quotient itself may be
/// rounded up to the next one.
static Tensor divideFloats(const Tensor &x, const Tensor &y) {
  Tensor rest = x % y, quotient = x / y;
  Tensor nearly = (x - rest) / y - isAcrossZero(rest, y).cast(x.getDType());
  Tensor below = nearly.floor();
  Tensor whole = (nearly - below).greater(0.5).where(below + 1, below);
  // Zero with its sign.
  whole = nearly.equal(0).where(quotient * 0, whole);
  return y.equal(0).where(quotient, whole);
}

llvm::Expected<Tensor> Tensor::tryFloorDiv(const Operand &other) const {
  return composeBinary("floorDiv", *this, other, false, [](const Tensor &x, const Tensor &y) {
    if (isFloat(x.getDType()))
      return divideFloats(x, y);
    Tensor quotient = x / y;
    if (isUnsigned(quotient.getDType()))
      return quotient;
    return quotient - isAcrossZero(x % y, y).cast(quotient.getDType());
  });
}

#define LOGICAL(TRY, NAME, OP)                                                                     \
  llvm::Expected<Tensor> Tensor::try##TRY(const Operand &other) const {                            \
    return attempt(NAME, other.getPlace(), [&] {                                                   \
      expectBools(*this);                                                                          \
      auto [x, y] = uniteTensors(*this, other);                                                    \
      expectBools(y);                                                                              \
      return Tensor(binary(OP, x.getNode(), y.getNode()));                                         \
    });                                                                                            \
  }
LOGICAL(LogicalAnd, "logicalAnd", OpKind::And)
LOGICAL(LogicalOr, "logicalOr", OpKind::Or)
LOGICAL(LogicalXor, "logicalXor", OpKind::Xor)
#undef LOGICAL

/// x to the power of a whole number that is known: few multiplications.
static Tensor multiplyOut(const Tensor &x, uint64_t exponent) {
  Tensor square = x;
  std::optional<Tensor> power;
  while (true) {
    if (exponent & 1)
      power = power ? *power * square : square;
    exponent >>= 1;
    if (exponent == 0)
      return power ? *power : Tensor::ones(Shape(x.getShape()), x.getDType());
    square = square * square;
  }
}

/// 1 / x^n in whole numbers: nothing is left but of 1 and -1.
static Tensor invertPower(const Tensor &x, const Tensor &isOdd) {
  Tensor ofMinusOne = isOdd.where(Tensor(makeIntegerConstant(-1, x.getDType())), 1);
  if (isUnsigned(x.getDType()))
    return x.equal(1).where(x, 0);
  return x.equal(1).where(x, x.equal(-1).where(ofMinusOne, 0));
}

/// Integers to the power of integers; wraps.
static Tensor powIntegers(const Tensor &x, const Tensor &exponents, unsigned bits) {
  Tensor power = Tensor::ones(Shape(x.getShape()), x.getDType()), square = x;
  for (unsigned bit = 0; bit < bits; ++bit) {
    if (bit > 0)
      square = square * square;
    Tensor isSet = exponents.shiftRight(bit).bitwiseAnd(1).notEqual(0);
    power = isSet.where(power * square, power);
  }
  if (isUnsigned(exponents.getDType()))
    return power;
  Tensor isOdd = exponents.bitwiseAnd(1).notEqual(0);
  return exponents.less(0).where(invertPower(x, isOdd), power);
}

static Tensor powKnown(const Tensor &x, WholeNumber exponent) {
  if (!exponent.isNegative)
    return multiplyOut(x, exponent.bits);
  return invertPower(x, Tensor::full(Shape(x.getShape()), exponent.bits & 1, DType::Bool));
}

llvm::Expected<Tensor> Tensor::tryPow(const Operand &other) const {
  Place place = other.getPlace();
  DType dtype = getDType();
  if (isFloat(dtype)) {
    // Next to them the function takes many times as long.
    std::optional<double> exponent = other.getNumber();
    if (exponent == 1 || exponent == 2 || exponent == 3 || exponent == 4)
      return computeWide("pow", *this, place,
                         [&](const Tensor &x) { return multiplyOut(x, uint64_t(*exponent)); });
    return makeBinary("pow", OpKind::Pow, Domain::Numbers, *this, other, place);
  }
  DType exponents = other.getNode(dtype)->dtype;
  if (isFloat(exponents))
    return makeBinary("pow", OpKind::Pow, Domain::Numbers, *this, other, place);
  if (std::optional<WholeNumber> exponent = other.getWhole())
    return attempt("pow", place, [&] {
      return powKnown(dtype == DType::Bool ? cast(DType::I64) : *this, *exponent);
    });
  if (dtype == DType::Bool && exponents == DType::Bool)
    return makeError("pow", "expects numbers, but got bool", place);
  return attempt("pow", place, [&] {
    auto [x, y] = uniteTensors(*this, other);
    unsigned bits = lazy::getSize(exponents) * 8 - !isUnsigned(exponents);
    return powIntegers(x, y, bits);
  });
}

llvm::Expected<Tensor> Tensor::tryWhere(const Operand &then, const Operand &otherwise) const {
  Place place = then.getPlace();
  if (getDType() != DType::Bool)
    return makeError("where", "expects bools to choose by, but got " + stringifyDType(getDType()),
                     place);
  auto united = unite("where", then, otherwise, place);
  if (!united)
    return united.takeError();
  llvm::Expected<Shape> shape = broadcastShapes("where", getShape(), united->first->shape, place);
  if (!shape)
    return shape.takeError();
  return Tensor(makeNode(OpKind::Where, united->first->dtype, *shape,
                         {broadcastTo(getNode(), *shape), broadcastTo(united->first, *shape),
                          broadcastTo(united->second, *shape)}));
}

llvm::Expected<Tensor> Tensor::tryMaskedFill(const Tensor &mask, const Operand &value) const {
  return attempt("maskedFill", value.getPlace(), [&] {
    expectBools(mask);
    Tensor filler(value.getNodeOf(getDType()));
    Tensor result = mask.where(filler, *this);
    if (result.getShape() != getShape())
      fail("expects a mask that broadcasts to " + lazy::formatShape(getShape()) + ", but got " +
           lazy::formatShape(mask.getShape()));
    return result;
  });
}

/// A bound of elements of `dtype`; a number outside of them is the last one of them: they all are
/// on the same side of both.
static Operand cutBound(const Operand &bound, DType dtype) {
  std::optional<double> number = bound.getNumber();
  if (!number || bound.fits(dtype) || dtype == DType::Bool)
    return bound;
  if (isFloat(dtype))
    return Operand(std::copysign(getGreatestFinite(dtype), *number), bound.getPlace());
  if (!bound.isWhole())
    return bound;
  WholeNumber last = *number < 0 ? getLeast(dtype) : getGreatest(dtype);
  return last.isNegative ? Operand(static_cast<int64_t>(last.bits), bound.getPlace())
                         : Operand(last.bits, bound.getPlace());
}

llvm::Expected<Tensor> Tensor::tryClamp(const Operand &low, const Operand &high) const {
  return attempt("clamp", low.getPlace(), [&] {
    DType dtype = getDType();
    for (const Operand *bound : {&low, &high})
      dtype = promote(dtype, bound->getDType().value_or(dtype));
    return maximum(cutBound(low, dtype)).minimum(cutBound(high, dtype));
  });
}

llvm::Expected<Tensor> Tensor::tryLerp(const Operand &end, const Operand &weight) const {
  DType dtype = getDType();
  for (const Operand *operand : {&end, &weight})
    if (std::optional<DType> other = operand->getDType())
      dtype = promote(dtype, *other);
    else if (!operand->fits(dtype))
      dtype = promote(dtype, operand->getNode(dtype)->dtype);
  return computeWide("lerp", dtype, end.getPlace(), [&](DType wide) {
    expectFloats(*this);
    Tensor x = cast(wide), y(end.getNodeOf(wide)), part(weight.getNodeOf(wide));
    return x + (y - x) * part;
  });
}

namespace pypto::lazy {
#define OPERATOR(SYMBOL, NAME, OP)                                                                 \
  Tensor operator SYMBOL(const Operand &a, const Operand &b) {                                     \
    return unwrap(makeBinary(NAME, OP, Domain::Numbers, a, b, b.getPlace()));                      \
  }
OPERATOR(+, "add", OpKind::Add)
OPERATOR(-, "sub", OpKind::Sub)
OPERATOR(*, "mul", OpKind::Mul)
OPERATOR(/, "div", OpKind::Div)
OPERATOR(%, "rem", OpKind::Rem)
#undef OPERATOR
#define OPERATOR(SYMBOL, NAME, OP, A, B)                                                           \
  Tensor operator SYMBOL(const Operand &a, const Operand &b) {                                     \
    return unwrap(makeCompare(NAME, OP, A, B, b.getPlace()));                                      \
  }
OPERATOR(<, "less", OpKind::Less, a, b)
OPERATOR(<=, "lessEqual", OpKind::LessEqual, a, b)
OPERATOR(>, "greater", OpKind::Less, b, a)
OPERATOR(>=, "greaterEqual", OpKind::LessEqual, b, a)
#undef OPERATOR
} // namespace pypto::lazy
