// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Combiner.h"
#include "Heuristics.h"
#include "Parts.h"
#include "ScanParts.h"
#include "VectorLoop.h"
#include "pypto/Loops/Passes.h"
#include "pypto/Properties/PassOptions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::loops;
using linalg::LinalgOp;

namespace pypto {
#define GEN_PASS_DEF_PARALLELIZEOPERATIONS
#include "pypto/Loops/Passes.h.inc"
} // namespace pypto

//===- Operations -------------------------------------------------------------------===//

namespace {
/// Splits one operation along one of its loops.
class Splitter {
public:
  Splitter(LinalgOp op, const LoopTarget &target) : op(op), target(target), b(op.getLoc(), op) {}

  void run();
  PartsChoice chooseParts();

private:
  bool choose();
  bool canSplit(unsigned candidate);
  bool isAlongRows();
  void fillPartials(int64_t numParts);
  void combinePartials(int64_t numParts);

  LinalgOp op;
  const LoopTarget &target;
  ImplicitLocOpBuilder b;
  unsigned loop = 0;
  /// For each result that all parts combine to: its combiner, and what the parts combine.
  SmallVector<std::optional<Combiner>> combiners;
  SmallVector<Value> partials;
};
} // namespace

/// True if parts of the loop `candidate` read and write parts of buffers.
bool Splitter::canSplit(unsigned candidate) {
  combiners.assign(op.getNumDpsInits(), std::nullopt);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!hasParts(operand, candidate))
      return false;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    auto type = dyn_cast<ShapedType>(operand.get().getType());
    if (map.isFunctionOfDim(candidate) || !op.isDpsInit(&operand))
      continue;
    unsigned result = operand.getOperandNumber() - op.getNumDpsInputs();
    combiners[result] = matchCombiner(op, result);
    // A selection is found by its element, which is there before or comes later.
    bool isNumber = llvm::any_of(combiners, [&](const std::optional<Combiner> &other) {
      return other && other->isSelection() && llvm::is_contained(other->results, result);
    });
    if ((!combiners[result] && !isNumber) || map.getNumResults() > 1 || !type ||
        !type.hasStaticShape() || type.getNumElements() != 1)
      return false;
  }
  return true;
}

/// The outermost loop whose iterations write elements of their own, else the outermost loop.
bool Splitter::choose() {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (utils::IteratorType type : {utils::IteratorType::parallel, utils::IteratorType::reduction})
    for (auto [candidate, other] : llvm::enumerate(op.getIteratorTypesArray())) {
      if (other != type || extents[candidate] == 1)
        continue;
      loop = candidate;
      // The loop along the elements is split only if there is no other.
      return canSplit(candidate);
    }
  return false;
}

/// Fewest elements of a part of a row.
static constexpr int64_t kMinRow = 2048;

/// True if the loop goes along consecutive elements of an operand.
bool Splitter::isAlongRows() {
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    return map.getNumResults() != 0 && map.getResults().back().isFunctionOfDim(loop);
  });
}

void Splitter::fillPartials(int64_t numParts) {
  partials.assign(op.getNumDpsInits(), Value());
  Value zero = arith::ConstantIndexOp::create(b, 0);
  for (const std::optional<Combiner> &combiner : combiners) {
    if (!combiner)
      continue;
    for (unsigned result : combiner->results) {
      Value init = op.getDpsInits()[result];
      Value partial = createPartials(b, getElementTypeOrSelf(init.getType()), numParts);
      SmallVector<Value> only(cast<MemRefType>(init.getType()).getRank(), zero);
      Value start = combiner->isSelection()
                        ? Value(memref::LoadOp::create(b, init, only))
                        : Value(arith::ConstantOp::create(b, combiner->neutral));
      linalg::FillOp::create(b, start, partial);
      partials[result] = partial;
    }
  }
}

void Splitter::combinePartials(int64_t numParts) {
  if (llvm::none_of(partials, [](Value partial) { return partial; }))
    return;
  Value zero = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1);
  Value count = arith::ConstantIndexOp::create(b, numParts);
  auto all = scf::ForOp::create(b, zero, count, one);
  b.setInsertionPointToStart(all.getBody());
  for (const std::optional<Combiner> &combiner : combiners) {
    if (!combiner)
      continue;
    SmallVector<Value> known, next, only;
    for (unsigned result : combiner->results) {
      Value init = op.getDpsInits()[result];
      only.assign(cast<MemRefType>(init.getType()).getRank(), zero);
      known.push_back(memref::LoadOp::create(b, init, only));
      next.push_back(
          memref::LoadOp::create(b, partials[result], ValueRange{all.getInductionVar(), zero}));
    }
    for (auto [result, value] :
         llvm::zip_equal(combiner->results, combine(b, *combiner, known, next))) {
      only.assign(cast<MemRefType>(op.getDpsInits()[result].getType()).getRank(), zero);
      memref::StoreOp::create(b, value, op.getDpsInits()[result], only);
    }
  }
}

