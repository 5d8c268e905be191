// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where lowered host code accesses memory that a task may still access, it waits first. Found in
// the lowered code by the effects of its operations, so that no lowering can forget to say it.
#include "Lowering.h"

#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::lowering;
using orchestration::AccessMode;

namespace {
struct Access {
  Value memref;
  int32_t mode;
};

class HostSyncs {
public:
  explicit HostSyncs(ArrayRef<func::FuncOp> functions) {
    for (func::FuncOp func : functions)
      if (isHost(func))
        hosts.insert(func.getSymNameAttr());
  }
  static bool isHost(func::FuncOp func) { return func->hasAttr(orchestration::kHostAttrName); }

  void run(func::FuncOp func);

private:
  bool findTasks(Operation *op);
  bool makesTasks(Operation *op) const;
  void visitBlock(Block &block);
  void visitLoop(Operation *loop, SmallVectorImpl<Access> &accesses);
  SmallVector<Access> getAccesses(Operation *op);
  bool isPrivate(Value memref);
  bool isPrivateBuffer(Value buffer);

  /// Names of the functions that make tasks.
  DenseSet<StringAttr> hosts;
  /// Operations with regions in which tasks are made.
  DenseSet<Operation *> withTasks;
  DenseMap<Value, bool> privateBuffers;
};
} // namespace

/// The memref that `value` is a view or another name of; null if it is none.
static Value getViewed(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto metadata = dyn_cast_or_null<memref::ExtractStridedMetadataOp>(op))
    return value == metadata.getBaseBuffer() ? metadata.getSource() : Value();
  if (auto view = dyn_cast_or_null<ViewLikeOpInterface>(op))
    return isa<MemRefType>(view.getViewSource().getType()) ? view.getViewSource() : Value();
  return {};
}

/// What `memref` is a view of, in the end.
static Value getBuffer(Value memref) {
  while (Value viewed = getViewed(memref))
    memref = viewed;
  return memref;
}

//===- What is accessed -----------------------------------------------------------===//

bool HostSyncs::isPrivateBuffer(Value buffer) {
  SmallVector<Value> worklist = {buffer};
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (isa<orchestration::LaunchOp, RegionBranchOpInterface, RegionBranchTerminatorOpInterface,
              func::ReturnOp, arith::SelectOp>(user))
        return false;
      if (auto call = dyn_cast<func::CallOp>(user);
          call && hosts.contains(call.getCalleeAttr().getAttr()))
        return false;
      for (Value result : user->getResults())
        if (isa<BaseMemRefType>(result.getType()))
          worklist.push_back(result);
    }
  return true;
}

/// True if no task can have seen the memory.
bool HostSyncs::isPrivate(Value memref) {
  memref = getBuffer(memref);
  if (!memref.getDefiningOp<memref::AllocOp>())
    return false;
  auto [it, isNew] = privateBuffers.try_emplace(memref, false);
  if (isNew) {
    bool isPrivate = isPrivateBuffer(memref);
    return privateBuffers[memref] = isPrivate;
  }
  return it->second;
}

/// What `op` itself does to memory, except what no task has seen.
SmallVector<Access> HostSyncs::getAccesses(Operation *op) {
  SmallVector<Access> accesses;
  // These wait by themselves, or mean to be at the same time as tasks.
  if (isa<orchestration::OrchestrationDialect>(op->getDialect()) || isa<func::CallOp>(op))
    return accesses;
  auto add = [&](Value memref, AccessMode mode) {
    if (!isPrivate(memref))
      accesses.push_back({memref, static_cast<int32_t>(mode)});
  };
  if (auto read = dyn_cast<bufferization::ToTensorOp>(op)) {
    add(read.getBuffer(), AccessMode::Read);
    return accesses;
  }
  if (auto interface = dyn_cast<MemoryEffectOpInterface>(op)) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      if (!effect.getValue() || !isa<MemRefType>(effect.getValue().getType()))
        continue;
      if (isa<MemoryEffects::Read>(effect.getEffect()))
        add(effect.getValue(), AccessMode::Read);
      else if (isa<MemoryEffects::Write>(effect.getEffect()))
        add(effect.getValue(), AccessMode::Write);
    }
    return accesses;
  }
  if (op->getNumRegions() == 0 && !isMemoryEffectFree(op))
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType()))
        add(operand, AccessMode::Update);
  return accesses;
}

