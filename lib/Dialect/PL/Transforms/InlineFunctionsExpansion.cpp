// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The walk over a caller that replaces calls of inline functions.
#include "InlineFunctionsExpansion.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::pl::inlining;

void Expansion::reset() {
  values.clear();
  blocks.clear();
  returned.clear();
  retypes = false;
  bindings = {};
  locals.clear();
  types.clear();
  markedValues.clear();
  markedOperands.clear();
}

LogicalResult Inliner::run(const Caller &caller) {
  bindCounts.clear();
  snapshots.clear();
  writeBacks.clear();
  changed.clear();
  untyped.clear();
  scope.clear();
  auto func = dyn_cast<FuncOp>(caller.op);
  checksScope = !func || !func.isInline();
  if (auto function = dyn_cast<FunctionOpInterface>(caller.op))
    for (Type type : function.getArgumentTypes())
      forEachSymbol(type, [&](StringAttr name) { scope.insert(name); });
  pushRegions(caller.op, caller.op, nullptr);
  return drain();
}

LogicalResult Inliner::drain() {
  LogicalResult result = success();
  while (succeeded(result) && !frames.empty()) {
    Frame &frame = frames.back();
    if (frame.sourceOp) {
      result = nextRegionBlock();
    } else if (frame.next != frame.end) {
      Operation *op = &*frame.next++;
      result = frame.expansion ? visitCopy(op) : visitInPlace(op);
    } else {
      Expansion *finished = frame.isBody ? frame.expansion : nullptr;
      popStatements();
      if (finished)
        result = finishCall(*finished);
    }
  }
  frames.clear();
  return result;
}

//===- Regions ------------------------------------------------------------------------===//

/// The blocks of a region, definitions before uses, unreachable blocks last.
static SmallVector<Block *> getBlocksInOrder(Region &region) {
  SmallVector<Block *> order;
  if (region.hasOneBlock() || region.empty()) {
    for (Block &block : region)
      order.push_back(&block);
    return order;
  }
  llvm::SmallPtrSet<Block *, 8> reached;
  for (Block *block : llvm::ReversePostOrderTraversal<Block *>(&region.front())) {
    order.push_back(block);
    reached.insert(block);
  }
  for (Block &block : region)
    if (!reached.contains(&block))
      order.push_back(&block);
  return order;
}

void Inliner::pushRegions(Operation *source, Operation *target, Expansion *expansion) {
  Frame frame;
  frame.expansion = expansion;
  frame.sourceOp = source;
  frame.targetOp = target;
  for (auto [from, to] : llvm::zip_equal(source->getRegions(), target->getRegions())) {
    if (expansion)
      for (Block &block : from)
        expansion->blocks[&block] = &to.emplaceBlock();
    for (Block *block : getBlocksInOrder(from))
      frame.blocks.push_back({block, expansion ? expansion->blocks.lookup(block) : block});
  }
  frames.push_back(std::move(frame));
}

LogicalResult Inliner::nextRegionBlock() {
  Frame &frame = frames.back();
  if (frame.nextBlock == frame.blocks.size()) {
    Frame done = std::move(frame);
    frames.pop_back();
    return leaveRegions(done);
  }
  auto [source, target] = frame.blocks[frame.nextBlock++];
  Expansion *expansion = frame.expansion;
  if (expansion)
    for (BlockArgument argument : source->getArguments())
      expansion->values[argument] =
          target->addArgument(argument.getType(), inlinedLoc(argument.getLoc(), *expansion));
  if (failed(enterRegion(frame, target)))
    return failure();
  Frame statements;
  statements.expansion = expansion;
  statements.next = source->begin();
  statements.end = source->end();
  statements.target = target;
  statements.insertion = target->end();
  frames.push_back(std::move(statements));
  return success();
}

void Inliner::popStatements() {
  Frame frame = std::move(frames.back());
  frames.pop_back();
  if (!frame.isBody) {
    for (StringAttr name : frame.boundNames)
      scope.erase(name);
    if (frame.expansion && !frame.textNames.empty()) {
      for (StringAttr name : frame.textNames)
        frame.expansion->locals.erase(name);
      frame.expansion->types.clear();
    }
  }
  // A body's names live on in the block of the call; a block's names are known to its operation,
  // which must not let them out.
  if (!frames.empty())
    llvm::append_range(frames.back().boundNames, frame.boundNames);
}

//===- Statements -----------------------------------------------------------------------===//

