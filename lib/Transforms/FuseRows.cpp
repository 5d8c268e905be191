// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that work row by row become one loop over the rows.
#include "pypto/Dialect/Orchestration/IR/Windows.h"
#include "pypto/Loops/Passes.h"
#include "pypto/Transforms/Passes.h"
#include "pypto/Transforms/Schedule.h"

#include "Storage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::transforms;
using bufferization::MaterializeInDestinationOp;
using linalg::LinalgOp;

namespace pypto {
#define GEN_PASS_DEF_FUSEROWS
#include "pypto/Transforms/Passes.h.inc"
} // namespace pypto

//===- Rows -------------------------------------------------------------------===//

/// Per dimension of an operand: the loop over rows that walks along it; none if each row has all.
using RowSlice = SmallVector<std::optional<unsigned>>;

/// The part of an operand that one row works on.
static std::optional<RowSlice> getRowSlice(AffineMap map, unsigned depth) {
  RowSlice slice;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim && !isa<AffineConstantExpr>(expr))
      return std::nullopt;
    bool isRow = dim && dim.getPosition() < depth;
    slice.push_back(isRow ? std::optional<unsigned>(dim.getPosition()) : std::nullopt);
  }
  return slice;
}

/// True if the first `depth` loops of `op` go over rows: each iteration writes rows of its own.
static bool worksByRow(LinalgOp op, unsigned depth) {
  if (!op.hasPureTensorSemantics() || depth == 0)
    return false;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  if (!llvm::all_of(ArrayRef(iterators).take_front(depth), linalg::isParallelIterator))
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<RowSlice> slice = getRowSlice(op.getMatchingIndexingMap(&operand), depth);
    if (!slice)
      return false;
    SmallVector<std::optional<unsigned>> rows;
    llvm::copy_if(*slice, std::back_inserter(rows), [](auto dim) { return dim.has_value(); });
    llvm::sort(rows);
    bool isDistinct = std::adjacent_find(rows.begin(), rows.end()) == rows.end();
    if (!isDistinct || (op.isDpsInit(&operand) && rows.size() != depth))
      return false;
  }
  return true;
}

/// True if an operand of an operation in a block of rows has its rows as columns.
static bool isTransposed(LinalgOp op) {
  Operation *around = op->getParentOp();
  while (around && !around->hasAttr(kRowsAttribute))
    around = around->getParentOp();
  return around && llvm::any_of(op.getIndexingMapsArray(), [&](AffineMap map) {
           return map.getNumResults() > 1 && map.isFunctionOfDim(op.getNumLoops() - 1) &&
                  !map.getResults().back().isFunctionOfDim(op.getNumLoops() - 1);
         });
}

/// The loops of `op` but the last, if they are loops over rows.
static std::optional<unsigned> getRowDepth(LinalgOp op) {
  unsigned loops = op.getNumLoops();
  return loops >= 2 && worksByRow(op, loops - 1) && !isTransposed(op) ? std::optional(loops - 1)
                                                                      : std::nullopt;
}

/// False if its schedule leaves `op` a loop of its own.
static bool mayFuse(Operation *op) {
  DictionaryAttr schedule = getGivenSchedule(op);
  auto flag = schedule ? schedule.getAs<BoolAttr>("fuse_rows") : BoolAttr();
  return !flag || flag.getValue();
}

namespace {
/// Operations that one loop computes.
struct Group {
  unsigned depth;
  SetVector<Operation *> members;
};

/// Groups of one block.
class RowFusion {
public:
  RowFusion(Block &block, const DenseSet<Operation *> &free) : block(block), free(free) {}

