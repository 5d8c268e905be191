// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops over blocks of a matrix product.
#include "MatmulEmitter.h"
#include "Storage.h"
#include "pypto/Loops/Conditions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::matmul;

static Value allocate(IndexBuilder &b, int64_t elements, Type element) {
  auto type = MemRefType::get({elements}, element);
  Value buffer = memref::AllocOp::create(b, type, b.getI64IntegerAttr(64));
  return memref::CastOp::create(b, MemRefType::get({ShapedType::kDynamic}, element), buffer);
}

/// Row stride of packed rows: rows that are not a multiple of a page apart.
static int64_t getRowStride(int64_t depth) { return llvm::alignTo(depth, 16) + 16; }

/// Shares of a block of the right factor that are packed at the same time; elements below which one
/// thread does it.
static constexpr int64_t kPackParts = 4, kLeastToShare = 1 << 16;

static int64_t getSize(Index index) { return getConstantIntValue(index).value_or(kUnknown); }

namespace {
class ContractionEmitter {
public:
  ContractionEmitter(const Contraction &product, const Surroundings &around,
                     const Schedule &schedule, IndexBuilder &b)
      : product(product), around(around), plan(schedule), facts(product), b(b),
        kernels(b, product.getAccumulator(), schedule),
        depth(llvm::divideCeil(schedule.kBlock, schedule.getGroup())) {}
  bool emit();

private:
  bool isLineAligned(Value memref, const FlatView &view) const;
  void finishStores();
  /// The block of the output that a loop is at.
  struct Region {
    Index m, n, rows, columns;
  };
  /// Where packed columns begin; null if they are read in place.
  struct PackedRhs {
    Value flat;
    Index offset;
  };

  void prepare();
  void emitParallel(ArrayRef<Index> extents, llvm::function_ref<void(ArrayRef<Index>)> body);
  void forEachPart(Index size, int64_t most, llvm::function_ref<void(Index, Index)> body);
  std::pair<Index, Index> getPart(Index part, Index count, Index size);
  void emitParts();
  void emitPhases();
  void emitPart(Region region);
  void emitSums(Region region);
  void emitRow(Region region);
  void emitRowBlocks(Region region, Index k, Index length, Value packedRhs, Index rhsOffset);
  void emitRowBlock(Region region, Index k, Index length, PackedRhs packed, Value packedLhs);
  Index getSumEnd();
  /// The left factor is copied by columns; tiles have its rows.
  bool packsStrips() const { return plan.packLhs && facts.isLhsTransposed() && !plan.amx; }
  void emitPanel(Region region, int64_t numVectors, Index columns, Index k, Index length,
                 Source lhs, Source rhs);
  void emitTile(const RegisterBlock &block, Index m, Index n, Index row, Index k, Index length,
                Source lhs, Source rhs);
  void emitEpilogue(const RegisterBlock &block, Index m, Index n);
  SmallVector<Index> getEpilogueIndices(Index row, Index column);
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
  const Schedule &plan;
  ProductFacts facts;
  IndexBuilder &b;
  KernelEmitter kernels;
  /// Packed numbers along the sum of a block.
  int64_t depth;
  FlatView lhs, rhs, out;
  /// Where the product is stored; whether it goes past the caches.
  Value target;
  bool isStreaming = false;
  /// The sums of a block of tiles.
  Value scratch;
  /// Of the operands of the epilogue, its output included.
  SmallVector<FlatView> epilogueViews;
  SmallVector<Index> sizes;
  Index m, n, k;
  /// The last number that row 0 adds up, where each row adds up one more than the one before.
  std::optional<Index> limit;
  SmallVector<std::pair<unsigned, Index>> outer;
};
} // namespace

//===- Preparation -----------------------------------------------------------------===//

