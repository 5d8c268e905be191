// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Interpreter/Interpreter.h"
#include "pypto/InitAll.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace pypto;

namespace {
struct InterpreterTest : testing::Test {
  InterpreterTest() {
    DialectRegistry registry;
    pypto::registerAllDialects(registry);
    registry.insert<arith::ArithDialect, scf::SCFDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  FailureOr<interpreter::Run> run(StringRef text, ArrayRef<execution::HostValue> arguments,
                                  const interpreter::Options &options = {}) {
    module = parseSourceString<ModuleOp>(text, &context);
    return interpreter::interpret(module->lookupSymbol<pl::FuncOp>("main"), arguments, options);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// `elements` as an array of f32.
execution::HostValue makeTensor(ArrayRef<float> elements) {
  auto array = std::make_shared<execution::Array>(
      cantFail(execution::Array::create({'f', 4}, static_cast<int64_t>(elements.size()))));
  std::copy(elements.begin(), elements.end(), reinterpret_cast<float *>(array->data()));
  return {array, {}};
}

std::vector<float> getElements(const execution::HostValue &value) {
  const auto *data = reinterpret_cast<const float *>(value.array->data());
  return {data, data + value.array->getNumElements()};
}

/// An operation that is added to a dialect has to be run, or to be named among those that are not.
TEST_F(InterpreterTest, EveryOperation) {
  unsigned numOperations = 0;
  std::vector<std::string> missing;
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    if (!StringRef("pl tile orchestration").contains(name.getDialectNamespace()))
      continue;
    ++numOperations;
    bool isUnsupported =
        llvm::is_contained(interpreter::getUnsupportedOperations(), name.getStringRef());
    if (interpreter::isInterpreted(name.getStringRef()) == isUnsupported)
      missing.push_back(name.getStringRef().str());
  }
  EXPECT_EQ(missing, std::vector<std::string>());
  EXPECT_GT(numOperations, 150u);
  EXPECT_EQ(interpreter::getUnsupportedOperations().size(), 19u);
}

/// Results are arrays of their own, arguments are written in place.
TEST_F(InterpreterTest, ResultsAndArguments) {
  execution::HostValue x = makeTensor({1, 2, 3}), y = makeTensor({0, 0, 0});
  FailureOr<interpreter::Run> result = run(R"(
    pl.func @main(%x: !pl.tensor<[N], f32>, inout %y: !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32> {
      %s = pl.add %x, %x : !pl.tensor<[N], f32>, !pl.tensor<[N], f32>
      %r = pl.assemble %s, %y[0] : !pl.tensor<[N], f32>, !pl.tensor<[N], f32>
      pl.return %s : !pl.tensor<[N], f32>
    })",
                                           {x, y});
  ASSERT_TRUE(succeeded(result));
  EXPECT_EQ(getElements(result->results[0].value), (std::vector<float>{2, 4, 6}));
  EXPECT_EQ(getElements(y), (std::vector<float>{2, 4, 6}));
  EXPECT_EQ(getElements(x), (std::vector<float>{1, 2, 3}));
  EXPECT_TRUE(result->results[0].undefined.empty());
}

/// Elements that nothing has written, and what is computed from them, are known to have no value.
TEST_F(InterpreterTest, UndefinedElements) {
  interpreter::Options silent;
  silent.warnUndefined = false;
  FailureOr<interpreter::Run> result = run(R"(
    pl.func @main(%x: !pl.tensor<[2], f32>) -> !pl.tensor<[3], f32> {
      %t = pl.create : !pl.tensor<[3], f32>
      %u = pl.assemble %x, %t[1] : !pl.tensor<[2], f32>, !pl.tensor<[3], f32>
      %s = pl.add %u, %u : !pl.tensor<[3], f32>, !pl.tensor<[3], f32>
      pl.return %s : !pl.tensor<[3], f32>
    })",
                                           {makeTensor({1, 2})}, silent);
  ASSERT_TRUE(succeeded(result));
  EXPECT_EQ(result->results[0].undefined, (std::vector<bool>{true, false, false}));
}

/// Endless recursion is an error long before the stack ends.
TEST_F(InterpreterTest, Recursion) {
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diag) { message = diag.str(); });
  EXPECT_TRUE(failed(run("pl.func @main() {\n  pl.call @main() : () -> ()\n  pl.return\n}", {})));
  EXPECT_NE(message.find("is inside of 20000 calls and regions"), std::string::npos) << message;
}
} // namespace
