// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From one element type to another.
#include "Elements.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace pypto;
using namespace pypto::interpreter;

/// To a whole number; of two neighbours `Odd` takes the odd one.
static double roundToWhole(double value, pl::RoundMode mode) {
  switch (mode) {
  case pl::RoundMode::Rint:
    return std::nearbyint(value);
  case pl::RoundMode::Round:
    return std::round(value);
  case pl::RoundMode::Floor:
    return std::floor(value);
  case pl::RoundMode::Ceil:
    return std::ceil(value);
  case pl::RoundMode::None:
  case pl::RoundMode::Trunc:
    return std::trunc(value);
  case pl::RoundMode::Odd: {
    double below = std::floor(value);
    return std::fmod(below, 2) == 0 ? std::ceil(value) : below;
  }
  }
  llvm_unreachable("unknown mode");
}

static Number floatToInteger(double value, const Format &to, pl::RoundMode mode) {
  double whole = roundToWhole(value, mode);
  if (std::isnan(whole))
    return to.makeInteger(0);
  // Past the greatest value by one: a power of two, which a double is exactly.
  double end = std::ldexp(1.0, static_cast<int>(to.getWidth()) - (to.isUnsigned() ? 0 : 1));
  if (whole >= end)
    return to.getLimit(/*isGreatest=*/true);
  if (whole < (to.isUnsigned() ? 0.0 : -end))
    return to.getLimit(/*isGreatest=*/false);
  return to.makeInteger(to.isUnsigned() ? static_cast<uint64_t>(whole)
                                        : static_cast<uint64_t>(static_cast<int64_t>(whole)));
}

static Number integerToFloat(const Number &number, const Format &from, const Format &to) {
  Number result;
  if (to.isDouble()) {
    result.real = from.isUnsigned() ? static_cast<double>(number.integer)
                                    : static_cast<double>(number.getSigned());
  } else if (to.getWidth() == 32) {
    result.real = from.isUnsigned() ? static_cast<float>(number.integer)
                                    : static_cast<float>(number.getSigned());
  } else {
    // In single precision, as all that is narrower is computed; so that it is rounded once when it
    // is stored, towards zero and with the last bit set where something is lost.
    llvm::APFloat single(llvm::APFloat::IEEEsingle());
    auto status = single.convertFromAPInt(llvm::APInt(64, number.integer), !from.isUnsigned(),
                                          llvm::APFloat::rmTowardZero);
    uint32_t bits = single.bitcastToAPInt().getZExtValue();
    result.real = llvm::bit_cast<float>(bits | (status & llvm::APFloat::opInexact ? 1U : 0U));
  }
  return result;
}

Number interpreter::convert(const Number &number, const Format &from, const Format &to,
                            pl::RoundMode mode) {
  Number result;
  if (to.isBool() && !from.isBool())
    result = to.makeInteger(from.isFloat() ? number.real != 0 : number.integer != 0);
  else if (from.isFloat() && to.isFloat())
    // To something narrower than single precision it is rounded once, when it is stored.
    result.real = to.getWidth() == 32 ? static_cast<float>(number.real) : number.real;
  else if (from.isFloat())
    result = floatToInteger(number.real, to, mode);
  else if (to.isFloat())
    result = integerToFloat(number, from, to);
  else
    result = to.makeInteger(number.integer);
  result.state = number.state;
  return result;
}

Number interpreter::convertShift(const Number &amount, const Format &from, const Format &to) {
  uint64_t bits = amount.integer & llvm::maxUIntN(from.getWidth());
  // A negative amount counts as an unsigned one; one that is extended is extended by its sign.
  if (from.getWidth() > to.getWidth())
    bits = std::min<uint64_t>(bits, to.getWidth());
  Number result =
      from.getWidth() > to.getWidth() ? to.makeInteger(bits) : convert(amount, from, to);
  result.state = amount.state;
  return result;
}