void ContractionEmitter::prepare() {
  unsigned numLoops = product.op.getNumLoops();
  for (Range range : product.op.createLoopRanges(b, b.getLoc()))
    sizes.push_back(range.size);
  m = product.m ? sizes[*product.m] : b.constant(1);
  n = sizes[product.n];
  k = sizes[*product.k];
  if (product.limit) {
    limit = product.limit->emitOuter(b);
    // All rows add up the same numbers.
    if (!product.m || product.limit->getFactor(*product.m) == 0) {
      k = b.max(b.min(k, b.add(*limit, b.constant(1))), b.constant(0));
      limit = std::nullopt;
    }
  }
  lhs = flatten(b, product.lhs, numLoops);
  rhs = flatten(b, product.rhs, numLoops);
  Factor written = product.out;
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
      written.memref = result;
  }
  out = flatten(b, written, numLoops);
  target = written.memref;
}

//===- Parts ----------------------------------------------------------------===//

/// True if vectors of whole rows stand where the machine can store them past its caches.
bool ContractionEmitter::isLineAligned(Value memref, const FlatView &view) const {
  int64_t line = plan.vectorBits / 8;
  auto isMultiple = [&](Index size, int64_t bytes) {
    auto known = getConstantIntValue(size);
    return known && (*known * bytes) % line == 0;
  };
  int64_t bytes = llvm::divideCeil(view.getElement().getIntOrFloatBitWidth(), 8);
  if (bytes * 8 != facts.bits || !isMultiple(view.offset, bytes))
    return false;
  for (auto [loop, stride] : llvm::enumerate(view.strides))
    if (loop != product.n && !isMultiple(stride, bytes))
      return false;
  Value storage = pypto::transforms::getStorage(memref);
  if (auto allocation = storage.getDefiningOp<memref::AllocOp>())
    return allocation.getAlignment().value_or(1) % line == 0;
  auto argument = dyn_cast<BlockArgument>(storage);
  auto function =
      argument ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp()) : nullptr;
  auto alignment =
      function ? function.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), "llvm.align")
               : nullptr;
  return alignment && alignment.getInt() % line == 0;
}

/// What went past the caches is seen by other threads once a part is done.
void ContractionEmitter::finishStores() {
  if (isStreaming)
    LLVM::FenceOp::create(b, LLVM::AtomicOrdering::seq_cst);
}

bool ContractionEmitter::emit() {
  prepare();
  if (getConstantIntValue(out.strides[product.n]) != 1)
    return false;
  // What an epilogue writes is in the nearest cache.
  isStreaming = plan.stream && !around.epilogue && facts.getRow() == ProductFacts::Row::No &&
                isLineAligned(target, out);
  kernels.setStreaming(isStreaming);
  if (plan.shareRhs)
    emitPhases();
  else
    emitParts();
  return true;
}

/// A loop whose iterations may run at the same time, over those extents that are not one.
void ContractionEmitter::emitParallel(ArrayRef<Index> extents,
                                      llvm::function_ref<void(ArrayRef<Index>)> body) {
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
  body(places);
}

/// First row and number of rows of one of `count` parts of `size` rows that differ by no more than
/// one kernel.
std::pair<Index, Index> ContractionEmitter::getPart(Index part, Index count, Index size) {
  if (getConstantIntValue(count) == 1)
    return {b.constant(0), size};
  Index kernels = b.ceilDiv(size, plan.rows);
  auto begin = [&](Index number) {
    return b.min(b.mul(b.floorDiv(b.mul(number, kernels), count), b.constant(plan.rows)), size);
  };
  Index first = begin(part);
  return {first, b.sub(begin(b.add(part, b.constant(1))), first)};
}

/// Splits `size` rows into as few parts of at most `most` rows as there can be.
void ContractionEmitter::forEachPart(Index size, int64_t most,
                                     llvm::function_ref<void(Index, Index)> body) {
  Index count = b.ceilDiv(size, most);
  b.forEach(b.constant(0), count, 1, [&](Index part) {
    auto [first, rows] = getPart(part, count, size);
    body(first, rows);
  });
}

