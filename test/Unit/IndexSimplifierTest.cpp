// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Rangeify/IndexSimplifier.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace pypto::rangeify;

namespace {
struct IndexSimplifierTest : testing::Test {
  AffineExpr dim(unsigned position) { return getAffineDimExpr(position, &context); }
  /// Simplifies with dimension i in [0, extents[i]).
  AffineExpr simplify(AffineExpr expr, ArrayRef<int64_t> extents) {
    SmallVector<Bounds> bounds;
    for (int64_t extent : extents)
      bounds.push_back({0, extent - 1});
    return IndexSimplifier(&context, bounds).simplify(expr);
  }
  int64_t evaluate(AffineExpr expr, ArrayRef<int64_t> point) {
    SmallVector<AffineExpr> values;
    for (int64_t value : point)
      values.push_back(getAffineConstantExpr(value, &context));
    return cast<AffineConstantExpr>(expr.replaceDims(values)).getValue();
  }
  std::string print(AffineExpr expr) {
    std::string text;
    llvm::raw_string_ostream(text) << expr;
    return text;
  }
  AffineExpr makeRandom(std::mt19937 &random, unsigned depth);

  MLIRContext context;
};
} // namespace

#define EXPECT_SIMPLIFIED(EXPR, EXTENTS, RESULT)                                                   \
  EXPECT_EQ(print(simplify(EXPR, EXTENTS)), print(RESULT))

TEST_F(IndexSimplifierTest, WithinOnePeriod) {
  AffineExpr x = dim(0);
  EXPECT_SIMPLIFIED(x % 4, {4}, x);
  EXPECT_SIMPLIFIED((x + 4) % 4, {4}, x);
  EXPECT_SIMPLIFIED((x + 9).floorDiv(4), {3}, getAffineConstantExpr(2, &context));
  EXPECT_SIMPLIFIED(x.ceilDiv(8), {1}, getAffineConstantExpr(0, &context));
  EXPECT_SIMPLIFIED(x % 4, {5}, x % 4);
}

TEST_F(IndexSimplifierTest, SumsAreFlat) {
  AffineExpr x = dim(0), y = dim(1);
  EXPECT_SIMPLIFIED((x * 3 + y) - x * 2, ArrayRef<int64_t>({9, 9}), x + y);
  EXPECT_SIMPLIFIED((x + y) - (x + y), ArrayRef<int64_t>({9, 9}),
                    getAffineConstantExpr(0, &context));
}

TEST_F(IndexSimplifierTest, DigitsOfALinearIndex) {
  AffineExpr i = dim(0), j = dim(1), linear = i * 3 + j;
  EXPECT_SIMPLIFIED(linear.floorDiv(3), ArrayRef<int64_t>({5, 3}), i);
  EXPECT_SIMPLIFIED(linear % 3, ArrayRef<int64_t>({5, 3}), j);
  // The low digit may carry here.
  EXPECT_SIMPLIFIED(linear % 3, ArrayRef<int64_t>({5, 4}), j % 3);
  EXPECT_SIMPLIFIED((i * 12 + j).floorDiv(4), ArrayRef<int64_t>({5, 4}), i * 3);
}

TEST_F(IndexSimplifierTest, QuotientAndRemainderMakeTheWhole) {
  AffineExpr x = dim(0);
  EXPECT_SIMPLIFIED(x % 5 + x.floorDiv(5) * 5, {100}, x);
  EXPECT_SIMPLIFIED((x % 5) * 2 + x.floorDiv(5) * 10, {100}, x * 2);
  EXPECT_SIMPLIFIED(x.floorDiv(2) % 5 + x.floorDiv(10) * 5, {100}, x.floorDiv(2));
}

