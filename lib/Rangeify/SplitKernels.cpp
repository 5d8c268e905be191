// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elements.h"
#include "HostLoops.h"
#include "KernelGroups.h"
#include "NestRebuilding.h"
#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"
#include "pypto/Rangeify/Passes.h"
#include "pypto/Transforms/Schedule.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::rangeify;

namespace pypto::rangeify {
#define GEN_PASS_DEF_SPLITKERNELS
#include "pypto/Rangeify/Passes.h.inc"
} // namespace pypto::rangeify

static bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

/// Everything that `op` reads, from its body too.
static SetVector<Value> getReads(Operation *op) {
  SetVector<Value> reads(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), reads);
  return reads;
}

/// True for a number that the host can compute: a parameter, an extent, index arithmetic of such.
/// Others are computed in the kernels that need them.
static bool isForHost(Value scalar) {
  SmallVector<Value> work{scalar};
  DenseSet<Value> seen;
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (!op || isa<tensor::DimOp>(op) || op->hasTrait<OpTrait::ConstantLike>())
      continue;
    bool isArithmetic = isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) &&
                        op->getResult(0).getType().isIndex();
    if (!isArithmetic && !isa<affine::AffineApplyOp>(op))
      return false;
    for (Value operand : op->getOperands())
      if (seen.insert(operand).second)
        work.push_back(operand);
  }
  return true;
}

//===- Kernels --------------------------------------------------------------------===//

namespace {
/// Builds one kernel, and the call of it.
class KernelBuilder {
public:
  KernelBuilder(const DenseSet<Value> &stored, ArrayRef<Value> outputs)
      : stored(stored), outputs(outputs) {
    DenseSet<Operation *> visited;
    for (Value output : outputs)
      visit(output.getDefiningOp(), visited);
  }

  func::FuncOp build(OpBuilder &b, Location loc, StringRef name);
  /// Says what the extents of a parameter are that are not in its type.
  void setSizes(Value tensor, ArrayRef<OpFoldResult> extents);

  /// Stored tensors that it reads, by first use.
  SetVector<Value> inputs;
  /// Other values that it needs.
  SetVector<Value> scalars;

private:
  void visit(Operation *op, DenseSet<Operation *> &visited);
  Value getBuffer(OpBuilder &b, Value tensor, Value argument, IRMapping &mapping);

  const DenseSet<Value> &stored;
  DenseMap<Value, SmallVector<OpFoldResult>> sizes;
  ArrayRef<Value> outputs;
  /// The ops of the kernel, each behind what it reads.
  SmallVector<Operation *> ops;
};
} // namespace

void KernelBuilder::visit(Operation *op, DenseSet<Operation *> &visited) {
  if (!visited.insert(op).second)
    return;
  for (Value read : getReads(op)) {
    Operation *definition = read.getDefiningOp();
    bool isConstant = definition && definition->hasTrait<OpTrait::ConstantLike>();
    if (!isTensor(read) && !isConstant) {
      if (isForHost(read))
        scalars.insert(read);
      else
        visit(definition, visited);
      continue;
    }
    bool isOutput = llvm::is_contained(outputs, read);
    if (!isConstant && !isOutput && (!definition || stored.contains(read)))
      inputs.insert(read);
    else if (definition)
      visit(definition, visited);
  }
  ops.push_back(op);
}

/// The type of a buffer with the elements of `tensor`.
static MemRefType getMemRefType(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return MemRefType::get(type.getShape(), type.getElementType());
}

/// True if the type of a parameter has its extents. No buffer without elements is a pointer.
static bool hasExtentsInType(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return type.hasStaticShape() && type.getNumElements() != 0;
}

/// The type of a parameter: a kernel gets addresses only, other extents come as scalars.
static MemRefType getParameterType(Value tensor) {
  MemRefType type = getMemRefType(tensor);
  return hasExtentsInType(tensor) ? type : MemRefType::get({1}, type.getElementType());
}

void KernelBuilder::setSizes(Value tensor, ArrayRef<OpFoldResult> extents) {
  sizes[tensor].assign(extents.begin(), extents.end());
  for (OpFoldResult extent : extents)
    if (auto value = dyn_cast<Value>(extent))
      scalars.insert(value);
}