/// One loop, parallel where that pays, over the outer loops and the parts of the output.
void ContractionEmitter::emitParts() {
  SmallVector<Index> extents;
  for (unsigned loop : product.outerParallel)
    extents.push_back(sizes[loop]);
  Index numRowParts = b.ceilDiv(m, plan.mPart);
  extents.push_back(numRowParts);
  extents.push_back(b.ceilDiv(n, plan.nPart));
  emitParallel(extents, [&](ArrayRef<Index> places) {
    for (auto [loop, place] : llvm::zip(product.outerParallel, places))
      outer.emplace_back(loop, place);
    auto [mBase, rows] = getPart(places.end()[-2], numRowParts, m);
    Index nBase = b.mul(places.back(), b.constant(plan.nPart));
    emitPart({mBase, nBase, rows, b.min(b.sub(n, nBase), b.constant(plan.nPart))});
    finishStores();
  });
}

/// Packs a block of the right factor, all threads a share of it, then computes what needs it.
void ContractionEmitter::emitPhases() {
  Value packed = allocate(b, plan.nBlock * depth, kernels.getPackedElement());
  int64_t width = kernels.getPanelColumns();
  int64_t share = llvm::alignTo(llvm::divideCeil(plan.nBlock, kPackParts), width);
  if (plan.nBlock * plan.kBlock < kLeastToShare)
    share = plan.nBlock;
  Index upper = getSumEnd();
  b.forEach(b.constant(0), n, plan.nBlock, [&](Index nBase) {
    Index columns = b.min(b.sub(n, nBase), b.constant(plan.nBlock));
    b.forEach(b.constant(0), upper, plan.kBlock, [&](Index kBase) {
      Index length = b.min(b.sub(k, kBase), b.constant(plan.kBlock));
      emitParallel(b.ceilDiv(columns, share), [&](ArrayRef<Index> places) {
        Index first = b.mul(places[0], b.constant(share));
        Source source = getRhs(kBase, b.add(nBase, first));
        kernels.packPanels(source, length, b.min(b.sub(columns, first), b.constant(share)), packed,
                           b.mul(first, b.constant(depth)), depth);
      });
      Index numRowParts = b.ceilDiv(m, plan.mPart);
      emitParallel({numRowParts, b.ceilDiv(columns, plan.nPart)}, [&](ArrayRef<Index> places) {
        auto [mBase, rows] = getPart(places[0], numRowParts, m);
        Index first = b.mul(places[1], b.constant(plan.nPart));
        Region region{mBase, b.add(nBase, first), rows,
                      b.min(b.sub(columns, first), b.constant(plan.nPart))};
        emitRowBlocks(region, kBase, length, packed, b.mul(first, b.constant(depth)));
        finishStores();
      });
    });
  });
  memref::DeallocOp::create(b, packed.getDefiningOp()->getOperand(0));
}

/// A sum of nothing is zero, or what it is added to; and what follows it has to happen.
Index ContractionEmitter::getSumEnd() {
  return around.fill || around.epilogue ? b.max(k, b.constant(1)) : k;
}

void ContractionEmitter::emitPart(Region region) {
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
  if (facts.getRow() == ProductFacts::Row::AlongRows)
    kernels.emitRowProduct(left, right, k, region.columns, out.flat, offset, isZeroed);
  else
    kernels.emitColumnProduct(left, right, k, region.columns, out.flat, offset, isZeroed);
  if (!around.epilogue)
    return;
  int64_t width = kernels.getPanelColumns();
  Index full = b.mul(b.floorDiv(region.columns, width), b.constant(width));
  b.forEach(b.constant(0), full, width, [&](Index column) {
    emitEpilogue({1, plan.vectors, {}}, region.m, b.add(region.n, column));
  });
  b.onlyIf(b.lessThan(full, region.columns), [&] {
    emitEpilogue({1, plan.vectors, b.sub(region.columns, full)}, region.m, b.add(region.n, full));
  });
}

