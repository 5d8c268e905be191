// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/InitAll.h"

#include "pypto/Conversion/ChecksToRuntime/Passes.h"
#include "pypto/Conversion/Float8ToRuntime/Passes.h"
#include "pypto/Conversion/KernelToEmitC/Passes.h"
#include "pypto/Conversion/OrchestrationToRuntime/Passes.h"
#include "pypto/Conversion/PyptoToLinalg/Passes.h"
#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"
#include "pypto/Dialect/PL/IR/PLOps.h"
#include "pypto/Dialect/PL/Transforms/Passes.h"
#include "pypto/Dialect/Tile/IR/TileOps.h"
#include "pypto/Loops/Passes.h"
#include "pypto/Pipelines/Pipelines.h"
#include "pypto/Rangeify/Passes.h"
#include "pypto/Transforms/Passes.h"

void pypto::registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<pl::PLDialect, tile::TileDialect, orchestration::OrchestrationDialect>();
}

void pypto::registerAllPasses() {
  pl::registerPLPasses();
  registerChecksToRuntimePasses();
  registerFloat8ToRuntimePasses();
  registerKernelToEmitCPasses();
  registerOrchestrationToRuntimePasses();
  registerPyptoToLinalgPasses();
  registerTransformsPasses();
  registerLoopsPasses();
  rangeify::registerRangeifyPasses();
  registerPipelines();
}
