// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `math`: the functions of the C library, in the precision of the operand.
#include "ScalarTable.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace pypto;
using namespace pypto::interpreter;

/// A function of one float, in both precisions.
template <typename OpTy>
static void addFunction(Table &table, float (*single)(float), double (*full)(double)) {
  addScalar(table, OpTy::getOperationName(), [=](Machine &, const Scalars &s) {
    return s.operandFormat.makeReal(
        s.operandFormat.isDouble() ? full(s[0].real) : single(static_cast<float>(s[0].real)));
  });
}

template <typename OpTy>
static void addFunction(Table &table, float (*single)(float, float),
                        double (*full)(double, double)) {
  addScalar(table, OpTy::getOperationName(), [=](Machine &, const Scalars &s) {
    return s.operandFormat.makeReal(
        s.operandFormat.isDouble()
            ? full(s[0].real, s[1].real)
            : single(static_cast<float>(s[0].real), static_cast<float>(s[1].real)));
  });
}

template <typename OpTy> static void addTest(Table &table, bool (*test)(double)) {
  addScalar(table, OpTy::getOperationName(), [test](Machine &, const Scalars &s) {
    return s.resultFormat.makeInteger(test(s[0].real));
  });
}

static LogicalResult runSinCos(Machine &machine, math::SincosOp op) {
  if (failed(checkScalars(machine, op)))
    return failure();
  const Number &number = machine.getNumber(op.getOperand());
  Format format(op.getOperand().getType());
  for (auto [result, kind] : {std::pair(op.getSin(), Unary::Sin), {op.getCos(), Unary::Cos}})
    if (failed(machine.define(result, format.round(compute(kind, format, number)))))
      return failure();
  return success();
}

void interpreter::addMath(Table &table) {
#define PYPTO_FUNCTION(Name, function)                                                             \
  addFunction<math::Name##Op>(                                                                     \
      table, [](float x) { return std::function(x); }, [](double x) { return std::function(x); });
  PYPTO_FUNCTION(AbsF, fabs)
  PYPTO_FUNCTION(Ceil, ceil)
  PYPTO_FUNCTION(Floor, floor)
  PYPTO_FUNCTION(Trunc, trunc)
  PYPTO_FUNCTION(Round, round)
  PYPTO_FUNCTION(RoundEven, nearbyint)
  PYPTO_FUNCTION(Exp, exp)
  PYPTO_FUNCTION(Exp2, exp2)
  PYPTO_FUNCTION(ExpM1, expm1)
  PYPTO_FUNCTION(Log, log)
  PYPTO_FUNCTION(Log2, log2)
  PYPTO_FUNCTION(Log10, log10)
  PYPTO_FUNCTION(Log1p, log1p)
  PYPTO_FUNCTION(Sqrt, sqrt)
  PYPTO_FUNCTION(Cbrt, cbrt)
  PYPTO_FUNCTION(Sin, sin)
  PYPTO_FUNCTION(Cos, cos)
  PYPTO_FUNCTION(Tan, tan)
  PYPTO_FUNCTION(Asin, asin)
  PYPTO_FUNCTION(Acos, acos)
  PYPTO_FUNCTION(Atan, atan)
  PYPTO_FUNCTION(Sinh, sinh)
  PYPTO_FUNCTION(Cosh, cosh)
  PYPTO_FUNCTION(Tanh, tanh)
  PYPTO_FUNCTION(Asinh, asinh)
  PYPTO_FUNCTION(Acosh, acosh)
  PYPTO_FUNCTION(Atanh, atanh)
  PYPTO_FUNCTION(Erf, erf)
  PYPTO_FUNCTION(Erfc, erfc)
#undef PYPTO_FUNCTION
  addFunction<math::RsqrtOp>(
      table, [](float x) { return 1.0f / std::sqrt(x); },
      [](double x) { return 1.0 / std::sqrt(x); });
  addFunction<math::PowFOp>(
      table, [](float x, float y) { return std::pow(x, y); },
      [](double x, double y) { return std::pow(x, y); });
  addFunction<math::Atan2Op>(
      table, [](float x, float y) { return std::atan2(x, y); },
      [](double x, double y) { return std::atan2(x, y); });
  addFunction<math::CopySignOp>(
      table, [](float x, float y) { return std::copysign(x, y); },
      [](double x, double y) { return std::copysign(x, y); });
  addScalar(table, math::FmaOp::getOperationName(), [](Machine &, const Scalars &s) {
    auto single = [&](size_t i) { return static_cast<float>(s[i].real); };
    return s.operandFormat.makeReal(s.operandFormat.isDouble()
                                        ? std::fma(s[0].real, s[1].real, s[2].real)
                                        : std::fma(single(0), single(1), single(2)));
  });
  addScalar(table, math::AbsIOp::getOperationName(),
            [](Machine &, const Scalars &s) { return compute(Unary::Abs, s.operandFormat, s[0]); });
  addTest<math::IsNaNOp>(table, [](double x) { return std::isnan(x); });
  addTest<math::IsInfOp>(table, [](double x) { return std::isinf(x); });
  addTest<math::IsFiniteOp>(table, [](double x) { return std::isfinite(x); });
  table.add<math::SincosOp>(runSinCos);
}
