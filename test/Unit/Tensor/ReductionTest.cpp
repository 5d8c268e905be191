// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TensorTesting.h"

using namespace pypto;
using namespace pypto::lazy;

using Floats = std::vector<float>;

TEST(ReductionTest, EachAlone) {
  Tensor x = Tensor::fromSlice<float>({2, 3}, {1, -2, 3, 4, 0.5, -6});
  EXPECT_EQ(get<float>(x.sum()), Floats{0.5});
  EXPECT_EQ(get<float>(x.sum(0)), (Floats{5, -1.5, -3}));
  EXPECT_EQ(get<float>(x.sum(-1)), (Floats{2, -1.5}));
  EXPECT_EQ(get<float>(x.prod(1)), (Floats{-6, -12}));
  EXPECT_EQ(get<float>(x.max(1)), (Floats{3, 4}));
  EXPECT_EQ(get<float>(x.min(0)), (Floats{1, -2, -6}));
  expectNear(x.mean(1).data<float>(), {2 / 3.f, -0.5f});
  expectNear(x.variance(1).data<float>(), {38 / 9.f, 17.1666667f});
  EXPECT_EQ(x.sum(1, true).getRank(), 2);
  EXPECT_EQ(get<int64_t>(x.argMax(1)), (std::vector<int64_t>{2, 0}));
  EXPECT_EQ(get<int64_t>(x.argMin(0)), (std::vector<int64_t>{0, 0, 1}));
  EXPECT_EQ(get<bool>(x.less(3.5).all({1})), (std::vector<bool>{true, false}));
  EXPECT_EQ(get<bool>(x.greater(3.5).any({1})), (std::vector<bool>{false, true}));
  EXPECT_EQ(get<int64_t>(x.less(0).sum()), std::vector<int64_t>{2});
}

TEST(ReductionTest, SpecialValues) {
  float nan = std::nanf("");
  for (const Tensor &none : {Tensor::zeros({0}).sum(), Tensor::zeros({0}).dot(Tensor::zeros({0})),
                             Tensor::zeros({1, 0}).matmul(Tensor::zeros({0, 1})).reshape({})})
    EXPECT_FALSE(std::signbit(get<float>(none)[0]));
  EXPECT_TRUE(std::signbit(get<float>(Tensor::full({3}, -0.0).sum())[0]));
  Tensor x = Tensor::fromSlice<float>({2, 2}, {1, nan, 2, 2});
  EXPECT_TRUE(std::isnan(get<float>(x.max(1))[0]));
  EXPECT_EQ(get<int64_t>(x.argMax(1)), (std::vector<int64_t>{1, 0}));
  for (DType narrow : {DType::F16, DType::BF16}) {
    Floats most = get<float>(x.cast(narrow).max(1).cast(DType::F32));
    EXPECT_TRUE(std::isnan(most[0]));
    EXPECT_EQ(most[1], 2);
    EXPECT_EQ(get<float>(x.cast(narrow).min(0).cast(DType::F32))[0], 1);
    EXPECT_EQ(x.cast(narrow).max().getDType(), narrow);
  }
  Tensor none = Tensor::fromSlice<float>({0}, {});
  EXPECT_EQ(get<float>(none.sum()), Floats{0});
  EXPECT_EQ(get<float>(none.prod()), Floats{1});
  EXPECT_EQ(get<bool>(none.less(0).all()), std::vector<bool>{true});
  EXPECT_EQ(get<bool>(none.less(0).any()), std::vector<bool>{false});
  EXPECT_EQ(get<float>(none.logSumExp()), Floats{-HUGE_VALF});
  Tensor empty = Tensor::zeros({2, 0});
  EXPECT_EQ(get<float>(empty.logSumExp(1)), (Floats{-HUGE_VALF, -HUGE_VALF}));
  EXPECT_EQ(get<bool>((empty < 0).all(1, true)), (std::vector<bool>{true, true}));
  EXPECT_EQ(get<float>(empty.softmax()), Floats{});
  EXPECT_EQ(get<float>(empty.logSoftmax()), Floats{});
  EXPECT_EQ(get<float>(empty.softmax(0)), Floats{});
  EXPECT_EQ(getError(none.tryMax()), "max: expects elements along axis 0, but got (0,)");
  EXPECT_EQ(getError(x.trySum({2})), "sum: expects an axis of a tensor of rank 2, but got 2");
  EXPECT_EQ(getError(x.trySum({0, -2})), "sum: expects each axis once, but got -2 again");
  EXPECT_EQ(getError(x.less(0).tryLogSumExp()), "logSumExp: expects floats, but got bool");
}

