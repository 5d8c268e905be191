// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands that are read across their rows are turned around block by block.
#include "Heuristics.h"
#include "pypto/Loops/Passes.h"
#include "pypto/Loops/Transpose.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::loops;
using linalg::LinalgOp;

namespace pypto {
#define GEN_PASS_DEF_BLOCKTRANSPOSES
#include "pypto/Loops/Passes.h.inc"
} // namespace pypto

/// Rows of 16 elements of 32 bits are turned around in registers.
static constexpr int64_t kLanes = kTransposeUnit;

/// The loop whose iterations are at consecutive elements of an operand.
static std::optional<unsigned> getContiguousLoop(LinalgOp op, OpOperand &operand) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  // Rows of tensors count as contiguous.
  bool isContiguous = isa<RankedTensorType>(operand.get().getType()) ||
                      (type && type.isStrided() && type.getRank() != 0 &&
                       type.getStridesAndOffset().first.back() == 1);
  if (map.getNumResults() == 0 || !isContiguous)
    return std::nullopt;
  auto dim = dyn_cast<AffineDimExpr>(map.getResults().back());
  return dim ? std::optional<unsigned>(dim.getPosition()) : std::nullopt;
}

namespace {
/// What is read across its rows: `op` walks along the loop `columns` of its results, and these
/// operands along `rows`.
struct Transposed {
  unsigned rows = 0, columns = 0;
  SmallVector<unsigned> operands;
};
} // namespace

static bool isLarge(int64_t extent) {
  return ShapedType::isDynamic(extent) || extent >= kLanes / 2;
}

static std::optional<Transposed> match(LinalgOp op) {
  if (op.getNumParallelLoops() != op.getNumLoops() || op.getNumDpsInits() != 1)
    return std::nullopt;
  std::optional<unsigned> columns = getContiguousLoop(op, *op.getDpsInitOperand(0));
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (!columns || !isLarge(extents[*columns]))
    return std::nullopt;
  Transposed found;
  found.columns = *columns;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    std::optional<unsigned> rows = getContiguousLoop(op, *operand);
    if (!rows || rows == columns || !isLarge(extents[*rows]) || !map.isFunctionOfDim(*columns) ||
        !map.isProjectedPermutation() || (!found.operands.empty() && *rows != found.rows) ||
        op.getMatchingBlockArgument(operand).use_empty())
      continue;
    found.rows = *rows;
    found.operands.push_back(operand->getOperandNumber());
  }
  return found.operands.empty() ? std::nullopt : std::optional(found);
}

bool pypto::loops::readsAcrossRows(LinalgOp op) { return match(op).has_value(); }

//===- Blocks -----------------------------------------------------------------------===//

namespace {
/// Copies one block of an operand so that its rows become columns.
class Copier {
public:
  Copier(ImplicitLocOpBuilder &b, Value from, unsigned columnPosition, Value to,
         OpFoldResult numRows, OpFoldResult numColumns)
      : b(b), from(from), to(to), columnPosition(columnPosition), numRows(numRows),
        numColumns(numColumns) {}

  void emit();

private:
  Value getIndex(OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), value);
  }
  Value constant(int64_t value) { return arith::ConstantIndexOp::create(b, value); }
  /// Where the element of a row and a column is in `from`.
  SmallVector<Value> getAddress(Value row, Value column) {
    SmallVector<Value> address(cast<MemRefType>(from.getType()).getRank(), constant(0));
    address[columnPosition] = column;
    address.back() = row;
    return address;
  }
  bool isWhole() const {
    auto rows = getConstantIntValue(numRows), columns = getConstantIntValue(numColumns);
    return rows && columns && *rows % kLanes == 0 && *columns % kLanes == 0;
  }
  Value load(VectorType type, Value row, Value column);
  void emitVectors();
  void emitElements();
  /// Loops over columns and, inside, rows.
  void forEach(int64_t step, llvm::function_ref<void(Value, Value)> body);

  ImplicitLocOpBuilder &b;
  Value from, to;
  unsigned columnPosition;
  OpFoldResult numRows, numColumns;
};
} // namespace

void Copier::forEach(int64_t step, llvm::function_ref<void(Value, Value)> body) {
  OpBuilder::InsertionGuard guard(b);
  Value zero = constant(0), by = constant(step);
  auto columns = scf::ForOp::create(b, zero, getIndex(numColumns), by);
  b.setInsertionPointToStart(columns.getBody());
  auto rows = scf::ForOp::create(b, zero, getIndex(numRows), by);
  b.setInsertionPointToStart(rows.getBody());
  body(rows.getInductionVar(), columns.getInductionVar());
}

/// Elements of `column` from `row` on; those that are not there are not read.
Value Copier::load(VectorType type, Value row, Value column) {
  SmallVector<Value> address = getAddress(row, column);
  if (isWhole())
    return vector::LoadOp::create(b, type, from, address);
  Value rest = arith::SubIOp::create(b, getIndex(numRows), row);
  Value isThere = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, column, getIndex(numColumns));
  Value count = arith::SelectOp::create(b, isThere, rest, constant(0));
  Value mask = vector::CreateMaskOp::create(b, type.clone(b.getI1Type()), count);
  Value zeros = arith::ConstantOp::create(b, b.getZeroAttr(type));
  return vector::MaskedLoadOp::create(b, type, from, address, mask, zeros);
}

