// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The example in the documentation of lazy tensors.
#include "TensorTesting.h"
#include "pypto/ExecutionEngine/ScheduleSearch.h"

using namespace pypto;
using namespace pypto::lazy;

// What is found by measuring computes the same; it is found once.
TEST(ExampleTest, SearchedSchedules) {
  std::vector<float> left = makeData(30 * 20), right = makeData(20 * 40), offsets = makeData(40);
  auto a = Tensor::fromSlice<float>({30, 20}, left), b = Tensor::fromSlice<float>({20, 40}, right);
  auto bias = Tensor::fromSlice<float>({40}, offsets);
  auto c = (a.matmul(b) + bias).relu();
  auto chosen = c.prepare();
  setCompileOptions({.beam = 1});
  uint64_t before = execution::getSearchCounters().searched;
  auto searched = c.prepare(), again = c.prepare();
  setCompileOptions({});
  EXPECT_EQ(execution::getSearchCounters().searched, before + 1);
  EXPECT_GT(execution::getSearchCounters().measured, 10u);
  chosen->execute();
  for (auto *plan : {searched.get(), again.get()}) {
    EXPECT_EQ(plan->numKernels(), 1u);
    plan->execute();
    expectNear(plan->outputBufferAt(0)->as<float>(), chosen->outputBufferAt(0)->as<float>(), 1e-4f);
  }
}

TEST(ExampleTest, WhatAUserDoes) {
  std::vector<float> left = makeData(64 * 48), right = makeData(48 * 80), offsets = makeData(80);
  auto a = Tensor::fromSlice<float>({64, 48}, left), b = Tensor::fromSlice<float>({48, 80}, right);
  auto bias = Tensor::fromSlice<float>({80}, offsets);
  auto c = (a.matmul(b) + bias).gelu();
  auto d = c.reshape({64, 8, 10}).permute({1, 0, 2}).sum(0);
  c.realize();
  auto plan = Tensor::prepareBatch({c, d});
  plan->execute();
  std::vector<float> expected(64 * 80), sums(64 * 10);
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 80; ++j) {
      float sum = offsets[j];
      for (int k = 0; k < 48; ++k)
        sum += left[i * 48 + k] * right[k * 80 + j];
      expected[i * 80 + j] = sum * 0.5f * (1 + std::erf(sum / std::sqrt(2.f)));
      sums[i * 10 + j % 10] += expected[i * 80 + j];
    }
  expectNear(c.data<float>(), expected, 1e-4f);
  expectNear(plan->outputBufferAt(0)->as<float>(), expected, 1e-4f);
  expectNear(plan->outputBufferAt(1)->as<float>(), sums, 1e-4f);
}

TEST(ExampleTest, Errors) {
  Tensor x = makeTensor({2, 3}), y = makeTensor({4});
  llvm::Expected<Tensor> sum = x.tryAdd(y);
  EXPECT_EQ(getError(std::move(sum)),
            "add: expects shapes that broadcast, but got (2, 3) and (4,)");
  try {
    (void)x.matmul(y);
    FAIL() << "expects an exception";
  } catch (const TensorException &exception) {
    EXPECT_EQ(exception.getOp(), "matmul");
    EXPECT_EQ(exception.getReason(),
              "expects shapes (…, m, k) and (…, k, n), but got (2, 3) and (4,)");
    EXPECT_TRUE(llvm::StringRef(exception.getPlace()->file_name()).ends_with("ExampleTest.cpp"));
    EXPECT_NE(std::string(exception.what()).find("ExampleTest.cpp:"), std::string::npos);
  }
}

TEST(ExampleTest, Variables) {
  VariableRef n = makeVariable("N", 1, 64);
  Tensor rows = Tensor::ones({64, 8}).contiguous().shrink({{0, n}, {0, Extent(8)}});
  auto counts = rows.sum(0).prepare();
  counts->executeWithVars({{"N", 12}});
  EXPECT_EQ(counts->outputBufferAt(0)->as<float>()[0], 12);
}

TEST(ExampleTest, Assignment) {
  Tensor weight = Tensor::fromSlice<float>({2}, {1, 2}), before = weight * 10.0;
  auto step = (weight * 100.0).prepare();
  weight.assign(weight + 1.0);
  weight.realize();
  step->execute();
  EXPECT_EQ(get<float>(before), (std::vector<float>{10, 20}));
  EXPECT_EQ(step->outputBufferAt(0)->as<float>()[0], 200);
}
