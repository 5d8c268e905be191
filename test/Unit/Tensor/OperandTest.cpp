// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers next to tensors: which type they take, and what happens if it does not hold them.
#include "TensorTesting.h"

#include <limits>
#include <sstream>

using namespace pypto;
using namespace pypto::lazy;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <typename T> static Tensor makeOne(T value) { return Tensor::fromSlice<T>({1}, {value}); }
/// The one element of a tensor, whatever its type is.
static double getOne(const Tensor &tensor) { return get<double>(tensor.cast(DType::F64))[0]; }

// A number that does not fit makes the result as wide as need be.
TEST(OperandTest, ArithmeticWidens) {
  struct Case {
    Tensor result;
    DType dtype;
    double value;
  };
  Tensor i8 = makeOne<int8_t>(5), u8 = makeOne<uint8_t>(5), i32 = makeOne<int32_t>(5);
  Tensor u64 = makeOne<uint64_t>(5), f32 = makeOne<float>(2), f16 = f32.cast(DType::F16);
  Case cases[] = {
      {i8 + 127, DType::I8, -124},
      {i8 + 128, DType::I16, 133},
      {i8 - 129, DType::I16, -124},
      {128 - i8, DType::I16, 123},
      {i8 * 40000, DType::I32, 200000},
      {u8 + 255, DType::U8, 4},
      {u8 + 256, DType::U16, 261},
      {u8 * -1, DType::I16, -5},
      {u8 - 40000, DType::U16, 25541},
      {i32 + 4294967296, DType::I64, 4294967301},
      {u64 * -1, DType::I64, -5},
      {i8.maximum(1000), DType::I16, 1000},
      {u8.bitwiseOr(256), DType::U16, 261},
      {i8.less(0).where(i8, 300), DType::I16, 300},
      {i8 * 1e39, DType::F64, 5 * 1e39},
      {f16 * 30000.0, DType::F16, 60000},
      {f16 * 100000, DType::F32, 200000},
      {f32 + 1e39, DType::F64, 1e39},
      {f16.maximum(kInfinity), DType::F16, kInfinity},
  };
  for (auto [i, test] : llvm::enumerate(cases)) {
    SCOPED_TRACE("case " + std::to_string(i));
    EXPECT_EQ(test.result.getDType(), test.dtype);
    EXPECT_EQ(getOne(test.result), test.value);
  }
  EXPECT_EQ(getError(makeOne<int64_t>(1).tryAdd(uint64_t(1) << 63)),
            "add: expects a number that i64 holds, but got 9223372036854775808");
}

TEST(OperandTest, ComparisonsAreExact) {
  Tensor x = Tensor::fromSlice<int8_t>({4}, {-128, -1, 2, 127});
  struct Case {
    Tensor result;
    std::vector<bool> expected;
  };
  std::vector<bool> all(4, true), none(4, false);
  Tensor big = Tensor::fromSlice<uint64_t>({2}, {1, uint64_t(-1)});
  Tensor whole = Tensor::fromSlice<int32_t>({2}, {16777216, 16777217});
  Case cases[] = {
      {x.less(128), all},
      {x.lessEqual(-129), none},
      {x.greater(-129), all},
      {x.greaterEqual(1000), none},
      {x.equal(255), none},
      {x.notEqual(128), all},
      {x.less(127), {true, true, true, false}},
      {x.less(2.0), {true, true, false, false}},
      {x.less(1.5), {true, true, false, false}},
      {x.lessEqual(2.5), {true, true, true, false}},
      {x.greater(-1.5), {false, true, true, true}},
      {x.greaterEqual(-0.5), {false, false, true, true}},
      {x.equal(1.5), none},
      {x.notEqual(1.5), all},
      {x.equal(2.0), {false, false, true, false}},
      {x.less(kInfinity), all},
      {x.less(-kInfinity), none},
      {x.less(kNaN), none},
      {x.greaterEqual(kNaN), none},
      {x.notEqual(kNaN), all},
      {x.less(1e300), all},
      {128 > x, all},
      {1.5 > x, {true, true, false, false}},
      {-1.5 >= x, {true, false, false, false}},
      {x > -1.5, {false, true, true, true}},
      {2 <= x, {false, false, true, true}},
      {x.cast(DType::U8).less(-1), none},
      {x.cast(DType::U8).greater(-1), all},
      {big.less(-1), {false, false}},
      {big.greater(-1), {true, true}},
      {big.equal(-1), {false, false}},
      {big.equal(uint64_t(-1)), {false, true}},
      {big.less(18446744073709551616.0), {true, true}},
      {big.cast(DType::I64).less(uint64_t(1) << 63), {true, true}},
      {big.cast(DType::I64).less(9223372036854775808.0), {true, true}},
      {whole.less(16777217), {true, false}},
      {whole.less(16777217.0), {true, false}},
      {whole.greater(16777216.5), {false, true}},
  };
  for (auto [i, test] : llvm::enumerate(cases)) {
    SCOPED_TRACE("case " + std::to_string(i));
    EXPECT_EQ(get<bool>(test.result), test.expected);
  }
}

