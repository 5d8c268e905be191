// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of f32 as polynomials and fractions of them: operations that vectorise, in place of
// calls that do not.
#include "pypto/Loops/Passes.h"
#include "pypto/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/bit.h"
#include <limits>

using namespace mlir;
using namespace pypto;

namespace pypto {
#define GEN_PASS_DEF_EXPANDMATH
#include "pypto/Transforms/Passes.h.inc"
} // namespace pypto

namespace {
/// Arithmetic on f32 and on its bits, of scalars and vectors alike. Sums of products are rounded
/// once where the target has an instruction for it, here and nowhere else: always or never, as no
/// flag that leaves it to the compiler would say.
struct Arithmetic {
  Arithmetic(ImplicitLocOpBuilder &b, Type type) : b(b), type(type) {
    auto shaped = dyn_cast<VectorType>(type);
    integer = shaped ? Type(shaped.clone(b.getI32Type())) : Type(b.getI32Type());
  }

  ImplicitLocOpBuilder &b;
  Type type, integer;

  Value constant(float value) {
    TypedAttr scalar = b.getF32FloatAttr(value);
    return broadcast(scalar, type);
  }
  Value constant(int32_t value) {
    TypedAttr scalar = b.getI32IntegerAttr(value);
    return broadcast(scalar, integer);
  }
  Value broadcast(TypedAttr scalar, Type as) {
    if (auto shaped = dyn_cast<VectorType>(as))
      return arith::ConstantOp::create(b, DenseElementsAttr::get(shaped, Attribute(scalar)));
    return arith::ConstantOp::create(b, scalar);
  }
  Value add(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value div(Value x, Value y) { return arith::DivFOp::create(b, x, y); }
  /// x * y + z.
  Value mulAdd(Value x, Value y, Value z) { return LLVM::FMulAddOp::create(b, type, x, y, z); }
  Value polynomial(Value x, ArrayRef<float> coefficients) {
    Value sum = constant(coefficients.front());
    for (float coefficient : coefficients.drop_front())
      sum = mulAdd(sum, x, constant(coefficient));
    return sum;
  }
  Value toBits(Value x) { return arith::BitcastOp::create(b, integer, x); }
  Value fromBits(Value x) { return arith::BitcastOp::create(b, type, x); }
  Value compare(arith::CmpFPredicate predicate, Value x, Value y) {
    return arith::CmpFOp::create(b, predicate, x, y);
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(b, condition, yes, no);
  }
};
} // namespace

/// 1.5 * 2^23: adding it rounds a small number to an integer, which is then in the low bits.
static constexpr float kRound = 12582912.0f;

/// x = n * ln 2 + r: exp(x) = 2^n * exp(r). NaN passes through every step.
static Value emitExp(Arithmetic a, Value x, bool hasScale) {
  // Beyond these the result is zero and infinity.
  Value least = a.constant(-104.0f), greatest = a.constant(89.0f);
  x = a.select(a.compare(arith::CmpFPredicate::OLT, x, least), least, x);
  x = a.select(a.compare(arith::CmpFPredicate::OGT, x, greatest), greatest, x);
  // n is in the low bits of `rounded`.
  Value rounded = a.mulAdd(x, a.constant(1.44269504f), a.constant(kRound));
  Value n = a.sub(rounded, a.constant(kRound));
  Value r = a.mulAdd(n, a.constant(-0.693359375f), x);
  r = a.mulAdd(n, a.constant(2.12194440e-4f), r);
  // Minimax for (exp(r) - 1 - r) / r^2.
  Value p = a.polynomial(
      r, {1.395061379e-3f, 8.368963376e-3f, 4.166620225e-2f, 1.666651815e-1f, 5.000000000e-1f});
  Value result = a.add(a.mulAdd(p, a.mul(r, r), r), a.constant(1.0f));
  // One instruction, which rounds once.
  if (auto vector = dyn_cast<VectorType>(a.type);
      hasScale && vector && vector.getShape() == ArrayRef<int64_t>{16}) {
    Value mask = arith::ConstantOp::create(a.b, a.b.getI16IntegerAttr(-1));
    Value rounding = arith::ConstantOp::create(a.b, a.b.getI32IntegerAttr(4));
    return LLVM::CallIntrinsicOp::create(a.b, a.type,
                                         a.b.getStringAttr("llvm.x86.avx512.mask.scalef.ps.512"),
                                         ValueRange{result, n, result, mask, rounding})
        .getResult(0);
  }
  // In two factors, each a normal number, so that small results are rounded once.
  Value exponent =
      arith::SubIOp::create(a.b, a.toBits(rounded), a.constant(llvm::bit_cast<int32_t>(kRound)));
  Value half = arith::ShRSIOp::create(a.b, exponent, a.constant(1));
  Value rest = arith::SubIOp::create(a.b, exponent, half);
  auto power = [&](Value number) {
    Value biased = arith::AddIOp::create(a.b, number, a.constant(127));
    return a.fromBits(arith::ShLIOp::create(a.b, biased, a.constant(23)));
  };
  Value scaled = arith::MulFOp::create(a.b, result, power(half));
  return arith::MulFOp::create(a.b, scaled, power(rest));
}

/// x = m * 2^e with m near one, log(x) = e * ln 2 + log(m).
static Value emitLog(Arithmetic a, Value x) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  Value isTiny =
      a.compare(arith::CmpFPredicate::OLT, x, a.constant(std::numeric_limits<float>::min()));
  Value normal = a.select(isTiny, a.mul(x, a.constant(0x1p23f)), x);
  Value bits = a.toBits(normal);
  Value e = arith::SubIOp::create(a.b, bits, a.constant(0x3f3504f3));
  e = arith::ShRSIOp::create(a.b, e, a.constant(23));
  Value m =
      a.fromBits(arith::SubIOp::create(a.b, bits, arith::ShLIOp::create(a.b, e, a.constant(23))));
  Value exponent = arith::SIToFPOp::create(a.b, a.type, e);
  exponent = a.select(isTiny, a.sub(exponent, a.constant(23.0f)), exponent);
  Value f = a.sub(m, a.constant(1.0f));
  Value square = a.mul(f, f);
  Value p = a.polynomial(f, {7.0376836292e-2f, -1.1514610310e-1f, 1.1676998740e-1f,
                             -1.2420140846e-1f, 1.4249322787e-1f, -1.6668057665e-1f,
                             2.0000714765e-1f, -2.4999993993e-1f, 3.3333331174e-1f});
  p = a.mul(a.mul(p, f), square);
  p = a.mulAdd(exponent, a.constant(-2.12194440e-4f), p);
  p = a.mulAdd(square, a.constant(-0.5f), p);
  Value result = a.mulAdd(exponent, a.constant(0.693359375f), a.add(f, p));
  // Infinity and NaN are their own logarithms; negative numbers have none.
  Value zero = a.constant(0.0f);
  result = a.select(a.compare(arith::CmpFPredicate::ULT, x, a.constant(infinity)), result, x);
  result = a.select(a.compare(arith::CmpFPredicate::OEQ, x, x), result, x);
  result = a.select(a.compare(arith::CmpFPredicate::OLT, x, zero),
                    a.constant(std::numeric_limits<float>::quiet_NaN()), result);
  return a.select(a.compare(arith::CmpFPredicate::OEQ, x, zero), a.constant(-infinity), result);
}

