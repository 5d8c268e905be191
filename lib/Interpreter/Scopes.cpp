// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Placement scopes, launches, run-time scopes and tasks. Everything runs in program order.
#include "Machine.h"

#include "pypto/Interfaces/AliasInterfaces.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::interpreter;

template <typename OpTy> static LogicalResult runScope(Machine &machine, OpTy op) {
  SmallVector<RuntimeValue> results;
  if (failed(machine.runBlock(op.getBody().front(), results)))
    return failure();
  return machine.define(op->getResults(), results);
}

//===- Launches ---------------------------------------------------------------===//

/// Runs the body once for each number below `count`; `setPlace` says which one it is.
static LogicalResult runBlocks(Machine &machine, Operation *op, int64_t count,
                               SmallVectorImpl<RuntimeValue> &results,
                               llvm::function_ref<void(BlockPlace &, int64_t)> setPlace) {
  Block &body = op->getRegion(0).front();
  BlockPlace outer = machine.frame->place;
  llvm::scope_exit leave([&, frame = machine.frame] { frame->place = outer; });
  for (int64_t index = 0; index < count; ++index) {
    setPlace(machine.frame->place, index);
    Number number;
    number.integer = index;
    if (failed(machine.enter(body, RuntimeValue(number))) ||
        failed(machine.runBlock(body, results)))
      return failure();
  }
  return success();
}

using BoundCells = llvm::MapVector<Value, std::shared_ptr<RuntimeValue>>;

/// What the variables around a launch are bound to that its body may bind again.
static BoundCells getOuterCells(Machine &machine, Operation *op) {
  BoundCells cells;
  op->getRegion(0).walk([&](Operation *inner) {
    if (!isa<SetOp, CallOp>(inner))
      return;
    for (Value operand : inner->getOperands())
      if (isa<VarType>(operand.getType()) &&
          !op->isAncestor(operand.getParentRegion()->getParentOp()))
        cells.insert({operand, machine.getCell(operand)->value});
  });
  return cells;
}

/// The handle that a value of the body is another name of, if it is one of the code around it.
static std::optional<RuntimeValue> getOuterHandle(Machine &machine, Operation *op, Value value,
                                                  const BoundCells &cells) {
  while (op->isAncestor(value.getParentRegion()->getParentOp())) {
    if (auto get = value.getDefiningOp<GetOp>()) {
      auto cell = cells.find(get.getCell());
      if (cell != cells.end() && cell->second)
        return *cell->second;
      if (cell == cells.end() && !op->isAncestor(get.getCell().getParentRegion()->getParentOp()) &&
          machine.getCell(get.getCell())->value)
        return *machine.getCell(get.getCell())->value;
      return std::nullopt;
    }
    auto alias = value.getDefiningOp<StorageAliasOpInterface>();
    OpOperand *operand = alias ? alias.getAliasedOperand(cast<OpResult>(value)) : nullptr;
    if (!operand)
      return std::nullopt;
    value = operand->get();
  }
  return machine.get(value);
}

static LogicalResult runSpmd(Machine &machine, SpmdOp op) {
  int64_t count = machine.getIndex(op, op.getCount());
  if (count < 0)
    return machine.emitError(op, "expects a number of blocks that is not negative, but got ")
           << count;
  BoundCells cells = getOuterCells(machine, op);
  // Each block starts with the variables of the code around the launch, which keep their handles.
  auto restore = [&] {
    for (auto &[cell, value] : cells)
      machine.getCell(cell)->value = value;
  };
  SmallVector<RuntimeValue> results;
  LogicalResult result =
      runBlocks(machine, op, count, results, [&](BlockPlace &place, int64_t index) {
        restore();
        place.index = index;
        place.count = count;
      });
  restore();
  if (failed(result))
    return failure();
  for (auto [index, value] : llvm::enumerate(op.getBody().front().getTerminator()->getOperands())) {
    std::optional<RuntimeValue> outer = getOuterHandle(machine, op, value, cells);
    if (!outer && results.empty())
      return machine.emitError(op, "expects a launch that yields tensors of the code around it");
    if (failed(machine.define(op.getResult(index), outer ? *outer : results[index])))
      return failure();
  }
  return success();
}

static LogicalResult runSplitAiv(Machine &machine, SplitAivOp op) {
  constexpr int64_t coresInPair = 2;
  SmallVector<RuntimeValue> results;
  return runBlocks(machine, op, coresInPair, results,
                   [](BlockPlace &place, int64_t index) { place.subblock = index; });
}

//===- Tasks ------------------------------------------------------------------===//

static LogicalResult defineTask(Machine &machine, Value task, int64_t id) {
  Number number;
  number.integer = static_cast<uint64_t>(id);
  return machine.define(task, number);
}

static LogicalResult runTaskDummy(Machine &machine, orchestration::TaskDummyOp op) {
  return defineTask(machine, op.getTask(), machine.nextTask++);
}

static LogicalResult runTaskInvalid(Machine &machine, orchestration::TaskInvalidOp op) {
  return defineTask(machine, op.getTask(), -1);
}

static LogicalResult runTaskIsValid(Machine &machine, orchestration::TaskIsValidOp op) {
  return defineTask(machine, op.getResult(), machine.getNumber(op.getTask()).getSigned() >= 0);
}

/// Every task has run.
static LogicalResult runBarrier(Machine &, orchestration::BarrierOp) { return success(); }

void interpreter::addScopes(Table &table) {
  table.add<AtOp>(runScope<AtOp>);
  table.add<ClusterOp>(runScope<ClusterOp>);
  table.add<GraphOp>(runScope<GraphOp>);
  table.add<orchestration::ScopeOp>(runScope<orchestration::ScopeOp>);
  table.add<SpmdOp>(runSpmd);
  table.add<SplitAivOp>(runSplitAiv);
  table.add<orchestration::TaskDummyOp>(runTaskDummy);
  table.add<orchestration::TaskInvalidOp>(runTaskInvalid);
  table.add<orchestration::TaskIsValidOp>(runTaskIsValid);
  table.add<orchestration::BarrierOp>(runBarrier);
}