  void run() {
    for (Operation &op : block)
      if (auto linalgOp = dyn_cast<LinalgOp>(op); linalgOp && mayFuse(&op)) {
        if (takesRowNumbers(linalgOp))
          add(linalgOp, linalgOp.getNumLoops());
        else if (std::optional<unsigned> depth = getRowDepth(linalgOp))
          add(linalgOp, *depth);
      }
    // Later groups read what earlier ones compute, so their operands change.
    SetVector<Group *> all;
    for (Operation &op : block)
      if (Group *group = groups.lookup(&op))
        all.insert(group);
    for (Group *group : all)
      if (llvm::count_if(group->members, [](Operation *op) { return !isa<linalg::FillOp>(op); }) >
          1)
        emit(*group);
  }

private:
  void add(LinalgOp op, unsigned depth);
  bool takesRowNumbers(LinalgOp op);
  bool isRelated(LinalgOp op, OpOperand &operand, const Group &group);
  bool canMerge(const SetVector<Operation *> &members, Operation *last);
  bool canDelay(MaterializeInDestinationOp store, Operation *last);
  bool isSunk(Operation *user) const { return free.contains(user); }
  void emit(Group &group);

  Block &block;
  const DenseSet<Operation *> &free;
  SmallVector<std::unique_ptr<Group>> storage;
  DenseMap<Operation *, Group *> groups;
};
} // namespace

/// True if a row of `op` reads the same row of the member's result.
bool RowFusion::isRelated(LinalgOp op, OpOperand &operand, const Group &group) {
  auto producer = cast<LinalgOp>(operand.get().getDefiningOp());
  AffineMap written = producer.getIndexingMapMatchingResult(cast<OpResult>(operand.get()));
  return getRowSlice(written, group.depth) ==
         getRowSlice(op.getMatchingIndexingMap(&operand), group.depth);
}

/// True if `op` sums what no operand has a row of: a product, which has loops of its own.
static bool isProduct(Operation *op) {
  auto linalgOp = cast<LinalgOp>(op);
  return linalgOp.getNumReductionLoops() != 0 &&
         llvm::none_of(linalgOp.getDpsInputOperands(), [&](OpOperand *operand) {
           AffineMap map = linalgOp.getMatchingIndexingMap(operand);
           return llvm::all_of(llvm::seq<unsigned>(0, linalgOp.getNumLoops()),
                               [&](unsigned loop) { return map.isFunctionOfDim(loop); });
         });
}

/// True if `op` computes one number for each row from such numbers, as a norm does with a sum.
bool RowFusion::takesRowNumbers(LinalgOp op) {
  unsigned depth = op.getNumLoops();
  return worksByRow(op, depth) && llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
           Operation *producer = operand.get().getDefiningOp();
           Group *group = producer ? groups.lookup(producer) : nullptr;
           return group && group->depth == depth && isRelated(op, operand, *group) &&
                  llvm::none_of(group->members, isProduct);
         });
}

/// True if `store` may happen after all operations up to `last`.
bool RowFusion::canDelay(MaterializeInDestinationOp store, Operation *last) {
  for (Operation *op = store->getNextNode(); op && op != last; op = op->getNextNode())
    if (mayAccess(op, store.getDest()))
      return false;
  return true;
}

/// True if nothing before `last` but members needs a result, none of these needs more than a row of
/// one, in its body, and stores can wait.
bool RowFusion::canMerge(const SetVector<Operation *> &members, Operation *last) {
  SmallVector<Value> destinations;
  for (Operation *member : members)
    for (Operation *user : member->getUsers()) {
      Operation *op = block.findAncestorOpInBlock(*user);
      if (members.contains(user))
        continue;
      if (isSunk(user)) {
        auto store = cast<MaterializeInDestinationOp>(user);
        if (op->isBeforeInBlock(last) && !canDelay(store, last))
          return false;
        if (llvm::any_of(destinations,
                         [&](Value other) { return mayAlias(other, store.getDest()); }))
          return false;
        destinations.push_back(store.getDest());
        continue;
      }
      if (op && (op->isBeforeInBlock(last) || members.contains(op)))
        return false;
    }
  return true;
}

void RowFusion::add(LinalgOp op, unsigned depth) {
  SetVector<Group *> related;
  DenseSet<Group *> excluded;
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *producer = operand.get().getDefiningOp();
    Group *group = producer ? groups.lookup(producer) : nullptr;
    if (!group)
      continue;
    if (group->depth == depth && isRelated(op, operand, *group))
      related.insert(group);
    else
      excluded.insert(group);
  }
  auto own = std::make_unique<Group>(Group{depth, {}});
  own->members.insert(op);
  for (Group *group : related) {
    if (excluded.contains(group))
      continue;
    SetVector<Operation *> merged = group->members;
    merged.insert_range(own->members);
    if (canMerge(merged, op))
      own->members = std::move(merged);
  }
  for (Operation *member : own->members)
    groups[member] = own.get();
  storage.push_back(std::move(own));
}

