// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers, how they stand in memory, and arithmetic on them.
#ifndef PYPTO_LIB_INTERPRETER_ELEMENTS_H
#define PYPTO_LIB_INTERPRETER_ELEMENTS_H

#include "pypto/Dialect/PL/IR/PL.h"

#include "mlir/IR/BuiltinTypes.h"
#include <cstdint>
#include <optional>

namespace pypto::interpreter {

/// Whether something has given a value to a number.
enum class State : uint8_t {
  /// Nothing has.
  Unset = 0,
  Set = 1,
  /// It was computed from what nothing has given a value, and that has been reported.
  Tainted = 2,
};

/// Of what is computed from two numbers.
inline State join(State lhs, State rhs) {
  if (lhs == State::Unset || rhs == State::Unset)
    return State::Unset;
  return lhs == State::Set ? rhs : lhs;
}

/// A scalar, or an element in the course of a computation.
struct Number {
  /// Of a float type.
  double real = 0;
  /// Of an integer type: extended to 64 bits by the sign that its format gives it.
  uint64_t integer = 0;
  State state = State::Set;

  int64_t getSigned() const { return static_cast<int64_t>(integer); }
};

/// What the bits of an element or scalar mean.
class Format {
public:
  /// True if elements of this type can stand in memory.
  static bool isElement(mlir::Type type);
  /// True if numbers of this type can be computed with.
  static bool isScalar(mlir::Type type);
  explicit Format(mlir::Type type);

  bool isFloat() const { return semantics != nullptr; }
  /// Orders as an unsigned number; `i1` does.
  bool isUnsigned() const { return !isSigned; }
  /// Floats that are computed in double precision; the other ones are in single precision.
  bool isDouble() const { return width == 64; }
  bool isBool() const { return !isFloat() && width == 1; }
  unsigned getWidth() const { return width; }
  /// Bytes of an element.
  unsigned getSize() const { return size; }

  Number decode(const char *memory) const;
  /// Rounds a float once, to nearest and ties to even.
  void encode(const Number &number, char *memory) const;

  Number makeInteger(uint64_t bits) const;
  Number makeReal(double value) const;
  /// The bits as they stand in memory.
  uint64_t getBits(const Number &number) const;
  Number fromBits(uint64_t bits) const;
  /// The number that is left after it was an element of this type.
  Number round(const Number &number) const;
  /// A number of a scalar as an element: the same bits.
  Number reinterpret(const Number &scalar) const;
  /// The greatest or least value; infinity where the type has one.
  Number getLimit(bool isGreatest) const;
  Number getZero() const { return isFloat() ? makeReal(0) : makeInteger(0); }

private:
  const llvm::fltSemantics *semantics = nullptr;
  unsigned width = 0, size = 0;
  bool isSigned = false;
};

enum class Binary { Add, Sub, Mul, Div, Fmod, Maximum, Minimum, And, Or, Xor, Shl, Shr };
enum class Unary { Exp, Log, Sqrt, Rsqrt, Recip, Sin, Cos, Neg, Abs, Relu, Not };

/// On two numbers of one format. The result is not rounded to a narrow float yet.
Number compute(Binary kind, const Format &format, const Number &lhs, const Number &rhs);
Number compute(Unary kind, const Format &format, const Number &number);
bool compare(pl::CmpKind kind, const Format &format, const Number &lhs, const Number &rhs);
/// `lhs` comes before `rhs` when the greatest is first: a NaN is greater than any number.
bool isGreater(const Format &format, const Number &lhs, const Number &rhs);
/// Conversion of an element; floats that become integers round as `mode` says.
Number convert(const Number &number, const Format &from, const Format &to,
               pl::RoundMode mode = pl::RoundMode::None);
/// What changes no number when it is combined with it: of sums, products, maxima and minima.
Number getNeutral(Binary kind, const Format &format);
/// A number of bits to shift an element of `to` by: too many stay too many.
Number convertShift(const Number &amount, const Format &from, const Format &to);

} // namespace pypto::interpreter

#endif
