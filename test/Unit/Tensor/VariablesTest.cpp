// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TensorTesting.h"

using namespace pypto;
using namespace pypto::lazy;

TEST(VariablesTest, PlanRunsWithOtherExtents) {
  Tensor x = makeTensor({8, 4}), w = makeTensor({4, 3});
  VariableRef n = makeVariable("N", 1, 8);
  Tensor part = x.shrink({{0, n}, {0, 4}});
  Tensor product = part.matmul(w).relu(), sums = part.exp().sum(0), mean = part.mean();
  std::unique_ptr<ExecutionPlan> plan = Tensor::prepareBatch({product, sums, mean});
  std::vector<float> a = makeData(32), b = makeData(12);
  plan->execute(); // the largest value
  EXPECT_EQ(plan->outputShapeAt(0), (llvm::SmallVector<int64_t>{8, 3}));
  for (int64_t rows : {5, 1, 8}) {
    uint64_t compiled = getCounters().kernelsCompiled;
    plan->executeWithVars({{"N", rows}});
    EXPECT_EQ(getCounters().kernelsCompiled, compiled);
    EXPECT_EQ(plan->outputShapeAt(0), (llvm::SmallVector<int64_t>{rows, 3}));
    std::vector<float> expected, columns(4);
    float total = 0;
    for (int64_t i = 0; i < rows; ++i) {
      for (int j = 0; j < 3; ++j) {
        float sum = 0;
        for (int k = 0; k < 4; ++k)
          sum += a[i * 4 + k] * b[k * 3 + j];
        expected.push_back(std::max(sum, 0.f));
      }
      for (int k = 0; k < 4; ++k) {
        columns[k] += std::exp(a[i * 4 + k]);
        total += a[i * 4 + k];
      }
    }
    expectNear(plan->outputBufferAt(0)->as<float>().take_front(rows * 3), expected);
    expectNear(plan->outputBufferAt(1)->as<float>(), columns);
    expectNear(plan->outputBufferAt(2)->as<float>(), {total / static_cast<float>(rows * 4)});
  }
}

TEST(VariablesTest, ValuesAreChecked) {
  VariableRef n = makeVariable("N", 2, 4);
  Tensor sum = makeTensor({4}).shrink({{0, n}}).sum();
  std::unique_ptr<ExecutionPlan> plan = sum.prepare();
  auto getText = [&](const Tensor::Variables &variables) {
    llvm::Error error = plan->tryExecuteWithVars(variables);
    return error ? llvm::toString(std::move(error)) : "no error";
  };
  EXPECT_EQ(getText({{"N", 2}}), "no error");
  EXPECT_EQ(getText({{"N", 1}}), "variable 'N' expects a value from 2 to 4, but got 1");
  EXPECT_EQ(getText({{"N", 5}}), "variable 'N' expects a value from 2 to 4, but got 5");
  EXPECT_EQ(getText({{"M", 2}}), "the plan has no variable 'M'");
  EXPECT_THROW(makeVariable("M", 3, 2), TensorException);
  // After an error the values are the old ones.
  plan->execute();
  EXPECT_EQ(plan->outputBufferAt(0)->as<float>()[0], -1.75f);
}

TEST(VariablesTest, ShapesWithVariables) {
  VariableRef n = makeVariable("N", 0, 6), m = makeVariable("M", 0, 6);
  Tensor x = makeTensor({6, 4}).shrink({{0, n}, {0, 4}});
  EXPECT_EQ(formatShape(x.reshape({n, 2, 2}).getShape()), "(N, 2, 2)");
  EXPECT_EQ(getError(x.tryReshape({4, n})),
            "reshape: expects a shape with the elements of (N, 4), but got (4, N)");
  EXPECT_EQ(getError(x.tryReshape({24})),
            "reshape: expects a shape with the elements of (N, 4), but got (24,)");
  EXPECT_EQ(getError(x.tryAdd(makeTensor({6, 4}).shrink({{0, m}, {0, 4}}))),
            "add: expects shapes that broadcast, but got (N, 4) and (M, 4)");
  // Nothing to do for an extent of zero.
  Tensor flipped = x.flip({0}).reshape({n, 2, 2}).permute({1, 0, 2}).expand({2, 2, n, 2}) * 1.0;
  std::unique_ptr<ExecutionPlan> plan = flipped.prepare();
  plan->executeWithVars({{"N", 0}});
  plan->executeWithVars({{"N", 3}});
  std::vector<float> data = makeData(24), expected;
  for (int copy = 0; copy < 2; ++copy)
    for (int i = 0; i < 2; ++i)
      for (int row = 0; row < 3; ++row)
        for (int j = 0; j < 2; ++j)
          expected.push_back(data[(2 - row) * 4 + i * 2 + j]);
  expectNear(plan->outputBufferAt(0)->as<float>().take_front(24), expected);
}

TEST(VariablesTest, OrderAlongAndAcrossVariables) {
  std::vector<float> data = makeData(64 * 13);
  Tensor x = makeTensor({64, 13}).shrink({{0, makeVariable("N", 1, 64)}, {0, 13}});
  auto plan = Tensor::prepareBatch({x.sort(0), x.argSort(1, true), x.topK(3, 1)[0]});
  for (int64_t rows : {64, 1, 17, 33, 2}) {
    plan->executeWithVars({{"N", rows}});
    llvm::ArrayRef<float> sorted = plan->outputBufferAt(0)->as<float>();
    llvm::ArrayRef<int64_t> order = plan->outputBufferAt(1)->as<int64_t>();
    llvm::ArrayRef<float> best = plan->outputBufferAt(2)->as<float>();
    for (int64_t j = 0; j < 13; ++j) {
      std::vector<float> column;
      for (int64_t i = 0; i < rows; ++i)
        column.push_back(data[i * 13 + j]);
      llvm::sort(column);
      for (int64_t i = 0; i < rows; ++i)
        ASSERT_EQ(sorted[i * 13 + j], column[i]) << rows << " rows, at " << i << ", " << j;
    }
    for (int64_t i = 0; i < rows; ++i) {
      llvm::ArrayRef<float> row = llvm::ArrayRef(data).slice(i * 13, 13);
      std::vector<int64_t> expected(13);
      std::iota(expected.begin(), expected.end(), 0);
      llvm::sort(expected, [&](int64_t a, int64_t b) {
        return std::pair(-row[a], a) < std::pair(-row[b], b);
      });
      ASSERT_EQ(order.slice(i * 13, 13), llvm::ArrayRef(expected));
      for (int64_t k = 0; k < 3; ++k)
        ASSERT_EQ(best[i * 3 + k], row[expected[k]]);
    }
  }
}
