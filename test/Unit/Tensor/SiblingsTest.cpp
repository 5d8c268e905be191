// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with several results: how many there are, and that each has the bits that it has alone.
#include "TensorTesting.h"
#include "pypto/Runtime/ParallelFor.h"

#include <cstring>
#include <limits>
#include <random>

using namespace pypto;
using namespace pypto::lazy;

using Results = std::vector<Tensor>;

static size_t countKernels(const Results &results) {
  return Tensor::prepareBatch(results)->numKernels();
}

template <typename T> static void unifyNaNs(Buffer &buffer) {
  for (T &value : buffer.as<T>())
    value = std::isnan(value) ? std::numeric_limits<T>::quiet_NaN() : value;
}

/// The elements; which NaN one is, is open.
static std::string getBytes(const Tensor &tensor) {
  BufferRef buffer = tensor.getBuffer();
  if (tensor.getDType() == DType::F32)
    unifyNaNs<float>(*buffer);
  if (tensor.getDType() == DType::F64)
    unifyNaNs<double>(*buffer);
  return std::string(buffer->data(), buffer->getNumBytes());
}

/// The results that `make` gives of a tensor are the same bits together, and each alone.
static void expectSameBits(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<float> data,
                           llvm::function_ref<Results(const Tensor &)> make) {
  Tensor x = Tensor::fromSlice<float>(shape, data);
  std::vector<std::string> alone;
  for (size_t i = 0, e = make(x).size(); i != e; ++i) {
    Tensor result = make(x)[i];
    result.realize();
    alone.push_back(getBytes(result));
  }
  for (unsigned threads : {1, 2, 8}) {
    runtime::setParallelThreads(threads);
    Results together = make(x);
    Tensor::realizeBatch(together);
    for (size_t i = 0; i != together.size(); ++i)
      EXPECT_TRUE(getBytes(together[i]) == alone[i]) << "result " << i << " on " << threads;
  }
  runtime::setParallelThreads(0);
}

static std::vector<float> makeRandom(size_t count, bool isSpecial) {
  std::mt19937 random(count + isSpecial);
  std::uniform_real_distribution<float> distribution(-3, 3);
  std::vector<float> data(count);
  for (float &value : data) {
    value = distribution(random);
    if (isSpecial && random() % 64 == 0) {
      constexpr float kInfinity = std::numeric_limits<float>::infinity();
      float special[] = {kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN(), -0.0f};
      value = special[random() % 4];
    }
  }
  return data;
}

/// Several results of one tensor.
static const std::pair<const char *, Results (*)(const Tensor &)> kMakers[] = {
    {"rows", [](const Tensor &x) -> Results { return {x.sum({-1}), x.max({-1})}; }},
    {"squares", [](const Tensor &x) -> Results { return {x.sum({-1}), (x * x).sum({-1})}; }},
    {"columns", [](const Tensor &x) -> Results { return {x.sum({0}), x.min({0}), x.prod({0})}; }},
    {"everything", [](const Tensor &x) -> Results { return {x.sum(), x.max(), (x * x).sum()}; }},
    {"elements", [](const Tensor &x) -> Results { return {x + 1.0, x * 2.0, x.abs()}; }},
    {"functions", [](const Tensor &x) -> Results { return {x.sin(), x.cos(), x.exp()}; }},
    {"mixed", [](const Tensor &x) -> Results { return {x + 1.0, x.sum({-1}), x.max({-1})}; }},
    {"elements and a sum", [](const Tensor &x) -> Results { return {x - 1.0, x.sum()}; }},
    {"a chain",
     [](const Tensor &x) -> Results {
       Tensor y = x * 2.0, z = y.exp();
       return {y, z, z + y, y.sum({-1})};
     }},
    {"a norm and its parts",
     [](const Tensor &x) -> Results {
       Tensor mean = x.mean({-1}, true), y = (x - mean) * 0.5;
       return {mean, y, y.max({-1})};
     }},
    {"a softmax beside rows",
     [](const Tensor &x) -> Results { return {x.softmax(), x + 1.0, x.max({-1})}; }},
    {"turned around", [](const Tensor &x) -> Results { return {x + 1.0, x.transpose() * 2.0}; }},
    {"other types",
     [](const Tensor &x) -> Results {
       return {x.cast(DType::F64), x.sum({-1}), x.greater(0.0), x.cast(DType::F64).sum({-1})};
     }},
    {"five", [](const Tensor &x) -> Results {
       return {x + 1.0, x + 2.0, x + 3.0, x + 4.0, x + 5.0, x.sum({-1})};
     }}};

