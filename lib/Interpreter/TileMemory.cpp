// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles: loads and stores, tiles from nothing, valid shapes.
#include "Computation.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::interpreter;

/// A window of a tensor; what the tensor does not have as valid has no value.
static LogicalResult runLoad(Machine &machine, tile::LoadOp op) {
  FailureOr<Extents> extents = machine.evaluateType(op, op.getResult().getType(), op.getValid());
  if (failed(extents))
    return failure();
  const View &source = machine.getView(op.getSource());
  Sizes offsets = machine.getMixed(op, op.getOffsets(), op.getStaticOffsets());
  Type element = getElement(op.getSource());
  FailureOr<View> window = machine.getWindow(op, source, offsets, extents->valid);
  if (failed(window))
    return failure();
  FailureOr<View> tile = machine.allocate(op, element, *extents);
  if (failed(tile))
    return failure();
  machine.copy(*window, *tile, extents->valid, Format(element).getSize());
  if (source.valid != source.shape)
    forEachIndex(extents->valid, [&](ArrayRef<int64_t> index) {
      Sizes position = offsets;
      for (size_t dim = 0; dim != index.size(); ++dim)
        position[position.size() - index.size() + dim] += index[dim];
      if (!source.isValid(position))
        tile->storage->state(tile->locate(index)) = State::Unset;
    });
  return machine.define(op.getResult(), std::move(*tile));
}

static LogicalResult runStore(Machine &machine, tile::StoreOp op) {
  const View &source = machine.getView(op.getSource());
  const View &destination = machine.getView(op.getDestination());
  FailureOr<View> window = machine.getWindow(
      op, destination, machine.getMixed(op, op.getOffsets(), op.getStaticOffsets()), source.valid);
  if (failed(window))
    return failure();
  if (op.getAtomic())
    machine.add(op, source, 0, *window, 1);
  else
    machine.copy(source, *window, source.valid, Format(getElement(op.getSource())).getSize());
  FailureOr<View> result =
      machine.retype(op, destination, op.getDestination().getType(), op.getResult().getType());
  return failed(result) ? failure() : machine.define(op.getResult(), std::move(*result));
}

void Machine::add(Operation *op, const View &source, unsigned sourceNumber, const View &window,
                  unsigned targetNumber) {
  Type element = getElement(op->getOperand(sourceNumber));
  Reader added(*this, op, sourceNumber, source, element),
      old(*this, op, targetNumber, window, element);
  forEachIndex(source.valid, [&](ArrayRef<int64_t> index) {
    store(window, index, added.getFormat(),
          compute(Binary::Add, added.getFormat(), added(index), old(index)));
  });
}

static LogicalResult runCreate(Machine &machine, tile::CreateOp op) {
  FailureOr<View> tile = machine.allocate(op, op.getResult().getType(), op.getValid());
  return failed(tile) ? failure() : machine.define(op.getResult(), std::move(*tile));
}

static LogicalResult runFull(Machine &machine, tile::FullOp op) {
  FailureOr<Extents> extents = machine.evaluateType(op, op.getResult().getType(), op.getValid());
  if (failed(extents))
    return failure();
  Number value = Format(getElement(op.getResult())).reinterpret(machine.getNumber(op.getValue()));
  return defineElements(machine, op, *extents, [&](ArrayRef<int64_t>) { return value; });
}

/// The tile with these valid extents: what a wider one adds has no value.
static LogicalResult defineResized(Machine &machine, Operation *op, const Sizes &valid) {
  const View &source = machine.getView(op->getOperand(0));
  Type element = getElement(op->getOperand(0));
  for (auto [dim, size, extent] : llvm::enumerate(valid, source.shape))
    if (size < 0 || size > extent)
      return machine.emitError(op, "expects a valid extent of at most ")
             << extent << " in dimension " << dim << ", but got " << size;
  FailureOr<View> tile = machine.allocate(op, element, {source.shape, valid});
  if (failed(tile))
    return failure();
  machine.copy(source, *tile, valid, Format(element).getSize());
  return machine.define(op->getResult(0), std::move(*tile));
}

static LogicalResult runMove(Machine &machine, tile::MoveOp op) {
  return machine.define(op.getResult(), machine.get(op.getSource()));
}

static LogicalResult runCastValid(Machine &machine, tile::CastValidOp op) {
  if (failed(machine.checkClaim(op, op.getSource(), op.getResult().getType())))
    return failure();
  FailureOr<View> view = machine.retype(op, machine.getView(op.getSource()),
                                        op.getSource().getType(), op.getResult().getType());
  return failed(view) ? failure() : defineResized(machine, op, view->valid);
}

static LogicalResult runSetValidShape(Machine &machine, tile::SetValidShapeOp op) {
  return defineResized(machine, op, machine.getMixed(op, op.getValid(), op.getStaticValid()));
}

void interpreter::addTileMemory(Table &table) {
  table.add<tile::LoadOp>(runLoad);
  table.add<tile::StoreOp>(runStore);
  table.add<tile::CreateOp>(runCreate);
  table.add<tile::FullOp>(runFull);
  table.add<tile::MoveOp>(runMove);
  table.add<tile::CastValidOp>(runCastValid);
  table.add<tile::SetValidShapeOp>(runSetValidShape);
}
