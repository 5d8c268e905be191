// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `arith`, and whatever else folds.
#include "ScalarTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;
using namespace pypto;
using namespace pypto::interpreter;

//===- Frame of an operation --------------------------------------------------===//

LogicalResult interpreter::checkScalars(Machine &machine, Operation *op) {
  for (Type type : llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                            SmallVector<Type>(op->getResultTypes())))
    if (!Format::isScalar(type))
      return machine.emitError(op, "is not interpreted on ")
             << type << ": expects integers of at most 64 bits and floats";
  return success();
}

void interpreter::addScalar(Table &table, StringRef name, ScalarFn fn) {
  table.add(name, [fn = std::move(fn)](Machine &machine, Operation *op) -> LogicalResult {
    if (failed(checkScalars(machine, op)))
      return failure();
    SmallVector<Number, 3> operands;
    State state = State::Set;
    for (Value operand : op->getOperands()) {
      operands.push_back(machine.getNumber(operand));
      state = join(state, operands.back().state);
    }
    Type operandType = op->getNumOperands() ? op->getOperand(0).getType() : op->getResultTypes()[0];
    Scalars scalars{op, operands, Format(operandType), Format(op->getResultTypes()[0])};
    FailureOr<Number> result = fn(machine, scalars);
    if (failed(result))
      return failure();
    Number rounded = scalars.resultFormat.round(*result);
    rounded.state = join(rounded.state, state);
    return machine.define(op->getResult(0), rounded);
  });
}

//===- Integers ---------------------------------------------------------------===//

/// The two operands of an integer operation, with and without signs.
struct Integers {
  uint64_t left, right;
  int64_t signedLeft, signedRight;
  unsigned width;
};

template <typename OpTy> static void addInteger(Table &table, uint64_t (*fn)(const Integers &)) {
  addScalar(table, OpTy::getOperationName(), [fn](Machine &, const Scalars &s) {
    const Format &format = s.operandFormat;
    return s.resultFormat.makeInteger(
        fn({format.getBits(s[0]), format.getBits(s[1]),
            llvm::SignExtend64(s[0].integer, format.getWidth()),
            llvm::SignExtend64(s[1].integer, format.getWidth()), format.getWidth()}));
  });
}

/// A division, which has no result for some operands.
template <typename OpTy>
static void addDivision(Table &table, bool isSigned, uint64_t (*fn)(const Integers &)) {
  addScalar(table, OpTy::getOperationName(),
            [=](Machine &machine, const Scalars &s) -> FailureOr<Number> {
              const Format &format = s.operandFormat;
              unsigned width = format.getWidth();
              Integers n{format.getBits(s[0]), format.getBits(s[1]),
                         llvm::SignExtend64(s[0].integer, width),
                         llvm::SignExtend64(s[1].integer, width), width};
              if (n.right == 0)
                return machine.emitError(s.op, "divides by zero");
              if (isSigned && n.signedRight == -1 && n.signedLeft == llvm::minIntN(width))
                return machine.emitError(s.op, "divides the least number by -1");
              return s.resultFormat.makeInteger(fn(n));
            });
}

/// A shift; by the width or more there is no result.
template <typename OpTy> static void addShift(Table &table, uint64_t (*fn)(const Integers &)) {
  addScalar(table, OpTy::getOperationName(), [fn](Machine &, const Scalars &s) {
    const Format &format = s.operandFormat;
    unsigned width = format.getWidth();
    Integers n{format.getBits(s[0]), format.getBits(s[1]), llvm::SignExtend64(s[0].integer, width),
               0, width};
    Number result = s.resultFormat.makeInteger(n.right < width ? fn(n) : 0);
    result.state = n.right < width ? State::Set : State::Unset;
    return result;
  });
}

static int64_t divideFloor(int64_t lhs, int64_t rhs) {
  return lhs / rhs - (lhs % rhs != 0 && (lhs < 0) != (rhs < 0));
}