// An integer sum over elements that do not change is exact.
TEST(ReductionTest, RepeatedElements) {
  Tensor x = Tensor::fromSlice<int32_t>({2, 1}, {3, -4});
  EXPECT_EQ(get<int32_t>(x.expand({2, 5}).sum(1)), (std::vector<int32_t>{15, -20}));
  Tensor y = makeTensor({6});
  Tensor sum = y.reshape({2, 3}).expand({4, 2, 3}).sum(0);
  expectNear(sum.data<float>(), (y * 4.0).data<float>());
}

static Floats multiply(const Floats &a, const Floats &b, int m, int n, int k) {
  Floats c(m * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int l = 0; l < k; ++l)
        c[i * n + j] += a[i * k + l] * b[l * n + j];
  return c;
}

TEST(ReductionTest, Matmul) {
  Floats expected = multiply(makeData(35), makeData(21), 5, 3, 7);
  Tensor a = makeTensor({5, 7}), b = makeTensor({7, 3});
  expectNear(a.matmul(b).data<float>(), expected);
  expectNear(a.transpose().contiguous().transpose().matmul(b).data<float>(), expected);
  expectNear(Tensor::einsum("ik,kj->ij", {a, b}).data<float>(), expected);
  // Batches broadcast; vectors are rows or columns.
  Tensor batch = a.expand({2, 5, 7}).matmul(b);
  expectNear(batch.shrink({{1, 2}, {0, 5}, {0, 3}}).data<float>(), expected);
  expectNear(makeTensor({7}).matmul(b).data<float>(), multiply(makeData(7), makeData(21), 1, 3, 7));
  expectNear(a.matmul(makeTensor({7})).data<float>(), multiply(makeData(35), makeData(7), 5, 1, 7));
  EXPECT_EQ(a.matmul(makeTensor({7})).getRank(), 1);
  Tensor narrow = a.cast(DType::BF16).matmul(b.cast(DType::BF16));
  EXPECT_EQ(narrow.getDType(), DType::BF16);
  expectNear(narrow.cast(DType::F32).data<float>(), expected, 1e-2f);
  EXPECT_EQ(getError(a.tryMatmul(a)),
            "matmul: expects shapes (…, m, k) and (…, k, n), but got (5, 7) and (5, 7)");
}

TEST(ReductionTest, Einsum) {
  Tensor a = makeTensor({2, 3, 4}), b = makeTensor({2, 4, 5});
  Tensor expected = a.matmul(b);
  expectNear(Tensor::einsum("bij,bjk->bik", {a, b}).data<float>(), expected.data<float>());
  expectNear(Tensor::einsum("bij->b", {a}).data<float>(), a.sum({1, 2}).data<float>());
  expectNear(Tensor::einsum("bij->jib", {a}).data<float>(), a.permute({2, 1, 0}).data<float>());
  EXPECT_EQ(getError(Tensor::tryEinsum("ij,jk->ik", {a, b})),
            "einsum: expects 3 letters for shape (2, 3, 4), but got 'ij' in 'ij,jk->ik'");
  EXPECT_EQ(getError(Tensor::tryEinsum("bij,bik->bj", {a, b})),
            "einsum: expects one extent for 'i', but got (3,) and (4,) in 'bij,bik->bj'");
  EXPECT_EQ(
      getError(Tensor::tryEinsum("bij->bx", {a})),
      "einsum: expects each letter of the result once, and in a tensor; got 'bx' in 'bij->bx'");
}

