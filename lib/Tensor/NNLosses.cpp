// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpBuilding.h"
#include "pypto/Tensor/NN.h"

#include "llvm/ADT/Twine.h"

using namespace pypto;
using namespace pypto::lazy;
using nn::Reduction;

static Tensor reduceLoss(const Tensor &losses, Reduction reduction) {
  switch (reduction) {
  case Reduction::None:
    return losses;
  case Reduction::Mean:
    return losses.mean();
  case Reduction::Sum:
    return losses.sum();
  }
  llvm_unreachable("an unknown reduction");
}

/// A loss of two tensors of one shape; `build` gets them as floats that are wide enough.
template <typename Build>
static llvm::Expected<Tensor> makeLoss(llvm::StringRef name, const Tensor &x, const Tensor &target,
                                       Reduction reduction, Place place, Build build) {
  return attempt(name, place, [&] {
    expectFloats(x);
    if (x.getShape() != target.getShape())
      fail("expects equal shapes, but got " + formatShape(x.getShape()) + " and " +
           formatShape(target.getShape()));
    DType wide = getWide(x.getDType());
    return reduceLoss(build(x.cast(wide), target.cast(wide)), reduction).cast(x.getDType());
  });
}

llvm::Expected<Tensor> nn::tryMseLoss(const Tensor &x, const Tensor &target, Reduction reduction,
                                      Place place) {
  return makeLoss("mseLoss", x, target, reduction, place,
                  [](const Tensor &x, const Tensor &y) { return (x - y).square(); });
}

llvm::Expected<Tensor> nn::tryL1Loss(const Tensor &x, const Tensor &target, Reduction reduction,
                                     Place place) {
  return makeLoss("l1Loss", x, target, reduction, place,
                  [](const Tensor &x, const Tensor &y) { return (x - y).abs(); });
}

llvm::Expected<Tensor> nn::tryHuberLoss(const Tensor &x, const Tensor &target, double delta,
                                        Reduction reduction, Place place) {
  return makeLoss("huberLoss", x, target, reduction, place, [&](const Tensor &x, const Tensor &y) {
    if (!(delta > 0))
      fail("expects a delta greater than 0, but got " + formatNumber(delta));
    Tensor distance = (x - y).abs();
    Tensor line = (distance - delta / 2) * delta;
    return distance.lessEqual(delta).where(distance.square() * 0.5, line);
  });
}

llvm::Expected<Tensor> nn::tryBinaryCrossEntropy(const Tensor &x, const Tensor &target,
                                                 Reduction reduction, Place place) {
  return makeLoss("binaryCrossEntropy", x, target, reduction, place,
                  [](const Tensor &x, const Tensor &y) {
                    Tensor isOne = x.log().maximum(-100.0), isZero = (-x).log1p().maximum(-100.0);
                    return -(y * isOne + (1.0 - y) * isZero);
                  });
}

llvm::Expected<Tensor> nn::tryBinaryCrossEntropyWithLogits(const Tensor &x, const Tensor &target,
                                                           Reduction reduction, Place place) {
  return makeLoss("binaryCrossEntropyWithLogits", x, target, reduction, place,
                  [](const Tensor &x, const Tensor &y) {
                    return x.maximum(0.0) - x * y + (-x.abs()).exp().log1p();
                  });
}

llvm::Expected<Tensor> nn::tryKlDivergence(const Tensor &x, const Tensor &target,
                                           Reduction reduction, Place place) {
  return makeLoss("klDivergence", x, target, reduction, place,
                  [](const Tensor &x, const Tensor &y) {
                    return y.greater(0.0).where(y * (y.log() - x), 0.0);
                  });
}

/// What is lost at the class of each row of `x`; `norm` is the logarithm of what a row adds up to.
static Tensor chooseClasses(const Tensor &x, const Tensor &norm, const Tensor &given,
                            Reduction reduction) {
  Tensor target = getPositions(given);
  Tensor classes = Tensor::ones({x.getShape().back()}, DType::I64).sum();
  Tensor isThere = target.less(classes).logicalAnd(target.greaterEqual(-classes));
  Tensor chosen = x.gather(target.unsqueeze(-1), -1).squeeze(-1);
  Tensor losses = isThere.where(norm - chosen, 0);
  if (reduction != Reduction::Mean)
    return reduceLoss(losses, reduction);
  return losses.sum() / isThere.sum().cast(x.getDType());
}

static void expectClasses(const Tensor &x, const Tensor &target) {
  expectFloats(x);
  if (x.getRank() < 1 || x.getShape().drop_back() != target.getShape())
    fail("expects shapes (…, classes) and (…), but got " + formatShape(x.getShape()) + " and " +
         formatShape(target.getShape()));
  expectIntegers(target);
}

llvm::Expected<Tensor> nn::tryNllLoss(const Tensor &x, const Tensor &target, Reduction reduction,
                                      Place place) {
  return attempt("nllLoss", place, [&] {
    expectClasses(x, target);
    Tensor logs = x.cast(getWide(x.getDType())), none = Tensor::zeros({}, logs.getDType());
    return chooseClasses(logs, none, target, reduction).cast(x.getDType());
  });
}

// No logarithms of all classes: one sum for each row.
llvm::Expected<Tensor> nn::tryCrossEntropy(const Tensor &x, const Tensor &target,
                                           Reduction reduction, Place place) {
  return attempt("crossEntropy", place, [&] {
    expectClasses(x, target);
    Tensor wide = x.cast(getWide(x.getDType()));
    return chooseClasses(wide, wide.logSumExp(-1), target, reduction).cast(x.getDType());
  });
}