TEST(SiblingsTest, SameBits) {
  for (auto [name, make] : kMakers)
    for (llvm::ArrayRef<int64_t> shape : std::initializer_list<std::vector<int64_t>>{
             {1, 1}, {3, 5}, {7, 33}, {64, 256}, {37, 613}, {1, 1000}, {1000, 1}, {600, 700}})
      for (bool isSpecial : {false, true}) {
        SCOPED_TRACE(testing::Message() << name << " of " << shape[0] << "x" << shape[1]
                                        << (isSpecial ? " with special numbers" : ""));
        expectSameBits(shape, makeRandom(shape[0] * shape[1], isSpecial), make);
      }
}

TEST(SiblingsTest, NoElements) {
  // The greatest of nothing is an error.
  expectSameBits({0, 5}, {}, [](const Tensor &x) -> Results {
    return {x + 1.0, x * 2.0, x.sum({-1}), x.sum({0}), x.sum()};
  });
}

TEST(SiblingsTest, Counts) {
  Tensor x = makeTensor({64, 512});
  EXPECT_EQ(countKernels({x.sum({-1}), x.max({-1})}), 1u);
  EXPECT_EQ(countKernels({x.sum({0}), x.max({0})}), 1u);
  EXPECT_EQ(countKernels({x.sum({-1}), (x * x).sum({-1}), x + 1.0}), 1u);
  EXPECT_EQ(countKernels({x + 1.0, x * 2.0}), 1u);
  EXPECT_EQ(countKernels({x.mean({-1}), x.variance({-1})}), 1u);
  // A value, and what becomes of it.
  Tensor y = x * 2.0;
  EXPECT_EQ(countKernels({y, y.exp()}), 1u);
  Tensor mean = x.mean({-1}, true);
  EXPECT_EQ(countKernels({mean, x - mean}), 1u);
  // Rows of a softmax, and rows of what it is made of.
  EXPECT_EQ(countKernels({x + 1.0, x.softmax()}), 1u);
  // Parts of both sums, then each sum of them.
  Tensor large = makeTensor({1024, 1024});
  EXPECT_LE(countKernels({large.sum(), large.max()}), 3u);
}

// What stays apart: two that compute for long, two that share no loop, products.
TEST(SiblingsTest, Apart) {
  Tensor x = makeTensor({64, 512}), w = makeTensor({512, 8});
  EXPECT_EQ(countKernels({x.sin().exp(), x.cos().exp()}), 2u);
  EXPECT_EQ(countKernels({x.sum({0}), x.sum({1})}), 2u);
  EXPECT_EQ(countKernels({x.matmul(w), x + 1.0}), 2u);
  EXPECT_EQ(countKernels({x + 1.0, x + 2.0, x + 3.0, x + 4.0, x + 5.0}), 2u);
}

// A needs nothing of C, but B needs A, and C needs B: A and C are no kernel.
TEST(SiblingsTest, NoCycles) {
  Tensor x = makeTensor({64, 512});
  Tensor a = x + 1.0, b = a.sum(), c = x * b;
  Results results = {a, b, c};
  EXPECT_GE(countKernels(results), 2u);
  Tensor::realizeBatch(results);
  std::vector<float> data = makeData(64 * 512), added(data);
  float sum = 0;
  for (float &value : added)
    sum += value += 1;
  expectNear(get<float>(a), added);
  expectNear(get<float>(b), {sum}, 1e-3f);
  for (float &value : data)
    value *= get<float>(b)[0];
  expectNear(get<float>(c), data);
}
