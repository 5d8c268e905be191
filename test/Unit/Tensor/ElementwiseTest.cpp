// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TensorTesting.h"

#include <limits>

using namespace pypto;
using namespace pypto::lazy;

static constexpr float kInfinity = std::numeric_limits<float>::infinity();
static constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// Compares an operation with a function of one float, on ordinary and on special values.
static void expectUnary(const char *name, llvm::function_ref<Tensor(Tensor)> operation,
                        llvm::function_ref<double(double)> reference, bool isPositive = false) {
  SCOPED_TRACE(name);
  std::vector<float> data = makeData(23), expected;
  data.insert(data.end(), {0.f, -0.f, 1.f, -1.f, 20.f, -20.f, kInfinity, -kInfinity, kNaN});
  if (isPositive)
    for (float &x : data)
      x = std::fabs(x);
  for (float x : data)
    expected.push_back(static_cast<float>(reference(x)));
  Tensor x = Tensor::fromSlice<float>({static_cast<int64_t>(data.size())}, data);
  expectNear(operation(x).data<float>(), expected);
}

TEST(ElementwiseTest, FunctionsOfOneFloat) {
  expectUnary("neg", [](Tensor x) { return -x; }, [](double x) { return -x; });
  expectUnary("abs", [](Tensor x) { return x.abs(); }, [](double x) { return std::fabs(x); });
  expectUnary("sqrt", [](Tensor x) { return x.sqrt(); }, [](double x) { return std::sqrt(x); });
  expectUnary(
      "rsqrt", [](Tensor x) { return x.rsqrt(); }, [](double x) { return 1 / std::sqrt(x); }, true);
  expectUnary(
      "reciprocal", [](Tensor x) { return x.reciprocal(); }, [](double x) { return 1 / x; });
  expectUnary("square", [](Tensor x) { return x.square(); }, [](double x) { return x * x; });
  expectUnary(
      "sign", [](Tensor x) { return x.sign(); },
      [](double x) { return x > 0   ? 1
                            : x < 0 ? -1
                                    : x; });
  expectUnary("exp", [](Tensor x) { return x.exp(); }, [](double x) { return std::exp(x); });
  expectUnary("exp2", [](Tensor x) { return x.exp2(); }, [](double x) { return std::exp2(x); });
  expectUnary("log", [](Tensor x) { return x.log(); }, [](double x) { return std::log(x); });
  expectUnary("log2", [](Tensor x) { return x.log2(); }, [](double x) { return std::log2(x); });
  expectUnary("sin", [](Tensor x) { return x.sin(); }, [](double x) { return std::sin(x); });
  expectUnary("cos", [](Tensor x) { return x.cos(); }, [](double x) { return std::cos(x); });
  expectUnary("tanh", [](Tensor x) { return x.tanh(); }, [](double x) { return std::tanh(x); });
  expectUnary("erf", [](Tensor x) { return x.erf(); }, [](double x) { return std::erf(x); });
  expectUnary("floor", [](Tensor x) { return x.floor(); }, [](double x) { return std::floor(x); });
  expectUnary("ceil", [](Tensor x) { return x.ceil(); }, [](double x) { return std::ceil(x); });
  expectUnary(
      "round", [](Tensor x) { return x.round(); }, [](double x) { return std::nearbyint(x); });
  expectUnary("trunc", [](Tensor x) { return x.trunc(); }, [](double x) { return std::trunc(x); });
}

