// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans and positions of extremes, along each axis of many shapes, on each element type, beside
// loops.
#include "TensorTesting.h"
#include "pypto/Runtime/ParallelFor.h"

#include <cstring>
#include <functional>
#include <random>

using namespace pypto;
using namespace pypto::lazy;

namespace {

/// Elements along one axis, one row after the other.
struct Rows {
  int64_t outer = 1, count, inner = 1;
  Rows(llvm::ArrayRef<int64_t> shape, int64_t axis) : count(shape[axis]) {
    for (int64_t extent : shape.take_front(axis))
      outer *= extent;
    for (int64_t extent : shape.drop_front(axis + 1))
      inner *= extent;
  }
  /// `body` for each row, with the place of its first element, and its number.
  void forEach(llvm::function_ref<void(int64_t, int64_t)> body) const {
    for (int64_t i = 0; i != outer; ++i)
      for (int64_t j = 0; j != inner; ++j)
        body(i * count * inner + j, i * inner + j);
  }
};

template <typename T> bool isNaN(T value) { return value != value; }

template <typename T> bool isBetter(T x, T best, bool isMax) {
  return isNaN(x) ? !isNaN(best) : isMax ? x > best : x < best;
}

/// Small numbers, of which sums are exact.
template <typename T> std::vector<T> makeNumbers(int64_t count, bool isSpecial = false) {
  std::mt19937 generator(count);
  std::vector<T> values(count);
  for (T &value : values)
    value = T(int(generator() % 7) - 3);
  if (!isSpecial || count == 0)
    return values;
  using Limits = std::numeric_limits<T>;
  T special[] = {Limits::has_infinity ? Limits::infinity() : Limits::max(),
                 Limits::has_infinity ? -Limits::infinity() : Limits::lowest(),
                 Limits::has_quiet_NaN ? Limits::quiet_NaN() : Limits::max()};
  for (int64_t i = 0; i < 1 + count / 20; ++i)
    values[generator() % count] = special[generator() % 3];
  return values;
}

using Shapes = std::vector<std::vector<int64_t>>;
/// All kinds of extents for two types; for the others rows, columns, and what is empty.
template <typename T> Shapes getShapes() {
  if (!std::is_same_v<T, float> && !std::is_same_v<T, int32_t>)
    return {{37, 19}, {5, 0}, {2, 1300}};
  return {{1},     {17},        {64},       {131},  {3, 37},   {37, 19}, {9, 256},
          {1, 70}, {2, 19, 33}, {4, 1, 35}, {5, 0}, {3, 5, 1}, {2, 1300}};
}

template <typename T> class AxesTest : public testing::Test {};
using Types = testing::Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t,
                             uint64_t, float, double>;
TYPED_TEST_SUITE(AxesTest, Types);

} // namespace

/// Integers wrap, without what C++ does not define.
template <typename T> static auto unbounded(T value) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<uint64_t>(value);
  else
    return value;
}

template <typename T> static void expectSame(const Tensor &tensor, const std::vector<T> &expected) {
  std::vector<T> actual = get<T>(tensor);
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i != actual.size(); ++i)
    ASSERT_TRUE(actual[i] == expected[i] || (isNaN(actual[i]) && isNaN(expected[i])))
        << "at " << i << ": " << +actual[i] << ", expected " << +expected[i];
}

template <typename T>
static void checkScan(llvm::ArrayRef<int64_t> shape, int64_t axis, const std::vector<T> &data,
                      const Tensor &scanned, llvm::function_ref<T(T, T)> combine) {
  std::vector<T> expected = data;
  Rows rows(shape, axis);
  if (rows.count != 0)
    rows.forEach([&](int64_t first, int64_t) {
      for (int64_t i = 1; i < rows.count; ++i) {
        T *element = &expected[first + i * rows.inner];
        *element = combine(element[-rows.inner], *element);
      }
    });
  expectSame(scanned, expected);
}

