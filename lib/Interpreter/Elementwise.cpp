// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise operations of both levels.
#include "Computation.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::interpreter;

//===- Operands ---------------------------------------------------------------===//

static Type getFormatType(Operation *op, unsigned number, Type scalarElement) {
  Value value = op->getOperand(number);
  return isa<ExtentTypeInterface>(value.getType()) ? getElement(value) : scalarElement;
}

Operand::Operand(Machine &machine, Operation *op, unsigned number, Type scalarElement)
    : machine(machine), op(op), number(number), format(getFormatType(op, number, scalarElement)) {
  Value operand = op->getOperand(number);
  if (isa<ExtentTypeInterface>(operand.getType()))
    reader.emplace(machine, op, number, machine.getView(operand), getElement(operand));
  else
    value = format.reinterpret(machine.getNumber(operand));
}

ArrayRef<int64_t> Operand::align(ArrayRef<int64_t> index) const {
  ArrayRef<int64_t> shape = getView().shape;
  scratch.assign(index.end() - shape.size(), index.end());
  for (auto [position, extent] : llvm::zip_equal(scratch, shape))
    if (extent == 1)
      position = 0;
  return scratch;
}

Number Operand::scalar() const {
  if (value.state == State::Unset)
    machine.noteUndefined(op, "operand #" + Twine(number));
  Number result = value;
  if (result.state == State::Unset)
    result.state = State::Tainted;
  return result;
}

FailureOr<Extents> interpreter::broadcast(Machine &machine, Operation *op,
                                          ArrayRef<const View *> views) {
  size_t rank = 0;
  for (const View *view : views)
    rank = std::max(rank, view ? view->shape.size() : 0);
  Extents extents{Sizes(rank, 1), Sizes(rank, 1)};
  for (size_t fromRight = 1; fromRight <= rank; ++fromRight) {
    int64_t &extent = extents.shape[rank - fromRight], &valid = extents.valid[rank - fromRight];
    auto getDim = [&](const View *view) -> std::optional<size_t> {
      if (!view || fromRight > view->shape.size())
        return std::nullopt;
      return view->shape.size() - fromRight;
    };
    for (const View *view : views)
      if (std::optional<size_t> dim = getDim(view); dim && view->shape[*dim] != 1) {
        if (extent != 1 && extent != view->shape[*dim])
          return machine.emitError(op, "expects extents that broadcast, but got ")
                 << extent << " and " << view->shape[*dim] << " in dimension " << rank - fromRight;
        extent = view->shape[*dim];
      }
    valid = extent;
    for (const View *view : views)
      if (std::optional<size_t> dim = getDim(view); dim && view->shape[*dim] == extent)
        valid = std::min(valid, view->valid[*dim]);
  }
  return extents;
}

FailureOr<View> interpreter::computeElements(Machine &machine, Operation *op, Type element,
                                             const Extents &extents, ElementFn fn) {
  FailureOr<View> result = machine.allocate(op, element, extents);
  if (failed(result))
    return failure();
  Format format(element);
  forEachIndex(extents.valid,
               [&](ArrayRef<int64_t> index) { store(*result, index, format, fn(index)); });
  return result;
}

LogicalResult interpreter::defineElements(Machine &machine, Operation *op, const Extents &extents,
                                          ElementFn fn) {
  FailureOr<View> result = computeElements(machine, op, getElement(op->getResult(0)), extents, fn);
  return failed(result) ? failure() : machine.define(op->getResult(0), std::move(*result));
}

//===- Operations ---------------------------------------------------------------===//

/// The views behind the operands, null for a scalar.
static SmallVector<const View *, 3> getViews(ArrayRef<Operand> operands) {
  SmallVector<const View *, 3> views;
  for (const Operand &operand : operands)
    views.push_back(operand.isShaped() ? &operand.getView() : nullptr);
  return views;
}

static LogicalResult runBinary(Machine &machine, Operation *op, Binary kind) {
  Type scalarElement = getElement(op->getOperand(0));
  Operand operands[] = {Operand(machine, op, 0, scalarElement),
                        Operand(machine, op, 1, scalarElement)};
  FailureOr<Extents> extents = broadcast(machine, op, getViews(operands));
  if (failed(extents))
    return failure();
  Format format(getElement(op->getResult(0)));
  bool isShift = kind == Binary::Shl || kind == Binary::Shr;
  return defineElements(machine, op, *extents, [&](ArrayRef<int64_t> index) {
    Number lhs = convert(operands[0](index), operands[0].getFormat(), format);
    Number rhs = isShift ? convertShift(operands[1](index), operands[1].getFormat(), format)
                         : convert(operands[1](index), operands[1].getFormat(), format);
    return compute(kind, format, lhs, rhs);
  });
}

