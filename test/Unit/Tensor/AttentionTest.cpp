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
    // Blocks of rows and a rest of one, of few and of nearly a block.
    expectRight(Case(1, 257, 257, 16, 16), isCausal);
    expectRight(Case(2, 263, 300, 8, 40), isCausal);
    expectRight(Case(3, 383, 191, 24, 8), isCausal);
  }
}

// A key that a query does not see, and its value, may be anything.
TEST(AttentionTest, MaskedKeysTakeNoPart) {
  for (int length : {3, 70, 320})
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
}
