// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors in global memory: allocation, views, writes, single elements.
#include "Computation.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::interpreter;

static LogicalResult runCreate(Machine &machine, pl::CreateOp op) {
  FailureOr<View> view = machine.allocate(op, op.getResult().getType(), op.getSizes());
  return failed(view) ? failure() : machine.define(op.getResult(), std::move(*view));
}

/// Every element has the value, also outside of the valid extents.
static LogicalResult runFull(Machine &machine, pl::FullOp op) {
  pl::TensorType type = op.getResult().getType();
  FailureOr<Extents> extents = machine.evaluateType(op, type, op.getSizes());
  if (failed(extents))
    return failure();
  Number value = Format(type.getElementType()).reinterpret(machine.getNumber(op.getValue()));
  FailureOr<View> view =
      computeElements(machine, op, type.getElementType(), {extents->shape, extents->shape},
                      [&](ArrayRef<int64_t>) { return value; });
  if (failed(view))
    return failure();
  view->valid = extents->valid;
  return machine.define(op.getResult(), std::move(*view));
}

//===- Views ------------------------------------------------------------------===//

static LogicalResult runSlice(Machine &machine, SliceOp op) {
  FailureOr<Extents> extents = machine.evaluateType(op, op.getResult().getType(), op.getSizes());
  if (failed(extents))
    return failure();
  const View &source = machine.getView(op.getSource());
  Sizes sizes(source.shape.size(), 1);
  SmallVector<int64_t> kept = op.getKeptDims();
  for (auto [dim, extent] : llvm::zip_equal(kept, extents->shape))
    sizes[dim] = extent;
  FailureOr<View> window = machine.getWindow(
      op, source, machine.getMixed(op, op.getOffsets(), op.getStaticOffsets()), sizes);
  if (failed(window))
    return failure();
  View view{window->storage, window->offset, extents->shape, {}, extents->valid};
  for (int64_t dim : kept)
    view.strides.push_back(window->strides[dim]);
  return machine.define(op.getResult(), std::move(view));
}

static LogicalResult runReshape(Machine &machine, ReshapeOp op) {
  FailureOr<Extents> extents = machine.evaluateType(op, op.getResult().getType(), op.getSizes());
  if (failed(extents))
    return failure();
  const View &source = machine.getView(op.getSource());
  if (!isDense(source))
    return machine.emitError(op, "expects a source that is dense in row-major order");
  if (execution::countElements(source.shape) != execution::countElements(extents->shape))
    return machine.emitError(op, "expects as many elements as the source of shape ")
           << execution::formatShape(source.shape) << ", but got shape "
           << execution::formatShape(extents->shape);
  return machine.define(op.getResult(), View{source.storage, source.offset, extents->shape,
                                             getDenseStrides(extents->shape), extents->valid});
}

static LogicalResult runCastShape(Machine &machine, CastShapeOp op) {
  if (failed(machine.checkClaim(op, op.getSource(), op.getResult().getType())))
    return failure();
  FailureOr<View> view = machine.retype(op, machine.getView(op.getSource()),
                                        op.getSource().getType(), op.getResult().getType());
  return failed(view) ? failure() : machine.define(op.getResult(), std::move(*view));
}

static LogicalResult runSetValidShape(Machine &machine, pl::SetValidShapeOp op) {
  View view = machine.getView(op.getSource());
  view.valid = machine.getMixed(op, op.getValid(), op.getStaticValid());
  for (auto [dim, size, extent] : llvm::enumerate(view.valid, view.shape))
    if (size < 0 || size > extent)
      return machine.emitError(op, "expects a valid extent of at most ")
             << extent << " in dimension " << dim << ", but got " << size;
  return machine.define(op.getResult(), std::move(view));
}

static LogicalResult runDim(Machine &machine, DimOp op) {
  Number number;
  number.integer = machine.getView(op.getSource()).shape[op.getAxis()];
  return machine.define(op.getResult(), number);
}

//===- Writes -----------------------------------------------------------------===//

/// The source is read as a whole before anything is written: both may be one storage.
static LogicalResult runAssemble(Machine &machine, AssembleOp op) {
  View source = machine.getView(op.getSource());
  const View &destination = machine.getView(op.getDestination());
  Type element = getElement(op.getSource());
  FailureOr<View> window = machine.getWindow(
      op, destination, machine.getMixed(op, op.getOffsets(), op.getStaticOffsets()), source.valid);
  if (failed(window))
    return failure();
  FailureOr<View> copied = machine.allocate(op, element, {source.shape, source.valid});
  if (failed(copied))
    return failure();
  machine.copy(source, *copied, source.valid, Format(element).getSize());
  if (op.getAtomic())
    machine.add(op, *copied, 0, *window, 1);
  else
    machine.copy(*copied, *window, source.valid, Format(element).getSize());
  FailureOr<View> result =
      machine.retype(op, destination, op.getDestination().getType(), op.getResult().getType());
  return failed(result) ? failure() : machine.define(op.getResult(), std::move(*result));
}

static FailureOr<Sizes> getIndices(Machine &machine, Operation *op, ValueRange values,
                                   const View &view) {
  Sizes index;
  for (Value value : values)
    index.push_back(machine.getIndex(op, value));
  if (failed(machine.checkIndex(op, index, view.shape)))
    return failure();
  return index;
}

static LogicalResult runRead(Machine &machine, ReadOp op) {
  const View &source = machine.getView(op.getSource());
  FailureOr<Sizes> index = getIndices(machine, op, op.getIndices(), source);
  if (failed(index))
    return failure();
  View whole = source;
  whole.valid = source.shape;
  Reader reader(machine, op, 0, whole, getElement(op.getSource()));
  Number number = Format(op.getResult().getType()).reinterpret(reader(*index));
  if (!source.isValid(*index))
    machine.noteUndefined(op, "operand #0", *index);
  return machine.define(op.getResult(), number);
}

static LogicalResult runWrite(Machine &machine, WriteScalarOp op) {
  const View &destination = machine.getView(op.getDestination());
  FailureOr<Sizes> index = getIndices(machine, op, op.getIndices(), destination);
  if (failed(index))
    return failure();
  Format format(getElement(op.getDestination()));
  store(destination, *index, format, format.reinterpret(machine.getNumber(op.getValue())));
  return machine.define(op.getResult(), destination);
}

void interpreter::addStorage(Table &table) {
  table.add<pl::CreateOp>(runCreate);
  table.add<pl::FullOp>(runFull);
  table.add<SliceOp>(runSlice);
  table.add<ReshapeOp>(runReshape);
  table.add<CastShapeOp>(runCastShape);
  table.add<pl::SetValidShapeOp>(runSetValidShape);
  table.add<DimOp>(runDim);
  table.add<AssembleOp>(runAssemble);
  table.add<ReadOp>(runRead);
  table.add<WriteScalarOp>(runWrite);
}
