// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elements.h"

#include "pypto/ExecutionEngine/Elements.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace pypto;
using namespace pypto::interpreter;

//===- Formats --------------------------------------------------------------===//

bool Format::isElement(Type type) { return execution::getDType(type).has_value(); }

bool Format::isScalar(Type type) {
  return isa<IndexType>(type) ||
         (isa<IntegerType, FloatType>(type) && type.getIntOrFloatBitWidth() <= 64 &&
          type.getIntOrFloatBitWidth() != 0);
}

Format::Format(Type type) {
  std::optional<execution::DType> dtype = execution::getDType(type);
  size = dtype ? dtype->size : 0;
  if (auto number = dyn_cast<FloatType>(type)) {
    semantics = &number.getFloatSemantics();
    width = number.getWidth();
    return;
  }
  width = isa<IndexType>(type) ? 64 : type.getIntOrFloatBitWidth();
  isSigned = width != 1 && !type.isUnsignedInteger();
}

Number Format::makeInteger(uint64_t bits) const {
  Number number;
  number.integer = isSigned ? static_cast<uint64_t>(llvm::SignExtend64(bits, width))
                            : bits & llvm::maxUIntN(width);
  return number;
}

Number Format::makeReal(double value) const {
  Number number;
  number.real = isDouble() ? value : static_cast<float>(value);
  return number;
}

/// The bits of `value` in a format other than the two of the host.
static uint64_t narrow(double value, const llvm::fltSemantics &semantics) {
  if (std::isnan(value))
    return llvm::APFloat::getNaN(semantics).bitcastToAPInt().getZExtValue();
  llvm::APFloat number(value);
  bool losesInfo;
  number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return number.bitcastToAPInt().getZExtValue();
}