// Where the type stays, a number has to fit.
TEST(OperandTest, FixedTypes) {
  Tensor u8 = Tensor::fromSlice<uint8_t>({2}, {5, 200}), flag = u8.less(100);
  EXPECT_EQ(getError(Tensor::tryFull({1}, 300, DType::U8)),
            "full: expects a number that u8 holds, but got 300");
  EXPECT_EQ(getError(Tensor::tryFull({1}, -1, DType::U8)),
            "full: expects a number that u8 holds, but got -1");
  EXPECT_EQ(getError(Tensor::tryFull({1}, 2.5, DType::Bool)),
            "full: expects a number that bool holds, but got 2.5");
  EXPECT_EQ(getError(Tensor::tryFull({1}, kNaN, DType::I32)),
            "full: expects a number that i32 holds, but got nan");
  EXPECT_EQ(getError(Tensor::tryFull({1}, 1e9, DType::F16)),
            "full: expects a number that f16 holds, but got 1e+09");
  EXPECT_EQ(getError(u8.tryPad({{1, 1}}, 300.0)),
            "pad: expects a number that u8 holds, but got 300");
  EXPECT_EQ(getError(u8.tryMaskedFill(flag, -1)),
            "maskedFill: expects a number that u8 holds, but got -1");
  EXPECT_EQ(getError(u8.tryScatter(Tensor::zeros({1}, DType::I64), 256, 0)),
            "scatter: expects a number that u8 holds, but got 256");
  EXPECT_THROW(u8.assign(256), TensorException);
  EXPECT_THROW(u8.assignSlice({{0, 1}}, -1), TensorException);
  EXPECT_EQ(get<uint8_t>(u8.pad({{1, 0}}, 255.0)), (std::vector<uint8_t>{255, 5, 200}));
  EXPECT_EQ(get<bool>(Tensor::full({1}, 1, DType::Bool)), std::vector<bool>{true});
  // As a cast rounds.
  EXPECT_EQ(get<int32_t>(Tensor::full({1}, -2.5, DType::I32))[0], -2);
  // Exactly as it was written.
  EXPECT_EQ(get<int32_t>(Tensor::full({1}, 16777217.0, DType::I32))[0], 16777217);
  EXPECT_EQ(get<uint64_t>(Tensor::full({1}, 1e19, DType::U64))[0], 10000000000000000000u);
  EXPECT_EQ(get<uint64_t>(Tensor::full({1}, uint64_t(-1), DType::U64))[0], uint64_t(-1));
  EXPECT_EQ(get<double>(Tensor::full({1}, 0.1, DType::F64))[0], 0.1);
}

// Bounds outside of the type bound nothing.
TEST(OperandTest, Clamp) {
  Tensor u8 = Tensor::fromSlice<uint8_t>({2}, {5, 200});
  EXPECT_EQ(get<uint8_t>(u8.clamp(-1, 300)), (std::vector<uint8_t>{5, 200}));
  EXPECT_EQ(get<uint8_t>(u8.clamp(10, 300)), (std::vector<uint8_t>{10, 200}));
  Tensor i8 = Tensor::fromSlice<int8_t>({2}, {-100, 100});
  EXPECT_EQ(get<int8_t>(i8.clamp(-1000, 50)), (std::vector<int8_t>{-100, 50}));
  EXPECT_EQ(get<float>(i8.clamp(-1.5, 1000.0)), (std::vector<float>{-1.5, 100}));
  Tensor f16 = Tensor::fromSlice<float>({2}, {-7, 9}).cast(DType::F16).clamp(-1e9, 1e9);
  EXPECT_EQ(f16.getDType(), DType::F16);
  EXPECT_EQ(get<float>(f16.cast(DType::F32)), (std::vector<float>{-7, 9}));
}

TEST(OperandTest, Shifts) {
  Tensor u8 = Tensor::fromSlice<uint8_t>({2}, {5, 200}), i8 = u8.cast(DType::I8);
  for (int64_t amount : {int64_t(8), int64_t(255), int64_t(256), int64_t(1) << 40, int64_t(-1)}) {
    EXPECT_EQ(get<uint8_t>(u8.shiftRight(amount)), (std::vector<uint8_t>{0, 0}));
    EXPECT_EQ(get<uint8_t>(u8.shiftLeft(amount)), (std::vector<uint8_t>{0, 0}));
    EXPECT_EQ(get<int8_t>(i8.shiftRight(amount)), (std::vector<int8_t>{0, -1}));
  }
  EXPECT_EQ(get<uint8_t>(u8.shiftRight(1)), (std::vector<uint8_t>{2, 100}));
}