static void addIntegers(Table &table) {
  using N = const Integers &;
  addInteger<arith::AddIOp>(table, [](N n) { return n.left + n.right; });
  addInteger<arith::SubIOp>(table, [](N n) { return n.left - n.right; });
  addInteger<arith::MulIOp>(table, [](N n) { return n.left * n.right; });
  addInteger<arith::AndIOp>(table, [](N n) { return n.left & n.right; });
  addInteger<arith::OrIOp>(table, [](N n) { return n.left | n.right; });
  addInteger<arith::XOrIOp>(table, [](N n) { return n.left ^ n.right; });
  addInteger<arith::MaxUIOp>(table, [](N n) { return std::max(n.left, n.right); });
  addInteger<arith::MinUIOp>(table, [](N n) { return std::min(n.left, n.right); });
  addInteger<arith::MaxSIOp>(
      table, [](N n) { return static_cast<uint64_t>(std::max(n.signedLeft, n.signedRight)); });
  addInteger<arith::MinSIOp>(
      table, [](N n) { return static_cast<uint64_t>(std::min(n.signedLeft, n.signedRight)); });
  addDivision<arith::DivUIOp>(table, false, [](N n) { return n.left / n.right; });
  addDivision<arith::RemUIOp>(table, false, [](N n) { return n.left % n.right; });
  addDivision<arith::CeilDivUIOp>(table, false,
                                  [](N n) { return n.left / n.right + (n.left % n.right != 0); });
  addDivision<arith::DivSIOp>(
      table, true, [](N n) { return static_cast<uint64_t>(n.signedLeft / n.signedRight); });
  addDivision<arith::RemSIOp>(
      table, true, [](N n) { return static_cast<uint64_t>(n.signedLeft % n.signedRight); });
  addDivision<arith::FloorDivSIOp>(table, true, [](N n) {
    return static_cast<uint64_t>(divideFloor(n.signedLeft, n.signedRight));
  });
  addDivision<arith::CeilDivSIOp>(table, true, [](N n) {
    int64_t quotient = divideFloor(n.signedLeft, n.signedRight);
    return static_cast<uint64_t>(quotient + (n.signedLeft % n.signedRight != 0));
  });
  addShift<arith::ShLIOp>(table, [](N n) { return n.left << n.right; });
  addShift<arith::ShRUIOp>(table, [](N n) { return n.left >> n.right; });
  addShift<arith::ShRSIOp>(table,
                           [](N n) { return static_cast<uint64_t>(n.signedLeft >> n.right); });
}

static bool compareIntegers(arith::CmpIPredicate predicate, const Integers &n) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return n.left == n.right;
  case P::ne:
    return n.left != n.right;
  case P::slt:
    return n.signedLeft < n.signedRight;
  case P::sle:
    return n.signedLeft <= n.signedRight;
  case P::sgt:
    return n.signedLeft > n.signedRight;
  case P::sge:
    return n.signedLeft >= n.signedRight;
  case P::ult:
    return n.left < n.right;
  case P::ule:
    return n.left <= n.right;
  case P::ugt:
    return n.left > n.right;
  case P::uge:
    return n.left >= n.right;
  }
  llvm_unreachable("unknown predicate");
}

/// Predicates are sets: equal, greater, less, unordered.
static bool compareFloats(arith::CmpFPredicate predicate, double lhs, double rhs) {
  using P = arith::CmpFPredicate;
  bool isUnordered = std::isnan(lhs) || std::isnan(rhs);
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::AlwaysTrue:
    return true;
  case P::ORD:
    return !isUnordered;
  case P::UNO:
    return isUnordered;
  case P::OEQ:
    return lhs == rhs;
  case P::UEQ:
    return isUnordered || lhs == rhs;
  case P::ONE:
    return !isUnordered && lhs != rhs;
  case P::UNE:
    return isUnordered || lhs != rhs;
  case P::OLT:
    return lhs < rhs;
  case P::ULT:
    return isUnordered || lhs < rhs;
  case P::OLE:
    return lhs <= rhs;
  case P::ULE:
    return isUnordered || lhs <= rhs;
  case P::OGT:
    return lhs > rhs;
  case P::UGT:
    return isUnordered || lhs > rhs;
  case P::OGE:
    return lhs >= rhs;
  case P::UGE:
    return isUnordered || lhs >= rhs;
  }
  llvm_unreachable("unknown predicate");
}

