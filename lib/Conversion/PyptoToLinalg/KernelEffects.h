// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_CONVERSION_PYPTOTOLINALG_KERNELEFFECTS_H
#define PYPTO_LIB_CONVERSION_PYPTOTOLINALG_KERNELEFFECTS_H

#include "ProgramInfo.h"

#include "pypto/Analysis/StorageRoots.h"
#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"

namespace pypto::lowering {

/// What functions do to the tensors that they are given: what the directions of their parameters
/// say, and what their bodies do beyond that. A handle is written through whoever holds it, so a
/// direction alone is no promise.
class KernelEffects {
public:
  KernelEffects(mlir::ModuleOp module, const ProgramInfo &info) : roots(module), info(info) {}

  /// The access of a task that runs `func` to the argument for a parameter that is a tensor.
  orchestration::AccessMode getAccess(pl::FuncOp func, unsigned parameter);
  /// True if `func`, or a function that it calls, adds atomically to a tensor: the order of two
  /// such additions shows in the last bits.
  bool accumulates(pl::FuncOp func) { return getSummary(func).accumulates; }

private:
  struct Summary {
    llvm::SmallVector<bool> writes;
    bool accumulates = false;
  };
  const Summary &getSummary(pl::FuncOp func);
  void addOperation(mlir::Operation *op, Summary &summary);
  void addWrite(mlir::Value tensor, Summary &summary);

  StorageRoots roots;
  const ProgramInfo &info;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Summary>> summaries;
};

} // namespace pypto::lowering

#endif