//===- The loop ------------------------------------------------------------------===//

namespace {
/// The body of the loop of one group.
class RowBody {
public:
  RowBody(OpBuilder &b, Location loc, ValueRange rows) : b(b), loc(loc), rows(rows) {}

  DenseMap<Value, Value> tiled;
  /// What the loop carries in place of tensors that operations add to.
  DenseMap<Value, Value> carried;

  struct Slice {
    SmallVector<OpFoldResult> offsets, sizes;
  };
  Slice getSlice(const RowSlice &dims, ArrayRef<OpFoldResult> extents) {
    Slice slice;
    for (auto [dim, extent] : llvm::zip_equal(dims, extents)) {
      slice.offsets.push_back(dim ? OpFoldResult(rows[*dim]) : b.getIndexAttr(0));
      slice.sizes.push_back(dim ? OpFoldResult(b.getIndexAttr(1)) : extent);
    }
    return slice;
  }

  Value getOperand(Value value, const RowSlice &dims) {
    if (!isa<RankedTensorType>(value.getType()))
      return value;
    if (Value known = tiled.lookup(value))
      return known;
    Slice slice = getSlice(dims, tensor::getMixedSizes(b, loc, value));
    auto fill = value.getDefiningOp<linalg::FillOp>();
    if (fill || value.getDefiningOp<tensor::EmptyOp>()) {
      Value row =
          tensor::EmptyOp::create(b, loc, slice.sizes, getElementTypeOrSelf(value.getType()));
      return fill ? linalg::FillOp::create(b, loc, fill.value(), row).getResult(0) : row;
    }
    return orchestration::createExtractSlice(b, loc, value, slice.offsets, slice.sizes);
  }

  Value getDestination(Value memref, const RowSlice &dims) {
    Slice slice = getSlice(dims, memref::getMixedSizes(b, loc, memref));
    return orchestration::createSubView(b, loc, memref, slice.offsets, slice.sizes);
  }

  void compute(LinalgOp op, unsigned depth, const DenseSet<Operation *> &free);

private:
  OpBuilder &b;
  Location loc;
  ValueRange rows;
};
} // namespace

void RowBody::compute(LinalgOp op, unsigned depth, const DenseSet<Operation *> &free) {
  SmallVector<Value> operands;
  SmallVector<Type> types;
  // What is stored is computed at its destination.
  SmallVector<std::pair<OpResult, Value>> stores;
  for (OpResult result : op->getResults())
    for (Operation *user : result.getUsers())
      if (free.contains(user)) {
        RowSlice dims = *getRowSlice(op.getIndexingMapMatchingResult(result), depth);
        stores.emplace_back(result,
                            getDestination(cast<MaterializeInDestinationOp>(user).getDest(), dims));
      }
  for (OpOperand &operand : op->getOpOperands()) {
    RowSlice dims = *getRowSlice(op.getMatchingIndexingMap(&operand), depth);
    Value whole = op.isDpsInit(&operand) ? carried.lookup(operand.get()) : Value();
    Value value = getOperand(whole ? whole : operand.get(), dims);
    if (op.isDpsInit(&operand)) {
      OpResult result = op.getTiedOpResult(&operand);
      auto *store = llvm::find_if(stores, [&](auto &store) { return store.first == result; });
      if (store != stores.end() && operand.get().getDefiningOp<tensor::EmptyOp>() &&
          cast<ShapedType>(store->second.getType()).getShape() ==
              cast<ShapedType>(value.getType()).getShape())
        value = bufferization::ToTensorOp::create(b, loc, value.getType(), store->second,
                                                  /*restrict=*/true, /*writable=*/true);
      types.push_back(value.getType());
    }
    operands.push_back(value);
  }
  Operation *row = mlir::clone(b, op, types, operands);
  SmallVector<OpFoldResult> offsets(rows.begin(), rows.end());
  offsets.resize(op.getNumLoops(), b.getIndexAttr(0));
  linalg::offsetIndices(b, cast<LinalgOp>(row), offsets);
  for (auto [old, value] : llvm::zip_equal(op->getResults(), row->getResults()))
    tiled[old] = value;
  for (auto [result, destination] : stores)
    MaterializeInDestinationOp::create(b, loc, /*result=*/Type(), tiled[result], destination,
                                       /*restrict=*/false, /*writable=*/true);
}

