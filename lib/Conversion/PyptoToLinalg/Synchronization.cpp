// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Block indices, synchronisation, signals, queues. Within a kernel everything runs in program
// order.
#include "Elementwise.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::lowering;

static LogicalResult lowerBlockIndex(Lowering &l, tile::GetBlockIdxOp op) {
  l.map(op.getResult(), l.blockIndex ? l.blockIndex : l.asValue(l.b.getIndexAttr(0)));
  return success();
}

static LogicalResult lowerBlockCount(Lowering &l, tile::GetBlockNumOp op) {
  l.map(op.getResult(), l.blockCount ? l.blockCount : l.asValue(l.b.getIndexAttr(1)));
  return success();
}

static LogicalResult lowerSubblockIndex(Lowering &l, tile::GetSubblockIdxOp op) {
  l.map(op.getResult(), l.subblockIndex ? l.subblockIndex : l.asValue(l.b.getIndexAttr(0)));
  return success();
}

template <typename OpTy> static LogicalResult lowerToNothing(Lowering &, OpTy) { return success(); }

//===- Signals ----------------------------------------------------------------------===//

namespace {
/// The element of a tensor that an operation signals by.
struct Signal {
  Value memref;
  SmallVector<Value> indices;
  Type element;
};
} // namespace

template <typename OpTy> static FailureOr<Signal> getSignal(Lowering &l, OpTy op) {
  Handle handle = l.getHandle(op.getSignal());
  Type element = handle.type.getElementType();
  unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  if (width < (isa<FloatType>(element) ? 32 : 8)) {
    emitUnsupported(op, "signals of integers of 8 to 64 bits, f32 or f64, but got ") << element;
    return failure();
  }
  Signal signal{handle.memref, {}, element};
  for (OpFoldResult index : l.getMixed(op.getIndices(), op.getStaticIndices()))
    signal.indices.push_back(l.asValue(index));
  return signal;
}

/// A scalar of the program as an element.
static Value toElement(Lowering &l, Value scalar, Type element) {
  return storeElement(l.b, scalarToCompute(l.b, l.lookupOne(scalar), element), element);
}

static LogicalResult lowerNotify(Lowering &l, tile::NotifyOp op) {
  if (op.getPeer())
    return emitUnsupported(op, "a signal of this rank, without 'peer'");
  FailureOr<Signal> signal = getSignal(l, op);
  if (failed(signal))
    return failure();
  orchestration::GiveSignalOp::create(l.b, op.getKind() == tile::NotifyKind::Add,
                                      toElement(l, op.getValue(), signal->element), signal->memref,
                                      signal->indices);
  return success();
}

template <typename OpTy> static LogicalResult emitAwait(Lowering &l, OpTy op) {
  l.b.setLoc(op.getLoc());
  FailureOr<Signal> signal = getSignal(l, op);
  if (failed(signal))
    return failure();
  orchestration::AwaitSignalOp::create(l.b, op.getKind(), signal->element.isUnsignedInteger(),
                                       signal->memref, signal->indices,
                                       toElement(l, op.getExpected(), signal->element));
  return success();
}

LogicalResult lowering::lowerWait(Lowering &l, tile::DeferWaitOp op) { return emitAwait(l, op); }

/// At the end of the function there has to be what it waits for.
static LogicalResult deferWait(Lowering &l, tile::DeferWaitOp op) {
  Operation *parent = op->getParentOp();
  while (isa<AtOp, ClusterOp, GraphOp, orchestration::ScopeOp>(parent))
    parent = parent->getParentOp();
  if (!isa<FuncOp>(parent))
    return emitUnsupported(op, "a wait outside of loops, branches and launches");
  l.deferredWaits.push_back(op);
  return success();
}

//===- Queues -----------------------------------------------------------------------===//

/// The cores of a group would have to run side by side.
template <typename OpTy> static LogicalResult rejectQueue(Lowering &, OpTy op) {
  return emitUnsupported(op, "kernels that do not pass tiles between cores");
}

template <typename... OpTys> static void addNothing(LoweringTable &table) {
  (table.add<OpTys>(lowerToNothing<OpTys>), ...);
}
template <typename... OpTys> static void addRejected(LoweringTable &table) {
  (table.add<OpTys>(rejectQueue<OpTys>), ...);
}

void lowering::addSyncLowerings(LoweringTable &table) {
  table.add<tile::GetBlockIdxOp>(lowerBlockIndex);
  table.add<tile::GetBlockNumOp>(lowerBlockCount);
  table.add<tile::GetSubblockIdxOp>(lowerSubblockIndex);
  table.add<tile::NotifyOp>(lowerNotify);
  table.add<tile::WaitOp>(emitAwait<tile::WaitOp>);
  table.add<tile::DeferWaitOp>(deferWait);
  addNothing<tile::BarAllOp, tile::BarVOp, tile::BarMOp, tile::FenceOp, tile::SyncSrcOp,
             tile::SyncDstOp, tile::SetFftsOp>(table);
  addRejected<tile::TPushToAivOp, tile::TPushToAicOp, tile::TPopFromAicOp, tile::TPopFromAivOp,
              tile::TFreeToAicOp, tile::TFreeToAivOp, tile::AicInitializePipeOp,
              tile::AivInitializePipeOp, tile::ReserveBufferOp, tile::ImportPeerBufferOp>(table);
}
