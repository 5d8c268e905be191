// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops over blocks of a matrix product.
#include "MatmulEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pypto::matmul;

static constexpr int64_t kUnknown = std::numeric_limits<int64_t>::max();

static int64_t getSize(Index index) { return getConstantIntValue(index).value_or(kUnknown); }

namespace {
/// Sizes of the blocks of one product.
struct Plan {
  /// Rows of a kernel; rows and columns of a part that runs by itself; of a packed block.
  int64_t rows, mChunk, nChunk, mBlock, kBlock;
  bool packLhs = false, packRhs = false;
  /// Packed by columns, because the rows of the left operand are not contiguous but its columns
  /// are.
  bool lhsIsTransposed = false;
  /// Products of one row, along the rows or the columns of the right factor.
  enum class Row { No, AlongRows, AlongColumns } isRow = Row::No;
};

class ContractionEmitter {
public:
  ContractionEmitter(const Contraction &product, const Surroundings &around, const Tiling &tiling,
                     IndexBuilder &b)
      : product(product), around(around), tiling(tiling), b(b),
        kernels(b, product.getAccumulator(), tiling) {}
  bool emit();

private:
  /// The block of the output that a loop is at.
  struct Region {
    Index m, n, rows, columns;
  };

  void prepare();
  void makePlan();
  void planChunks();
  int64_t chooseRows() const;
  void emitParts();
  void emitChunk(Region region);
  void emitSums(Region region);
  void emitRow(Region region);
  void emitRowBlock(Region region, Index k, Index length, Value packedRhs, Value packedLhs);
  void emitPanel(Region region, int64_t numVectors, Index columns, Index k, Index length,
                 Source lhs, Source rhs);
  void emitTile(const RegisterBlock &block, Index m, Index n, Index row, Index k, Index length,
                Source lhs, Source rhs);
  void emitEpilogue(const RegisterBlock &block, Index m, Index n);
  void emitEpilogueVector(const RegisterBlock &block, ArrayRef<Value> masks, int64_t vector,
                          Index row, Index m, Index n);

  Index at(const FlatView &view, std::optional<unsigned> loop, Index index) {
    return loop ? b.mul(index, view.strides[*loop]) : b.constant(0);
  }
  Index strideOf(const FlatView &view, std::optional<unsigned> loop) {
    return loop ? view.strides[*loop] : b.constant(0);
  }
  /// What the outer loops add to the offset of `view`.
  Index outerOffset(const FlatView &view) {
    Index offset = view.offset;
    for (auto [loop, index] : outer)
      offset = b.add(offset, b.mul(index, view.strides[loop]));
    return offset;
  }
  Source getLhs(Index m, Index k) {
    return {lhs.flat, b.add(outerOffset(lhs), b.add(at(lhs, product.m, m), at(lhs, product.k, k))),
            strideOf(lhs, product.m), strideOf(lhs, product.k), product.lhs.casts};
  }
  Source getRhs(Index k, Index n) {
    return {rhs.flat, b.add(outerOffset(rhs), b.add(at(rhs, product.k, k), at(rhs, product.n, n))),
            strideOf(rhs, product.k), strideOf(rhs, product.n), product.rhs.casts};
  }

  Contraction product;
  const Surroundings &around;
  Tiling tiling;
  IndexBuilder &b;
  KernelEmitter kernels;
  Plan plan;
  FlatView lhs, rhs, out;
  /// Of the operands of the epilogue, its output included.
  SmallVector<FlatView> epilogueViews;
  SmallVector<Index> sizes;
  Index m, n, k;
  SmallVector<std::pair<unsigned, Index>> outer;
};
} // namespace

//===- Plan -----------------------------------------------------------------===//