/// The parameter for `tensor` with its extents.
Value KernelBuilder::getBuffer(OpBuilder &b, Value tensor, Value argument, IRMapping &mapping) {
  if (hasExtentsInType(tensor))
    return argument;
  Location loc = tensor.getLoc();
  SmallVector<OpFoldResult> extents, strides(sizes[tensor].size());
  for (OpFoldResult extent : sizes[tensor]) {
    auto value = dyn_cast<Value>(extent);
    extents.push_back(value ? OpFoldResult(mapping.lookup(value)) : extent);
  }
  OpFoldResult stride = b.getIndexAttr(1);
  for (size_t i = extents.size(); i-- > 0;) {
    strides[i] = stride;
    AffineExpr product = b.getAffineSymbolExpr(0) * b.getAffineSymbolExpr(1);
    stride = affine::makeComposedFoldedAffineApply(b, loc, AffineMap::get(0, 2, product),
                                                   {stride, extents[i]});
  }
  return memref::ReinterpretCastOp::create(b, loc, argument, b.getIndexAttr(0), extents, strides);
}

func::FuncOp KernelBuilder::build(OpBuilder &b, Location loc, StringRef name) {
  SmallVector<Type> types;
  for (Value output : outputs)
    types.push_back(getParameterType(output));
  for (Value input : inputs)
    types.push_back(getParameterType(input));
  for (Value scalar : scalars)
    types.push_back(scalar.getType());
  auto kernel = func::FuncOp::create(b, loc, name, b.getFunctionType(types, {}));
  kernel.setPrivate();
  // Each buffer that is written is memory of its own, and all of them are aligned for vectors.
  for (auto [index, type] : llvm::enumerate(types))
    if (isa<MemRefType>(type)) {
      kernel.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(), b.getUnitAttr());
      kernel.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(), b.getI64IntegerAttr(64));
    }
  OpBuilder::InsertionGuard guard(b);
  Block *body = kernel.addEntryBlock();
  b.setInsertionPointToStart(body);
  IRMapping mapping;
  auto arguments = body->getArguments().drop_front(outputs.size());
  for (auto [scalar, argument] : llvm::zip_equal(scalars, arguments.drop_front(inputs.size())))
    mapping.map(scalar, argument);
  for (auto [input, argument] : llvm::zip(inputs, arguments))
    mapping.map(input, bufferization::ToTensorOp::create(b, loc, input.getType(),
                                                         getBuffer(b, input, argument, mapping),
                                                         /*restrict=*/true));
  for (Operation *op : ops)
    b.clone(*op, mapping);
  for (auto [output, argument] : llvm::zip(outputs, body->getArguments())) {
    auto store = bufferization::MaterializeInDestinationOp::create(
        b, loc, Type(), mapping.lookup(output), getBuffer(b, output, argument, mapping));
    store.setRestrict(true);
    store.setWritable(true);
  }
  func::ReturnOp::create(b, loc);
  return kernel;
}

//===- The host ---------------------------------------------------------------------===//

namespace {
/// Splits one graph.
class GraphSplitter {
public:
  GraphSplitter(func::FuncOp graph, bool single) : graph(graph), single(single) {}

  LogicalResult run();

private:
  void copySharedResults();
  LogicalResult check();
  void createHost();
  Value getHostValue(OpBuilder &b, Value value);
  Value getHostExtent(OpBuilder &b, tensor::DimOp dim);
  Value getBuffer(OpBuilder &b, Value tensor);
  /// The same, or a view of it for a reshape of what is stored.
  Value getView(OpBuilder &b, Value tensor);
  ArrayRef<OpFoldResult> getExtents(Value tensor);
  Value createTask(OpBuilder &b, func::FuncOp kernel, ArrayRef<Value> arguments,
                   unsigned numWritten);
  void launch(OpBuilder &b, ArrayRef<Value> outputs, unsigned number);
  LogicalResult launchLoop(OpBuilder &b, scf::ForOp loop);

  func::FuncOp graph, host;
  bool single;
  /// There is an extent that nothing says before a kernel has run.
  bool isUnknown = false;
  DenseSet<Value> stored;
  /// Buffers and scalars of the host.
  IRMapping mapping;
  SmallVector<Value> allocations;
  /// For each buffer the task that wrote it last, and those that have read it since.
  DenseMap<Value, Value> writers;
  DenseMap<Value, SmallVector<Value>> readers;
  /// Extents of tensors, as values of the graph.
  DenseMap<Value, SmallVector<OpFoldResult>> extents;
};
} // namespace

