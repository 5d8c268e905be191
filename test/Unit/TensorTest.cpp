// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Tensor/Plan.h"

#include "gtest/gtest.h"
#include <cmath>
#include <numeric>

using namespace pypto;
using namespace pypto::lazy;

/// 0.25, -0.5, 0.75, …: small numbers of both signs, no two neighbours alike.
static std::vector<float> makeData(size_t count) {
  std::vector<float> data(count);
  for (size_t i = 0; i < count; ++i)
    data[i] = (i % 2 ? -0.25f : 0.25f) * static_cast<float>(1 + i * 7 % 13);
  return data;
}

static Tensor makeTensor(llvm::ArrayRef<int64_t> shape) {
  return Tensor::fromSlice<float>(shape, makeData(countElements(makeShape(shape))));
}

template <typename T> static std::vector<T> get(const Tensor &tensor) {
  return std::vector<T>(tensor.data<T>());
}

static void expectNear(llvm::ArrayRef<float> actual, llvm::ArrayRef<float> expected,
                       float tolerance = 1e-5f) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i)
    ASSERT_NEAR(actual[i], expected[i], tolerance * (1 + std::fabs(expected[i]))) << "at " << i;
}

//===- Laziness -------------------------------------------------------------------===//

TEST(TensorTest, OperationsComputeNothing) {
  uint64_t before = getCounters().kernelsRun;
  Tensor a = makeTensor({2, 3}), b = makeTensor({2, 3});
  Tensor c = (a + b) * 2.0;
  EXPECT_TRUE(a.getBuffer());
  EXPECT_FALSE(c.getBuffer());
  EXPECT_EQ(getCounters().kernelsRun, before);
  c.realize();
  EXPECT_EQ(getCounters().kernelsRun, before + 1);
  EXPECT_TRUE(c.getBuffer());
  std::vector<float> x = makeData(6);
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(c.data<float>()[i], (x[i] + x[i]) * 2);
}

TEST(TensorTest, EqualExpressionsAreOneNode) {
  Tensor a = makeTensor({4}), b = makeTensor({4});
  EXPECT_EQ((a + b).getNode(), (a + b).getNode());
  EXPECT_NE((a + b).getNode(), (b + a).getNode());
  EXPECT_NE(a.getNode(), b.getNode());
}

TEST(TensorTest, NodesDieWithTheirTensors) {
  size_t before = getNumLiveNodes();
  {
    Tensor a = makeTensor({4});
    Tensor b = a;
    for (int i = 0; i < 100000; ++i)
      b = b + a;
    EXPECT_GT(getNumLiveNodes(), before + 100000);
  }
  EXPECT_EQ(getNumLiveNodes(), before);
}

//===- Elements --------------------------------------------------------------------===//

TEST(TensorTest, MatmulBiasSum) {
  Tensor a = makeTensor({5, 7}), b = makeTensor({7, 3}), bias = makeTensor({3});
  Tensor c = a.matmul(b) + bias, total = c.sum(0);
  std::vector<float> x = makeData(35), y = makeData(21), z = makeData(3), expected(15), sums(3);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 7; ++k)
        expected[i * 3 + j] += x[i * 7 + k] * y[k * 3 + j];
      expected[i * 3 + j] += z[j];
      sums[j] += expected[i * 3 + j];
    }
  Tensor::realizeBatch({c, total});
  expectNear(c.data<float>(), expected);
  expectNear(total.data<float>(), sums);
}