TEST(ElementwiseTest, Activations) {
  auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  auto softplus = [](double x) {
    return std::max(x, 0.0) + (std::isnan(x) ? x : std::log1p(std::exp(-std::fabs(x))));
  };
  auto clamp = [](double x, double low, double high) {
    return std::isnan(x) ? x : std::min(std::max(x, low), high);
  };
  expectUnary(
      "relu", [](Tensor x) { return x.relu(); }, [&](double x) { return clamp(x, 0, kInfinity); });
  expectUnary(
      "relu6", [](Tensor x) { return x.relu6(); }, [&](double x) { return clamp(x, 0, 6); });
  expectUnary("sigmoid", [](Tensor x) { return x.sigmoid(); }, sigmoid);
  expectUnary("silu", [](Tensor x) { return x.silu(); }, [&](double x) { return x * sigmoid(x); });
  expectUnary(
      "gelu", [](Tensor x) { return x.gelu(); },
      [](double x) { return x * 0.5 * (1 + std::erf(x / std::sqrt(2.0))); });
  expectUnary(
      "geluTanh", [](Tensor x) { return x.geluTanh(); },
      [](double x) {
        return x * 0.5 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
      });
  expectUnary(
      "quickGelu", [](Tensor x) { return x.quickGelu(); },
      [&](double x) { return x * sigmoid(1.702 * x); });
  expectUnary("softplus", [](Tensor x) { return x.softplus(); }, softplus);
  expectUnary(
      "mish", [](Tensor x) { return x.mish(); },
      [&](double x) { return x * std::tanh(softplus(x)); });
  expectUnary(
      "hardSigmoid", [](Tensor x) { return x.hardSigmoid(); },
      [&](double x) { return clamp(x / 6 + 0.5, 0, 1); });
  expectUnary(
      "hardSwish", [](Tensor x) { return x.hardSwish(); },
      [&](double x) { return x * clamp(x + 3, 0, 6) / 6; });
  expectUnary(
      "leakyRelu", [](Tensor x) { return x.leakyRelu(0.5); },
      [](double x) { return x < 0 ? 0.5 * x : x; });
  expectUnary(
      "elu", [](Tensor x) { return x.elu(); },
      [](double x) { return x < 0 ? std::exp(x) - 1 : x; });
}

TEST(ElementwiseTest, FloatsOfTwoTensors) {
  Tensor a = makeTensor({2, 3}), b = Tensor::fromSlice<float>({3}, {2, -4, 0.5});
  std::vector<float> x = makeData(6), y = {2, -4, 0.5};
  auto expect = [&](const Tensor &tensor, llvm::function_ref<float(float, float)> reference) {
    std::vector<float> expected;
    for (int i = 0; i < 6; ++i)
      expected.push_back(reference(x[i], y[i % 3]));
    expectNear(tensor.data<float>(), expected);
  };
  expect(a + b, [](float x, float y) { return x + y; });
  expect(a - b, [](float x, float y) { return x - y; });
  expect(a * b, [](float x, float y) { return x * y; });
  expect(a / b, [](float x, float y) { return x / y; });
  expect(a % b, [](float x, float y) { return std::fmod(x, y); });
  expect(a.maximum(b), [](float x, float y) { return std::max(x, y); });
  expect(a.minimum(b), [](float x, float y) { return std::min(x, y); });
  expect(a.abs().pow(b), [](float x, float y) { return std::pow(std::fabs(x), y); });
  for (int exponent : {-2, -1, 0, 1, 2, 3, 4, 5})
    expect(a.pow(exponent), [&](float x, float) { return std::pow(x, float(exponent)); });
  expect(a.cast(DType::F16).pow(3).cast(DType::F32),
         [](float x, float) { return float(_Float16(std::pow(float(_Float16(x)), 3.0f))); });
  expect(a.less(b).where(a, b), [](float x, float y) { return x < y ? x : y; });
  expect(a.greaterEqual(b).cast(DType::F32), [](float x, float y) { return x >= y; });
  expect(2.0 - a, [](float x, float) { return 2 - x; });
  expect(a.clamp(-1, 1), [](float x, float) { return std::min(std::max(x, -1.f), 1.f); });
}

TEST(ElementwiseTest, IntegersWrapAndNeverTrap) {
  constexpr int32_t least = std::numeric_limits<int32_t>::min();
  Tensor a = Tensor::fromSlice<int32_t>({5}, {7, -7, least, 5, least});
  Tensor b = Tensor::fromSlice<int32_t>({5}, {2, 2, -1, 0, 1});
  using Integers = std::vector<int32_t>;
  EXPECT_EQ(get<int32_t>(a / b), (Integers{3, -3, least, 0, least}));
  EXPECT_EQ(get<int32_t>(a % b), (Integers{1, -1, 0, 0, 0}));
  EXPECT_EQ(get<int32_t>(a - b),
            (Integers{5, -9, least + 1, 5, std::numeric_limits<int32_t>::max()}));
  EXPECT_EQ(get<int32_t>(a.bitwiseXor(b)), (Integers{5, -5, 0x7fffffff, 5, least + 1}));
  EXPECT_EQ(get<int32_t>(a.shiftLeft(33)), (Integers{0, 0, 0, 0, 0}));
  EXPECT_EQ(get<int32_t>(a.bitwiseNot()), (Integers{-8, 6, 0x7fffffff, -6, 0x7fffffff}));
  Tensor u = Tensor::fromSlice<uint8_t>({3}, {200, 100, 0});
  EXPECT_EQ(get<uint8_t>(u / 7), (std::vector<uint8_t>{28, 14, 0}));
  EXPECT_EQ(get<bool>(u.greater(150)), (std::vector<bool>{true, false, false}));
}