TEST(ReductionTest, EinsumWithDots) {
  Tensor a = makeTensor({2, 3, 4}), b = makeTensor({4, 5}), batch = makeTensor({2, 4, 5});
  auto expect = [](const Tensor &actual, const Tensor &expected) {
    ASSERT_EQ(actual.getShape(), expected.getShape());
    expectNear(actual.data<float>(), expected.data<float>());
  };
  expect(Tensor::einsum("...ij,...jk->...ik", {a, b}), a.matmul(b));
  expect(Tensor::einsum(" ...ij , ...jk -> ...ik ", {a, batch}), a.matmul(batch));
  expect(Tensor::einsum("...ij,...jk", {a, batch}), a.matmul(batch));
  expect(Tensor::einsum("i...->...", {a}), a.sum(0));
  expect(Tensor::einsum("i...j->j...i", {a}), a.permute({2, 1, 0}));
  expect(Tensor::einsum("...ii->...", {makeTensor({2, 3, 3})}), makeTensor({2, 3, 3}).trace());
  expect(Tensor::einsum("...,...->...", {a, a}), a * a);
  expect(Tensor::einsum("...->...", {makeTensor({})}), makeTensor({}));
  // Extents of one are repeated.
  Tensor column = makeTensor({3, 1}), row = makeTensor({1, 4});
  expect(Tensor::einsum("ij,jk->ik", {column, b}), column.expand({3, 4}).matmul(b));
  expect(Tensor::einsum("...ij,...ij->...ij", {a, row.reshape({1, 1, 4})}), a * row);
  EXPECT_EQ(getError(Tensor::tryEinsum("...i->i", {a})),
            "einsum: expects dots in the result, but got 'i' in '...i->i'");
  EXPECT_EQ(getError(Tensor::tryEinsum("...,...->...", {a, makeTensor({3})})),
            "einsum: expects one extent for '...', but got (4,) and (3,) in '...,...->...'");
  EXPECT_EQ(getError(Tensor::tryEinsum("...ijkl->i", {a})),
            "einsum: expects 3 letters for shape (2, 3, 4), but got '...ijkl' in '...ijkl->i'");
  EXPECT_EQ(getError(Tensor::tryEinsum("i..j->i", {a})),
            "einsum: expects letters, but got 'i..j' in 'i..j->i'");
}

// Only what is in memory is limited.
TEST(ReductionTest, ManyProducts) {
  constexpr int64_t n = 65536;
  Tensor a = Tensor::ones({n, n}, DType::I8);
  EXPECT_EQ(a.matmul(a).getShape()[1], n);
  EXPECT_EQ(Tensor::einsum("ij,jk->ik", {a, a}).getShape()[0], n);
  Tensor row = Tensor::ones({1, int64_t(1) << 40}), column = Tensor::ones({int64_t(1) << 40, 1});
  EXPECT_EQ(getError(column.tryMatmul(row)),
            "matmul: the shape (1099511627776, 1099511627776) is too large");
  Tensor wide = Tensor::ones({n, int64_t(1) << 31});
  EXPECT_EQ(getError(wide.tryMatmul(wide.transpose())),
            "matmul: too many products for shapes (65536, 2147483648) and (2147483648, 65536)");
  EXPECT_EQ(getError(Tensor::tryEinsum("ij,kj->ik", {wide, wide})),
            "einsum: too many products in 'ij,kj->ik'");
}

// Of integers and bools statistics are f32.
TEST(ReductionTest, StatisticsOfIntegers) {
  Tensor x = Tensor::fromSlice<uint8_t>({2, 3}, {250, 251, 254, 3, 4, 0});
  EXPECT_EQ(x.mean().getDType(), DType::F32);
  expectNear(x.mean(1).data<float>(), {755 / 3.f, 7 / 3.f});
  expectNear(x.variance(1).data<float>(), {26 / 9.f, 26 / 9.f});
  expectNear(x.stddev(1, false, 1).data<float>(), {std::sqrt(13 / 3.f), std::sqrt(13 / 3.f)});
  expectNear(x.norm(1).data<float>(), {std::sqrt(190017.f), 5});
  EXPECT_EQ(get<float>((x < 100).mean()), Floats{0.5});
}