void ContractionEmitter::prepare() {
  unsigned numLoops = product.op.getNumLoops();
  for (Range range : product.op.createLoopRanges(b, b.getLoc()))
    sizes.push_back(range.size);
  m = product.m ? sizes[*product.m] : b.constant(1);
  n = sizes[product.n];
  k = sizes[*product.k];
  lhs = flatten(b, product.lhs, numLoops);
  rhs = flatten(b, product.rhs, numLoops);
  Factor target = product.out;
  if (around.epilogue) {
    linalg::GenericOp epilogue = around.epilogue;
    for (OpOperand &operand : epilogue->getOpOperands()) {
      // In loops of the product.
      SmallVector<AffineExpr> exprs;
      for (AffineExpr expr : epilogue.getMatchingIndexingMap(&operand).getResults())
        exprs.push_back(isa<AffineDimExpr>(expr)
                            ? product.out.map.getResult(cast<AffineDimExpr>(expr).getPosition())
                            : expr);
      Factor factor{operand.get(), AffineMap::get(numLoops, 0, exprs, b.getContext()), {}};
      epilogueViews.push_back(flatten(b, factor, numLoops));
    }
    Value result = epilogue.getOutputs()[0];
    if (around.isPrivate &&
        cast<MemRefType>(result.getType()).getElementType() == product.getAccumulator())
      target.memref = result;
  }
  out = flatten(b, target, numLoops);
}

/// The height of kernels that wastes least: a kernel of few rows waits for its sums.
int64_t ContractionEmitter::chooseRows() const {
  int64_t size = getSize(m), best = tiling.rows, bestCost = kUnknown;
  if (size == kUnknown)
    return tiling.rows;
  for (int64_t rows = tiling.rows; rows > tiling.rows / 2; --rows) {
    int64_t rest = size % rows;
    int64_t cost = 8 * (size / rows) * std::max<int64_t>(rows, 4) +
                   (rest ? 8 * std::max<int64_t>(rest, 4) : 0) + 4 * llvm::divideCeil(size, rows);
    if (cost < bestCost) {
      best = rows;
      bestCost = cost;
    }
  }
  return std::min(best, std::max<int64_t>(size, 1));
}

/// Splits the output until a part is about `grain` products, so that there is something to run at
/// the same time.
void ContractionEmitter::planChunks() {
  int64_t width = kernels.getPanelColumns();
  int64_t rows = getSize(m), columns = getSize(n), depth = getSize(k);
  plan.mChunk = rows == kUnknown ? 512 : rows;
  plan.nChunk = columns == kUnknown ? 512 : columns;
  if (depth == kUnknown)
    depth = 512;
  // Large parts share packed copies best; two are enough for two threads.
  int64_t numParts = 1;
  auto work = [&] { return plan.mChunk * plan.nChunk * depth; };
  while (work() / 2 >= tiling.grain / 2 && (numParts < 2 || work() > tiling.part) &&
         numParts < 64) {
    if (plan.nChunk >= plan.mChunk && plan.nChunk >= 2 * width)
      plan.nChunk = llvm::alignTo(llvm::divideCeil(plan.nChunk, 2), width);
    else if (plan.mChunk >= 2 * plan.rows)
      plan.mChunk = llvm::alignTo(llvm::divideCeil(plan.mChunk, 2), plan.rows);
    else
      break;
    numParts *= 2;
  }
  plan.mChunk = llvm::alignTo(plan.mChunk, plan.rows);
  plan.nChunk = llvm::alignTo(plan.nChunk, width);
}

