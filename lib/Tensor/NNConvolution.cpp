// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions are products of windows, pools reductions over them.
#include "OpBuilding.h"
#include "pypto/Tensor/NN.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/Twine.h"
#include <limits>

using namespace pypto;
using namespace pypto::lazy;
using nn::Extents;

/// A number for each spatial dimension.
static Extents spreadOption(llvm::StringRef what, const Extents &given, unsigned count,
                            int64_t normal, int64_t least) {
  Extents numbers = given.empty()       ? Extents(count, normal)
                    : given.size() == 1 ? Extents(count, given[0])
                                        : given;
  if (numbers.size() != count)
    fail("expects a " + what + " for each of " + llvm::Twine(count) + " dimensions, but got " +
         llvm::Twine(given.size()));
  for (int64_t number : numbers)
    if (number < least)
      fail("expects a " + what + " of at least " + llvm::Twine(least) + ", but got " +
           llvm::Twine(number));
  return numbers;
}

namespace {
/// The options, for each spatial dimension.
struct Windows {
  Extents size, stride, padding, dilation;
};
} // namespace

/// `x` with windows in place of its last dimensions: how many there are, and behind all of them
/// what is in each.
static Tensor unfoldLast(Tensor x, const Windows &windows, const Operand &filler) {
  unsigned count = windows.size.size(), first = x.getRank() - count;
  llvm::SmallVector<std::pair<int64_t, int64_t>> padding(x.getRank());
  for (unsigned i = 0; i < count; ++i)
    padding[first + i] = {windows.padding[i], windows.padding[i]};
  Shape shape(x.getShape());
  x = x.pad(padding, filler);
  for (unsigned i = 0; i < count; ++i) {
    int64_t reach = (windows.size[i] - 1) * windows.dilation[i] + 1;
    if (getStatic(x, first + i) < reach)
      fail("expects a window that fits in " + formatShape(shape) + " with its padding, but got " +
           llvm::Twine(reach) + " at axis " + llvm::Twine(first + i));
    x = x.unfold(first + i, windows.size[i], windows.stride[i], windows.dilation[i]);
  }
  return x;
}

//===- Convolutions -------------------------------------------------------------------===//

/// Shapes (batch, channels, …) and (…, …, …) with equally many dimensions.
static unsigned countSpatial(const Tensor &x, const Tensor &weight) {
  if (x.getRank() < 3 || x.getRank() != weight.getRank())
    fail("expects shapes (batch, channels, …) and (out, channels, …) with as many dimensions, but "
         "got " +
         formatShape(x.getShape()) + " and " + formatShape(weight.getShape()));
  return x.getRank() - 2;
}

static Windows getWindows(const Tensor &weight, const nn::ConvOptions &options, unsigned count) {
  Windows windows;
  windows.stride = spreadOption("stride", options.stride, count, 1, 1);
  windows.padding = spreadOption("padding", options.padding, count, 0, 0);
  windows.dilation = spreadOption("dilation", options.dilation, count, 1, 1);
  for (unsigned i = 0; i < count; ++i)
    windows.size.push_back(getStatic(weight, 2 + i));
  return windows;
}

static void expectBias(const nn::MaybeTensor &bias, int64_t channels) {
  if (bias && (bias->getRank() != 1 || bias->getShape()[0] != Extent(channels)))
    fail("expects a bias for each of " + llvm::Twine(channels) + " channels, but got " +
         formatShape(bias->getShape()));
}

