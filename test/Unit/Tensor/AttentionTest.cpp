// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention beside sums in double precision, and which keys and values it reads.
#include "TensorTesting.h"
#include "pypto/Runtime/ParallelFor.h"
#include "pypto/Tensor/NN.h"

#include <cstring>
#include <random>

using namespace pypto;
using namespace pypto::lazy;

static constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
static constexpr float kInfinity = std::numeric_limits<float>::infinity();

namespace {
/// Extents of one attention, and its inputs.
struct Case {
  int heads, queries, keys, size, out;
  std::vector<float> q, k, v;

  Case(int heads, int queries, int keys, int size, int out)
      : heads(heads), queries(queries), keys(keys), size(size), out(out) {
    std::mt19937 generator(heads + queries * 3 + keys * 5 + size * 7);
    std::normal_distribution<float> distribution(0, 1);
    auto fill = [&](std::vector<float> &values, size_t count) {
      values.resize(count);
      for (float &value : values)
        value = distribution(generator);
    };
    fill(q, heads * queries * size);
    fill(k, heads * keys * size);
    fill(v, heads * keys * out);
  }

  Tensor build(bool isCausal, DType dtype = DType::F32) const {
    Tensor query = Tensor::fromSlice<float>({heads, queries, size}, q);
    Tensor key = Tensor::fromSlice<float>({heads, keys, size}, k);
    Tensor value = Tensor::fromSlice<float>({heads, keys, out}, v);
    return query.cast(dtype).attention(key.cast(dtype), value.cast(dtype), isCausal);
  }

  /// By plain loops; a key that is not seen is not read.
  std::vector<float> compute(bool isCausal) const {
    std::vector<float> result;
    for (int head = 0; head < heads; ++head)
      for (int i = 0; i < queries; ++i) {
        int end = isCausal ? std::max(0, std::min(keys, i + 1 + keys - queries)) : keys;
        std::vector<double> scores(end), sums(out);
        double most = -HUGE_VAL, total = 0;
        for (int j = 0; j < end; ++j) {
          for (int c = 0; c < size; ++c)
            scores[j] +=
                double(q[(head * queries + i) * size + c]) * k[(head * keys + j) * size + c];
          scores[j] /= std::sqrt(double(size));
          most = std::isnan(most) || std::isnan(scores[j]) ? NAN : std::max(most, scores[j]);
        }
        for (int j = 0; j < end; ++j) {
          double power = std::exp(scores[j] - most);
          total += power;
          for (int d = 0; d < out; ++d)
            sums[d] += power * v[(head * keys + j) * out + d];
        }
        for (double sum : sums)
          result.push_back(static_cast<float>(sum / total));
      }
    return result;
  }
};
} // namespace

static void expectRight(const Case &each, bool isCausal, float tolerance = 2e-5f) {
  SCOPED_TRACE(testing::Message() << each.heads << " x " << each.queries << " x " << each.keys
                                  << " x " << each.size << " x " << each.out
                                  << (isCausal ? ", causal" : ""));
  expectNear(each.build(isCausal).data<float>(), each.compute(isCausal), tolerance);
}

// Lengths that are blocks, parts of blocks and one; more keys than queries, and fewer.
TEST(AttentionTest, Extents) {
  for (bool isCausal : {false, true}) {
    for (int length : {1, 31, 65, 256, 300})
      expectRight(Case(2, length, length, 8, 8), isCausal);
    expectRight(Case(1, 256, 256, 64, 64), isCausal);
    expectRight(Case(1, 1, 300, 16, 16), isCausal);
    expectRight(Case(3, 5, 131, 19, 7), isCausal);
    expectRight(Case(2, 256, 384, 33, 65), isCausal);
    expectRight(Case(1, 512, 200, 16, 1), isCausal);
    expectRight(Case(5, 192, 192, 1, 3), isCausal);
    // Rows of more scores than a block has: whole blocks, a rest, few rows.
    expectRight(Case(1, 70, 1536, 8, 8), isCausal);
    expectRight(Case(2, 1100, 1100, 4, 8), isCausal);
    expectRight(Case(1, 64, 2051, 5, 3), isCausal);
    expectRight(Case(1, 2, 40000, 3, 3), isCausal);
    expectRight(Case(1, 1500, 1200, 4, 4), isCausal);
    // Blocks of rows and a rest of one, of few and of nearly a block.
    expectRight(Case(1, 257, 257, 16, 16), isCausal);
    expectRight(Case(2, 263, 300, 8, 40), isCausal);
    expectRight(Case(3, 383, 191, 24, 8), isCausal);
  }
}

