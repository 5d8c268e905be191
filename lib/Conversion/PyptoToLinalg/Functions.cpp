// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions and their entries.
#include "BoundsChecks.h"

#include "pypto/Conversion/PyptoToLinalg/Passes.h"
#include "pypto/Transforms/Schedule.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::lowering;

std::string lowering::getLoweredName(FuncOp op) { return ("pl." + op.getSymName()).str(); }

SmallVector<Type> lowering::getLoweredResults(ProgramInfo &info, FuncOp func) {
  SmallVector<Type> types;
  for (auto [index, type] : llvm::enumerate(func.getResultTypes())) {
    SmallVector<Type> converted = *convertType(type);
    llvm::append_range(types,
                       ArrayRef(converted).drop_front(info.getParameter(func, index) ? 1 : 0));
  }
  return types;
}

static FunctionType getLoweredType(ProgramInfo &info, FuncOp func) {
  SmallVector<Type> inputs;
  for (Type type : func.getArgumentTypes())
    llvm::append_range(inputs, *convertType(type));
  if (info.needsBlockIndex(func))
    inputs.append(2, IndexType::get(func.getContext()));
  return FunctionType::get(func.getContext(), inputs, getLoweredResults(info, func));
}

static LogicalResult checkTypes(FuncOp op) {
  for (auto [types, what] :
       {std::pair(op.getArgumentTypes(), "parameter"), std::pair(op.getResultTypes(), "result")})
    for (auto [index, type] : llvm::enumerate(types))
      if (failed(convertType(type)))
        return emitUnsupported(op, kSupportedTypes)
               << ", but " << what << " " << index << " is " << type;
  return success();
}

//===- Definitions ----------------------------------------------------------------===//

void Lowering::bindParameterSymbols(FuncOp op) {
  auto bind = [&](ExtentAttr extent, auto makeValue) {
    if (!extent.isSymbol() || symbols.contains(extent.getSymbolName()))
      return;
    symbols[extent.getSymbolName()] = makeValue();
  };
  for (BlockArgument argument : op.getArguments()) {
    auto type = dyn_cast<pl::TensorType>(argument.getType());
    if (!type)
      continue;
    Handle handle = getHandle(argument);
    for (auto [dim, extent] : llvm::enumerate(type.getExtents()))
      bind(extent, [&, dim = dim] { return asValue(getSizes(handle.memref)[dim]); });
    for (auto [extent, size] : llvm::zip(type.getValid(), handle.valid))
      bind(extent, [&, size = size] { return asValue(size); });
    for (auto [dim, extent] : llvm::enumerate(type.getStrides()))
      bind(extent, [&, dim = dim]() -> Value {
        return memref::ExtractStridedMetadataOp::create(b, handle.memref).getStrides()[dim];
      });
  }
  // Equal names are one number.
  for (BlockArgument argument : op.getArguments()) {
    auto type = dyn_cast<pl::TensorType>(argument.getType());
    if (!type)
      continue;
    Value memref = lookup(argument).front();
    SmallVector<OpFoldResult> sizes = getSizes(memref);
    for (auto [size, extent] : llvm::zip_equal(sizes, type.getExtents()))
      if (!extent.isDynamic())
        size = materialize(extent);
    noteSizes(memref, sizes);
  }
}

LogicalResult Lowering::lowerFunction(FuncOp op) {
  // Calls report declarations.
  if (op.isDeclaration())
    return success();
  if (failed(checkTypes(op)))
    return failure();
  b.setLoc(op.getLoc());
  b.setInsertionPointToEnd(op->getBlock());
  auto func = func::FuncOp::create(b, getLoweredName(op), getLoweredType(info, op));
  func.setPrivate();
  func->setAttr("llvm.linkage", LLVM::LinkageAttr::get(b.getContext(), LLVM::Linkage::Internal));
  copySchedule(op, func);
  functions.push_back(func);
  makesTasks = info.hasTasks() && ProgramInfo::isHost(op);
  if (makesTasks)
    func->setAttr(orchestration::kHostAttrName, b.getUnitAttr());
  deferredWaits.clear();
  Block *entry = func.addEntryBlock();
  if (op->hasAttr(kNoAliasAttrName))
    for (BlockArgument argument : entry->getArguments())
      if (isa<MemRefType>(argument.getType()))
        func.setArgAttr(argument.getArgNumber(), LLVM::LLVMDialect::getNoAliasAttrName(),
                        b.getUnitAttr());
  b.setInsertionPointToStart(entry);
  symbols.clear();
  constants.clear();
  ValueRange arguments = entry->getArguments();
  for (BlockArgument argument : op.getArguments()) {
    size_t count = convertType(argument.getType())->size();
    map(argument, arguments.take_front(count));
    if (isa<pl::TensorType>(argument.getType()))
      noteSizes(arguments.front(), getSizes(arguments.front()));
    arguments = arguments.drop_front(count);
  }
  bool hasBlockIndex = info.needsBlockIndex(op);
  blockIndex = hasBlockIndex ? arguments[0] : Value();
  blockCount = hasBlockIndex ? arguments[1] : Value();
  subblockIndex = {};
  bindParameterSymbols(op);
  if (failed(lowerBlock(op.getBody().front())))
    return failure();
  for (tile::DeferWaitOp wait : deferredWaits)
    if (failed(lowerWait(*this, wait)))
      return failure();
  ReturnOp ret = op.getReturnOp();
  b.setLoc(ret.getLoc());
  current = ret;
  SmallVector<Value> results;
  for (auto [index, value] : llvm::enumerate(ret.getValues())) {
    SmallVector<Value> lowered(lookup(value));
    if (auto type = dyn_cast<pl::TensorType>(op.getResultTypes()[index]))
      lowered = flatten(retype(getHandle(value), type));
    llvm::append_range(results, ArrayRef(lowered).drop_front(info.getParameter(op, index) ? 1 : 0));
  }
  func::ReturnOp::create(b, results);
  if (!op.isPrivate())
    buildEntry(op, func);
  return success();
}

