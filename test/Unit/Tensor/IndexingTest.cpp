// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans, gathers, scatters and sorts.
#include "TensorTesting.h"

#include <algorithm>
#include <limits>

using namespace pypto;
using namespace pypto::lazy;

using Floats = std::vector<float>;
using Integers = std::vector<int64_t>;
static constexpr float kInfinity = std::numeric_limits<float>::infinity();
static constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

static Tensor makeIndices(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> data) {
  return Tensor::fromSlice<int64_t>(shape, data);
}

//===- Scans --------------------------------------------------------------------------===//

TEST(ScanTest, EachAlone) {
  Tensor x = Tensor::fromSlice<float>({2, 3}, {1, -2, 3, 4, 0.5, -6});
  EXPECT_EQ(get<float>(x.cumSum(1)), (Floats{1, -1, 2, 4, 4.5, -1.5}));
  EXPECT_EQ(get<float>(x.cumSum(0)), (Floats{1, -2, 3, 5, -1.5, -3}));
  EXPECT_EQ(get<float>(x.cumProd(-1)), (Floats{1, -2, -6, 4, 2, -12}));
  EXPECT_EQ(get<float>(x.cumMax(1)), (Floats{1, 1, 3, 4, 4, 4}));
  EXPECT_EQ(get<float>(x.cumMin(1)), (Floats{1, -2, -2, 4, 0.5, -6}));
  EXPECT_EQ(get<int64_t>(x.less(1).cumSum(1)), (Integers{0, 1, 1, 0, 1, 2}));
  EXPECT_EQ(x.cast(DType::BF16).cumSum(0).getDType(), DType::BF16);
  EXPECT_EQ(getError(x.tryCumSum(2)), "cumSum: expects an axis of a tensor of rank 2, but got 2");
}

TEST(ScanTest, ShapesAndNeighbours) {
  EXPECT_EQ(get<float>(Tensor::zeros({0}).contiguous().cumSum(0)), Floats{});
  EXPECT_EQ(get<float>(makeTensor({1}).cumProd(0)), Floats{0.25});
  // What is scanned and what is made of it is one kernel.
  Tensor x = makeTensor({3, 7});
  Tensor result = ((x * 2.0).cumSum(1) + 1.0).exp();
  EXPECT_EQ(result.prepare()->numKernels(), 1u);
  Floats data = makeData(21), expected(21);
  for (int row = 0; row < 3; ++row) {
    float sum = 0;
    for (int i = 0; i < 7; ++i)
      expected[row * 7 + i] = std::exp((sum += data[row * 7 + i] * 2) + 1);
  }
  expectNear(result.data<float>(), expected);
  // Along an outer axis, behind a reduction, and twice.
  Tensor sums = makeTensor({4, 5, 3}).sum(1);
  Tensor twice = sums.cumSum(0).cumSum(1), reference = sums.contiguous();
  reference.realize();
  Floats y = get<float>(reference);
  for (int row = 1; row < 4; ++row)
    for (int i = 0; i < 3; ++i)
      y[row * 3 + i] += y[row * 3 + i - 3];
  for (int row = 0; row < 4; ++row)
    for (int i = 1; i < 3; ++i)
      y[row * 3 + i] += y[row * 3 + i - 1];
  expectNear(twice.data<float>(), y);
}

TEST(ScanTest, OnesAreCounted) {
  EXPECT_EQ(get<int64_t>(Tensor::ones({5}, DType::I64).cumSum(0)), (Integers{1, 2, 3, 4, 5}));
  EXPECT_EQ(get<float>(Tensor::fromSlice<float>({3}, {1, kNaN, 2}).cumMax(0))[0], 1);
  EXPECT_TRUE(std::isnan(get<float>(Tensor::fromSlice<float>({3}, {1, kNaN, 2}).cumMax(0))[2]));
}

//===- Gathers ------------------------------------------------------------------------===//