/// A tensor of the shape of the result that is not computed by one of `members`; `isRead` says if
/// one adds to it.
static Value getOuterInit(Value result, const SetVector<Operation *> &members, bool &isRead) {
  isRead = false;
  while (result.getDefiningOp() && members.contains(result.getDefiningOp())) {
    auto op = cast<LinalgOp>(result.getDefiningOp());
    OpOperand *init = op.getDpsInitOperand(cast<OpResult>(result).getResultNumber());
    isRead = op.payloadUsesValueFromOperand(init);
    result = init->get();
  }
  isRead &= !isa_and_nonnull<linalg::FillOp, tensor::EmptyOp>(result.getDefiningOp());
  return result;
}

/// The number of iterations of the loops over rows.
static SmallVector<Value> getExtents(OpBuilder &b, LinalgOp op, const Group &group) {
  unsigned depth = group.depth;
  OpOperand *init = op.getDpsInitOperand(0);
  bool isRead;
  Value outer = getOuterInit(init->get(), group.members, isRead);
  RowSlice dims = *getRowSlice(op.getMatchingIndexingMap(init), depth);
  SmallVector<Value> extents(depth);
  for (auto [position, dim] : llvm::enumerate(dims))
    if (dim)
      extents[*dim] = getValueOrCreateConstantIndexOp(
          b, op.getLoc(), tensor::getMixedSize(b, op.getLoc(), outer, position));
  return extents;
}

/// What the schedules of operations say about the loop over their rows; the last one that says it.
static void takeSchedule(ArrayRef<Operation *> members, scf::ForOp loop) {
  for (Operation *member : llvm::reverse(members))
    if (auto schedule = member->getAttrOfType<DictionaryAttr>(kScheduleAttrName))
      if (Attribute parts = schedule.get("parts")) {
        NamedAttrList entries;
        entries.set("parts", parts);
        loop->setAttr(kScheduleAttrName, entries.getDictionary(loop.getContext()));
        return;
      }
}

void RowFusion::emit(Group &group) {
  SmallVector<Operation *> members(group.members.begin(), group.members.end());
  llvm::sort(members, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  // Stores follow what they store.
  Operation *last = members.back();
  SetVector<Operation *> stores;
  SmallVector<OpResult> escaping;
  for (Operation *member : members)
    for (OpResult result : member->getResults()) {
      bool escapes = false;
      for (Operation *user : result.getUsers()) {
        if (isSunk(user)) {
          stores.insert(user);
          if (last->isBeforeInBlock(user))
            last = user;
        } else if (!group.members.contains(user)) {
          escapes = true;
        }
      }
      if (escapes)
        escaping.push_back(result);
    }
  OpBuilder b(block.getParentOp()->getContext());
  b.setInsertionPointAfter(last);
  Location loc = members.back()->getLoc();
  SmallVector<Value> zeros(group.depth, arith::ConstantIndexOp::create(b, loc, 0)),
      ones(group.depth, arith::ConstantIndexOp::create(b, loc, 1));
  SmallVector<Value> extents = getExtents(b, cast<LinalgOp>(members.back()), group);
  SmallVector<Value> inits;
  DenseMap<Value, unsigned> added;
  for (OpResult result : escaping) {
    bool isRead;
    Value init = getOuterInit(result, group.members, isRead);
    // In place, as without a loop.
    if (isRead && init.getType() == result.getType() &&
        added.try_emplace(init, inits.size()).second) {
      inits.push_back(init);
      continue;
    }
    inits.push_back(tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, init),
                                            getElementTypeOrSelf(init.getType())));
    if (inits.back().getType() != result.getType())
      inits.back() = tensor::CastOp::create(b, loc, result.getType(), inits.back());
  }
  scf::LoopNest loops = scf::buildLoopNest(
      b, loc, zeros, extents, ones, inits,
      [&](OpBuilder &nested, Location, ValueRange rows, ValueRange carried) {
        RowBody body(nested, loc, rows);
        for (auto [init, number] : added)
          body.carried[init] = carried[number];
        for (Operation *member : members)
          body.compute(cast<LinalgOp>(member), group.depth, free);
        SmallVector<Value> results;
        for (auto [result, whole] : llvm::zip_equal(escaping, carried)) {
          AffineMap map = cast<LinalgOp>(result.getOwner()).getIndexingMapMatchingResult(result);
          RowBody::Slice slice = body.getSlice(*getRowSlice(map, group.depth),
                                               tensor::getMixedSizes(nested, loc, whole));
          results.push_back(orchestration::createInsertSlice(nested, loc, body.tiled[result], whole,
                                                             slice.offsets, slice.sizes));
        }
        return results;
      });
  for (scf::ForOp loop : loops.loops)
    loop->setAttr(kRowsAttribute, b.getUnitAttr());
  takeSchedule(members, loops.loops.front());
  for (auto [result, whole] : llvm::zip_equal(escaping, loops.results))
    result.replaceUsesWithIf(whole, [&](OpOperand &use) {
      return !group.members.contains(use.getOwner()) && !isSunk(use.getOwner());
    });
  for (Operation *store : stores)
    store->erase();
  for (Operation *member : llvm::reverse(members)) {
    groups.erase(member);
    member->erase();
  }
}

