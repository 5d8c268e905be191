// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/ExecutionEngine/GraphProgram.h"
#include "GraphDescription.h"
#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"
#include "pypto/ExecutionEngine/Array.h"
#include "pypto/Runtime/Failure.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <chrono>
#include <cstdlib>
#include <oneapi/tbb/task_arena.h>

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;

//===- Decoding -------------------------------------------------------------------===//

using GraphProgramCompute = std::function<int64_t(const int64_t *)>;

/// A function of registers that evaluates `expr` with these as its dimensions and symbols.
static GraphProgramCompute compile(AffineExpr expr, ArrayRef<unsigned> dims,
                                   ArrayRef<unsigned> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return [value = constant.getValue()](auto) { return value; };
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return [index = dims[dim.getPosition()]](auto registers) { return registers[index]; };
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return [index = symbols[symbol.getPosition()]](auto registers) { return registers[index]; };
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto lhs = compile(binary.getLHS(), dims, symbols), rhs = compile(binary.getRHS(), dims, symbols);
  return [=, kind = expr.getKind()](const int64_t *registers) -> int64_t {
    int64_t a = lhs(registers), b = rhs(registers);
    switch (kind) {
    case AffineExprKind::Add:
      return a + b;
    case AffineExprKind::Mul:
      return a * b;
    case AffineExprKind::Mod:
      return b <= 0 ? 0 : llvm::mod(a, b);
    case AffineExprKind::FloorDiv:
      return b <= 0 ? 0 : llvm::divideFloorSigned(a, b);
    default:
      return b <= 0 ? 0 : llvm::divideCeilSigned(a, b);
    }
  };
}

namespace pypto::execution {
/// Reads a host function.
class GraphProgramBuilder {
public:
  GraphProgramBuilder(func::FuncOp host, const KernelOptions &options)
      : host(host), options(options), program(std::make_shared<GraphProgram>()) {}

  llvm::Expected<std::shared_ptr<const GraphProgram>> build();
  /// The body of a loop: its arguments, then `captured`, are the parameters.
  llvm::Expected<std::shared_ptr<const GraphProgram>>
  buildBody(scf::ForOp loop, ArrayRef<Value> captured, SmallVectorImpl<unsigned> &yielded);

private:
  llvm::Error decode(Operation &op);
  llvm::Error decodeLaunch(orchestration::LaunchOp launch);
  llvm::Error decodeLoop(scf::ForOp loop);
  GraphProgram::Call &addCall(StringRef name, ValueRange arguments,
                              ArrayRef<unsigned> predecessors);
  llvm::Error decodeView(memref::ViewOp view);
  llvm::Error decodeAlloc(memref::AllocOp alloc);
  llvm::Error decodeDim(memref::DimOp dim);
  llvm::Error decodeArithmetic(Operation &op, AffineMap map, ValueRange operands);
  void compute(Value result, GraphProgramCompute function) {
    program->computations.push_back({createRegister(result), std::move(function), false});
  }
  unsigned createRegister(Value value) { return registers[value] = program->numRegisters++; }

  func::FuncOp host;
  KernelOptions options;
  std::shared_ptr<GraphProgram> program;
  llvm::DenseMap<Value, unsigned> registers;
  /// The call that a task is.
  llvm::DenseMap<Value, unsigned> tasks;
  /// The allocation that others are views of.
  Value arena;
};
} // namespace pypto::execution

llvm::Error GraphProgramBuilder::decodeAlloc(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  constexpr int64_t alignment = 64;
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  for (int64_t extent : type.getShape())
    bytes *= ShapedType::isDynamic(extent) ? 1 : extent;
  if (!type.hasStaticShape()) {
    SmallVector<unsigned> factors;
    for (Value size : alloc.getDynamicSizes())
      factors.push_back(registers.lookup(size));
    auto getSize = [=](const int64_t *registers) {
      int64_t size = bytes;
      for (unsigned factor : factors)
        size *= registers[factor];
      return size;
    };
    program->computations.push_back({createRegister(alloc.getResult()), getSize, true});
    return llvm::Error::success();
  }
  // The first allocation begins where the memory does: views of it have their offsets.
  if (program->scratchBytes == 0)
    arena = alloc.getResult();
  program->allocations.push_back({createRegister(alloc.getResult()), program->scratchBytes});
  program->scratchBytes += llvm::alignTo(std::max<int64_t>(bytes, 1), alignment);
  return llvm::Error::success();
}