TYPED_TEST(AxesTest, Scans) {
  using T = TypeParam;
  for (const std::vector<int64_t> &shape : getShapes<T>())
    for (int64_t axis = 0; axis != int64_t(shape.size()); ++axis) {
      SCOPED_TRACE(testing::PrintToString(shape) + " along " + std::to_string(axis));
      int64_t count = Rows(shape, axis).outer * Rows(shape, axis).count * Rows(shape, axis).inner;
      for (bool isSpecial : {false, true}) {
        std::vector<T> data = makeNumbers<T>(count, isSpecial);
        Tensor x = Tensor::fromSlice<T>(shape, data);
        checkScan<T>(shape, axis, data, x.cumSum(axis),
                     [](T a, T b) { return T(unbounded(a) + unbounded(b)); });
        checkScan<T>(shape, axis, data, x.cumMax(axis),
                     [](T a, T b) { return isNaN(a) || isBetter(a, b, true) ? a : b; });
        checkScan<T>(shape, axis, data, x.cumMin(axis),
                     [](T a, T b) { return isNaN(a) || isBetter(a, b, false) ? a : b; });
      }
      std::vector<T> signs(count);
      for (int64_t i = 0; i != count; ++i)
        signs[i] = i % 11 == 0 ? T(2) : i % 3 == 0 ? T(-1) : T(1);
      checkScan<T>(shape, axis, signs, Tensor::fromSlice<T>(shape, signs).cumProd(axis),
                   [](T a, T b) { return T(unbounded(a) * unbounded(b)); });
    }
}

TYPED_TEST(AxesTest, PositionsOfExtremes) {
  using T = TypeParam;
  for (const std::vector<int64_t> &shape : getShapes<T>())
    for (int64_t axis = 0; axis != int64_t(shape.size()); ++axis) {
      Rows rows(shape, axis);
      if (rows.count == 0)
        continue;
      SCOPED_TRACE(testing::PrintToString(shape) + " along " + std::to_string(axis));
      for (bool isSpecial : {false, true})
        for (bool isMax : {true, false}) {
          std::vector<T> data = makeNumbers<T>(rows.outer * rows.count * rows.inner, isSpecial);
          std::vector<int64_t> expected(rows.outer * rows.inner);
          rows.forEach([&](int64_t first, int64_t row) {
            for (int64_t i = 1; i < rows.count; ++i)
              if (isBetter(data[first + i * rows.inner], data[first + expected[row] * rows.inner],
                           isMax))
                expected[row] = i;
          });
          Tensor x = Tensor::fromSlice<T>(shape, data);
          expectSame(isMax ? x.argMax(axis) : x.argMin(axis), expected);
        }
    }
}

// The worst of all elements is the best of a row that has no other.
TEST(AxesTest, RowsOfOneNumber) {
  for (float value : {INFINITY, -INFINITY, std::nanf(""), 0.0f}) {
    Tensor x = Tensor::fromSlice<float>({2, 40}, std::vector<float>(80, value));
    EXPECT_EQ(get<int64_t>(x.argMax(1)), (std::vector<int64_t>{0, 0})) << value;
    EXPECT_EQ(get<int64_t>(x.argMin(1)), (std::vector<int64_t>{0, 0})) << value;
    EXPECT_EQ(get<int64_t>(x.argMin(0)), std::vector<int64_t>(40, 0)) << value;
  }
}

// Wherever it is in its row or column, a NaN is the greatest and the least.
template <typename T> static void checkNaNs() {
  constexpr int64_t count = 150;
  std::vector<T> data(count * count, T(1));
  for (int64_t i = 0; i != count; ++i)
    data[i * count + i] = std::numeric_limits<T>::quiet_NaN();
  Tensor x = Tensor::fromSlice<T>({count, count}, data);
  for (const Tensor &extremes : {x.max(0), x.max(1), x.min(0), x.min(1)})
    for (T value : get<T>(extremes))
      EXPECT_TRUE(isNaN(value));
}
TEST(AxesTest, ExtremesOfNaN) {
  checkNaNs<float>();
  checkNaNs<double>();
}

