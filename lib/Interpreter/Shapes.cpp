// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that move elements: transposes, concatenations, windows of tiles, filling; numbers in
// sequence; combinations of operands that are valid in part.
#include "Computation.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::interpreter;

/// A new value of the element type of the first result.
static FailureOr<View> allocate(Machine &machine, Operation *op, const Extents &extents) {
  return machine.allocate(op, getElement(op->getResult(0)), extents);
}

static unsigned getElementSize(Operation *op) {
  return Format(getElement(op->getResult(0))).getSize();
}

static LogicalResult define(Machine &machine, Operation *op, FailureOr<View> view) {
  return failed(view) ? failure() : machine.define(op->getResult(0), std::move(*view));
}

template <typename OpTy> static LogicalResult runTranspose(Machine &machine, OpTy op) {
  View source = machine.getView(op.getSource());
  auto exchange = [&](Sizes &sizes) { std::swap(sizes[op.getAxis1()], sizes[op.getAxis2()]); };
  exchange(source.shape);
  exchange(source.strides);
  exchange(source.valid);
  FailureOr<View> result = allocate(machine, op, {source.shape, source.valid});
  if (succeeded(result))
    machine.copy(source, *result, source.valid, getElementSize(op));
  return define(machine, op, std::move(result));
}

template <typename OpTy> static LogicalResult runConcat(Machine &machine, OpTy op) {
  const View &lhs = machine.getView(op.getLhs()), &rhs = machine.getView(op.getRhs());
  auto axis = static_cast<size_t>(op.getConcatAxis());
  Extents extents{lhs.shape, lhs.valid};
  for (size_t dim = 0; dim != lhs.shape.size(); ++dim) {
    if (dim == axis) {
      extents.shape[dim] += rhs.shape[dim];
      extents.valid[dim] += rhs.valid[dim];
      continue;
    }
    if (lhs.shape[dim] != rhs.shape[dim])
      return machine.emitError(op, "expects equal extents, but got ")
             << lhs.shape[dim] << " and " << rhs.shape[dim] << " in dimension " << dim;
    extents.valid[dim] = std::min(lhs.valid[dim], rhs.valid[dim]);
  }
  FailureOr<View> result = allocate(machine, op, extents);
  if (failed(result))
    return failure();
  unsigned size = getElementSize(op);
  Sizes part = extents.valid;
  part[axis] = lhs.valid[axis];
  machine.copy(lhs, *result, part, size);
  View behind = *result;
  behind.offset += lhs.valid[axis] * behind.strides[axis];
  part[axis] = rhs.valid[axis];
  machine.copy(rhs, behind, part, size);
  return define(machine, op, std::move(result));
}

//===- Filling ----------------------------------------------------------------===//

template <typename OpTy> static LogicalResult runFillpad(Machine &machine, OpTy op) {
  const View &source = machine.getView(op.getSource());
  Format format(getElement(op.getSource()));
  Number filling =
      op.getPad() == Pad::Zero ? format.getZero() : format.getLimit(op.getPad() == Pad::Max);
  FailureOr<View> result = allocate(machine, op, {source.shape, source.shape});
  if (failed(result))
    return failure();
  forEachIndex(source.shape, [&](ArrayRef<int64_t> index) {
    if (source.isValid(index))
      moveElement(source, index, *result, index, format.getSize());
    else
      store(*result, index, format, filling);
  });
  return define(machine, op, std::move(result));
}

/// `start`, `start + 1`, … along the last dimension.
template <typename OpTy>
static LogicalResult runArange(Machine &machine, OpTy op, ValueRange dynamic) {
  FailureOr<Extents> extents = machine.evaluateType(op, op.getResult().getType(), dynamic);
  if (failed(extents))
    return failure();
  Format format(getElement(op.getResult()));
  Format whole(IndexType::get(op.getContext()));
  Number start = format.reinterpret(machine.getNumber(op.getStart()));
  Binary kind = op.getDescending() ? Binary::Sub : Binary::Add;
  return defineElements(machine, op, *extents, [&](ArrayRef<int64_t> index) {
    Number step = convert(whole.makeInteger(index.back()), whole, format);
    return compute(kind, format, start, step);
  });
}

