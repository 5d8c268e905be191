// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What calls of the run time need: see include/pypto/Runtime/TaskABI.h.
#include "RuntimeCalls.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::conversion;

RuntimeCalls::RuntimeCalls(ModuleOp module)
    : b(module.getLoc(), module.getContext()), converter(module.getContext()), module(module),
      symbols(module) {}

//===- Types ------------------------------------------------------------------------===//

SmallVector<Type> RuntimeCalls::flattenTypes(TypeRange types) const {
  SmallVector<Type> flat;
  for (Type type : types) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref) {
      flat.push_back(converter.convertType(type));
      continue;
    }
    flat.append(2, pointer());
    flat.append(MemRefDescriptor::getNumUnpackedValues(memref) - 2, converter.getIndexType());
  }
  return flat;
}

//===- Values -----------------------------------------------------------------------===//

Value RuntimeCalls::toLLVM(Value value) {
  Type type = converter.convertType(value.getType());
  if (type == value.getType())
    return value;
  return UnrealizedConversionCastOp::create(b, type, value).getResult(0);
}

SmallVector<Value> RuntimeCalls::flatten(ValueRange values) {
  SmallVector<Value> flat;
  for (Value value : values) {
    if (auto type = dyn_cast<MemRefType>(value.getType()))
      MemRefDescriptor::unpack(b, b.getLoc(), toLLVM(value), type, flat);
    else
      flat.push_back(toLLVM(value));
  }
  return flat;
}

Value RuntimeCalls::constant(int64_t value, unsigned width) {
  return LLVM::ConstantOp::create(b, b.getIntegerType(width), value);
}

Value RuntimeCalls::allocate(Type type, int64_t count) {
  OpBuilder::InsertionGuard guard(b);
  // In a loop it is the same space each time.
  auto function = b.getInsertionBlock()->getParentOp();
  while (!isa<FunctionOpInterface>(function))
    function = function->getParentOp();
  b.setInsertionPointToStart(&function->getRegion(0).front());
  return LLVM::AllocaOp::create(b, pointer(), type, constant(count));
}

Value RuntimeCalls::storeArray(ValueRange values) {
  if (values.empty())
    return null();
  Type type = values.front().getType();
  Value array = allocate(type, values.size());
  for (auto [index, value] : llvm::enumerate(values)) {
    Value slot = LLVM::GEPOp::create(b, pointer(), type, array,
                                     ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
    LLVM::StoreOp::create(b, value, slot);
  }
  return array;
}

//===- Symbols ----------------------------------------------------------------------===//

Value RuntimeCalls::call(StringRef name, Type result, ValueRange operands) {
  auto callee = symbols.lookup<LLVM::LLVMFuncOp>(name);
  if (!callee) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    Type type = result ? result : LLVM::LLVMVoidType::get(b.getContext());
    callee = LLVM::LLVMFuncOp::create(
        b, module.getLoc(), name,
        LLVM::LLVMFunctionType::get(type, SmallVector<Type>(operands.getTypes())));
    symbols.insert(callee);
  }
  LLVM::CallOp call = LLVM::CallOp::create(b, callee, operands);
  return result ? call.getResult() : Value();
}

LLVM::GlobalOp RuntimeCalls::createGlobal(Type type, StringRef name, Attribute value) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  auto global = LLVM::GlobalOp::create(b, module.getLoc(), type, /*isConstant=*/true,
                                       LLVM::Linkage::Internal, name, value);
  symbols.insert(global);
  return global;
}

LLVM::GlobalOp RuntimeCalls::getText(StringRef text) {
  LLVM::GlobalOp &global = texts[text];
  if (!global) {
    std::string bytes = (text + Twine('\0')).str();
    global = createGlobal(LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size()),
                          "pypto_text_" + std::to_string(texts.size()), b.getStringAttr(bytes));
  }
  return global;
}