//===- Entries ------------------------------------------------------------------------===//

/// A dense copy, as the type of a handle.
static Value copyBuffer(Lowering &l, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<Value> dynamic;
  for (OpFoldResult size : l.getSizes(memref))
    if (auto value = dyn_cast<Value>(size))
      dynamic.push_back(value);
  Value copy = memref::AllocOp::create(l.b, MemRefType::get(type.getShape(), type.getElementType()),
                                       dynamic);
  linalg::CopyOp::create(l.b, memref, copy);
  return l.castMemRef(copy, type);
}

/// Entries are given dense arrays: the types say so, for passes that look at the callers.
static Value claimDense(Lowering &l, pl::TensorType type, Value memref) {
  if (!type.getStrides().empty())
    return memref;
  auto handle = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides(handle.getRank(), ShapedType::kDynamic);
  int64_t stride = 1;
  for (int64_t dim = handle.getRank() - 1; dim >= 0 && !ShapedType::isDynamic(stride); --dim) {
    strides[dim] = stride;
    int64_t extent = handle.getDimSize(dim);
    stride = ShapedType::isDynamic(extent) ? extent : stride * extent;
  }
  auto layout = StridedLayoutAttr::get(l.b.getContext(), ShapedType::kDynamic, strides);
  Value dense =
      l.castMemRef(memref, MemRefType::get(handle.getShape(), handle.getElementType(), layout));
  return l.castMemRef(dense, handle);
}

void Lowering::buildEntry(FuncOp op, func::FuncOp lowered) {
  b.setLoc(op.getLoc());
  b.setInsertionPointToEnd(op->getBlock());
  SmallVector<Type> inputs, outputs;
  for (Type type : op.getArgumentTypes())
    llvm::append_range(inputs, *convertType(type));
  for (Type type : op.getResultTypes())
    llvm::append_range(outputs, *convertType(type));
  auto entry = func::FuncOp::create(b, (kEntryPrefix + op.getSymName()).str(),
                                    b.getFunctionType(inputs, outputs));
  entry->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), b.getUnitAttr());
  functions.push_back(entry);
  b.setInsertionPointToStart(entry.addEntryBlock());
  constants.clear();
  if (hasChecks())
    BoundsChecker(*this, op).checkEntry(op, entry.getArguments());
  SmallVector<Value> arguments;
  for (Type type : op.getArgumentTypes()) {
    ValueRange lowered = entry.getArguments().slice(arguments.size(), convertType(type)->size());
    llvm::append_range(arguments, lowered);
    if (auto tensor = dyn_cast<pl::TensorType>(type))
      arguments[arguments.size() - lowered.size()] = claimDense(*this, tensor, lowered.front());
  }
  if (info.needsBlockIndex(op))
    arguments.append({asValue(b.getIndexAttr(0)), asValue(b.getIndexAttr(1))});
  auto call = func::CallOp::create(b, lowered, arguments);
  if (makesTasks) {
    entry->setAttr(orchestration::kHostAttrName, b.getUnitAttr());
    orchestration::AwaitOp::create(b, ValueRange());
  }
  ValueRange returned = call.getResults();
  // Where each parameter starts among the arguments.
  SmallVector<unsigned> starts;
  unsigned start = 0;
  for (Type type : op.getArgumentTypes()) {
    starts.push_back(start);
    start += convertType(type)->size();
  }
  SmallVector<Value> results;
  for (auto [index, type] : llvm::enumerate(op.getResultTypes())) {
    std::optional<unsigned> parameter = info.getParameter(op, index);
    auto tensor = dyn_cast<pl::TensorType>(type);
    size_t count = convertType(type)->size() - (parameter ? 1 : 0);
    SmallVector<Value> values(returned.take_front(count));
    returned = returned.drop_front(count);
    if (parameter) {
      Value memref = entry.getArgument(starts[*parameter]);
      values.insert(values.begin(), castMemRef(memref, getHandleType(tensor)));
    }
    // The caller of an entry owns what it gets.
    if (tensor && !info.isOwnedResult(op, index))
      values.front() = copyBuffer(*this, values.front());
    llvm::append_range(results, values);
  }
  func::ReturnOp::create(b, results);
}