/// Combines where both operands are valid; where one is, takes its element.
static LogicalResult runPart(Machine &machine, Operation *op, Binary kind) {
  const View &left = machine.getView(op->getOperand(0)),
             &right = machine.getView(op->getOperand(1));
  Reader lhs(machine, op, 0, left, getElement(op->getOperand(0))),
      rhs(machine, op, 1, right, getElement(op->getOperand(1)));
  Extents extents{left.shape, left.valid};
  for (auto [dim, valid] : llvm::enumerate(extents.valid)) {
    if (left.shape[dim] != right.shape[dim])
      return machine.emitError(op, "expects equal extents, but got ")
             << left.shape[dim] << " and " << right.shape[dim] << " in dimension " << dim;
    valid = std::max(valid, right.valid[dim]);
  }
  // One of the two is valid wherever the other is.
  if (ArrayRef<int64_t>(extents.valid) != ArrayRef<int64_t>(left.valid) &&
      ArrayRef<int64_t>(extents.valid) != ArrayRef<int64_t>(right.valid))
    return machine.emitError(op, "expects valid extents one inside of the other, but got ")
           << execution::formatShape(left.valid) << " and " << execution::formatShape(right.valid);
  const Format &format = lhs.getFormat();
  return defineElements(machine, op, extents, [&](ArrayRef<int64_t> index) {
    bool isLeft = left.isValid(index), isRight = right.isValid(index);
    Number neutral = getNeutral(kind, format);
    // Where neither is valid nothing gives a value.
    neutral.state = isLeft || isRight ? State::Set : State::Unset;
    return compute(kind, format, isLeft ? lhs(index) : neutral, isRight ? rhs(index) : neutral);
  });
}

//===- Windows of tiles -------------------------------------------------------===//

/// The window, of the result's extents, may reach past what is valid, where it has no elements.
template <typename OpTy> static LogicalResult runWindow(Machine &machine, OpTy op) {
  FailureOr<Extents> extents = machine.evaluateType(op, op.getResult().getType(), op.getValid());
  if (failed(extents))
    return failure();
  const View &source = machine.getView(op.getSource());
  Sizes offsets = machine.getMixed(op, op.getOffsets(), op.getStaticOffsets());
  if (failed(machine.getWindow(op, source, offsets, extents->shape)))
    return failure();
  FailureOr<View> result = allocate(machine, op, *extents);
  if (failed(result))
    return failure();
  unsigned size = getElementSize(op);
  forEachIndex(extents->valid, [&](ArrayRef<int64_t> index) {
    Sizes from = offsets;
    for (size_t dim = 0; dim != index.size(); ++dim)
      from[from.size() - index.size() + dim] += index[dim];
    moveElement(source, from, *result, index, size);
  });
  return define(machine, op, std::move(result));
}

/// A copy of a tile that can be written anywhere: what is not valid has no value.
static FailureOr<View> copyTile(Machine &machine, Operation *op, const View &tile) {
  FailureOr<View> result = allocate(machine, op, {tile.shape, tile.valid});
  if (succeeded(result))
    machine.copy(tile, *result, tile.valid, getElementSize(op));
  return result;
}

/// Elements written outside of the valid extents do not stay.
static void clearInvalid(const View &tile, unsigned size) {
  if (tile.valid != tile.shape)
    forEachIndex(tile.shape, [&](ArrayRef<int64_t> index) {
      if (!tile.isValid(index))
        moveElement(tile, index, tile, index, size);
    });
}

static LogicalResult runAssemble(Machine &machine, tile::AssembleOp op) {
  const View &source = machine.getView(op.getSource());
  FailureOr<View> result = copyTile(machine, op, machine.getView(op.getTarget()));
  if (failed(result))
    return failure();
  FailureOr<View> window = machine.getWindow(
      op, *result, machine.getMixed(op, op.getOffsets(), op.getStaticOffsets()), source.valid);
  if (failed(window))
    return failure();
  machine.copy(source, *window, source.valid, getElementSize(op));
  clearInvalid(*result, getElementSize(op));
  return define(machine, op, std::move(result));
}

