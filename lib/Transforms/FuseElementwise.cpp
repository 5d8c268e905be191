// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A `linalg.generic` takes up the elementwise operations whose results it reads.
#include "FusedOperands.h"
#include "pypto/Transforms/Passes.h"
#include "pypto/Transforms/Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace pypto;
using linalg::GenericOp;

namespace pypto {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "pypto/Transforms/Passes.h.inc"
} // namespace pypto

/// More streams than this cost more than the memory traffic that they save.
static constexpr unsigned kMaxInputs = 16, kMaxOutputs = 4;

//===- What may be fused ----------------------------------------------------===//

/// All loops are parallel and each result is written once per iteration, whatever was there.
static bool isElementwise(GenericOp op) {
  return op.hasPureTensorSemantics() && op.getNumLoops() == op.getNumParallelLoops() &&
         llvm::none_of(op.getRegionOutputArgs(), [](Value v) { return !v.use_empty(); }) &&
         llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.getNumSymbols() == 0; }) &&
         llvm::all_of(llvm::seq<unsigned>(0, op.getNumDpsInits()), [&](unsigned i) {
           return op.getMatchingIndexingMap(op.getDpsInitOperand(i)).isPermutation();
         });
}

/// Costs less than the memory that its result would take.
static bool isCheap(GenericOp op) {
  unsigned count = 0;
  for (Operation &nested : op.getBody()->without_terminator()) {
    if (nested.hasTrait<OpTrait::ConstantLike>())
      continue;
    if (++count > 2 || isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp>(nested) ||
        nested.getDialect()->getNamespace() != "arith")
      return false;
  }
  return true;
}

/// The loops of `producer` in those of `consumer`, if each iteration of the consumer reads the
/// results of one iteration of the producer, and each that of another.
static AffineMap alignLoops(GenericOp producer, GenericOp consumer) {
  AffineMap loops;
  for (OpOperand *operand : consumer.getDpsInputOperands()) {
    if (operand->get().getDefiningOp() != producer)
      continue;
    AffineMap read = consumer.getMatchingIndexingMap(operand);
    if (!read.isPermutation())
      return {};
    AffineMap written = producer.getIndexingMapMatchingResult(cast<OpResult>(operand->get()));
    AffineMap own = inversePermutation(written).compose(read);
    if (loops && loops != own)
      return {};
    loops = own;
  }
  return loops;
}

/// True if every user of the producer but `consumer` comes after it. What stands in the body of
/// that does not.
static bool areOthersLater(GenericOp producer, GenericOp consumer) {
  return llvm::all_of(producer->getUsers(), [&](Operation *user) {
    Operation *op = consumer->getBlock()->findAncestorOpInBlock(*user);
    return user == consumer || (op && consumer->isBeforeInBlock(op));
  });
}

/// True if operands of these maps have an extent for each loop, as an operation has to.
static bool tellAllExtents(ArrayRef<AffineMap> maps, MLIRContext *context) {
  return static_cast<bool>(inversePermutation(concatAffineMaps(maps, context)));
}

//===- Fusion -----------------------------------------------------------------===//

namespace {
class Fusion {
public:
  Fusion(GenericOp producer, GenericOp consumer, AffineMap loops)
      : producer(producer), consumer(consumer), loops(loops) {}

  /// The fused operation at the place of the consumer, which is gone; null if it would have too
  /// many operands, or none that tells the extent of a loop. The producer goes if nothing else uses
  /// it.
  GenericOp run() {
    collectOperands();
    if (operands.inputs.size() > kMaxInputs || operands.outputs.size() > kMaxOutputs)
      return {};
    OpBuilder b(consumer);
    SmallVector<AffineMap> maps = operands.getMaps();
    if (!tellAllExtents(maps, b.getContext()))
      return {};
    auto fused =
        GenericOp::create(b, consumer.getLoc(), ValueRange(operands.outputs).getTypes(),
                          operands.inputs, operands.outputs, maps, consumer.getIteratorTypesArray(),
                          [&](OpBuilder &nested, Location loc, ValueRange arguments) {
                            buildBody(nested, loc, arguments);
                          });
    for (auto [result, replacement] :
         llvm::zip_equal(kept, fused.getResults().take_front(kept.size())))
      result.replaceUsesWithIf(replacement,
                               [&](OpOperand &use) { return use.getOwner() != consumer; });
    mergeSchedules(producer, consumer, fused);
    consumer->replaceAllUsesWith(fused.getResults().drop_front(kept.size()));
    consumer.erase();
    if (producer->use_empty())
      producer.erase();
    return fused;
  }

private:
  void collectOperands() {
    for (OpOperand *operand : producer.getDpsInputOperands())
      producerInputs.push_back(operands.addInput(
          operand->get(), producer.getMatchingIndexingMap(operand).compose(loops)));
    for (OpOperand *operand : consumer.getDpsInputOperands())
      if (operand->get().getDefiningOp() != producer)
        consumerInputs.push_back(
            operands.addInput(operand->get(), consumer.getMatchingIndexingMap(operand)));
      else
        consumerInputs.push_back(std::nullopt);
    for (OpResult result : producer->getResults()) {
      if (llvm::all_of(result.getUsers(), [&](Operation *user) { return user == consumer; }))
        continue;
      kept.push_back(result);
      operands.addOutput(producer.getDpsInits()[result.getResultNumber()],
                         producer.getIndexingMapMatchingResult(result).compose(loops));
    }
    for (OpOperand &operand : consumer.getDpsInitsMutable())
      operands.addOutput(operand.get(), consumer.getMatchingIndexingMap(&operand));
  }

