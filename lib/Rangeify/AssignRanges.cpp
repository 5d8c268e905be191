// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elements.h"
#include "Stores.h"
#include "pypto/Rangeify/Passes.h"
#include "pypto/Transforms/Schedule.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace pypto::rangeify;

namespace pypto::rangeify {
#define GEN_PASS_DEF_ASSIGNRANGES
#include "pypto/Rangeify/Passes.h.inc"
} // namespace pypto::rangeify

namespace {
/// Replaces the stores of one graph, in program order.
class RangeAssignment {
public:
  explicit RangeAssignment(func::FuncOp graph) : graph(graph), plan(graph) {}

  void run();

private:
  void assign(Operation *op);
  /// A loop nest over the extents of `value`, which has an element form.
  Value assignParallel(Value value);
  /// A loop nest with the loops of `op`.
  Operation *assignReduction(linalg::LinalgOp op);
  SmallVector<OpFoldResult> getLoops(OpBuilder &b, Location loc, unsigned count);

  func::FuncOp graph;
  StorePlan plan;
  /// Stored tensors, once they have been replaced, are stored under their new names.
  DenseSet<Value> replaced;
};
} // namespace

SmallVector<OpFoldResult> RangeAssignment::getLoops(OpBuilder &b, Location loc, unsigned count) {
  SmallVector<OpFoldResult> loops;
  for (unsigned i = 0; i < count; ++i)
    loops.push_back(linalg::IndexOp::create(b, loc, i).getResult());
  return loops;
}

Value RangeAssignment::assignParallel(Value value) {
  OpBuilder b(value.getContext());
  b.setInsertionPointAfterValue(value);
  Location loc = value.getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  Value init = tensor::EmptyOp::create(b, loc, getSizes(b, loc, value), type.getElementType());
  if (init.getType() != type)
    init = tensor::CastOp::create(b, loc, type, init);
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  auto isStored = [&](Value other) {
    return other != value && (plan.isStored(other) || replaced.contains(other));
  };
  auto generic = linalg::GenericOp::create(
      b, loc, type, ValueRange(), init, b.getMultiDimIdentityMap(type.getRank()), iterators,
      [&](OpBuilder &body, Location, ValueRange) {
        ElementBuilder elements(body, isStored);
        Value element = elements.build(value, getLoops(body, loc, type.getRank()));
        linalg::YieldOp::create(body, loc, element);
      });
  pypto::copySchedule(value.getDefiningOp(), generic);
  return generic.getResult(0);
}