void ContractionEmitter::makePlan() {
  plan.rows = chooseRows();
  planChunks();
  int64_t depth = getSize(k);
  plan.kBlock = tiling.kBlock;
  if (depth != kUnknown)
    plan.kBlock =
        depth <= tiling.kBlock
            ? std::max<int64_t>(depth, 1)
            : llvm::alignTo(llvm::divideCeil(depth, llvm::divideCeil(depth, tiling.kBlock)), 8);
  plan.mBlock = std::max(plan.rows, tiling.mBlock / plan.rows * plan.rows);
  int64_t bytes = product.getAccumulator().getIntOrFloatBitWidth() / 8;
  auto getStride = [&](const FlatView &view, std::optional<unsigned> loop) {
    return loop ? getSize(view.strides[*loop]) : 0;
  };
  auto isAwkward = [&](int64_t stride) {
    return stride == kUnknown || (stride * bytes) % 2048 == 0;
  };
  int64_t numRows = getSize(m), numColumns = getSize(n);
  int64_t rhsBytes =
      depth == kUnknown || numColumns == kUnknown ? kUnknown : depth * numColumns * bytes;
  bool isReadOften = numRows > 3 * plan.rows;
  plan.packRhs = getStride(rhs, product.n) != 1 ||
                 (isReadOften && (!product.rhs.casts.empty() || rhsBytes > (256 << 10) ||
                                  getStride(rhs, product.k) == kUnknown));
  int64_t lhsColumn = getStride(lhs, product.k), lhsRow = getStride(lhs, product.m);
  if (numRows == 1 && getStride(rhs, product.n) == 1)
    plan.isRow = Plan::Row::AlongRows;
  else if (numRows == 1 && getStride(rhs, product.k) == 1 && lhsColumn == 1)
    plan.isRow = Plan::Row::AlongColumns;
  // A few rows with a large factor: go along its rows as far as pages reach.
  if (numRows <= 2 * plan.rows && !plan.packRhs && rhsBytes > (1 << 20))
    plan.kBlock = std::min<int64_t>(plan.kBlock, 64);
  bool isWide = numColumns > 2 * kernels.getPanelColumns();
  plan.lhsIsTransposed = lhsColumn != 1 && lhsRow == 1;
  plan.packLhs =
      product.m && ((lhsColumn != 1 && (!plan.lhsIsTransposed || isWide)) ||
                    (isWide && (!product.lhs.casts.empty() || (isAwkward(lhsRow) && numRows > 4))));
}

//===- Parts ----------------------------------------------------------------===//

bool ContractionEmitter::emit() {
  prepare();
  if (getConstantIntValue(out.strides[product.n]) != 1)
    return false;
  makePlan();
  emitParts();
  return true;
}

/// One loop, parallel where that pays, over the outer loops and the parts of the output.
void ContractionEmitter::emitParts() {
  SmallVector<Index> extents;
  for (unsigned loop : product.outerParallel)
    extents.push_back(sizes[loop]);
  extents.push_back(b.ceilDiv(m, plan.mChunk));
  extents.push_back(b.ceilDiv(n, plan.nChunk));
  SmallVector<Value> upper;
  for (Index extent : extents)
    if (getConstantIntValue(extent) != 1)
      upper.push_back(b.value(extent));
  ValueRange indices;
  OpBuilder::InsertionGuard guard(b);
  if (!upper.empty()) {
    SmallVector<Value> lower(upper.size(), b.value(b.constant(0))),
        step(upper.size(), b.value(b.constant(1)));
    auto loop = scf::ParallelOp::create(b, lower, upper, step);
    b.setInsertionPointToStart(loop.getBody());
    indices = loop.getInductionVars();
  }
  SmallVector<Index> places;
  for (Index extent : extents) {
    if (getConstantIntValue(extent) == 1) {
      places.push_back(b.constant(0));
      continue;
    }
    places.push_back(indices.front());
    indices = indices.drop_front();
  }
  for (auto [loop, place] : llvm::zip(product.outerParallel, places))
    outer.emplace_back(loop, place);
  Index mBase = b.mul(places.end()[-2], b.constant(plan.mChunk));
  Index nBase = b.mul(places.back(), b.constant(plan.nChunk));
  emitChunk({mBase, nBase, b.min(b.sub(m, mBase), b.constant(plan.mChunk)),
             b.min(b.sub(n, nBase), b.constant(plan.nChunk))});
}

