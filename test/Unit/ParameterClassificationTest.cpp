// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Analysis/ParameterClassification.h"
#include "pypto/InitAll.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace pypto;

namespace {
using Binding = ParameterBinding;

/// `T` stands for a tensor type and `V` for the cell of one.
struct ParameterClassificationTest : testing::Test {
  ParameterClassificationTest() {
    DialectRegistry registry;
    pypto::registerAllDialects(registry);
    registry.insert<arith::ArithDialect, scf::SCFDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// The summary of the function called `name` when calls have the summaries in `known`.
  InlineSummary classify(StringRef text, StringRef name,
                         const llvm::StringMap<InlineSummary> &known = {}) {
    std::string source = "!T = !pl.tensor<[16], f32>\n!V = !pl.var<!T>\n" + text.str();
    module = parseSourceString<ModuleOp>(source, &context);
    auto func = module ? module->lookupSymbol<pl::FuncOp>(name) : pl::FuncOp();
    if (!func) {
      ADD_FAILURE() << "no function " << name.str();
      return {};
    }
    return classifyParameters(func, [&](pl::CallOp call) -> const InlineSummary * {
      auto it = known.find(call.getCallee());
      return it == known.end() ? nullptr : &it->second;
    });
  }
  Binding classifyFirst(StringRef body) {
    std::string text =
        "pl.func inline @f(%t: !V, %x: !T, %u: !V, %n: index) {\n" + body.str() + "\npl.return\n}";
    return classify(text, "f").parameters.front();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

constexpr StringLiteral loopBegin = R"(
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {)";

TEST_F(ParameterClassificationTest, ByType) {
  InlineSummary summary = classify(R"(
    pl.func inline @f(%v: index, %s: !pl.var<index>, out %o: !pl.var<index>,
                      inout %io: !pl.var<index>, %a: !pl.var<!pl.array<4 x index>>, %t: !V,
                      %id: !pl.var<!orchestration.task>) {
      pl.return
    })",
                                   "f");
  Binding expected[] = {Binding::Argument,   Binding::LocalCell,  Binding::CallerCell,
                        Binding::CallerCell, Binding::CallerCell, Binding::CallerCell,
                        Binding::LocalCell};
  EXPECT_EQ(ArrayRef(summary.parameters), ArrayRef(expected));
}

TEST_F(ParameterClassificationTest, WriteBack) {
  EXPECT_EQ(classifyFirst(R"(
    %g = pl.get %t : !T
    %w = pl.assemble %x, %g[0] : !T, !T
    pl.set %t, %w : !T)"),
            Binding::CallerCell);
}

TEST_F(ParameterClassificationTest, NewValue) {
  EXPECT_EQ(classifyFirst(R"(
    %g = pl.get %t : !T
    %w = pl.add %g, %g : !T, !T
    pl.set %t, %w : !T)"),
            Binding::LocalCell);
}

// One statement that proves nothing is enough, wherever it stands.
TEST_F(ParameterClassificationTest, OneOfManySets) {
  EXPECT_EQ(classifyFirst(R"(
    %g = pl.get %t : !T
    pl.set %t, %g : !T
    pl.set %t, %x : !T)"),
            Binding::LocalCell);
}

// Another parameter's storage is known, and another.
TEST_F(ParameterClassificationTest, OtherParameter) {
  EXPECT_EQ(classifyFirst(R"(
    %g = pl.get %u : !T
    pl.set %t, %g : !T)"),
            Binding::LocalCell);
}

TEST_F(ParameterClassificationTest, View) {
  EXPECT_EQ(classifyFirst(R"(
    %g = pl.get %t : !T
    %w = pl.slice %g[0] : !T -> !T
    pl.set %t, %w : !T)"),
            Binding::LocalCell);
}

TEST_F(ParameterClassificationTest, TileInPlace) {
  StringRef text = R"(
    !A = !tile.tile<[16, 16], f32, acc>
    pl.func inline @f(%t: !pl.var<!A>, %l: !tile.tile<[16, 16], f32, left>,
                      %r: !tile.tile<[16, 16], f32, right>, %u: !pl.var<!A>) {
      %g = pl.get %t : !A
      %m = tile.matmul_acc %g, %l, %r : !A, !tile.tile<[16, 16], f32, left>, !tile.tile<[16, 16], f32, right>
      pl.set %t, %m : !A
      %h = pl.get %u : !A
      %a = tile.add %h, %h : !A
      pl.set %u, %a : !A
      pl.return
    })";
  InlineSummary summary = classify(text, "f");
  EXPECT_EQ(summary.parameters[0], Binding::CallerCell);
  EXPECT_EQ(summary.parameters[3], Binding::LocalCell);
}

// A write-back may go around a loop: what is read is the parameter itself.
TEST_F(ParameterClassificationTest, WriteBackInLoop) {
  EXPECT_EQ(classifyFirst((loopBegin + R"(
    %g = pl.get %t : !T
    %w = pl.assemble %x, %g[0] : !T, !T
    pl.set %t, %w : !T
  })")
                              .str()),
            Binding::CallerCell);
}

// A copy may not: the cell is bound behind the statement that reads it.
TEST_F(ParameterClassificationTest, CopyAroundLoop) {
  EXPECT_EQ(
      classifyFirst(("%t0 = pl.get %t : !T\n%alias = pl.var \"alias\" = %t0 : !T" + loopBegin + R"(
    %g = pl.get %alias : !T
    pl.set %t, %g : !T
    %h = pl.get %t : !T
    pl.set %alias, %h : !T
  })")
                        .str()),
      Binding::LocalCell);
}