void Copier::emitVectors() {
  Type element = cast<MemRefType>(from.getType()).getElementType();
  auto line = VectorType::get(kLanes, element);
  forEach(kLanes, [&](Value row, Value column) {
    SmallVector<Value> lines;
    for (int64_t i = 0; i != kLanes; ++i)
      lines.push_back(load(line, row, arith::AddIOp::create(b, column, constant(i))));
    loops::transpose(b, lines);
    for (auto [i, turned] : llvm::enumerate(lines))
      vector::StoreOp::create(b, turned, to,
                              ValueRange{arith::AddIOp::create(b, row, constant(i)), column});
  });
}

void Copier::emitElements() {
  forEach(1, [&](Value row, Value column) {
    Value element = memref::LoadOp::create(b, from, getAddress(row, column));
    memref::StoreOp::create(b, element, to, ValueRange{row, column});
  });
}

void Copier::emit() {
  Type element = cast<MemRefType>(from.getType()).getElementType();
  if (element.isF32() || element.isInteger(32))
    emitVectors();
  else
    emitElements();
}

//===- Operations -------------------------------------------------------------------===//

/// The begin of what one thread runs: memory on the stack is taken once there.
static Block *getFrame(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (isa<scf::ParallelOp>(parent) || parent->hasTrait<OpTrait::AutomaticAllocationScope>())
      return &parent->getRegion(0).front();
  return nullptr;
}

/// Blocks of `op`, each of which reads copies of the transposed operands along their rows.
static void block(IRRewriter &rewriter, LinalgOp op, const Transposed &transposed, int64_t side) {
  rewriter.setInsertionPoint(op);
  if (!isa<linalg::GenericOp>(op)) {
    Attribute schedule = op->getAttr(kScheduleAttrName);
    op = *linalg::generalizeNamedOp(rewriter, op);
    if (schedule)
      op->setAttr(kScheduleAttrName, schedule);
  }
  Block *frame = getFrame(op);
  SmallVector<int64_t> sizes(op.getNumLoops(), 1);
  sizes[transposed.rows] = sizes[transposed.columns] = side;
  linalg::LinalgTilingOptions options;
  options.setTileSizes(sizes);
  FailureOr<linalg::TiledLinalgOp> tiled = linalg::tileLinalgOp(rewriter, op, options);
  if (failed(tiled))
    return;
  rewriter.eraseOp(op);
  auto inner = cast<linalg::GenericOp>(tiled->op);
  ImplicitLocOpBuilder b(inner.getLoc(), rewriter);
  SmallVector<AffineMap> maps = inner.getIndexingMapsArray();
  AffineExpr row = b.getAffineDimExpr(transposed.rows),
             column = b.getAffineDimExpr(transposed.columns);
  for (unsigned number : transposed.operands) {
    OpOperand &operand = inner->getOpOperand(number);
    Value from = operand.get();
    auto type = cast<MemRefType>(from.getType());
    unsigned position = *maps[number].getResultPosition(column);
    b.setInsertionPointToStart(frame);
    Value copy = memref::AllocaOp::create(b, MemRefType::get({side, side}, type.getElementType()),
                                          b.getI64IntegerAttr(64));
    b.setInsertionPoint(inner);
    OpFoldResult numRows = memref::getMixedSize(b, b.getLoc(), from, type.getRank() - 1);
    OpFoldResult numColumns = memref::getMixedSize(b, b.getLoc(), from, position);
    Copier(b, from, position, copy, numRows, numColumns).emit();
    SmallVector<OpFoldResult> zeros(2, b.getIndexAttr(0)), ones(2, b.getIndexAttr(1));
    Value part = memref::SubViewOp::create(b, copy, zeros,
                                           SmallVector<OpFoldResult>{numRows, numColumns}, ones);
    operand.set(part);
    maps[number] = AffineMap::get(inner.getNumLoops(), 0, {row, column}, b.getContext());
  }
  inner.setIndexingMapsAttr(b.getAffineMapArrayAttr(maps));
}

namespace {
struct BlockTransposesPass : pypto::impl::BlockTransposesBase<BlockTransposesPass> {
  void runOnModule() override {
    SmallVector<LinalgOp> ops;
    getOperation().walk([&](LinalgOp op) {
      if (op.hasPureBufferSemantics())
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (LinalgOp op : ops) {
      std::optional<Transposed> transposed = match(op);
      if (!transposed)
        continue;
      if (failed(verifySchedule(op)))
        return signalPassFailure();
      int64_t side = makeSchedule(op, getGivenSchedule(op), LoopTarget()).transposeBlock;
      if (side != 1)
        block(rewriter, op, *transposed, side);
    }
  }
};
} // namespace