/// x * p(x^2) / q(x^2), of an odd function that is one in f32 from `limit` on and does not exceed
/// it. Fractions have no branches, whose both sides all lanes would have to compute.
static Value emitOddFraction(Arithmetic a, Value x, float limit, ArrayRef<float> p,
                             ArrayRef<float> q) {
  // One instruction each, which give `value` if it is NaN.
  auto clamp = [&](Value value, float bound) {
    Value least = a.constant(-bound), greatest = a.constant(bound);
    value = a.select(a.compare(arith::CmpFPredicate::OLT, greatest, value), greatest, value);
    return a.select(a.compare(arith::CmpFPredicate::OGT, least, value), least, value);
  };
  x = clamp(x, limit);
  Value square = a.mul(x, x);
  Value numerator = a.mul(x, a.polynomial(square, p));
  return clamp(a.div(numerator, a.polynomial(square, q)), 1.0f);
}

// The coefficients are minimax fits of the relative error, on x^2 up to 8.8^2 and 3.92^2. At the
// limits, which are a little beyond, the fractions are larger than one however they are rounded.

static Value emitTanh(Arithmetic a, Value x) {
  return emitOddFraction(
      a, x, 9.02f,
      {1.37144282415e-8f, 2.08653461533e-5f, 3.51105670925e-3f, 1.33940250358e-1f, 0.999999983347f},
      {7.92272712509e-7f, 3.31099818952e-4f, 2.59357486721e-2f, 4.67273439192e-1f, 1.0f});
}

static Value emitErf(Arithmetic a, Value x) {
  return emitOddFraction(a, x, 4.0f,
                         {2.05003911698e-6f, 2.84840553805e-4f, 3.76451529835e-3f, 5.2745280265e-2f,
                          1.90383218322e-1f, 1.12837914627f},
                         {3.80890103789e-5f, 1.1622357002e-3f, 1.49670289933e-2f, 1.1409916784e-1f,
                          5.02055481183e-1f, 1.0f});
}

