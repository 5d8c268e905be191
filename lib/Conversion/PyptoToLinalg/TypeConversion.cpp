// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the types of the three dialects become.
#include "Lowering.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::lowering;

Type lowering::getStorageElement(Type element) {
  MLIRContext *context = element.getContext();
  if (isa<IndexType>(element))
    return IntegerType::get(context, 64);
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerType::get(context, integer.getWidth() == 4 ? 8 : integer.getWidth());
  return element;
}

Type lowering::getComputeElement(Type element) {
  MLIRContext *context = element.getContext();
  if (isa<IndexType>(element))
    return IntegerType::get(context, 64);
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerType::get(context, integer.getWidth());
  return element.getIntOrFloatBitWidth() < 32 ? Float32Type::get(context) : element;
}

MemRefType lowering::getHandleType(pl::TensorType type) {
  SmallVector<int64_t> strides(type.getRank(), ShapedType::kDynamic);
  return MemRefType::get(type.getShape(), getStorageElement(type.getElementType()),
                         StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, strides));
}

RankedTensorType lowering::getValueType(ExtentTypeInterface type) {
  ArrayRef<ExtentAttr> valid = type.getValid().empty() ? type.getExtents() : type.getValid();
  return RankedTensorType::get(getStaticShape(valid), getStorageElement(type.getElementType()));
}

bool lowering::carriesValid(pl::TensorType type) {
  return llvm::any_of(type.getValid(), [](ExtentAttr extent) { return !extent.isConstant(); });
}

/// Element types with an encoding of their own that no CPU instruction or conversion of ours knows.
static bool isKnownElement(Type element) {
  auto number = dyn_cast<FloatType>(element);
  return !number || isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element) ||
         number.getWidth() == 8;
}

/// Longer ones would be expanded element by element.
static constexpr int64_t kMaxArraySize = 1024;

FailureOr<SmallVector<Type>> lowering::convertType(Type type) {
  MLIRContext *context = type.getContext();
  if (auto shaped = dyn_cast<ExtentTypeInterface>(type);
      shaped && !isKnownElement(shaped.getElementType()))
    return failure();
  if (auto tensor = dyn_cast<pl::TensorType>(type)) {
    if (tensor.getLayout() != Layout::ND)
      return failure();
    SmallVector<Type> types{getHandleType(tensor)};
    if (carriesValid(tensor))
      types.append(tensor.getRank(), IndexType::get(context));
    return types;
  }
  if (auto tile = dyn_cast<tile::TileType>(type))
    return SmallVector<Type>{getValueType(tile)};
  if (isa<orchestration::TaskType>(type))
    return SmallVector<Type>{IntegerType::get(context, 64)};
  if (auto array = dyn_cast<pl::ArrayType>(type)) {
    Type element = isa<orchestration::TaskType>(array.getElementType())
                       ? IntegerType::get(context, 64)
                       : array.getElementType();
    if (array.getSize() > kMaxArraySize)
      return failure();
    return SmallVector<Type>{VectorType::get(array.getSize(), element)};
  }
  if (isa<VarType>(type))
    return failure();
  return SmallVector<Type>{type};
}
