// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScanParts.h"
#include "Combiner.h"
#include "Parts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace pypto::loops;
using linalg::LinalgOp;

/// Parts of a block, and bytes of one: all of them are in the cache of one thread.
static constexpr int64_t kParts = 8, kPartBytes = 1 << 16;

/// The only result that all iterations combine to; none if there is another, or if it is no scan.
static std::optional<unsigned> findCombined(LinalgOp op, unsigned loop) {
  std::optional<unsigned> found;
  for (unsigned result = 0, e = op.getNumDpsInits(); result != e; ++result) {
    OpOperand *init = op.getDpsInitOperand(result);
    if (op.getMatchingIndexingMap(init).isFunctionOfDim(loop)) {
      if (!op.getMatchingBlockArgument(init).use_empty())
        return std::nullopt;
      continue;
    }
    auto type = dyn_cast<MemRefType>(init->get().getType());
    if (found || !type || !type.hasStaticShape() || type.getNumElements() != 1 ||
        !matchScan(op, result))
      return std::nullopt;
    found = result;
  }
  return found;
}

static int64_t getPartSize(LinalgOp op) {
  int64_t bits = 8;
  for (Value operand : op->getOperands())
    if (Type element = getElementTypeOrSelf(operand.getType()); element.isIntOrFloat())
      bits = std::max<int64_t>(bits, element.getIntOrFloatBitWidth());
  return kPartBytes * 8 / bits;
}

/// True if the extents of all loops follow from the inputs and the result that is combined: a scan
/// of a constant has no input.
static bool hasExtents(LinalgOp op, unsigned combined) {
  SmallVector<AffineMap> maps = {op.getMatchingIndexingMap(op.getDpsInitOperand(combined))};
  for (OpOperand *input : op.getDpsInputOperands())
    maps.push_back(op.getMatchingIndexingMap(input));
  return bool(inversePermutation(concatAffineMaps(maps, op.getContext())));
}

bool pypto::loops::isLongScan(LinalgOp op, unsigned loop) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (auto [other, extent] : llvm::enumerate(extents))
    if (other != loop && extent != 1)
      return false;
  return !ShapedType::isDynamic(extents[loop]) && extents[loop] >= 2 * kParts * getPartSize(op) &&
         op.getNumDpsInits() > 1 &&
         llvm::all_of(op->getOpOperands(),
                      [&](OpOperand &operand) { return hasParts(operand, loop); }) &&
         findCombined(op, loop) && hasExtents(op, *findCombined(op, loop));
}

namespace {
/// The pieces of one scan.
class ScanSplitter {
public:
  ScanSplitter(LinalgOp op, unsigned loop)
      : op(op), loop(loop), b(op.getLoc(), op), combined(*findCombined(op, loop)),
        combiner(*matchScan(op, combined)), size(getPartSize(op)) {}

  void run();

private:
  Value constant(int64_t value) { return arith::ConstantIndexOp::create(b, value); }
  /// The iterations from `first` on; without `scans` they are only combined, in `accumulator`.
  void emitPart(Value first, int64_t count, Value accumulator, bool scans);
  /// The parts of the block that begins at `first`.
  void emitParts(Value first, bool scans);
  void emitStarts();

  LinalgOp op;
  unsigned loop;
  ImplicitLocOpBuilder b;
  unsigned combined;
  Combiner combiner;
  int64_t size;
  Value accumulator, partials;
};
} // namespace

void ScanSplitter::emitPart(Value first, int64_t count, Value accumulator, bool scans) {
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    if (&operand == op.getDpsInitOperand(combined))
      operands.push_back(accumulator);
    else if (scans || op.isDpsInput(&operand))
      operands.push_back(getPart(b, operand, loop, first, b.getIndexAttr(count)));
  }
  LinalgOp part;
  if (scans) {
    part = cast<LinalgOp>(mlir::clone(b, op, TypeRange(), operands));
  } else {
    unsigned numInputs = op.getNumDpsInputs();
    SmallVector<AffineMap> maps(op.getIndexingMapsArray());
    maps = SmallVector<AffineMap>(ArrayRef(maps).take_front(numInputs));
    maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(combined)));
    part = linalg::GenericOp::create(
        b, TypeRange(), ArrayRef(operands).take_front(numInputs), accumulator, maps,
        op.getIteratorTypesArray(), [&](OpBuilder &body, Location loc, ValueRange arguments) {
          IRMapping mapping;
          Block *block = op.getBlock();
          for (unsigned input = 0; input != numInputs; ++input)
            mapping.map(block->getArgument(input), arguments[input]);
          mapping.map(block->getArgument(numInputs + combined), arguments.back());
          for (Operation &nested : block->without_terminator())
            body.clone(nested, mapping);
          Value value = block->getTerminator()->getOperand(combined);
          linalg::YieldOp::create(body, loc, mapping.lookup(value));
        });
  }
  SmallVector<OpFoldResult> offsets(op.getNumLoops(), b.getIndexAttr(0));
  offsets[loop] = first;
  linalg::offsetIndices(b, part, offsets);
}

void ScanSplitter::emitParts(Value first, bool scans) {
  auto parts = scf::ParallelOp::create(b, constant(0), constant(kParts), constant(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(parts.getBody());
  Value number = parts.getInductionVars()[0];
  Value own = arith::AddIOp::create(b, first, arith::MulIOp::create(b, number, constant(size)));
  int64_t rank = cast<MemRefType>(accumulator.getType()).getRank();
  emitPart(own, size, getPartial(b, partials, number, rank), scans);
}

/// What each part starts from, in place of what it has.
void ScanSplitter::emitStarts() {
  Value zero = constant(0);
  auto parts = scf::ForOp::create(b, zero, constant(kParts), constant(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(parts.getBody());
  SmallVector<Value> only(cast<MemRefType>(accumulator.getType()).getRank(), zero);
  SmallVector<Value> place = {parts.getInductionVar(), zero};
  Value known = memref::LoadOp::create(b, accumulator, only);
  Value own = memref::LoadOp::create(b, partials, place);
  memref::StoreOp::create(b, known, partials, place);
  memref::StoreOp::create(b, combine(b, combiner, known, own)[0], accumulator, only);
}

void ScanSplitter::run() {
  accumulator = op.getDpsInits()[combined];
  partials = createPartials(b, getElementTypeOrSelf(accumulator.getType()), kParts);
  int64_t extent = op.getStaticLoopRanges()[loop], whole = extent / (kParts * size) * kParts * size;
  auto blocks = scf::ForOp::create(b, constant(0), constant(whole), constant(kParts * size));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(blocks.getBody());
    Value neutral = arith::ConstantOp::create(b, combiner.neutral);
    linalg::FillOp::create(b, neutral, partials);
    emitParts(blocks.getInductionVar(), /*scans=*/false);
    emitStarts();
    emitParts(blocks.getInductionVar(), /*scans=*/true);
  }
  if (whole != extent)
    emitPart(constant(whole), extent - whole, accumulator, /*scans=*/true);
  op.erase();
}

void pypto::loops::splitScan(LinalgOp op, unsigned loop) { ScanSplitter(op, loop).run(); }