static void addComparisons(Table &table) {
  addScalar(table, arith::CmpIOp::getOperationName(), [](Machine &, const Scalars &s) {
    const Format &format = s.operandFormat;
    Integers n{format.getBits(s[0]), format.getBits(s[1]),
               llvm::SignExtend64(s[0].integer, format.getWidth()),
               llvm::SignExtend64(s[1].integer, format.getWidth()), format.getWidth()};
    return s.resultFormat.makeInteger(compareIntegers(cast<arith::CmpIOp>(s.op).getPredicate(), n));
  });
  addScalar(table, arith::CmpFOp::getOperationName(), [](Machine &, const Scalars &s) {
    return s.resultFormat.makeInteger(
        compareFloats(cast<arith::CmpFOp>(s.op).getPredicate(), s[0].real, s[1].real));
  });
}

//===- Floats -----------------------------------------------------------------===//

template <typename OpTy> static void addFloat(Table &table, Binary kind) {
  addScalar(table, OpTy::getOperationName(), [kind](Machine &, const Scalars &s) {
    return compute(kind, s.operandFormat, s[0], s[1]);
  });
}

/// The greater or smaller one; of a number and a NaN the number.
template <typename OpTy> static void addNumber(Table &table, Binary kind) {
  addScalar(table, OpTy::getOperationName(), [kind](Machine &, const Scalars &s) {
    if (std::isnan(s[0].real) || std::isnan(s[1].real))
      return std::isnan(s[0].real) ? s[1] : s[0];
    return compute(kind, s.operandFormat, s[0], s[1]);
  });
}

static void addFloats(Table &table) {
  addFloat<arith::AddFOp>(table, Binary::Add);
  addFloat<arith::SubFOp>(table, Binary::Sub);
  addFloat<arith::MulFOp>(table, Binary::Mul);
  addFloat<arith::DivFOp>(table, Binary::Div);
  addFloat<arith::RemFOp>(table, Binary::Fmod);
  addFloat<arith::MaximumFOp>(table, Binary::Maximum);
  addFloat<arith::MinimumFOp>(table, Binary::Minimum);
  addNumber<arith::MaxNumFOp>(table, Binary::Maximum);
  addNumber<arith::MinNumFOp>(table, Binary::Minimum);
  addScalar(table, arith::NegFOp::getOperationName(),
            [](Machine &, const Scalars &s) { return compute(Unary::Neg, s.operandFormat, s[0]); });
}

//===- Conversions ------------------------------------------------------------===//

/// To an integer that takes the bits, extended by the sign or by zeros.
template <typename OpTy> static void addResize(Table &table, bool isSigned) {
  addScalar(table, OpTy::getOperationName(), [isSigned](Machine &, const Scalars &s) {
    return s.resultFormat.makeInteger(isSigned ? static_cast<uint64_t>(llvm::SignExtend64(
                                                     s[0].integer, s.operandFormat.getWidth()))
                                               : s.operandFormat.getBits(s[0]));
  });
}

template <typename OpTy> static void addToFloat(Table &table, bool isSigned) {
  addScalar(table, OpTy::getOperationName(), [isSigned](Machine &, const Scalars &s) {
    uint64_t bits = s.operandFormat.getBits(s[0]);
    int64_t value = llvm::SignExtend64(bits, s.operandFormat.getWidth());
    // Converted once: by way of a double a large number would be rounded twice.
    if (s.resultFormat.isDouble())
      return s.resultFormat.makeReal(isSigned ? static_cast<double>(value)
                                              : static_cast<double>(bits));
    return s.resultFormat.makeReal(isSigned ? static_cast<float>(value) : static_cast<float>(bits));
  });
}

/// Towards zero. What does not fit has no value.
template <typename OpTy> static void addToInteger(Table &table, bool isSigned) {
  addScalar(table, OpTy::getOperationName(), [isSigned](Machine &, const Scalars &s) {
    unsigned width = s.resultFormat.getWidth();
    double whole = std::trunc(s[0].real);
    double end = std::ldexp(1.0, static_cast<int>(width) - (isSigned ? 1 : 0));
    bool fits = whole < end && whole >= (isSigned ? -end : 0.0);
    Number result =
        s.resultFormat.makeInteger(!fits      ? 0
                                   : isSigned ? static_cast<uint64_t>(static_cast<int64_t>(whole))
                                              : static_cast<uint64_t>(whole));
    result.state = fits ? State::Set : State::Unset;
    return result;
  });
}