/// What is left of a product of windows (batch, groups, channels, …, window …) and weights
/// (groups, out, channels, window …): (batch, out, …).
static Tensor multiplyWindows(const Tensor &x, const Tensor &weight, int64_t groups,
                              const Windows &windows) {
  unsigned count = windows.size.size();
  Tensor patches = unfoldLast(x, windows, 0).unflatten(1, {groups, x.getShape()[1].max / groups});
  Tensor kernels = weight.unflatten(0, {groups, weight.getShape()[0].max / groups});
  // b g c … w with g o c w
  std::string space, window;
  for (unsigned i = 0; i < count; ++i) {
    space.push_back(static_cast<char>('m' + i));
    window.push_back(static_cast<char>('s' + i));
  }
  std::string formula = "bgc" + space + window + ",goc" + window + "->bgo" + space;
  DType wide = getWide(promote(x.getDType(), weight.getDType()));
  return Tensor::einsum(formula, {patches.cast(wide), kernels.cast(wide)}).flatten(1, 2);
}

/// `product`, which is wide, with the bias, as elements of `dtype`.
static Tensor addBias(const Tensor &product, const nn::MaybeTensor &bias, DType dtype) {
  if (!bias)
    return product.cast(dtype);
  Shape shape(product.getRank(), Extent(1));
  shape[1] = bias->getShape()[0];
  return (product + bias->reshape(shape)).cast(promote(dtype, bias->getDType()));
}

llvm::Expected<Tensor> nn::tryConv(const Tensor &x, const Tensor &weight,
                                   const ConvOptions &options, Place place) {
  return attempt("conv", place, [&] {
    unsigned count = countSpatial(x, weight);
    expectNumbers(x);
    if (count > 6)
      fail("expects at most 6 spatial dimensions, but got " + formatShape(x.getShape()));
    int64_t groups = options.groups, in = getStatic(x, 1), out = getStatic(weight, 0);
    if (groups < 1 || in % groups != 0 || out % groups != 0 || getStatic(weight, 1) != in / groups)
      fail("expects shapes (batch, channels, …) and (out, channels / groups, …) with " +
           llvm::Twine(groups) + " groups, but got " + formatShape(x.getShape()) + " and " +
           formatShape(weight.getShape()));
    expectBias(options.bias, out);
    Windows windows = getWindows(weight, options, count);
    return addBias(multiplyWindows(x, weight, groups, windows), options.bias,
                   promote(x.getDType(), weight.getDType()));
  });
}

/// `x` with zeros between its elements along `axis`.
static Tensor spreadElements(const Tensor &x, int64_t axis, int64_t stride) {
  if (stride == 1 || x.getShape()[axis].max == 0)
    return x;
  Tensor spaced = x.unsqueeze(axis + 1);
  llvm::SmallVector<std::pair<int64_t, int64_t>> padding(spaced.getRank());
  padding[axis + 1] = {0, stride - 1};
  Tensor line = spaced.pad(padding).flatten(axis, axis + 1);
  return line.slice(axis, 0, line.getShape()[axis].max - stride + 1);
}

llvm::Expected<Tensor> nn::tryConvTranspose(const Tensor &x, const Tensor &weight,
                                            const ConvOptions &options, Place place) {
  return attempt("convTranspose", place, [&] {
    unsigned count = countSpatial(x, weight);
    expectNumbers(x);
    int64_t groups = options.groups, in = getStatic(x, 1), part = getStatic(weight, 1);
    if (count > 6 || groups < 1 || in % groups != 0 || getStatic(weight, 0) != in)
      fail("expects shapes (batch, channels, …) and (channels, out / groups, …) with " +
           llvm::Twine(groups) + " groups, but got " + formatShape(x.getShape()) + " and " +
           formatShape(weight.getShape()));
    expectBias(options.bias, part * groups);
    Windows windows = getWindows(weight, options, count);
    Tensor spread = x;
    // (groups, channels, out, …) -> (groups * out, channels, …), mirrored.
    Tensor kernels = weight.unflatten(0, {groups, in / groups}).transpose(1, 2).flatten(0, 1);
    Extents mirrored;
    for (unsigned i = 0; i < count; ++i) {
      spread = spreadElements(spread, 2 + i, windows.stride[i]);
      int64_t reach = (windows.size[i] - 1) * windows.dilation[i];
      if (windows.padding[i] > reach)
        fail("expects a padding of at most " + llvm::Twine(reach) + ", but got " +
             llvm::Twine(windows.padding[i]));
      windows.padding[i] = reach - windows.padding[i];
      windows.stride[i] = 1;
      mirrored.push_back(2 + i);
    }
    return addBias(multiplyWindows(spread, kernels.flip(mirrored), groups, windows), options.bias,
                   promote(x.getDType(), weight.getDType()));
  });
}