// Each arithmetic type is a number.
TEST(OperandTest, TypesOfNumbers) {
  Tensor x = Tensor::fromSlice<int32_t>({3}, {1, 2, 3});
  std::vector<int> numbers{0, 2};
  EXPECT_EQ(get<int32_t>(x + numbers.size()), (std::vector<int32_t>{3, 4, 5}));
  EXPECT_EQ(get<int32_t>(x + 1u + 1ul + 1l + 1ll + 1ull), (std::vector<int32_t>{6, 7, 8}));
  EXPECT_EQ(get<int32_t>(x + short(1) + uint8_t(1) + char(1)), (std::vector<int32_t>{4, 5, 6}));
  EXPECT_EQ(get<float>(x.cast(DType::F32) * 2.0L), (std::vector<float>{2, 4, 6}));
}

// Shapes and axes are ranges of any integers.
TEST(OperandTest, TypesOfShapes) {
  std::vector<int> shape{2, 3}, axes{1, 0};
  std::vector<size_t> large{3, 2};
  std::vector<float> data = makeData(6);
  Tensor x = Tensor::fromSlice<float>(shape, data);
  EXPECT_EQ(x.reshape(large).getShape()[0], 3);
  EXPECT_EQ(x.permute(axes).getShape()[0], 3);
  EXPECT_EQ(x.sum(axes).getRank(), 0);
  EXPECT_EQ(x.sum(data.size() - 5).getShape()[0], 2);
  EXPECT_EQ(Tensor::zeros(shape).getRank(), 2);
  EXPECT_EQ(Tensor::zeros({data.size(), 2}).getShape()[0], 6);
  EXPECT_EQ(Tensor::zeros(x.getShape()).getRank(), 2);
  std::vector<bool> flags{true, false, true};
  EXPECT_EQ(get<bool>(Tensor::fromSlice<bool>({3}, flags)), flags);
}

TEST(OperandTest, CompoundOperators) {
  Tensor x = Tensor::fromSlice<float>({2}, {1, 2}), same = x, before = x * 1.0;
  BufferRef buffer = x.getBuffer();
  x += 1;
  x *= x;
  x -= Tensor::fromSlice<float>({2}, {1, 1});
  x /= 2.0;
  x %= 3.0;
  EXPECT_EQ(get<float>(same), (std::vector<float>{1.5, 1}));
  EXPECT_EQ(x.getBuffer(), buffer);
  EXPECT_EQ(get<float>(before), (std::vector<float>{1, 2}));
  Tensor i8 = makeOne<int8_t>(1);
  EXPECT_THROW(i8 += 1.5, TensorException);
  EXPECT_THROW(i8 += 1000, TensorException);
  EXPECT_THROW(i8 += Tensor::zeros({3}, DType::I8), TensorException);
  EXPECT_EQ(getOne(i8), 1);
}

TEST(OperandTest, Printing) {
  auto print = [](const Tensor &tensor) {
    std::ostringstream os;
    os << tensor;
    return os.str();
  };
  EXPECT_EQ(print(Tensor::fromSlice<float>({2, 2}, {1, -2.5, 0.1f, float(kInfinity)})),
            "Tensor((2, 2), f32, [[1, -2.5], [0.1, inf]])");
  EXPECT_EQ(print(Tensor::arange(3) < 2), "Tensor((3,), bool, [true, true, false])");
  EXPECT_EQ(print(Tensor::full({}, 0.5, DType::BF16)), "Tensor((), bf16, 0.5)");
  EXPECT_EQ(print(Tensor::full({1}, uint64_t(-1), DType::U64)),
            "Tensor((1,), u64, [18446744073709551615])");
  EXPECT_EQ(print(Tensor::zeros({2, 0}, DType::I8)), "Tensor((2, 0), i8, [[], []])");
  EXPECT_EQ(print(Tensor::arange(5000).reshape({2, 2500})),
            "Tensor((2, 2500), i64, [[0, 1, 2, …, 2497, 2498, 2499], "
            "[2500, 2501, 2502, …, 4997, 4998, 4999]])");
  VariableRef n = makeVariable("N", 1, 8);
  EXPECT_EQ(print(Tensor::zeros({n, 2})), "Tensor((N, 2), f32)");
  Tensor rows = Tensor::fromSlice<float>({8}, {1, 2, 3, 4, 5, 6, 7, 8}).shrink({{0, n}});
  Tensor sum = rows.sum();
  EXPECT_EQ(print(sum), "Tensor((), f32)");
  Tensor::realizeBatch({rows, sum}, {{"N", 3}});
  EXPECT_EQ(print(rows), "Tensor((N,), f32, [1, 2, 3])");
  EXPECT_EQ(print(sum), "Tensor((), f32, 6)");
}