/// The loops whose extents no tensor that is written shows: those of reductions, and those that
/// such a tensor has at an offset only.
static SmallVector<unsigned> getHiddenLoops(linalg::LinalgOp op) {
  llvm::SmallBitVector isHidden(op.getNumLoops(), true);
  for (OpOperand &init : op.getDpsInitsMutable())
    for (AffineExpr expr : op.getMatchingIndexingMap(&init).getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        isHidden.reset(dim.getPosition());
  return llvm::to_vector_of<unsigned>(isHidden.set_bits());
}

/// A tensor that nobody reads: it tells a loop nest the extents of its hidden loops.
static Value createShape(OpBuilder &b, linalg::LinalgOp op, AffineMap &map) {
  SmallVector<OpFoldResult> sizes;
  SmallVector<unsigned> dims = getHiddenLoops(op);
  for (unsigned dim : dims) {
    Value operand;
    unsigned position;
    [[maybe_unused]] LogicalResult isFound =
        op.mapIterationSpaceDimToOperandDim(dim, operand, position);
    assert(succeeded(isFound) && "the verifier lets every loop have an extent");
    sizes.push_back(getSizes(b, op.getLoc(), operand)[position]);
  }
  map = AffineMap::getMultiDimIdentityMap(op.getNumLoops(), b.getContext()).getSubMap(dims);
  return tensor::EmptyOp::create(b, op.getLoc(), sizes, b.getI8Type());
}

/// A constant as what a reduction starts from, in memory of its own.
static Value createInit(OpBuilder &b, Value init) {
  auto constant = init.getDefiningOp<arith::ConstantOp>();
  auto splat = constant ? dyn_cast<SplatElementsAttr>(constant.getValue()) : nullptr;
  if (!splat)
    return init;
  Location loc = init.getLoc();
  Value scalar = arith::ConstantOp::create(b, loc, splat.getSplatValue<TypedAttr>());
  Value empty = tensor::EmptyOp::create(b, loc, splat.getType().getShape(), splat.getElementType());
  return linalg::FillOp::create(b, loc, scalar, empty).getResult(0);
}

Operation *RangeAssignment::assignReduction(linalg::LinalgOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  SmallVector<Value> inits;
  for (Value init : op.getDpsInits())
    inits.push_back(createInit(b, init));
  SmallVector<AffineMap> maps(1);
  Value shape = createShape(b, op, maps[0]);
  for (OpOperand &init : op.getDpsInitsMutable())
    maps.push_back(op.getMatchingIndexingMap(&init));
  auto isStored = [&](Value other) { return plan.isStored(other) || replaced.contains(other); };
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  auto nest = linalg::GenericOp::create(
      b, loc, op->getResultTypes(), shape, inits, maps, iterators,
      [&](OpBuilder &body, Location, ValueRange arguments) {
        ValueRange accumulators = arguments.drop_front();
        ElementBuilder elements(body, isStored);
        SmallVector<OpFoldResult> loops = getLoops(body, loc, iterators.size());
        IRMapping mapping;
        for (OpOperand *input : op.getDpsInputOperands()) {
          BlockArgument argument = op.getMatchingBlockArgument(input);
          if (!isa<RankedTensorType>(input->get().getType())) {
            mapping.map(argument, input->get());
            continue;
          }
          SmallVector<OpFoldResult> index;
          for (AffineExpr expr : op.getMatchingIndexingMap(input).getResults())
            index.push_back(affine::makeComposedFoldedAffineApply(
                body, loc, AffineMap::get(loops.size(), 0, expr), loops));
          mapping.map(argument, elements.build(input->get(), index));
        }
        for (auto [init, accumulator] : llvm::zip_equal(op.getDpsInitsMutable(), accumulators))
          mapping.map(op.getMatchingBlockArgument(&init), accumulator);
        elements.cloneBody(op, loops, mapping);
        SmallVector<Value> results;
        for (Value result : op.getBlock()->getTerminator()->getOperands())
          results.push_back(mapping.lookupOrDefault(result));
        linalg::YieldOp::create(body, loc, results);
      });
  pypto::copySchedule(op, nest);
  return nest;
}

void RangeAssignment::assign(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (structured && !hasElementForm(op) && structured.hasPureTensorSemantics()) {
    Operation *generic = assignReduction(structured);
    for (auto [from, to] : llvm::zip_equal(op->getResults(), generic->getResults())) {
      replaced.insert(to);
      from.replaceAllUsesWith(to);
    }
    return;
  }
  if (!hasElementForm(op))
    return;
  for (Value result : op->getResults()) {
    if (!plan.isStored(result))
      continue;
    Value stored = assignParallel(result);
    replaced.insert(stored);
    result.replaceAllUsesExcept(stored, stored.getDefiningOp());
  }
}

void RangeAssignment::run() {
  SmallVector<Operation *> ops;
  for (Operation &op : graph.getBody().front().without_terminator())
    ops.push_back(&op);
  for (Operation *op : ops)
    assign(op);
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
  IRRewriter rewriter(graph.getContext());
  DominanceInfo dominance(graph);
  eliminateCommonSubExpressions(rewriter, dominance, graph);
}

namespace {
struct AssignRangesPass : pypto::rangeify::impl::AssignRangesBase<AssignRangesPass> {
  void runOnModule() override {
    for (auto graph : getOperation().getOps<func::FuncOp>())
      if (!graph.isExternal() && graph.getBody().hasOneBlock())
        RangeAssignment(graph).run();
  }
};
} // namespace