llvm::Error GraphProgramBuilder::decodeLaunch(orchestration::LaunchOp launch) {
  auto kernel = dyn_cast_if_present<func::FuncOp>(
      SymbolTable::lookupNearestSymbolFrom(launch, launch.getCalleeAttr()));
  if (!kernel || kernel.isExternal())
    return makeError("'" + launch.getCallee() + "' is no kernel with a body");
  SmallVector<unsigned> predecessors;
  for (Value task : launch.getAfter())
    predecessors.push_back(tasks.lookup(task));
  // A function that launches is a program of its own.
  bool launches =
      kernel.walk([](orchestration::LaunchOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (launches) {
    auto nested = GraphProgram::create(kernel, options);
    if (!nested)
      return nested.takeError();
    tasks[launch.getTask()] = program->calls.size();
    addCall(kernel.getName(), launch.getArguments(), predecessors).program = *nested;
    return llvm::Error::success();
  }
  llvm::Expected<std::shared_ptr<const Kernel>> code = Kernel::get(kernel, options);
  if (!code)
    return code.takeError();
  tasks[launch.getTask()] = program->calls.size();
  addCall(kernel.getName(), launch.getArguments(), predecessors).kernel = *code;
  return llvm::Error::success();
}

GraphProgram::Call &GraphProgramBuilder::addCall(StringRef name, ValueRange arguments,
                                                 ArrayRef<unsigned> predecessors) {
  GraphProgram::Call &call = program->calls.emplace_back();
  call.name = name;
  for (Value operand : arguments)
    call.arguments.push_back(registers.lookup(operand));
  call.firstArgument = program->numArguments;
  program->numArguments += call.arguments.size();
  program->graph.add(predecessors);
  return call;
}

/// One call, with nothing beside it.
llvm::Error GraphProgramBuilder::decodeLoop(scf::ForOp loop) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(loop.getRegion(), captured);
  SmallVector<Value> arguments(loop.getInitArgs());
  llvm::append_range(arguments, captured);
  GraphProgram::Loop decoded{registers.lookup(loop.getLowerBound()),
                             registers.lookup(loop.getUpperBound()),
                             registers.lookup(loop.getStep()),
                             {}};
  auto body =
      GraphProgramBuilder(host, options).buildBody(loop, captured.getArrayRef(), decoded.yielded);
  if (!body)
    return body.takeError();
  if (!loop->use_empty())
    return makeError("the host of '" + host.getName() + "' uses a result of a loop");
  program->graph.addBarrier();
  GraphProgram::Call &call = addCall((host.getName() + " loop").str(), arguments, {});
  call.program = *body;
  call.loop = std::move(decoded);
  program->graph.addBarrier();
  return llvm::Error::success();
}

/// A buffer at a fixed place of the memory that all of them share.
llvm::Error GraphProgramBuilder::decodeView(memref::ViewOp view) {
  APInt offset;
  if (!view.getType().hasStaticShape() ||
      !matchPattern(view.getByteShift(), m_ConstantInt(&offset)) || view.getSource() != arena)
    return makeError("the host of '" + host.getName() + "' has a view of no fixed place");
  program->allocations.push_back({createRegister(view), offset.getSExtValue()});
  return llvm::Error::success();
}

llvm::Error GraphProgramBuilder::decodeDim(memref::DimOp dim) {
  Value source = dim.getSource();
  std::optional<int64_t> position = dim.getConstantIndex();
  auto argument = dyn_cast<BlockArgument>(source);
  auto type = dyn_cast<MemRefType>(source.getType());
  if (!position || !argument || !type || *position < 0 || *position >= type.getRank())
    return makeError("the host of '" + host.getName() + "' asks for an extent of no parameter");
  if (int64_t extent = type.getDimSize(*position); !ShapedType::isDynamic(extent))
    compute(dim, [=](auto) { return extent; });
  else
    registers[dim] = program->extents.at({argument.getArgNumber(), *position});
  return llvm::Error::success();
}

llvm::Error GraphProgramBuilder::decodeArithmetic(Operation &op, AffineMap map,
                                                  ValueRange operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(map.getResult(0))) {
    program->constants.push_back({createRegister(op.getResult(0)), constant.getValue()});
    return llvm::Error::success();
  }
  SmallVector<unsigned> indices;
  for (Value operand : operands)
    indices.push_back(registers.lookup(operand));
  compute(op.getResult(0), compile(map.getResult(0), ArrayRef(indices).take_front(map.getNumDims()),
                                   ArrayRef(indices).drop_front(map.getNumDims())));
  return llvm::Error::success();
}

