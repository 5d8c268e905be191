// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads that are copies become reads of the memory itself, or of the value that was written there.
#include "pypto/Transforms/Passes.h"

#include "Storage.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::transforms;
using bufferization::MaterializeInDestinationOp;
using bufferization::ToTensorOp;

namespace pypto {
#define GEN_PASS_DEF_READINPLACE
#include "pypto/Transforms/Passes.h.inc"
} // namespace pypto

namespace {
/// A read as the lowering makes it: `copy` fills a fresh buffer that `value` sees.
struct Read {
  memref::AllocOp buffer;
  linalg::CopyOp copy;
  ToTensorOp value;

  Value getSource() { return copy.getInputs().front(); }
  void erase() {
    value.erase();
    copy.erase();
    buffer.erase();
  }
};
} // namespace

static std::optional<Read> matchRead(ToTensorOp value) {
  auto buffer = value.getBuffer().getDefiningOp<memref::AllocOp>();
  if (!buffer || !value.getRestrict() || !value.getWritable() ||
      !llvm::hasNItems(buffer->getUses(), 2))
    return std::nullopt;
  linalg::CopyOp copy;
  for (Operation *user : buffer->getUsers())
    if (user != value)
      copy = dyn_cast<linalg::CopyOp>(user);
  bool isRead = copy && copy->getBlock() == value->getBlock() && copy->getNumResults() == 0 &&
                copy.getOutputs().front() == buffer.getResult() && copy->isBeforeInBlock(value);
  return isRead ? std::optional<Read>({buffer, copy, value}) : std::nullopt;
}

//===- Values that were written --------------------------------------------===//

/// The value that fills the window which is read, if it was written in the same block and nothing
/// else can have changed it since. Looks back over a limited number of operations.
static Value findWritten(Read read) {
  constexpr unsigned kLimit = 256;
  Value source = read.getSource();
  unsigned count = 0;
  for (Operation *op = read.copy->getPrevNode(); op && count != kLimit;
       op = op->getPrevNode(), ++count) {
    auto store = dyn_cast<MaterializeInDestinationOp>(op);
    if (store && isSameWindow(store.getDest(), source))
      return store.getSource();
    if (mayWrite(op, source))
      return {};
  }
  return {};
}

static bool forwardWritten(Read read) {
  Value written = findWritten(read);
  Type type = read.value.getResult().getType();
  if (!written || !tensor::CastOp::areCastCompatible(written.getType(), type) ||
      cast<ShapedType>(written.getType()).getRank() != cast<ShapedType>(type).getRank())
    return false;
  OpBuilder b(read.value);
  if (written.getType() != type)
    written = tensor::CastOp::create(b, read.value.getLoc(), type, written);
  read.value.getResult().replaceAllUsesWith(written);
  read.erase();
  return true;
}

//===- Memory that is not written ------------------------------------------===//

namespace {
/// Where a value that was read, and all that is computed from it, is used.
struct Uses {
  /// The last operation of the block that may look at the memory.
  Operation *last = nullptr;
  SetVector<Operation *> users;
};
} // namespace

/// True if `value`, or what may fold to it, leaves `block`. What a reduction makes of it is new.
static bool leavesBlock(Value value, Block *block) {
  SetVector<Value> worklist;
  worklist.insert(value);
  for (size_t i = 0; i != worklist.size(); ++i)
    for (OpOperand &use : worklist[i].getUses()) {
      auto structured = dyn_cast<linalg::LinalgOp>(use.getOwner());
      if (structured && structured.getNumReductionLoops() != 0 && structured.isDpsInput(&use))
        continue;
      Operation *op = block->findAncestorOpInBlock(*use.getOwner());
      if (!op || op->hasTrait<OpTrait::IsTerminator>())
        return true;
      for (Value result : op->getResults())
        if (isa<TensorType>(result.getType()))
          worklist.insert(result);
    }
  return false;
}

/// Fusion may move a read to any operation of the block that depends on its value, so these are
/// uses of the memory too. Nothing if the value leaves the block.
static std::optional<Uses> collectUses(ToTensorOp read) {
  Block *block = read->getBlock();
  if (leavesBlock(read.getResult(), block))
    return std::nullopt;
  Uses uses;
  SmallVector<Value> worklist = {read.getResult()};
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      Operation *op = block->findAncestorOpInBlock(*user);
      if (!op)
        return std::nullopt;
      if (!uses.users.insert(op))
        continue;
      if (!uses.last || uses.last->isBeforeInBlock(op))
        uses.last = op;
      for (Value result : op->getResults())
        if (isa<TensorType>(result.getType()))
          worklist.push_back(result);
    }
  return uses;
}

