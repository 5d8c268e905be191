// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers and losses beside plain loops.
#include "pypto/Tensor/NN.h"
#include "TensorTesting.h"

using namespace pypto;
using namespace pypto::lazy;

using Floats = std::vector<float>;

//===- Products -----------------------------------------------------------------------===//

TEST(NNTest, LinearAndEmbedding) {
  Floats x = makeData(6), weight = makeData(12), expected(8);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j) {
      expected[i * 4 + j] = makeData(4)[j];
      for (int k = 0; k < 3; ++k)
        expected[i * 4 + j] += x[i * 3 + k] * weight[j * 3 + k];
    }
  Tensor result = nn::linear(makeTensor({2, 3}), makeTensor({4, 3}), makeTensor({4}));
  expectNear(result.data<float>(), expected);
  Tensor ids = Tensor::fromSlice<int32_t>({2, 1}, {2, 0});
  EXPECT_EQ(get<float>(nn::embedding(ids, makeTensor({3, 2}))),
            (Floats{makeData(6)[4], makeData(6)[5], makeData(6)[0], makeData(6)[1]}));
  EXPECT_EQ(getError(nn::tryLinear(makeTensor({2, 3}), makeTensor({3, 4}))),
            "linear: expects shapes (…, in) and (out, in), but got (2, 3) and (3, 4)");
  EXPECT_EQ(getError(nn::tryLinear(makeTensor({3}), makeTensor({4, 3}), makeTensor({3}))),
            "linear: expects a bias for each row of a weight (4, 3), but got (3,)");
  EXPECT_EQ(getError(nn::tryEmbedding(ids, makeTensor({3}))),
            "embedding: expects a table (count, size), but got (3,)");
}

//===- Attention ----------------------------------------------------------------------===//

/// One head by plain loops; `bias` is added to the scores.
static Floats attend(const Floats &q, const Floats &k, const Floats &v, int n, int m, int size,
                     llvm::function_ref<double(int, int)> bias, double scale) {
  Floats result(n * size);
  for (int i = 0; i < n; ++i) {
    std::vector<double> weights(m);
    double sum = 0;
    for (int j = 0; j < m; ++j) {
      double score = 0;
      for (int d = 0; d < size; ++d)
        score += q[i * size + d] * k[j * size + d];
      sum += weights[j] = std::exp(score * scale + bias(i, j));
    }
    for (int j = 0; j < m; ++j)
      for (int d = 0; d < size; ++d)
        result[i * size + d] += weights[j] / sum * v[j * size + d];
  }
  return result;
}

TEST(NNTest, Attention) {
  constexpr int n = 3, m = 5, size = 4;
  Floats q = makeData(n * size), k = makeData(m * size), v = makeData(m * size);
  Tensor query = makeTensor({n, size}), key = makeTensor({m, size}), value = makeTensor({m, size});
  auto expect = [&](const nn::AttentionOptions &options, llvm::function_ref<double(int, int)> bias,
                    double scale = 0.5) {
    expectNear(nn::attention(query, key, value, options).data<float>(),
               attend(q, k, v, n, m, size, bias, scale), 1e-4f);
  };
  nn::AttentionOptions plain, causal, scaled, masked, added;
  expect(plain, [](int, int) { return 0; });
  causal.isCausal = true;
  expect(causal, [](int i, int j) { return j <= i + (m - n) ? 0. : -HUGE_VAL; });
  scaled.scale = 0.125;
  expect(scaled, [](int, int) { return 0; }, 0.125);
  masked.mask = Tensor::arange(m).notEqual(1);
  expect(masked, [](int, int j) { return j == 1 ? -HUGE_VAL : 0.; });
  added.mask = Tensor::arange(n, DType::F32).unsqueeze(1) * Tensor::arange(m, DType::F32);
  expect(added, [](int i, int j) { return i * j; });
  EXPECT_EQ(getError(nn::tryAttention(query, key, makeTensor({4, size}))),
            "attention: expects shapes (…, n, size), (…, m, size) and (…, m, out), but got (3, 4), "
            "(5, 4) and (4, 4)");
}

