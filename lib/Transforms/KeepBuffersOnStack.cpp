// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small buffers move to the stack, others out of loops.
#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"
#include "pypto/Transforms/Passes.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;
using namespace pypto;

namespace pypto {
#define GEN_PASS_DEF_KEEPBUFFERSONSTACK
#include "pypto/Transforms/Passes.h.inc"
} // namespace pypto

/// Bytes of one buffer, and of all buffers of one function.
static constexpr uint64_t kMaxBuffer = 64 * 1024, kMaxFunction = 256 * 1024;

/// The one deallocation of `op`, if it is in the same block.
static memref::DeallocOp getDealloc(memref::AllocOp op) {
  memref::DeallocOp dealloc;
  for (Operation *user : op->getUsers())
    if (auto found = dyn_cast<memref::DeallocOp>(user)) {
      if (dealloc)
        return {};
      dealloc = found;
    }
  return dealloc && dealloc->getBlock() == op->getBlock() ? dealloc : memref::DeallocOp();
}

/// Bytes, if they are known and few.
static std::optional<uint64_t> getSize(MemRefType type) {
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !type.getElementType().isIntOrFloat())
    return std::nullopt;
  uint64_t size = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  for (int64_t extent : type.getShape()) {
    if (extent != 0 && size > kMaxBuffer / extent)
      return std::nullopt;
    size *= extent;
  }
  return size;
}

/// What runs once on its stack: memory that a sequential loop takes there is not given back before
/// the function returns.
static Operation *getStackScope(Operation *op) {
  do
    op = op->getParentOp();
  while (op && !isa<func::FuncOp, scf::ParallelOp, scf::ForallOp>(op));
  return op;
}

static void moveToStack(memref::AllocOp op, memref::DeallocOp dealloc, Operation *scope) {
  auto b = OpBuilder::atBlockBegin(&scope->getRegion(0).front());
  auto buffer = memref::AllocaOp::create(b, op.getLoc(), op.getType(), op.getAlignmentAttr());
  op.replaceAllUsesWith(buffer.getResult());
  dealloc.erase();
  op.erase();
}

/// Out of loops that run one iteration after the other, as far as the sizes are known there.
static void hoist(memref::AllocOp op, memref::DeallocOp dealloc) {
  while (auto loop = dyn_cast<scf::ForOp>(op->getParentOp())) {
    if (!llvm::all_of(op->getOperands(),
                      [&](Value size) { return loop.isDefinedOutsideOfLoop(size); }))
      return;
    op->moveBefore(loop);
    dealloc->moveAfter(loop);
  }
}

/// True if the memory is not handed to a task, directly, by a call or under another name: freeing a
/// buffer waits for the tasks that use it, the end of a stack frame does not. Only a host makes
/// tasks, so that elsewhere names are not followed.
static bool isPrivate(Value buffer, bool isHost) {
  SmallVector<Value> worklist = {buffer};
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (isa<CallOpInterface>(user) ||
          isa<orchestration::OrchestrationDialect>(user->getDialect()))
        return false;
      if (isHost &&
          isa<RegionBranchOpInterface, RegionBranchTerminatorOpInterface, arith::SelectOp>(user))
        return false;
      if (isa<ViewLikeOpInterface, memref::ExtractStridedMetadataOp>(user))
        worklist.push_back(user->getResult(0));
    }
  return true;
}

/// Functions whose frames may stand on one stack in any number: those that call themselves, and
/// those that wait for a signal, since other tasks run inside of the wait.
static DenseSet<Operation *> findRepeated(ModuleOp module) {
  CallGraph graph(module);
  DenseSet<Operation *> waiting, repeated;
  for (auto it = llvm::scc_begin(static_cast<const CallGraph *>(&graph)); !it.isAtEnd(); ++it) {
    SmallVector<Operation *> functions;
    bool waits = false;
    for (CallGraphNode *node : *it) {
      if (node->isExternal())
        continue;
      functions.push_back(node->getCallableRegion()->getParentOp());
      // Callees come first.
      waits |= llvm::any_of(*node, [&](const CallGraphNode::Edge &edge) {
        CallGraphNode *callee = edge.getTarget();
        return !callee->isExternal() &&
               waiting.contains(callee->getCallableRegion()->getParentOp());
      });
      waits |= functions.back()
                   ->walk([](orchestration::AwaitSignalOp) { return WalkResult::interrupt(); })
                   .wasInterrupted();
    }
    if (waits)
      waiting.insert_range(functions);
    if (waits || it.hasCycle())
      repeated.insert_range(functions);
  }
  return repeated;
}

static void run(func::FuncOp func, bool isRepeated) {
  SmallVector<memref::AllocOp> buffers;
  func.walk([&](memref::AllocOp op) { buffers.push_back(op); });
  bool isHost = func->hasAttr(orchestration::kHostAttrName);
  uint64_t total = 0;
  for (memref::AllocOp op : buffers) {
    memref::DeallocOp dealloc = getDealloc(op);
    if (!dealloc || !isPrivate(op, isHost))
      continue;
    std::optional<uint64_t> size = getSize(op.getType());
    Operation *scope = getStackScope(op);
    if (size && total + *size <= kMaxFunction && scope && !isRepeated) {
      total += *size;
      moveToStack(op, dealloc, scope);
    } else {
      hoist(op, dealloc);
    }
  }
}

namespace {
struct KeepBuffersOnStackPass : pypto::impl::KeepBuffersOnStackBase<KeepBuffersOnStackPass> {
  void runOnModule() override {
    DenseSet<Operation *> repeated = findRepeated(getOperation());
    getOperation().walk([&](func::FuncOp func) { run(func, repeated.contains(func)); });
  }
};
} // namespace