  void buildBody(OpBuilder &b, Location loc, ValueRange arguments) {
    IRMapping map;
    for (auto [argument, index] : llvm::zip_equal(producer.getRegionInputArgs(), producerInputs))
      map.map(argument, arguments[index]);
    for (Operation &op : producer.getBody()->without_terminator()) {
      auto index = dyn_cast<linalg::IndexOp>(op);
      if (!index) {
        b.clone(op, map);
        continue;
      }
      auto dim = cast<AffineDimExpr>(loops.getResult(index.getDim()));
      map.map(index.getResult(), linalg::IndexOp::create(b, loc, dim.getPosition()).getResult());
    }
    SmallVector<Value> produced, results;
    for (Value value : producer.getBody()->getTerminator()->getOperands())
      produced.push_back(map.lookupOrDefault(value));
    for (OpResult result : kept)
      results.push_back(produced[result.getResultNumber()]);
    for (auto [argument, index, operand] :
         llvm::zip_equal(consumer.getRegionInputArgs(), consumerInputs, consumer.getInputs()))
      map.map(argument,
              index ? arguments[*index] : produced[cast<OpResult>(operand).getResultNumber()]);
    unsigned first = operands.inputs.size() + kept.size();
    for (auto [argument, value] :
         llvm::zip_equal(consumer.getRegionOutputArgs(), arguments.drop_front(first)))
      map.map(argument, value);
    for (Operation &op : consumer.getBody()->without_terminator())
      b.clone(op, map);
    for (Value value : consumer.getBody()->getTerminator()->getOperands())
      results.push_back(map.lookupOrDefault(value));
    linalg::YieldOp::create(b, loc, results);
  }

  GenericOp producer, consumer;
  AffineMap loops;
  FusedOperands operands;
  SmallVector<unsigned> producerInputs;
  SmallVector<std::optional<unsigned>> consumerInputs;
  /// Results of the producer that others use.
  SmallVector<OpResult> kept;
};
} // namespace

/// Fuses one of the producers of `consumer` into it.
static GenericOp fuseOne(GenericOp consumer) {
  for (Value input : consumer.getInputs()) {
    auto producer = input.getDefiningOp<GenericOp>();
    if (!producer || producer->getBlock() != consumer->getBlock() || !isElementwise(producer) ||
        llvm::any_of(consumer.getDpsInits(),
                     [&](Value init) { return init.getDefiningOp() == producer; }))
      continue;
    AffineMap loops = alignLoops(producer, consumer);
    if (!loops)
      continue;
    bool isShared =
        llvm::any_of(producer->getUsers(), [&](Operation *user) { return user != consumer; });
    bool isReduction = consumer.getNumReductionLoops() != 0;
    if (isShared && isCheap(producer) && (isReduction || !areOthersLater(producer, consumer))) {
      // Computed again rather than kept for the others.
      OpBuilder b(producer);
      auto copy = cast<GenericOp>(b.clone(*producer));
      for (OpOperand *operand : consumer.getDpsInputOperands())
        if (operand->get().getDefiningOp() == producer)
          operand->set(copy->getResult(cast<OpResult>(operand->get()).getResultNumber()));
      producer = copy;
    } else if (isShared && !areOthersLater(producer, consumer)) {
      continue;
    }
    if (GenericOp fused = Fusion(producer, consumer, loops).run())
      return fused;
    if (producer->use_empty())
      producer.erase();
  }
  return {};
}

/// The scalar in place of a tensor that is filled with it.
static void foldFills(GenericOp op) {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<unsigned> filled;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    auto fill = operand->get().getDefiningOp<linalg::FillOp>();
    if (fill && fill.hasPureTensorSemantics()) {
      filled.push_back(operand->getOperandNumber());
      op.getBody()->getArgument(operand->getOperandNumber()).replaceAllUsesWith(fill.value());
      continue;
    }
    inputs.push_back(operand->get());
    maps.push_back(op.getMatchingIndexingMap(operand));
  }
  if (filled.empty())
    return;
  for (OpOperand &operand : op.getDpsInitsMutable())
    maps.push_back(op.getMatchingIndexingMap(&operand));
  if (!tellAllExtents(maps, op.getContext()))
    return;
  for (unsigned index : llvm::reverse(filled))
    op.getBody()->eraseArgument(index);
  op.getInputsMutable().assign(inputs);
  op.setIndexingMapsAttr(OpBuilder(op).getAffineMapArrayAttr(maps));
}

namespace {
struct FuseElementwisePass : pypto::impl::FuseElementwiseBase<FuseElementwisePass> {
  void runOnModule() override {
    SmallVector<GenericOp> ops;
    getOperation().walk([&](GenericOp op) {
      if (op.hasPureTensorSemantics())
        ops.push_back(op);
    });
    for (GenericOp op : ops)
      foldFills(op);
    // In program order a producer has taken up its own producers already. Producers are erased
    // only after they were looked at.
    for (GenericOp op : ops)
      while (op)
        op = fuseOne(op);
  }
};
} // namespace
