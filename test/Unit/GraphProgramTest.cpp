// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host functions and their kernels: what runs at the same time, what fails.
#include "pypto/ExecutionEngine/GraphProgram.h"
#include "pypto/InitAll.h"
#include "pypto/Runtime/ParallelFor.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace pypto;
using namespace pypto::execution;

namespace {
class GraphProgramTest : public testing::Test {
protected:
  GraphProgramTest() {
    mlir::DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::registerAllExtensions(registry);
    pypto::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }
  ~GraphProgramTest() override { runtime::setParallelThreads(0); }

  llvm::Expected<std::shared_ptr<const GraphProgram>> compile(llvm::StringRef text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    return GraphProgram::create(module->lookupSymbol<mlir::func::FuncOp>("main"), {});
  }
  static std::string toString(llvm::Error error) {
    return error ? llvm::toString(std::move(error)) : "";
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};
} // namespace

/// Two kernels, each of which gives its own signal and waits for that of the other.
static constexpr llvm::StringLiteral kRendezvous = R"(
func.func private @meet(%mine: memref<1xi32>, %other: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  orchestration.give_signal %one, %mine[%c0] : memref<1xi32>
  orchestration.await_signal ge %other[%c0], %one : memref<1xi32>
  return
}
func.func @main(%a: memref<1xi32>, %b: memref<1xi32>) {
  %0 = orchestration.launch @meet(write %a, read %b) : memref<1xi32>, memref<1xi32>
  %1 = orchestration.launch @meet(write %b, read %a) : memref<1xi32>, memref<1xi32>
  orchestration.await
  return
})";

TEST_F(GraphProgramTest, IndependentKernelsRunAtTheSameTime) {
  auto program = compile(kRendezvous);
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  GraphProgram::Frame frame(*program);
  int32_t signals[2];
  frame.set(0, reinterpret_cast<int64_t>(&signals[0]));
  frame.set(1, reinterpret_cast<int64_t>(&signals[1]));
  runtime::setParallelThreads(2);
  for (runtime::StaticOrder order :
       {runtime::StaticOrder::Dataflow, runtime::StaticOrder::Groups}) {
    signals[0] = signals[1] = 0;
    EXPECT_EQ(toString(frame.runTimed(order)), "");
    EXPECT_NE(frame.getTimes()[0].thread, frame.getTimes()[1].thread);
  }
  // Alone the first waits for ever: its failure is an error, and the program may run again.
  signals[0] = signals[1] = 0;
  EXPECT_EQ(toString(frame.run(runtime::StaticOrder::Sequential)),
            "-:6:3: expects a task that can change the signal waited for, but none is there");
  signals[0] = signals[1] = 0;
  EXPECT_EQ(toString(frame.run()), "");
}

// A kernel behind an `await` of the host waits for all in front of it.
TEST_F(GraphProgramTest, BarriersOfTheHost) {
  auto program = compile(R"(
func.func private @touch(%x: memref<4xf32>) {
  return
}
func.func @main(%a: memref<4xf32>, %b: memref<4xf32>) {
  %0 = orchestration.launch @touch(write %a) : memref<4xf32>
  %1 = orchestration.launch @touch(write %b) : memref<4xf32>
  orchestration.await
  %2 = orchestration.launch @touch(write %b) after(%1) : memref<4xf32>
  return
})");
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  const runtime::StaticGraph &graph = (*program)->getGraph();
  EXPECT_TRUE(graph.hasBarriers());
  EXPECT_EQ(graph.getGroup(2), 1u);
}
