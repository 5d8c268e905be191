// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The verifier of ReturnParamsExplicit, on modules that no pass has touched.
#include "pypto/InitAll.h"
#include "pypto/Properties/Properties.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace pypto;

namespace {
using Strings = std::vector<std::string>;

struct ReturnParamsExplicitTest : testing::Test {
  ReturnParamsExplicitTest() {
    DialectRegistry registry;
    registry.insert<scf::SCFDialect>();
    pypto::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// "LINE: message", and after each error its notes. Lines count from the one behind `R"(`. The
  /// result of the verifier has to agree with what it reports.
  Strings check(StringRef text) {
    std::string source = ("!t = !pl.tensor<[16], f32>\n" + text.drop_front()).str();
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
    if (!module)
      return {"does not parse"};
    Strings reports;
    auto add = [&](Diagnostic &diagnostic) {
      auto loc = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>();
      reports.push_back(std::to_string(loc ? loc.getLine() - 1 : 0) + ": " + diagnostic.str());
    };
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      add(diagnostic);
      for (Diagnostic &note : diagnostic.getNotes())
        add(note);
    });
    LogicalResult result = verifyProperty(IRProperty::ReturnParamsExplicit, *module);
    EXPECT_EQ(succeeded(result), reports.empty());
    return reports;
  }
  MLIRContext context;
};

// A kernel that returns the result of a store instead of the parameter it stored to.
TEST_F(ReturnParamsExplicitTest, StoreOfOneParameter) {
  EXPECT_EQ(check(R"(
pl.func incore @kernel(%t: !t, out %out: !t) -> !t {
  %tile = tile.load %t[0] : !t -> !tile.tile<[16], f32>
  %r = tile.store %tile, %out[0] : !tile.tile<[16], f32>, !t
  pl.return %r : !t
})"),
            (Strings{"4: property 'ReturnParamsExplicit' does not hold: function 'kernel' returns "
                     "parameter 1 as value 0 "
                     "under another name",
                     "3: this is the storage of parameter 1"}));
}

// Each violation is reported, with its own parameter and position; right values between them are
// not.
TEST_F(ReturnParamsExplicitTest, EveryViolation) {
  EXPECT_EQ(check(R"(
pl.func incore @kernel(%x: !t, out %a: !t, out %b: !t) -> (!t, !t, !t) {
  %rb = pl.assemble %x, %b[0] : !t, !t
  %ra = pl.assemble %x, %a[0] : !t, !t
  pl.return %rb, %x, %ra : !t, !t, !t
}
pl.func aiv @other(%x: !t, inout %a: !t) -> !t {
  %ra = pl.assemble %x, %a[0] : !t, !t
  pl.return %ra : !t
})"),
            (Strings{"4: property 'ReturnParamsExplicit' does not hold: function 'kernel' returns "
                     "parameter 2 as value 0 "
                     "under another name",
                     "2: this is the storage of parameter 2",
                     "4: property 'ReturnParamsExplicit' does not hold: function 'kernel' returns "
                     "parameter 1 as value 2 "
                     "under another name",
                     "3: this is the storage of parameter 1",
                     "8: property 'ReturnParamsExplicit' does not hold: function 'other' returns "
                     "parameter 1 as value 0 "
                     "under another name",
                     "7: this is the storage of parameter 1"}));
}

// The parameters themselves, in any order.
TEST_F(ReturnParamsExplicitTest, Parameters) {
  EXPECT_EQ(check(R"(
pl.func incore @kernel(out %a: !t, out %b: !t) -> (!t, !t) {
  pl.return %b, %a : !t, !t
}
pl.func group @group(%x: !t) -> !t {
  pl.return %x : !t
})"),
            Strings());
}