TEST(IndexingTest, Gather) {
  Tensor x = Tensor::fromSlice<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(get<float>(x.gather(makeIndices({2, 2}, {2, 0, -1, 9}), 1)), (Floats{3, 1, 6, 0}));
  EXPECT_EQ(get<float>(x.gather(makeIndices({1, 2}, {1, 0}), 0)), (Floats{4, 2}));
  EXPECT_EQ(get<float>(Tensor::zeros({2, 0}).contiguous().gather(makeIndices({2, 1}, {0, 0}), 1)),
            (Floats{0, 0}));
  EXPECT_EQ(getError(x.tryGather(x, 1)), "gather: expects integers as indices, but got f32");
  EXPECT_EQ(
      getError(x.tryGather(makeIndices({3, 1}, {0, 0, 0}), 1)),
      "gather: expects indices of a shape that fits in (2, 3) but for axis 1, but got (3, 1)");
  EXPECT_EQ(getError(x.tryTake(makeIndices({1}, {0}), 2)),
            "take: expects an axis of a tensor of rank 2, but got 2");
  EXPECT_EQ(get<float>(Tensor::zeros({0, 2}).contiguous().take(makeIndices({1}, {0}))),
            (Floats{0, 0}));
}

//===- Scatters -----------------------------------------------------------------------===//

TEST(IndexingTest, Scatter) {
  Tensor x = Tensor::fromSlice<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  Tensor indices = makeIndices({2, 3}, {0, 0, -1, 7, 1, 1});
  Tensor values = Tensor::fromSlice<float>({2, 3}, {10, 20, 30, 40, 50, 60});
  EXPECT_EQ(get<float>(x.scatter(indices, values, 1)), (Floats{20, 2, 30, 4, 60, 6}));
  EXPECT_EQ(get<float>(x.scatter(indices, values, 1, ScatterMode::Add)),
            (Floats{31, 2, 33, 4, 115, 6}));
  EXPECT_EQ(get<float>(x.scatter(indices, values, 1, ScatterMode::Mul)),
            (Floats{200, 2, 90, 4, 15000, 6}));
  EXPECT_EQ(get<float>(x.scatter(indices, 2.5, 1, ScatterMode::Min)),
            (Floats{1, 2, 2.5, 4, 2.5, 6}));
  EXPECT_EQ(get<float>(x.scatter(indices, 5.5, 1, ScatterMode::Max)),
            (Floats{5.5, 2, 5.5, 4, 5.5, 6}));
  EXPECT_EQ(get<float>(x.scatter(makeIndices({1, 3}, {1, 0, 1}), 0, 0)),
            (Floats{1, 0, 3, 0, 5, 0}));
  // The tensor itself stays as it was.
  EXPECT_EQ(get<float>(x), (Floats{1, 2, 3, 4, 5, 6}));
  // Counting.
  Tensor counts = Tensor::zeros({4}, DType::I64)
                      .scatter(makeIndices({6}, {3, 1, 3, 0, 3, 1}), 1, 0, ScatterMode::Add);
  EXPECT_EQ(get<int64_t>(counts * 10), (Integers{10, 20, 0, 30}));
  EXPECT_EQ(getError(x.tryScatter(indices, makeTensor({4}), 1)),
            "scatter: expects a shape to which (4,) broadcasts, but got (2, 3)");
  EXPECT_EQ(getError(x.less(0).tryScatter(indices, true, 1, ScatterMode::Add)),
            "scatter: expects numbers, but got bool");
}

//===- Order --------------------------------------------------------------------------===//

