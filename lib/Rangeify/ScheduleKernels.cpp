// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"
#include "pypto/Rangeify/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace pypto;
using orchestration::LaunchOp;

namespace pypto::rangeify {
#define GEN_PASS_DEF_SCHEDULEKERNELS
#include "pypto/Rangeify/Passes.h.inc"
} // namespace pypto::rangeify

static constexpr int64_t kAlignment = 64;

namespace {
/// Orders one host function.
class Schedule {
public:
  Schedule(func::FuncOp host, bool barriers) : host(host), barriers(barriers) {}
  LogicalResult run();

private:
  LogicalResult number();
  void order();
  void placeBuffers();
  /// True if every task in `a` is done before any in `b` begins.
  bool isBefore(ArrayRef<unsigned> a, ArrayRef<unsigned> b) const;

  struct Buffer {
    memref::AllocOp alloc;
    size_t number;
    int64_t bytes;
    SmallVector<unsigned> users;
    int64_t offset = 0;
  };

  static int64_t findPlace(int64_t bytes, ArrayRef<const Buffer *> placed);

  func::FuncOp host;
  bool barriers;
  SmallVector<LaunchOp> tasks;
  DenseMap<Value, unsigned> numbers;
  SmallVector<int64_t> groups;
  /// For each task those that are done before it begins.
  std::vector<llvm::SmallBitVector> predecessors;
};
} // namespace

/// The group of each task: one more than the last of those that it waits for.
LogicalResult Schedule::number() {
  for (auto task : host.getOps<LaunchOp>())
    tasks.push_back(task);
  for (auto [index, task] : llvm::enumerate(tasks)) {
    int64_t group = 1;
    llvm::SmallBitVector before(tasks.size());
    for (Value other : task.getAfter()) {
      auto known = numbers.find(other);
      if (known == numbers.end()) {
        InFlightDiagnostic diagnostic = task.emitError()
                                        << "expects tasks of this function in front of '"
                                        << task.getCallee() << "' as those that it waits for";
        if (auto launch = other.getDefiningOp<LaunchOp>())
          diagnostic.attachNote(launch.getLoc()) << "waits for '" << launch.getCallee() << "'";
        return diagnostic;
      }
      group = std::max(group, groups[known->second] + 1);
      before |= predecessors[known->second];
      before.set(known->second);
    }
    numbers[task.getTask()] = index;
    groups.push_back(group);
    predecessors.push_back(std::move(before));
  }
  return success();
}

/// Puts the tasks of a group together, behind all that the host prepares for them.
void Schedule::order() {
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq<unsigned>(0, tasks.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(groups[a], a) < std::pair(groups[b], b);
  });
  OpBuilder b(host.getContext());
  Operation *last = tasks.back();
  for (unsigned index : order) {
    LaunchOp task = tasks[index];
    if (task != last)
      task->moveAfter(last);
    last = task;
    task->setAttr("group", b.getI64IntegerAttr(groups[index]));
  }
  if (!barriers)
    return;
  for (auto [before, after] : llvm::zip(order, ArrayRef(order).drop_front()))
    if (groups[before] != groups[after]) {
      b.setInsertionPoint(tasks[after]);
      orchestration::AwaitOp::create(b, tasks[after].getLoc(), ValueRange());
    }
}

bool Schedule::isBefore(ArrayRef<unsigned> a, ArrayRef<unsigned> b) const {
  return llvm::all_of(a, [&](unsigned first) {
    return llvm::all_of(b, [&](unsigned second) {
      return barriers ? groups[first] < groups[second] : predecessors[second].test(first);
    });
  });
}

/// Adds the tasks that use `buffer` or a view of it.
static void collectUsers(Value buffer, const DenseMap<Value, unsigned> &numbers,
                         SmallVectorImpl<unsigned> &users) {
  for (Operation *user : buffer.getUsers()) {
    if (auto task = dyn_cast<LaunchOp>(user))
      users.push_back(numbers.lookup(task.getTask()));
    else if (isa<ViewLikeOpInterface>(user))
      collectUsers(user->getResult(0), numbers, users);
  }
}