TEST(ReductionTest, SoftmaxAndNorms) {
  Floats x = makeData(15), softmax(15), logs(15), layer(15), rms(15);
  for (int row = 0; row < 3; ++row) {
    double sum = 0, mean = 0, square = 0, variance = 0;
    for (int i = 0; i < 5; ++i) {
      sum += std::exp(x[row * 5 + i]);
      mean += x[row * 5 + i] / 5;
      square += x[row * 5 + i] * x[row * 5 + i] / 5;
    }
    for (int i = 0; i < 5; ++i)
      variance += std::pow(x[row * 5 + i] - mean, 2) / 5;
    for (int i = 0; i < 5; ++i) {
      double value = x[row * 5 + i];
      softmax[row * 5 + i] = std::exp(value) / sum;
      logs[row * 5 + i] = value - std::log(sum);
      layer[row * 5 + i] = (value - mean) / std::sqrt(variance + 1e-5);
      rms[row * 5 + i] = value / std::sqrt(square + 1e-5);
    }
  }
  Tensor tensor = makeTensor({3, 5});
  expectNear(tensor.softmax().data<float>(), softmax);
  expectNear(tensor.transpose().softmax(0).transpose().data<float>(), softmax);
  expectNear(tensor.logSoftmax().data<float>(), logs);
  expectNear(tensor.layerNorm().data<float>(), layer, 1e-4f);
  expectNear(tensor.rmsNorm().data<float>(), rms);
}

TEST(ReductionTest, CausalAttention) {
  constexpr int n = 4, size = 3;
  Floats q = makeData(n * size), expected(n * size);
  for (int i = 0; i < n; ++i) {
    double weights[n], sum = 0;
    for (int j = 0; j <= i; ++j) {
      double score = 0;
      for (int k = 0; k < size; ++k)
        score += q[i * size + k] * q[j * size + k];
      sum += weights[j] = std::exp(score / std::sqrt(double(size)));
    }
    for (int j = 0; j <= i; ++j)
      for (int k = 0; k < size; ++k)
        expected[i * size + k] += weights[j] / sum * q[j * size + k];
  }
  Tensor x = makeTensor({1, n, size});
  expectNear(x.attention(x, x, /*isCausal=*/true).data<float>(), expected, 1e-4f);
}

TEST(ReductionTest, Indices) {
  Tensor x = Tensor::fromSlice<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  Tensor indices = Tensor::fromSlice<int32_t>({4}, {2, 0, -1, 9});
  EXPECT_EQ(get<float>(x.take(indices)), (Floats{5, 6, 1, 2, 5, 6, 0, 0}));
  EXPECT_EQ(get<float>(x.take(Tensor::fromSlice<int64_t>({1, 1}, {1}), 1)), (Floats{2, 4, 6}));
  EXPECT_EQ(get<float>(Tensor::arange(2).oneHot(3)), (Floats{1, 0, 0, 0, 1, 0}));
  EXPECT_EQ(get<float>(Tensor::ones({2, 3}).tril()), (Floats{1, 0, 0, 1, 1, 0}));
  EXPECT_EQ(get<float>(Tensor::ones({2, 3}).triu(1)), (Floats{0, 1, 1, 0, 0, 1}));
  EXPECT_EQ(get<float>(Tensor::eye(2)), (Floats{1, 0, 0, 1}));
  EXPECT_EQ(get<int64_t>(Tensor::arange(3)), (std::vector<int64_t>{0, 1, 2}));
  expectNear(Tensor::linspace(1, 2, 5).data<float>(), {1, 1.25, 1.5, 1.75, 2});
  EXPECT_EQ(getError(x.tryTake(x)), "take: expects integers as indices, but got f32");
}
