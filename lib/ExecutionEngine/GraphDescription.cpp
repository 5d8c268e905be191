// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GraphDescription.h"

#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;
using orchestration::LaunchOp;
using Buffer = PlanReport::Buffer;

namespace {
class GraphDescriber {
public:
  explicit GraphDescriber(func::FuncOp host) : host(host) {}
  GraphDescription run();

private:
  void addBuffer(Value value, Buffer::Kind kind, StringRef prefix);
  void addView(Operation *op);
  void addLaunch(LaunchOp launch);
  void addLoop(scf::ForOp loop);
  void addEdges(LaunchOp launch, GraphDescription::Call &call);

  func::FuncOp host;
  GraphDescription result;
  DenseMap<Value, unsigned> buffers;
  DenseMap<Value, unsigned> tasks;
  llvm::StringMap<unsigned> counts;
};
} // namespace

static std::optional<int64_t> getBytes(MemRefType type) {
  if (!type.hasStaticShape())
    return std::nullopt;
  Type element = type.getElementType();
  int64_t size = element.isIndex() ? 8 : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8U);
  return type.getNumElements() * size;
}

void GraphDescriber::addBuffer(Value value, Buffer::Kind kind, StringRef prefix) {
  auto type = cast<MemRefType>(value.getType());
  buffers[value] = result.buffers.size();
  Buffer &buffer = result.buffers.emplace_back();
  buffer.name = (prefix + Twine(counts[prefix]++)).str();
  for (int64_t extent : type.getShape())
    buffer.type += ShapedType::isDynamic(extent) ? "?x" : std::to_string(extent) + "x";
  llvm::raw_string_ostream(buffer.type) << type.getElementType();
  buffer.kind = kind;
  buffer.bytes = getBytes(type);
}

/// A view of an arena is a buffer; other views are what they are views of.
void GraphDescriber::addView(Operation *op) {
  Value source = op->getOperand(0), view = op->getResult(0);
  if (auto placed = dyn_cast<memref::ViewOp>(op)) {
    addBuffer(view, Buffer::Kind::Intermediate, "buf");
    APInt offset;
    if (matchPattern(placed.getByteShift(), m_ConstantInt(&offset)))
      result.buffers.back().offset = offset.getSExtValue();
    return;
  }
  auto known = buffers.find(source);
  if (known != buffers.end()) {
    unsigned index = known->second;
    buffers[view] = index;
  }
}

/// True if it launches kernels itself.
static bool isHost(func::FuncOp function) {
  return function.walk([](LaunchOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

static KernelCost getUnknownCost() {
  KernelCost cost;
  cost.flops = Count::unknown();
  cost.traffic.push_back({Count::unknown(), Count::unknown(), Count::unknown()});
  return cost;
}

/// What runs in it is not looked at.
void GraphDescriber::addLoop(scf::ForOp loop) {
  GraphDescription::Call &call = result.calls.emplace_back();
  call.cost = getUnknownCost();
  llvm::SetVector<Value> used(loop.getInitArgs().begin(), loop.getInitArgs().end());
  getUsedValuesDefinedAbove(loop.getRegion(), used);
  for (Value value : used)
    if (auto known = buffers.find(value); known != buffers.end())
      call.uses.push_back({known->second, /*isRead=*/true, /*isWritten=*/true});
}

void GraphDescriber::addEdges(LaunchOp launch, GraphDescription::Call &call) {
  for (Value task : launch.getAfter()) {
    unsigned from = tasks.lookup(task);
    if (llvm::any_of(call.edges, [&](const PlanReport::Edge &edge) { return edge.from == from; }))
      continue;
    PlanReport::Edge &edge = call.edges.emplace_back();
    edge = {from, "after", std::nullopt};
    // What is read is the reason if there are several.
    for (auto [reason, first, second] :
         {std::tuple("waw", &PlanReport::Use::isWritten, &PlanReport::Use::isWritten),
          std::tuple("war", &PlanReport::Use::isRead, &PlanReport::Use::isWritten),
          std::tuple("raw", &PlanReport::Use::isWritten, &PlanReport::Use::isRead)})
      for (const PlanReport::Use &mine : call.uses)
        for (const PlanReport::Use &other : result.calls[from].uses)
          if (mine.buffer == other.buffer && other.*first && mine.*second)
            edge = {from, reason, mine.buffer};
  }
}

void GraphDescriber::addLaunch(LaunchOp launch) {
  GraphDescription::Call call;
  if (auto place = launch.getLoc()->findInstanceOf<FileLineColLoc>())
    call.location = place.getFilename().str() + ":" + std::to_string(place.getLine()) + ":" +
                    std::to_string(place.getColumn());
  unsigned memref = 0;
  for (Value argument : launch.getArguments()) {
    if (!isa<MemRefType>(argument.getType()))
      continue;
    int32_t mode = launch.getModes()[memref++];
    auto known = buffers.find(argument);
    if (known == buffers.end())
      continue;
    call.uses.push_back({known->second, bool(mode & 1), bool(mode & 2)});
    Buffer &buffer = result.buffers[known->second];
    if (buffer.kind == Buffer::Kind::Input && (mode & 2))
      buffer.kind = Buffer::Kind::Output;
  }
  addEdges(launch, call);
  auto kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(launch, launch.getCalleeAttr());
  call.cost =
      kernel && !kernel.isExternal() && !isHost(kernel) ? estimateCost(kernel) : getUnknownCost();
  tasks[launch.getTask()] = result.calls.size();
  result.calls.push_back(std::move(call));
}

GraphDescription GraphDescriber::run() {
  result.name = host.getName();
  auto getNumber = [&](StringRef name) {
    auto attribute = host->getAttrOfType<IntegerAttr>(name);
    return attribute ? attribute.getInt() : 0;
  };
  result.arenaBytes = getNumber("arena_bytes");
  result.intermediateBytes = getNumber("buffer_bytes");
  for (BlockArgument argument : host.getArguments())
    if (isa<MemRefType>(argument.getType()))
      addBuffer(argument, Buffer::Kind::Input, "arg");
  for (Operation &op : host.getBody().front()) {
    if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      // Memory of its own, unless it is there to be divided.
      if (llvm::none_of(alloc->getUsers(), llvm::IsaPred<memref::ViewOp>))
        addBuffer(alloc.getResult(), Buffer::Kind::Intermediate, "buf");
    } else if (isa<ViewLikeOpInterface>(op)) {
      addView(&op);
    } else if (auto launch = dyn_cast<LaunchOp>(op)) {
      addLaunch(launch);
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      addLoop(loop);
    }
  }
  // Now it is known which parameters are written.
  unsigned numIn = 0, numOut = 0;
  for (Buffer &buffer : result.buffers)
    if (buffer.kind == Buffer::Kind::Input)
      buffer.name = "in" + std::to_string(numIn++);
    else if (buffer.kind == Buffer::Kind::Output)
      buffer.name = "out" + std::to_string(numOut++);
  return std::move(result);
}

GraphDescription pypto::execution::describeGraph(func::FuncOp host) {
  return GraphDescriber(host).run();
}