//===- Pools --------------------------------------------------------------------------===//

static Windows getPoolWindows(const Tensor &x, const Extents &window,
                              const nn::PoolOptions &options) {
  unsigned count = window.size();
  if (count == 0 || x.getRank() < static_cast<int64_t>(count))
    fail("expects a window of at most the dimensions of " + formatShape(x.getShape()) +
         ", but got one of " + llvm::Twine(count));
  Windows windows;
  windows.size = spreadOption("window", window, count, 1, 1);
  windows.stride =
      options.stride.empty() ? window : spreadOption("stride", options.stride, count, 1, 1);
  windows.padding = spreadOption("padding", options.padding, count, 0, 0);
  windows.dilation = spreadOption("dilation", options.dilation, count, 1, 1);
  for (auto [size, padding] : llvm::zip_equal(windows.size, windows.padding))
    if (padding >= size && padding != 0)
      fail("expects a padding that is less than the window of " + llvm::Twine(size) + ", but got " +
           llvm::Twine(padding));
  return windows;
}

static llvm::SmallVector<int64_t> getWindowAxes(const Tensor &patches, unsigned count) {
  return llvm::to_vector(llvm::seq<int64_t>(patches.getRank() - count, patches.getRank()));
}

llvm::Expected<Tensor> nn::tryMaxPool(const Tensor &x, const Extents &window,
                                      const PoolOptions &options, Place place) {
  return attempt("maxPool", place, [&] {
    expectFloats(x);
    Windows windows = getPoolWindows(x, window, options);
    Tensor patches = unfoldLast(x, windows, -std::numeric_limits<double>::infinity());
    return patches.max(getWindowAxes(patches, window.size()));
  });
}

llvm::Expected<Tensor> nn::tryAveragePool(const Tensor &x, const Extents &window,
                                          const PoolOptions &options, Place place) {
  return attempt("averagePool", place, [&] {
    expectFloats(x);
    Windows windows = getPoolWindows(x, window, options);
    Tensor patches = unfoldLast(x, windows, 0);
    auto axes = getWindowAxes(patches, window.size());
    bool isPadded = llvm::any_of(windows.padding, [](int64_t amount) { return amount != 0; });
    if (options.countsPadding || !isPadded)
      return patches.mean(axes);
    Shape shape(x.getShape());
    DType wide = getWide(x.getDType());
    Tensor counts = unfoldLast(Tensor::ones(shape, wide), windows, 0).sum(axes);
    return (patches.cast(wide).sum(axes) / counts).cast(x.getDType());
  });
}

llvm::Expected<Tensor> nn::tryResizeNearest(const Tensor &x, const Extents &size, Place place) {
  return attempt("resizeNearest", place, [&] {
    int64_t first = x.getRank() - static_cast<int64_t>(size.size());
    if (first < 0)
      fail("expects a size of at most the dimensions of " + formatShape(x.getShape()) +
           ", but got " + llvm::Twine(size.size()));
    Tensor result = x;
    for (auto [i, extent] : llvm::enumerate(size)) {
      int64_t from = getStatic(x, first + i);
      if (extent < 0 || (from == 0 && extent != 0))
        fail("expects a size for the elements of " + formatShape(x.getShape()) + ", but got " +
             llvm::Twine(extent));
      if (extent != from)
        result =
            result.take(Tensor::arange(extent) * from / std::max<int64_t>(extent, 1), first + i);
    }
    return result;
  });
}