TEST(AxesTest, NarrowElements) {
  std::vector<float> data = makeNumbers<float>(3 * 40);
  Tensor x = Tensor::fromSlice<float>({3, 40}, data);
  for (DType dtype : {DType::F16, DType::BF16}) {
    EXPECT_EQ(get<float>(x.cast(dtype).cumSum(1).cast(DType::F32)), get<float>(x.cumSum(1)));
    EXPECT_EQ(get<int64_t>(x.cast(dtype).argMax(1)), get<int64_t>(x.argMax(1)));
    EXPECT_EQ(get<int64_t>(x.cast(dtype).argMin(0)), get<int64_t>(x.argMin(0)));
  }
  Tensor isLess = x.less(1);
  EXPECT_EQ(get<int64_t>(isLess.argMax(1)), get<int64_t>(isLess.cast(DType::I32).argMax(1)));
  EXPECT_EQ(get<int64_t>(isLess.argMin(0)), get<int64_t>(isLess.cast(DType::I32).argMin(0)));
}

TEST(AxesTest, ErrorsOfPositions) {
  Tensor none = Tensor::fromSlice<float>({2, 0}, {});
  EXPECT_EQ(getError(none.tryArgMax(1)), "argMax: expects elements along axis 1, but got (2, 0)");
  EXPECT_EQ(get<int64_t>(none.argMin(0)), std::vector<int64_t>{});
  EXPECT_EQ(getError(none.tryArgMin(2)),
            "argMin: expects an axis of a tensor of rank 2, but got 2");
  EXPECT_EQ(none.argMin(0, /*keepDims=*/true).getRank(), 2);
}

//===- Threads --------------------------------------------------------------------------===//

/// The bits of the result on one thread, after they were the same on others.
static std::string runOnThreads(const Tensor &tensor) {
  std::unique_ptr<ExecutionPlan> plan = tensor.prepare();
  std::string expected;
  for (unsigned threads : {1, 2, 8}) {
    runtime::setParallelThreads(threads);
    BufferRef buffer = plan->outputBufferAt(0);
    std::memset(buffer->data(), 0x55, buffer->getNumBytes());
    plan->execute();
    std::string bits(buffer->data(), buffer->getNumBytes());
    if (threads == 1)
      expected = bits;
    EXPECT_TRUE(bits == expected) << threads << " threads";
  }
  runtime::setParallelThreads(0);
  return expected;
}

template <typename T> static llvm::ArrayRef<T> asNumbers(llvm::StringRef bits) {
  return {reinterpret_cast<const T *>(bits.data()), bits.size() / sizeof(T)};
}

/// Numbers of which sums are rounded.
static std::vector<float> makeFractions(int64_t count) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<float> distribution(-1, 1);
  std::vector<float> values(count);
  for (float &value : values)
    value = distribution(generator);
  return values;
}

// Long rows are scanned in parts, which start from sums of the parts before them.
TEST(ThreadsTest, LongScans) {
  constexpr int64_t count = (1 << 20) + 12345;
  std::vector<float> data = makeFractions(count);
  Tensor x = Tensor::fromSlice<float>({count}, data);
  std::string bits = runOnThreads((x * 2.0).cumSum(0) + 1.0);
  double sum = 0;
  for (int64_t i = 0; i != count; ++i) {
    sum += 2 * double(data[i]);
    ASSERT_NEAR(asNumbers<float>(bits)[i], sum + 1, 5e-3) << "at " << i;
  }
  std::vector<int64_t> numbers = makeNumbers<int64_t>(count);
  bits = runOnThreads(Tensor::fromSlice<int64_t>({1, count}, numbers).cumSum(1));
  for (int64_t i = 1; i != count; ++i)
    numbers[i] += numbers[i - 1];
  EXPECT_TRUE(asNumbers<int64_t>(bits) == llvm::ArrayRef(numbers));
  data[count / 2] = std::nanf("");
  bits = runOnThreads(Tensor::fromSlice<float>({count}, data).cumMax(0));
  for (int64_t i = 1; i != count; ++i) {
    data[i] = std::isnan(data[i - 1]) || data[i - 1] > data[i] ? data[i - 1] : data[i];
    float actual = asNumbers<float>(bits)[i];
    ASSERT_TRUE(actual == data[i] || (std::isnan(actual) && std::isnan(data[i]))) << "at " << i;
  }
}

