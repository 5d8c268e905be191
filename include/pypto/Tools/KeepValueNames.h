// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_TOOLS_KEEPVALUENAMES_H
#define PYPTO_TOOLS_KEEPVALUENAMES_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace pypto {

/// The names that values have in text are lost when MLIR reads it. Reads `input` once, gives each
/// value with a name that is not a number (results of operations with one result, and block
/// arguments) a `loc("name")` unless it has one, and returns the program with these locations.
/// Parts between lines of `splitMarker` are programs of their own; an empty marker means one
/// program.
///
/// A part that does not parse is returned as it is: who reads it next reports why. A name with `__`
/// that is not one that the compiler makes is an error: reported, and the result is null.
std::unique_ptr<llvm::MemoryBuffer> keepValueNames(std::unique_ptr<llvm::MemoryBuffer> input,
                                                   mlir::DialectRegistry &registry,
                                                   llvm::StringRef splitMarker,
                                                   bool allowUnregisteredDialects);

} // namespace pypto

#endif
