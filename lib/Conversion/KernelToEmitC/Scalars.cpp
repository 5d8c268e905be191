// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar operations as operators and functions of C.
#include "KernelEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pypto;

//===- Helpers ----------------------------------------------------------------------===//

Value KernelEmitter::call(Location loc, StringRef function, Type type, ValueRange operands) {
  return emitc::CallOpaqueOp::create(b, loc, type, function, operands).getResult(0);
}

Value KernelEmitter::cast(Location loc, Type type, Value value) {
  return value.getType() == type ? value : emitc::CastOp::create(b, loc, type, value).getResult();
}

Value KernelEmitter::asUnsigned(Location loc, Value value) {
  auto type = ::cast<IntegerType>(value.getType());
  if (type.getWidth() == 1)
    return value;
  return cast(loc, b.getIntegerType(type.getWidth(), /*isSigned=*/false), value);
}

Value KernelEmitter::emitConstant(Location loc, Attribute value) {
  auto typed = dyn_cast<TypedAttr>(value);
  Type type = typed ? convertType(typed.getType()) : Type();
  if (auto number = dyn_cast<FloatAttr>(value); number && type) {
    if (!isa<IntegerType>(type))
      return emitc::ConstantOp::create(b, loc, type, number);
    // The bits of a bf16.
    APInt bits = number.getValue().bitcastToAPInt();
    return emitc::ConstantOp::create(b, loc, type, IntegerAttr::get(type, bits));
  }
  auto number = dyn_cast<IntegerAttr>(value);
  if (!number || !type)
    return {};
  APInt bits = number.getValue().sextOrTrunc(type.getIntOrFloatBitWidth());
  // C has no negative literals, and the positive one is too large.
  if (bits.getBitWidth() == 64 && bits.isMinSignedValue())
    return emitc::LiteralOp::create(b, loc, type, "INT64_MIN");
  return emitc::ConstantOp::create(b, loc, type, IntegerAttr::get(type, bits));
}

//===- Integers -----------------------------------------------------------------------===//

static emitc::CmpPredicate getPredicate(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return emitc::CmpPredicate::eq;
  case arith::CmpIPredicate::ne:
    return emitc::CmpPredicate::ne;
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return emitc::CmpPredicate::lt;
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return emitc::CmpPredicate::le;
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return emitc::CmpPredicate::gt;
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return emitc::CmpPredicate::ge;
  }
  llvm_unreachable("all predicates are there");
}

static bool isUnsigned(arith::CmpIPredicate predicate) {
  return predicate == arith::CmpIPredicate::ult || predicate == arith::CmpIPredicate::ule ||
         predicate == arith::CmpIPredicate::ugt || predicate == arith::CmpIPredicate::uge;
}