/// A write of something computed, not of the value that was read itself: it comes after all reads.
static bool isFinalWrite(Operation *op) {
  auto store = dyn_cast<MaterializeInDestinationOp>(op);
  return store && store.getSource().getDefiningOp<linalg::LinalgOp>();
}

static bool isUndisturbed(Read read) {
  std::optional<Uses> uses = collectUses(read.value);
  if (!uses)
    return false;
  if (!uses->last)
    return true;
  Value source = read.getSource();
  for (Operation *op = read.copy->getNextNode(); op; op = op->getNextNode()) {
    bool isLast = op == uses->last;
    if (mayWrite(op, source) && !(isLast && isFinalWrite(op)))
      return false;
    if (isLast)
      return true;
  }
  return false;
}

static void readInPlace(Read read) {
  OpBuilder b(read.value);
  auto direct =
      ToTensorOp::create(b, read.value.getLoc(), read.value.getResult().getType(), read.getSource(),
                         /*restrict=*/true, /*writable=*/false);
  read.value.getResult().replaceAllUsesWith(direct.getResult());
  read.erase();
}

/// Most operations between two reads of the same memory that become one.
static constexpr unsigned kMaxBetween = 256;

/// The value of an earlier read in place of the same window, which nothing has written since.
static Value findEarlier(ToTensorOp read) {
  unsigned count = 0;
  for (Operation *op = read->getPrevNode(); op && count != kMaxBetween;
       op = op->getPrevNode(), ++count) {
    auto other = dyn_cast<ToTensorOp>(op);
    if (other && !other.getWritable() && other.getType() == read.getType() &&
        isSameWindow(other.getBuffer(), read.getBuffer()))
      return other.getResult();
    if (mayWrite(op, read.getBuffer()))
      return {};
  }
  return {};
}

/// Reads in place that see the same are one value: what uses it may be one loop.
static void unifyReads(func::FuncOp func) {
  SmallVector<ToTensorOp> reads;
  func.walk([&](ToTensorOp read) {
    if (read.getRestrict() && !read.getWritable())
      reads.push_back(read);
  });
  for (ToTensorOp read : reads)
    if (Value earlier = findEarlier(read)) {
      read.getResult().replaceAllUsesWith(earlier);
      read.erase();
    }
}

//===- Buffers that nobody reads -------------------------------------------===//

/// Adds what uses the memory of `buffer`; false if some of it reads, or keeps a name of it.
static bool collectWriters(Value buffer, SetVector<Operation *> &users) {
  for (OpOperand &use : buffer.getUses()) {
    Operation *user = use.getOwner();
    bool isNew = users.insert(user);
    if (isa<ViewLikeOpInterface>(user)) {
      // A view may use another one of its source: its offset and strides.
      if (!isNew)
        continue;
      for (Value result : user->getResults())
        if (!collectWriters(result, users))
          return false;
      continue;
    }
    auto store = dyn_cast<MaterializeInDestinationOp>(user);
    auto structured = dyn_cast<linalg::LinalgOp>(user);
    bool isOutput = (store && store.getDest() == buffer && user->getNumResults() == 0) ||
                    (isa<linalg::CopyOp, linalg::FillOp>(user) && structured.isDpsInit(&use) &&
                     user->getNumResults() == 0);
    if (!isOutput)
      return false;
  }
  return true;
}

static void eraseUnread(func::FuncOp func) {
  SmallVector<memref::AllocOp> buffers;
  func.walk([&](memref::AllocOp op) { buffers.push_back(op); });
  for (memref::AllocOp buffer : llvm::reverse(buffers)) {
    SetVector<Operation *> users;
    if (!collectWriters(buffer, users))
      continue;
    for (Operation *user : users)
      user->dropAllReferences();
    for (Operation *user : users)
      user->erase();
    buffer.erase();
  }
}

static void run(func::FuncOp func) {
  auto collect = [&] {
    SmallVector<Read> reads;
    func.walk([&](ToTensorOp op) {
      if (std::optional<Read> read = matchRead(op))
        reads.push_back(*read);
    });
    return reads;
  };
  for (Read read : collect())
    forwardWritten(read);
  // What is computed from a value that was read is known only now.
  for (Read read : collect())
    if (isUndisturbed(read))
      readInPlace(read);
  unifyReads(func);
  eraseUnread(func);
}

namespace {
struct ReadInPlacePass : pypto::impl::ReadInPlaceBase<ReadInPlacePass> {
  void runOnModule() override { getOperation().walk(run); }
};
} // namespace