/// Parts of the loop that `choose` found.
PartsChoice Splitter::chooseParts() {
  if (!isa<func::FuncOp>(op->getParentOp()) || op.getNumLoops() == 0 || !choose())
    return {};
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  int64_t extent = ShapedType::isDynamic(extents[loop]) ? kUnknownExtent : extents[loop];
  int64_t numParts = getNumParts(loops::getWork(op) / std::max<int64_t>(extent, 1), extent, target);
  // What is added up row after row needs parts of rows that are long.
  if (op.getNumReductionLoops() != 0 &&
      op.getIteratorTypesArray()[loop] == utils::IteratorType::parallel && isAlongRows())
    numParts = std::min(numParts, extent / kMinRow);
  numParts = std::max<int64_t>(numParts, 1);
  // Parts are combined in their order, which a sum of floats depends on.
  bool isFixed = hasOpenOrder(op, target.vectorBits);
  for (auto [result, combiner] : llvm::enumerate(combiners))
    isFixed |= combiner && isa<FloatType>(getElementTypeOrSelf(op.getDpsInits()[result].getType()));
  // A part has a whole vector, else vectors might go along another loop.
  std::optional<VectorBody> body = matchVectorBody(op, target.vectorBits);
  int64_t unit = body && body->getLoop() == loop ? body->getLanes() : 1;
  return {numParts, isFixed ? 1 : std::max(extent / unit, numParts)};
}

PartsChoice pypto::loops::chooseParts(LinalgOp op, const LoopTarget &target) {
  return Splitter(op, target).chooseParts();
}

void Splitter::run() {
  if (!op.hasPureBufferSemantics() || !isa<func::FuncOp>(op->getParentOp()) ||
      op.getNumLoops() == 0)
    return;
  if (!choose()) {
    if (isLongScan(op, loop))
      splitScan(op, loop);
    return;
  }
  int64_t numParts = makeSchedule(op, getGivenSchedule(op), target).parts;
  if (numParts <= 1)
    return;
  fillPartials(numParts);
  OpFoldResult size = op.createLoopRanges(b, b.getLoc())[loop].size;
  std::optional<Parts> parts = emitParts(b, size, numParts);
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned result = operand.getOperandNumber() - op.getNumDpsInputs();
    if (!op.isDpsInit(&operand) || !partials[result]) {
      operands.push_back(getPart(b, operand, loop, parts->first, parts->size));
      continue;
    }
    int64_t rank = cast<MemRefType>(operand.get().getType()).getRank();
    operands.push_back(getPartial(b, partials[result], parts->loop.getInductionVars()[0], rank));
  }
  auto part = cast<LinalgOp>(mlir::clone(b, op, TypeRange(), operands));
  SmallVector<OpFoldResult> offsets(op.getNumLoops(), b.getIndexAttr(0));
  offsets[loop] = parts->first;
  linalg::offsetIndices(b, part, offsets);
  b.setInsertionPointAfter(parts->loop);
  combinePartials(numParts);
  op.erase();
}

namespace {
struct ParallelizeOperationsPass
    : pypto::impl::ParallelizeOperationsBase<ParallelizeOperationsPass> {
  using ParallelizeOperationsBase::ParallelizeOperationsBase;

  LogicalResult initialize(MLIRContext *context) override {
    return pypto::OptionChecker(context, *this)
        .range("part-work", partWork, 1)
        .range("max-parts", maxParts, 1, 1 << 20);
  }

  void runOnModule() override {
    SmallVector<LinalgOp> ops;
    getOperation().walk([&](LinalgOp op) { ops.push_back(op); });
    LoopTarget target{.partWork = partWork, .maxParts = maxParts};
    if (llvm::any_of(ops, [](LinalgOp op) { return failed(verifySchedule(op)); }))
      return signalPassFailure();
    for (LinalgOp op : ops)
      Splitter(op, target).run();
  }
};
} // namespace
