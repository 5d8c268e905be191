// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of what loops carry and of what regions yield.
#include "InlineFunctionsExpansion.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::pl::inlining;

/// `type` with `?` in place of each extent that names one of `names`.
static Type withoutNames(Type type, ArrayRef<StringAttr> names) {
  auto shaped = dyn_cast<ExtentTypeInterface>(type);
  if (!shaped || names.empty())
    return type;
  bool mentions = false;
  forEachSymbol(type, [&](StringAttr name) { mentions |= llvm::is_contained(names, name); });
  if (!mentions)
    return type;
  auto map = [&](ArrayRef<ExtentAttr> extents) {
    return llvm::map_to_vector(extents, [&](ExtentAttr extent) {
      return extent.substitute([&](StringAttr name) {
        return llvm::is_contained(names, name) ? ExtentAttr::getDynamic(name.getContext())
                                               : ExtentAttr();
      });
    });
  };
  SmallVector<ExtentAttr> extents = map(shaped.getExtents()), valid = map(shaped.getValid());
  auto tensor = dyn_cast<pl::TensorType>(type);
  if (!tensor)
    return shaped.cloneWith(extents, valid, shaped.getElementType());
  return pl::TensorType::get(type.getContext(), extents, tensor.getElementType(), valid,
                             map(tensor.getStrides()), tensor.getLayout(), tensor.getPad());
}

/// Gives the second list of values the types of the first.
template <typename Types, typename Values, typename Fn>
static void forward(Types types, Values values, Fn setType) {
  for (auto [type, value] : llvm::zip(types, values))
    setType(value, type);
}

LogicalResult Inliner::enterRegion(Frame &frame, Block *target) {
  Operation *op = frame.targetOp;
  auto set = [&](Value value, Type type) { setType(value, type); };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    forward(loop.getInits().getTypes(), loop.getRegionIterArgs(), set);
    forward(loop.getInits().getTypes(), loop.getResults(), set);
    return success();
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    if (target->getParent() == &loop.getBefore()) {
      forward(loop.getInits().getTypes(), loop.getBeforeArguments(), set);
      return success();
    }
    for (OpOperand &value : loop.getConditionOp().getArgsMutable())
      if (failed(castTo(value, withoutNames(value.get().getType(), frame.boundNames),
                        frame.expansion)))
        return failure();
    forward(loop.getConditionOp().getArgs().getTypes(), loop.getAfterArguments(), set);
    forward(loop.getConditionOp().getArgs().getTypes(), loop.getResults(), set);
    return success();
  }
  if (!frame.expansion || !frame.expansion->retypes)
    return success();
  for (BlockArgument argument : target->getArguments()) {
    Type type = substitute(argument.getType(), *frame.expansion, op);
    if (!type)
      return failure();
    setType(argument, type);
  }
  return success();
}

/// Operands of blocks that were copied before those that define them.
static void remapLeftovers(Operation *op, const llvm::DenseMap<Value, Value> &values) {
  bool mayHaveAny =
      llvm::any_of(op->getRegions(), [](Region &region) { return region.getBlocks().size() > 1; });
  if (!mayHaveAny)
    return;
  op->walk([&](Operation *inner) {
    for (OpOperand &operand : inner->getOpOperands())
      if (auto it = values.find(operand.get()); it != values.end())
        operand.set(it->second);
  });
}

LogicalResult Inliner::leaveRegions(Frame &frame) {
  Operation *op = frame.targetOp;
  if (frame.expansion)
    remapLeftovers(op, frame.expansion->values);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return loop.getNumResults() == 0
               ? success()
               : leaveLoop(op, loop.getRegionIterArgs(),
                           cast<scf::YieldOp>(loop.getBody()->getTerminator()).getResultsMutable(),
                           frame.expansion);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return leaveLoop(op, loop.getBeforeArguments(), loop.getYieldOp().getResultsMutable(),
                     frame.expansion);
  return op->getNumResults() == 0 ? success() : joinYields(frame);
}

LogicalResult Inliner::leaveLoop(Operation *, Block::BlockArgListType carried,
                                 MutableOperandRange yielded, Expansion *expansion) {
  for (auto [argument, operand] : llvm::zip(carried, yielded))
    if (failed(castTo(operand, argument.getType(), expansion)))
      return failure();
  return success();
}

LogicalResult Inliner::joinYields(Frame &frame) {
  Operation *op = frame.targetOp;
  SmallVector<Operation *> yields;
  for (auto [source, target] : frame.blocks)
    if (!target->empty() && isa<scf::YieldOp, YieldOp>(target->back()) &&
        target->back().getNumOperands() == op->getNumResults())
      yields.push_back(&target->back());
  if (yields.empty())
    return success();
  for (OpResult result : op->getResults()) {
    unsigned index = result.getResultNumber();
    Type join;
    for (Operation *yield : yields) {
      Type type = withoutNames(yield->getOperand(index).getType(), frame.boundNames);
      Type joined = join ? joinTypes(join, type) : type;
      if (!joined) {
        InFlightDiagnostic diag = frame.expansion ? emitError(*frame.expansion) : op->emitOpError();
        diag << "result " << index << " is " << join << " on one path and " << type
             << " on another";
        diag.attachNote(yield->getLoc()) << "yielded here";
        return diag;
      }
      join = joined;
    }
    for (Operation *yield : yields)
      if (failed(castTo(yield->getOpOperand(index), join, frame.expansion)))
        return failure();
    setType(result, join);
  }
  return success();
}