//===- Stores --------------------------------------------------------------------===//

/// True if `op` may be a member of a group: it has rows, or a number for each row.
static bool mayHaveRows(LinalgOp op) { return getRowDepth(op) || worksByRow(op, op.getNumLoops()); }

/// Stores of results of row operations to memory that no value of the function is read from in
/// place. Each is moved to where its value is computed, or left alone.
static DenseSet<Operation *> collectFreeStores(Operation *function) {
  SmallVector<Value> sources;
  SmallVector<MaterializeInDestinationOp> stores;
  function->walk([&](Operation *op) {
    if (auto read = dyn_cast<bufferization::ToTensorOp>(op)) {
      if (!read.getBuffer().getDefiningOp<memref::AllocOp>() || !read.getWritable())
        sources.push_back(read.getBuffer());
    } else if (auto store = dyn_cast<MaterializeInDestinationOp>(op)) {
      if (isa<MemRefType>(store.getDest().getType()))
        stores.push_back(store);
    }
  });
  DenseSet<Operation *> free;
  for (MaterializeInDestinationOp store : stores) {
    auto producer = store.getSource().getDefiningOp<LinalgOp>();
    Value destination = store.getDest();
    if (!producer || producer->getBlock() != store->getBlock() || !mayHaveRows(producer) ||
        cast<MemRefType>(destination.getType()).getRank() !=
            cast<RankedTensorType>(store.getSource().getType()).getRank() ||
        llvm::any_of(sources, [&](Value source) { return mayAlias(source, destination); }))
      continue;
    bool isQuiet = true;
    for (Operation *op = producer->getNextNode(); op != store; op = op->getNextNode())
      isQuiet &= !mayAccess(op, destination);
    if (!isQuiet)
      continue;
    FailureOr<Operation *> last = moveViewAfter(destination, store->getBlock(), producer);
    if (failed(last))
      continue;
    store->moveAfter(*last);
    free.insert(store);
  }
  return free;
}

namespace {
struct FuseRowsPass : pypto::impl::FuseRowsBase<FuseRowsPass> {
  void runOnModule() override {
    auto result = getOperation().walk([](LinalgOp op) { return WalkResult(verifySchedule(op)); });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (Operation &function : getOperation().getOps()) {
      DenseSet<Operation *> free = collectFreeStores(&function);
      SmallVector<Block *> blocks;
      function.walk([&](Block *block) {
        if (!isa_and_nonnull<LinalgOp>(block->getParentOp()))
          blocks.push_back(block);
      });
      for (Block *block : blocks)
        RowFusion(*block, free).run();
    }
  }
};
} // namespace