TEST(NNTest, HeadsOfKeysServeSeveral) {
  constexpr int n = 3, size = 2;
  Tensor query = makeTensor({4, n, size}), key = makeTensor({2, n, size});
  Floats q = makeData(4 * n * size), k = makeData(2 * n * size), expected;
  for (int head = 0; head < 4; ++head) {
    Floats own(q.begin() + head * n * size, q.begin() + (head + 1) * n * size);
    Floats shared(k.begin() + head / 2 * n * size, k.begin() + (head / 2 + 1) * n * size);
    Floats part =
        attend(own, shared, shared, n, n, size, [](int, int) { return 0; }, 1 / std::sqrt(2.0));
    expected.insert(expected.end(), part.begin(), part.end());
  }
  expectNear(nn::attention(query, key, key).data<float>(), expected, 1e-4f);
  EXPECT_EQ(
      getError(nn::tryAttention(query, makeTensor({3, n, size}), makeTensor({3, n, size}))),
      "attention: expects heads of which each serves several, but got (4, 3, 2) and (3, 3, 2)");
}

// What heads share is what each of them would have of its own, with masks of all or of each.
TEST(NNTest, SharedHeadsWithMasks) {
  constexpr int heads = 6, n = 5, m = 9, size = 4, out = 3;
  Tensor bias = makeTensor({heads, n, m}), bools = makeTensor({heads, n, m}).greater(0);
  std::vector<nn::MaybeTensor> masks = {std::nullopt,          makeTensor({n, m}),
                                        makeTensor({m}),       bias,
                                        makeTensor({1, n, m}), bools.logicalOr(bias.equal(0))};
  for (int shared : {1, 2, 3})
    for (bool isCausal : {false, true})
      for (auto [number, mask] : llvm::enumerate(masks)) {
        SCOPED_TRACE(testing::Message()
                     << shared << " heads, causal " << isCausal << ", mask " << number);
        nn::AttentionOptions options;
        options.isCausal = isCausal;
        options.mask = mask;
        Tensor query = makeTensor({heads, n, size}), key = makeTensor({shared, m, size});
        Tensor value = makeTensor({shared, m, out});
        auto repeat = [&](const Tensor &x) { return x.repeatInterleave(heads / shared, 0); };
        Tensor each = nn::attention(query, repeat(key), repeat(value), options);
        Tensor all = nn::attention(query, key, value, options);
        EXPECT_EQ(all.getShape(), each.getShape());
        expectNear(all.data<float>(), get<float>(each), 1e-5f);
      }
}

// One query for each head: heads that share keys are rows of one product.
TEST(NNTest, SharedHeadsOfOneQuery) {
  nn::AttentionOptions options;
  for (bool isCausal : {false, true}) {
    options.isCausal = isCausal;
    Tensor query = makeTensor({2, 6, 1, 4}), key = makeTensor({2, 2, 300, 4});
    Tensor value = makeTensor({2, 2, 300, 5});
    Tensor each = nn::attention(query, key.repeatInterleave(3, 1), value.repeatInterleave(3, 1));
    Tensor all = nn::attention(query, key, value, options);
    EXPECT_EQ(all.getShape(), each.getShape());
    expectNear(all.data<float>(), get<float>(each), 1e-5f);
    // Keys of several batches, queries of one.
    Tensor first = nn::attention(makeTensor({6, 1, 4}), key, value, options);
    EXPECT_EQ(lazy::formatShape(first.getShape()), "(2, 6, 1, 5)");
    expectNear(first.select(0, 0).data<float>(), get<float>(each.select(0, 0)), 1e-5f);
  }
}

