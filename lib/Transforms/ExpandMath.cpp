// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of f32 as polynomials: operations that vectorise, in place of calls that do not.
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
/// Arithmetic on f32 and on its bits, of scalars and vectors alike. Sums of products may be
/// contracted to one rounding, here and nowhere else.
struct Arithmetic {
  Arithmetic(ImplicitLocOpBuilder &b, Type type) : b(b), type(type) {
    auto shaped = dyn_cast<VectorType>(type);
    integer = shaped ? Type(shaped.clone(b.getI32Type())) : Type(b.getI32Type());
    contract = arith::FastMathFlagsAttr::get(b.getContext(), arith::FastMathFlags::contract);
  }

  ImplicitLocOpBuilder &b;
  Type type, integer;
  arith::FastMathFlagsAttr contract;

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
  Value add(Value x, Value y) { return arith::AddFOp::create(b, x, y, contract); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, x, y, contract); }
  Value div(Value x, Value y) { return arith::DivFOp::create(b, x, y); }
  /// x * y + z.
  Value mulAdd(Value x, Value y, Value z) { return add(mul(x, y), z); }
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

namespace {
/// x = n * ln 2 + r: exp(x) = 2^n * exp(r).
struct ReducedExp {
  /// n + kRound, n, exp(r).
  Value rounded, n, power;
};
} // namespace

static ReducedExp reduceExp(Arithmetic a, Value x) {
  Value rounded = a.mulAdd(x, a.constant(1.44269504f), a.constant(kRound));
  Value n = a.sub(rounded, a.constant(kRound));
  Value r = a.mulAdd(n, a.constant(-0.693359375f), x);
  r = a.mulAdd(n, a.constant(2.12194440e-4f), r);
  // Minimax for (exp(r) - 1 - r) / r^2.
  Value p = a.polynomial(
      r, {1.395061379e-3f, 8.368963376e-3f, 4.166620225e-2f, 1.666651815e-1f, 5.000000000e-1f});
  return {rounded, n, a.add(a.mulAdd(p, a.mul(r, r), r), a.constant(1.0f))};
}

/// exp(x) of arguments whose result is a normal number; of NaN anything.
static Value emitUsualExp(Arithmetic a, Value x) {
  ReducedExp exp = reduceExp(a, x);
  // The bits of kRound fall off at the top.
  Value exponent = arith::ShLIOp::create(a.b, a.toBits(exp.rounded), a.constant(23));
  return a.fromBits(arith::AddIOp::create(a.b, a.toBits(exp.power), exponent));
}