/// The map that an op of indices stands for; null if it stands for none.
static AffineMap getMap(Operation &op) {
  Builder b(op.getContext());
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return apply.getAffineMap();
  AffineExpr x = b.getAffineDimExpr(0), y = b.getAffineDimExpr(1);
  IntegerAttr constant;
  if (matchPattern(&op, m_Constant(&constant)))
    return AffineMap::getConstantMap(constant.getValue().getSExtValue(), op.getContext());
  AffineExpr expr = TypeSwitch<Operation *, AffineExpr>(&op)
                        .Case<arith::AddIOp>([&](auto) { return x + y; })
                        .Case<arith::SubIOp>([&](auto) { return x - y; })
                        .Case<arith::MulIOp>([&](auto) { return x * y; })
                        .Default([](Operation *) { return AffineExpr(); });
  return expr && op.getResult(0).getType().isIndex() ? AffineMap::get(2, 0, expr) : AffineMap();
}

llvm::Error GraphProgramBuilder::decode(Operation &op) {
  if (AffineMap map = getMap(op))
    return decodeArithmetic(op, map, op.getOperands());
  return TypeSwitch<Operation *, llvm::Error>(&op)
      .Case<memref::AllocOp>([&](auto alloc) { return decodeAlloc(alloc); })
      .Case<orchestration::LaunchOp>([&](auto launch) { return decodeLaunch(launch); })
      .Case<memref::ViewOp>([&](auto view) { return decodeView(view); })
      .Case<memref::DimOp>([&](auto dim) { return decodeDim(dim); })
      .Case<memref::ReinterpretCastOp>([&](auto view) {
        registers[view.getResult()] = registers.lookup(view.getSource());
        return llvm::Error::success();
      })
      .Case<memref::ExpandShapeOp, memref::CollapseShapeOp>([&](auto view) {
        // The same address.
        registers[view.getResult()] = registers.lookup(view.getSrc());
        return llvm::Error::success();
      })
      .Case<scf::ForOp>([&](auto loop) { return decodeLoop(loop); })
      .Case<arith::MaxSIOp>([&](auto op) {
        compute(op, [x = registers.lookup(op.getLhs()), y = registers.lookup(op.getRhs())](
                        auto registers) { return std::max(registers[x], registers[y]); });
        return llvm::Error::success();
      })
      .Case<arith::CmpIOp>([&](auto op) -> llvm::Error {
        if (op.getPredicate() != arith::CmpIPredicate::ne)
          return makeError("the host of '" + host.getName() +
                           "' has a comparison that it cannot do");
        compute(op,
                [x = registers.lookup(op.getLhs()), y = registers.lookup(op.getRhs())](
                    auto registers) -> int64_t { return registers[x] != registers[y]; });
        return llvm::Error::success();
      })
      .Case<arith::SelectOp>([&](auto op) {
        compute(op,
                [c = registers.lookup(op.getCondition()), x = registers.lookup(op.getTrueValue()),
                 y = registers.lookup(op.getFalseValue())](auto registers) {
                  return registers[c] ? registers[x] : registers[y];
                });
        return llvm::Error::success();
      })
      .Case<orchestration::AwaitOp>([&](auto) {
        // The host goes on when they are done, and with it all that is behind.
        program->graph.addBarrier();
        return llvm::Error::success();
      })
      .Case<memref::DeallocOp, func::ReturnOp, scf::YieldOp>(
          [](auto) { return llvm::Error::success(); })
      .Default([&](Operation *op) {
        return makeError("the host of '" + host.getName() + "' has the operation '" +
                         op->getName().getStringRef() + "', which cannot run there");
      });
}

