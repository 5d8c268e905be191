// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of a matrix product, and the copies that they read.
#include "MatmulEmitter.h"
#include "pypto/Loops/Transpose.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace pypto::matmul;

KernelEmitter::KernelEmitter(IndexBuilder &b, Type element, const Schedule &schedule)
    : b(b), element(element), schedule(schedule),
      lanes(std::max<int64_t>(1, schedule.vectorBits / element.getIntOrFloatBitWidth())) {}

//===- Vectors --------------------------------------------------------------===//

SmallVector<Value> KernelEmitter::makeMasks(const RegisterBlock &block) {
  SmallVector<Value> masks(block.numVectors);
  if (!block.columns)
    return masks;
  auto type = VectorType::get(lanes, b.getI1Type());
  auto known = getConstantIntValue(block.columns);
  for (int64_t i = 0; i != block.numVectors; ++i)
    if (!known || *known < (i + 1) * lanes)
      masks[i] = vector::CreateMaskOp::create(b, type,
                                              b.value(b.sub(block.columns, b.constant(i * lanes))));
  return masks;
}

Value KernelEmitter::load(Value flat, Index offset, VectorType type, Value mask) {
  if (!mask)
    return vector::LoadOp::create(b, type, flat, b.value(offset));
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
  return vector::MaskedLoadOp::create(b, type, flat, b.value(offset), mask, zero);
}

void KernelEmitter::store(Value vector, Value flat, Index offset, Value mask, bool isLast) {
  if (mask)
    vector::MaskedStoreOp::create(b, flat, b.value(offset), mask, vector);
  else if (isLast && streams)
    vector::StoreOp::create(b, vector, flat, b.value(offset), /*nontemporal=*/true,
                            llvm::Align(schedule.vectorBits / 8));
  else
    vector::StoreOp::create(b, vector, flat, b.value(offset));
}

Type KernelEmitter::getPackedElement() const {
  return schedule.hasPairs() ? b.getI32Type() : element;
}

Value KernelEmitter::multiplyAdd(Value a, Value other, Value sum) {
  if (schedule.bf16Dot) {
    auto pairs = VectorType::get(2 * lanes, b.getBF16Type());
    std::string name = "llvm.x86.avx512bf16.dpbf16ps." + std::to_string(schedule.vectorBits);
    SmallVector<Value> operands = {sum, vector::BitCastOp::create(b, pairs, a),
                                   vector::BitCastOp::create(b, pairs, other)};
    return LLVM::CallIntrinsicOp::create(b, sum.getType(), b.getStringAttr(name), operands)
        .getResult(0);
  }
  if (isa<FloatType>(element))
    return vector::FMAOp::create(b, a, other, sum);
  return arith::AddIOp::create(b, sum, arith::MulIOp::create(b, a, other));
}

Value KernelEmitter::addVectors(Value a, Value other) {
  if (isa<FloatType>(element))
    return arith::AddFOp::create(b, a, other);
  return arith::AddIOp::create(b, a, other);
}

//===- Kernels --------------------------------------------------------------===//

void KernelEmitter::prefetchBlock(const RegisterBlock &block, Value out, Index offset,
                                  Index stride) {
  for (int64_t row = 0; row != block.rows; ++row)
    for (int64_t i = 0; i != block.numVectors; ++i)
      memref::PrefetchOp::create(
          b, out,
          b.value(b.add(b.add(offset, b.mul(b.constant(row), stride)), b.constant(i * lanes))),
          /*isWrite=*/true, /*localityHint=*/3, /*isDataCache=*/true);
}

/// Carries `sums` through the steps of a sum, `unroll` of them in an iteration; `from` is a
/// multiple of it.
SmallVector<Value> KernelEmitter::emitSteps(Index from, Index to, int64_t unroll,
                                            SmallVector<Value> sums, Step step) {
  auto loop = [&](Index lower, Index upper, int64_t count) {
    auto first = getConstantIntValue(lower), last = getConstantIntValue(upper);
    if (first && last && *first >= *last)
      return;
    auto loop =
        scf::ForOp::create(b, b.value(lower), b.value(upper), b.value(b.constant(count)), sums);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> carried(loop.getRegionIterArgs());
    for (int64_t i = 0; i != count; ++i)
      carried = step(b.value(b.add(loop.getInductionVar(), b.constant(i))), carried);
    scf::YieldOp::create(b, carried);
    sums.assign(loop.getResults().begin(), loop.getResults().end());
  };
  if (unroll == 1) {
    loop(from, to, 1);
    return sums;
  }
  Index whole = b.mul(b.floorDiv(to, unroll), b.constant(unroll));
  loop(from, whole, unroll);
  loop(whole, to, 1);
  return sums;
}