/// True for a value that a kernel stores somewhere.
static bool isComputed(Value value) {
  Operation *op = value.getDefiningOp();
  return op && !op->hasTrait<OpTrait::ConstantLike>() && !isa<tensor::CastOp>(op) &&
         !isUniform(value);
}

/// True if a tensor is larger than any memory.
static bool isTooLarge(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  constexpr int64_t most = int64_t(1) << 48;
  int64_t count = 1;
  for (int64_t extent : tensor ? tensor.getShape() : ArrayRef<int64_t>())
    if (!ShapedType::isDynamic(extent) && (llvm::MulOverflow(count, extent, count) || count > most))
      return true;
  return false;
}

/// Each result gets memory of its own: it is copied if no kernel makes it, or is returned already.
void GraphSplitter::copySharedResults() {
  Operation *terminator = graph.getBody().front().getTerminator();
  DenseSet<Value> bases;
  for (OpOperand &result : terminator->getOpOperands()) {
    if (!isTensor(result.get()))
      continue;
    Value base = skipReshapes(result.get());
    if (isComputed(base) && bases.insert(base).second)
      continue;
    OpBuilder b(terminator);
    Location loc = result.get().getLoc();
    auto type = cast<RankedTensorType>(result.get().getType());
    Value empty = tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, result.get()),
                                          type.getElementType());
    SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(type.getRank()));
    SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
    auto copy = linalg::GenericOp::create(b, loc, type, result.get(), empty, maps, loops,
                                          [](OpBuilder &body, Location loc, ValueRange elements) {
                                            linalg::YieldOp::create(body, loc, elements[0]);
                                          });
    result.set(copy.getResult(0));
    bases.insert(copy.getResult(0));
  }
}

LogicalResult GraphSplitter::check() {
  if (!graph.getBody().hasOneBlock())
    return graph.emitError("expects a graph of one block, but got several");
  for (auto types : {graph.getArgumentTypes(), graph.getResultTypes()})
    for (Type type : types)
      if (!isa<RankedTensorType>(type) && !type.isIntOrIndexOrFloat())
        return graph.emitError() << "expects ranked tensors and scalars, but got " << type;
  for (Type type : graph.getResultTypes())
    if (!isa<RankedTensorType>(type))
      return graph.emitError() << "expects tensors as results of a graph, but got " << type;
  for (Operation &op : graph.getBody().front()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (loop && !single && loop.getNumResults() != 0 && !getOutlinedBody(loop))
      return loop.emitError("expects a loop whose body is a call, as --outline-loops leaves it");
    for (Type type : op.getResultTypes())
      if (isTooLarge(type))
        return op.emitError() << "expects tensors of at most 2^48 elements, but got " << type;
    if (!loop && !isMemoryEffectFree(&op) && !isa<func::ReturnOp>(op))
      return op.emitError("expects an operation without side effects in a graph");
  }
  return success();
}

/// The function that calls the kernels: outputs, inputs, scalars.
void GraphSplitter::createHost() {
  OpBuilder b(graph);
  Block &body = graph.getBody().front();
  SmallVector<Type> types;
  SmallVector<Value> results(body.getTerminator()->getOperands()), inputs, scalars;
  for (Value result : results)
    types.push_back(getMemRefType(result));
  for (Value argument : body.getArguments())
    (isTensor(argument) ? inputs : scalars).push_back(argument);
  for (Value input : inputs)
    types.push_back(getMemRefType(input));
  for (Value scalar : scalars)
    types.push_back(scalar.getType());
  host = func::FuncOp::create(b, graph.getLoc(), graph.getName(), b.getFunctionType(types, {}));
  Block *entry = host.addEntryBlock();
  auto arguments = entry->getArguments().drop_front(results.size());
  for (auto [input, argument] : llvm::zip(inputs, arguments))
    mapping.map(input, argument);
  for (auto [scalar, argument] : llvm::zip_equal(scalars, arguments.drop_front(inputs.size())))
    mapping.map(scalar, argument);
  b.setInsertionPointToStart(entry);
  for (auto [result, argument] : llvm::zip(results, entry->getArguments())) {
    // The memory of a result has the shape in which it is computed.
    SmallVector<Operation *> reshapes;
    for (Value value = result; value != skipReshapes(value);
         value = value.getDefiningOp()->getOperand(0))
      reshapes.push_back(value.getDefiningOp());
    Value buffer = argument;
    for (Operation *op : reshapes) {
      auto type = getMemRefType(op->getOperand(0));
      if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
        buffer = memref::ExpandShapeOp::create(b, op->getLoc(), type.getShape(), buffer,
                                               collapse.getReassociationIndices());
      else
        buffer = memref::CollapseShapeOp::create(
            b, op->getLoc(), buffer, cast<tensor::ExpandShapeOp>(op).getReassociationIndices());
    }
    mapping.map(skipReshapes(result), buffer);
  }
}