LogicalResult Inliner::visitInPlace(Operation *op) {
  if (!changed.empty())
    if (auto it = changed.find(op); it != changed.end()) {
      SmallVector<Type> old(op->getOperandTypes());
      for (auto [index, type] : llvm::reverse(it->second))
        old[index] = type;
      changed.erase(it);
      if (failed(retype(op, old, nullptr)))
        return failure();
    }
  if (auto call = dyn_cast<CallOp>(op)) {
    Callee *callee = graph.lookup(call);
    return callee ? enterCall(call, *callee, nullptr) : success();
  }
  if (auto symbol = dyn_cast<SymbolOp>(op)) {
    scope.insert(symbol.getSymAttr().getAttr());
    frames.back().boundNames.push_back(symbol.getSymAttr().getAttr());
  } else if (auto get = dyn_cast<GetOp>(op)) {
    noteRead(get, get.getCell(), get.getValue());
  } else if (auto set = dyn_cast<SetOp>(op)) {
    if (writeBacks.erase(op) && isIdentityWriteBack(set.getCell(), set.getValue()))
      op->erase();
    else
      ++bindCounts[set.getCell()];
  } else if (op->getNumRegions() != 0 && !op->hasTrait<OpTrait::SymbolTable>()) {
    pushRegions(op, op, nullptr);
  }
  return success();
}

LogicalResult Inliner::visitCopy(Operation *op) {
  Frame &frame = frames.back();
  Expansion &expansion = *frame.expansion;
  if (frame.isBody)
    if (auto end = dyn_cast<ReturnOp>(op)) {
      for (Value value : end.getValues())
        expansion.returned.push_back(expansion.values.lookup(value));
      return success();
    }
  if (auto call = dyn_cast<CallOp>(op))
    if (Callee *callee = graph.lookup(call))
      return enterCall(call, *callee, &expansion);
  if (auto symbol = dyn_cast<SymbolOp>(op))
    return copySymbol(symbol, expansion);
  if (auto set = dyn_cast<SetOp>(op)) {
    auto call = set.getValue().getDefiningOp<CallOp>();
    Value cell = expansion.values.lookup(set.getCell());
    if (call && graph.lookup(call) &&
        isIdentityWriteBack(cell, expansion.values.lookup(set.getValue())))
      return success();
    ++bindCounts[cell];
  }
  Operation *copy = clone(op, expansion);
  frame.target->getOperations().insert(frame.insertion, copy);
  for (auto [from, to] : llvm::zip_equal(op->getResults(), copy->getResults()))
    expansion.values[from] = to;
  if (expansion.retypes) {
    SmallVector<Type> old(op->getOperandTypes());
    if (failed(retype(copy, old, &expansion)))
      return failure();
  }
  if (auto get = dyn_cast<GetOp>(copy))
    noteRead(cast<GetOp>(op), get.getCell(), get.getValue());
  if (!expansion.markedValues.empty() || !expansion.markedOperands.empty())
    applyMarks(op, copy, expansion);
  if (op->getNumRegions() != 0)
    pushRegions(op, copy, &expansion);
  return success();
}

LogicalResult Inliner::copySymbol(SymbolOp op, Expansion &expansion) {
  Frame &frame = frames.back();
  StringAttr name = op.getSymAttr().getAttr();
  StringAttr fresh = names.getSymbol(name);
  OpBuilder builder(frame.target, frame.insertion);
  SymbolOp::create(builder, inlinedLoc(op.getLoc(), expansion, {}), FlatSymbolRefAttr::get(fresh),
                   expansion.values.lookup(op.getValue()));
  expansion.locals[name] = fresh;
  expansion.types.clear();
  frame.textNames.push_back(name);
  frame.boundNames.push_back(fresh);
  return success();
}

//===- Write-backs ------------------------------------------------------------------------===//

void Inliner::noteRead(GetOp source, Value cell, Value value) {
  // Only what goes into or out of a call can come back as the result of one.
  if (llvm::any_of(source.getValue().getUsers(),
                   [](Operation *user) { return isa<CallOp, ReturnOp>(user); }))
    snapshots[value] = {cell, bindCounts.lookup(cell)};
}

bool Inliner::isIdentityWriteBack(Value cell, Value value) {
  auto it = snapshots.find(value);
  // In the same block every run of the statement follows a run of the read.
  return it != snapshots.end() && it->second.cell == cell &&
         it->second.count == bindCounts.lookup(cell) &&
         value.getDefiningOp()->getBlock() == frames.back().target;
}
