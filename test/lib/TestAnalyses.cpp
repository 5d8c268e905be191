// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that show what the analyses say, and that check one property. In pypto-opt when tests are
// built.
#include "TestPasses.h"

#include "pypto/Analysis/ReturnLineage.h"
#include "pypto/Analysis/StorageRoots.h"
#include "pypto/Properties/Properties.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace pypto;

namespace {
/// Prints where each result of each function comes from.
struct TestReturnLineage : PassWrapper<TestReturnLineage, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestReturnLineage)
  StringRef getArgument() const override { return "test-return-lineage"; }
  StringRef getDescription() const override { return "Print the lineage of returned values"; }

  void runOnOperation() override {
    ReturnLineage lineage(getOperation());
    for (auto func : getOperation().getOps<pl::FuncOp>()) {
      llvm::outs() << "@" << func.getSymName() << ":";
      for (const ReturnSource &source : lineage.getSources(func)) {
        if (source.parameter)
          llvm::outs() << " " << *source.parameter << (source.keepsValidShape ? "" : "*");
        else
          llvm::outs() << " none";
      }
      llvm::outs() << "; explicit:";
      for (std::optional<unsigned> parameter : getExplicitReturnedParams(func))
        llvm::outs() << " " << (parameter ? std::to_string(*parameter) : "none");
      llvm::outs() << "\n";
    }
  }
};

/// Prints the roots of each value that has the attribute `test.name`, and which of them do not
/// alias.
struct TestStorageRoots : PassWrapper<TestStorageRoots, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestStorageRoots)
  StringRef getArgument() const override { return "test-storage-roots"; }
  StringRef getDescription() const override { return "Print storage roots and aliases"; }

  static std::string getName(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return "arg" + std::to_string(argument.getArgNumber());
    Operation *op = value.getDefiningOp();
    auto name = op->getAttrOfType<StringAttr>("test.name");
    std::string text = name ? name.str() : op->getName().getStringRef().str();
    return op->getNumResults() == 1
               ? text
               : text + "#" + std::to_string(cast<OpResult>(value).getResultNumber());
  }

  void runOnFunction(pl::FuncOp func, StorageRoots &roots) {
    SmallVector<Value> values;
    if (!func.isExternal())
      for (BlockArgument argument : func.getArguments())
        if (isa<pl::TensorType>(argument.getType()))
          values.push_back(argument);
    func.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op->hasAttr("test.name"))
        for (Value result : op->getResults())
          if (isa<pl::TensorType>(result.getType()))
            values.push_back(result);
    });
    llvm::outs() << "@" << func.getSymName() << "\n";
    AliasAnalysis aliases(func);
    aliases.addAnalysisImplementation(StorageAliasAnalysis(roots));
    for (auto [index, value] : llvm::enumerate(values)) {
      llvm::outs() << "  " << getName(value) << ":";
      for (StorageRoot root : roots.getStorageRoots(value))
        llvm::outs() << " "
                     << (root.isUnknown() ? "unknown"
                                          : getName(root.getValue()) +
                                                (root.isSingleStorage() ? "" : " (several)"));
      llvm::outs() << "; never";
      for (Value other : values)
        if (!roots.mayAlias(value, other))
          llvm::outs() << " " << getName(other);
      for (Value other : values)
        if (aliases.alias(value, other).isNo() == roots.mayAlias(value, other))
          llvm::outs() << " (differs for " << getName(other) << ")";
      llvm::outs() << "\n";
    }
  }

  void runOnOperation() override {
    StorageRoots roots(getOperation());
    for (auto func : getOperation().getOps<pl::FuncOp>())
      runOnFunction(func, roots);
  }
};

/// Checks ReturnParamsExplicit and nothing else.
struct TestReturnParamsExplicit : PassWrapper<TestReturnParamsExplicit, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestReturnParamsExplicit)
  StringRef getArgument() const override { return "test-return-params-explicit"; }
  StringRef getDescription() const override { return "Verify ReturnParamsExplicit"; }

  void runOnOperation() override {
    if (failed(verifyProperty(IRProperty::ReturnParamsExplicit, getOperation())))
      signalPassFailure();
  }
};
} // namespace

void pypto::test::registerTestPasses() {
  PassRegistration<TestReturnLineage>();
  PassRegistration<TestReturnParamsExplicit>();
  PassRegistration<TestStorageRoots>();
}
