// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `orchestration` dialect: registration.
#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"
#include "pypto/Dialect/Orchestration/IR/Windows.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::orchestration;

#include "pypto/Dialect/Orchestration/IR/OrchestrationDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "pypto/Dialect/Orchestration/IR/OrchestrationTypes.cpp.inc"

void OrchestrationDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "pypto/Dialect/Orchestration/IR/OrchestrationTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.cpp.inc"
      >();
}

void OrchestrationDialect::getCanonicalizationPatterns(RewritePatternSet &patterns) const {
  populateEmptyWindowPatterns(patterns);
}