TEST(ElementwiseTest, Casts) {
  Tensor a = Tensor::fromSlice<float>({5}, {1.75, -2.5, 300, kNaN, -1e20f});
  EXPECT_EQ(get<int8_t>(a.cast(DType::I8)), (std::vector<int8_t>{1, -2, 127, 0, -128}));
  EXPECT_EQ(get<uint8_t>(a.cast(DType::U8)), (std::vector<uint8_t>{1, 0, 255, 0, 0}));
  EXPECT_EQ(get<bool>(a.cast(DType::Bool)), (std::vector<bool>{true, true, true, true, true}));
  EXPECT_EQ(get<double>(a.cast(DType::F64))[1], -2.5);
  Tensor third = Tensor::full({1}, 1.0 / 3, DType::F32);
  EXPECT_EQ(get<float>(third.cast(DType::BF16).cast(DType::F32))[0], 0.333984375f);
  EXPECT_EQ(get<float>(third.cast(DType::F16).cast(DType::F32))[0], 0.333251953125f);
  EXPECT_EQ(get<int32_t>(a.bitcast(DType::I32))[1], int32_t(0xc0200000));
}

// Narrow floats are rounded after each operation.
TEST(ElementwiseTest, NarrowFloats) {
  Tensor a = makeTensor({7}).cast(DType::BF16), b = makeTensor({7}).exp().cast(DType::BF16);
  Tensor sum = (a + b).cast(DType::F32), expected = a.cast(DType::F32) + b.cast(DType::F32);
  expectNear(sum.data<float>(), expected.cast(DType::BF16).cast(DType::F32).data<float>(), 0);
  EXPECT_EQ(a.exp().getDType(), DType::BF16);
  expectNear(a.exp().cast(DType::F32).data<float>(), makeTensor({7}).exp().data<float>(), 1e-2f);
}

TEST(ElementwiseTest, TypesOfResults) {
  Tensor i8 = Tensor::zeros({1}, DType::I8), u8 = Tensor::zeros({1}, DType::U8);
  Tensor f16 = Tensor::zeros({1}, DType::F16), bf16 = Tensor::zeros({1}, DType::BF16);
  Tensor i64 = Tensor::zeros({1}, DType::I64), flag = Tensor::zeros({1}, DType::Bool);
  EXPECT_EQ((i8 + u8).getDType(), DType::I16);
  EXPECT_EQ((f16 + bf16).getDType(), DType::F32);
  EXPECT_EQ((i64 + f16).getDType(), DType::F16);
  EXPECT_EQ((i8 + 1).getDType(), DType::I8);
  EXPECT_EQ((i8 + 1.5).getDType(), DType::F32);
  EXPECT_EQ((f16 * 2).getDType(), DType::F16);
  EXPECT_EQ((flag.maximum(i8)).getDType(), DType::I8);
}

TEST(ElementwiseTest, Errors) {
  Tensor a = makeTensor({2}), flag = a.less(0), integer = a.cast(DType::I32);
  EXPECT_EQ(getError(integer.tryExp()), "exp: expects floats, but got i32");
  EXPECT_EQ(getError(flag.tryNeg()), "neg: expects numbers, but got bool");
  EXPECT_EQ(getError(flag.tryAdd(flag)), "add: expects numbers, but got bool");
  EXPECT_EQ(getError(a.tryBitwiseAnd(a)), "bitwiseAnd: expects integers, but got f32");
  EXPECT_EQ(getError(a.tryWhere(a, a)), "where: expects bools to choose by, but got f32");
  EXPECT_EQ(getError(a.tryLogicalNot()), "logicalNot: expects bools, but got f32");
  EXPECT_EQ(getError(a.tryBitcast(DType::I64)),
            "bitcast: expects element types of one size, but got f32 and i64");
  EXPECT_EQ(getError(flag.tryPow(flag)), "pow: expects numbers, but got bool");
  EXPECT_THROW((void)a.data<int32_t>(), TensorException);
}
