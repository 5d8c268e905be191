// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Dialect/PL/Transforms/Passes.h"
#include "pypto/InitAll.h"
#include "pypto/Properties/PropertyInstrumentation.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace pypto;

namespace {
using Strings = std::vector<std::string>;

/// Adds a variable to each function: a foreign pass that breaks SSAForm.
struct AddVariable : PassWrapper<AddVariable, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AddVariable)
  StringRef getArgument() const override { return "add-variable"; }
  void runOnOperation() override {
    for (auto func : getOperation().getOps<pl::FuncOp>()) {
      OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
      auto type = pl::VarType::get(&getContext(), builder.getIndexType());
      pl::VarOp::create(builder, func.getLoc(), type, "n", Value());
    }
  }
};

/// The same on functions.
struct AddVariableInFunc : PassWrapper<AddVariableInFunc, OperationPass<pl::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AddVariableInFunc)
  StringRef getArgument() const override { return "add-variable-in-func"; }
  void runOnOperation() override {
    OpBuilder builder = OpBuilder::atBlockBegin(&getOperation().getBody().front());
    auto type = pl::VarType::get(&getContext(), builder.getIndexType());
    pl::VarOp::create(builder, getOperation().getLoc(), type, "n", Value());
  }
};

/// A pass of the project that adds a variable, with the properties that a test gives it.
struct OwnPass : PassBase {
  explicit OwnPass(bool &ran, ArrayRef<IRProperty> invalidated = {}, bool breaks = false)
      : PassBase(TypeID::get<OwnPass>()), ran(ran), invalidated(invalidated), breaks(breaks) {}
  StringRef getName() const override { return "OwnPass"; }
  StringRef getArgument() const override { return "own"; }
  std::unique_ptr<Pass> clonePass() const override {
    return std::make_unique<OwnPass>(ran, invalidated, breaks);
  }
  ArrayRef<IRProperty> getInvalidatedProperties() const override { return invalidated; }
  void runOnModule() override {
    ran = true;
    if (!breaks)
      return;
    for (auto func : getOperation().getOps<pl::FuncOp>()) {
      OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
      auto type = pl::VarType::get(&getContext(), builder.getIndexType());
      pl::VarOp::create(builder, func.getLoc(), type, "n", Value());
    }
  }
  bool &ran;
  SmallVector<IRProperty> invalidated;
  bool breaks;
};

struct PropertiesTest : testing::Test {
  PropertiesTest()
      : handler(&context, [this](Diagnostic &diagnostic) { errors.push_back(diagnostic.str()); }) {
    DialectRegistry registry;
    registry.insert<scf::SCFDialect>();
    pypto::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }
  OwningOpRef<ModuleOp> parse(StringRef text) {
    return parseSourceString<ModuleOp>(text, ParserConfig(&context, /*verifyAfterParse=*/false));
  }
  MLIRContext context;
  Strings errors;
  ScopedDiagnosticHandler handler;
};

TEST_F(PropertiesTest, InlineFunctionsEliminated) {
  OwningOpRef<ModuleOp> module = parse(R"(
    pl.func inline @f() { pl.return }
    pl.func @g() { pl.call @f() : () -> () %t = orchestration.submit @f() : () -> !orchestration.task pl.return }
    pl.func @h() { pl.call @missing() : () -> () pl.return })");
  EXPECT_TRUE(failed(verifyProperty(IRProperty::InlineFunctionsEliminated, *module)));
  std::string prefix = "property 'InlineFunctionsEliminated' does not hold: ";
  EXPECT_EQ(errors,
            (Strings{prefix + "function 'f' is inline", prefix + "call of inline function 'f'",
                     prefix + "submit of inline function 'f'",
                     prefix + "dangling call to function 'missing'"}));
}

TEST_F(PropertiesTest, SSAForm) {
  OwningOpRef<ModuleOp> module = parse(R"(
    pl.func inline @f(%n: !pl.var<index>) { pl.return }
    pl.func @g(%c: i1, %k: index) { scf.if %c { %n = pl.var "n" : index pl.set %n, %k : index } pl.return }
    module { pl.func @h() { %n = pl.var "n" : index pl.return } })");
  EXPECT_TRUE(failed(verifyProperty(IRProperty::SSAForm, *module)));
  std::string prefix = "property 'SSAForm' does not hold: ";
  EXPECT_EQ(errors, (Strings{prefix + "parameter 0 of function 'f' is a cell",
                             prefix + "variable 'n' is a cell"}));
}

