// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_ORCHESTRATION_IR_ORCHESTRATIONOPS_H
#define PYPTO_DIALECT_ORCHESTRATION_IR_ORCHESTRATIONOPS_H

#include "pypto/Dialect/PL/IR/PLOps.h"

#include "pypto/Dialect/Orchestration/IR/OrchestrationDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "pypto/Dialect/Orchestration/IR/OrchestrationTypes.h.inc"

namespace pypto::orchestration {

/// Effects on the set of submitted tasks.
struct TaskResource : mlir::SideEffects::Resource::Base<TaskResource> {
  llvm::StringRef getName() final { return "orchestration.task"; }
};

/// What a task, or the host, does to a memref: the numbers are those of the run time
/// (PyptoAccessMode).
enum class AccessMode : int32_t {
  Read = 1,
  Write = 2,
  /// Reads and writes.
  Update = 3,
  /// Updates by atomic additions: two of these keep the order of the program in a manual scope,
  /// too.
  Accumulate = 7
};

/// Marks the lowered functions that make tasks instead of being one: what they free, a task may
/// still use.
inline constexpr llvm::StringLiteral kHostAttrName = "orchestration.host";

} // namespace pypto::orchestration

#define GET_OP_CLASSES
#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h.inc"

#endif