template <typename OpTy> static LogicalResult runCompare(Machine &machine, OpTy op) {
  Type scalarElement = getElement(op.getLhs());
  Operand operands[] = {Operand(machine, op, 0, scalarElement),
                        Operand(machine, op, 1, scalarElement)};
  FailureOr<Extents> extents = broadcast(machine, op, getViews(operands));
  if (failed(extents))
    return failure();
  bool isTile = isa<ExtentTypeInterface>(op.getRhs().getType());
  Format format(promote(scalarElement, isTile ? getElement(op.getRhs()) : scalarElement));
  Format boolean(getElement(op.getResult()));
  return defineElements(machine, op, *extents, [&](ArrayRef<int64_t> index) {
    Number lhs = convert(operands[0](index), operands[0].getFormat(), format);
    Number rhs = convert(operands[1](index), operands[1].getFormat(), format);
    Number result = boolean.makeInteger(compare(op.getKind(), format, lhs, rhs));
    result.state = join(lhs.state, rhs.state);
    return result;
  });
}

/// Runs `fn` on each element of the only operand.
static LogicalResult mapUnary(Machine &machine, Operation *op,
                              llvm::function_ref<Number(const Format &, const Number &)> fn) {
  const View &view = machine.getView(op->getOperand(0));
  Reader source(machine, op, 0, view, getElement(op->getOperand(0)));
  return defineElements(machine, op, {view.shape, view.valid}, [&](ArrayRef<int64_t> index) {
    return fn(source.getFormat(), source(index));
  });
}

static LogicalResult runUnary(Machine &machine, Operation *op, Unary kind) {
  return mapUnary(machine, op, [kind](const Format &format, const Number &number) {
    return compute(kind, format, number);
  });
}

template <typename OpTy> static LogicalResult runCast(Machine &machine, OpTy op) {
  Format to(op.getElementType());
  return mapUnary(machine, op, [&](const Format &format, const Number &number) {
    return convert(number, format, to, op.getMode());
  });
}

/// What is not selected is not read.
template <typename OpTy> static LogicalResult runSelect(Machine &machine, OpTy op) {
  Type scalarElement = getElement(op.getLhs());
  Operand operands[] = {Operand(machine, op, 0, {}), Operand(machine, op, 1, {}),
                        Operand(machine, op, 2, scalarElement)};
  FailureOr<Extents> extents = broadcast(machine, op, getViews(operands));
  if (failed(extents))
    return failure();
  Format format(getElement(op.getResult()));
  return defineElements(machine, op, *extents, [&](ArrayRef<int64_t> index) {
    Number mask = operands[0](index);
    const Operand &selected = operands[mask.integer ? 1 : 2];
    Number result = convert(selected(index), selected.getFormat(), format);
    result.state = join(mask.state, result.state);
    return result;
  });
}

template <typename OpTy> static void addBinary(Table &table, Binary kind) {
  table.add(OpTy::getOperationName(),
            [kind](Machine &machine, Operation *op) { return runBinary(machine, op, kind); });
}
template <typename OpTy> static void addUnary(Table &table, Unary kind) {
  table.add(OpTy::getOperationName(),
            [kind](Machine &machine, Operation *op) { return runUnary(machine, op, kind); });
}

void interpreter::addElementwise(Table &table) {
#define PYPTO_BINARY(Name)                                                                         \
  addBinary<pl::Name##Op>(table, Binary::Name);                                                    \
  addBinary<tile::Name##Op>(table, Binary::Name);
  PYPTO_BINARY(Add)
  PYPTO_BINARY(Sub)
  PYPTO_BINARY(Mul)
  PYPTO_BINARY(Div)
  PYPTO_BINARY(Fmod)
  PYPTO_BINARY(Maximum)
  PYPTO_BINARY(Minimum)
  PYPTO_BINARY(And)
  PYPTO_BINARY(Or)
  PYPTO_BINARY(Xor)
  PYPTO_BINARY(Shl)
  PYPTO_BINARY(Shr)
#undef PYPTO_BINARY
#define PYPTO_UNARY(Name)                                                                          \
  addUnary<pl::Name##Op>(table, Unary::Name);                                                      \
  addUnary<tile::Name##Op>(table, Unary::Name);
  PYPTO_UNARY(Exp)
  PYPTO_UNARY(Log)
  PYPTO_UNARY(Sqrt)
  PYPTO_UNARY(Rsqrt)
  PYPTO_UNARY(Recip)
  PYPTO_UNARY(Sin)
  PYPTO_UNARY(Cos)
  PYPTO_UNARY(Neg)
  PYPTO_UNARY(Abs)
  PYPTO_UNARY(Relu)
  PYPTO_UNARY(Not)
#undef PYPTO_UNARY
  table.add<pl::CmpOp>(runCompare<pl::CmpOp>);
  table.add<tile::CmpOp>(runCompare<tile::CmpOp>);
  table.add<pl::CastOp>(runCast<pl::CastOp>);
  table.add<tile::CastOp>(runCast<tile::CastOp>);
  table.add<pl::SelOp>(runSelect<pl::SelOp>);
  table.add<tile::SelOp>(runSelect<tile::SelOp>);
}
