// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memrefs as pointers.
#include "KernelEmitter.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pypto;

Type KernelEmitter::convertType(Type type) {
  if (type.isIndex())
    return b.getI64Type();
  if (type.isBF16())
    return b.getIntegerType(16, /*isSigned=*/false);
  if (type.isF16() || type.isF32() || type.isF64() || type.isInteger(1) || type.isInteger(8) ||
      type.isInteger(16) || type.isInteger(32) || type.isInteger(64))
    return type;
  auto memref = dyn_cast<MemRefType>(type);
  Type element = memref ? convertType(memref.getElementType()) : Type();
  if (!element || isa<emitc::PointerType>(element))
    return {};
  return emitc::PointerType::get(element);
}

//===- Numbers --------------------------------------------------------------------===//

Value KernelEmitter::getNumber(Location loc, OpFoldResult value) {
  if (auto number = dyn_cast<Value>(value))
    return number;
  int64_t number = *getConstantIntValue(value);
  return emitc::ConstantOp::create(b, loc, b.getI64Type(), b.getI64IntegerAttr(number));
}

OpFoldResult KernelEmitter::multiply(Location loc, OpFoldResult lhs, OpFoldResult rhs) {
  std::optional<int64_t> left = getConstantIntValue(lhs), right = getConstantIntValue(rhs);
  if (left && right)
    return b.getIndexAttr(*left * *right);
  if (left == 0 || right == 0)
    return b.getIndexAttr(0);
  if (left == 1)
    return rhs;
  if (right == 1)
    return lhs;
  Value x = getNumber(loc, lhs), y = getNumber(loc, rhs);
  return emitc::MulOp::create(b, loc, b.getI64Type(), x, y).getResult();
}

OpFoldResult KernelEmitter::add(Location loc, OpFoldResult lhs, OpFoldResult rhs) {
  std::optional<int64_t> left = getConstantIntValue(lhs), right = getConstantIntValue(rhs);
  if (left && right)
    return b.getIndexAttr(*left + *right);
  if (left == 0)
    return rhs;
  if (right == 0)
    return lhs;
  Value x = getNumber(loc, lhs), y = getNumber(loc, rhs);
  return emitc::AddOp::create(b, loc, b.getI64Type(), x, y).getResult();
}

OpFoldResult KernelEmitter::lookup(OpFoldResult value) {
  if (auto number = dyn_cast<Value>(value))
    return lookup(number);
  return b.getIndexAttr(*getConstantIntValue(value));
}

//===- Buffers ----------------------------------------------------------------------===//

KernelEmitter::Buffer KernelEmitter::makeContiguous(Value base, ArrayRef<OpFoldResult> sizes,
                                                    Location loc) {
  Buffer buffer{base, b.getIndexAttr(0), SmallVector<OpFoldResult>(sizes), {}};
  buffer.strides.resize(sizes.size());
  OpFoldResult stride = b.getIndexAttr(1);
  for (size_t i = sizes.size(); i-- > 0;) {
    buffer.strides[i] = stride;
    stride = multiply(loc, stride, sizes[i]);
  }
  return buffer;
}

LogicalResult KernelEmitter::bindParameter(func::FuncOp function, unsigned index, Value parameter) {
  Value argument = function.getArgument(index);
  auto type = dyn_cast<MemRefType>(argument.getType());
  if (!type) {
    values[argument] = parameter;
    return success();
  }
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return function.emitError() << "expects buffers of static shape as parameters, but got "
                                << type;
  SmallVector<OpFoldResult> sizes;
  for (int64_t extent : type.getShape())
    sizes.push_back(b.getIndexAttr(extent));
  buffers[argument] = makeContiguous(parameter, sizes, function.getLoc());
  return success();
}

static int64_t getElementBytes(Type type) {
  return type.isIndex() ? 8 : llvm::divideCeil(type.getIntOrFloatBitWidth(), 8u);
}

