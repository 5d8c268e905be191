// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fresh storage, reads as copies, writes.
#include "Lowering.h"

#include "ScalarOps.h"

#include "pypto/Dialect/Orchestration/IR/Windows.h"

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

Value Lowering::getWindow(Value memref, ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes, ArrayRef<int64_t> shape) {
  int64_t rank = cast<MemRefType>(memref.getType()).getRank();
  SmallVector<OpFoldResult> all(rank - sizes.size(), b.getIndexAttr(1));
  llvm::append_range(all, sizes);
  return orchestration::createSubView(b, b.getLoc(), memref, offsets, all, shape);
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
