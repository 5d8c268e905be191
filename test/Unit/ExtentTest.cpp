// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Dialect/PL/IR/PLOps.h"
#include "pypto/InitAll.h"

#include "mlir/AsmParser/AsmParser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace pypto::pl;

namespace {
struct ExtentTest : testing::Test {
  ExtentTest() {
    DialectRegistry registry;
    pypto::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }
  ExtentAttr parse(StringRef text) {
    return cast<ExtentAttr>(parseAttribute(("#pl.extent<" + text + ">").str(), &context));
  }
  std::string print(ExtentAttr extent) {
    std::string text;
    llvm::raw_string_ostream os(text);
    extent.printExpression(os);
    return text;
  }
  MLIRContext context;
};

// One expression, however it is written, is one attribute.
TEST_F(ExtentTest, Canonical) {
  EXPECT_EQ(parse("N + M"), parse("M + N"));
  EXPECT_EQ(parse("N * 2 + N"), parse("3 * N"));
  EXPECT_EQ(parse("N - N + 4"), parse("4"));
  EXPECT_NE(parse("N"), parse("M"));
  EXPECT_EQ(parse("(N + 3) floordiv 4 * 4 - M"), parse(print(parse("(N + 3) floordiv 4 * 4 - M"))));
}

// A name of the caller that equals one of the callee is not substituted again.
TEST_F(ExtentTest, SubstituteOnce) {
  ExtentAttr value = parse("rows + 1");
  auto lookup = [&](StringAttr name) { return name == "rows" ? value : ExtentAttr(); };
  EXPECT_EQ(parse("rows * 2 + cols").substitute(lookup), parse("rows * 2 + cols + 2"));
  EXPECT_TRUE(parse("rows * 2")
                  .substitute([&](StringAttr) { return ExtentAttr::getDynamic(&context); })
                  .isDynamic());
}

// What overflows or divides by zero is unknown, never a wrong number.
TEST_F(ExtentTest, NoWrongNumbers) {
  ExtentAttr big = ExtentAttr::get(&context, INT64_MAX), one = ExtentAttr::get(&context, 1);
  EXPECT_TRUE((big + one).isDynamic());
  EXPECT_TRUE((big * ExtentAttr::get(&context, 2)).isDynamic());
  EXPECT_TRUE((parse("N * 4") * big).isDynamic());
  auto zero = [&](StringAttr) { return ExtentAttr::get(&context, 0); };
  EXPECT_TRUE(parse("8 floordiv N").substitute(zero).isDynamic());
  EXPECT_TRUE(parse("N * M").substitute([&](StringAttr) { return big; }).isDynamic());
}

// A valid shape that equals the extents is implicit, also after substitution.
TEST_F(ExtentTest, ImplicitValidShape) {
  Type type = parseType("!pl.tensor<[N, 4], f32, valid = [M, 4]>", &context);
  Type four = substituteSymbols(type, [&](StringAttr) { return ExtentAttr::get(&context, 7); });
  EXPECT_EQ(four, parseType("!pl.tensor<[7, 4], f32>", &context));
  EXPECT_EQ(parseType("!pl.tensor<[N], f32, valid = [N]>", &context),
            parseType("!pl.tensor<[N], f32>", &context));
  EXPECT_NE(parseType("!pl.tensor<[?], f32, valid = [?]>", &context),
            parseType("!pl.tensor<[?], f32>", &context));
}
} // namespace