// Every kind of function whose returns consumers read.
TEST_F(ReturnParamsExplicitTest, Kinds) {
  for (const char *kind : {"incore", "aic", "aiv", "group", "spmd", "graph"})
    EXPECT_EQ(check((Twine("\npl.func ") + kind + R"( @f(%x: !t, out %a: !t) -> !t {
  %r = pl.assemble %x, %a[0] : !t, !t
  pl.return %r : !t
})")
                        .str())
                  .size(),
              2u)
        << kind;
  for (const char *kind : {"", "inline", "orchestration"})
    EXPECT_EQ(check((Twine("\npl.func ") + kind + R"( @f(%x: !t, %a: !t) -> !t {
  %r = pl.assemble %x, %a[0] : !t, !t
  pl.return %r : !t
})")
                        .str()),
              Strings())
        << kind;
}

// A function without a body returns nothing that can be looked at.
TEST_F(ReturnParamsExplicitTest, Declaration) {
  EXPECT_EQ(check(R"(
pl.func private incore @kernel(%x: !t, out %a: !t) -> !t)"),
            Strings());
}

// What is no parameter: a new tensor, a view, a merge of two parameters.
TEST_F(ReturnParamsExplicitTest, NotOneParameter) {
  EXPECT_EQ(check(R"(
pl.func incore @fresh(%x: !t) -> !t {
  %r = pl.create : !t
  pl.return %r : !t
}
pl.func incore @view(out %a: !t) -> !t {
  %r = pl.slice %a[0] : !t -> !t
  pl.return %r : !t
}
pl.func incore @merge(%c: i1, %x: !t, out %a: !t, out %b: !t) -> !t {
  %r = scf.if %c -> !t {
    %0 = pl.assemble %x, %a[0] : !t, !t
    scf.yield %0 : !t
  } else {
    scf.yield %b : !t
  }
  pl.return %r : !t
})"),
            Strings());
}

// A return of another type, or whose valid shape may be another, is not the parameter.
TEST_F(ReturnParamsExplicitTest, OtherType) {
  EXPECT_EQ(check(R"(
pl.func incore @narrowed(out %a: !t) -> !pl.tensor<[16], f32, valid = [8]> {
  %r = pl.set_validshape %a[8] : !t -> !pl.tensor<[16], f32, valid = [8]>
  pl.return %r : !pl.tensor<[16], f32, valid = [8]>
}
pl.func incore @unknown(out %a: !pl.tensor<[16], f32, valid = [?]>, %n: index)
    -> !pl.tensor<[16], f32, valid = [?]> {
  %r = pl.set_validshape %a[%n] : !pl.tensor<[16], f32, valid = [?]> -> !pl.tensor<[16], f32, valid = [?]>
  pl.return %r : !pl.tensor<[16], f32, valid = [?]>
})"),
            Strings());
}

// What calls forward, branches agree on and variables hold is followed.
TEST_F(ReturnParamsExplicitTest, Followed) {
  EXPECT_EQ(check(R"(
pl.func incore @callee(%x: !t, out %a: !t) -> !t {
  pl.return %a : !t
}
pl.func group @call(%x: !t, out %a: !t) -> !t {
  %r = pl.call @callee(%x, %a) : (!t, !t) -> !t
  pl.return %r : !t
}
pl.func incore @branch(%c: i1, %x: !t, out %a: !t) -> !t {
  %r = scf.if %c -> !t {
    %0 = pl.assemble %x, %a[0] : !t, !t
    scf.yield %0 : !t
  } else {
    scf.yield %a : !t
  }
  pl.return %r : !t
}
pl.func incore @variable(%x: !t, out %a: !t) -> !t {
  %v = pl.var "v" = %x : !t
  pl.set %v, %a : !t
  %r = pl.get %v : !t
  pl.return %r : !t
})"),
            (Strings{"6: property 'ReturnParamsExplicit' does not hold: function 'call' returns "
                     "parameter 1 as value 0 "
                     "under another name",
                     "5: this is the storage of parameter 1",
                     "15: property 'ReturnParamsExplicit' does not hold: function 'branch' returns "
                     "parameter 2 as value 0 "
                     "under another name",
                     "9: this is the storage of parameter 2",
                     "21: property 'ReturnParamsExplicit' does not hold: function 'variable' "
                     "returns parameter 1 as value "
                     "0 under another name",
                     "20: this is the storage of parameter 1"}));
}
} // namespace
