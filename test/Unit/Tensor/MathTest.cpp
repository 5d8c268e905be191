// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of one and two numbers beside the arithmetic of ElementwiseTest.
#include "TensorTesting.h"

#include <limits>

using namespace pypto;
using namespace pypto::lazy;

static constexpr float kInfinity = std::numeric_limits<float>::infinity();
static constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

namespace {
struct Function {
  const char *name;
  Tensor (*operation)(const Tensor &);
  double (*reference)(double);
};
} // namespace

#define FUNCTION(NAME, EXPRESSION)                                                                 \
  {#NAME, [](const Tensor &x) { return x.NAME(); }, [](double x) -> double { return EXPRESSION; }}

/// On ordinary and on special values, as f32, f64 and bf16, in one graph for each type.
static void expectFunctions(llvm::ArrayRef<Function> functions, double scale = 1) {
  std::vector<double> data;
  for (float x : makeData(23))
    data.push_back(x * scale);
  data.insert(data.end(), {0., -0., 1., -1., 0.5, 1e-6, kInfinity, -kInfinity, kNaN});
  for (DType dtype : {DType::F32, DType::F64, DType::BF16}) {
    Tensor x = Tensor::fromSlice<double>({int64_t(data.size())}, data).cast(dtype);
    std::vector<double> seen = get<double>(x.cast(DType::F64));
    std::vector<Tensor> results;
    for (const Function &function : functions)
      results.push_back(function.operation(x).cast(DType::F64));
    Tensor::realizeBatch(results);
    double tolerance = dtype == DType::F64 ? 1e-12 : dtype == DType::F32 ? 4e-6 : 2e-2;
    for (auto [function, result] : llvm::zip_equal(functions, results))
      for (size_t i = 0; i < data.size(); ++i) {
        double actual = result.data<double>()[i], expected = function.reference(seen[i]);
        SCOPED_TRACE(std::string(function.name) + " of " + std::to_string(seen[i]) + " as " +
                     stringifyDType(dtype).str());
        if (std::isnan(expected))
          EXPECT_TRUE(std::isnan(actual)) << actual;
        else if (std::isinf(expected))
          EXPECT_EQ(actual, expected);
        else
          EXPECT_NEAR(actual, expected, tolerance * (1e-3 + std::fabs(expected)));
      }
  }
}

TEST(MathTest, FunctionsOfOneFloat) {
  expectFunctions({FUNCTION(cbrt, std::cbrt(x)), FUNCTION(expm1, std::expm1(x)),
                   FUNCTION(log10, std::log10(x)), FUNCTION(atan, std::atan(x)),
                   FUNCTION(sinh, std::sinh(x)), FUNCTION(cosh, std::cosh(x)),
                   FUNCTION(asinh, std::asinh(x)), FUNCTION(acosh, std::acosh(x)),
                   FUNCTION(erfc, std::erfc(x)), FUNCTION(frac, x - std::trunc(x))});
  expectFunctions({FUNCTION(log1p, std::log1p(x)), FUNCTION(asin, std::asin(x)),
                   FUNCTION(acos, std::acos(x)), FUNCTION(atanh, std::atanh(x)),
                   FUNCTION(tan, std::tan(x))},
                  /*scale=*/0.25);
}

TEST(MathTest, Activations) {
  expectFunctions(
      {FUNCTION(logSigmoid, -(std::max(-x, 0.) + std::log1p(std::exp(-std::fabs(x))))),
       FUNCTION(softsign, std::isinf(x) ? kNaN : x / (1 + std::fabs(x))),
       FUNCTION(selu, 1.0507009873554805 * (x < 0 ? 1.6732632423543772 * std::expm1(x) : x)),
       FUNCTION(tanhShrink, x - std::tanh(x)),
       FUNCTION(hardTanh, std::isnan(x) ? x : std::min(std::max(x, -1.), 1.)),
       FUNCTION(isFinite, std::isfinite(x)), FUNCTION(isInf, std::isinf(x)),
       FUNCTION(isNaN, std::isnan(x))});
}

TEST(MathTest, ActivationsWithNumbers) {
  std::vector<float> data = makeData(12), expected;
  Tensor x = makeTensor({12});
  auto expect = [&](const Tensor &actual, llvm::function_ref<float(float)> reference) {
    std::vector<float> expected;
    for (float value : data)
      expected.push_back(reference(value));
    expectNear(actual.data<float>(), expected);
  };
  expect(x.leakyRelu(0.1), [](float x) { return x < 0 ? 0.1f * x : x; });
  expect(x.prelu(Tensor::full({}, 0.3)), [](float x) { return x < 0 ? 0.3f * x : x; });
  expect(x.elu(2), [](float x) { return x < 0 ? 2 * std::expm1(x) : x; });
  expect(x.celu(2), [](float x) { return x < 0 ? 2 * std::expm1(x / 2) : x; });
  expect(x.hardShrink(1), [](float x) { return std::fabs(x) <= 1 ? 0 : x; });
  expect(x.softShrink(1), [](float x) { return x > 1 ? x - 1 : x < -1 ? x + 1 : 0; });
  expect(x.clamp(-1, 1), [](float x) { return std::min(std::max(x, -1.f), 1.f); });
  expect(x.lerp(2, 0.25), [](float x) { return x + (2 - x) * 0.25f; });
  expect(x.maskedFill(x.less(0), 9), [](float x) { return x < 0 ? 9 : x; });
  std::vector<float> gated;
  for (int i = 0; i < 6; ++i)
    gated.push_back(data[i] / (1 + std::exp(-data[i + 6])));
  expectNear(x.glu().data<float>(), gated);
  EXPECT_EQ(getError(makeTensor({2, 3}).tryGlu()),
            "glu: expects an even extent at axis 1, but got (2, 3)");
  EXPECT_EQ(getError(x.tryCelu(0)), "celu: expects an alpha other than 0");
  EXPECT_EQ(getError(x.tryMaskedFill(makeTensor({2, 1}).less(0), 1)),
            "maskedFill: expects a mask that broadcasts to (12,), but got (2, 1)");
  EXPECT_EQ(getError(x.less(0).tryRelu()), "relu: expects numbers, but got bool");
}

TEST(MathTest, FunctionsOfTwoFloats) {
  std::vector<float> x, y;
  for (float a : {0.f, -0.f, 1.f, -2.5f, 3e30f, kInfinity, -kInfinity, kNaN})
    for (float b : {0.f, 2.f, -0.75f, -4e30f, kInfinity, -kInfinity, kNaN}) {
      x.push_back(a);
      y.push_back(b);
    }
  Tensor a = Tensor::fromSlice<float>({int64_t(x.size())}, x);
  Tensor b = Tensor::fromSlice<float>({int64_t(y.size())}, y);
  auto expect = [&](const char *name, const Tensor &actual,
                    llvm::function_ref<double(double, double)> reference) {
    SCOPED_TRACE(name);
    std::vector<float> expected;
    for (size_t i = 0; i < x.size(); ++i)
      expected.push_back(static_cast<float>(reference(x[i], y[i])));
    expectNear(actual.data<float>(), expected);
  };
  expect("atan2", a.atan2(b), [](double x, double y) { return std::atan2(x, y); });
  // An infinity is one, whatever is beside it.
  expect("hypot", a.hypot(b), [](double x, double y) { return std::hypot(x, y); });
  expect("logAddExp", a.logAddExp(b), [](double x, double y) {
    if (std::isnan(x) || std::isnan(y))
      return static_cast<double>(kNaN);
    return x == y ? x + std::log(2) : std::max(x, y) + std::log1p(std::exp(-std::fabs(x - y)));
  });
  expect("squaredDifference", a.squaredDifference(b),
         [](double x, double y) { return static_cast<float>(x - y) * static_cast<float>(x - y); });
}

TEST(MathTest, FlooredDivision) {
  using Integers = std::vector<int32_t>;
  constexpr int32_t least = std::numeric_limits<int32_t>::min();
  Tensor a = Tensor::fromSlice<int32_t>({7}, {7, -7, 7, -7, 6, 0, least});
  Tensor b = Tensor::fromSlice<int32_t>({7}, {2, 2, -2, -2, -3, 5, 3});
  EXPECT_EQ(get<int32_t>(a.floorDiv(b)), (Integers{3, -4, -4, 3, -2, 0, -715827883}));
  EXPECT_EQ(get<int32_t>(a.floorMod(b)), (Integers{1, 1, -1, -1, 0, 0, 1}));
  Tensor u = Tensor::fromSlice<uint8_t>({2}, {200, 7});
  EXPECT_EQ(get<uint8_t>(u.floorDiv(9)), (std::vector<uint8_t>{22, 0}));
  EXPECT_EQ(get<uint8_t>(u.floorMod(9)), (std::vector<uint8_t>{2, 7}));
  Tensor x = Tensor::fromSlice<float>({4}, {5.5, -5.5, 5.5, -6});
  Tensor y = Tensor::fromSlice<float>({4}, {2, 2, -2, 3});
  EXPECT_EQ(get<float>(x.floorDiv(y)), (std::vector<float>{2, -3, -3, -2}));
  EXPECT_EQ(get<float>(x.floorMod(y)), (std::vector<float>{1.5, 0.5, -0.5, 0}));
}

TEST(MathTest, Logic) {
  using Bools = std::vector<bool>;
  Tensor a = Tensor::fromSlice<int32_t>({4}, {0, 0, 1, 1}).equal(1);
  Tensor b = Tensor::fromSlice<int32_t>({4}, {0, 1, 0, 1}).equal(1);
  EXPECT_EQ(get<bool>(a.logicalAnd(b)), (Bools{false, false, false, true}));
  EXPECT_EQ(get<bool>(a.logicalOr(b)), (Bools{false, true, true, true}));
  EXPECT_EQ(get<bool>(a.logicalXor(b)), (Bools{false, true, true, false}));
  EXPECT_EQ(get<bool>(a.logicalNot()), (Bools{true, true, false, false}));
  EXPECT_EQ(get<bool>(a.logicalAnd(true)), (Bools{false, false, true, true}));
  EXPECT_EQ(getError(a.tryLogicalOr(makeTensor({4}))), "logicalOr: expects bools, but got f32");
  EXPECT_EQ(getError(a.tryLogicalOr(makeTensor({3}).less(0))),
            "logicalOr: expects shapes that broadcast, but got (4,) and (3,)");
}

TEST(MathTest, PowersOfIntegers) {
  using Integers = std::vector<int32_t>;
  Tensor x = Tensor::fromSlice<int32_t>({5}, {-3, -1, 0, 1, 7});
  EXPECT_EQ(get<int32_t>(x.pow(0)), (Integers{1, 1, 1, 1, 1}));
  EXPECT_EQ(get<int32_t>(x.pow(1)), (Integers{-3, -1, 0, 1, 7}));
  EXPECT_EQ(get<int32_t>(x.pow(5)), (Integers{-243, -1, 0, 1, 16807}));
  EXPECT_EQ(get<int32_t>(x.pow(-2)), (Integers{0, 1, 0, 1, 0}));
  EXPECT_EQ(get<int32_t>(x.pow(-3)), (Integers{0, -1, 0, 1, 0}));
  EXPECT_EQ(get<float>(x.pow(0.5))[3], 1);
  // Wraps, exponents of any size included.
  EXPECT_EQ(get<int32_t>(x.pow(1000001))[4], [] {
    uint32_t power = 1;
    for (int i = 0; i < 1000001; ++i)
      power *= 7;
    return static_cast<int32_t>(power);
  }());
  Tensor exponents = Tensor::fromSlice<int8_t>({5}, {5, -3, 0, -128, 11});
  EXPECT_EQ(get<int32_t>(x.pow(exponents)), (Integers{-243, -1, 1, 1, 1977326743}));
  Tensor bytes = Tensor::fromSlice<uint8_t>({3}, {2, 3, 255});
  EXPECT_EQ(get<uint8_t>(bytes.pow(bytes)), (std::vector<uint8_t>{4, 27, 255}));
  EXPECT_EQ(get<uint8_t>(bytes.pow(300)), (std::vector<uint8_t>{0, 113, 1}));
  EXPECT_EQ(get<uint8_t>(bytes.pow(-1)), (std::vector<uint8_t>{0, 0, 0}));
  EXPECT_EQ(get<int64_t>(x.less(0).pow(2)), (std::vector<int64_t>{1, 1, 0, 0, 0}));
}

// x = quotient * y + rest, as Python and NumPy have it.
TEST(MathTest, FloorDivision) {
  double inf = kInfinity, nan = kNaN;
  std::vector<double> x{1, -1, 1, -1, 7, -7, 7, -7, 1, -1, 0, -0.0, 1, -1, inf, 6, -0.5, 0, nan};
  std::vector<double> y{.1, .1, -.1, -.1, 2, 2,  -2,    -2,   inf, inf,
                        3,  3,  0,   0,   2, -3, -0.25, -inf, 1};
  std::vector<double> quotients{9,  -10, -10, 9,    3,   -4, -4, 3,   0,  -1,
                                0., -0., inf, -inf, nan, -2, 2,  -0., nan};
  std::vector<double> rests{1 - 9 * .1, 10 * .1 - 1, -0x1p-54, 9 * .1 - 1, 1,  1,   -1,
                            -1,         1,           inf,      0,          0,  nan, nan,
                            nan,        -0.,         -0.,      -0.,        nan};
  int64_t count = x.size();
  Tensor a = Tensor::fromSlice<double>({count}, x), b = Tensor::fromSlice<double>({count}, y);
  std::vector<double> q = get<double>(a.floorDiv(b)), r = get<double>(a.floorMod(b));
  for (int64_t i = 0; i < count; ++i) {
    SCOPED_TRACE(std::to_string(x[i]) + " by " + std::to_string(y[i]));
    for (auto [actual, expected] : {std::pair(q[i], quotients[i]), std::pair(r[i], rests[i])}) {
      EXPECT_EQ(std::isnan(actual), std::isnan(expected));
      if (std::isnan(expected))
        continue;
      EXPECT_TRUE(actual == expected || std::fabs(actual - expected) < 1e-15) << actual;
      EXPECT_EQ(std::signbit(actual), std::signbit(expected)) << actual;
    }
  }
}

TEST(MathTest, HypotOfInfinity) {
  Tensor x = Tensor::fromSlice<float>({4}, {kInfinity, kNaN, -kInfinity, 3});
  Tensor y = Tensor::fromSlice<float>({4}, {kNaN, kInfinity, 1, kNaN});
  expectNear(x.hypot(y).data<float>(), {kInfinity, kInfinity, kInfinity, kNaN});
}