TEST(SortTest, Rows) {
  for (int64_t size : {0, 1, 2, 3, 7, 16, 33}) {
    Floats data = makeData(3 * size);
    Tensor x = Tensor::fromSlice<float>({3, size}, data);
    for (bool descending : {false, true}) {
      Floats expected = data;
      Integers order;
      for (int row = 0; row < 3; ++row) {
        Integers positions(size);
        std::iota(positions.begin(), positions.end(), 0);
        llvm::sort(positions, [&](int64_t a, int64_t b) {
          float x = data[row * size + a], y = data[row * size + b];
          return x == y ? a < b : descending ? x > y : x < y;
        });
        for (int64_t i = 0; i < size; ++i)
          expected[row * size + i] = data[row * size + positions[i]];
        llvm::append_range(order, positions);
      }
      EXPECT_EQ(get<float>(x.sort(-1, descending)), expected);
      EXPECT_EQ(get<int64_t>(x.argSort(1, descending)), order);
    }
  }
}

TEST(SortTest, AxesAndTypes) {
  Tensor x = Tensor::fromSlice<int8_t>({3, 2}, {3, -1, 1, 5, 2, -128});
  EXPECT_EQ(get<int8_t>(x.sort(0)), (std::vector<int8_t>{1, -128, 2, -1, 3, 5}));
  EXPECT_EQ(get<int64_t>(x.argSort(0)), (Integers{1, 2, 2, 0, 0, 1}));
  Tensor u = Tensor::fromSlice<uint8_t>({3}, {200, 3, 100});
  EXPECT_EQ(get<uint8_t>(u.sort()), (std::vector<uint8_t>{3, 100, 200}));
  Tensor nan = Tensor::fromSlice<float>({5}, {kNaN, 1, kInfinity, -kInfinity, 0});
  EXPECT_EQ(get<int64_t>(nan.argSort()), (Integers{3, 4, 1, 2, 0}));
  EXPECT_EQ(get<int64_t>(nan.argSort(0, true)), (Integers{0, 2, 1, 4, 3}));
  Tensor narrow = makeTensor({6}).cast(DType::BF16);
  EXPECT_EQ(get<int64_t>(narrow.argSort()), get<int64_t>(makeTensor({6}).argSort()));
  // What is sorted is computed in front of it.
  EXPECT_EQ(get<int64_t>((-makeTensor({6})).argSort()),
            get<int64_t>(makeTensor({6}).argSort(0, true)));
}

TEST(SortTest, TopK) {
  Tensor x = Tensor::fromSlice<float>({2, 4}, {1, 4, 3, 4, -1, -2, -3, -4});
  std::vector<Tensor> top = x.topK(2);
  EXPECT_EQ(get<float>(top[0]), (Floats{4, 4, -1, -2}));
  EXPECT_EQ(get<int64_t>(top[1]), (Integers{1, 3, 0, 1}));
  EXPECT_EQ(get<float>(x.topK(1, 0, /*greatest=*/false)[0]), (Floats{-1, -2, -3, -4}));
  EXPECT_EQ(get<float>(x.topK(0)[0]), Floats{});
  auto error = x.tryTopK(5);
  EXPECT_EQ(getError(std::move(error)),
            "topK: expects a count from 0 to the extent of axis 1 of (2, 4), but got 5");
}

// An index does not count from the end because it is large.
TEST(IndexingTest, LargeIndices) {
  Tensor x = Tensor::fromSlice<float>({3}, {1, 2, 3});
  Tensor indices = Tensor::fromSlice<uint64_t>({3}, {uint64_t(-1), 1, uint64_t(1) << 63});
  EXPECT_EQ(get<float>(x.take(indices)), (Floats{0, 2, 0}));
  EXPECT_EQ(get<float>(x.gather(indices, 0)), (Floats{0, 2, 0}));
  EXPECT_EQ(get<float>(x.scatter(indices, 9, 0)), (Floats{1, 9, 3}));
  EXPECT_EQ(get<float>(Tensor::ones({2, 2}).tril(std::numeric_limits<int64_t>::max())),
            (Floats{1, 1, 1, 1}));
  EXPECT_EQ(get<float>(Tensor::ones({2, 2}).diagonal(std::numeric_limits<int64_t>::min())),
            Floats{});
}