TEST(ThreadsTest, ScansOfManyRows) {
  constexpr int64_t rows = 300, columns = 4113;
  std::vector<float> data = makeFractions(rows * columns);
  Tensor x = Tensor::fromSlice<float>({rows, columns}, data);
  for (int64_t axis : {0, 1}) {
    std::string bits = runOnThreads(x.cumSum(axis));
    std::vector<double> expected(data.begin(), data.end());
    for (int64_t i = 0; i != rows * columns; ++i) {
      if (axis == 0 ? i >= columns : i % columns != 0)
        expected[i] += expected[i - (axis == 0 ? columns : 1)];
      ASSERT_NEAR(asNumbers<float>(bits)[i], expected[i], 1e-3) << "at " << i << " along " << axis;
    }
  }
}

// Of elements that are the same everywhere the first one counts, whichever thread has it.
TEST(ThreadsTest, PositionsOfExtremes) {
  constexpr int64_t count = (1 << 20) + 12345;
  std::vector<float> data = makeNumbers<float>(count);
  auto run = [&](const Tensor &tensor) { return asNumbers<int64_t>(runOnThreads(tensor))[0]; };
  auto first = [&](float value) { return llvm::find(data, value) - data.begin(); };
  data[0] = data[1] = data[2] = 0;
  EXPECT_EQ(run(Tensor::fromSlice<float>({count}, data).argMax(0)), first(3));
  EXPECT_EQ(run(Tensor::fromSlice<float>({count}, data).argMin(0)), first(-3));
  data[900000] = data[900100] = 4;
  EXPECT_EQ(run(Tensor::fromSlice<float>({1, count}, data).argMax(1)), 900000);
  data[1000000] = data[1000001] = std::nanf("");
  EXPECT_EQ(run(Tensor::fromSlice<float>({count}, data).argMin(0)), 1000000);
}

TEST(ThreadsTest, ReductionsAlongEachAxis) {
  for (auto [rows, columns] : {std::pair<int64_t, int64_t>{700, 4500}, {5000, 130}}) {
    std::vector<float> data = makeFractions(rows * columns);
    Tensor x = Tensor::fromSlice<float>({rows, columns}, data);
    for (int64_t axis : {0, 1}) {
      std::vector<float> greatest(axis ? rows : columns, -INFINITY);
      std::vector<double> sums(greatest.size());
      std::vector<int64_t> where(greatest.size());
      for (int64_t i = 0; i != rows * columns; ++i) {
        int64_t kept = axis ? i / columns : i % columns;
        sums[kept] += data[i];
        if (data[i] > greatest[kept])
          where[kept] = axis ? i % columns : i / columns;
        greatest[kept] = std::max(greatest[kept], data[i]);
      }
      std::string bits = runOnThreads(x.max(axis));
      EXPECT_TRUE(asNumbers<float>(bits) == llvm::ArrayRef(greatest));
      bits = runOnThreads(x.argMax(axis));
      EXPECT_TRUE(asNumbers<int64_t>(bits) == llvm::ArrayRef(where));
      bits = runOnThreads(x.sum(axis));
      for (size_t i = 0; i != sums.size(); ++i)
        ASSERT_NEAR(asNumbers<float>(bits)[i], sums[i], 1e-3) << "at " << i << " along " << axis;
    }
  }
}
