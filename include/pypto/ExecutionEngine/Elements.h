// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the elements of an array mean under an MLIR type.
#ifndef PYPTO_EXECUTIONENGINE_ELEMENTS_H
#define PYPTO_EXECUTIONENGINE_ELEMENTS_H

#include "pypto/ExecutionEngine/Array.h"

#include "mlir/IR/Types.h"

namespace pypto::execution {

/// The dtype that holds elements of `type` in a file and in memory: `bf16` travels as uint16 and
/// the 8-bit floats as uint8, both being raw bits; `i4` as int8, `ui4` as uint8, `index` as int64,
/// `i1` as bool. Nothing for types that have no array.
std::optional<DType> getDType(mlir::Type type);

/// Checks what was read from a file, and brings it into the form that compiled code expects: a bool
/// is 0 or 1, a 4-bit integer in range and with its upper bits clear.
llvm::Error importElements(mlir::Type type, Array &array);
/// The reverse for what compiled code wrote: signs of 4-bit integers are extended.
void exportElements(mlir::Type type, Array &array);

/// Reads a literal such as `2.5`, `-inf`, `nan`, `17`, `0x11`, `true`. The error says what is wrong
/// with it.
llvm::Expected<Array> parseScalar(mlir::Type type, llvm::StringRef literal);

/// Fills `array` from `seed`: floats in [-1, 1), signed integers in [-8, 8), unsigned ones in [0,
/// 16), `index` in [0, 4), both values of `i1`. The same seed gives the same elements everywhere.
void fillRandom(mlir::Type type, Array &array, uint64_t seed);

/// Value of an element as a double, and as text.
double getElementAsDouble(mlir::Type type, const char *element);
std::string formatElement(mlir::Type type, const char *element);

/// One line: dtype, shape, a checksum, the first elements; of a scalar its value.
std::string summarize(mlir::Type type, const Array &array);

struct Tolerance {
  double relative = 1e-5;
  double absolute = 1e-6;
};

/// How far an array is from another.
struct Comparison {
  int64_t numDifferent = 0;
  /// Row-major number of the first element that differs; -1 if none does.
  int64_t firstDifferent = -1;
  /// That element as text.
  std::string firstActual, firstExpected;
  double maxAbsoluteError = 0;
  double maxRelativeError = 0;
};

/// Compares floats by |actual - expected| <= absolute + relative * |expected|, a NaN being equal to
/// a NaN; every other type exactly. `expected` has the same shape and the dtype of `type`, or for a
/// float type any float dtype. Elements for which `isDefined` is false are not looked at.
llvm::Expected<Comparison> compare(mlir::Type type, const Array &actual, const Array &expected,
                                   Tolerance tolerance,
                                   llvm::function_ref<bool(int64_t)> isDefined);

} // namespace pypto::execution

#endif
