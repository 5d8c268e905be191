// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many kernels graphs need.
#include "TensorTesting.h"
#include "pypto/Tensor/NN.h"

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
  // Parts, then their sum with what becomes of it.
  Tensor large = makeTensor({1024, 1024});
  EXPECT_EQ(countKernels(large.sum()), 2u);
  EXPECT_EQ(countKernels(large.mean()), 2u);
  EXPECT_EQ(countKernels(large.cast(DType::BF16).sum()), 2u);
}

// A gate of two products, and the product behind it: what is computed once is not computed for each
// column.
TEST(KernelsTest, FeedForward) {
  Tensor x = makeTensor({2, 32, 64}), gate = makeTensor({64, 96}), up = makeTensor({64, 96});
  Tensor down = makeTensor({96, 64}), bias = makeTensor({96});
  Tensor hidden = (x.matmul(gate) + bias).silu() * (x.matmul(up) + bias);
  EXPECT_EQ(countKernels(hidden), 1u);
  EXPECT_LE(countKernels(hidden.matmul(down)), 2u);
}

// Weights that no cache keeps: the gate and its two products are one kernel, the last product
// another.
TEST(KernelsTest, FeedForwardOfLargeWeights) {
  Tensor x = Tensor::full({3, 64, 768}, 0.5).contiguous();
  Tensor gate = Tensor::full({768, 768}, 0.25).contiguous(), down = gate.transpose().contiguous();
  Tensor hidden = x.matmul(gate).silu() * x.matmul(gate + 1.0);
  EXPECT_EQ(countKernels(hidden), 1u);
  x.realize();
  gate.realize();
  down.realize();
  EXPECT_EQ(countKernels(x.matmul(gate).silu() * x.matmul(down)), 1u);
  EXPECT_EQ(countKernels((x.matmul(gate).silu() * x.matmul(down)).matmul(gate)), 2u);
  Tensor biased =
      (x.matmul(gate).silu() * x.matmul(down)).matmul(gate) + x.select(1, 0).unsqueeze(1);
  EXPECT_EQ(countKernels(biased), 2u);
  // One product alone follows what reads it, or not, as before.
  EXPECT_EQ(countKernels(x.matmul(gate).silu().matmul(down)), 2u);
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

// Keys that no cache keeps are read again for each block of queries rather than scores kept.
TEST(KernelsTest, LongAttention) {
  Tensor q = makeTensor({8192, 64}), k = makeTensor({8192, 64}), v = makeTensor({8192, 64});
  for (bool isCausal : {false, true}) {
    std::unique_ptr<ExecutionPlan> plan = q.attention(k, v, isCausal).prepare();
    EXPECT_EQ(plan->numKernels(), 1u);
    EXPECT_EQ(plan->getScratchBytes(), 0);
  }
}

// Heads that share keys read them where they are.
TEST(KernelsTest, AttentionOfSharedHeads) {
  Tensor q = makeTensor({8, 256, 16}), k = makeTensor({2, 256, 16}), v = makeTensor({2, 256, 16});
  Tensor one = makeTensor({8, 1, 16});
  for (const Tensor &tensor : {q.attention(k, v, true), q.attention(k, v), one.attention(k, v)}) {
    std::unique_ptr<ExecutionPlan> plan = tensor.prepare();
    EXPECT_EQ(plan->numKernels(), 1u);
    EXPECT_EQ(plan->getScratchBytes(), 0);
  }
}

/// One kernel that keeps at most so much beside the result: no table of positions, mask or matrix
/// of zeros and ones is in memory.
static void expectOneKernel(const char *name, const Tensor &tensor, int64_t most = 0) {
  SCOPED_TRACE(name);
  std::unique_ptr<ExecutionPlan> plan = tensor.prepare();
  EXPECT_EQ(plan->numKernels(), 1u);
  EXPECT_LE(plan->getScratchBytes(), most);
}

TEST(KernelsTest, NoWideIntermediates) {
  Tensor table = makeTensor({100, 8}), indices = Tensor::fromSlice<int64_t>({5}, {1, 2, 99, 0, 7});
  expectOneKernel("embedding", table.take(indices));
  expectOneKernel("embedding of sums", table.take(indices + 1) * 2.0);
  expectOneKernel("one-hot", indices.oneHot(1000));
  expectOneKernel("one-hot that is multiplied", indices.oneHot(100).matmul(table));
  expectOneKernel("arange", Tensor::arange(1000) * 3);
  expectOneKernel("sums of ones", Tensor::ones({1000}, DType::I64).cumSum(0), /*most=*/64);
  expectOneKernel("lower triangle", Tensor::ones({64, 64}).tril());
  expectOneKernel("upper triangle", makeTensor({64, 64}).triu(1));
  expectOneKernel("triangle that is summed", makeTensor({64, 64}).tril().sum(1));
  expectOneKernel("identity", Tensor::eye(100));
  expectOneKernel("diagonal", makeTensor({100}).diag());
  expectOneKernel("random numbers", Tensor::normal({100, 100}, 1));
  expectOneKernel("gather", makeTensor({100, 8}).gather(indices.reshape({5, 1}), 0));
}

TEST(KernelsTest, CountsOfOtherOperations) {
  Tensor x = makeTensor({4, 8, 16});
  for (const Tensor &each :
       {x.logSumExp({-1}), x.variance({-1}), x.norm({-1}), x.glu(), x.unfold(2, 3).sum(-1),
        x.padWith({{0, 0}, {0, 0}, {2, 2}}, PadMode::Reflect), x.roll(3, 1), x.slice(1, 0, 8, -2),
        x.repeat({2, 1, 1}), Tensor::stack({x, x + 1.0}, 0)})
    expectOneKernel("of x", each);
  // What a scan has so far: one element for each row.
  expectOneKernel("sums", x.cumSum(1), /*most=*/4 * 16 * 4);
  expectOneKernel("greatest so far", (x * 2.0).cumMax(-1).exp(), /*most=*/4 * 8 * 4);
  expectOneKernel("layer norm", nn::layerNorm(x, makeTensor({16}), makeTensor({16})));
  expectOneKernel("group norm", nn::groupNorm(x, 2, makeTensor({8})));
  expectOneKernel("batch norm", nn::batchNorm(x, makeTensor({8}), makeTensor({8}).abs()));
  expectOneKernel("maxPool", nn::maxPool(x, {3}));
  expectOneKernel("averagePool", nn::averagePool(x, {2}));
  EXPECT_LE(countKernels(nn::averagePool(x, {2, 2})), 2u);
  // Sines and cosines are computed once for all heads.
  EXPECT_LE(countKernels(nn::rotary(x)), 4u);
  expectOneKernel("linear", nn::linear(x, makeTensor({5, 16}), makeTensor({5})).gelu());
  expectOneKernel("1x1 convolution", nn::conv(x, makeTensor({5, 8, 1})));
  EXPECT_LE(countKernels(nn::conv(x, makeTensor({5, 8, 3}))), 2u);
  // Nothing of the size of the logits is in memory.
  Tensor target = Tensor::fromSlice<int64_t>({4, 8}, std::vector<int64_t>(32, 3));
  EXPECT_LT(nn::crossEntropy(x, target).prepare()->getScratchBytes(), 4 * 8 * 16 * 4);
  EXPECT_EQ(countKernels(x.argSort()), 1u);
  EXPECT_EQ(countKernels(x.sort()), 2u);
  EXPECT_LE(countKernels(x.scatter(Tensor::zeros({4, 1, 16}, DType::I64), 1, 1)), 2u);
}

TEST(KernelsTest, Dependencies) {
  // Two sums of everything that do not wait for each other, and what waits for both.
  Tensor x = makeTensor({64}), y = makeTensor({64}), a = x.sum(), b = (y * y).sum();
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
  EXPECT_EQ(countKernels({a, b}), 2u);
  EXPECT_EQ(countKernels(a) + countKernels(b), 4u);
}