Value KernelEmitter::emitInteger(Operation &op) {
  Location loc = op.getLoc();
  SmallVector<Value, 3> operands;
  for (Value operand : op.getOperands())
    operands.push_back(lookup(operand));
  Type type = operands.empty() ? Type() : operands[0].getType();
  if (!isa_and_present<IntegerType>(type) || operands.size() > 2)
    return {};
  Value x = operands[0], y = operands.back();
  bool isBool = type.isInteger(1);
  // Signed comparisons of truth values, whose true is -1, go the other way.
  auto compare = [&](arith::CmpIPredicate predicate) -> Value {
    Value lhs = x, rhs = y;
    bool isOrder = predicate != arith::CmpIPredicate::eq && predicate != arith::CmpIPredicate::ne;
    if (isUnsigned(predicate)) {
      lhs = asUnsigned(loc, lhs);
      rhs = asUnsigned(loc, rhs);
    } else if (isBool && isOrder) {
      std::swap(lhs, rhs);
    }
    return emitc::CmpOp::create(b, loc, b.getI1Type(), getPredicate(predicate), lhs, rhs);
  };
  auto choose = [&](arith::CmpIPredicate predicate) -> Value {
    return emitc::ConditionalOp::create(b, loc, type, compare(predicate), x, y);
  };
  auto createUnsigned = [&](auto build) -> Value {
    Value lhs = asUnsigned(loc, x), rhs = asUnsigned(loc, y);
    return cast(loc, type, build(lhs.getType(), lhs, rhs));
  };
  // C computes narrow integers as `int`: what does not fit is cut off before it is used.
  auto wrap = [&](auto build) -> Value {
    bool isNarrow = !isBool && type.getIntOrFloatBitWidth() < 32;
    return cast(loc, type, build(isNarrow ? Type(b.getI32Type()) : type));
  };
  using Predicate = arith::CmpIPredicate;
  // What is shifted decides the width, and a number in C has that of an int.
  auto asOfWidth = [&](Value value) -> Value {
    auto constant = value.getDefiningOp<emitc::ConstantOp>();
    auto number = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : nullptr;
    if (!number || number.getType().getIntOrFloatBitWidth() != 64)
      return value;
    std::string text = "INT64_C(" + std::to_string(number.getInt()) + ")";
    return emitc::LiteralOp::create(b, loc, value.getType(), text);
  };
  return TypeSwitch<Operation *, Value>(&op)
      .Case<arith::AddIOp>([&](auto) -> Value {
        if (isBool)
          return emitc::BitwiseXorOp::create(b, loc, type, x, y);
        return wrap([&](Type wide) -> Value { return emitc::AddOp::create(b, loc, wide, x, y); });
      })
      .Case<arith::SubIOp>([&](auto) -> Value {
        if (isBool)
          return emitc::BitwiseXorOp::create(b, loc, type, x, y);
        return wrap([&](Type wide) -> Value { return emitc::SubOp::create(b, loc, wide, x, y); });
      })
      .Case<arith::MulIOp>([&](auto) -> Value {
        if (isBool)
          return emitc::BitwiseAndOp::create(b, loc, type, x, y);
        return wrap([&](Type wide) -> Value { return emitc::MulOp::create(b, loc, wide, x, y); });
      })
      .Case<arith::DivSIOp>([&](auto) { return emitc::DivOp::create(b, loc, type, x, y); })
      .Case<arith::RemSIOp>([&](auto) { return emitc::RemOp::create(b, loc, type, x, y); })
      .Case<arith::DivUIOp>([&](auto) {
        return createUnsigned([&](Type type, Value x, Value y) -> Value {
          return emitc::DivOp::create(b, loc, type, x, y);
        });
      })
      .Case<arith::RemUIOp>([&](auto) {
        return createUnsigned([&](Type type, Value x, Value y) -> Value {
          return emitc::RemOp::create(b, loc, type, x, y);
        });
      })
      .Case<arith::AndIOp>([&](auto) { return emitc::BitwiseAndOp::create(b, loc, type, x, y); })
      .Case<arith::OrIOp>([&](auto) { return emitc::BitwiseOrOp::create(b, loc, type, x, y); })
      .Case<arith::XOrIOp>([&](auto) { return emitc::BitwiseXorOp::create(b, loc, type, x, y); })
      .Case<arith::ShLIOp>([&](auto) {
        return wrap([&](Type wide) -> Value {
          return emitc::BitwiseLeftShiftOp::create(b, loc, wide, asOfWidth(x), y);
        });
      })
      .Case<arith::ShRSIOp>(
          [&](auto) { return emitc::BitwiseRightShiftOp::create(b, loc, type, asOfWidth(x), y); })
      .Case<arith::ShRUIOp>([&](auto) {
        return createUnsigned([&](Type type, Value x, Value y) -> Value {
          return emitc::BitwiseRightShiftOp::create(b, loc, type, x, y);
        });
      })
      .Case<arith::MaxSIOp>([&](auto) { return choose(Predicate::sgt); })
      .Case<arith::MinSIOp>([&](auto) { return choose(Predicate::slt); })
      .Case<arith::MaxUIOp>([&](auto) { return choose(Predicate::ugt); })
      .Case<arith::MinUIOp>([&](auto) { return choose(Predicate::ult); })
      .Case<arith::CmpIOp>([&](auto op) { return compare(op.getPredicate()); })
      .Case<math::AbsIOp>([&](auto) -> Value {
        Value zero = emitConstant(loc, IntegerAttr::get(type, 0));
        Value isNegative =
            emitc::CmpOp::create(b, loc, b.getI1Type(), emitc::CmpPredicate::lt, x, zero);
        Value negative =
            wrap([&](Type wide) -> Value { return emitc::SubOp::create(b, loc, wide, zero, x); });
        return emitc::ConditionalOp::create(b, loc, type, isNegative, negative, x);
      })
      .Default([](Operation *) { return Value(); });
}

