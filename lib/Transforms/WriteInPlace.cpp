// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says which stores may be computed at their destination, and copies what only moves within one
// memory.
#include "pypto/Loops/Passes.h"
#include "pypto/Transforms/Passes.h"

#include "Storage.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::transforms;
using bufferization::MaterializeInDestinationOp;

namespace pypto {
#define GEN_PASS_DEF_WRITEINPLACE
#include "pypto/Transforms/Passes.h.inc"
} // namespace pypto

/// The first operation of the block that what is stored is computed by, from the empty tensors on.
static Operation *findStart(MaterializeInDestinationOp store) {
  Block *block = store->getBlock();
  Operation *start = store;
  SetVector<Operation *> visited;
  SmallVector<Operation *> worklist = {store};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (op->isBeforeInBlock(start))
      start = op;
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands()) {
        Operation *producer = operand.getDefiningOp();
        if (producer && producer->getBlock() == block && isa<TensorType>(operand.getType()) &&
            !isa<bufferization::ToTensorOp>(producer) && visited.insert(producer))
          worklist.push_back(producer);
      }
    });
  }
  return start;
}

static bool canComputeInPlace(MaterializeInDestinationOp store, ArrayRef<Value> sources) {
  Value destination = store.getDest();
  Operation *producer = store.getSource().getDefiningOp();
  if (store.getRestrict() || !isa<MemRefType>(destination.getType()) || !producer ||
      producer->getBlock() != store->getBlock() || isa<bufferization::ToTensorOp>(producer) ||
      !store.getSource().hasOneUse() ||
      llvm::any_of(sources, [&](Value source) { return mayAlias(source, destination); }))
    return false;
  Operation *start = findStart(store);
  for (Operation *op = start; op != store; op = op->getNextNode())
    if (mayAccess(op, destination))
      return false;
  return succeeded(moveViewAfter(destination, store->getBlock(), start->getPrevNode()));
}

/// A tensor that nothing was written to, or a part of one.
static bool isEmpty(Operation *op) {
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  return isa<tensor::EmptyOp>(op) || (slice && slice.getSource().getDefiningOp<tensor::EmptyOp>());
}

/// The operation in front of which a copy of `op` for `use` stands. Iterations of loops over rows
/// may run at the same time: what one of them uses is made in it. `op` if that is where it is.
static Operation *getPlace(Operation *op, OpOperand &use) {
  Operation *place = op;
  for (Operation *user = use.getOwner(); user->getBlock() != op->getBlock();
       user = user->getParentOp())
    if (user->getParentOp()->hasAttr(kRowsAttribute))
      place = user;
  return place;
}

/// True if a copy of what is filled would be as much work: the loop writes to one in any case.
static bool isWritten(OpOperand &use) {
  auto user = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
  return user && user.isDpsInit(&use);
}

/// Gives each user of an empty tensor, or of one that is filled, its own: one of them may be in
/// memory that is written once more later, or at the same time.
static void unshare(Operation &function) {
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (isEmpty(op) || (isa<linalg::FillOp>(op) && op->getNumResults() == 1))
      ops.push_back(op);
  });
  // Users come before what they use, so that copies of a filled tensor do not share an empty one.
  for (Operation *op : llvm::reverse(ops))
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      Operation *place = getPlace(op, use);
      if (place != op && !isEmpty(op) && !isWritten(use))
        place = op;
      if (place == op && op->hasOneUse())
        continue;
      OpBuilder b(place);
      Operation *copy = b.clone(*op);
      // A filled one has an empty one of its own.
      if (auto fill = dyn_cast<linalg::FillOp>(copy); fill && place != op)
        if (auto empty = fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>()) {
          b.setInsertionPoint(copy);
          fill.getOutputsMutable()[0].set(b.clone(*empty)->getResult(0));
        }
      use.set(copy->getResult(0));
    }
}

//===- Values that became reads --------------------------------------------===//

/// The reads of memory that `value` is a part or another shape of, without anything computed.
static void collectReads(Value value, SetVector<bufferization::ToTensorOp> &reads) {
  SetVector<Value> worklist;
  worklist.insert(value);
  for (size_t i = 0; i != worklist.size(); ++i) {
    Operation *op = worklist[i].getDefiningOp();
    if (auto read = dyn_cast_or_null<bufferization::ToTensorOp>(op))
      reads.insert(read);
    else if (op && !isa<linalg::LinalgOp>(op))
      for (Value operand : op->getOperands())
        if (isa<TensorType>(operand.getType()))
          worklist.insert(operand);
  }
}

/// Copies what `read` sees to a buffer of its own, where the read stands.
static void copyRead(bufferization::ToTensorOp read) {
  ImplicitLocOpBuilder b(read.getLoc(), read);
  Value source = read.getBuffer();
  auto type = cast<MemRefType>(source.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim != type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(memref::DimOp::create(b, source, dim));
  Value buffer = memref::AllocOp::create(b, MemRefType::get(type.getShape(), type.getElementType()),
                                         sizes, b.getI64IntegerAttr(64));
  linalg::CopyOp::create(b, source, buffer);
  read.getBufferMutable().assign(buffer);
  read.setRestrict(true);
  read.setWritable(true);
}

/// What was computed when reads were put in place may have folded to what was read: then a store
/// would move elements between windows that overlap.
static void copyOverlappingMoves(Operation &function) {
  SetVector<bufferization::ToTensorOp> copied;
  function.walk([&](MaterializeInDestinationOp store) {
    SetVector<bufferization::ToTensorOp> reads;
    collectReads(store.getSource(), reads);
    for (bufferization::ToTensorOp read : reads)
      if (!read.getWritable() && isa<MemRefType>(store.getDest().getType()) &&
          mayAlias(read.getBuffer(), store.getDest()) &&
          !(read.getResult() == store.getSource() &&
            isSameWindow(read.getBuffer(), store.getDest())))
        copied.insert(read);
  });
  for (bufferization::ToTensorOp read : copied)
    copyRead(read);
}

static void run(Operation &function) {
  copyOverlappingMoves(function);
  unshare(function);
  SmallVector<Value> sources;
  SmallVector<MaterializeInDestinationOp> stores;
  function.walk([&](Operation *op) {
    auto read = dyn_cast<bufferization::ToTensorOp>(op);
    if (read && (!read.getBuffer().getDefiningOp<memref::AllocOp>() || !read.getWritable()))
      sources.push_back(read.getBuffer());
    if (auto store = dyn_cast<MaterializeInDestinationOp>(op))
      stores.push_back(store);
  });
  for (MaterializeInDestinationOp store : stores)
    if (canComputeInPlace(store, sources))
      store.setRestrict(true);
}

namespace {
struct WriteInPlacePass : pypto::impl::WriteInPlaceBase<WriteInPlacePass> {
  void runOnModule() override {
    for (Operation &function : getOperation().getOps())
      run(function);
  }
};
} // namespace
