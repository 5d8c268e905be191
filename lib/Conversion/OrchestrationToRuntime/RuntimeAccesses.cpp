// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of memory that tasks and the host access, as the run time takes them.
#include "RuntimeCalls.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::conversion;

LLVM::LLVMStructType RuntimeCalls::getAccessType() const {
  MLIRContext *context = b.getContext();
  return LLVM::LLVMStructType::getLiteral(
      context, {pointer(), pointer(), pointer(), IntegerType::get(context, 32),
                IntegerType::get(context, 64), IntegerType::get(context, 64)});
}

namespace {
/// The shape and place of a memref, as numbers of elements.
struct Layout {
  Value offset;
  SmallVector<Value> sizes, strides;
};
} // namespace

static Layout getLayout(RuntimeCalls &calls, MemRefType type, MemRefDescriptor descriptor) {
  ImplicitLocOpBuilder &b = calls.b;
  Location loc = b.getLoc();
  auto [strides, offset] = type.getStridesAndOffset();
  auto getNumber = [&](int64_t known, auto read) {
    return ShapedType::isDynamic(known) ? read() : calls.constant(known);
  };
  Layout layout;
  layout.offset = getNumber(offset, [&] { return descriptor.offset(b, loc); });
  for (unsigned dim = 0, rank = type.getRank(); dim != rank; ++dim) {
    layout.sizes.push_back(
        getNumber(type.getDimSize(dim), [&] { return descriptor.size(b, loc, dim); }));
    layout.strides.push_back(
        getNumber(strides[dim], [&] { return descriptor.stride(b, loc, dim); }));
  }
  return layout;
}

/// Elements from the first to the one behind the last; 0 if there are none.
static Value countSpan(RuntimeCalls &calls, const Layout &layout) {
  ImplicitLocOpBuilder &b = calls.b;
  Value count = calls.constant(1), isEmpty;
  for (auto [size, stride] : llvm::zip_equal(layout.sizes, layout.strides)) {
    Value steps = LLVM::SubOp::create(b, size, calls.constant(1));
    count = LLVM::AddOp::create(b, count, LLVM::MulOp::create(b, steps, stride));
    Value isNone = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::sle, size, calls.constant(0));
    isEmpty = isEmpty ? LLVM::OrOp::create(b, isEmpty, isNone).getResult() : isNone;
  }
  return isEmpty ? LLVM::SelectOp::create(b, isEmpty, calls.constant(0), count).getResult() : count;
}

/// The distance of rows and their length: the inner dimensions that are contiguous make the row,
/// the next one the distance. {0, 0} if all are contiguous, or the others do not step by whole
/// rows.
static std::pair<Value, Value> getRows(RuntimeCalls &calls, MemRefType type, const Layout &layout) {
  ImplicitLocOpBuilder &b = calls.b;
  Value zero = calls.constant(0);
  if (type.getRank() < 2 || type.getLayout().isIdentity() ||
      type.getStridesAndOffset().first.back() != 1)
    return {zero, zero};
  auto compare = [&](Value lhs, Value rhs) {
    return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, lhs, rhs).getResult();
  };
  auto select = [&](Value condition, Value lhs, Value rhs) {
    return LLVM::SelectOp::create(b, condition, lhs, rhs).getResult();
  };
  Value row = layout.sizes.back(), pitch = zero, isRegular = calls.constant(1, 1);
  for (int64_t dim = type.getRank() - 2; dim >= 0; --dim) {
    Value size = layout.sizes[dim], stride = layout.strides[dim];
    Value isInRow = compare(pitch, zero);
    Value isOne = compare(size, calls.constant(1));
    Value extends =
        LLVM::AndOp::create(b, isInRow, LLVM::OrOp::create(b, isOne, compare(stride, row)));
    Value divisor = select(isInRow, calls.constant(1), pitch);
    Value isWhole = compare(LLVM::SRemOp::create(b, stride, divisor), zero);
    isRegular = LLVM::AndOp::create(b, isRegular, LLVM::OrOp::create(b, isOne, isWhole));
    pitch = select(extends, zero, select(isInRow, stride, pitch));
    row = select(extends, LLVM::MulOp::create(b, row, size), row);
  }
  Value isBlock = LLVM::AndOp::create(
      b, isRegular, LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::sgt, pitch, row));
  return {select(isBlock, pitch, zero), select(isBlock, row, zero)};
}

SmallVector<Value> RuntimeCalls::getAccess(Value memref, int32_t mode) {
  auto type = cast<MemRefType>(memref.getType());
  Location loc = b.getLoc();
  MemRefDescriptor descriptor(toLLVM(memref));
  Layout layout = getLayout(*this, type, descriptor);
  Type element = converter.convertType(type.getElementType());
  Value begin = LLVM::GEPOp::create(b, pointer(), element, descriptor.alignedPtr(b, loc),
                                    ArrayRef{layout.offset});
  Value end = LLVM::GEPOp::create(b, pointer(), element, begin, ArrayRef{countSpan(*this, layout)});
  auto [pitch, row] = getRows(*this, type, layout);
  Value bytes = constant(DataLayout(module).getTypeSize(element).getFixedValue());
  return {descriptor.allocatedPtr(b, loc),
          begin,
          end,
          constant(mode, 32),
          LLVM::MulOp::create(b, pitch, bytes),
          LLVM::MulOp::create(b, row, bytes)};
}

Value RuntimeCalls::storeAccesses(ValueRange memrefs, ArrayRef<int32_t> modes) {
  if (memrefs.empty())
    return null();
  Value array = allocate(getAccessType(), memrefs.size());
  for (auto [index, memref, mode] : llvm::enumerate(memrefs, modes))
    for (auto [field, value] : llvm::enumerate(getAccess(memref, mode))) {
      Value slot = LLVM::GEPOp::create(
          b, pointer(), getAccessType(), array,
          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index), static_cast<int32_t>(field)});
      LLVM::StoreOp::create(b, value, slot);
    }
  return array;
}