//===- Floats ---------------------------------------------------------------------------===//

Value KernelEmitter::emitFloat(Operation &op) {
  Location loc = op.getLoc();
  SmallVector<Value, 2> operands;
  for (Value operand : op.getOperands())
    operands.push_back(lookup(operand));
  if (operands.empty() || operands.size() > 2 || !isa<FloatType>(operands[0].getType()))
    return {};
  Value x = operands[0], y = operands.back();
  Type type = x.getType();
  auto compare = [&](emitc::CmpPredicate predicate) -> Value {
    return emitc::CmpOp::create(b, loc, b.getI1Type(), predicate, x, y);
  };
  auto negate = [&](Value value) -> Value {
    return emitc::LogicalNotOp::create(b, loc, b.getI1Type(), value);
  };
  auto either = [&](Value lhs, Value rhs) -> Value {
    return emitc::LogicalOrOp::create(b, loc, b.getI1Type(), lhs, rhs);
  };
  auto isOrdered = [&]() -> Value {
    Value lhs = emitc::CmpOp::create(b, loc, b.getI1Type(), emitc::CmpPredicate::eq, x, x);
    Value rhs = emitc::CmpOp::create(b, loc, b.getI1Type(), emitc::CmpPredicate::eq, y, y);
    return emitc::LogicalAndOp::create(b, loc, b.getI1Type(), lhs, rhs);
  };
  using C = emitc::CmpPredicate;
  auto emitCompare = [&](arith::CmpFPredicate predicate) -> Value {
    switch (predicate) {
    case arith::CmpFPredicate::AlwaysFalse:
    case arith::CmpFPredicate::AlwaysTrue:
      return emitConstant(loc, b.getBoolAttr(predicate == arith::CmpFPredicate::AlwaysTrue));
    case arith::CmpFPredicate::OEQ:
      return compare(C::eq);
    case arith::CmpFPredicate::OGT:
      return compare(C::gt);
    case arith::CmpFPredicate::OGE:
      return compare(C::ge);
    case arith::CmpFPredicate::OLT:
      return compare(C::lt);
    case arith::CmpFPredicate::OLE:
      return compare(C::le);
    case arith::CmpFPredicate::ONE:
      return either(compare(C::lt), compare(C::gt));
    case arith::CmpFPredicate::ORD:
      return isOrdered();
    case arith::CmpFPredicate::UEQ:
      return negate(either(compare(C::lt), compare(C::gt)));
    case arith::CmpFPredicate::UGT:
      return negate(compare(C::le));
    case arith::CmpFPredicate::UGE:
      return negate(compare(C::lt));
    case arith::CmpFPredicate::ULT:
      return negate(compare(C::ge));
    case arith::CmpFPredicate::ULE:
      return negate(compare(C::gt));
    case arith::CmpFPredicate::UNE:
      return compare(C::ne);
    case arith::CmpFPredicate::UNO:
      return negate(isOrdered());
    }
    llvm_unreachable("all predicates are there");
  };
  return TypeSwitch<Operation *, Value>(&op)
      .Case<arith::AddFOp>([&](auto) { return emitc::AddOp::create(b, loc, type, x, y); })
      .Case<arith::SubFOp>([&](auto) { return emitc::SubOp::create(b, loc, type, x, y); })
      .Case<arith::MulFOp>([&](auto) { return emitc::MulOp::create(b, loc, type, x, y); })
      .Case<arith::DivFOp>([&](auto) { return emitc::DivOp::create(b, loc, type, x, y); })
      .Case<arith::NegFOp>([&](auto) { return emitc::UnaryMinusOp::create(b, loc, type, x); })
      .Case<arith::CmpFOp>([&](auto op) { return emitCompare(op.getPredicate()); })
      .Default([](Operation *) { return Value(); });
}

