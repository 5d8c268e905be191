// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_EXECUTIONENGINE_GRAPHDESCRIPTION_H
#define PYPTO_LIB_EXECUTIONENGINE_GRAPHDESCRIPTION_H

#include "pypto/ExecutionEngine/KernelCost.h"
#include "pypto/ExecutionEngine/PlanReport.h"

namespace pypto::execution {

/// What there is to say about a host function and its kernels.
struct GraphDescription {
  struct Call {
    std::string location;
    std::vector<PlanReport::Use> uses;
    std::vector<PlanReport::Edge> edges;
    KernelCost cost;
  };
  std::string name;
  std::vector<Call> calls;
  std::vector<PlanReport::Buffer> buffers;
  int64_t arenaBytes = 0, intermediateBytes = 0;
};

/// Of a host that GraphProgram can run.
GraphDescription describeGraph(mlir::func::FuncOp host);

} // namespace pypto::execution

#endif