void ContractionEmitter::emitSums(Region region) {
  if (facts.getRow() != ProductFacts::Row::No)
    return emitRow(region);
  if (!plan.packRhs)
    return b.forEach(b.constant(0), getSumEnd(), plan.kBlock, [&](Index kBase) {
      emitRowBlocks(region, kBase, b.min(b.sub(k, kBase), b.constant(plan.kBlock)), {}, {});
    });
  Value packed = allocate(b, plan.nBlock * depth, kernels.getPackedElement());
  b.forEach(b.constant(0), region.columns, plan.nBlock, [&](Index first) {
    Region block = region;
    block.n = b.add(region.n, first);
    block.columns = b.min(b.sub(region.columns, first), b.constant(plan.nBlock));
    b.forEach(b.constant(0), getSumEnd(), plan.kBlock, [&](Index kBase) {
      Index length = b.min(b.sub(k, kBase), b.constant(plan.kBlock));
      kernels.packPanels(getRhs(kBase, block.n), length, block.columns, packed, b.constant(0),
                         depth);
      emitRowBlocks(block, kBase, length, packed, b.constant(0));
    });
  });
  memref::DeallocOp::create(b, packed.getDefiningOp()->getOperand(0));
}

/// Sums of `length` numbers for all rows of a part, block by block.
void ContractionEmitter::emitRowBlocks(Region region, Index kBase, Index length, Value packedRhs,
                                       Index rhsOffset) {
  Value packedLhs;
  if (plan.packLhs) {
    int64_t width = llvm::alignTo(plan.rows, kernels.getLanes());
    // Tiles at the end of a block may read on.
    int64_t numRows = plan.mBlock + (plan.amx ? kTileSize : 0);
    packedLhs = allocate(
        b, packsStrips() ? plan.mBlock / plan.rows * width * depth : numRows * getRowStride(depth),
        kernels.getPackedElement());
  }
  if (plan.amx)
    scratch = allocate(b, plan.rows * kernels.getPanelColumns(), product.getAccumulator());
  forEachPart(region.rows, plan.mBlock, [&](Index first, Index rows) {
    Region block{b.add(region.m, first), region.n, rows, region.columns};
    emitRowBlock(block, kBase, length, {packedRhs, rhsOffset}, packedLhs);
  });
  for (Value buffer : {packedLhs, scratch})
    if (buffer)
      memref::DeallocOp::create(b, buffer.getDefiningOp()->getOperand(0));
  scratch = {};
}