/// The function of libm for doubles; the one for floats has an f behind it.
static StringRef getLibmName(Operation &op) {
  return TypeSwitch<Operation *, StringRef>(&op)
      .Case<math::AbsFOp>([](auto) { return "fabs"; })
      .Case<math::AcosOp>([](auto) { return "acos"; })
      .Case<math::AsinOp>([](auto) { return "asin"; })
      .Case<math::AtanOp>([](auto) { return "atan"; })
      .Case<math::Atan2Op>([](auto) { return "atan2"; })
      .Case<math::CbrtOp>([](auto) { return "cbrt"; })
      .Case<math::CeilOp>([](auto) { return "ceil"; })
      .Case<math::CopySignOp>([](auto) { return "copysign"; })
      .Case<math::CosOp>([](auto) { return "cos"; })
      .Case<math::CoshOp>([](auto) { return "cosh"; })
      .Case<math::ErfOp>([](auto) { return "erf"; })
      .Case<math::ErfcOp>([](auto) { return "erfc"; })
      .Case<math::ExpOp>([](auto) { return "exp"; })
      .Case<math::Exp2Op>([](auto) { return "exp2"; })
      .Case<math::ExpM1Op>([](auto) { return "expm1"; })
      .Case<math::FloorOp>([](auto) { return "floor"; })
      .Case<math::FmaOp>([](auto) { return "fma"; })
      .Case<math::LogOp>([](auto) { return "log"; })
      .Case<math::Log10Op>([](auto) { return "log10"; })
      .Case<math::Log1pOp>([](auto) { return "log1p"; })
      .Case<math::Log2Op>([](auto) { return "log2"; })
      .Case<math::PowFOp>([](auto) { return "pow"; })
      .Case<arith::RemFOp>([](auto) { return "fmod"; })
      .Case<math::RoundOp>([](auto) { return "round"; })
      .Case<math::RoundEvenOp>([](auto) { return "rint"; })
      .Case<math::RsqrtOp, math::SqrtOp>([](auto) { return "sqrt"; })
      .Case<math::SinOp>([](auto) { return "sin"; })
      .Case<math::SinhOp>([](auto) { return "sinh"; })
      .Case<math::TanOp>([](auto) { return "tan"; })
      .Case<math::TanhOp>([](auto) { return "tanh"; })
      .Case<math::TruncOp>([](auto) { return "trunc"; })
      .Default([](Operation *) { return ""; });
}

Value KernelEmitter::emitMath(Operation &op) {
  StringRef name = getLibmName(op);
  if (name.empty() || !isa<FloatType>(lookup(op.getOperand(0)).getType()))
    return {};
  Location loc = op.getLoc();
  Type type = lookup(op.getOperand(0)).getType();
  // There is none for half a float.
  Type wide = type.isF64() ? type : b.getF32Type();
  SmallVector<Value> operands;
  for (Value operand : op.getOperands())
    operands.push_back(cast(loc, wide, lookup(operand)));
  Value result = call(loc, (name + (wide.isF32() ? "f" : "")).str(), wide, operands);
  if (isa<math::RsqrtOp>(op)) {
    Value one = emitConstant(loc, FloatAttr::get(wide, 1.0));
    result = emitc::DivOp::create(b, loc, wide, one, result);
  }
  return cast(loc, type, result);
}

//===- Conversions ----------------------------------------------------------------------===//

/// A function that takes the bits of one type for another.
Value KernelEmitter::emitBitcast(Location loc, Value value, Type from, Type to) {
  Type target = convertType(to);
  if (isa<IntegerType>(value.getType()) && isa_and_present<IntegerType>(target))
    return cast(loc, target, value);
  auto getName = [](Type type) -> std::string {
    if (auto integer = dyn_cast<IntegerType>(type))
      return "int" + std::to_string(integer.getWidth()) + "_t";
    return type.isF64() ? "double" : type.isF32() ? "float" : type.isF16() ? "_Float16" : "";
  };
  std::string source = getName(from), result = getName(to);
  if (source.empty() || result.empty())
    return {};
  std::string name = "pypto_" + source + "_as_" + result;
  definitions[name] = "static inline " + result + " " + name + "(" + source + " value) {\n  " +
                      result + " bits;\n  memcpy(&bits, &value, sizeof bits);\n  return bits;\n}";
  return call(loc, name, target, value);
}

