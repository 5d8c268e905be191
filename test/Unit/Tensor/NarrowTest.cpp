// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is made of several operations is computed in f32 and rounded once, also of f16 and bf16.
#include "TensorTesting.h"
#include "pypto/Tensor/NN.h"

using namespace pypto;
using namespace pypto::lazy;

static float getFirst(const Tensor &tensor) { return get<float>(tensor.cast(DType::F32))[0]; }
static Tensor makeFull(llvm::ArrayRef<int64_t> shape, double value, DType dtype = DType::F16) {
  return Tensor::full(shape, value, dtype);
}

// Sums, counts and squares that f16 does not hold.
TEST(NarrowTest, Statistics) {
  EXPECT_EQ(getFirst(makeFull({4096}, 20).mean()), 20);
  EXPECT_EQ(getFirst(makeFull({100000}, 1).mean()), 1);
  EXPECT_EQ(getFirst(makeFull({100000}, 1).variance()), 0);
  EXPECT_EQ(getFirst(makeFull({100000}, 1).stddev({}, false, 1)), 0);
  EXPECT_EQ(getFirst(makeFull({3}, 300).norm()), 519.5f);
  EXPECT_EQ(getFirst(Tensor::fromSlice<float>({2}, {-400, 400}).cast(DType::F16).stddev()), 400);
  EXPECT_EQ(getFirst(makeFull({100000}, 1).logSumExp()), 12.515625f);
  EXPECT_EQ(getFirst(makeFull({4096}, 20, DType::BF16).mean()), 20);
  EXPECT_EQ(makeFull({2}, 1).mean().getDType(), DType::F16);
}

TEST(NarrowTest, AveragePools) {
  Tensor x = makeFull({1, 1, 40, 40}, 50);
  EXPECT_EQ(getFirst(nn::averagePool(x, {40, 40})), 50);
  nn::PoolOptions options;
  options.padding = {20, 20};
  options.countsPadding = false;
  EXPECT_EQ(getFirst(nn::averagePool(x, {40, 40}, options)), 50);
}

TEST(NarrowTest, Scatters) {
  Tensor indices = Tensor::zeros({1024}, DType::I64), x = Tensor::zeros({2}, DType::BF16);
  Tensor sum = x.scatter(indices, 1, 0, ScatterMode::Add);
  EXPECT_EQ(sum.getDType(), DType::BF16);
  EXPECT_EQ(getFirst(sum), 1024);
  Tensor product = (x + 1).scatter(indices, 1.0078125, 0, ScatterMode::Mul);
  EXPECT_EQ(getFirst(product),
            getFirst(Tensor::full({}, std::pow(1.0078125, 1024)).cast(DType::BF16)));
}

/// `build` of narrow floats gives what it gives of wide ones, rounded.
static void expectRoundedOnce(llvm::function_ref<Tensor(const Tensor &, const Tensor &)> build) {
  for (DType dtype : {DType::F16, DType::BF16}) {
    Tensor x = (Tensor::normal({8, 32}, 1) * 3).cast(dtype),
           y = Tensor::normal({8, 32}, 2).cast(dtype);
    x.realize();
    y.realize();
    Tensor narrow = build(x, y), wide = build(x.cast(DType::F32), y.cast(DType::F32)).cast(dtype);
    EXPECT_EQ(narrow.getDType(), dtype);
    EXPECT_EQ(get<float>(narrow.cast(DType::F32)), get<float>(wide.cast(DType::F32)));
  }
}

TEST(NarrowTest, RoundedOnce) {
  auto expect = [](const char *name, auto build) {
    SCOPED_TRACE(name);
    expectRoundedOnce(build);
  };
  using T = const Tensor &;
  expect("squaredDifference", [](T x, T y) { return x.squaredDifference(y); });
  expect("of a number", [](T x, T y) { return x.squaredDifference(0.1); });
  expect("hypot", [](T x, T y) { return x.hypot(y); });
  expect("logAddExp", [](T x, T y) { return x.logAddExp(y); });
  expect("lerp", [](T x, T y) { return x.lerp(y, 0.3); });
  expect("lerp by tensors", [](T x, T y) { return x.lerp(y, x); });
  expect("floorDiv", [](T x, T y) { return x.floorDiv(y); });
  expect("floorMod", [](T x, T y) { return x.floorMod(y); });
  expect("logSumExp", [](T x, T y) { return x.logSumExp(1); });
  expect("mean", [](T x, T y) { return x.mean(1); });
  expect("variance", [](T x, T y) { return x.variance(0); });
  expect("stddev", [](T x, T y) { return x.stddev(0, false, 1); });
  expect("norm", [](T x, T y) { return x.norm(1); });
  expect("trace", [](T x, T y) { return x.trace(); });
  expect("einsum", [](T x, T y) { return Tensor::einsum("ij,ij,ij->ij", {x, y, x}); });
  expect("linear", [](T x, T y) { return nn::linear(x, y, y.select(1, 0)); });
  expect("dropout", [](T x, T y) { return nn::dropout(x, 0.3, 1); });
  expect("conv", [](T x, T y) {
    nn::ConvOptions options;
    options.bias = x.select(1, 0).slice(0, 0, 2);
    return nn::conv(x.reshape({1, 4, 64}), y.slice(0, 0, 2).slice(1, 0, 12).reshape({2, 4, 3}),
                    options);
  });
  expect("convTranspose", [](T x, T y) {
    nn::ConvOptions options;
    options.bias = x.select(1, 0).slice(0, 0, 2);
    return nn::convTranspose(x.reshape({1, 4, 64}),
                             y.slice(0, 0, 4).slice(1, 0, 6).reshape({4, 2, 3}), options);
  });
}
