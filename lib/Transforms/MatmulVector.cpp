// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products with one row: each element of the right factor is read once, so that reading it in the
// order of memory is all that counts.
#include "MatmulEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace pypto::matmul;

static Type getElement(Value flat) { return cast<MemRefType>(flat.getType()).getElementType(); }

void KernelEmitter::forEachVector(Index columns, llvm::function_ref<void(Index, Value)> body) {
  Index full = b.mul(b.floorDiv(columns, lanes), b.constant(lanes));
  b.forEach(b.constant(0), full, lanes, [&](Index column) { body(column, {}); });
  b.onlyIf(b.lessThan(full, columns), [&] {
    SmallVector<Value> masks = makeMasks({1, 1, b.sub(columns, full)});
    body(full, masks[0]);
  });
}

void KernelEmitter::emitRowProduct(Source lhs, Source rhs, Index k, Index columns, Value out,
                                   Index outOffset, bool isZeroed) {
  VectorType type = getVectorType(element), rhsType = getVectorType(getElement(rhs.flat));
  const int64_t numStreams = schedule.unroll;
  if (isZeroed) {
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
    forEachVector(columns, [&](Index column, Value mask) {
      store(zero, out, b.add(outOffset, column), mask);
    });
  }
  auto addRows = [&](Index first, int64_t count) {
    SmallVector<Value> factors;
    SmallVector<Index> rows, nextRows;
    for (int64_t i = 0; i != count; ++i) {
      Index row = b.add(first, b.constant(i));
      Value scalar = memref::LoadOp::create(
          b, lhs.flat, b.value(b.add(lhs.offset, b.mul(row, lhs.columnStride))));
      factors.push_back(vector::BroadcastOp::create(b, type, applyCasts(b, lhs.casts, scalar)));
      rows.push_back(b.add(rhs.offset, b.mul(row, rhs.rowStride)));
      if (count == numStreams)
        nextRows.push_back(b.add(
            rhs.offset, b.mul(b.min(b.add(row, b.constant(numStreams)), b.sub(k, b.constant(1))),
                              rhs.rowStride)));
    }
    forEachVector(columns, [&](Index column, Value mask) {
      Index place = b.add(outOffset, column);
      Value sum = load(out, place, type, mask);
      // Rows are too short for the hardware to see where they go on.
      if (!mask)
        for (Index next : nextRows)
          memref::PrefetchOp::create(b, rhs.flat, b.value(b.add(next, column)), /*isWrite=*/false,
                                     /*localityHint=*/3, /*isDataCache=*/true);
      for (int64_t i = 0; i != count; ++i) {
        Value values = load(rhs.flat, b.add(rows[i], column), rhsType, mask);
        sum = multiplyAdd(factors[i], applyCasts(b, rhs.casts, values), sum);
      }
      store(sum, out, place, mask);
    });
  };
  Index full = b.mul(b.floorDiv(k, numStreams), b.constant(numStreams));
  b.forEach(b.constant(0), full, numStreams, [&](Index row) { addRows(row, numStreams); });
  if (numStreams != 1)
    b.forEach(full, k, 1, [&](Index row) { addRows(row, 1); });
}

void KernelEmitter::emitColumnProduct(Source lhs, Source rhs, Index k, Index columns, Value out,
                                      Index outOffset, bool isZeroed) {
  VectorType type = getVectorType(element);
  const int64_t numStreams = schedule.unroll;
  auto loadFactor = [&](const Source &source, Index offset, Value mask) {
    return applyCasts(b, source.casts,
                      load(source.flat, offset, getVectorType(getElement(source.flat)), mask));
  };
  Index full = b.mul(b.floorDiv(k, lanes), b.constant(lanes));
  auto addColumns = [&](Index first, int64_t count) {
    SmallVector<Index> starts;
    for (int64_t i = 0; i != count; ++i)
      starts.push_back(b.add(rhs.offset, b.mul(b.add(first, b.constant(i)), rhs.columnStride)));
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
    auto step = [&](Index at, Value mask, ValueRange sums) {
      Value left = loadFactor(lhs, b.add(lhs.offset, at), mask);
      SmallVector<Value> results;
      for (int64_t i = 0; i != count; ++i)
        results.push_back(multiplyAdd(left, loadFactor(rhs, b.add(starts[i], at), mask), sums[i]));
      return results;
    };
    auto loop = scf::ForOp::create(b, b.value(b.constant(0)), b.value(full),
                                   b.value(b.constant(lanes)), SmallVector<Value>(count, zero));
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      scf::YieldOp::create(b, step(loop.getInductionVar(), {}, loop.getRegionIterArgs()));
    }
    // What is masked adds zero times zero.
    SmallVector<Value> masks = makeMasks({1, 1, b.sub(k, full)});
    SmallVector<Value> sums(loop.getResults());
    if (masks[0])
      sums = step(full, masks[0], sums);
    for (int64_t i = 0; i != count; ++i) {
      Value place = b.value(b.add(outOffset, b.add(first, b.constant(i))));
      Value sum;
      if (isa<FloatType>(element))
        sum = vector::ReductionOp::create(b, vector::CombiningKind::ADD, sums[i],
                                          arith::FastMathFlags::reassoc);
      else
        sum = vector::ReductionOp::create(b, vector::CombiningKind::ADD, sums[i]);
      if (!isZeroed) {
        Value old = memref::LoadOp::create(b, out, place);
        sum = isa<FloatType>(element) ? arith::AddFOp::create(b, old, sum).getResult()
                                      : arith::AddIOp::create(b, old, sum).getResult();
      }
      memref::StoreOp::create(b, sum, out, place);
    }
  };
  Index blocks = b.mul(b.floorDiv(columns, numStreams), b.constant(numStreams));
  b.forEach(b.constant(0), blocks, numStreams,
            [&](Index column) { addColumns(column, numStreams); });
  if (numStreams != 1)
    b.forEach(blocks, columns, 1, [&](Index column) { addColumns(column, 1); });
}
