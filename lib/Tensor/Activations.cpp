// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise operations that are expressions of others.
#include "OpBuilding.h"

#include "llvm/ADT/Twine.h"
#include <limits>
#include <numbers>

using namespace pypto::lazy;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Goldberg's way: what rounding 1 + x loses is lost in both logarithm and difference.
static Tensor computeLog1p(const Tensor &x) {
  Tensor u = x + 1.0, log = u.log();
  return u.equal(1.0).logicalOr(u.equal(kInfinity)).where(x, log * (x / (u - 1.0)));
}

static Tensor computeExpm1(const Tensor &x) {
  Tensor u = x.exp(), less = u - 1.0;
  Tensor result = u.equal(1.0).where(x, less * (x / u.log()));
  return u.equal(kInfinity).logicalOr(less.equal(-1.0)).where(less, result);
}

#define COMPOSED(TRY, NAME, EXPRESSION)                                                            \
  llvm::Expected<Tensor> Tensor::try##TRY(Place place) const {                                     \
    return computeWide(NAME, *this, place, [](const Tensor &x) -> Tensor { return EXPRESSION; });  \
  }
COMPOSED(Expm1, "expm1", computeExpm1(x))
COMPOSED(Log1p, "log1p", computeLog1p(x))
COMPOSED(Reciprocal, "reciprocal", 1.0 / x)
COMPOSED(Frac, "frac", x - x.trunc())
COMPOSED(Relu6, "relu6", x.maximum(0.0).minimum(6.0))
COMPOSED(Sigmoid, "sigmoid", 1.0 / (1.0 + (-x).exp()))
COMPOSED(LogSigmoid, "logSigmoid", x.minimum(0.0) - (-x.abs()).exp().log1p())
COMPOSED(Silu, "silu", x *x.sigmoid())
COMPOSED(Gelu, "gelu", x * 0.5 * (1.0 + (x * (std::numbers::sqrt2 * 0.5)).erf()))
COMPOSED(GeluTanh, "geluTanh",
         x * 0.5 * (1.0 + (0.7978845608028654 * (x + 0.044715 * (x * x * x))).tanh()))
COMPOSED(QuickGelu, "quickGelu", x *(x * 1.702).sigmoid())
// log(1 + e^x) without overflow.
COMPOSED(Softplus, "softplus", x.maximum(0.0) + ((-x.abs()).exp() + 1.0).log())
COMPOSED(Softsign, "softsign", x / (1.0 + x.abs()))
COMPOSED(Mish, "mish", x *x.softplus().tanh())
COMPOSED(Selu, "selu", x.less(0.0).where(1.7580993408473766 * x.expm1(), 1.0507009873554805 * x))
COMPOSED(TanhShrink, "tanhShrink", x - x.tanh())
COMPOSED(HardTanh, "hardTanh", x.maximum(-1.0).minimum(1.0))
COMPOSED(HardSigmoid, "hardSigmoid", (x * (1.0 / 6.0) + 0.5).maximum(0.0).minimum(1.0))
COMPOSED(HardSwish, "hardSwish", x *(x + 3.0).relu6() * (1.0 / 6.0))
COMPOSED(IsNaN, "isNaN", x.notEqual(x))
COMPOSED(IsInf, "isInf", x.abs().equal(kInfinity))
COMPOSED(IsFinite, "isFinite", x.abs().less(kInfinity))
#undef COMPOSED

llvm::Expected<Tensor> Tensor::tryRelu(Place place) const {
  return attempt("relu", place, [&] {
    expectNumbers(*this);
    return maximum(0);
  });
}

llvm::Expected<Tensor> Tensor::tryLeakyRelu(double slope, Place place) const {
  return computeWide("leakyRelu", *this, place,
                     [&](const Tensor &x) { return x.less(0.0).where(x * slope, x); });
}

llvm::Expected<Tensor> Tensor::tryPrelu(const Tensor &slope, Place place) const {
  return computeWide("prelu", *this, place,
                     [&](const Tensor &x) { return x.less(0.0).where(x * slope, x); });
}

llvm::Expected<Tensor> Tensor::tryElu(double alpha, Place place) const {
  return computeWide("elu", *this, place,
                     [&](const Tensor &x) { return x.less(0.0).where(x.expm1() * alpha, x); });
}

llvm::Expected<Tensor> Tensor::tryCelu(double alpha, Place place) const {
  return computeWide("celu", *this, place, [&](const Tensor &x) {
    if (alpha == 0)
      fail("expects an alpha other than 0");
    return x.less(0.0).where((x * (1 / alpha)).expm1() * alpha, x);
  });
}

llvm::Expected<Tensor> Tensor::tryHardShrink(double limit, Place place) const {
  return computeWide("hardShrink", *this, place,
                     [&](const Tensor &x) { return x.abs().lessEqual(limit).where(0.0, x); });
}

llvm::Expected<Tensor> Tensor::trySoftShrink(double limit, Place place) const {
  return computeWide("softShrink", *this, place, [&](const Tensor &x) {
    return x.abs().lessEqual(limit).where(0.0, x.less(0.0).where(x + limit, x - limit));
  });
}

llvm::Expected<Tensor> Tensor::tryGlu(int64_t axis, Place place) const {
  return computeWide("glu", *this, place, [&](const Tensor &x) {
    int64_t position = getAxis(axis, getRank()), extent = getStatic(*this, position);
    if (extent % 2 != 0)
      fail("expects an even extent at axis " + llvm::Twine(position) + ", but got " +
           lazy::formatShape(getShape()));
    return x.slice(position, 0, extent / 2) * x.slice(position, extent / 2, extent).sigmoid();
  });
}
