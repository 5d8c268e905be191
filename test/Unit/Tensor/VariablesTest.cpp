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

/// 1, 2, … of which there are N.
static Tensor makeCounts(const VariableRef &n) {
  std::vector<float> data(8);
  std::iota(data.begin(), data.end(), 1.f);
  return Tensor::fromSlice<float>({8}, data).shrink({{0, n}});
}

TEST(VariablesTest, TensorsKeepTheElementsOfTheLastValues) {
  Tensor tens = makeCounts(makeVariable("N", 1, 8)) * 10.0, copy = tens;
  EXPECT_EQ(tens.getDataShape(), (llvm::SmallVector<int64_t>{8}));
  tens.realize({{"N", 2}});
  EXPECT_EQ(get<float>(tens), (std::vector<float>{10, 20}));
  EXPECT_EQ(get<float>(copy), (std::vector<float>{10, 20}));
  EXPECT_EQ(tens.getDataShape(), (llvm::SmallVector<int64_t>{2}));
  tens.realize({{"N", 3}});
  EXPECT_EQ(get<float>(tens), (std::vector<float>{10, 20, 30}));
  BufferRef buffer = tens.getBuffer();
  uint64_t before = getCounters().kernelsRun;
  tens.realize({{"N", 3}});
  tens.realize();
  EXPECT_EQ(tens.getBuffer(), buffer);
  EXPECT_EQ(getCounters().kernelsRun, before);
  // A result that no variable is an extent of.
  Tensor sum = tens.sum();
  EXPECT_EQ(get<float>(sum)[0], 360) << "its own values: the largest";
  sum.realize({{"N", 5}});
  EXPECT_EQ(get<float>(sum)[0], 150);
  sum.realize({{"N", 3}});
  EXPECT_EQ(get<float>(sum)[0], 60);
  EXPECT_EQ(get<float>(tens).size(), 3u);
}

TEST(VariablesTest, BatchesKeepOtherValues) {
  VariableRef n = makeVariable("N", 1, 8), m = makeVariable("M", 1, 8);
  Tensor a = makeCounts(n) * 2.0, b = makeCounts(n) * 3.0, both = a.sum() + makeCounts(m).sum();
  a.realize({{"N", 2}});
  b.realize({{"N", 3}});
  both.realize({{"M", 1}, {"N", 1}});
  EXPECT_EQ(get<float>(both)[0], 3);
  Tensor::realizeBatch({a, b, both, makeTensor({2}) * 5.0}, {{"M", 2}});
  EXPECT_EQ(get<float>(a), (std::vector<float>{2, 4}));
  EXPECT_EQ(get<float>(b).size(), 3u);
  EXPECT_EQ(get<float>(both)[0], 5);
  Tensor::realizeBatch({a, b, both}, {{"N", 4}});
  EXPECT_EQ(get<float>(a), (std::vector<float>{2, 4, 6, 8}));
  EXPECT_EQ(get<float>(b), (std::vector<float>{3, 6, 9, 12}));
  EXPECT_EQ(get<float>(both)[0], 23);
}

TEST(VariablesTest, RealizeChecksVariables) {
  Tensor sum = makeCounts(makeVariable("N", 1, 8)).sum(), fixed = makeTensor({3}) * 2.0;
  auto getText = [](const Tensor &tensor, const Tensor::Variables &variables) {
    llvm::Error error = tensor.tryRealize(variables);
    return error ? llvm::toString(std::move(error)) : "no error";
  };
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(getText(sum, {{"N", 9}}), "variable 'N' expects a value from 1 to 8, but got 9");
    EXPECT_EQ(getText(sum, {{"M", 2}}), "nothing that is computed has a variable 'M'");
    EXPECT_EQ(getText(fixed, {{"N", 2}}), "nothing that is computed has a variable 'N'");
    EXPECT_EQ(getText(sum, {{"N", 2}}), "no error");
    fixed.realize();
  }
}

TEST(VariablesTest, AssignmentsTakeTheValuesOfTheirRealize) {
  VariableRef n = makeVariable("N", 1, 8);
  Tensor total = Tensor::fromSlice<float>({1}, {100}), before = total * 1.0;
  BufferRef buffer = total.getBuffer();
  for (int64_t value : {2, 3}) {
    total.assign(total + makeCounts(n).sum());
    total.realize({{"N", value}});
  }
  EXPECT_EQ(get<float>(total)[0], 109);
  EXPECT_EQ(get<float>(before)[0], 100);
  EXPECT_EQ(total.getBuffer(), buffer);
  // Elements that another tensor has, too, are copied.
  Tensor sum = makeCounts(n).sum().reshape({1});
  total.assign(sum);
  Tensor::realizeBatch({sum, total}, {{"N", 4}});
  EXPECT_EQ(get<float>(total)[0], 10);
  EXPECT_EQ(get<float>(sum)[0], 10);
}

