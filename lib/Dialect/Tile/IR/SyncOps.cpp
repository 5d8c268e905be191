// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signals and queues: effects and verification.
#include "pypto/Dialect/Tile/IR/TileOps.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::tile;

LogicalResult WaitOp::verify() {
  return verifyElementIndices(*this, {getStaticIndices(), getIndices().size()},
                              getSignal().getType());
}

LogicalResult DeferWaitOp::verify() {
  return verifyElementIndices(*this, {getStaticIndices(), getIndices().size()},
                              getSignal().getType());
}

LogicalResult NotifyOp::verify() {
  return verifyElementIndices(*this, {getStaticIndices(), getIndices().size()},
                              getSignal().getType());
}

void NotifyOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), SyncResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SyncResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getSignalMutable());
  if (getKind() == NotifyKind::Add)
    effects.emplace_back(MemoryEffects::Read::get(), &getSignalMutable());
}

LogicalResult TPopFromAicOp::verify() {
  return verifyDynamicValid(*this, "C1", getResult().getType(), getValid().size());
}

LogicalResult TPopFromAivOp::verify() {
  return verifyDynamicValid(*this, "C1", getResult().getType(), getValid().size());
}

template <typename OpTy> static LogicalResult verifyInitializePipe(OpTy op) {
  if (!op.getC2v() && !op.getV2c())
    return op.emitOpError("C1: expects the buffer of at least one queue");
  return success();
}

LogicalResult AicInitializePipeOp::verify() { return verifyInitializePipe(*this); }
LogicalResult AivInitializePipeOp::verify() { return verifyInitializePipe(*this); }

LogicalResult ImportPeerBufferOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  if (symbolTable.lookupNearestSymbolFrom<FuncOp>(*this, getPeerAttr()))
    return success();
  return emitOpError() << "C1: expects a 'pl.func' named '" << getPeer() << "'";
}