llvm::Expected<std::shared_ptr<const GraphProgram>>
GraphProgramBuilder::buildBody(scf::ForOp loop, ArrayRef<Value> captured,
                               SmallVectorImpl<unsigned> &yielded) {
  for (Value argument : loop.getBody()->getArguments())
    createRegister(argument);
  for (Value value : captured)
    createRegister(value);
  program->numParameters = program->numRegisters;
  for (Operation &op : *loop.getBody())
    if (llvm::Error error = decode(op))
      return std::move(error);
  for (Value value : loop.getBody()->getTerminator()->getOperands())
    yielded.push_back(registers.lookup(value));
  return std::shared_ptr<const GraphProgram>(program);
}

llvm::Expected<std::shared_ptr<const GraphProgram>> GraphProgramBuilder::build() {
  if (!host.getBody().hasOneBlock())
    return makeError("'" + host.getName() + "' is no host function");
  for (Value argument : host.getArguments())
    createRegister(argument);
  program->numParameters = host.getNumArguments();
  for (BlockArgument argument : host.getArguments())
    if (auto type = dyn_cast<MemRefType>(argument.getType()))
      for (auto [dim, extent] : llvm::enumerate(type.getShape()))
        if (ShapedType::isDynamic(extent))
          program->extents[{argument.getArgNumber(), dim}] = program->numRegisters++;
  for (Operation &op : host.getBody().front())
    if (llvm::Error error = decode(op))
      return std::move(error);
  program->description = std::make_shared<GraphDescription>(describeGraph(host));
  return std::shared_ptr<const GraphProgram>(program);
}

llvm::Expected<std::shared_ptr<const GraphProgram>>
GraphProgram::create(func::FuncOp host, const KernelOptions &options) {
  return GraphProgramBuilder(host, options).build();
}

std::optional<unsigned> GraphProgram::getExtentRegister(unsigned parameter, unsigned dim) const {
  auto found = extents.find({parameter, dim});
  return found == extents.end() ? std::nullopt : std::optional(found->second);
}

int64_t GraphProgram::getScratchBytes() const {
  int64_t bytes = scratchBytes;
  for (const Call &call : calls)
    bytes += call.program ? call.program->getScratchBytes() : 0;
  return bytes;
}

PlanReport GraphProgram::makeReport(const Frame *frame) const {
  PlanReport report;
  report.title = description->name;
  report.buffers = description->buffers;
  report.arenaBytes = description->arenaBytes;
  report.intermediateBytes = description->intermediateBytes;
  for (auto [index, pair] : llvm::enumerate(llvm::zip_equal(calls, description->calls))) {
    const auto &[call, described] = pair;
    PlanReport::Kernel &kernel = report.kernels.emplace_back();
    kernel.name = call.name;
    kernel.location = described.location;
    kernel.group = graph.getGroup(index);
    kernel.uses = described.uses;
    kernel.edges = described.edges;
    bool isKnown = true;
    auto getParameter = [&](unsigned parameter) -> int64_t {
      isKnown &= frame != nullptr;
      return frame ? frame->registers[call.arguments[parameter]] : 0;
    };
    auto evaluate = [&](const Count &count) {
      isKnown = true;
      std::optional<int64_t> value = count.evaluate(getParameter);
      return isKnown ? value : std::nullopt;
    };
    kernel.flops = evaluate(described.cost.flops);
    kernel.bytesRead = kernel.bytesWritten = 0;
    for (const KernelCost::Traffic &traffic : described.cost.traffic)
      for (auto [sum, count] : {std::pair(&kernel.bytesRead, &traffic.read),
                                std::pair(&kernel.bytesWritten, &traffic.written)}) {
        // What is read twice may come from a cache: memory hands out each byte once.
        std::optional<int64_t> bytes = evaluate(*count), size = evaluate(traffic.size);
        *sum =
            *sum && bytes && size ? std::optional(**sum + std::min(*bytes, *size)) : std::nullopt;
      }
    if (!frame || frame->times.empty())
      continue;
    kernel.start = frame->times[index].start;
    kernel.duration = frame->times[index].duration;
    kernel.thread = frame->times[index].thread;
  }
  return report;
}

//===- Running ------------------------------------------------------------------------===//

bool GraphProgram::Frame::isValid() const {
  return (scratch || program->scratchBytes == 0) &&
         llvm::all_of(nested, [](auto &frame) { return !frame || frame->isValid(); });
}