static double widen(uint64_t bits, const llvm::fltSemantics &semantics) {
  llvm::APFloat number(semantics, llvm::APInt(llvm::APFloat::getSizeInBits(semantics), bits));
  if (number.isNaN())
    return std::numeric_limits<double>::quiet_NaN();
  bool losesInfo;
  number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

uint64_t Format::getBits(const Number &number) const {
  if (!isFloat())
    return number.integer & llvm::maxUIntN(width);
  if (width == 64)
    return llvm::bit_cast<uint64_t>(number.real);
  if (width == 32)
    return llvm::bit_cast<uint32_t>(static_cast<float>(number.real));
  return narrow(number.real, *semantics);
}

Number Format::fromBits(uint64_t bits) const {
  if (!isFloat())
    return makeInteger(bits);
  if (width == 64)
    return makeReal(llvm::bit_cast<double>(bits));
  if (width == 32)
    return makeReal(llvm::bit_cast<float>(static_cast<uint32_t>(bits)));
  return makeReal(widen(bits, *semantics));
}

Number Format::decode(const char *memory) const {
  uint64_t bits = 0;
  std::memcpy(&bits, memory, size);
  return fromBits(bits);
}

void Format::encode(const Number &number, char *memory) const {
  uint64_t bits = getBits(number);
  std::memcpy(memory, &bits, size);
}

Number Format::round(const Number &number) const {
  Number rounded = isFloat() && width >= 32 ? makeReal(number.real) : fromBits(getBits(number));
  rounded.state = number.state;
  return rounded;
}

Number Format::reinterpret(const Number &scalar) const {
  if (isFloat())
    return scalar;
  Number element = makeInteger(scalar.integer);
  element.state = scalar.state;
  return element;
}

Number Format::getLimit(bool isGreatest) const {
  if (isFloat()) {
    if (llvm::APFloat::semanticsHasInf(*semantics))
      return makeReal(isGreatest ? HUGE_VAL : -HUGE_VAL);
    uint64_t bits = llvm::APFloat::getLargest(*semantics, /*Negative=*/!isGreatest)
                        .bitcastToAPInt()
                        .getZExtValue();
    return fromBits(bits);
  }
  if (!isSigned)
    return makeInteger(isGreatest ? llvm::maxUIntN(width) : 0);
  return makeInteger(isGreatest ? llvm::maxIntN(width) : llvm::minIntN(width));
}

//===- Arithmetic -----------------------------------------------------------===//

static Number divide(const Format &format, const Number &lhs, const Number &rhs, bool isRemainder) {
  if (rhs.integer == 0)
    return format.makeInteger(0);
  if (format.isUnsigned())
    return format.makeInteger(isRemainder ? lhs.integer % rhs.integer : lhs.integer / rhs.integer);
  if (rhs.getSigned() == -1)
    return format.makeInteger(isRemainder ? 0 : -lhs.integer);
  int64_t left = lhs.getSigned(), right = rhs.getSigned();
  return format.makeInteger(isRemainder ? left % right : left / right);
}

static Number shift(Binary kind, const Format &format, const Number &lhs, const Number &rhs) {
  uint64_t amount = rhs.integer & llvm::maxUIntN(format.getWidth());
  bool isInside = amount < format.getWidth();
  if (kind == Binary::Shl)
    return format.makeInteger(isInside ? lhs.integer << amount : 0);
  if (format.isUnsigned())
    return format.makeInteger(isInside ? lhs.integer >> amount : 0);
  return format.makeInteger(lhs.getSigned() >> (isInside ? amount : format.getWidth() - 1));
}

static Number computeInteger(Binary kind, const Format &format, const Number &lhs,
                             const Number &rhs) {
  auto isLess = [&] {
    return format.isUnsigned() ? lhs.integer < rhs.integer : lhs.getSigned() < rhs.getSigned();
  };
  switch (kind) {
  case Binary::Add:
    return format.makeInteger(lhs.integer + rhs.integer);
  case Binary::Sub:
    return format.makeInteger(lhs.integer - rhs.integer);
  case Binary::Mul:
    return format.makeInteger(lhs.integer * rhs.integer);
  case Binary::Div:
  case Binary::Fmod:
    return divide(format, lhs, rhs, kind == Binary::Fmod);
  case Binary::Maximum:
    return isLess() ? rhs : lhs;
  case Binary::Minimum:
    return isLess() ? lhs : rhs;
  case Binary::And:
    return format.makeInteger(lhs.integer & rhs.integer);
  case Binary::Or:
    return format.makeInteger(lhs.integer | rhs.integer);
  case Binary::Xor:
    return format.makeInteger(lhs.integer ^ rhs.integer);
  case Binary::Shl:
  case Binary::Shr:
    return shift(kind, format, lhs, rhs);
  }
  llvm_unreachable("unknown kind");
}

/// The greater one; a NaN if one is, and of two zeros the positive one.
template <typename T> static T greater(T lhs, T rhs) {
  if (std::isnan(lhs) || std::isnan(rhs))
    return std::numeric_limits<T>::quiet_NaN();
  if (lhs == rhs)
    return std::signbit(lhs) ? rhs : lhs;
  return lhs > rhs ? lhs : rhs;
}

template <typename T> static T computeReal(Binary kind, T lhs, T rhs) {
  switch (kind) {
  case Binary::Add:
    return lhs + rhs;
  case Binary::Sub:
    return lhs - rhs;
  case Binary::Mul:
    return lhs * rhs;
  case Binary::Div:
    return lhs / rhs;
  case Binary::Fmod:
    return std::fmod(lhs, rhs);
  case Binary::Maximum:
    return greater(lhs, rhs);
  case Binary::Minimum:
    return -greater(-lhs, -rhs);
  default:
    // Bitwise operations verify that their elements are integers.
    return T(0);
  }
}

Number interpreter::compute(Binary kind, const Format &format, const Number &lhs,
                            const Number &rhs) {
  Number result;
  if (!format.isFloat())
    result = computeInteger(kind, format, lhs, rhs);
  else if (format.isDouble())
    result.real = computeReal<double>(kind, lhs.real, rhs.real);
  else
    result.real =
        computeReal<float>(kind, static_cast<float>(lhs.real), static_cast<float>(rhs.real));
  result.state = join(lhs.state, rhs.state);
  return result;
}

static Number computeInteger(Unary kind, const Format &format, const Number &number) {
  bool isNegative = !format.isUnsigned() && number.getSigned() < 0;
  switch (kind) {
  case Unary::Neg:
    return format.makeInteger(-number.integer);
  case Unary::Not:
    return format.makeInteger(~number.integer);
  case Unary::Abs:
    return isNegative ? format.makeInteger(-number.integer) : number;
  case Unary::Relu:
    return isNegative ? format.makeInteger(0) : number;
  default:
    // The other operations verify that their elements are floats.
    return number;
  }
}

template <typename T> static T computeReal(Unary kind, T value) {
  switch (kind) {
  case Unary::Exp:
    return std::exp(value);
  case Unary::Log:
    return std::log(value);
  case Unary::Sqrt:
    return std::sqrt(value);
  case Unary::Rsqrt:
    return T(1) / std::sqrt(value);
  case Unary::Recip:
    return T(1) / value;
  case Unary::Sin:
    return std::sin(value);
  case Unary::Cos:
    return std::cos(value);
  case Unary::Neg:
    return -value;
  case Unary::Abs:
    return std::fabs(value);
  case Unary::Relu:
    return greater(value, T(0));
  case Unary::Not:
    break;
  }
  return value;
}

Number interpreter::compute(Unary kind, const Format &format, const Number &number) {
  Number result;
  if (!format.isFloat())
    result = computeInteger(kind, format, number);
  else if (format.isDouble())
    result.real = computeReal<double>(kind, number.real);
  else
    result.real = computeReal<float>(kind, static_cast<float>(number.real));
  result.state = number.state;
  return result;
}

/// Of two numbers, or of two integers.
template <typename T> static bool compareAs(pl::CmpKind kind, T lhs, T rhs) {
  switch (kind) {
  case pl::CmpKind::EQ:
    return lhs == rhs;
  case pl::CmpKind::NE:
    return lhs != rhs;
  case pl::CmpKind::LT:
    return lhs < rhs;
  case pl::CmpKind::LE:
    return lhs <= rhs;
  case pl::CmpKind::GT:
    return lhs > rhs;
  case pl::CmpKind::GE:
    return lhs >= rhs;
  }
  llvm_unreachable("unknown comparison");
}

bool interpreter::compare(pl::CmpKind kind, const Format &format, const Number &lhs,
                          const Number &rhs) {
  if (format.isFloat())
    return compareAs(kind, lhs.real, rhs.real);
  return format.isUnsigned() ? compareAs(kind, lhs.integer, rhs.integer)
                             : compareAs(kind, lhs.getSigned(), rhs.getSigned());
}

bool interpreter::isGreater(const Format &format, const Number &lhs, const Number &rhs) {
  if (format.isFloat() && std::isnan(lhs.real))
    return !std::isnan(rhs.real);
  return compare(pl::CmpKind::GT, format, lhs, rhs);
}

Number interpreter::getNeutral(Binary kind, const Format &format) {
  switch (kind) {
  case Binary::Add:
    return format.isFloat() ? format.makeReal(-0.0) : format.makeInteger(0);
  case Binary::Mul:
    return format.isFloat() ? format.makeReal(1) : format.makeInteger(1);
  default:
    return format.getLimit(/*isGreatest=*/kind == Binary::Minimum);
  }
}