TEST(NNTest, Rotary) {
  Floats x = makeData(12), expected(12);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j) {
      double angle = (i + 5) * std::pow(100.0, -j / 2.0);
      float a = x[i * 4 + j], b = x[i * 4 + j + 2];
      expected[i * 4 + j] = a * std::cos(angle) - b * std::sin(angle);
      expected[i * 4 + j + 2] = b * std::cos(angle) + a * std::sin(angle);
    }
  expectNear(nn::rotary(makeTensor({3, 4}), 5, 100).data<float>(), expected);
  EXPECT_EQ(getError(nn::tryRotary(makeTensor({3, 3}))),
            "rotary: expects shape (…, n, size) with an even size, but got (3, 3)");
}

//===- Norms --------------------------------------------------------------------------===//

static Floats normalize(const Floats &x, int size, bool isCentered) {
  Floats result(x.size());
  for (size_t row = 0; row < x.size() / size; ++row) {
    double mean = 0, square = 0;
    for (int i = 0; i < size; ++i)
      mean += isCentered ? x[row * size + i] / size : 0;
    for (int i = 0; i < size; ++i)
      square += std::pow(x[row * size + i] - mean, 2) / size;
    for (int i = 0; i < size; ++i)
      result[row * size + i] = (x[row * size + i] - mean) / std::sqrt(square + 1e-5);
  }
  return result;
}

TEST(NNTest, Norms) {
  Tensor x = makeTensor({2, 4, 3});
  Floats data = makeData(24), scale = makeData(12), shift = makeData(12);
  Floats layer = normalize(data, 12, true), rms = normalize(data, 3, false),
         group = normalize(data, 6, true), batch(24);
  for (int i = 0; i < 24; ++i) {
    layer[i] = layer[i] * scale[i % 12] + shift[i % 12];
    rms[i] *= makeData(3)[i % 3];
    int channel = i / 3 % 4;
    group[i] = group[i] * makeData(4)[channel] + makeData(4)[channel];
    double variance = std::fabs(makeData(4)[channel]);
    batch[i] = (data[i] - makeData(4)[channel]) / std::sqrt(variance + 1e-5);
  }
  expectNear(nn::layerNorm(x, makeTensor({4, 3}), makeTensor({4, 3})).data<float>(), layer, 1e-4f);
  expectNear(nn::rmsNorm(x, makeTensor({3})).data<float>(), rms, 1e-4f);
  Tensor channels = makeTensor({4});
  expectNear(nn::groupNorm(x, 2, channels, channels).data<float>(), group, 1e-4f);
  expectNear(nn::batchNorm(x, channels, channels.abs()).data<float>(), batch, 1e-4f);
  // Narrow floats are computed in f32, and rounded once.
  Tensor narrow = nn::rmsNorm(x.cast(DType::BF16), makeTensor({3}));
  EXPECT_EQ(narrow.getDType(), DType::BF16);
  expectNear(narrow.cast(DType::F32).data<float>(), rms, 1e-2f);
  EXPECT_EQ(getError(nn::tryLayerNorm(x, channels)),
            "layerNorm: expects a weight with the last extents of (2, 4, 3), but got (4,)");
  EXPECT_EQ(getError(nn::tryGroupNorm(x, 3)),
            "groupNorm: expects groups of equal size of the channels of (2, 4, 3), but got 3");
  EXPECT_EQ(getError(nn::tryBatchNorm(x, channels, makeTensor({3}))),
            "batchNorm: expects a variance of shape (4,), but got (3,)");
}

TEST(NNTest, Dropout) {
  Tensor x = Tensor::ones({1000}), dropped = nn::dropout(x, 0.25, 7);
  Floats data = get<float>(dropped);
  int64_t numKept = 0;
  for (float value : data) {
    EXPECT_TRUE(value == 0 || std::fabs(value - 4 / 3.f) < 1e-6f) << value;
    numKept += value != 0;
  }
  EXPECT_GT(numKept, 690);
  EXPECT_LT(numKept, 810);
  EXPECT_EQ(get<float>(nn::dropout(x, 1, 7)), Floats(1000, 0));
  EXPECT_EQ(getError(nn::tryDropout(x, 1.5, 7)),
            "dropout: expects a probability from 0 to 1, but got 1.5");
}