void ContractionEmitter::emitChunk(Region region) {
  if (product.outerReduction.empty())
    return emitSums(region);
  std::function<void(unsigned)> nest = [&](unsigned depth) {
    if (depth == product.outerReduction.size())
      return emitSums(region);
    unsigned loop = product.outerReduction[depth];
    b.forEach(b.constant(0), sizes[loop], 1, [&](Index index) {
      outer.emplace_back(loop, index);
      nest(depth + 1);
      outer.pop_back();
    });
  };
  nest(0);
}

void ContractionEmitter::emitRow(Region region) {
  Source left = getLhs(region.m, b.constant(0)), right = getRhs(b.constant(0), region.n);
  Index offset = b.add(outerOffset(out), b.add(at(out, product.m, region.m), region.n));
  bool isZeroed = around.fill != nullptr;
  if (plan.isRow == Plan::Row::AlongRows)
    kernels.emitRowProduct(left, right, k, region.columns, out.flat, offset, isZeroed);
  else
    kernels.emitColumnProduct(left, right, k, region.columns, out.flat, offset, isZeroed);
  if (!around.epilogue)
    return;
  int64_t width = kernels.getPanelColumns();
  Index full = b.mul(b.floorDiv(region.columns, width), b.constant(width));
  b.forEach(b.constant(0), full, width, [&](Index column) {
    emitEpilogue({1, tiling.vectors, {}}, region.m, b.add(region.n, column));
  });
  b.onlyIf(b.lessThan(full, region.columns), [&] {
    emitEpilogue({1, tiling.vectors, b.sub(region.columns, full)}, region.m, b.add(region.n, full));
  });
}

static Value allocate(IndexBuilder &b, int64_t elements, Type element) {
  auto type = MemRefType::get({elements}, element);
  Value buffer = memref::AllocOp::create(b, type, b.getI64IntegerAttr(64));
  return memref::CastOp::create(b, MemRefType::get({ShapedType::kDynamic}, element), buffer);
}

/// Row stride of packed rows: rows that are not a multiple of a page apart.
static int64_t getRowStride(int64_t kBlock) { return llvm::alignTo(kBlock, 16) + 16; }

void ContractionEmitter::emitSums(Region region) {
  if (plan.isRow != Plan::Row::No)
    return emitRow(region);
  Type element = product.getAccumulator();
  Value packedRhs, packedLhs;
  if (plan.packRhs)
    packedRhs = allocate(b, plan.nChunk * plan.kBlock, element);
  if (plan.packLhs) {
    int64_t mBlock = std::min(plan.mBlock, plan.mChunk);
    int64_t width = llvm::alignTo(plan.rows, kernels.getLanes());
    packedLhs = allocate(b,
                         plan.lhsIsTransposed ? mBlock / plan.rows * width * plan.kBlock
                                              : mBlock * getRowStride(plan.kBlock),
                         element);
  }
  // A sum of nothing is zero, or what it is added to; and what follows it has to happen.
  Index upper = around.fill || around.epilogue ? b.max(k, b.constant(1)) : k;
  b.forEach(b.constant(0), upper, plan.kBlock, [&](Index kBase) {
    Index length = b.min(b.sub(k, kBase), b.constant(plan.kBlock));
    if (packedRhs)
      kernels.packPanels(getRhs(kBase, region.n), length, region.columns, packedRhs, plan.kBlock);
    b.forEach(b.constant(0), region.rows, plan.mBlock, [&](Index row) {
      Region block{b.add(region.m, row), region.n,
                   b.min(b.sub(region.rows, row), b.constant(plan.mBlock)), region.columns};
      emitRowBlock(block, kBase, length, packedRhs, packedLhs);
    });
  });
  for (Value buffer : {packedRhs, packedLhs})
    if (buffer)
      memref::DeallocOp::create(b, buffer.getDefiningOp()->getOperand(0));
}

