// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Phases.h"

#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"
#include "pypto/ExecutionEngine/Renderer.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;

llvm::Expected<Phase> pypto::execution::findPhase(StringRef name) {
  static constexpr llvm::StringLiteral names[] = {"graph",    "rangeify", "split",
                                                  "schedule", "optimize", "codegen"};
  const auto *found = llvm::find(names, name);
  if (found != std::end(names))
    return static_cast<Phase>(found - std::begin(names));
  return makeError("expects a phase of " + llvm::join(ArrayRef(names), ", ") + ", but got '" +
                   name + "'");
}

/// The passes from the graph to the end of a phase, as text.
static std::string getPasses(Phase last, bool naive) {
  std::string passes;
  if (naive)
    return last >= Phase::Split ? "pypto-naive-graph-pipeline" : "";
  if (last >= Phase::Rangeify)
    passes = "rangeify";
  if (last >= Phase::Split)
    passes += ",split-kernels";
  if (last >= Phase::Schedule)
    passes += ",schedule-kernels";
  return passes;
}

/// The host of a loop, which has no code.
static bool launchesKernels(func::FuncOp function) {
  return function.walk([](orchestration::LaunchOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

llvm::Expected<bool> pypto::execution::printPhase(Program &program, Phase last,
                                                  const KernelOptions &options,
                                                  llvm::raw_ostream &os) {
  if (std::string passes = getPasses(last, options.naive); !passes.empty()) {
    llvm::Expected<bool> isDone = runPasses(program, passes, "--stop-after");
    if (!isDone || !*isDone)
      return isDone;
  }
  if (last < Phase::Optimize) {
    program.module->print(os);
    os << '\n';
    return true;
  }
  bool isFirst = true;
  for (auto kernel : program.module->getOps<func::FuncOp>()) {
    if (kernel.isPublic() || kernel.isExternal() || launchesKernels(kernel))
      continue;
    llvm::Expected<std::string> text = last == Phase::Optimize
                                           ? printOptimizedKernel(kernel, options)
                                           : renderKernel(kernel, options);
    if (!text)
      return text.takeError();
    os << (isFirst ? "" : "\n// -----\n\n") << *text;
    isFirst = false;
  }
  return true;
}