// Nothing comes around when it is bound before it is read, or made in the loop, or read outside.
TEST_F(ParameterClassificationTest, CopyWithinIteration) {
  EXPECT_EQ(classifyFirst((loopBegin + R"(
    %t0 = pl.get %t : !T
    %alias = pl.var "alias" = %t0 : !T
    %g = pl.get %alias : !T
    pl.set %t, %g : !T
    pl.set %alias, %g : !T
  })")
                              .str()),
            Binding::CallerCell);
  EXPECT_EQ(classifyFirst(("%t0 = pl.get %t : !T\n%alias = pl.var \"alias\" = %t0 : !T\n"
                           "%g = pl.get %alias : !T" +
                           loopBegin + R"(
    pl.set %alias, %t0 : !T
  }
  pl.set %t, %g : !T)")
                              .str()),
            Binding::CallerCell);
}

TEST_F(ParameterClassificationTest, CallsBySummary) {
  llvm::StringMap<InlineSummary> known;
  known["same"] = {{Binding::Argument}, {0u}};
  known["fresh"] = {{Binding::Argument}, {std::nullopt}};
  auto classifyCall = [&](StringRef callee) {
    return classify(("pl.func inline @" + callee + R"((%x: !T) -> !T { pl.return %x : !T }
      pl.func inline @f(%t: !V) -> !T {
        %g = pl.get %t : !T
        %r = pl.call @)" +
                     callee + R"((%g) : (!T) -> !T
        pl.set %t, %r : !T
        pl.return %r : !T
      })")
                        .str(),
                    "f", known);
  };
  EXPECT_EQ(classifyCall("same").parameters[0], Binding::CallerCell);
  EXPECT_EQ(classifyCall("same").returned[0], 0u);
  EXPECT_EQ(classifyCall("fresh").parameters[0], Binding::LocalCell);
  EXPECT_EQ(classifyCall("fresh").returned[0], std::nullopt);
  EXPECT_EQ(classifyCall("unknown").parameters[0], Binding::LocalCell);
}

TEST_F(ParameterClassificationTest, Returned) {
  InlineSummary summary = classify(R"(
    pl.func inline @f(%x: !T, %t: !V, %n: index) -> (!T, !T, !T, index) {
      %g = pl.get %t : !T
      %w = pl.assemble %x, %g[0] : !T, !T
      %s = pl.slice %x[0] : !T -> !T
      pl.return %w, %x, %s, %n : !T, !T, !T, index
    })",
                                   "f");
  std::optional<unsigned> expected[] = {1u, 0u, std::nullopt, std::nullopt};
  EXPECT_EQ(ArrayRef(summary.returned), ArrayRef(expected));
}

/// `t` copied through `length` cells, and back to `t`.
std::string makeChain(unsigned length, StringRef loop) {
  std::string text = "%v0 = pl.get %t : !T\n";
  for (unsigned i = 0; i != length; ++i)
    text += "%c" + std::to_string(i) + "c = pl.var \"c\" = %v" + std::to_string(i) + " : !T\n%v" +
            std::to_string(i + 1) + " = pl.get %c" + std::to_string(i) + "c : !T\n";
  text += "pl.set %t, %v" + std::to_string(length) + " : !T\n" + loop.str();
  return text;
}

// INL-125: 10,000 copies. With a value that comes around at the end everything has to change its
// mind.
TEST_F(ParameterClassificationTest, LongChain) {
  EXPECT_EQ(classifyFirst(makeChain(10000, "")), Binding::CallerCell);
  EXPECT_EQ(classifyFirst(makeChain(10000, (loopBegin + R"(
    %back = pl.get %c9999c : !T
    pl.set %c0c, %back : !T
    pl.set %c9999c, %x : !T
  })")
                                               .str())),
            Binding::LocalCell);
}
} // namespace