/// The sums of a block in registers, row by row.
SmallVector<Value> KernelEmitter::emitSums(const RegisterBlock &block, const Source &lhs,
                                           const Source &rhs, Index k,
                                           std::optional<Triangle> triangle,
                                           ArrayRef<Value> masks) {
  VectorType rhsType = getVectorType(cast<MemRefType>(rhs.flat.getType()).getElementType());
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(getVectorType(element)));
  SmallVector<Value> sums(block.rows * block.numVectors, zero);
  SmallVector<Index> rowOffsets;
  for (int64_t row = 0; row != block.rows; ++row)
    rowOffsets.push_back(b.add(lhs.offset, b.mul(b.constant(row), lhs.rowStride)));
  auto emitStep = [&](Value at, ValueRange sums, bool isCut) {
    Index rhsOffset = b.add(rhs.offset, b.mul(at, rhs.rowStride));
    SmallVector<Value> columns;
    for (int64_t i = 0; i != block.numVectors; ++i)
      columns.push_back(
          applyCasts(b, rhs.casts,
                     load(rhs.flat, b.add(rhsOffset, b.constant(i * lanes)), rhsType, masks[i])));
    Index lhsStep = b.mul(at, lhs.columnStride);
    SmallVector<Value> results;
    for (int64_t row = 0; row != block.rows; ++row) {
      Value scalar = memref::LoadOp::create(b, lhs.flat, b.value(b.add(rowOffsets[row], lhsStep)));
      Value factor = applyCasts(b, lhs.casts, scalar);
      Value repeated = vector::BroadcastOp::create(b, getVectorType(factor.getType()), factor);
      Value takesPart;
      if (isCut)
        takesPart = b.lessThan(at, b.add(triangle->last, b.constant(row + 1)));
      for (int64_t i = 0; i != block.numVectors; ++i) {
        Value old = sums[row * block.numVectors + i];
        Value sum = multiplyAdd(repeated, columns[i], old);
        results.push_back(isCut ? arith::SelectOp::create(b, takesPart, sum, old) : sum);
      }
    }
    return results;
  };
  auto step = [&](Value at, ValueRange sums) { return emitStep(at, sums, /*isCut=*/false); };
  auto cutStep = [&](Value at, ValueRange sums) { return emitStep(at, sums, /*isCut=*/true); };
  if (!triangle)
    return emitSteps(b.constant(0), k, schedule.unroll, sums, step);
  // Up to where the first row ends, then up to where the last one does.
  auto clamp = [&](Index size) { return b.max(b.min(size, k), b.constant(0)); };
  Index whole = clamp(b.add(triangle->last, b.constant(1)));
  sums = emitSteps(b.constant(0), whole, schedule.unroll, sums, step);
  return emitSteps(whole, clamp(b.add(triangle->last, b.constant(block.rows))), 1, sums, cutStep);
}