// A key that a query does not see, and its value, may be anything.
TEST(AttentionTest, MaskedKeysTakeNoPart) {
  for (int length : {3, 70, 320, 1200})
    for (float special : {kNaN, kInfinity, -kInfinity}) {
      Case each(2, length, length, 8, 8);
      // Seen by the queries behind them only.
      for (int j : {length - 1, length / 2})
        for (int c = 0; c < 8; ++c) {
          each.k[j * 8 + c] = special;
          each.v[(length + j) * 8 + c] = special;
        }
      expectRight(each, /*isCausal=*/true);
      std::vector<float> result = get<float>(each.build(/*isCausal=*/true));
      for (int i = 0; i < length / 2 * 8; ++i) {
        ASSERT_TRUE(std::isfinite(result[i])) << i;
        ASSERT_TRUE(std::isfinite(result[length * 8 + i])) << i;
      }
      ASSERT_FALSE(std::isfinite(result[2 * length * 8 - 1]));
    }
}

// A mask of the user follows the arithmetic of floats: zero times NaN is NaN.
TEST(AttentionTest, MasksOfTheUserReadAll) {
  constexpr int length = 192;
  Case each(1, length, length, 8, 8);
  each.v[length * 8 - 1] = kNaN;
  Tensor scores = Tensor::fromSlice<float>({1, length, 8}, each.q)
                      .matmul(Tensor::fromSlice<float>({1, length, 8}, each.k).transpose());
  Tensor row = Tensor::iota({1, length, length}, 1), column = Tensor::iota({1, length, length}, 2);
  Tensor masked = column.lessEqual(row).where(scores, -HUGE_VAL).softmax();
  std::vector<float> result =
      get<float>(masked.matmul(Tensor::fromSlice<float>({1, length, 8}, each.v)));
  for (int i = 0; i < length; ++i) {
    EXPECT_TRUE(std::isnan(result[i * 8 + 7])) << i;
    EXPECT_FALSE(std::isnan(result[i * 8 + 6])) << i;
  }
}

/// Attention with a mask, as where(mask, scores, -inf) has it, by plain loops: every value is read.
static std::vector<float> computeMasked(const Case &each, llvm::ArrayRef<uint8_t> mask) {
  std::vector<float> result;
  for (int i = 0; i < each.queries; ++i) {
    std::vector<double> scores(each.keys), sums(each.out);
    double most = -HUGE_VAL, total = 0;
    for (int j = 0; j < each.keys; ++j) {
      for (int c = 0; c < each.size; ++c)
        scores[j] += double(each.q[i * each.size + c]) * each.k[j * each.size + c];
      scores[j] = mask[i * each.keys + j] ? scores[j] / std::sqrt(double(each.size)) : -HUGE_VAL;
      most = std::isnan(most) || std::isnan(scores[j]) ? NAN : std::max(most, scores[j]);
    }
    for (int j = 0; j < each.keys; ++j) {
      double power = std::exp(scores[j] - most);
      total += power;
      for (int d = 0; d < each.out; ++d)
        sums[d] += power * each.v[j * each.out + d];
    }
    for (double sum : sums)
      result.push_back(static_cast<float>(sum / total));
  }
  return result;
}

// Long rows of which the first blocks, all, or nothing is masked; with values that are NaN or
// infinite where the mask is, too, and scores that are.
TEST(AttentionTest, MasksOfLongRows) {
  constexpr int queries = 66, keys = 1700;
  std::vector<uint8_t> mask(queries * keys);
  for (int i = 0; i < queries; ++i)
    for (int j = 0; j < keys; ++j)
      mask[i * keys + j] = i % 6 == 0   ? 0
                           : i % 6 == 1 ? 1
                           : i % 6 == 2 ? j >= 1300
                           : i % 6 == 3 ? j < 20
                           : i % 6 == 4 ? j == keys - 1
                                        : (i * 31 + j * 17) % 5 == 0;
  for (float special : {0.0f, kNaN, kInfinity, -kInfinity})
    for (bool isKey : {false, true}) {
      SCOPED_TRACE(testing::Message() << special << (isKey ? " in a key" : " in a value"));
      Case each(1, queries, keys, 4, 4);
      for (int j : {10, 900, keys - 1})
        (isKey ? each.k : each.v)[j * 4 + j % 3] += special;
      nn::AttentionOptions options;
      Tensor bytes = Tensor::fromSlice<uint8_t>({queries, keys}, mask);
      options.mask = bytes.notEqual(0);
      options.mask->realize();
      Tensor q = Tensor::fromSlice<float>({1, queries, 4}, each.q);
      Tensor k = Tensor::fromSlice<float>({1, keys, 4}, each.k);
      Tensor v = Tensor::fromSlice<float>({1, keys, 4}, each.v);
      std::vector<float> expected = computeMasked(each, mask);
      expectNear(nn::attention(q, k, v, options).data<float>(), expected, 2e-5f);
      EXPECT_TRUE(std::isnan(expected[0]));
      // The same as numbers that are added.
      std::vector<float> added;
      for (uint8_t sees : mask)
        added.push_back(sees ? 0 : -kInfinity);
      options.mask = Tensor::fromSlice<float>({queries, keys}, added);
      if (special == 0 || !isKey)
        expectNear(nn::attention(q, k, v, options).data<float>(), expected, 2e-5f);
    }
}

