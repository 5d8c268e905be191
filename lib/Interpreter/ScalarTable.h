// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of other dialects on scalars.
#ifndef PYPTO_LIB_INTERPRETER_SCALARTABLE_H
#define PYPTO_LIB_INTERPRETER_SCALARTABLE_H

#include "Machine.h"

namespace pypto::interpreter {

/// One operation with one result on scalars: numbers in, the number of the result out.
struct Scalars {
  mlir::Operation *op;
  llvm::ArrayRef<Number> operands;
  Format operandFormat, resultFormat;

  const Number &operator[](size_t index) const { return operands[index]; }
};

/// Computes the number; none where the operation has no meaning and the reason has been reported.
using ScalarFn = std::function<llvm::FailureOr<Number>(Machine &, const Scalars &)>;

/// An error unless all types are those of scalars.
llvm::LogicalResult checkScalars(Machine &machine, mlir::Operation *op);
/// Adds an operation. The result is rounded to its type, and is undefined if an operand is.
void addScalar(Table &table, llvm::StringRef name, ScalarFn fn);

} // namespace pypto::interpreter

#endif