void ContractionEmitter::emitRowBlock(Region region, Index kBase, Index length, Value packedRhs,
                                      Value packedLhs) {
  Source left = getLhs(region.m, kBase);
  if (packedLhs && plan.lhsIsTransposed) {
    int64_t width = llvm::alignTo(plan.rows, kernels.getLanes());
    kernels.packStrips(left, region.rows, length, packedLhs, plan.rows, width, plan.kBlock);
    left = {packedLhs, b.constant(0), b.constant(1), b.constant(width), {}};
  } else if (packedLhs) {
    int64_t stride = getRowStride(plan.kBlock);
    kernels.packRows(left, region.rows, length, packedLhs, stride);
    left = {packedLhs, b.constant(0), b.constant(stride), b.constant(1), {}};
  }
  int64_t width = kernels.getPanelColumns();
  auto panel = [&](Index column, int64_t numVectors, Index columns) {
    Source right = packedRhs ? Source{packedRhs,
                                      b.mul(column, b.constant(plan.kBlock)),
                                      b.constant(width),
                                      b.constant(1),
                                      {}}
                             : getRhs(kBase, b.add(region.n, column));
    emitPanel({region.m, b.add(region.n, column), region.rows, region.columns}, numVectors, columns,
              kBase, length, left, right);
  };
  Index full = b.mul(b.floorDiv(region.columns, width), b.constant(width));
  b.forEach(b.constant(0), full, width, [&](Index column) { panel(column, tiling.vectors, {}); });
  int64_t rest = getSize(n) == kUnknown ? kUnknown : getSize(n) % width;
  if (rest == 0)
    return;
  b.onlyIf(b.lessThan(full, region.columns), [&] {
    int64_t numVectors =
        rest == kUnknown ? tiling.vectors : int64_t(llvm::divideCeil(rest, kernels.getLanes()));
    panel(full, numVectors, rest == kUnknown ? b.sub(region.columns, full) : b.constant(rest));
  });
}

void ContractionEmitter::emitPanel(Region region, int64_t numVectors, Index columns, Index kBase,
                                   Index length, Source left, Source right) {
  auto tile = [&](Index row, int64_t rows) {
    emitTile({rows, numVectors, columns}, b.add(region.m, row), region.n, row, kBase, length, left,
             right);
  };
  Index full = b.mul(b.floorDiv(region.rows, plan.rows), b.constant(plan.rows));
  b.forEach(b.constant(0), full, plan.rows, [&](Index row) { tile(row, plan.rows); });
  if (int64_t size = getSize(m); size != kUnknown) {
    if (int64_t rest = size % plan.rows)
      b.onlyIf(b.lessThan(full, region.rows), [&] { tile(full, rest); });
    return;
  }
  // Powers of two that add up to the rest.
  Index row = full, rest = b.sub(region.rows, full);
  for (int64_t rows = llvm::PowerOf2Ceil(plan.rows) / 2; rows != 0; rows /= 2) {
    Index bit = arith::AndIOp::create(b, b.value(rest), b.value(b.constant(rows))).getResult();
    b.onlyIf(b.lessThan(b.constant(0), bit), [&] { tile(row, rows); });
    row = b.add(row, bit);
  }
}

void ContractionEmitter::emitTile(const RegisterBlock &block, Index mBase, Index nBase, Index row,
                                  Index kBase, Index length, Source left, Source right) {
  if (plan.packLhs && plan.lhsIsTransposed) {
    int64_t width = llvm::alignTo(plan.rows, kernels.getLanes());
    Index strip = b.floorDiv(row, plan.rows);
    left.offset = b.add(b.mul(strip, b.constant(plan.kBlock * width)),
                        b.sub(row, b.mul(strip, b.constant(plan.rows))));
  } else {
    left.offset = b.add(left.offset, b.mul(row, left.rowStride));
  }
  Index offset = b.add(outerOffset(out), b.add(at(out, product.m, mBase), nBase));
  Value isFirst = around.fill ? b.equal(kBase, b.constant(0)) : Value();
  kernels.emitKernel(block, left, right, length, out.flat, offset, strideOf(out, product.m),
                     isFirst);
  if (around.epilogue)
    b.onlyIf(b.lessThan(b.sub(k, b.constant(1)), b.add(kBase, b.constant(plan.kBlock))),
             [&] { emitEpilogue(block, mBase, nBase); });
}