Value GraphSplitter::getHostExtent(OpBuilder &b, tensor::DimOp dim) {
  Value tensor = dim.getSource();
  std::optional<int64_t> position = dim.getConstantIndex();
  if (mapping.contains(tensor) || !position || *position < 0 ||
      *position >= cast<RankedTensorType>(tensor.getType()).getRank())
    return memref::DimOp::create(b, dim.getLoc(), getBuffer(b, tensor),
                                 getHostValue(b, dim.getIndex()));
  OpFoldResult extent = getExtents(tensor)[*position];
  auto same =
      dyn_cast<Value>(extent) ? cast<Value>(extent).getDefiningOp<tensor::DimOp>() : nullptr;
  if (same && same.getSource() == tensor) {
    if (!isUnknown)
      emitError(tensor.getLoc()) << "expects extents that follow from arguments, but got "
                                 << tensor.getType() << " of what is not known before it has run";
    isUnknown = true;
    extent = b.getIndexAttr(0);
  }
  if (auto value = dyn_cast<Value>(extent))
    return getHostValue(b, value);
  return getValueOrCreateConstantIndexOp(b, dim.getLoc(), extent);
}

/// A scalar of the graph, computed by the host.
Value GraphSplitter::getHostValue(OpBuilder &b, Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    Value result = getHostExtent(b, dim);
    mapping.map(value, result);
    return result;
  }
  for (Value operand : op->getOperands())
    getHostValue(b, operand);
  b.clone(*op, mapping);
  return mapping.lookup(value);
}

ArrayRef<OpFoldResult> GraphSplitter::getExtents(Value tensor) {
  auto [entry, isNew] = extents.try_emplace(tensor);
  if (isNew) {
    OpBuilder inGraph(tensor.getContext());
    inGraph.setInsertionPointAfterValue(tensor);
    entry->second = getSizes(inGraph, tensor.getLoc(), tensor);
  }
  return entry->second;
}

Value GraphSplitter::getBuffer(OpBuilder &b, Value tensor) {
  if (Value known = mapping.lookupOrNull(tensor))
    return known;
  Location loc = tensor.getLoc();
  SmallVector<Value> dynamic;
  for (auto [size, extent] :
       llvm::zip_equal(getExtents(tensor), cast<RankedTensorType>(tensor.getType()).getShape()))
    if (ShapedType::isDynamic(extent))
      dynamic.push_back(getHostValue(b, cast<Value>(size)));
  Value buffer = memref::AllocOp::create(b, loc, getMemRefType(tensor), dynamic);
  allocations.push_back(buffer);
  mapping.map(tensor, buffer);
  return buffer;
}

Value GraphSplitter::getView(OpBuilder &b, Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (!isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return getBuffer(b, tensor);
  Value source = getView(b, op->getOperand(0));
  MemRefType type = getMemRefType(tensor);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return memref::ExpandShapeOp::create(b, op->getLoc(), type.getShape(), source,
                                         expand.getReassociationIndices());
  return memref::CollapseShapeOp::create(
      b, op->getLoc(), source, cast<tensor::CollapseShapeOp>(op).getReassociationIndices());
}

/// What a buffer is a view of.
static Value getBase(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

/// A task that runs after those that wrote what it reads, and that used what it writes.
Value GraphSplitter::createTask(OpBuilder &b, func::FuncOp kernel, ArrayRef<Value> arguments,
                                unsigned numWritten) {
  SmallVector<int32_t> modes;
  SetVector<Value> after;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    if (!isa<MemRefType>(argument.getType()))
      continue;
    bool isWritten = index < numWritten;
    modes.push_back(static_cast<int32_t>(isWritten ? orchestration::AccessMode::Write
                                                   : orchestration::AccessMode::Read));
    Value base = getBase(argument);
    if (Value writer = writers.lookup(base))
      after.insert(writer);
    if (isWritten)
      after.insert_range(readers.lookup(base));
  }
  Value task = orchestration::LaunchOp::create(
      b, kernel.getLoc(), b.getI64Type(), kernel.getName(), arguments, after.getArrayRef(),
      /*blocks=*/Value(), b.getDenseI32ArrayAttr(modes), /*in_order=*/false);
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    if (!isa<MemRefType>(argument.getType()))
      continue;
    Value base = getBase(argument);
    if (index < numWritten) {
      writers[base] = task;
      readers[base].clear();
    } else {
      readers[base].push_back(task);
    }
  }
  return task;
}