/// Between floats; those of bf16 are bits in C. Each rounds once: from f64 to bf16 by an f32 that
/// is odd if it is not exact.
Value KernelEmitter::emitRound(Location loc, Value value, Type from, Type to) {
  Type target = convertType(to);
  if (from.isBF16() && isa<FloatType>(target)) {
    definitions["pypto_from_bf16"] = "static inline float pypto_from_bf16(uint16_t bits) {\n"
                                     "  uint32_t wide = (uint32_t)bits << 16;\n  float value;\n"
                                     "  memcpy(&value, &wide, sizeof value);\n  return value;\n}";
    return cast(loc, target, call(loc, "pypto_from_bf16", b.getF32Type(), value));
  }
  if (to.isBF16() && isa<FloatType>(value.getType())) {
    definitions["pypto_to_bf16"] =
        "static inline uint16_t pypto_to_bf16(double value) {\n"
        "  float near = (float)value;\n  uint32_t bits;\n  memcpy(&bits, &near, sizeof bits);\n"
        "  if (value != value)\n    return (uint16_t)(bits >> 16 | 64);\n"
        "  if (near != value)\n    bits = (bits - (fabs((double)near) > fabs(value))) | 1;\n"
        "  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);\n}";
    return call(loc, "pypto_to_bf16", target, cast(loc, b.getF64Type(), value));
  }
  return isa<FloatType>(value.getType()) && isa<FloatType>(target) ? cast(loc, target, value)
                                                                   : Value();
}

Value KernelEmitter::emitCast(Operation &op) {
  if (op.getNumOperands() != 1 || op.getNumResults() != 1)
    return {};
  Location loc = op.getLoc();
  Type from = op.getOperand(0).getType(), to = op.getResult(0).getType();
  Value value = lookup(op.getOperand(0));
  Type target = convertType(to);
  if (!target || !value)
    return {};
  auto castUnsigned = [&]() { return cast(loc, target, asUnsigned(loc, value)); };
  // The true of a signed truth value is -1.
  auto castSigned = [&]() {
    Value result = cast(loc, target, value);
    if (!from.isInteger(1))
      return result;
    if (isa<FloatType>(target))
      return Value(emitc::UnaryMinusOp::create(b, loc, target, result));
    Value zero = emitConstant(loc, IntegerAttr::get(target, 0));
    return Value(emitc::SubOp::create(b, loc, target, zero, result));
  };
  return TypeSwitch<Operation *, Value>(&op)
      .Case<arith::ExtUIOp, arith::UIToFPOp, arith::IndexCastUIOp>(
          [&](auto) { return castUnsigned(); })
      .Case<arith::ExtSIOp, arith::SIToFPOp, arith::IndexCastOp>([&](auto) { return castSigned(); })
      .Case<arith::TruncIOp>([&](auto) -> Value {
        if (!target.isInteger(1))
          return cast(loc, target, value);
        Value one = emitConstant(loc, IntegerAttr::get(value.getType(), 1));
        return cast(loc, target, emitc::BitwiseAndOp::create(b, loc, value.getType(), value, one));
      })
      .Case<arith::ExtFOp, arith::TruncFOp>([&](auto) { return emitRound(loc, value, from, to); })
      .Case<arith::FPToSIOp>([&](auto) { return cast(loc, target, value); })
      .Case<arith::FPToUIOp>([&](auto) {
        Type bits = target.isInteger(1)
                        ? target
                        : b.getIntegerType(target.getIntOrFloatBitWidth(), /*isSigned=*/false);
        return cast(loc, target, cast(loc, bits, value));
      })
      .Case<arith::BitcastOp>([&](auto) { return emitBitcast(loc, value, from, to); })
      .Default([](Operation *) { return Value(); });
}

Value KernelEmitter::emitScalar(Operation &op) {
  if (op.getNumResults() != 1)
    return {};
  Attribute constant;
  if (op.getNumOperands() == 0)
    return matchPattern(&op, m_Constant(&constant)) ? emitConstant(op.getLoc(), constant) : Value();
  for (Value operand : op.getOperands())
    if (!lookup(operand))
      return {};
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    Type type = convertType(select.getType());
    if (!type || isa<emitc::PointerType>(type))
      return {};
    return emitc::ConditionalOp::create(b, op.getLoc(), type, lookup(select.getCondition()),
                                        lookup(select.getTrueValue()),
                                        lookup(select.getFalseValue()));
  }
  if (Value value = emitCast(op))
    return value;
  if (Value value = emitMath(op))
    return value;
  if (Value value = emitInteger(op))
    return value;
  return emitFloat(op);
}