TEST_F(IndexSimplifierTest, NestedDivisions) {
  AffineExpr x = dim(0);
  EXPECT_SIMPLIFIED(x.floorDiv(3).floorDiv(5), {100}, x.floorDiv(15));
  EXPECT_SIMPLIFIED((x.floorDiv(3) + 2).floorDiv(5), {100}, (x + 6).floorDiv(15));
  EXPECT_SIMPLIFIED((x % 12) % 4, {100}, x % 4);
}

TEST_F(IndexSimplifierTest, CommonFactors) {
  AffineExpr x = dim(0), y = dim(1);
  EXPECT_SIMPLIFIED((x * 6 + 1).floorDiv(4), {100}, (x * 3).floorDiv(2));
  EXPECT_SIMPLIFIED((x * 6 + y * 4) % 8, ArrayRef<int64_t>({100, 100}), ((x * 3 + y * 2) % 4) * 2);
}

TEST_F(IndexSimplifierTest, Congruence) {
  AffineExpr x = dim(0);
  // 9 x + 3 is 3 - x modulo 10.
  EXPECT_SIMPLIFIED((x * 9 + 3) % 10, {4}, x * -1 + 3);
}

TEST_F(IndexSimplifierTest, TwoValuesMakeALine) {
  AffineExpr x = dim(0);
  EXPECT_SIMPLIFIED((x * 7 + 2).floorDiv(3), {2}, x * 3);
}

TEST_F(IndexSimplifierTest, Bounds) {
  SmallVector<Bounds> bounds{{2, 5}, {0, std::nullopt}};
  IndexSimplifier simplifier(&context, bounds);
  auto text = [&](AffineExpr expr) {
    Bounds result = simplifier.getBounds(expr);
    return (result.low ? std::to_string(*result.low) : "?") + ".." +
           (result.high ? std::to_string(*result.high) : "?");
  };
  EXPECT_EQ(text(dim(0) * -2 + 1), "-9..-3");
  EXPECT_EQ(text(dim(0) + dim(1)), "2..?");
  EXPECT_EQ(text(dim(0).floorDiv(2)), "1..2");
  EXPECT_EQ(text(dim(1) % 6), "0..5");
  EXPECT_EQ(text(dim(0) * dim(1)), "0..?");
  // A bound that does not fit is none.
  EXPECT_EQ(text(dim(0) * INT64_MAX), "?..?");
}

AffineExpr IndexSimplifierTest::makeRandom(std::mt19937 &random, unsigned depth) {
  auto pick = [&](int64_t count) { return static_cast<int64_t>(random() % count); };
  if (depth == 0)
    return pick(4) ? dim(pick(3)) : getAffineConstantExpr(pick(20) - 6, &context);
  AffineExpr lhs = makeRandom(random, depth - 1);
  switch (pick(6)) {
  case 0:
    return lhs % (1 + pick(12));
  case 1:
    return lhs.floorDiv(1 + pick(12));
  case 2:
    return lhs * (pick(13) - 4);
  case 3:
    return lhs.ceilDiv(1 + pick(6));
  default:
    return lhs + makeRandom(random, depth - 1);
  }
}

// The value never changes, at no point, and no division is added.
TEST_F(IndexSimplifierTest, RandomExpressionsKeepTheirValue) {
  std::mt19937 random(7);
  for (int n = 0; n < 4000; ++n) {
    int64_t extents[3] = {int64_t(1 + random() % 6), int64_t(1 + random() % 6),
                          int64_t(1 + random() % 13)};
    AffineExpr expr = makeRandom(random, 1 + random() % 5), simple = simplify(expr, extents);
    ASSERT_LE(countDivisions(simple), countDivisions(expr))
        << print(expr) << " to " << print(simple);
    for (int64_t i = 0; i < extents[0]; ++i)
      for (int64_t j = 0; j < extents[1]; ++j)
        for (int64_t k = 0; k < extents[2]; ++k)
          ASSERT_EQ(evaluate(expr, {i, j, k}), evaluate(simple, {i, j, k}))
              << print(expr) << " to " << print(simple) << " at " << i << ", " << j << ", " << k;
  }
}
