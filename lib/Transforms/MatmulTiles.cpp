// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on the tiles of AMX: 16 rows of 64 bytes, each a pair of bf16 numbers or one of f32.
#include "MatmulEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pypto::matmul;

namespace {
/// Instructions on whole tiles. LLVM chooses the registers and writes the configuration.
class TileBuilder {
public:
  explicit TileBuilder(IndexBuilder &b) : b(b), tile(LLVM::LLVMX86AMXType::get(b.getContext())) {
    rows = arith::ConstantOp::create(b, b.getI16IntegerAttr(kTileSize));
    bytes = arith::ConstantOp::create(b, b.getI16IntegerAttr(4 * kTileSize));
  }

  Value zero() { return call("tilezero", {rows, bytes}); }
  /// Rows that are `stride` numbers of 32 bits apart.
  Value load(Value flat, Index offset, Index stride) {
    return call("tileloadd64", {rows, bytes, getPointer(flat, offset), getBytes(stride)});
  }
  void store(Value value, Value flat, Index offset, Index stride) {
    SmallVector<Value> operands = {rows, bytes, getPointer(flat, offset), getBytes(stride), value};
    LLVM::CallIntrinsicOp::create(b, b.getStringAttr("llvm.x86.tilestored64.internal"), operands);
  }
  /// sum + lhs * rhs.
  Value multiplyAdd(Value lhs, Value rhs, Value sum) {
    return call("tdpbf16ps", {rows, bytes, bytes, sum, lhs, rhs});
  }

private:
  Value call(StringRef name, ArrayRef<Value> operands) {
    return LLVM::CallIntrinsicOp::create(b, tile, b.getStringAttr("llvm.x86." + name + ".internal"),
                                         operands)
        .getResult(0);
  }
  Value getBytes(Index count) {
    Value bytes = b.value(b.mul(count, b.constant(4)));
    return arith::IndexCastOp::create(b, b.getI64Type(), bytes);
  }
  Value getPointer(Value flat, Index offset) {
    Value base = memref::ExtractAlignedPointerAsIndexOp::create(b, flat);
    Value address = arith::IndexCastOp::create(b, b.getI64Type(), base);
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    Value start = LLVM::IntToPtrOp::create(b, pointer, address);
    return LLVM::GEPOp::create(b, pointer, b.getI8Type(), start, ValueRange{getBytes(offset)});
  }

  IndexBuilder &b;
  Type tile;
  Value rows, bytes;
};
} // namespace

/// Groups of zeros from the end of `k` elements on, until there are whole tiles.
void KernelEmitter::clearGroups(Value buffer, Index offset, int64_t stride, Index k) {
  Index groups = b.ceilDiv(k, schedule.getGroup());
  Index end = b.mul(b.ceilDiv(groups, kTileSize), b.constant(kTileSize));
  Value zeros = arith::ConstantOp::create(b, b.getZeroAttr(getVectorType(getPackedElement())));
  b.forEach(groups, end, 1, [&](Index group) {
    store(zeros, buffer, b.add(offset, b.mul(group, b.constant(stride))), {});
  });
}

/// The sums of a block in `scratch`, whose rows have the columns of a panel. Tiles are whole: what
/// they read beyond the rows of the block is memory of ours, and nobody looks at its sums.
void KernelEmitter::emitTileSums(const RegisterBlock &block, const Source &lhs, const Source &rhs,
                                 Index k, Value scratch) {
  TileBuilder tiles(b);
  int64_t height = llvm::divideCeil(block.rows, kTileSize), width = block.numVectors;
  SmallVector<Value> sums;
  for (int64_t i = 0; i != height * width; ++i)
    sums.push_back(tiles.zero());
  Value begin = b.value(b.constant(0)), end = b.value(k), step = b.value(b.constant(kTileSize));
  auto loop = scf::ForOp::create(b, begin, end, step, sums);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Index at = loop.getInductionVar();
    SmallVector<Value> rows, columns, results;
    for (int64_t i = 0; i != height; ++i) {
      Index row = b.add(lhs.offset, b.mul(b.constant(i * kTileSize), lhs.rowStride));
      rows.push_back(tiles.load(lhs.flat, b.add(row, at), lhs.rowStride));
    }
    Index first = b.add(rhs.offset, b.mul(at, rhs.rowStride));
    for (int64_t i = 0; i != width; ++i)
      columns.push_back(
          tiles.load(rhs.flat, b.add(first, b.constant(i * kTileSize)), rhs.rowStride));
    for (int64_t i = 0; i != height * width; ++i)
      results.push_back(
          tiles.multiplyAdd(rows[i / width], columns[i % width], loop.getRegionIterArgs()[i]));
    scf::YieldOp::create(b, results);
  }
  int64_t stride = getPanelColumns();
  for (int64_t i = 0; i != height * width; ++i)
    tiles.store(loop.getResult(i), scratch,
                b.constant((i / width * stride + i % width) * kTileSize), b.constant(stride));
}
