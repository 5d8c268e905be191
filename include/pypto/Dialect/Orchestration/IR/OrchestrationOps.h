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

} // namespace pypto::orchestration

#define GET_OP_CLASSES
#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h.inc"

#endif
