// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many kernels graphs need.
#include "TensorTesting.h"

using namespace pypto;
using namespace pypto::lazy;

static size_t countKernels(llvm::ArrayRef<Tensor> tensors) {
  return Tensor::prepareBatch(tensors)->numKernels();
}

TEST(KernelsTest, Counts) {
  Tensor x = makeTensor({6, 32, 64}), w = makeTensor({64, 48}), bias = makeTensor({48});
  EXPECT_EQ(countKernels(x.matmul(w)), 1u);
  EXPECT_EQ(countKernels((x.matmul(w) + bias).gelu()), 1u);
  EXPECT_EQ(countKernels((x * 2.0 + 1.0).geluTanh().exp()), 1u);
  EXPECT_EQ(countKernels(x.silu()), 1u);
  EXPECT_EQ(countKernels((x.matmul(w) + bias).silu() * (x.matmul(w.flip({0})) + bias)), 1u);
  EXPECT_EQ(countKernels(x.sum()), 1u);
  EXPECT_EQ(countKernels(x.softmax()), 1u);
  EXPECT_EQ(countKernels(x.logSoftmax()), 1u);
  EXPECT_EQ(countKernels(x.layerNorm()), 1u);
  EXPECT_EQ(countKernels(x.rmsNorm()), 1u);
  EXPECT_EQ(countKernels(x.argMax(-1)), 1u);
}

// A gate of two products, and the product behind it: what is computed once is not computed for each column.
TEST(KernelsTest, FeedForward) {
  Tensor x = makeTensor({2, 32, 64}), gate = makeTensor({64, 96}), up = makeTensor({64, 96});
  Tensor down = makeTensor({96, 64}), bias = makeTensor({96});
  Tensor hidden = (x.matmul(gate) + bias).silu() * (x.matmul(up) + bias);
  EXPECT_EQ(countKernels(hidden), 1u);
  EXPECT_LE(countKernels(hidden.matmul(down)), 2u);
}

// One kernel for the parts of a long sum, one for the sum of them.
TEST(KernelsTest, LongReductions) {
  Tensor x = makeTensor({1024, 1024});
  EXPECT_EQ(countKernels(x.sum()), 2u);
  EXPECT_EQ(countKernels(x.max(0)), 1u);
}

TEST(KernelsTest, Attention) {
  Tensor q = makeTensor({2, 32, 16}), k = makeTensor({2, 32, 16}), v = makeTensor({2, 32, 16});
  EXPECT_LE(countKernels(q.attention(k, v, /*isCausal=*/true)), 2u);
  // No buffer of scores between kernels.
  EXPECT_EQ(q.attention(k, v, true).prepare()->getScratchBytes(), 0);
}

TEST(KernelsTest, NoWideIntermediates) {
  Tensor table = makeTensor({100, 8}), indices = Tensor::fromSlice<int64_t>({5}, {1, 2, 99, 0, 7});
  EXPECT_EQ(countKernels(table.take(indices)), 1u);
  EXPECT_EQ(countKernels(Tensor::ones({64, 64}).tril()), 1u);
  EXPECT_EQ(countKernels(Tensor::arange(1000) * 3), 1u);
}

TEST(KernelsTest, Dependencies) {
  // Two sums of everything that do not wait for each other, and what waits for both.
  Tensor x = makeTensor({64}), a = x.sum(), b = (x * x).sum();
  std::unique_ptr<ExecutionPlan> plan = (x * a + b).prepare();
  ASSERT_EQ(plan->numKernels(), 3u);
  EXPECT_TRUE(plan->kernelDependenciesAt(0).empty());
  EXPECT_TRUE(plan->kernelDependenciesAt(1).empty());
  EXPECT_EQ(plan->kernelDependenciesAt(2), llvm::ArrayRef<unsigned>({0, 1}));
  EXPECT_EQ(plan->kernelNameAt(0), "main_kernel_0");
  plan->execute();
  std::vector<float> data = makeData(64);
  float sum = 0, squares = 0;
  for (float value : data) {
    sum += value;
    squares += value * value;
  }
  for (float &value : data)
    value = value * sum + squares;
  expectNear(plan->outputBufferAt(0)->as<float>(), data);
}

// Results of one batch share what they have in common.
TEST(KernelsTest, BatchesShareKernels) {
  Tensor x = makeTensor({32, 16}), total = x.exp().sum();
  Tensor a = x * total, b = x + total;
  EXPECT_EQ(countKernels({a, b}), 3u);
  EXPECT_EQ(countKernels(a) + countKernels(b), 4u);
}