//===- Epilogue -------------------------------------------------------------===//

void ContractionEmitter::emitEpilogue(const RegisterBlock &block, Index mBase, Index nBase) {
  SmallVector<Value> masks = kernels.makeMasks(block);
  b.forEach(b.constant(0), b.constant(block.rows), 1, [&](Index row) {
    for (int64_t i = 0; i != block.numVectors; ++i)
      emitEpilogueVector(block, masks, i, b.add(mBase, row), mBase, nBase);
  });
}

void ContractionEmitter::emitEpilogueVector(const RegisterBlock &block, ArrayRef<Value> masks,
                                            int64_t vector, Index row, Index, Index nBase) {
  linalg::GenericOp epilogue = around.epilogue;
  IRMapping mapping;
  auto place = [&](const FlatView &view) {
    Index column = b.add(nBase, b.constant(vector * kernels.getLanes()));
    return b.add(outerOffset(view),
                 b.add(at(view, product.m, row), b.mul(column, view.strides[product.n])));
  };
  for (OpOperand *operand : epilogue.getDpsInputOperands()) {
    bool isProduct = operand->get() == product.out.memref;
    const FlatView &view = isProduct ? out : epilogueViews[operand->getOperandNumber()];
    BlockArgument argument = epilogue.getMatchingBlockArgument(operand);
    if (argument.use_empty())
      continue;
    VectorType type = kernels.getVectorType(argument.getType());
    Value value;
    if (getConstantIntValue(view.strides[product.n]) == 1)
      value = kernels.load(view.flat, place(view), type, masks[vector]);
    else
      value = vector::BroadcastOp::create(
          b, type, memref::LoadOp::create(b, view.flat, b.value(place(view))));
    mapping.map(argument, value);
  }
  const FlatView &result = epilogueViews.back();
  BlockArgument old = epilogue.getRegionOutputArgs()[0];
  if (!old.use_empty())
    mapping.map(old, kernels.load(result.flat, place(result), kernels.getVectorType(old.getType()),
                                  masks[vector]));
  auto getVector = [&](Value value) -> Value {
    Value mapped = mapping.lookupOrDefault(value);
    if (isa<VectorType>(mapped.getType()))
      return mapped;
    return vector::BroadcastOp::create(b, kernels.getVectorType(value.getType()), mapped);
  };
  for (Operation &op : epilogue.getBody()->without_terminator()) {
    if (isa<arith::ConstantOp>(op)) {
      mapping.map(op.getResult(0), b.clone(op)->getResult(0));
      continue;
    }
    SmallVector<Value> operands = llvm::map_to_vector(op.getOperands(), getVector);
    SmallVector<Type> types;
    for (Type type : op.getResultTypes())
      types.push_back(kernels.getVectorType(type));
    Operation *copy =
        b.create(b.getLoc(), op.getName().getIdentifier(), operands, types, op.getAttrs());
    mapping.map(op.getResults(), copy->getResults());
  }
  Value stored = getVector(epilogue.getBody()->getTerminator()->getOperand(0));
  kernels.store(stored, result.flat, place(result), masks[vector]);
}

//===- Entry ----------------------------------------------------------------===//

bool pypto::matmul::emitContraction(const Contraction &product, const Surroundings &around,
                                    const Tiling &tiling) {
  linalg::LinalgOp op = product.op;
  linalg::GenericOp epilogue = around.epilogue;
  Operation *place = epilogue ? epilogue.getOperation() : op.getOperation();
  IndexBuilder b(op.getLoc(), place);
  ContractionEmitter emitter(product, around, tiling, b);
  if (!emitter.emit())
    return false;
  if (epilogue)
    epilogue.erase();
  op.erase();
  if (around.fill)
    around.fill->erase();
  return true;
}
