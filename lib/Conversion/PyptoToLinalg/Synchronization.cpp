// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Block indices, synchronisation, signals, queues. Everything runs in program order here: what an
// operation waits for has been done.
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

static LogicalResult lowerNotify(Lowering &l, tile::NotifyOp op) {
  if (op.getPeer())
    return emitUnsupported(op, "a signal of this rank, without 'peer'");
  Handle signal = l.getHandle(op.getSignal());
  Type element = signal.type.getElementType();
  SmallVector<Value> indices;
  for (OpFoldResult index : l.getMixed(op.getIndices(), op.getStaticIndices()))
    indices.push_back(l.asValue(index));
  Value value = scalarToCompute(l.b, l.lookupOne(op.getValue()), element);
  if (op.getKind() == tile::NotifyKind::Add) {
    Value old = loadElement(l.b, memref::LoadOp::create(l.b, signal.memref, indices), element);
    value = emitBinary(l.b, BinaryKind::Add, element, old, value);
  }
  memref::StoreOp::create(l.b, storeElement(l.b, value, element), signal.memref, indices);
  return success();
}

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
  addNothing<tile::BarAllOp, tile::BarVOp, tile::BarMOp, tile::FenceOp, tile::SyncSrcOp,
             tile::SyncDstOp, tile::SetFftsOp, tile::WaitOp, tile::DeferWaitOp>(table);
  addRejected<tile::TPushToAivOp, tile::TPushToAicOp, tile::TPopFromAicOp, tile::TPopFromAivOp,
              tile::TFreeToAicOp, tile::TFreeToAivOp, tile::AicInitializePipeOp,
              tile::AivInitializePipeOp, tile::ReserveBufferOp, tile::ImportPeerBufferOp>(table);
}