/// NaN passes through every step.
static Value emitExp(Arithmetic a, Value x, bool hasScale) {
  // Beyond these the result is zero and infinity.
  Value least = a.constant(-104.0f), greatest = a.constant(89.0f);
  x = a.select(a.compare(arith::CmpFPredicate::OLT, x, least), least, x);
  x = a.select(a.compare(arith::CmpFPredicate::OGT, x, greatest), greatest, x);
  ReducedExp exp = reduceExp(a, x);
  // One instruction, which rounds once.
  if (auto vector = dyn_cast<VectorType>(a.type);
      hasScale && vector && vector.getShape() == ArrayRef<int64_t>{16}) {
    Value mask = arith::ConstantOp::create(a.b, a.b.getI16IntegerAttr(-1));
    Value rounding = arith::ConstantOp::create(a.b, a.b.getI32IntegerAttr(4));
    return LLVM::CallIntrinsicOp::create(a.b, a.type,
                                         a.b.getStringAttr("llvm.x86.avx512.mask.scalef.ps.512"),
                                         ValueRange{exp.power, exp.n, exp.power, mask, rounding})
        .getResult(0);
  }
  // In two factors, each a normal number, so that small results are rounded once.
  Value exponent = arith::SubIOp::create(a.b, a.toBits(exp.rounded),
                                         a.constant(llvm::bit_cast<int32_t>(kRound)));
  Value half = arith::ShRSIOp::create(a.b, exponent, a.constant(1));
  Value rest = arith::SubIOp::create(a.b, exponent, half);
  auto power = [&](Value number) {
    Value biased = arith::AddIOp::create(a.b, number, a.constant(127));
    return a.fromBits(arith::ShLIOp::create(a.b, biased, a.constant(23)));
  };
  // No contraction: these are factors of powers of two.
  Value scaled = arith::MulFOp::create(a.b, exp.power, power(half));
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

/// `small` below `limit` and for NaN, else `large`, with the sign of x.
static Value selectBySize(Arithmetic a, Value x, Value absolute, float limit, Value small,
                          Value large) {
  Value isSmall = a.compare(arith::CmpFPredicate::ULT, absolute, a.constant(limit));
  // Polynomials lose the sign of zero, what is large every sign.
  return math::CopySignOp::create(a.b, a.select(isSmall, small, large), x);
}

static Value clampAbove(Arithmetic a, Value x, float limit) {
  Value greatest = a.constant(limit);
  return a.select(a.compare(arith::CmpFPredicate::OLT, x, greatest), x, greatest);
}

/// Near zero a polynomial, else 1 - 2 / (exp(2 |x|) + 1), which is one from 10 on.
static Value emitTanh(Arithmetic a, Value x) {
  Value square = a.mul(x, x);
  Value p = a.polynomial(square, {-5.70498872745e-3f, 2.06390887954e-2f, -5.37397155531e-2f,
                                  1.33314422036e-1f, -3.33332819422e-1f});
  Value small = a.mulAdd(a.mul(p, square), x, x);
  Value absolute = math::AbsFOp::create(a.b, x);
  Value bounded = clampAbove(a, absolute, 10.0f);
  Value power = emitUsualExp(a, a.add(bounded, bounded));
  Value large = a.sub(a.constant(1.0f), a.div(a.constant(2.0f), a.add(power, a.constant(1.0f))));
  return selectBySize(a, x, absolute, 0.625f, small, large);
}

/// 2^y where the result is a normal number; of NaN anything.
static Value emitUsualExp2(Arithmetic a, Value y) {
  Value rounded = a.add(y, a.constant(kRound));
  Value rest = a.sub(y, a.sub(rounded, a.constant(kRound)));
  // Minimax for (2^f - 1) / f.
  Value p = a.polynomial(rest, {1.547616557e-4f, 1.340023940e-3f, 9.618004784e-3f, 5.550327897e-2f,
                                2.402265072e-1f, 6.931471825e-1f});
  p = a.mulAdd(p, rest, a.constant(1.0f));
  Value exponent = arith::ShLIOp::create(a.b, a.toBits(rounded), a.constant(23));
  return a.fromBits(arith::AddIOp::create(a.b, a.toBits(p), exponent));
}

/// Near zero a polynomial, else 1 - 2^r(|x|), which is one from 3.95 on. The coefficients are
/// minimax fits to erf(x) / x - 1 as a function of x^2, and of r to the binary logarithm of
/// erfc(x).
static Value emitErf(Arithmetic a, Value x) {
  Value square = a.mul(x, x);
  Value p = a.polynomial(square, {-5.999364075e-4f, 4.995316733e-3f, -2.676845714e-2f,
                                  1.128187999e-1f, -3.761250079e-1f, 1.283791512e-1f});
  Value small = a.mulAdd(p, x, x);
  Value absolute = math::AbsFOp::create(a.b, x);
  Value bounded = clampAbove(a, absolute, 3.95f);
  Value r =
      a.polynomial(bounded, {2.804295800e-4f, -4.368615802e-3f, 3.198070452e-2f, -1.497655213e-1f,
                             -9.194575548e-1f, -1.626776218f, -3.099117277e-4f});
  Value large = a.sub(a.constant(1.0f), emitUsualExp2(a, r));
  return selectBySize(a, x, absolute, 0.925f, small, large);
}

static Value expand(ImplicitLocOpBuilder &b, Operation *op) {
  Type type = op->getNumResults() == 1 ? op->getResult(0).getType() : Type();
  if (!type || !getElementTypeOrSelf(type).isF32() || !(type.isF32() || isa<VectorType>(type)))
    return {};
  Arithmetic a(b, type);
  if (isa<arith::MaximumFOp, arith::MinimumFOp>(op) && isa<VectorType>(type)) {
    Value x = op->getOperand(0), y = op->getOperand(1);
    bool isMaximum = isa<arith::MaximumFOp>(op);
    // One instruction that gives y if one of both is NaN, and one for x. Either zero will do.
    Value other = a.select(
        a.compare(isMaximum ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT, x, y), x, y);
    return a.select(a.compare(arith::CmpFPredicate::UNO, x, x), x, other);
  }
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
    for (Operation *op : ops) {
      ImplicitLocOpBuilder b(op->getLoc(), op);
      if (Value value = expand(b, op)) {
        op->getResult(0).replaceAllUsesWith(value);
        op->erase();
      }
    }
  }
};
} // namespace