void ContractionEmitter::emitRowBlock(Region region, Index kBase, Index length, PackedRhs packed,
                                      Value packedLhs) {
  Source left = getLhs(region.m, kBase);
  if (packsStrips()) {
    int64_t width = llvm::alignTo(plan.rows, kernels.getLanes());
    kernels.packStrips(left, region.rows, length, packedLhs, plan.rows, width, depth);
    left = {packedLhs, b.constant(0), b.constant(1), b.constant(width), {}};
  } else if (packedLhs) {
    int64_t stride = getRowStride(depth);
    kernels.packRows(left, region.rows, length, packedLhs, stride);
    left = {packedLhs, b.constant(0), b.constant(stride), b.constant(1), {}};
  }
  int64_t width = kernels.getPanelColumns();
  auto panel = [&](Index column, int64_t numVectors, Index columns) {
    Source right = packed.flat ? Source{packed.flat,
                                        b.add(packed.offset, b.mul(column, b.constant(depth))),
                                        b.constant(width),
                                        b.constant(1),
                                        {}}
                               : getRhs(kBase, b.add(region.n, column));
    emitPanel({region.m, b.add(region.n, column), region.rows, region.columns}, numVectors, columns,
              kBase, length, left, right);
  };
  Index full = b.mul(b.floorDiv(region.columns, width), b.constant(width));
  b.forEach(b.constant(0), full, width, [&](Index column) { panel(column, plan.vectors, {}); });
  int64_t rest = getSize(n) == kUnknown ? kUnknown : getSize(n) % width;
  if (rest == 0)
    return;
  b.onlyIf(b.lessThan(full, region.columns), [&] {
    int64_t numVectors =
        rest == kUnknown ? plan.vectors : int64_t(llvm::divideCeil(rest, kernels.getLanes()));
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
  if (packsStrips()) {
    int64_t width = llvm::alignTo(plan.rows, kernels.getLanes());
    Index strip = b.floorDiv(row, plan.rows);
    left.offset = b.add(b.mul(strip, b.constant(depth * width)),
                        b.sub(row, b.mul(strip, b.constant(plan.rows))));
  } else {
    left.offset = b.add(left.offset, b.mul(row, left.rowStride));
  }
  Index offset = b.add(outerOffset(out), b.add(at(out, product.m, mBase), nBase));
  Value isFirst = around.fill ? b.equal(kBase, b.constant(0)) : Value();
  bool isLast = !around.epilogue && product.outerReduction.empty() && facts.k <= plan.kBlock;
  std::optional<Triangle> triangle;
  if (limit)
    triangle = Triangle{b.sub(b.add(*limit, mBase), kBase)};
  kernels.emitKernel(block, left, right, b.ceilDiv(length, plan.getGroup()), triangle, out.flat,
                     offset, strideOf(out, product.m), isFirst, isLast, scratch);
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

/// Of the loops of the epilogue, those of `row` and `column` of the product.
SmallVector<Index> ContractionEmitter::getEpilogueIndices(Index row, Index column) {
  SmallVector<Index> indices;
  for (AffineExpr expr : product.out.map.getResults()) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    const auto *place = llvm::find_if(outer, [&](auto &entry) { return entry.first == loop; });
    indices.push_back(loop == product.n      ? column
                      : loop == product.m    ? row
                      : place != outer.end() ? place->second
                                             : Index(b.constant(0)));
  }
  return indices;
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
  auto getVectorOf = [&](Value value) -> Value {
    if (isa<VectorType>(value.getType()))
      return value;
    return vector::BroadcastOp::create(b, kernels.getVectorType(value.getType()), value);
  };
  auto getVector = [&](Value value) { return getVectorOf(mapping.lookupOrDefault(value)); };
  SmallVector<Index> indices =
      getEpilogueIndices(row, b.add(nBase, b.constant(vector * kernels.getLanes())));
  unsigned lastLoop = epilogue.getNumLoops() - 1;
  for (Operation &op : epilogue.getBody()->without_terminator()) {
    if (isa<arith::ConstantOp>(op)) {
      mapping.map(op.getResult(0), b.clone(op)->getResult(0));
      continue;
    }
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      Value first = b.value(indices[index.getDim()]);
      if (index.getDim() == lastLoop)
        first = arith::AddIOp::create(
            b, getVectorOf(first),
            vector::StepOp::create(b, kernels.getVectorType(index.getType())));
      mapping.map(index.getResult(), first);
      continue;
    }
    if (isa<arith::CmpIOp>(op))
      if (std::optional<loops::IndexSum> sum =
              loops::matchCondition(op.getResult(0), epilogue.getBody()))
        if (Value mask = loops::emitConditionMask(b, *sum, lastLoop, indices,
                                                  epilogue.getStaticLoopRanges()[lastLoop],
                                                  kernels.getLanes())) {
          mapping.map(op.getResult(0), mask);
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
                                    const Schedule &schedule) {
  linalg::LinalgOp op = product.op;
  linalg::GenericOp epilogue = around.epilogue;
  Operation *place = epilogue ? epilogue.getOperation() : op.getOperation();
  IndexBuilder b(op.getLoc(), place);
  ContractionEmitter emitter(product, around, schedule, b);
  if (!emitter.emit())
    return false;
  if (epilogue)
    epilogue.erase();
  op.erase();
  if (around.fill)
    around.fill->erase();
  return true;
}