//===- Convolutions -------------------------------------------------------------------===//

namespace {
/// A convolution of two dimensions.
struct Conv {
  int64_t batch, in, height, width, out, kernelHeight, kernelWidth;
  int64_t strideY = 1, strideX = 1, paddingY = 0, paddingX = 0, dilationY = 1, dilationX = 1,
          groups = 1;
};
} // namespace

static Floats convolve(const Conv &c) {
  Floats x = makeData(c.batch * c.in * c.height * c.width), result;
  Floats w = makeData(c.out * c.in / c.groups * c.kernelHeight * c.kernelWidth);
  int64_t rows =
      (c.height + 2 * c.paddingY - (c.kernelHeight - 1) * c.dilationY - 1) / c.strideY + 1;
  int64_t columns =
      (c.width + 2 * c.paddingX - (c.kernelWidth - 1) * c.dilationX - 1) / c.strideX + 1;
  int64_t part = c.in / c.groups;
  auto sum = [&](int64_t b, int64_t o, int64_t row, int64_t column) {
    float total = 0;
    for (int64_t i = 0; i < part; ++i)
      for (int64_t ky = 0; ky < c.kernelHeight; ++ky)
        for (int64_t kx = 0; kx < c.kernelWidth; ++kx) {
          int64_t y = row * c.strideY + ky * c.dilationY - c.paddingY;
          int64_t z = column * c.strideX + kx * c.dilationX - c.paddingX;
          if (y < 0 || y >= c.height || z < 0 || z >= c.width)
            continue;
          int64_t channel = o / (c.out / c.groups) * part + i;
          total += x[((b * c.in + channel) * c.height + y) * c.width + z] *
                   w[((o * part + i) * c.kernelHeight + ky) * c.kernelWidth + kx];
        }
    return total;
  };
  for (int64_t b = 0; b < c.batch; ++b)
    for (int64_t o = 0; o < c.out; ++o)
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t column = 0; column < columns; ++column)
          result.push_back(sum(b, o, row, column));
  return result;
}

TEST(NNTest, Convolutions) {
  auto expect = [](const Conv &c) {
    nn::ConvOptions options;
    options.stride = {c.strideY, c.strideX};
    options.padding = {c.paddingY, c.paddingX};
    options.dilation = {c.dilationY, c.dilationX};
    options.groups = c.groups;
    Tensor result =
        nn::conv(makeTensor({c.batch, c.in, c.height, c.width}),
                 makeTensor({c.out, c.in / c.groups, c.kernelHeight, c.kernelWidth}), options);
    expectNear(result.data<float>(), convolve(c), 1e-4f);
  };
  expect({.batch = 2,
          .in = 3,
          .height = 7,
          .width = 6,
          .out = 4,
          .kernelHeight = 3,
          .kernelWidth = 2});
  expect({.batch = 1,
          .in = 2,
          .height = 5,
          .width = 6,
          .out = 3,
          .kernelHeight = 3,
          .kernelWidth = 3,
          .strideY = 2,
          .strideX = 3,
          .paddingY = 1,
          .paddingX = 2});
  expect({.batch = 1,
          .in = 4,
          .height = 6,
          .width = 6,
          .out = 6,
          .kernelHeight = 2,
          .kernelWidth = 2,
          .dilationY = 2,
          .dilationX = 3,
          .groups = 2});
  expect({.batch = 2,
          .in = 3,
          .height = 4,
          .width = 4,
          .out = 3,
          .kernelHeight = 1,
          .kernelWidth = 1,
          .groups = 3});
  // One dimension, with a bias.
  nn::ConvOptions options;
  options.bias = makeTensor({2});
  Floats expected = convolve({.batch = 1,
                              .in = 2,
                              .height = 1,
                              .width = 5,
                              .out = 2,
                              .kernelHeight = 1,
                              .kernelWidth = 3});
  for (int i = 0; i < 6; ++i)
    expected[i] += makeData(2)[i / 3];
  expectNear(nn::conv(makeTensor({1, 2, 5}), makeTensor({2, 2, 3}), options).data<float>(),
             expected);
}