// Sums that something else than a division by the total follows are what they are without blocks:
// NaN where every score that counts is minus infinity, zero where none counts.
TEST(AttentionTest, SumsOfMaskedRows) {
  constexpr int queries = 130, keys = 1500;
  Case each(1, queries, keys, 4, 4);
  Tensor row = Tensor::iota({queries, keys}, 0), column = Tensor::iota({queries, keys}, 1);
  Tensor sees = column.lessEqual(row - 3);
  Tensor scores = Tensor::fromSlice<float>({queries, 4}, each.q)
                      .matmul(Tensor::fromSlice<float>({keys, 4}, each.k).transpose());
  Tensor value = Tensor::fromSlice<float>({keys, 4}, each.v);
  Tensor masked = row.equal(10).where(-HUGE_VAL, sees.where(scores, -HUGE_VAL));
  for (bool isSelected : {false, true}) {
    Tensor powers = (masked - masked.max({-1}, true)).exp();
    if (isSelected)
      powers = sees.where(powers, 0);
    Tensor total = powers.sum({-1}, true) + 1.0;
    std::vector<float> result = get<float>(powers.matmul(value) / total);
    for (int i = 0; i < queries; ++i)
      for (int d = 0; d < 4; ++d) {
        bool isNothing = i < 3 && isSelected;
        EXPECT_EQ(std::isnan(result[i * 4 + d]), (i < 3 && !isSelected) || i == 10) << i;
        EXPECT_EQ(result[i * 4 + d] == 0, isNothing) << i;
      }
  }
}

// Scores grow from block to block, or the first one is the greatest: sums are multiplied by nearly
// nothing.
TEST(AttentionTest, GrowingScores) {
  for (float slope : {0.5f, -0.5f, 300.0f, -300.0f}) {
    Case each(1, 64, 2000, 1, 2);
    for (int i = 0; i < 64; ++i)
      each.q[i] = float(i % 3);
    for (int j = 0; j < 2000; ++j)
      each.k[j] = slope * float(j);
    expectRight(each, /*isCausal=*/false, 1e-4f);
    expectRight(each, /*isCausal=*/true, 1e-4f);
  }
}

// Averages of values near the largest number are near it, too, and those of small ones are not
// lost.
TEST(AttentionTest, LargeAndSmallValues) {
  for (float size : {3e38f, -3e38f, 1e-30f})
    for (int keys : {7, 192, 1500})
      for (bool isCausal : {false, true}) {
        Case each(2, 130, keys, 4, 4);
        std::fill(each.v.begin(), each.v.end(), size);
        for (float value : get<float>(each.build(isCausal)))
          if (!std::isnan(value))
            ASSERT_NEAR(value / size, 1, 1e-5f) << size << ", " << keys;
      }
}

// A query that sees no key has an average of nothing.
TEST(AttentionTest, QueriesWithoutKeys) {
  Case each(1, 200, 100, 8, 8);
  std::vector<float> result = get<float>(each.build(/*isCausal=*/true));
  EXPECT_TRUE(std::isnan(result[99 * 8]));
  EXPECT_FALSE(std::isnan(result[100 * 8]));
  EXPECT_EQ(get<float>(Case(2, 0, 5, 4, 4).build(true)).size(), 0u);
  EXPECT_THROW(Case(2, 1, 0, 4, 4).build(false), TensorException);
}

TEST(AttentionTest, ElementTypes) {
  Case each(2, 192, 192, 16, 16);
  std::vector<float> expected = each.compute(/*isCausal=*/true);
  Tensor wide = each.build(true, DType::F64);
  ASSERT_EQ(wide.getDType(), DType::F64);
  expectNear(wide.cast(DType::F32).data<float>(), expected, 1e-6f);
  for (DType dtype : {DType::BF16, DType::F16}) {
    Tensor narrow = each.build(true, dtype);
    ASSERT_EQ(narrow.getDType(), dtype);
    expectNear(narrow.cast(DType::F32).data<float>(), expected,
               dtype == DType::BF16 ? 4e-2f : 4e-3f);
  }
}

static void checkThreads(const Case &each) {
  std::vector<float> first;
  auto plan = each.build(/*isCausal=*/true).prepare();
  for (unsigned threads : {1u, 2u, 8u, 2u, 8u, 2u, 8u}) {
    runtime::setParallelThreads(threads);
    plan->execute();
    llvm::ArrayRef<float> data = plan->outputBufferAt(0)->as<float>();
    if (first.empty())
      first.assign(data.begin(), data.end());
    ASSERT_EQ(first.size(), data.size());
    EXPECT_EQ(std::memcmp(first.data(), data.data(), first.size() * sizeof(float)), 0) << threads;
  }
  runtime::setParallelThreads(0);
  expectNear(first, each.compute(true), 2e-5f);
}

// Blocks of 64 rows of the second one have the type of its result: they do not share memory either.
TEST(AttentionTest, ThreadsGiveTheSameBits) {
  checkThreads({3, 320, 448, 24, 40});
  checkThreads({1, 1024, 1024, 64, 64});
  checkThreads({2, 1300, 1300, 16, 24});
}
