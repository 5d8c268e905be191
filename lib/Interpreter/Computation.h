// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What computations of whole tensors and tiles have in common.
#ifndef PYPTO_LIB_INTERPRETER_COMPUTATION_H
#define PYPTO_LIB_INTERPRETER_COMPUTATION_H

#include "Machine.h"

namespace pypto::interpreter {

/// Elements, or one number that stands for all of them.
class Operand {
public:
  /// A scalar means an element of type `scalarElement`.
  Operand(Machine &machine, mlir::Operation *op, unsigned number, mlir::Type scalarElement);

  bool isShaped() const { return reader.has_value(); }
  const View &getView() const { return reader->getView(); }
  const Format &getFormat() const { return format; }
  /// The element for an index of the result: counted from the right, and the only one of a
  /// dimension that has one.
  Number operator()(llvm::ArrayRef<int64_t> index) const {
    return isShaped() ? (*reader)(align(index)) : scalar();
  }

private:
  llvm::ArrayRef<int64_t> align(llvm::ArrayRef<int64_t> index) const;
  Number scalar() const;

  Machine &machine;
  mlir::Operation *op;
  unsigned number;
  Format format;
  std::optional<Reader> reader;
  Number value;
  mutable Sizes scratch;
};

/// Extents of the result of operands that are broadcast by NumPy's rule; what is valid in all that
/// do not give way is valid. Nulls are scalars.
llvm::FailureOr<Extents> broadcast(Machine &machine, mlir::Operation *op,
                                   llvm::ArrayRef<const View *> views);

using ElementFn = llvm::function_ref<Number(llvm::ArrayRef<int64_t>)>;

/// A new tensor or tile whose valid elements `fn` computes.
llvm::FailureOr<View> computeElements(Machine &machine, mlir::Operation *op, mlir::Type element,
                                      const Extents &extents, ElementFn fn);
/// The same as the first result of `op`.
llvm::LogicalResult defineElements(Machine &machine, mlir::Operation *op, const Extents &extents,
                                   ElementFn fn);

} // namespace pypto::interpreter

#endif