// Each element of the transposed operation is what the operation has made of it.
TEST(NNTest, TransposedConvolution) {
  constexpr int in = 2, out = 3, size = 4, kernel = 3, stride = 2, padding = 1;
  constexpr int extent = (size - 1) * stride + kernel - 2 * padding;
  Floats x = makeData(in * size), w = makeData(in * out * kernel), expected(out * extent);
  for (int i = 0; i < in; ++i)
    for (int o = 0; o < out; ++o)
      for (int at = 0; at < size; ++at)
        for (int k = 0; k < kernel; ++k) {
          int to = at * stride + k - padding;
          if (to >= 0 && to < extent)
            expected[o * extent + to] += x[i * size + at] * w[(i * out + o) * kernel + k];
        }
  nn::ConvOptions options;
  options.stride = {stride};
  options.padding = {padding};
  Tensor result =
      nn::convTranspose(makeTensor({1, in, size}), makeTensor({in, out, kernel}), options);
  expectNear(result.data<float>(), expected);
}

TEST(NNTest, ErrorsOfConvolutions) {
  Tensor x = makeTensor({1, 4, 5}), w = makeTensor({2, 4, 3});
  nn::ConvOptions groups, stride, bias;
  groups.groups = 3;
  stride.stride = {1, 2};
  bias.bias = makeTensor({3});
  EXPECT_EQ(getError(nn::tryConv(x, makeTensor({2, 3, 3}))),
            "conv: expects shapes (batch, channels, …) and (out, channels / groups, …) with 1 "
            "groups, but got (1, 4, 5) and (2, 3, 3)");
  EXPECT_EQ(getError(nn::tryConv(x, w, groups)),
            "conv: expects shapes (batch, channels, …) and (out, channels / groups, …) with 3 "
            "groups, but got (1, 4, 5) and (2, 4, 3)");
  EXPECT_EQ(getError(nn::tryConv(x, w, stride)),
            "conv: expects a stride for each of 1 dimensions, but got 2");
  EXPECT_EQ(getError(nn::tryConv(x, w, bias)),
            "conv: expects a bias for each of 2 channels, but got (3,)");
  EXPECT_EQ(getError(nn::tryConv(x, makeTensor({2, 4, 6}))),
            "conv: expects a window that fits in (1, 4, 5) with its padding, but got 6 at axis 2");
  EXPECT_EQ(getError(nn::tryConv(x, makeTensor({2, 4}))),
            "conv: expects shapes (batch, channels, …) and (out, channels, …) with as many "
            "dimensions, but got (1, 4, 5) and (2, 4)");
}

//===- Pools --------------------------------------------------------------------------===//

TEST(NNTest, Pools) {
  Tensor x = Tensor::fromSlice<float>({1, 3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, -9, -10, -11, -12});
  EXPECT_EQ(get<float>(nn::maxPool(x, {1, 2})), (Floats{2, 4, 6, 8, -9, -11}));
  EXPECT_EQ(get<float>(nn::averagePool(x, {3, 2})), (Floats{-5 / 6.f, -1 / 6.f}));
  nn::PoolOptions options;
  options.stride = {1};
  options.padding = {1};
  EXPECT_EQ(get<float>(nn::maxPool(x.select(1, 2), {3}, options)), (Floats{-9, -9, -10, -11}));
  expectNear(nn::averagePool(x.select(1, 0), {3}, options).data<float>(), {1, 2, 3, 7 / 3.f});
  options.countsPadding = false;
  expectNear(nn::averagePool(x.select(1, 0), {3}, options).data<float>(), {1.5, 2, 3, 3.5});
  EXPECT_EQ(get<float>(nn::resizeNearest(x, {6, 2})),
            (Floats{1, 3, 1, 3, 5, 7, 5, 7, -9, -11, -9, -11}));
  options.padding = {3};
  EXPECT_EQ(getError(nn::tryMaxPool(x, {3}, options)),
            "maxPool: expects a padding that is less than the window of 3, but got 3");
}