void KernelEmitter::emitKernel(const RegisterBlock &block, Source lhs, Source rhs, Index k,
                               std::optional<Triangle> triangle, Value out, Index outOffset,
                               Index outStride, Value isFirst, bool isLast, Value scratch) {
  VectorType type = getVectorType(element);
  SmallVector<Value> masks = makeMasks(block), sums;
  if (schedule.prefetch)
    prefetchBlock(block, out, outOffset, outStride);
  if (schedule.amx)
    emitTileSums(block, lhs, rhs, k, scratch);
  else
    sums = emitSums(block, lhs, rhs, k, triangle, masks);

  auto updateRow = [&](Update kind, Index row, ArrayRef<Value> values) {
    for (int64_t i = 0; i != block.numVectors; ++i) {
      Index offset = b.add(b.add(outOffset, b.mul(row, outStride)), b.constant(i * lanes));
      Value sum = values[i];
      if (kind == Update::Accumulate)
        sum = addVectors(load(out, offset, type, masks[i]), sum);
      store(sum, out, offset, masks[i], isLast);
    }
  };
  auto update = [&](Update kind) {
    if (!schedule.amx) {
      for (int64_t row = 0; row != block.rows; ++row)
        updateRow(kind, b.constant(row),
                  ArrayRef(sums).slice(row * block.numVectors, block.numVectors));
      return;
    }
    b.forEach(b.constant(0), b.constant(block.rows), 1, [&](Index row) {
      SmallVector<Value> values;
      Index begin = b.mul(row, b.constant(getPanelColumns()));
      for (int64_t i = 0; i != block.numVectors; ++i)
        values.push_back(load(scratch, b.add(begin, b.constant(i * lanes)), type, {}));
      updateRow(kind, row, values);
    });
  };
  if (!isFirst)
    return update(Update::Accumulate);
  if (auto known = getConstantIntValue(isFirst))
    return update(*known ? Update::Overwrite : Update::Accumulate);
  auto branch = scf::IfOp::create(b, isFirst, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  update(Update::Overwrite);
  b.setInsertionPointToStart(branch.elseBlock());
  update(Update::Accumulate);
}

//===- Packing --------------------------------------------------------------===//

void KernelEmitter::forEachGroup(Index k, llvm::function_ref<void(Index, Index, int64_t)> body) {
  int64_t size = schedule.getGroup();
  Index full = b.floorDiv(k, size);
  b.forEach(b.constant(0), full, 1,
            [&](Index group) { body(group, b.mul(group, b.constant(size)), size); });
  Index step = b.mul(full, b.constant(size));
  if (size != 1)
    b.onlyIf(b.lessThan(step, k), [&] { body(full, step, 1); });
}

Value KernelEmitter::loadGroup(const Source &source, Index offset, Index stride, int64_t count,
                               VectorType type, Value mask) {
  auto loadOne = [&](Index at) -> Value {
    return type ? load(source.flat, at, type, mask)
                : memref::LoadOp::create(b, source.flat, b.value(at));
  };
  Value first = loadOne(offset);
  if (!schedule.hasPairs())
    return applyCasts(b, source.casts, first);
  auto like = [&](Type element) { return type ? Type(type.clone(element)) : element; };
  auto widen = [&](Value value) -> Value {
    Type bits = like(b.getI16Type());
    Value integer = type ? vector::BitCastOp::create(b, cast<VectorType>(bits), value).getResult()
                         : arith::BitcastOp::create(b, bits, value).getResult();
    return arith::ExtUIOp::create(b, like(b.getI32Type()), integer);
  };
  Value low = widen(first);
  if (count == 1)
    return low;
  Value half = b.createOrFold<arith::ConstantOp>(b.getI32IntegerAttr(16));
  if (type)
    half = vector::BroadcastOp::create(b, like(b.getI32Type()), half);
  Value high = arith::ShLIOp::create(b, widen(loadOne(b.add(offset, stride))), half);
  return arith::OrIOp::create(b, low, high);
}

/// Where a column begins in the panels at `offset`.
Index KernelEmitter::getPanelPlace(Index column, Index offset, int64_t kBlock) {
  int64_t width = getPanelColumns();
  Index panel = b.floorDiv(column, width);
  return b.add(b.add(offset, b.mul(panel, b.constant(kBlock * width))),
               b.sub(column, b.mul(panel, b.constant(width))));
}

void KernelEmitter::packColumns(Source rhs, Index k, Index columns, Value buffer, Index offset,
                                int64_t kBlock) {
  VectorType type = getVectorType(cast<MemRefType>(rhs.flat.getType()).getElementType());
  auto maskType = VectorType::get(lanes, b.getI1Type());
  auto makeMask = [&](Index count) -> Value {
    return vector::CreateMaskOp::create(b, maskType, b.value(count));
  };
  // The square at `column` and `row`, or what there is of it.
  auto copySquare = [&](Index column, Index row, bool isPart) {
    Index numRows = b.sub(k, row), numColumns = b.sub(columns, column);
    Index from = b.add(b.add(rhs.offset, b.mul(column, rhs.columnStride)), row);
    Index to =
        b.add(getPanelPlace(column, offset, kBlock), b.mul(row, b.constant(getPanelColumns())));
    Value whole = isPart ? makeMask(numRows) : Value(),
          none = isPart ? makeMask(b.constant(0)) : Value();
    auto isInside = [&](int64_t i, Index count) { return b.lessThan(b.constant(i), count); };
    SmallVector<Value> vectors;
    for (int64_t i = 0; i != lanes; ++i) {
      Value mask;
      if (isPart)
        mask = arith::SelectOp::create(b, isInside(i, numColumns), whole, none);
      Value column =
          load(rhs.flat, b.add(from, b.mul(b.constant(i), rhs.columnStride)), type, mask);
      vectors.push_back(applyCasts(b, rhs.casts, column));
    }
    loops::transpose(b, vectors);
    Value all = isPart ? makeMask(b.constant(lanes)) : Value();
    for (auto [i, vector] : llvm::enumerate(vectors)) {
      Value mask;
      if (isPart)
        mask = arith::SelectOp::create(b, isInside(i, numRows), all, none);
      store(vector, buffer, b.add(to, b.constant(i * getPanelColumns())), mask);
    }
  };
  Index fullColumns = b.mul(b.floorDiv(columns, lanes), b.constant(lanes));
  Index fullRows = b.mul(b.floorDiv(k, lanes), b.constant(lanes));
  b.forEach(b.constant(0), fullColumns, lanes, [&](Index column) {
    b.forEach(b.constant(0), fullRows, lanes,
              [&](Index row) { copySquare(column, row, /*isPart=*/false); });
    b.onlyIf(b.lessThan(fullRows, k), [&] { copySquare(column, fullRows, /*isPart=*/true); });
  });
  b.onlyIf(b.lessThan(fullColumns, columns), [&] {
    b.forEach(b.constant(0), k, lanes,
              [&](Index row) { copySquare(fullColumns, row, /*isPart=*/true); });
  });
}

void KernelEmitter::packPanels(Source rhs, Index k, Index columns, Value buffer, Index offset,
                               int64_t kBlock) {
  int64_t width = getPanelColumns();
  VectorType type = getVectorType(cast<MemRefType>(rhs.flat.getType()).getElementType());
  auto copyPanel = [&](Index column, Index numColumns) {
    RegisterBlock block{1, schedule.vectors, numColumns};
    SmallVector<Value> masks = makeMasks(block);
    Index to = b.add(offset, b.mul(column, b.constant(kBlock)));
    forEachGroup(k, [&](Index group, Index row, int64_t count) {
      Index from = b.add(b.add(rhs.offset, b.mul(row, rhs.rowStride)), column);
      Index target = b.add(to, b.mul(group, b.constant(width)));
      for (int64_t i = 0; i != schedule.vectors; ++i) {
        Index shift = b.constant(i * lanes);
        store(loadGroup(rhs, b.add(from, shift), rhs.rowStride, count, type, masks[i]), buffer,
              b.add(target, shift), {});
      }
    });
  };
  auto copyElements = [&] {
    b.forEach(b.constant(0), columns, 1, [&](Index column) {
      Index to = getPanelPlace(column, offset, kBlock);
      Index from = b.add(rhs.offset, b.mul(column, rhs.columnStride));
      forEachGroup(k, [&](Index group, Index row, int64_t count) {
        Index at = b.add(from, b.mul(row, rhs.rowStride));
        memref::StoreOp::create(b, loadGroup(rhs, at, rhs.rowStride, count, {}, {}), buffer,
                                b.value(b.add(to, b.mul(group, b.constant(width)))));
      });
    });
  };
  auto copyVectors = [&] {
    Index full = b.mul(b.floorDiv(columns, width), b.constant(width));
    b.forEach(b.constant(0), full, width, [&](Index column) { copyPanel(column, {}); });
    b.onlyIf(b.lessThan(full, columns), [&] { copyPanel(full, b.sub(columns, full)); });
  };
  if (schedule.amx)
    b.forEach(b.constant(0), columns, width, [&](Index column) {
      Index panel = b.add(offset, b.mul(column, b.constant(kBlock)));
      for (int64_t i = 0; i != schedule.vectors; ++i)
        clearGroups(buffer, b.add(panel, b.constant(i * lanes)), width, k);
    });
  auto stride = getConstantIntValue(rhs.columnStride);
  if (stride == 1)
    return copyVectors();
  if (getConstantIntValue(rhs.rowStride) == 1 && lanes > 1 && !schedule.hasPairs())
    return packColumns(rhs, k, columns, buffer, offset, kBlock);
  if (stride)
    return copyElements();
  auto branch = scf::IfOp::create(b, b.equal(rhs.columnStride, b.constant(1)), true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  copyVectors();
  b.setInsertionPointToStart(branch.elseBlock());
  copyElements();
}

void KernelEmitter::packRows(Source lhs, Index rows, Index k, Value buffer, int64_t stride) {
  int64_t group = schedule.getGroup(), width = lanes * group;
  auto type = VectorType::get(width, cast<MemRefType>(lhs.flat.getType()).getElementType());
  // Groups are next to each other already.
  auto pack = [&](Value vector) -> Value {
    if (schedule.hasPairs())
      return vector::BitCastOp::create(b, getVectorType(getPackedElement()), vector);
    return applyCasts(b, lhs.casts, vector);
  };
  auto copyVectors = [&] {
    Index full = b.mul(b.floorDiv(k, width), b.constant(width)), rest = b.sub(k, full);
    auto makeMask = [&](int64_t size, Index count) -> Value {
      return vector::CreateMaskOp::create(b, VectorType::get(size, b.getI1Type()), b.value(count));
    };
    Value mask = makeMask(width, rest), packedMask = mask;
    if (group != 1)
      packedMask = makeMask(lanes, b.ceilDiv(rest, group));
    b.forEach(b.constant(0), rows, 1, [&](Index row) {
      Index from = b.add(lhs.offset, b.mul(row, lhs.rowStride));
      Index to = b.mul(row, b.constant(stride));
      b.forEach(b.constant(0), full, width, [&](Index column) {
        Value vector = load(lhs.flat, b.add(from, column), type, {});
        store(pack(vector), buffer, b.add(to, b.floorDiv(column, group)), {});
      });
      b.onlyIf(b.lessThan(full, k), [&] {
        Value vector = load(lhs.flat, b.add(from, full), type, mask);
        store(pack(vector), buffer, b.add(to, b.floorDiv(full, group)), packedMask);
      });
    });
  };
  auto copyElements = [&] {
    b.forEach(b.constant(0), rows, 1, [&](Index row) {
      Index from = b.add(lhs.offset, b.mul(row, lhs.rowStride));
      Index to = b.mul(row, b.constant(stride));
      forEachGroup(k, [&](Index group, Index column, int64_t count) {
        Index at = b.add(from, b.mul(column, lhs.columnStride));
        memref::StoreOp::create(b, loadGroup(lhs, at, lhs.columnStride, count, {}, {}), buffer,
                                b.value(b.add(to, group)));
      });
    });
  };
  // A vector behind the last group is inside of the row.
  if (schedule.amx)
    b.forEach(b.constant(0), rows, 1, [&](Index row) {
      VectorType zeros = getVectorType(getPackedElement());
      store(arith::ConstantOp::create(b, b.getZeroAttr(zeros)), buffer,
            b.add(b.mul(row, b.constant(stride)), b.ceilDiv(k, group)), {});
    });
  auto known = getConstantIntValue(lhs.columnStride);
  if (known == 1)
    return copyVectors();
  if (known)
    return copyElements();
  auto branch = scf::IfOp::create(b, b.equal(lhs.columnStride, b.constant(1)), true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  copyVectors();
  b.setInsertionPointToStart(branch.elseBlock());
  copyElements();
}

void KernelEmitter::packStrips(Source lhs, Index rows, Index k, Value buffer, int64_t height,
                               int64_t width, int64_t kBlock) {
  VectorType type = getVectorType(cast<MemRefType>(lhs.flat.getType()).getElementType());
  b.forEach(b.constant(0), rows, height, [&](Index row) {
    Index numRows = b.min(b.sub(rows, row), b.constant(height));
    RegisterBlock block{1, width / lanes, numRows};
    SmallVector<Value> masks = makeMasks(block);
    Index to = b.mul(b.floorDiv(row, height), b.constant(kBlock * width));
    forEachGroup(k, [&](Index group, Index column, int64_t count) {
      Index from = b.add(b.add(lhs.offset, row), b.mul(column, lhs.columnStride));
      Index target = b.add(to, b.mul(group, b.constant(width)));
      for (int64_t i = 0; i != width / lanes; ++i) {
        Index shift = b.constant(i * lanes);
        store(loadGroup(lhs, b.add(from, shift), lhs.columnStride, count, type, masks[i]), buffer,
              b.add(target, shift), {});
      }
    });
  });
}