void GraphSplitter::launch(OpBuilder &b, ArrayRef<Value> outputs, unsigned number) {
  Location loc = outputs[0].getLoc();
  KernelBuilder builder(stored, outputs);
  SmallVector<Value> tensors(outputs);
  llvm::append_range(tensors, builder.inputs);
  for (Value tensor : tensors)
    if (!hasExtentsInType(tensor))
      builder.setSizes(tensor, getExtents(tensor));
  OpBuilder beforeHost(host);
  std::string name = (graph.getName() + "_kernel_" + Twine(number)).str();
  func::FuncOp kernel = builder.build(beforeHost, loc, name);
  pypto::copySchedule(graph, kernel);
  SmallVector<Value> arguments;
  for (auto [tensor, parameter] : llvm::zip(tensors, kernel.getArgumentTypes())) {
    Value buffer = getBuffer(b, tensor);
    if (buffer.getType() != parameter)
      buffer = memref::ReinterpretCastOp::create(b, loc, cast<MemRefType>(parameter), buffer,
                                                 /*offset=*/0, /*sizes=*/ArrayRef<int64_t>{1},
                                                 /*strides=*/ArrayRef<int64_t>{1});
    arguments.push_back(buffer);
  }
  for (Value scalar : builder.scalars)
    arguments.push_back(getHostValue(b, scalar));
  createTask(b, kernel, arguments, outputs.size());
}

/// One task that runs the loop: the kernels of its body, again and again.
LogicalResult GraphSplitter::launchLoop(OpBuilder &b, scf::ForOp loop) {
  StringRef callee = getOutlinedBody(loop).getCallee();
  auto module = graph->getParentOfType<ModuleOp>();
  GraphSplitter body(module.lookupSymbol<func::FuncOp>(callee), single);
  if (failed(body.run()))
    return failure();
  body.host.setPrivate();
  func::FuncOp function = createHostLoop(loop, body.host);
  LoopInputs inputs = getLoopInputs(loop);
  SmallVector<Value> arguments;
  for (Value result : loop.getResults())
    arguments.push_back(getBuffer(b, result));
  for (Value tensor : inputs.tensors)
    arguments.push_back(getView(b, tensor));
  for (Value scalar : inputs.scalars)
    arguments.push_back(getHostValue(b, scalar));
  createTask(b, function, arguments, loop.getNumResults());
  return success();
}

LogicalResult GraphSplitter::run() {
  if (failed(check()))
    return failure();
  copySharedResults();
  SmallVector<SmallVector<Value>> kernels = groupKernels(graph, single);
  for (Value argument : graph.getArguments())
    stored.insert(argument);
  for (ArrayRef<Value> outputs : kernels)
    stored.insert(outputs.begin(), outputs.end());
  createHost();
  OpBuilder b = OpBuilder::atBlockEnd(&host.getBody().front());
  for (auto [number, outputs] : llvm::enumerate(kernels)) {
    auto loop = outputs[0].getDefiningOp<scf::ForOp>();
    if (!loop || single)
      launch(b, outputs, number);
    else if (failed(launchLoop(b, loop)))
      return failure();
  }
  orchestration::AwaitOp::create(b, graph.getLoc(), ValueRange());
  for (Value allocation : llvm::reverse(allocations))
    memref::DeallocOp::create(b, allocation.getLoc(), allocation);
  func::ReturnOp::create(b, graph.getLoc());
  graph.erase();
  return failure(isUnknown);
}

namespace {
struct SplitKernelsPass : pypto::rangeify::impl::SplitKernelsBase<SplitKernelsPass> {
  using SplitKernelsBase::SplitKernelsBase;

  void runOnModule() override {
    SmallVector<func::FuncOp> graphs;
    for (auto graph : getOperation().getOps<func::FuncOp>())
      if (!graph.isExternal() && graph.isPublic())
        graphs.push_back(graph);
    for (func::FuncOp graph : graphs)
      if (failed(GraphSplitter(graph, single).run()))
        return signalPassFailure();
  }
};
} // namespace
