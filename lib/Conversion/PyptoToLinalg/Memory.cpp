// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fresh storage, reads as copies, writes.
#include "Lowering.h"

#include "ScalarOps.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::lowering;

/// A cache line, and the widest vector.
static constexpr int64_t kAlignment = 64;

static Value allocateBuffer(Lowering &l, ArrayRef<OpFoldResult> sizes, ArrayRef<int64_t> shape,
                            Type element) {
  SmallVector<Value> dynamic;
  for (auto [size, extent] : llvm::zip_equal(sizes, shape))
    if (ShapedType::isDynamic(extent))
      dynamic.push_back(l.asValue(size));
  Value buffer = memref::AllocOp::create(l.b, MemRefType::get(shape, element), dynamic,
                                         l.b.getI64IntegerAttr(kAlignment));
  l.noteSizes(buffer, sizes);
  return buffer;
}

Handle Lowering::allocate(pl::TensorType type, ArrayRef<OpFoldResult> extents,
                          ArrayRef<OpFoldResult> valid) {
  Value buffer =
      allocateBuffer(*this, extents, type.getShape(), getStorageElement(type.getElementType()));
  return {type, castMemRef(buffer, getHandleType(type)), llvm::to_vector(valid)};
}

SmallVector<OpFoldResult> Lowering::getWindowOffsets(ArrayRef<OpFoldResult> offsets,
                                                     ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> begins(offsets);
  for (auto [begin, size] : llvm::zip_equal(begins, sizes)) {
    if (isConstantIntValue(begin, 0))
      continue;
    if (isConstantIntValue(size, 0)) {
      begin = b.getIndexAttr(0);
    } else if (auto number = dyn_cast<Value>(size)) {
      Value zero = asValue(b.getIndexAttr(0));
      Value isEmpty = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, number, zero);
      begin = arith::SelectOp::create(b, isEmpty, zero, asValue(begin)).getResult();
    }
  }
  return begins;
}

Value Lowering::getWindow(Value memref, ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes, ArrayRef<int64_t> shape) {
  auto source = cast<MemRefType>(memref.getType());
  // No subview may begin where there is no element.
  if (llvm::is_contained(source.getShape(), 0))
    return allocateBuffer(*this, sizes, shape, source.getElementType());
  SmallVector<OpFoldResult> all(source.getRank() - sizes.size(), b.getIndexAttr(1));
  llvm::append_range(all, sizes);
  SmallVector<OpFoldResult> strides(source.getRank(), b.getIndexAttr(1));
  SmallVector<OpFoldResult> begins = getWindowOffsets(offsets, all);
  MemRefType type =
      memref::SubViewOp::inferRankReducedResultType(shape, source, begins, all, strides);
  return memref::SubViewOp::create(b, type, memref, begins, all, strides);
}

Value Lowering::readWindow(Value memref, ArrayRef<OpFoldResult> offsets,
                           ArrayRef<OpFoldResult> sizes, RankedTensorType type) {
  // The static shape of the window is what the constants among its sizes say.
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes)
    shape.push_back(isa<Attribute>(size) ? *getConstantIntValue(size) : ShapedType::kDynamic);
  Value window = getWindow(memref, offsets, sizes, shape);
  Value buffer = allocateBuffer(*this, sizes, shape, type.getElementType());
  linalg::CopyOp::create(b, window, buffer);
  auto tensorType = RankedTensorType::get(shape, type.getElementType());
  Value value = bufferization::ToTensorOp::create(b, tensorType, buffer, /*restrict=*/true,
                                                  /*writable=*/true);
  noteSizes(value, sizes);
  return castTensor(value, type);
}

Value Lowering::read(const Handle &handle) {
  SmallVector<OpFoldResult> offsets(handle.valid.size(), b.getIndexAttr(0));
  return readWindow(handle.memref, offsets, handle.valid, getValueType(handle.type));
}

void Lowering::writeWindow(Value value, Value memref, ArrayRef<OpFoldResult> offsets,
                           Type atomicElement) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> sizes = getSizes(value);
  if (atomicElement) {
    Value old = readWindow(memref, offsets, sizes, type);
    value = emitElementwise(b, {value, old}, type, atomicElement, [&](ValueRange elements) {
      return emitBinary(b, BinaryKind::Add, atomicElement, elements[0], elements[1]);
    });
  }
  Value window = getWindow(memref, offsets, sizes, type.getShape());
  bufferization::MaterializeInDestinationOp::create(b, /*result=*/Type(), value, window,
                                                    /*restrict=*/false,
                                                    /*writable=*/true);
}

Handle Lowering::materializeTensor(Value value, pl::TensorType type,
                                   ArrayRef<OpFoldResult> extents) {
  Handle handle = allocate(type, extents, getSizes(value));
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
  writeWindow(value, handle.memref, offsets);
  return handle;
}