//===- Where it waits ---------------------------------------------------------------===//

bool HostSyncs::makesTasks(Operation *op) const {
  if (auto call = dyn_cast<func::CallOp>(op))
    return hosts.contains(call.getCalleeAttr().getAttr());
  return isa<orchestration::LaunchOp, orchestration::AwaitSignalOp, orchestration::GiveSignalOp>(
             op) ||
         withTasks.contains(op);
}

/// Notes which of the operations with regions in `op` make tasks.
bool HostSyncs::findTasks(Operation *op) {
  bool found = false;
  for (Region &region : op->getRegions())
    for (Operation &nested : region.getOps())
      found |= findTasks(&nested) || makesTasks(&nested);
  if (found)
    withTasks.insert(op);
  return found;
}

static void emitSync(Operation *before, ArrayRef<Access> accesses) {
  SmallVector<Value> memrefs;
  SmallVector<int32_t> modes;
  for (const Access &access : accesses) {
    memrefs.push_back(access.memref);
    modes.push_back(access.mode);
  }
  OpBuilder b(before);
  if (!memrefs.empty())
    orchestration::SyncOp::create(b, before->getLoc(), memrefs, modes);
}

/// Adds what a loop without tasks accesses, as far as it stands outside: one wait is enough for all
/// iterations. What it makes itself is waited for inside.
void HostSyncs::visitLoop(Operation *loop, SmallVectorImpl<Access> &accesses) {
  loop->walk([&](Operation *op) {
    SmallVector<Access> inside;
    for (Access access : getAccesses(op)) {
      Value outer = access.memref;
      while (outer && loop->isAncestor(outer.getParentBlock()->getParentOp()))
        outer = getViewed(outer);
      if (outer)
        accesses.push_back({outer, access.mode});
      else
        inside.push_back(access);
    }
    emitSync(op, inside);
  });
}

void HostSyncs::visitBlock(Block &block) {
  // What the block has waited for since tasks were made last: for a write, or for a read only.
  DenseMap<Value, int32_t> done;
  // What it has allocated since then.
  DenseSet<Value> fresh;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    SmallVector<Access> accesses = getAccesses(&op);
    bool isBranch = isa<RegionBranchOpInterface>(op) && !isa<LoopLikeOpInterface>(op);
    if (op.getNumRegions() != 0 && !isBranch && !withTasks.contains(&op))
      visitLoop(&op, accesses);
    else
      for (Region &region : op.getRegions())
        for (Block &nested : region)
          visitBlock(nested);
    SmallVector<Access> missing;
    for (const Access &access : accesses) {
      if (fresh.contains(getBuffer(access.memref)))
        continue;
      // Who has waited for a write may read, too.
      int32_t &known = done[access.memref];
      if (known != 0 && ((known | ~access.mode) & static_cast<int32_t>(AccessMode::Write)) != 0)
        continue;
      known |= access.mode;
      missing.push_back(access);
    }
    emitSync(&op, missing);
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      fresh.insert(alloc.getMemref());
    if (!makesTasks(&op))
      continue;
    done.clear();
    fresh.clear();
  }
}

void HostSyncs::run(func::FuncOp func) {
  findTasks(func);
  for (Block &block : func.getBody())
    visitBlock(block);
}

void lowering::addHostSyncs(ArrayRef<func::FuncOp> functions) {
  HostSyncs syncs(functions);
  for (func::FuncOp func : functions)
    // An entry has waited for everything before it accesses anything.
    if (HostSyncs::isHost(func) && func.isPrivate())
      syncs.run(func);
}