LogicalResult KernelEmitter::emitAlloc(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  Type pointer = convertType(type);
  if (!pointer || !type.getLayout().isIdentity())
    return alloc.emitError() << "expects elements that C has, but got " << type;
  Location loc = alloc.getLoc();
  SmallVector<OpFoldResult> sizes;
  OpFoldResult bytes = b.getIndexAttr(getElementBytes(type.getElementType()));
  auto next = alloc.getDynamicSizes().begin();
  for (int64_t extent : type.getShape()) {
    sizes.push_back(ShapedType::isDynamic(extent) ? OpFoldResult(lookup(*next++))
                                                  : b.getIndexAttr(extent));
    bytes = multiply(loc, bytes, sizes.back());
  }
  definitions["pypto_alloc"] =
      "static void *pypto_malloc(int64_t bytes, int64_t alignment) {\n"
      "  void *memory = aligned_alloc(alignment, (bytes / alignment + 1) * alignment);\n"
      "  if (!memory)\n    abort();\n  return memory;\n}\n"
      "void *(*pypto_alloc)(int64_t bytes, int64_t alignment) = pypto_malloc;\n"
      "void (*pypto_free)(void *memory) = free;";
  Value memory = call(loc, "pypto_alloc", pointer,
                      {getNumber(loc, bytes), getNumber(loc, b.getIndexAttr(64))});
  buffers[alloc.getResult()] = makeContiguous(memory, sizes, loc);
  return success();
}

/// One element of a constant. Floats in hexadecimal, which loses nothing.
static void printElement(llvm::raw_ostream &os, Attribute element) {
  if (auto integer = dyn_cast<IntegerAttr>(element)) {
    if (integer.getType().isInteger(1))
      os << integer.getValue().getZExtValue();
    else
      os << integer.getValue().getSExtValue() << "ll";
    return;
  }
  APFloat value = cast<FloatAttr>(element).getValue();
  if (&value.getSemantics() == &APFloat::BFloat()) {
    os << value.bitcastToAPInt().getZExtValue();
  } else if (value.isNaN()) {
    os << (value.isNegative() ? "-" : "") << "NAN";
  } else if (value.isInfinity()) {
    os << (value.isNegative() ? "-" : "") << "INFINITY";
  } else {
    char text[64];
    value.convertToHexString(text, /*hexDigits=*/0, /*upperCase=*/false,
                             APFloat::rmNearestTiesToEven);
    os << text;
  }
}

/// The C type of an element in memory.
static std::string getElementName(Type type) {
  if (type.isF64())
    return "double";
  if (type.isF32())
    return "float";
  if (type.isF16())
    return "_Float16";
  if (type.isBF16())
    return "uint16_t";
  if (type.isInteger(1))
    return "bool";
  return "int" + std::to_string(type.isIndex() ? 64 : type.getIntOrFloatBitWidth()) + "_t";
}

LogicalResult KernelEmitter::emitGlobal(memref::GetGlobalOp get) {
  MemRefType type = get.getType();
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(get, get.getNameAttr());
  auto elements =
      dyn_cast_if_present<ElementsAttr>(global ? global.getInitialValueAttr() : nullptr);
  auto pointer = dyn_cast_if_present<emitc::PointerType>(convertType(type));
  if (!elements || !pointer || !type.hasStaticShape())
    return get.emitError("expects a constant with elements that C has");
  std::string name = "pypto_" + get.getName().str(), text;
  llvm::raw_string_ostream os(text);
  std::string element = getElementName(type.getElementType());
  os << "static const " << element << ' ' << name << "[] = {";
  llvm::interleaveComma(elements.getValues<Attribute>(), os,
                        [&](Attribute value) { printElement(os, value); });
  os << (elements.getNumElements() ? "};" : "0};");
  definitions[name] = text;
  Value base =
      emitc::LiteralOp::create(b, get.getLoc(), pointer, "((" + element + " *)" + name + ")");
  SmallVector<OpFoldResult> sizes;
  for (int64_t extent : type.getShape())
    sizes.push_back(b.getIndexAttr(extent));
  buffers[get.getResult()] = makeContiguous(base, sizes, get.getLoc());
  return success();
}

/// Copies of other layouts are loops (`--convert-memref-copy-to-linalg`).
LogicalResult KernelEmitter::emitCopy(memref::CopyOp copy) {
  auto source = dyn_cast<MemRefType>(copy.getSource().getType());
  auto target = dyn_cast<MemRefType>(copy.getTarget().getType());
  if (!source || !target || !source.getLayout().isIdentity() || !target.getLayout().isIdentity())
    return copy.emitError("expects a copy between contiguous buffers");
  Location loc = copy.getLoc();
  OpFoldResult bytes = b.getIndexAttr(getElementBytes(source.getElementType()));
  for (OpFoldResult size : buffers.at(copy.getSource()).sizes)
    bytes = multiply(loc, bytes, size);
  emitc::CallOpaqueOp::create(b, loc, TypeRange(), "memcpy",
                              ValueRange{buffers.at(copy.getTarget()).base,
                                         buffers.at(copy.getSource()).base, getNumber(loc, bytes)});
  return success();
}