/// The smallest gap between `placed`, which are in order of their offsets, that has room; else
/// behind all of them.
int64_t Schedule::findPlace(int64_t bytes, ArrayRef<const Buffer *> placed) {
  int64_t end = 0, best = 0, bestGap = std::numeric_limits<int64_t>::max();
  for (const Buffer *other : placed) {
    int64_t gap = other->offset - end;
    if (gap >= bytes && gap < bestGap) {
      best = end;
      bestGap = gap;
    }
    end = std::max(end, other->offset + other->bytes);
  }
  return bestGap == std::numeric_limits<int64_t>::max() ? end : best;
}

void Schedule::placeBuffers() {
  SmallVector<Buffer> buffers;
  for (auto alloc : host.getOps<memref::AllocOp>()) {
    MemRefType type = alloc.getType();
    if (!type.hasStaticShape() || !type.getElementType().isIntOrFloat())
      continue;
    int64_t bytes = type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    size_t number = buffers.size();
    Buffer &buffer = buffers.emplace_back();
    buffer.alloc = alloc;
    buffer.number = number;
    buffer.bytes = llvm::alignTo(std::max<int64_t>(bytes, 1), kAlignment);
    collectUsers(alloc.getResult(), numbers, buffer.users);
  }
  OpBuilder b(host.getContext());
  int64_t peak = 0, total = 0;
  // In the order of the program where they are of one size.
  llvm::sort(buffers, [](const Buffer &a, const Buffer &b) {
    return std::pair(-a.bytes, a.number) < std::pair(-b.bytes, b.number);
  });
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    SmallVector<const Buffer *> placed;
    for (const Buffer &other : ArrayRef(buffers).take_front(index))
      if (!isBefore(buffer.users, other.users) && !isBefore(other.users, buffer.users))
        placed.push_back(&other);
    llvm::sort(placed, [](auto *a, auto *b) { return a->offset < b->offset; });
    buffer.offset = findPlace(buffer.bytes, placed);
    peak = std::max(peak, buffer.offset + buffer.bytes);
    total += buffer.bytes;
  }
  host->setAttr("arena_bytes", b.getI64IntegerAttr(peak));
  host->setAttr("buffer_bytes", b.getI64IntegerAttr(total));
  if (buffers.empty())
    return;
  Block &body = host.getBody().front();
  b.setInsertionPointToStart(&body);
  Location loc = host.getLoc();
  Value arena = memref::AllocOp::create(b, loc, MemRefType::get({peak}, b.getI8Type()),
                                        b.getI64IntegerAttr(kAlignment));
  for (Buffer &buffer : buffers) {
    Value offset = arith::ConstantIndexOp::create(b, loc, buffer.offset);
    Value view = memref::ViewOp::create(b, buffer.alloc.getLoc(), buffer.alloc.getType(), arena,
                                        offset, ValueRange());
    for (Operation *user : llvm::make_early_inc_range(buffer.alloc->getUsers()))
      if (isa<memref::DeallocOp>(user))
        user->erase();
    buffer.alloc.getResult().replaceAllUsesWith(view);
  }
  for (Buffer &buffer : buffers)
    buffer.alloc.erase();
  b.setInsertionPoint(body.getTerminator());
  memref::DeallocOp::create(b, loc, arena);
}

LogicalResult Schedule::run() {
  if (failed(number()))
    return failure();
  if (tasks.empty())
    return success();
  order();
  placeBuffers();
  return success();
}

namespace {
struct ScheduleKernelsPass : pypto::rangeify::impl::ScheduleKernelsBase<ScheduleKernelsPass> {
  using ScheduleKernelsBase::ScheduleKernelsBase;

  void runOnModule() override {
    for (auto host : getOperation().getOps<func::FuncOp>())
      if (!host.isExternal() && host.isPublic() && host.getBody().hasOneBlock() &&
          failed(Schedule(host, barriers).run()))
        return signalPassFailure();
  }
};
} // namespace
