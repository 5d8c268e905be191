// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass: every function is lowered beside the original; only when all of them are does the
// original go.
#include "pypto/Conversion/PyptoToLinalg/Passes.h"

#include "BoundsChecks.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::lowering;

namespace pypto {
#define GEN_PASS_DEF_CONVERTPYPTOTOLINALG
#include "pypto/Conversion/PyptoToLinalg/Passes.h.inc"
} // namespace pypto

static LoweringTable buildTable() {
  LoweringTable table;
  addScopeLowerings(table);
  addCallLowerings(table);
  addStorageLowerings(table);
  addTileMemoryLowerings(table);
  addElementwiseLowerings(table);
  addArrayLowerings(table);
  addReductionLowerings(table);
  addMatmulLowerings(table);
  addShapeLowerings(table);
  addIndexingLowerings(table);
  addSortLowerings(table);
  addSyncLowerings(table);
  return table;
}

static bool isOurs(Dialect &dialect) {
  return isa<pl::PLDialect, tile::TileDialect, orchestration::OrchestrationDialect>(dialect);
}

/// Other functions and modules are not lowered here, so nothing of ours may stand in them.
static LogicalResult checkForeign(Operation *foreign) {
  WalkResult result = foreign->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto isOurType = [](Type type) { return isOurs(type.getDialect()); };
    bool hasType = llvm::any_of(op->getResultTypes(), isOurType);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        hasType |= llvm::any_of(block.getArgumentTypes(), isOurType);
    if (!hasType && (!op->getDialect() || !isOurs(*op->getDialect())))
      return WalkResult::advance();
    op->emitOpError("is not supported on the CPU here: expects tensors, tiles and what computes on "
                    "them in a 'pl.func' of the outermost module");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct ConvertPyptoToLinalgPass : pypto::impl::ConvertPyptoToLinalgBase<ConvertPyptoToLinalgPass> {
  using ConvertPyptoToLinalgBase::ConvertPyptoToLinalgBase;

  ArrayRef<IRProperty> getRequiredProperties() const override {
    static constexpr IRProperty required[] = {IRProperty::InlineFunctionsEliminated,
                                              IRProperty::SSAForm};
    return required;
  }

  void runOnModule() override {
    ModuleOp module = getOperation();
    for (Operation &op : module.getOps())
      if (!isa<pl::FuncOp>(op) && failed(checkForeign(&op)))
        return signalPassFailure();
    ProgramInfo info(module);
    LoweringTable table = buildTable();
    CheckTable checks;
    Lowering lowering(module, info, table, checkBounds ? &checks : nullptr);
    SmallVector<pl::FuncOp> functions(module.getOps<pl::FuncOp>());
    for (pl::FuncOp func : functions) {
      if (succeeded(lowering.lowerFunction(func)))
        continue;
      for (func::FuncOp lowered : lowering.functions)
        lowered.erase();
      return signalPassFailure();
    }
    addHostSyncs(lowering.functions);
    for (pl::FuncOp func : functions)
      func.erase();
  }
};
} // namespace