void KernelEmitter::emitReinterpret(memref::ReinterpretCastOp op) {
  Buffer buffer;
  buffer.base = buffers.at(op.getSource()).base;
  buffer.offset = lookup(op.getMixedOffsets().front());
  for (OpFoldResult size : op.getMixedSizes())
    buffer.sizes.push_back(lookup(size));
  for (OpFoldResult stride : op.getMixedStrides())
    buffer.strides.push_back(lookup(stride));
  buffers[op.getResult()] = std::move(buffer);
}

void KernelEmitter::emitMetadata(memref::ExtractStridedMetadataOp op) {
  Buffer source = buffers.at(op.getSource());
  Location loc = op.getLoc();
  buffers[op.getBaseBuffer()] = {source.base, b.getIndexAttr(0), {}, {}};
  values[op.getOffset()] = getNumber(loc, source.offset);
  for (auto [value, size] : llvm::zip_equal(op.getSizes(), source.sizes))
    values[value] = getNumber(loc, size);
  for (auto [value, stride] : llvm::zip_equal(op.getStrides(), source.strides))
    values[value] = getNumber(loc, stride);
}

Value KernelEmitter::emitElement(Location loc, Value memref, ValueRange indices) {
  const Buffer &buffer = buffers.at(memref);
  OpFoldResult position = buffer.offset;
  for (auto [index, stride] : llvm::zip_equal(indices, buffer.strides))
    position = add(loc, position, multiply(loc, lookup(index), stride));
  Type element = convertType(cast<MemRefType>(memref.getType()).getElementType());
  return emitc::SubscriptOp::create(b, loc, emitc::LValueType::get(element), buffer.base,
                                    getNumber(loc, position));
}

/// `isKnown` becomes false if the op is no op on memory.
LogicalResult KernelEmitter::emitMemory(Operation &op, bool &isKnown) {
  for (Value operand : op.getOperands())
    if (isa<MemRefType>(operand.getType()) && !buffers.contains(operand))
      return op.emitError("expects a buffer of a known place");
  Location loc = op.getLoc();
  return TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<memref::LoadOp>([&](auto op) {
        Value element = emitElement(loc, op.getMemRef(), op.getIndices());
        values[op.getResult()] = emitc::LoadOp::create(b, loc, convertType(op.getType()), element);
        return success();
      })
      .Case<memref::StoreOp>([&](auto op) {
        Value element = emitElement(loc, op.getMemRef(), op.getIndices());
        emitc::AssignOp::create(b, loc, element, lookup(op.getValue()));
        return success();
      })
      .Case<memref::AllocOp>([&](auto op) { return emitAlloc(op); })
      .Case<memref::DeallocOp>([&](auto op) {
        emitc::CallOpaqueOp::create(b, loc, TypeRange(), "pypto_free",
                                    ValueRange(buffers.at(op.getMemref()).base));
        return success();
      })
      .Case<memref::GetGlobalOp>([&](auto op) { return emitGlobal(op); })
      .Case<memref::CopyOp>([&](auto op) { return emitCopy(op); })
      .Case<memref::DimOp>([&](auto op) -> LogicalResult {
        std::optional<int64_t> index = op.getConstantIndex();
        const Buffer &buffer = buffers.at(op.getSource());
        if (!index || *index < 0 || *index >= int64_t(buffer.sizes.size()))
          return op.emitError("expects a constant dimension");
        values[op.getResult()] = getNumber(loc, buffer.sizes[*index]);
        return success();
      })
      .Case<memref::ReinterpretCastOp>([&](auto op) {
        emitReinterpret(op);
        return success();
      })
      .Case<memref::ExtractStridedMetadataOp>([&](auto op) {
        emitMetadata(op);
        return success();
      })
      .Case<memref::CastOp>([&](auto op) {
        Buffer source = buffers.at(op.getSource());
        buffers[op.getResult()] = std::move(source);
        return success();
      })
      .Default([&](Operation *) {
        isKnown = false;
        return success();
      });
}