// A pass that runs on functions is named instead of the adaptor that runs it.
TEST_F(PropertiesTest, ForeignPassOnFunctions) {
  OwningOpRef<ModuleOp> module = parse("pl.func @f() { pl.return }");
  PassManager pm(&context);
  auto record = std::make_shared<PropertyRecord>();
  addPropertyInstrumentation(pm, record);
  pm.addPass(pl::createConvertToSSA());
  pm.addNestedPass<pl::FuncOp>(std::make_unique<AddVariableInFunc>());
  EXPECT_TRUE(succeeded(pm.run(*module)));
  EXPECT_TRUE(record->violated);
  EXPECT_EQ(errors,
            (Strings{"property 'SSAForm' does not hold any more after 'add-variable-in-func': "
                     "variable 'n' is a cell"}));
}

// The next pass of the project does not run; a foreign one in between does not repeat the error.
TEST_F(PropertiesTest, NextOwnPassFails) {
  OwningOpRef<ModuleOp> module = parse("pl.func @f() { pl.return }");
  PassManager pm(&context);
  addPropertyInstrumentation(pm, std::make_shared<PropertyRecord>());
  bool ran = false;
  pm.addPass(pl::createConvertToSSA());
  pm.addPass(std::make_unique<AddVariable>());
  pm.addPass(std::make_unique<AddVariable>());
  pm.addPass(std::make_unique<OwnPass>(ran));
  EXPECT_TRUE(failed(pm.run(*module)));
  EXPECT_FALSE(ran);
  EXPECT_EQ(errors.size(), 1u);
}

// Before a pass of the project established a property nobody looks at it.
TEST_F(PropertiesTest, NothingEstablished) {
  OwningOpRef<ModuleOp> module = parse("pl.func @f() { pl.return }");
  PassManager pm(&context);
  auto record = std::make_shared<PropertyRecord>();
  addPropertyInstrumentation(pm, record);
  bool ran = false;
  pm.addPass(std::make_unique<OwnPass>(ran));
  pm.addPass(std::make_unique<AddVariable>());
  EXPECT_TRUE(succeeded(pm.run(*module)));
  EXPECT_TRUE(ran);
  EXPECT_FALSE(record->violated);
  EXPECT_EQ(errors, Strings());
}

TEST_F(PropertiesTest, OwnPassHasToPreserve) {
  OwningOpRef<ModuleOp> module = parse("pl.func @f() { pl.return }");
  PassManager pm(&context);
  addPropertyInstrumentation(pm, std::make_shared<PropertyRecord>());
  bool ran = false;
  pm.addPass(pl::createConvertToSSA());
  pm.addPass(std::make_unique<OwnPass>(ran, ArrayRef<IRProperty>(), /*breaks=*/true));
  EXPECT_TRUE(failed(pm.run(*module)));
  EXPECT_EQ(
      errors,
      (Strings{
          "property 'SSAForm' to be preserved by --own does not hold: variable 'n' is a cell"}));
}

TEST_F(PropertiesTest, OwnPassMayInvalidate) {
  OwningOpRef<ModuleOp> module = parse("pl.func @f() { pl.return }");
  PassManager pm(&context);
  auto record = std::make_shared<PropertyRecord>();
  addPropertyInstrumentation(pm, record);
  bool ran = false;
  pm.addPass(pl::createConvertToSSA());
  pm.addPass(std::make_unique<OwnPass>(ran, IRProperty::SSAForm, /*breaks=*/true));
  pm.addPass(std::make_unique<AddVariable>());
  EXPECT_TRUE(succeeded(pm.run(*module)));
  EXPECT_FALSE(record->violated);
}

TEST_F(PropertiesTest, VerificationOff) {
  OwningOpRef<ModuleOp> module =
      parse("pl.func @f(%x: !pl.tensor<[4], f32>) { pl.at core_group { } pl.return }");
  PassManager pm(&context);
  pm.addPass(pl::createNormalizeReturnOrder());
  EXPECT_TRUE(failed(pm.run(*module)));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_TRUE(StringRef(errors[0]).starts_with(
      "property 'SplitIncoreOrch' required by --normalize-return-order"));
  setPropertyVerification(false);
  EXPECT_TRUE(succeeded(pm.run(*module)));
  setPropertyVerification(true);
  EXPECT_EQ(errors.size(), 1u);
}
} // namespace
