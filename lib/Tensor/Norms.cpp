// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpBuilding.h"
#include "pypto/Tensor/NN.h"

using namespace pypto::lazy;

llvm::Expected<Tensor> Tensor::trySoftmax(int64_t axis, Place place) const {
  return computeWide("softmax", *this, place, [&](const Tensor &x) {
    Tensor powers = (x - maxOrLeast(x, axis)).exp();
    // One division a row: the sum is at least one, so its reciprocal is no special number.
    return powers * (1.0 / powers.sum(axis, true));
  });
}

llvm::Expected<Tensor> Tensor::tryLogSoftmax(int64_t axis, Place place) const {
  return computeWide("logSoftmax", *this, place, [&](const Tensor &x) {
    Tensor shifted = x - maxOrLeast(x, axis);
    return shifted - shifted.exp().sum(axis, true).log();
  });
}

llvm::Expected<Tensor> Tensor::tryLayerNorm(Axes axes, double epsilon, Place place) const {
  return computeWide("layerNorm", *this, place, [&](const Tensor &x) {
    Tensor centered = x - x.mean(axes, true);
    return centered * (centered.square().mean(axes, true) + epsilon).rsqrt();
  });
}

llvm::Expected<Tensor> Tensor::tryRmsNorm(Axes axes, double epsilon, Place place) const {
  return computeWide("rmsNorm", *this, place, [&](const Tensor &x) {
    return x * (x.square().mean(axes, true) + epsilon).rsqrt();
  });
}

llvm::Expected<Tensor> Tensor::tryAttention(const Tensor &key, const Tensor &value, bool isCausal,
                                            Place place) const {
  nn::AttentionOptions options;
  options.isCausal = isCausal;
  return nn::tryAttention(*this, key, value, options, place);
}