static LogicalResult runRead(Machine &machine, tile::ReadOp op) {
  const View &source = machine.getView(op.getSource());
  Sizes index = machine.getMixed(op, op.getIndices(), op.getStaticIndices());
  if (failed(machine.checkIndex(op, index, source.shape)))
    return failure();
  Reader reader(machine, op, 0, source, getElement(op.getSource()));
  return machine.define(op.getResult(),
                        Format(op.getResult().getType()).reinterpret(reader(index)));
}

static LogicalResult runWrite(Machine &machine, tile::WriteOp op) {
  FailureOr<View> result = copyTile(machine, op, machine.getView(op.getTarget()));
  if (failed(result))
    return failure();
  Sizes index = machine.getMixed(op, op.getIndices(), op.getStaticIndices());
  if (failed(machine.checkIndex(op, index, result->shape)))
    return failure();
  Format format(getElement(op.getResult()));
  store(*result, index, format, format.reinterpret(machine.getNumber(op.getValue())));
  clearInvalid(*result, format.getSize());
  return define(machine, op, std::move(result));
}

/// Where the element of this row-major number stands.
static Sizes getPosition(int64_t number, ArrayRef<int64_t> shape) {
  Sizes position(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; number /= shape[dim])
    position[dim] = number % shape[dim];
  return position;
}

static LogicalResult runReshape(Machine &machine, tile::ReshapeOp op) {
  FailureOr<Extents> extents = machine.evaluateType(op, op.getResult().getType(), op.getValid());
  if (failed(extents))
    return failure();
  const View &source = machine.getView(op.getSource());
  if (execution::countElements(source.shape) != execution::countElements(extents->shape))
    return machine.emitError(op, "expects as many elements as the source of shape ")
           << execution::formatShape(source.shape) << ", but got shape "
           << execution::formatShape(extents->shape);
  FailureOr<View> result = allocate(machine, op, *extents);
  if (failed(result))
    return failure();
  unsigned size = getElementSize(op);
  Sizes strides = getDenseStrides(extents->shape);
  forEachIndex(extents->valid, [&](ArrayRef<int64_t> index) {
    int64_t number = 0;
    for (auto [position, stride] : llvm::zip_equal(index, strides))
      number += position * stride;
    moveElement(source, getPosition(number, source.shape), *result, index, size);
  });
  return define(machine, op, std::move(result));
}

template <typename OpTy> static void addPart(Table &table, Binary kind) {
  table.add(OpTy::getOperationName(),
            [kind](Machine &machine, Operation *op) { return runPart(machine, op, kind); });
}

void interpreter::addShapes(Table &table) {
  table.add<pl::TransposeOp>(runTranspose<pl::TransposeOp>);
  table.add<tile::TransposeOp>(runTranspose<tile::TransposeOp>);
  table.add<pl::ConcatOp>(runConcat<pl::ConcatOp>);
  table.add<tile::ConcatOp>(runConcat<tile::ConcatOp>);
  table.add<pl::FillpadOp>(runFillpad<pl::FillpadOp>);
  table.add<tile::FillpadOp>(runFillpad<tile::FillpadOp>);
  table.add<pl::ArangeOp>(
      +[](Machine &machine, pl::ArangeOp op) { return runArange(machine, op, op.getSizes()); });
  table.add<tile::ArangeOp>(
      +[](Machine &machine, tile::ArangeOp op) { return runArange(machine, op, op.getValid()); });
#define PYPTO_PART(Name, Kind)                                                                     \
  addPart<pl::Part##Name##Op>(table, Binary::Kind);                                                \
  addPart<tile::Part##Name##Op>(table, Binary::Kind);
  PYPTO_PART(Add, Add)
  PYPTO_PART(Mul, Mul)
  PYPTO_PART(Max, Maximum)
  PYPTO_PART(Min, Minimum)
#undef PYPTO_PART
  table.add<tile::SliceOp>(runWindow<tile::SliceOp>);
  table.add<tile::ExtractOp>(runWindow<tile::ExtractOp>);
  table.add<tile::AssembleOp>(runAssemble);
  table.add<tile::ReadOp>(runRead);
  table.add<tile::WriteOp>(runWrite);
  table.add<tile::ReshapeOp>(runReshape);
}