//===- Extremes of vectors --------------------------------------------------------===//

/// The first of two operations in a row that take one more vector each: max(max(a, x), y).
static Operation *getFirstOfPair(Operation *op) {
  Operation *first = op->getOperand(0).getDefiningOp();
  return first && first->getName() == op->getName() && first->hasOneUse() &&
                 first->getBlock() == op->getBlock()
             ? first
             : nullptr;
}

/// A maximum or minimum of vectors. Either zero will do.
static Value expandExtreme(ImplicitLocOpBuilder &b, Operation *op) {
  Type type = op->getResult(0).getType();
  Value y = op->getOperand(1);
  bool isMaximum = isa<arith::MaximumFOp>(op);
  Operation *first = getFirstOfPair(op);
  if (!first) {
    // One instruction that gives the last one if there is a NaN, and two for the NaN of the first.
    auto flags = LLVM::FastmathFlagsAttr::get(b.getContext(), LLVM::FastmathFlags::nsz);
    Value x = op->getOperand(0);
    if (isMaximum)
      return LLVM::MaximumOp::create(b, type, y, x, flags);
    return LLVM::MinimumOp::create(b, type, y, x, flags);
  }
  // What was NaN before stays it; one comparison tells if one of two is.
  Value a = first->getOperand(0), x = first->getOperand(1);
  auto choose = [&](Value next, Value known) -> Value {
    Value isBetter = arith::CmpFOp::create(
        b, isMaximum ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT, next, known);
    return arith::SelectOp::create(b, isBetter, next, known);
  };
  Value extreme = choose(y, choose(x, a));
  Value isNaN = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, y);
  auto element = cast<FloatType>(getElementTypeOrSelf(type));
  APFloat nan = APFloat::getQNaN(element.getFloatSemantics());
  Value none = arith::ConstantOp::create(b, DenseElementsAttr::get(cast<VectorType>(type), nan));
  return arith::SelectOp::create(b, isNaN, none, extreme);
}

static bool isVectorExtreme(Operation *op) {
  if (!isa<arith::MaximumFOp, arith::MinimumFOp>(op))
    return false;
  auto type = dyn_cast<VectorType>(op->getResult(0).getType());
  return type && type.getRank() == 1 &&
         (type.getElementType().isF32() || type.getElementType().isF64());
}

static Value expand(ImplicitLocOpBuilder &b, Operation *op) {
  Type type = op->getNumResults() == 1 ? op->getResult(0).getType() : Type();
  auto vector = dyn_cast_if_present<VectorType>(type);
  if (!type ||
      !(type.isF32() || (vector && vector.getRank() == 1 && vector.getElementType().isF32())))
    return {};
  Arithmetic a(b, type);
  // A reduction by this one is known to the vectoriser; comparisons and selects are not.
  if (isa<arith::MaximumFOp>(op))
    return LLVM::MaximumOp::create(b, type, op->getOperand(0), op->getOperand(1));
  if (isa<arith::MinimumFOp>(op))
    return LLVM::MinimumOp::create(b, type, op->getOperand(0), op->getOperand(1));
  if (isa<math::ExpOp>(op))
    return emitExp(a, op->getOperand(0), op->hasAttr(kHasScaleAttribute));
  if (isa<math::LogOp>(op))
    return emitLog(a, op->getOperand(0));
  if (isa<math::TanhOp>(op))
    return emitTanh(a, op->getOperand(0));
  if (isa<math::ErfOp>(op))
    return emitErf(a, op->getOperand(0));
  return {};
}

namespace {
struct ExpandMathPass : pypto::impl::ExpandMathBase<ExpandMathPass> {
  void runOnModule() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<math::ErfOp, math::ExpOp, math::LogOp, math::TanhOp, arith::MaximumFOp,
              arith::MinimumFOp>(op))
        ops.push_back(op);
    });
    // From the last to the first: pairs are found by the second.
    for (Operation *&op : llvm::reverse(ops)) {
      if (!isVectorExtreme(op))
        continue;
      ImplicitLocOpBuilder b(op->getLoc(), op);
      if (!op->use_empty())
        op->getResult(0).replaceAllUsesWith(expandExtreme(b, op));
      op->erase();
      op = nullptr;
    }
    for (Operation *op : ops) {
      if (!op)
        continue;
      ImplicitLocOpBuilder b(op->getLoc(), op);
      if (Value value = expand(b, op)) {
        op->getResult(0).replaceAllUsesWith(value);
        op->erase();
      }
    }
  }
};
} // namespace