TEST(VariablesTest, VariablesOfOneName) {
  Tensor a = makeTensor({8, 3}).shrink({{0, makeVariable("N", 1, 8)}, {0, 3}});
  Tensor b = makeTensor({8, 3}).shrink({{0, makeVariable("N", 1, 8)}, {0, 3}});
  Tensor sum = (a + b).sum();
  sum.realize({{"N", 1}});
  EXPECT_EQ(get<float>(sum)[0], 2 * (0.25f - 2 + 0.5f));
  Tensor other = makeTensor({8, 3}).shrink({{0, makeVariable("N", 1, 7)}, {0, 3}});
  EXPECT_EQ(getError(a.tryAdd(other)),
            "add: expects shapes that broadcast, but got (N, 3) and (N, 3), where variable 'N' has "
            "the bounds 1 to 8 and 1 to 7");
  auto plan = Tensor::tryPrepareBatch({a * 2.0, other * 2.0});
  EXPECT_EQ(llvm::toString(plan.takeError()),
            "in one graph variable 'N' has the bounds 1 to 8 and 1 to 7");
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

TEST(VariablesTest, MovementAlongVariables) {
  VariableRef n = makeVariable("N", 2, 8);
  Tensor x = makeCounts(n), twice = Tensor::concat({x, x, Tensor::full({1}, 9.0)}, 0);
  Tensor padded = x.pad({{1, 2}}, 7), rest = x.shrink({{1, n}}), both = padded.shrink({{0, 2}});
  EXPECT_EQ(formatShape(twice.getShape()), "(2 * N + 1,)");
  EXPECT_EQ(formatShape(padded.getShape()), "(N + 3,)");
  EXPECT_EQ(formatShape(rest.getShape()), "(N - 1,)");
  llvm::SmallVector<Tensor> tensors{twice,          padded,          rest,         both,
                                    x.select(0, 1), x.select(0, -2), x.roll(1, 0), x.roll(-9, 0)};
  auto plan = Tensor::prepareBatch(tensors);
  for (int64_t count : {8, 2, 5}) {
    std::vector<float> counts(count), rolled, back;
    std::iota(counts.begin(), counts.end(), 1.f);
    for (int64_t i = 0; i < count; ++i) {
      rolled.push_back(counts[(i + count - 1) % count]);
      back.push_back(counts[(i + 9) % count]);
    }
    std::vector<float> joined(counts), around{7};
    joined.insert(joined.end(), counts.begin(), counts.end());
    joined.push_back(9);
    around.insert(around.end(), counts.begin(), counts.end());
    around.insert(around.end(), 2, 7.f);
    std::vector<std::vector<float>> expected{joined, around, {counts.begin() + 1, counts.end()},
                                             {7, 1}, {2},    {counts[count - 2]},
                                             rolled, back};
    plan->executeWithVars({{"N", count}});
    for (auto [index, elements] : llvm::enumerate(expected)) {
      size_t size = countElements(makeShape(plan->outputShapeAt(index)));
      EXPECT_EQ(plan->outputBufferAt(index)->as<float>().take_front(size).vec(), elements)
          << "output " << index << ", N = " << count;
    }
  }
  twice.realize({{"N", 2}});
  EXPECT_EQ(get<float>(twice), (std::vector<float>{1, 2, 1, 2, 9}));
  EXPECT_EQ(get<float>(twice * x.select(0, 1)).size(), 17u);
  EXPECT_EQ(getError(x.tryConcat({x, makeCounts(makeVariable("M", 1, 8))}, 0)),
            "concat: expects at most one variable along axis 0, but got (N,) and (M,)");
  EXPECT_EQ(getError(x.trySelect(0, 2)),
            "select: expects an index inside axis 0 of (N,), but got 2");
  EXPECT_EQ(getError(x.trySelect(0, -3)),
            "select: expects an index inside axis 0 of (N,), but got -3");
  EXPECT_EQ(getError(x.tryShrink({{0, 3}})), "shrink: expects ranges inside (N,), but got [0, 3)");
  EXPECT_EQ(getError(x.tryRepeatInterleave(2, 0)),
            "repeatInterleave: expects an extent that is a number at axis 0, but got (N,)");
}
