// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpBuilding.h"
#include "pypto/Tensor/NN.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/Twine.h"

using namespace pypto;
using namespace pypto::lazy;

/// The last axes of `x`, whose extents are those of `weight`.
static llvm::SmallVector<int64_t> getLastAxes(const Tensor &x, const Tensor &weight) {
  if (weight.getRank() < 1 || weight.getRank() > x.getRank() ||
      x.getShape().take_back(weight.getRank()) != weight.getShape())
    fail("expects a weight with the last extents of " + formatShape(x.getShape()) + ", but got " +
         formatShape(weight.getShape()));
  return llvm::to_vector(llvm::seq<int64_t>(x.getRank() - weight.getRank(), x.getRank()));
}

static void expectShapeOf(llvm::StringRef what, const nn::MaybeTensor &tensor,
                          llvm::ArrayRef<Extent> shape) {
  if (tensor && tensor->getShape() != shape)
    fail("expects a " + what + " of shape " + formatShape(shape) + ", but got " +
         formatShape(tensor->getShape()));
}

llvm::Expected<Tensor> nn::tryLayerNorm(const Tensor &x, const Tensor &weight,
                                        const MaybeTensor &bias, double epsilon, Place place) {
  return attempt("layerNorm", place, [&] {
    expectFloats(x);
    auto axes = getLastAxes(x, weight);
    expectShapeOf("bias", bias, weight.getShape());
    DType wide = getWide(x.getDType());
    Tensor result = x.cast(wide).layerNorm(axes, epsilon) * weight;
    return (bias ? result + *bias : result).cast(x.getDType());
  });
}

llvm::Expected<Tensor> nn::tryRmsNorm(const Tensor &x, const Tensor &weight, double epsilon,
                                      Place place) {
  return attempt("rmsNorm", place, [&] {
    expectFloats(x);
    auto axes = getLastAxes(x, weight);
    return (x.cast(getWide(x.getDType())).rmsNorm(axes, epsilon) * weight).cast(x.getDType());
  });
}

/// One number for each channel, next to the elements of `x`.
static Tensor spreadChannels(const Tensor &tensor, const Tensor &x) {
  Shape shape(x.getRank(), Extent(1));
  shape[1] = tensor.getShape()[0];
  return tensor.reshape(shape);
}

static llvm::ArrayRef<Extent> getChannels(const Tensor &x) {
  if (x.getRank() < 2)
    fail("expects shape (batch, channels, …), but got " + formatShape(x.getShape()));
  return x.getShape().slice(1, 1);
}

static Tensor scaleChannels(Tensor result, const nn::MaybeTensor &weight,
                            const nn::MaybeTensor &bias) {
  if (weight)
    result = result * spreadChannels(*weight, result);
  return bias ? result + spreadChannels(*bias, result) : result;
}

llvm::Expected<Tensor> nn::tryGroupNorm(const Tensor &x, int64_t groups, const MaybeTensor &weight,
                                        const MaybeTensor &bias, double epsilon, Place place) {
  return attempt("groupNorm", place, [&] {
    expectFloats(x);
    Shape shape(x.getShape()), channels(getChannels(x));
    expectShapeOf("weight", weight, channels);
    expectShapeOf("bias", bias, channels);
    int64_t count = getStatic(x, 1);
    if (groups < 1 || count % groups != 0)
      fail("expects groups of equal size of the channels of " + formatShape(shape) + ", but got " +
           llvm::Twine(groups));
    Tensor grouped = x.cast(getWide(x.getDType())).unflatten(1, {groups, count / groups});
    auto axes = llvm::to_vector(llvm::seq<int64_t>(2, grouped.getRank()));
    Tensor result = grouped.layerNorm(axes, epsilon).reshape(shape);
    return scaleChannels(result, weight, bias).cast(x.getDType());
  });
}

llvm::Expected<Tensor> nn::tryBatchNorm(const Tensor &x, const Tensor &mean, const Tensor &variance,
                                        const MaybeTensor &weight, const MaybeTensor &bias,
                                        double epsilon, Place place) {
  return attempt("batchNorm", place, [&] {
    expectFloats(x);
    llvm::SmallVector<Extent, 1> channels(getChannels(x));
    expectShapeOf("mean", mean, channels);
    expectShapeOf("variance", variance, channels);
    expectShapeOf("weight", weight, channels);
    expectShapeOf("bias", bias, channels);
    DType wide = getWide(x.getDType());
    Tensor centered = x.cast(wide) - spreadChannels(mean, x);
    Tensor result = centered * spreadChannels((variance.cast(wide) + epsilon).rsqrt(), x);
    return scaleChannels(result, weight, bias).cast(x.getDType());
  });
}

llvm::Expected<Tensor> nn::tryDropout(const Tensor &x, double probability, uint64_t seed,
                                      Place place) {
  return attempt("dropout", place, [&] {
    expectFloats(x);
    if (!(probability >= 0 && probability <= 1))
      fail("expects a probability from 0 to 1, but got " + formatNumber(probability));
    if (probability == 1)
      return Tensor::zeros(Shape(x.getShape()), x.getDType());
    Tensor isKept = Tensor::uniform(Shape(x.getShape()), seed).greaterEqual(probability);
    Tensor scaled = x.cast(getWide(x.getDType())) * (1 / (1 - probability));
    return isKept.where(scaled, 0).cast(x.getDType());
  });
}
