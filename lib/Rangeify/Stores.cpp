// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Stores.h"
#include "Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace pypto::rangeify;

/// What an element may cost at most to be computed again: some arithmetic, no function.
static constexpr unsigned kCheap = 4;
/// Cost of a division or a function.
static constexpr unsigned kFunction = 8;
/// Deepest expression of one store: what bounds the time that compiling it takes.
static constexpr unsigned kMaxDepth = 96;

static unsigned getScalarCost(Operation *op) {
  if (isa<math::AbsFOp, math::AbsIOp, math::CopySignOp, math::FmaOp, math::FloorOp, math::CeilOp,
          math::TruncOp, math::RoundEvenOp>(op))
    return 1;
  if (isa<math::MathDialect>(op->getDialect()) ||
      isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp, arith::RemSIOp,
          arith::RemUIOp>(op))
    return kFunction;
  if (isa<linalg::IndexOp, linalg::YieldOp, tensor::YieldOp, arith::ConstantOp>(op))
    return 0;
  return 1;
}

/// Cost of what `op` does for one element, without its operands.
static unsigned getOwnCost(Operation *op) {
  if (op->getNumRegions() == 0)
    return isMovementOp(op) || isUniform(op->getResult(0)) ? 0 : getScalarCost(op);
  unsigned cost = 0;
  op->walk([&](Operation *inner) {
    if (inner != op)
      cost += getScalarCost(inner);
  });
  return cost;
}

static bool isReduction(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && structured.hasPureTensorSemantics() && !hasElementForm(op);
}

/// The tensors that `op` reads: operands, and what its body reads.
static SmallVector<Value> getTensorUses(Operation *op) {
  SmallVector<Value> tensors;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (isa<RankedTensorType>(operand.getType()) &&
          !op->isAncestor(operand.getParentBlock()->getParentOp()))
        tensors.push_back(operand);
  });
  return tensors;
}

/// What is reshaped, through any number of reshapes.
static Value skipReshapes(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isReshape(op) || !isa<RankedTensorType>(op->getOperand(0).getType()))
      break;
    value = op->getOperand(0);
  }
  return value;
}

StorePlan::StorePlan(func::FuncOp graph) {
  Block &body = graph.getBody().front();
  for (Value argument : body.getArguments())
    stored.insert(argument);
  for (Operation &op : body)
    measure(&op);
  for (Operation &op : llvm::reverse(body))
    visit(&op);
}

void StorePlan::measure(Operation *op) {
  if (op->getNumResults() == 0 || !hasElementForm(op))
    return;
  Cost cost{getOwnCost(op), 0, false};
  for (Value tensor : getTensorUses(op)) {
    auto known = costs.find(tensor);
    if (known == costs.end()) {
      cost.readsMemory |= !isUniform(tensor);
      cost.depth = std::max(cost.depth, 1u);
      continue;
    }
    cost.element = std::min(cost.element + known->second.element, 1u << 16);
    cost.depth = std::max(cost.depth, known->second.depth + 1);
    cost.readsMemory |= known->second.readsMemory;
  }
  if (cost.depth > kMaxDepth) {
    store(op->getResult(0));
    return;
  }
  for (Value result : op->getResults())
    costs[result] = cost;
}

void StorePlan::store(Value value) {
  // Nothing is gained by keeping copies of one scalar.
  if (!isUniform(value))
    stored.insert(value);
}

void StorePlan::addUse(Value value, Operation *store, bool isRepeated) {
  Use &use = uses[value];
  use.isShared |= use.store && use.store != store;
  use.store = store;
  use.isRepeated |= isRepeated;
  use.isContracted |= isRepeated && isReduction(store);
}

void StorePlan::storeOperands(Operation *op) {
  for (Value tensor : getTensorUses(op))
    store(tensor);
}

/// Uses by a structured op: an operand whose map leaves out a loop is read again and again.
void StorePlan::visitStructured(Operation *op, Operation *store, bool isRepeated) {
  auto structured = cast<linalg::LinalgOp>(op);
  SmallVector<int64_t> extents = structured.getStaticLoopRanges();
  for (OpOperand *operand : structured.getDpsInputOperands()) {
    if (!isa<RankedTensorType>(operand->get().getType()))
      continue;
    AffineMap map = structured.getMatchingIndexingMap(operand);
    bool leavesOut = false;
    for (auto [dim, extent] : llvm::enumerate(extents))
      leavesOut |= extent != 1 && !map.isFunctionOfDim(dim);
    addUse(operand->get(), store, isRepeated || leavesOut);
  }
  op->walk([&](tensor::ExtractOp extract) { addUse(extract.getTensor(), store, true); });
}

void StorePlan::visit(Operation *op) {
  if (isa<func::ReturnOp>(op)) {
    for (Value result : op->getOperands())
      if (isa<RankedTensorType>(result.getType()))
        store(isUniform(result) ? result : skipReshapes(result));
    // A function has to return something that is there.
    for (Value result : op->getOperands())
      if (isa<RankedTensorType>(result.getType()) && isUniform(skipReshapes(result)))
        stored.insert(result);
    return;
  }
  if (isReduction(op)) {
    for (Value init : cast<linalg::LinalgOp>(op).getDpsInits())
      store(init);
    for (Value result : op->getResults())
      stored.insert(result);
    visitStructured(op, op, /*isRepeated=*/false);
    return;
  }
  if (op->getNumResults() == 0 || !hasElementForm(op)) {
    if (isa<tensor::DimOp>(op))
      return;
    storeOperands(op);
    for (Value result : op->getResults())
      stored.insert(result);
    return;
  }
  Use use;
  for (Value result : op->getResults()) {
    auto known = uses.find(result);
    if (known == uses.end())
      continue;
    use.isShared |= known->second.isShared || (use.store && use.store != known->second.store);
    use.store = known->second.store;
    use.isRepeated |= known->second.isRepeated;
    use.isContracted |= known->second.isContracted;
  }
  Cost cost = costs.lookup(op->getResult(0));
  // What a product reads again and again is best read as it is.
  bool isExpensive =
      getOwnCost(op) != 0 && ((use.isContracted && cost.readsMemory) || cost.element > kCheap);
  if (isExpensive && (use.isShared || use.isRepeated))
    for (Value result : op->getResults())
      store(result);
  bool isStore = llvm::any_of(op->getResults(), [&](Value result) { return isStored(result); });
  Operation *root = isStore || !use.store ? op : use.store;
  bool isRepeated = !isStore && use.isRepeated;
  if (isa<linalg::LinalgOp>(op)) {
    visitStructured(op, root, isRepeated);
    return;
  }
  for (Value tensor : getTensorUses(op))
    addUse(tensor, root, isRepeated);
}