static void addConversions(Table &table) {
  addResize<arith::ExtSIOp>(table, true);
  addResize<arith::ExtUIOp>(table, false);
  addResize<arith::TruncIOp>(table, true);
  addResize<arith::IndexCastOp>(table, true);
  addResize<arith::IndexCastUIOp>(table, false);
  addToFloat<arith::SIToFPOp>(table, true);
  addToFloat<arith::UIToFPOp>(table, false);
  addToInteger<arith::FPToSIOp>(table, true);
  addToInteger<arith::FPToUIOp>(table, false);
  for (StringRef name : {arith::ExtFOp::getOperationName(), arith::TruncFOp::getOperationName()})
    addScalar(table, name, [](Machine &, const Scalars &s) { return s[0]; });
  addScalar(table, arith::BitcastOp::getOperationName(), [](Machine &, const Scalars &s) {
    return s.resultFormat.fromBits(s.operandFormat.getBits(s[0]));
  });
}

//===- Constants, selection, everything else ----------------------------------===//

static std::optional<Number> toNumber(Attribute attr, Type type) {
  if (!Format::isScalar(type))
    return std::nullopt;
  if (auto integer = dyn_cast_or_null<IntegerAttr>(attr))
    return Format(type).fromBits(integer.getValue().getZExtValue());
  if (auto number = dyn_cast_or_null<FloatAttr>(attr))
    return Format(type).fromBits(number.getValue().bitcastToAPInt().getZExtValue());
  return std::nullopt;
}

static LogicalResult runConstant(Machine &machine, arith::ConstantOp op) {
  std::optional<Number> number = toNumber(op.getValue(), op.getType());
  if (!number)
    return machine.emitError(op, "is not interpreted: expects a constant that is a scalar");
  return machine.define(op.getResult(), *number);
}

static LogicalResult runSelect(Machine &machine, arith::SelectOp op) {
  if (!op.getCondition().getType().isInteger(1))
    return machine.emitError(op, "is not interpreted: expects a condition of type 'i1'");
  const Number &condition = machine.getNumber(op.getCondition());
  RuntimeValue result = machine.get(condition.integer ? op.getTrueValue() : op.getFalseValue());
  if (condition.state == State::Unset)
    machine.noteUndefined(op, "a condition");
  if (auto *number = std::get_if<Number>(&result); number && condition.state != State::Set)
    number->state = State::Tainted;
  return machine.define(op.getResult(), std::move(result));
}

static Attribute toAttribute(const Number &number, Type type) {
  Format format(type);
  if (auto real = dyn_cast<FloatType>(type))
    return FloatAttr::get(
        type, APFloat(real.getFloatSemantics(), APInt(format.getWidth(), format.getBits(number))));
  return IntegerAttr::get(type, APInt(format.getWidth(), format.getBits(number)));
}

LogicalResult interpreter::runByFolding(Machine &machine, Operation *op) {
  auto reject = [&] { return machine.emitError(op, "is not interpreted"); };
  if (op->getNumRegions() != 0 || !op->isRegistered() || !isMemoryEffectFree(op))
    return reject();
  if (failed(checkScalars(machine, op)))
    return failure();
  SmallVector<Attribute> operands;
  State state = State::Set;
  for (Value operand : op->getOperands()) {
    const Number &number = machine.getNumber(operand);
    state = join(state, number.state);
    operands.push_back(toAttribute(number, operand.getType()));
  }
  SmallVector<OpFoldResult> folded;
  if (failed(op->fold(operands, folded)) || folded.size() != op->getNumResults())
    return reject();
  for (auto [result, value] : llvm::zip_equal(op->getResults(), folded)) {
    auto operand = dyn_cast<Value>(value);
    std::optional<Number> number =
        operand ? machine.getNumber(operand) : toNumber(cast<Attribute>(value), result.getType());
    if (!number)
      return reject();
    number->state = join(number->state, state);
    if (failed(machine.define(result, *number)))
      return failure();
  }
  return success();
}

void interpreter::addArith(Table &table) {
  addIntegers(table);
  addComparisons(table);
  addFloats(table);
  addConversions(table);
  table.add<arith::ConstantOp>(runConstant);
  table.add<arith::SelectOp>(runSelect);
}