//===- Losses -------------------------------------------------------------------------===//

TEST(NNTest, Losses) {
  Tensor x = Tensor::fromSlice<float>({4}, {0.1, 0.9, 0.5, 1}),
         y = Tensor::fromSlice<float>({4}, {0, 1, 1, 1});
  Floats a = get<float>(x), b = get<float>(y);
  auto expect = [&](const Tensor &each, const Tensor &mean, const Tensor &sum,
                    llvm::function_ref<double(double, double)> reference) {
    Floats losses;
    double total = 0;
    for (int i = 0; i < 4; ++i)
      total += losses.emplace_back(reference(a[i], b[i]));
    expectNear(each.data<float>(), losses);
    expectNear(mean.data<float>(), {float(total / 4)});
    expectNear(sum.data<float>(), {float(total)});
  };
  using nn::Reduction;
#define EXPECT_LOSS(NAME, EXPRESSION)                                                              \
  expect(nn::NAME(x, y, Reduction::None), nn::NAME(x, y), nn::NAME(x, y, Reduction::Sum),          \
         [](double x, double y) { return EXPRESSION; })
  EXPECT_LOSS(mseLoss, (x - y) * (x - y));
  EXPECT_LOSS(l1Loss, std::fabs(x - y));
  EXPECT_LOSS(binaryCrossEntropy,
              -(y * std::max(std::log(x), -100.) + (1 - y) * std::max(std::log1p(-x), -100.)));
  EXPECT_LOSS(binaryCrossEntropyWithLogits, std::max(x, 0.) - x * y + std::log1p(std::exp(-x)));
  EXPECT_LOSS(klDivergence, y > 0 ? y * (std::log(y) - x) : 0);
#undef EXPECT_LOSS
  expectNear(nn::huberLoss(x, y, 0.25, Reduction::None).data<float>(),
             {0.005, 0.005, 0.25 * (0.5 - 0.125), 0});
  EXPECT_EQ(getError(nn::tryMseLoss(x, makeTensor({3}))),
            "mseLoss: expects equal shapes, but got (4,) and (3,)");
}

TEST(NNTest, LossesOfClasses) {
  Floats logits = makeData(9);
  Tensor x = makeTensor({3, 3}), target = Tensor::fromSlice<int64_t>({3}, {2, 0, 5});
  Floats losses(3);
  for (int row = 0; row < 2; ++row) {
    double sum = 0;
    for (int i = 0; i < 3; ++i)
      sum += std::exp(logits[row * 3 + i]);
    losses[row] = std::log(sum) - logits[row * 3 + (row ? 0 : 2)];
  }
  expectNear(nn::crossEntropy(x, target, nn::Reduction::None).data<float>(), losses);
  expectNear(nn::crossEntropy(x, target, nn::Reduction::Sum).data<float>(),
             {losses[0] + losses[1]});
  // A class that is not there does not count.
  expectNear(nn::crossEntropy(x, target).data<float>(), {(losses[0] + losses[1]) / 2});
  expectNear(nn::nllLoss(x.logSoftmax(), target).data<float>(), {(losses[0] + losses[1]) / 2});
  EXPECT_EQ(getError(nn::tryCrossEntropy(x, makeTensor({3}))),
            "crossEntropy: expects integers, but got f32");
  EXPECT_EQ(getError(nn::tryNllLoss(x, target.unsqueeze(0))),
            "nllLoss: expects shapes (…, classes) and (…), but got (3, 3) and (1, 3)");
}