GraphProgram::Frame::Frame(std::shared_ptr<const GraphProgram> owner)
    : program(std::move(owner)), tasks(program->graph) {
  registers = std::make_unique<int64_t[]>(program->numRegisters);
  arguments = std::make_unique<void *[]>(program->numArguments);
  void **next = arguments.get();
  for (const Call &call : program->calls)
    for (unsigned index : call.arguments)
      *next++ = &registers[index];
  for (auto [target, value] : program->constants)
    registers[target] = value;
  for (const Call &call : program->calls)
    nested.push_back(call.program ? std::make_unique<Frame>(call.program) : nullptr);
  if (program->scratchBytes == 0)
    return;
  scratch = static_cast<char *>(std::aligned_alloc(64, program->scratchBytes));
  for (const Allocation &allocation : program->allocations)
    registers[allocation.target] = reinterpret_cast<int64_t>(scratch) + allocation.offset;
}

GraphProgram::Frame::~Frame() {
  std::free(scratch);
  for (auto &[memory, size] : grown)
    std::free(memory);
}

/// What the host computes in front of all calls. False if there is not enough memory.
bool GraphProgram::Frame::prepare() {
  size_t numGrown = 0;
  for (const Computation &computation : program->computations) {
    int64_t result = computation.compute(registers.get());
    if (!computation.isAllocation) {
      registers[computation.target] = result;
      continue;
    }
    if (numGrown == grown.size())
      grown.push_back({nullptr, 0});
    auto &[memory, size] = grown[numGrown++];
    if (!memory || size < result) {
      std::free(memory);
      size = llvm::alignTo(std::max<int64_t>(result, 1), 64);
      memory = static_cast<char *>(std::aligned_alloc(64, size));
      if (!memory)
        return false;
    }
    registers[computation.target] = reinterpret_cast<int64_t>(memory);
  }
  return true;
}

// Code of the JIT carries no signature in front of it that a sanitizer could check.
LLVM_NO_SANITIZE("function")
void GraphProgram::Frame::call(unsigned index) const {
  const Call &call = program->calls[index];
  if (call.program)
    runNested(index);
  else
    (*call.kernel)(&arguments[call.firstArgument]);
}

void GraphProgram::Frame::runNested(unsigned index) const {
  const Call &call = program->calls[index];
  Frame &frame = *nested[index];
  auto run = [&] {
    if (llvm::Error error = frame.run())
      throw runtime::Failure("", llvm::toString(std::move(error)));
  };
  unsigned first = call.loop ? 1 : 0;
  for (auto [parameter, argument] : llvm::enumerate(call.arguments))
    frame.set(first + parameter, registers[argument]);
  if (!call.loop)
    return run();
  int64_t high = registers[call.loop->high], step = registers[call.loop->step];
  SmallVector<int64_t> carried(call.loop->yielded.size());
  for (int64_t i = registers[call.loop->low]; step > 0 && i < high;) {
    frame.set(0, i);
    run();
    for (auto [value, from] : llvm::zip_equal(carried, call.loop->yielded))
      value = frame.registers[from];
    for (auto [parameter, value] : llvm::enumerate(carried))
      frame.set(first + parameter, value);
    if (llvm::AddOverflow(i, step, i))
      return;
  }
}

llvm::Error GraphProgram::Frame::execute(llvm::function_ref<void(unsigned)> body,
                                         runtime::StaticOrder order) {
  if (!prepare())
    return makeError("out of memory for what kernels hand to each other");
  try {
    // One kernel needs no graph.
    if (program->calls.size() == 1)
      body(0);
    else
      tasks.execute(body, order);
  } catch (const runtime::Failure &failure) {
    return makeError(failure.what());
  }
  return llvm::Error::success();
}

llvm::Error GraphProgram::Frame::run(runtime::StaticOrder order) {
  return execute([this](unsigned index) { call(index); }, order);
}

llvm::Error GraphProgram::Frame::runTimed(runtime::StaticOrder order) {
  using Clock = std::chrono::steady_clock;
  times.assign(program->calls.size(), {});
  auto begin = Clock::now();
  auto getMicroseconds = [begin] {
    return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
  };
  auto body = [&](unsigned index) {
    Time &time = times[index];
    time.thread = std::max(tbb::this_task_arena::current_thread_index(), 0);
    time.start = getMicroseconds();
    call(index);
    time.duration = getMicroseconds() - time.start;
  };
  return execute(body, order);
}
