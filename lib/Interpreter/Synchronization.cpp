// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Block indices, synchronisation, signals.
#include "Machine.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::interpreter;

static LogicalResult defineIndex(Machine &machine, Value value, int64_t index) {
  Number number;
  number.integer = static_cast<uint64_t>(index);
  return machine.define(value, number);
}

static LogicalResult runBlockIndex(Machine &machine, tile::GetBlockIdxOp op) {
  return defineIndex(machine, op.getResult(), machine.frame->place.index);
}
static LogicalResult runBlockCount(Machine &machine, tile::GetBlockNumOp op) {
  return defineIndex(machine, op.getResult(), machine.frame->place.count);
}
static LogicalResult runSubblockIndex(Machine &machine, tile::GetSubblockIdxOp op) {
  return defineIndex(machine, op.getResult(), machine.frame->place.subblock);
}

/// In program order there is nothing to wait for.
template <typename OpTy> static LogicalResult runNothing(Machine &, OpTy) { return success(); }

template <typename OpTy> static LogicalResult rejectQueue(Machine &machine, OpTy op) {
  return machine.emitError(op, "is not interpreted: expects kernels that do not pass tiles between "
                               "cores");
}

//===- Signals ----------------------------------------------------------------===//

static LogicalResult runNotify(Machine &machine, tile::NotifyOp op) {
  if (op.getPeer())
    return machine.emitError(op, "is not interpreted: expects a signal of this rank, without "
                                 "'peer'");
  const View &signal = machine.getView(op.getSignal());
  Sizes index = machine.getMixed(op, op.getIndices(), op.getStaticIndices());
  if (failed(machine.checkIndex(op, index, signal.shape)))
    return failure();
  Reader old(machine, op, 1, signal, getElement(op.getSignal()));
  Number value = old.getFormat().reinterpret(machine.getNumber(op.getValue()));
  if (op.getKind() == tile::NotifyKind::Add)
    value = compute(Binary::Add, old.getFormat(), old(index), value);
  store(signal, index, old.getFormat(), value);
  return success();
}

/// The frame of the task that runs: of a function that its caller does not merely use as a helper.
static Frame *getTask(Frame *frame) {
  while (frame->caller && isa<CallOp>(frame->call) &&
         frame->caller->func.getKind() != FuncKind::Orchestration)
    frame = frame->caller;
  return frame;
}

static LogicalResult runWait(Machine &machine, tile::WaitOp op) {
  const View &signal = machine.getView(op.getSignal());
  Sizes index = machine.getMixed(op, op.getIndices(), op.getStaticIndices());
  if (failed(machine.checkIndex(op, index, signal.shape)))
    return failure();
  Reader reader(machine, op, 0, signal, getElement(op.getSignal()));
  Number expected = reader.getFormat().reinterpret(machine.getNumber(op.getExpected()));
  if (compare(op.getKind(), reader.getFormat(), reader(index), expected))
    return success();
  return machine.emitError(op, "would wait forever: tasks and blocks run one after the other, and "
                               "nobody before has set the signal");
}

static LogicalResult runDeferWait(Machine &machine, tile::DeferWaitOp op) {
  const View &signal = machine.getView(op.getSignal());
  Sizes index = machine.getMixed(op, op.getIndices(), op.getStaticIndices());
  if (failed(machine.checkIndex(op, index, signal.shape)))
    return failure();
  Number expected =
      Format(getElement(op.getSignal())).reinterpret(machine.getNumber(op.getExpected()));
  getTask(machine.frame)->deferred.push_back({op, op.getKind(), signal, index, expected});
  return success();
}

template <typename... OpTys> static void addNothing(Table &table) {
  (table.add<OpTys>(runNothing<OpTys>), ...);
}
template <typename... OpTys> static void addRejected(Table &table) {
  (table.add<OpTys>(rejectQueue<OpTys>), ...);
}

void interpreter::addSynchronization(Table &table) {
  table.add<tile::GetBlockIdxOp>(runBlockIndex);
  table.add<tile::GetBlockNumOp>(runBlockCount);
  table.add<tile::GetSubblockIdxOp>(runSubblockIndex);
  table.add<tile::NotifyOp>(runNotify);
  table.add<tile::WaitOp>(runWait);
  table.add<tile::DeferWaitOp>(runDeferWait);
  addNothing<tile::BarAllOp, tile::BarVOp, tile::BarMOp, tile::FenceOp, tile::SyncSrcOp,
             tile::SyncDstOp, tile::SetFftsOp>(table);
  addRejected<tile::TPushToAivOp, tile::TPushToAicOp, tile::TPopFromAicOp, tile::TPopFromAivOp,
              tile::TFreeToAicOp, tile::TFreeToAivOp, tile::AicInitializePipeOp,
              tile::AivInitializePipeOp, tile::ReserveBufferOp, tile::ImportPeerBufferOp>(table);
}

llvm::ArrayRef<llvm::StringLiteral> interpreter::getUnsupportedOperations() {
  static constexpr llvm::StringLiteral names[] = {
      // Queues between cores that would have to run side by side.
      "tile.tpush_to_aiv",
      "tile.tpush_to_aic",
      "tile.tpop_from_aic",
      "tile.tpop_from_aiv",
      "tile.tfree_to_aic",
      "tile.tfree_to_aiv",
      "tile.aic_initialize_pipe",
      "tile.aiv_initialize_pipe",
      "tile.reserve_buffer",
      "tile.import_peer_buffer",
      // Checks and tasks of lowered programs.
      "pl.check",
      "orchestration.launch",
      "orchestration.sync",
      "orchestration.launch_dummy",
      "orchestration.await",
      "orchestration.scope_begin",
      "orchestration.scope_end",
      "orchestration.await_signal",
      "orchestration.give_signal",
  };
  return names;
}
