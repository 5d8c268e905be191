// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Analysis/CallEffects.h"
#include "pypto/InitAll.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace pypto;

namespace {
constexpr ArgumentEffects kRead{true, false}, kWrite{false, true}, kBoth{true, true};

struct CallEffectsTest : testing::Test {
  CallEffectsTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// The effects of the first call or submit in `text`.
  SmallVector<ArgumentEffects> get(StringRef text, bool verify = true) {
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context, verify));
    Operation *call = nullptr;
    if (module)
      module->walk([&](CallOpInterface op) { call = call ? call : op.getOperation(); });
    SymbolTableCollection symbolTable;
    return call ? getCallEffects(call, symbolTable) : SmallVector<ArgumentEffects>();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(CallEffectsTest, DirectionsOfKernel) {
  EXPECT_EQ(get(R"mlir(
    pl.func private incore @k(!pl.tensor<[4], f32>, out !pl.tensor<[4], f32>, inout !pl.tensor<[4], f32>, index)
    pl.func orchestration @f(%a: !pl.tensor<[4], f32>, %i: index) {
      pl.call @k(%a, %a, %a, %i)
        : (!pl.tensor<[4], f32>, !pl.tensor<[4], f32>, !pl.tensor<[4], f32>, index) -> ()
      pl.return
    })mlir"),
            (SmallVector<ArgumentEffects>{kRead, kWrite, kBoth, kRead}));
}

// What a submit waits for and the number of its blocks are no arguments.
TEST_F(CallEffectsTest, ArgumentsOfSubmit) {
  EXPECT_EQ(get(R"mlir(
    pl.func private incore @k(out !pl.tensor<[4], f32>)
    pl.func orchestration @f(%a: !pl.tensor<[4], f32>, %i: index) {
      %t = orchestration.task_invalid
      %id = orchestration.submit @k(%a) after (%t) core_num %i
        : (!pl.tensor<[4], f32>) -> !orchestration.task
      pl.return
    })mlir"),
            (SmallVector<ArgumentEffects>{kWrite}));
}

// An inline function may bind its caller's tensor again, whatever the direction; a scalar only as
// it says.
TEST_F(CallEffectsTest, CellsOfInlineFunction) {
  EXPECT_EQ(get(R"mlir(
    pl.func private inline @k(!pl.tensor<[4], f32>, !pl.var<!pl.tensor<[4], f32>>, !pl.var<index>,
                              out !pl.var<index>, inout !pl.var<index>)
    pl.func @f(%a: !pl.tensor<[4], f32>, %i: index) {
      %t = pl.var "t" = %a : !pl.tensor<[4], f32>
      %n = pl.var "n" = %i : index
      pl.call @k(%a, %t, %n, %n, %n) : (!pl.tensor<[4], f32>, !pl.var<!pl.tensor<[4], f32>>,
        !pl.var<index>, !pl.var<index>, !pl.var<index>) -> ()
      pl.return
    })mlir"),
            (SmallVector<ArgumentEffects>{kBoth, kBoth, kRead, kWrite, kBoth}));
}

TEST_F(CallEffectsTest, UnknownCallee) {
  EXPECT_EQ(get(R"mlir(
    pl.func @f(%a: !pl.tensor<[4], f32>, %i: index) {
      pl.call @nowhere(%a, %i) : (!pl.tensor<[4], f32>, index) -> ()
      pl.return
    })mlir",
                /*verify=*/false),
            (SmallVector<ArgumentEffects>{kBoth, kRead}));
}

TEST_F(CallEffectsTest, OtherOperation) {
  module = ModuleOp::create(UnknownLoc::get(&context));
  SymbolTableCollection symbolTable;
  EXPECT_TRUE(getCallEffects(*module, symbolTable).empty());
}
} // namespace
