// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Conversion/Float8ToRuntime/Passes.h"
#include "pypto/Runtime/Runtime.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace pypto;

namespace pypto {
#define GEN_PASS_DEF_CONVERTFLOAT8TORUNTIME
#include "pypto/Conversion/Float8ToRuntime/Passes.h.inc"
} // namespace pypto

/// The number of an 8-bit float type in the calls of the run time.
static std::optional<unsigned> getKind(Type type) {
  auto number = dyn_cast<FloatType>(type);
  return number && number.getWidth() == 8 ? runtime::getFloat8Kind(number.getFloatSemantics())
                                          : std::nullopt;
}

static func::FuncOp declare(ModuleOp module, StringRef name, Type operand, Type result) {
  if (auto function = module.lookupSymbol<func::FuncOp>(name))
    return function;
  auto b = OpBuilder::atBlockBegin(module.getBody());
  auto type = b.getFunctionType({b.getI32Type(), operand}, result);
  auto function = func::FuncOp::create(b, module.getLoc(), name, type);
  function.setPrivate();
  return function;
}

/// `value` as `type`, by one widening or narrowing at most per step: bf16 only meets f32.
static Value convertFloat(OpBuilder &b, Location loc, Value value, Type type) {
  auto from = cast<FloatType>(value.getType()), to = cast<FloatType>(type);
  if (from == to)
    return value;
  if ((from.isBF16() || to.isBF16()) && !from.isF32() && !to.isF32())
    return convertFloat(b, loc, convertFloat(b, loc, value, b.getF32Type()), type);
  if (from.getWidth() < to.getWidth())
    return arith::ExtFOp::create(b, loc, type, value);
  return arith::TruncFOp::create(b, loc, type, value);
}

static Value createCall(OpBuilder &b, Location loc, func::FuncOp callee, unsigned kind,
                        Value operand) {
  Value number = arith::ConstantIntOp::create(b, loc, b.getI32Type(), kind);
  return func::CallOp::create(b, loc, callee, ValueRange{number, operand}).getResult(0);
}

static void widen(OpBuilder &b, arith::ExtFOp op, unsigned kind, func::FuncOp callee) {
  Value bits = arith::BitcastOp::create(b, op.getLoc(), b.getI8Type(), op.getIn());
  Value wide = createCall(b, op.getLoc(), callee, kind, bits);
  op.replaceAllUsesWith(convertFloat(b, op.getLoc(), wide, op.getType()));
}

static void narrow(OpBuilder &b, arith::TruncFOp op, unsigned kind, func::FuncOp callee) {
  Value wide = convertFloat(b, op.getLoc(), op.getIn(), b.getF64Type());
  Value bits = createCall(b, op.getLoc(), callee, kind, wide);
  op.replaceAllUsesWith(arith::BitcastOp::create(b, op.getLoc(), op.getType(), bits).getResult());
}

namespace {
struct ConvertFloat8ToRuntimePass
    : pypto::impl::ConvertFloat8ToRuntimeBase<ConvertFloat8ToRuntimePass> {
  void runOnModule() override {
    ModuleOp module = getOperation();
    Type i8 = IntegerType::get(&getContext(), 8), f64 = Float64Type::get(&getContext());
    SmallVector<Operation *> conversions;
    module.walk([&](Operation *op) {
      if (isa<arith::ExtFOp, arith::TruncFOp>(op) &&
          (getKind(op->getOperand(0).getType()) || getKind(op->getResult(0).getType())))
        conversions.push_back(op);
    });
    for (Operation *op : conversions) {
      OpBuilder b(op);
      if (auto wide = dyn_cast<arith::ExtFOp>(op))
        widen(b, wide, *getKind(wide.getIn().getType()),
              declare(module, "pypto_f8_to_f64", i8, f64));
      else
        narrow(b, cast<arith::TruncFOp>(op), *getKind(op->getResult(0).getType()),
               declare(module, "pypto_f64_to_f8", f64, i8));
      op->erase();
    }
  }
};
} // namespace
