// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_INITALL_H
#define PYPTO_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace pypto {

/// Registers the dialects of the project and the interfaces that they attach to foreign operations.
void registerAllDialects(mlir::DialectRegistry &registry);
/// Registers the passes and pipelines of the project. Nothing is registered in static constructors.
void registerAllPasses();

} // namespace pypto

#endif
