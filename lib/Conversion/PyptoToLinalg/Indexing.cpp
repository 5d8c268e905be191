// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements by index.
#include "Elementwise.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::lowering;

/// An element of an index tensor as `index`.
static Value toIndex(ImplicitLocOpBuilder &b, Value stored, Type element) {
  Value index = loadElement(b, stored, element);
  if (element.isUnsignedInteger())
    return arith::IndexCastUIOp::create(b, b.getIndexType(), index);
  return arith::IndexCastOp::create(b, b.getIndexType(), index);
}

template <typename OpTy> static LogicalResult lowerGather(Lowering &l, OpTy op) {
  ImplicitLocOpBuilder &b = l.b;
  Operand source = getOperand(l, op.getSource()), indices = getOperand(l, op.getIndices());
  unsigned rank = indices.getRank();
  // The indices may be valid where the source is not.
  Value from = emitPhysical(l, source);
  Value init = tensor::EmptyOp::create(b, indices.valid, getStorageElement(source.element));
  l.noteSizes(init, indices.valid);
  AffineMap identity = b.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  Value value = emitGeneric(
      l, indices.value, init, {identity, identity}, iterators, [&](ValueRange v) -> Value {
        SmallVector<Value> position;
        for (unsigned dim = 0; dim != rank; ++dim)
          position.push_back(dim == op.getDim() ? toIndex(b, v[0], indices.element)
                                                : linalg::IndexOp::create(b, dim).getResult());
        return tensor::ExtractOp::create(b, from, position);
      });
  mapComputed(l, op.getResult(), value, indices.physical);
  return success();
}

//===- Scatters -----------------------------------------------------------------===//

/// Loops over `sizes` in row-major order; `body` is given the indices and the carried values, and
/// returns the new ones.
static ValueRange emitLoops(Lowering &l, ArrayRef<OpFoldResult> sizes, ValueRange carried,
                            function_ref<SmallVector<Value>(ValueRange, ValueRange)> body) {
  ImplicitLocOpBuilder &b = l.b;
  SmallVector<Value> lower(sizes.size(), l.asValue(b.getIndexAttr(0))), upper,
      step(sizes.size(), l.asValue(b.getIndexAttr(1)));
  for (OpFoldResult size : sizes)
    upper.push_back(l.asValue(size));
  scf::LoopNest nest = scf::buildLoopNest(
      b, b.getLoc(), lower, upper, step, carried,
      [&](OpBuilder &nested, Location, ValueRange indices, ValueRange values) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPoint(nested.getInsertionBlock(), nested.getInsertionPoint());
        return body(indices, values);
      });
  return nest.loops.front().getResults();
}

/// Stores one element; the new tensor, or nothing for a buffer.
static SmallVector<Value> put(Lowering &l, Value element, Value target, ValueRange carried,
                              ValueRange position) {
  if (isa<MemRefType>(target.getType())) {
    memref::StoreOp::create(l.b, element, target, position);
    return {};
  }
  return {tensor::InsertOp::create(l.b, element, carried.front(), position)};
}

/// Runs `body`, given where to put, over the loops; makes the result of the operation.
template <typename OpTy>
static void emitScatter(Lowering &l, OpTy op, Value destination, ArrayRef<OpFoldResult> sizes,
                        function_ref<SmallVector<Value>(ValueRange, Value, ValueRange)> body) {
  if (isa<pl::TensorType>(destination.getType())) {
    Handle handle = l.getHandle(destination);
    emitLoops(l, sizes, {}, [&](ValueRange indices, ValueRange carried) {
      return body(indices, handle.memref, carried);
    });
    l.map(op.getResult(), handle);
    return;
  }
  Operand target = getOperand(l, destination);
  Value init = emitPhysical(l, target);
  ValueRange results = emitLoops(l, sizes, init, [&](ValueRange indices, ValueRange carried) {
    return body(indices, init, carried);
  });
  Value value = results.front();
  l.noteSizes(value, target.physical);
  mapComputed(l, op.getResult(), emitNarrowed(l, value, target.valid), {});
}

template <typename OpTy>
static LogicalResult lowerScatter(Lowering &l, OpTy op, Value destination) {
  Operand source = getOperand(l, op.getSource()), indices = getOperand(l, op.getIndices());
  SmallVector<OpFoldResult> sizes;
  for (auto [left, right] : llvm::zip_equal(source.valid, indices.valid))
    sizes.push_back(minimum(l, left, right));
  emitScatter(l, op, destination, sizes, [&](ValueRange at, Value target, ValueRange carried) {
    Value element = tensor::ExtractOp::create(l.b, source.value, at);
    SmallVector<Value> position(at);
    position[op.getDim()] =
        toIndex(l.b, tensor::ExtractOp::create(l.b, indices.value, at), indices.element);
    return put(l, element, target, carried, position);
  });
  return success();
}

/// Row k goes with index k in row-major order of the whole extents.
template <typename OpTy>
static LogicalResult lowerScatterUpdate(Lowering &l, OpTy op, Value destination) {
  ImplicitLocOpBuilder &b = l.b;
  Operand source = getOperand(l, op.getSource()), indices = getOperand(l, op.getIndices());
  SmallVector<OpFoldResult> sizes = indices.valid;
  sizes.push_back(source.valid[1]);
  Value rows = emitPhysical(l, source);
  emitScatter(l, op, destination, sizes, [&](ValueRange at, Value target, ValueRange carried) {
    ValueRange position = at.drop_back();
    Value row = l.asValue(b.getIndexAttr(0));
    for (auto [index, extent] : llvm::zip_equal(position, indices.physical)) {
      Value before = arith::MulIOp::create(b, row, l.asValue(extent));
      row = arith::AddIOp::create(b, before, index);
    }
    Value column = at.back();
    Value element = tensor::ExtractOp::create(b, rows, ValueRange{row, column});
    Value to = toIndex(b, tensor::ExtractOp::create(b, indices.value, position), indices.element);
    return put(l, element, target, carried, {to, column});
  });
  return success();
}

void lowering::addIndexingLowerings(LoweringTable &table) {
  table.add<pl::GatherOp>(lowerGather<pl::GatherOp>);
  table.add<tile::GatherOp>(lowerGather<tile::GatherOp>);
  table.add<pl::ScatterOp>(
      +[](Lowering &l, pl::ScatterOp op) { return lowerScatter(l, op, op.getDestination()); });
  table.add<tile::ScatterOp>(
      +[](Lowering &l, tile::ScatterOp op) { return lowerScatter(l, op, op.getTarget()); });
  table.add<pl::ScatterUpdateOp>(+[](Lowering &l, pl::ScatterUpdateOp op) {
    return lowerScatterUpdate(l, op, op.getDestination());
  });
  table.add<tile::ScatterUpdateOp>(+[](Lowering &l, tile::ScatterUpdateOp op) {
    return lowerScatterUpdate(l, op, op.getTarget());
  });
}