/// "file:line:column" of the innermost place that `loc` names; empty if there is none.
static std::string formatLocation(Location loc) {
  std::string text;
  loc->walk([&](Location part) {
    auto place = dyn_cast<FileLineColLoc>(part);
    if (!place)
      return WalkResult::advance();
    text = place.getFilename().str() + ":" + std::to_string(place.getLine()) + ":" +
           std::to_string(place.getColumn());
    return WalkResult::interrupt();
  });
  return text;
}

Value RuntimeCalls::getSite(StringRef name, Location loc) {
  std::string location = formatLocation(loc);
  LLVM::GlobalOp &global = sites[name.str() + '\0' + location];
  if (!global) {
    auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), {pointer(), pointer()});
    LLVM::GlobalOp nameText = getText(name), locationText = getText(location);
    global = createGlobal(type, "pypto_site_" + std::to_string(sites.size()), {});
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&global.getInitializerRegion());
    Value site = LLVM::PoisonOp::create(b, type);
    site = LLVM::InsertValueOp::create(b, site, LLVM::AddressOfOp::create(b, nameText),
                                       ArrayRef<int64_t>{0});
    site = LLVM::InsertValueOp::create(b, site, LLVM::AddressOfOp::create(b, locationText),
                                       ArrayRef<int64_t>{1});
    LLVM::ReturnOp::create(b, site);
  }
  return LLVM::AddressOfOp::create(b, global);
}

//===- Bodies of tasks ----------------------------------------------------------------===//

SmallVector<Value> RuntimeCalls::loadArguments(Value payload, ArrayRef<Type> types) {
  SmallVector<Type> fields = flattenTypes(types);
  auto layout = LLVM::LLVMStructType::getLiteral(b.getContext(), fields);
  SmallVector<Value> flat, arguments;
  for (auto [index, field] : llvm::enumerate(fields)) {
    Value slot = LLVM::GEPOp::create(b, pointer(), layout, payload,
                                     ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
    // The run time aligns its copy to no more than a number.
    unsigned alignment = isa<VectorType>(field) ? 1 : 0;
    flat.push_back(LLVM::LoadOp::create(b, field, slot, alignment));
  }
  ArrayRef<Value> rest = flat;
  for (Type type : types) {
    auto memref = dyn_cast<MemRefType>(type);
    size_t count = memref ? MemRefDescriptor::getNumUnpackedValues(memref) : 1;
    Value value =
        memref ? MemRefDescriptor::pack(b, b.getLoc(), converter, memref, rest.take_front(count))
               : rest.front();
    rest = rest.drop_front(count);
    if (value.getType() != type)
      value = UnrealizedConversionCastOp::create(b, type, value).getResult(0);
    arguments.push_back(value);
  }
  return arguments;
}

LLVM::LLVMFuncOp RuntimeCalls::createBody(FunctionOpInterface callee, ArrayRef<Type> types,
                                          bool takesBlock, StringRef name) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(module.getBody());
  Type i64 = b.getI64Type();
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), {pointer(), i64, i64});
  auto body = LLVM::LLVMFuncOp::create(b, callee.getLoc(), name, type, LLVM::Linkage::Internal);
  symbols.insert(body);
  Block *block = body.addEntryBlock(b);
  b.setInsertionPointToStart(block);
  SmallVector<Value> arguments = loadArguments(block->getArgument(0), types);
  if (takesBlock)
    for (unsigned index : {1, 2})
      arguments.push_back(
          UnrealizedConversionCastOp::create(b, b.getIndexType(), block->getArgument(index))
              .getResult(0));
  func::CallOp::create(b, callee.getName(), TypeRange(), arguments);
  LLVM::ReturnOp::create(b, ValueRange());
  return body;
}

Value RuntimeCalls::getBody(FunctionOpInterface callee, ArrayRef<Type> types, bool takesBlock) {
  std::string name = ("pypto_task_" + callee.getName() + (takesBlock ? "_blocks" : "")).str();
  auto body = symbols.lookup<LLVM::LLVMFuncOp>(name);
  if (!body)
    body = createBody(callee, types, takesBlock, name);
  return LLVM::AddressOfOp::create(b, body);
}
