// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_RANGEIFY_HOSTLOOPS_H
#define PYPTO_LIB_RANGEIFY_HOSTLOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace pypto::rangeify {

/// The call that is the body of a loop as `--outline-loops` leaves it; null for other loops.
mlir::func::CallOp getOutlinedBody(mlir::scf::ForOp loop);

/// What a loop on the host reads, in the order of its parameters: what it begins with, other
/// tensors, bounds and step, other scalars.
struct LoopInputs {
  llvm::SmallVector<mlir::Value> tensors, scalars;
};
LoopInputs getLoopInputs(mlir::scf::ForOp loop);

/// A private function that runs `loop` on buffers: results, then its inputs. Each iteration
/// launches `body`, the host function of the loop's body, which reads what the one before it wrote.
mlir::func::FuncOp createHostLoop(mlir::scf::ForOp loop, mlir::func::FuncOp body);

} // namespace pypto::rangeify

#endif
