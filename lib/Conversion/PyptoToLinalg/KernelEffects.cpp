// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which parameters a function writes.
#include "KernelEffects.h"

#include "pypto/Dialect/Tile/IR/TileOps.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::lowering;

void KernelEffects::addWrite(Value tensor, Summary &summary) {
  if (!isa<pl::TensorType>(tensor.getType()))
    return;
  for (StorageRoot root : roots.getStorageRoots(tensor)) {
    if (root.isUnknown())
      summary.writes.assign(summary.writes.size(), true);
    else if (root.isParameter())
      summary.writes[cast<BlockArgument>(root.getValue()).getArgNumber()] = true;
  }
}

void KernelEffects::addOperation(Operation *op, Summary &summary) {
  if (isa<pl::CallOp, orchestration::SubmitOp>(op)) {
    FuncOp callee = info.getCallee(op);
    const Summary &called = getSummary(callee);
    summary.accumulates |= called.accumulates;
    auto arguments = cast<CallOpInterface>(op).getArgOperands();
    for (auto [index, argument] : llvm::enumerate(arguments))
      if (called.writes[index])
        addWrite(argument, summary);
    return;
  }
  if (auto store = dyn_cast<tile::StoreOp>(op))
    summary.accumulates |= store.getAtomic();
  if (auto assemble = dyn_cast<AssembleOp>(op))
    summary.accumulates |= assemble.getAtomic();
  if (auto interface = dyn_cast<MemoryEffectOpInterface>(op)) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects)
      if (isa<MemoryEffects::Write>(effect.getEffect()) && effect.getValue())
        addWrite(effect.getValue(), summary);
    return;
  }
  // The operations in its regions speak for themselves.
  if (op->getNumRegions() == 0)
    for (Value operand : op->getOperands())
      addWrite(operand, summary);
}

const KernelEffects::Summary &KernelEffects::getSummary(FuncOp func) {
  std::unique_ptr<Summary> &entry = summaries[func];
  if (entry)
    return *entry;
  unsigned count = func.getArgumentTypes().size();
  // A function that calls itself may do anything.
  entry = std::make_unique<Summary>(Summary{SmallVector<bool>(count, true), true});
  Summary *known = entry.get();
  Summary summary;
  for (unsigned i = 0; i != count; ++i)
    summary.writes.push_back(func.getDirection(i) != Direction::In);
  if (!func.isDeclaration())
    func.getBody().walk([&](Operation *op) { addOperation(op, summary); });
  *known = std::move(summary);
  return *known;
}

orchestration::AccessMode KernelEffects::getAccess(FuncOp func, unsigned parameter) {
  using orchestration::AccessMode;
  const Summary &summary = getSummary(func);
  if (!summary.writes[parameter])
    return AccessMode::Read;
  if (summary.accumulates)
    return AccessMode::Accumulate;
  return func.getDirection(parameter) == Direction::Out ? AccessMode::Write : AccessMode::Update;
}
