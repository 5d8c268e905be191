// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers and losses, made of the operations of tensors. Like those they compute nothing, and come
// in a form that returns an error and one that throws it. Elements of f16 and bf16 are computed in
// f32.
#ifndef PYPTO_TENSOR_NN_H
#define PYPTO_TENSOR_NN_H

#include "pypto/Tensor/Tensor.h"

namespace pypto::lazy::nn {

/// Declares `try…` with these parameters, and the form that throws its error.
#define PYPTO_LAZY_FUNCTION(NAME, TRY, PARAMETERS, ARGUMENTS)                                      \
  llvm::Expected<Tensor> TRY PARAMETERS;                                                           \
  inline Tensor NAME PARAMETERS { return unwrap(TRY ARGUMENTS); }

using MaybeTensor = std::optional<Tensor>;
using Extents = llvm::SmallVector<int64_t, 3>;

//===- Products -----------------------------------------------------------------------===//

/// x @ weight^T + bias; `weight` has the shape (out, in).
PYPTO_LAZY_FUNCTION(linear, tryLinear,
                    (const Tensor &x, const Tensor &weight, const MaybeTensor &bias = std::nullopt,
                     Place place = Place::current()),
                    (x, weight, bias, place))
/// The rows of `table` at `indices`.
PYPTO_LAZY_FUNCTION(embedding, tryEmbedding,
                    (const Tensor &indices, const Tensor &table, Place place = Place::current()),
                    (indices, table, place))

struct AttentionOptions {
  /// Position i sees positions up to i; of fewer queries than keys, the last ones.
  bool isCausal = false;
  /// Bools are true for what is seen, floats are added to the scores. Broadcasts to (…, n, m).
  MaybeTensor mask;
  /// 1 / sqrt(size) if there is none.
  std::optional<double> scale;
};
/// softmax(query @ key^T * scale, masked) @ value over the last two dimensions. Of fewer heads (the
/// third last dimension) of keys and values, each serves several of queries.
PYPTO_LAZY_FUNCTION(attention, tryAttention,
                    (const Tensor &query, const Tensor &key, const Tensor &value,
                     const AttentionOptions &options = {}, Place place = Place::current()),
                    (query, key, value, options, place))
/// Turns pairs of elements, half of the last dimension apart, by an angle that grows with the
/// position, which is the second last dimension and begins at `offset`.
PYPTO_LAZY_FUNCTION(rotary, tryRotary,
                    (const Tensor &x, int64_t offset = 0, double base = 10000,
                     Place place = Place::current()),
                    (x, offset, base, place))

//===- Norms --------------------------------------------------------------------------===//

/// Over the last dimensions, as many as `weight` has (else `x` has one less).
PYPTO_LAZY_FUNCTION(layerNorm, tryLayerNorm,
                    (const Tensor &x, const Tensor &weight, const MaybeTensor &bias = std::nullopt,
                     double epsilon = 1e-5, Place place = Place::current()),
                    (x, weight, bias, epsilon, place))
PYPTO_LAZY_FUNCTION(rmsNorm, tryRmsNorm,
                    (const Tensor &x, const Tensor &weight, double epsilon = 1e-5,
                     Place place = Place::current()),
                    (x, weight, epsilon, place))
/// Over groups of channels, which are the second dimension, and what follows.
PYPTO_LAZY_FUNCTION(groupNorm, tryGroupNorm,
                    (const Tensor &x, int64_t groups, const MaybeTensor &weight = std::nullopt,
                     const MaybeTensor &bias = std::nullopt, double epsilon = 1e-5,
                     Place place = Place::current()),
                    (x, groups, weight, bias, epsilon, place))
/// Each channel, which is the second dimension, by numbers that are given.
PYPTO_LAZY_FUNCTION(batchNorm, tryBatchNorm,
                    (const Tensor &x, const Tensor &mean, const Tensor &variance,
                     const MaybeTensor &weight = std::nullopt,
                     const MaybeTensor &bias = std::nullopt, double epsilon = 1e-5,
                     Place place = Place::current()),
                    (x, mean, variance, weight, bias, epsilon, place))
/// Elements are dropped with this probability, the others grow so that the mean stays.
PYPTO_LAZY_FUNCTION(dropout, tryDropout,
                    (const Tensor &x, double probability, uint64_t seed,
                     Place place = Place::current()),
                    (x, probability, seed, place))

//===- Convolutions and pools ---------------------------------------------------------===//

/// For each spatial dimension one number, or one for all; none is 1, or 0 of padding.
struct ConvOptions {
  MaybeTensor bias;
  Extents stride, padding, dilation;
  int64_t groups = 1;
};
/// x (batch, channels, …) with weight (out, channels / groups, …): any number of spatial
/// dimensions.
PYPTO_LAZY_FUNCTION(conv, tryConv,
                    (const Tensor &x, const Tensor &weight, const ConvOptions &options = {},
                     Place place = Place::current()),
                    (x, weight, options, place))
/// The transposed operation: weight (channels, out / groups, …).
PYPTO_LAZY_FUNCTION(convTranspose, tryConvTranspose,
                    (const Tensor &x, const Tensor &weight, const ConvOptions &options = {},
                     Place place = Place::current()),
                    (x, weight, options, place))

/// As of convolutions; without a stride windows do not overlap.
struct PoolOptions {
  Extents stride, padding, dilation;
  /// Whether padding counts in an average.
  bool countsPadding = true;
};
/// Over windows of the last dimensions, as many as the window has.
PYPTO_LAZY_FUNCTION(maxPool, tryMaxPool,
                    (const Tensor &x, const Extents &window, const PoolOptions &options = {},
                     Place place = Place::current()),
                    (x, window, options, place))
PYPTO_LAZY_FUNCTION(averagePool, tryAveragePool,
                    (const Tensor &x, const Extents &window, const PoolOptions &options = {},
                     Place place = Place::current()),
                    (x, window, options, place))
/// The last dimensions in this size, each element the nearest one.
PYPTO_LAZY_FUNCTION(resizeNearest, tryResizeNearest,
                    (const Tensor &x, const Extents &size, Place place = Place::current()),
                    (x, size, place))

//===- Losses -------------------------------------------------------------------------===//

enum class Reduction { None, Mean, Sum };

PYPTO_LAZY_FUNCTION(mseLoss, tryMseLoss,
                    (const Tensor &x, const Tensor &target, Reduction reduction = Reduction::Mean,
                     Place place = Place::current()),
                    (x, target, reduction, place))
PYPTO_LAZY_FUNCTION(l1Loss, tryL1Loss,
                    (const Tensor &x, const Tensor &target, Reduction reduction = Reduction::Mean,
                     Place place = Place::current()),
                    (x, target, reduction, place))
/// Squares up to a distance of `delta`, lines beyond it.
PYPTO_LAZY_FUNCTION(huberLoss, tryHuberLoss,
                    (const Tensor &x, const Tensor &target, double delta = 1,
                     Reduction reduction = Reduction::Mean, Place place = Place::current()),
                    (x, target, delta, reduction, place))
/// Of probabilities; logarithms are at least -100.
PYPTO_LAZY_FUNCTION(binaryCrossEntropy, tryBinaryCrossEntropy,
                    (const Tensor &x, const Tensor &target, Reduction reduction = Reduction::Mean,
                     Place place = Place::current()),
                    (x, target, reduction, place))
/// Of logits.
PYPTO_LAZY_FUNCTION(binaryCrossEntropyWithLogits, tryBinaryCrossEntropyWithLogits,
                    (const Tensor &x, const Tensor &target, Reduction reduction = Reduction::Mean,
                     Place place = Place::current()),
                    (x, target, reduction, place))
/// Of logarithms of probabilities (…, classes); `target` has the class of each row. A class that
/// is not there counts as `ignored`: it adds nothing.
PYPTO_LAZY_FUNCTION(nllLoss, tryNllLoss,
                    (const Tensor &x, const Tensor &target, Reduction reduction = Reduction::Mean,
                     Place place = Place::current()),
                    (x, target, reduction, place))
/// The same of logits.
PYPTO_LAZY_FUNCTION(crossEntropy, tryCrossEntropy,
                    (const Tensor &x, const Tensor &target, Reduction reduction = Reduction::Mean,
                     Place place = Place::current()),
                    (x, target, reduction, place))
/// target * (log(target) - x), `x` being logarithms.
PYPTO_LAZY_FUNCTION(klDivergence, tryKlDivergence,
                    (const Tensor &x, const Tensor &target, Reduction reduction = Reduction::Mean,
                     Place place = Place::current()),
                    (x, target, reduction, place))

#undef PYPTO_LAZY_FUNCTION

} // namespace pypto::lazy::nn

namespace pypto {
namespace nn = lazy::nn;
} // namespace pypto

#endif
