// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks, control flow of other dialects, placement and run-time scopes, tasks.
#include "BoundsChecks.h"

#include "pypto/Interfaces/AliasInterfaces.h"
#include "pypto/Transforms/Schedule.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::lowering;

LogicalResult Lowering::lowerBlock(Block &block) {
  // A name bound in a block ends with it.
  llvm::DenseMap<StringAttr, Value> outer = symbols;
  for (Operation &op : block.without_terminator())
    if (failed(lowerOperation(&op)))
      return failure();
  symbols = std::move(outer);
  return success();
}

static bool isOurs(Operation *op) {
  return isa_and_nonnull<PLDialect, tile::TileDialect, orchestration::OrchestrationDialect>(
      op->getDialect());
}

/// Gives the schedule of `op` to the loops that it became, which are behind `last` in `block`; a
/// product hands it on by itself.
static void handScheduleOn(Operation *op, Block *block, Operation *last) {
  if (!op->hasAttr(kScheduleAttrName))
    return;
  auto begin = last ? std::next(last->getIterator()) : block->begin();
  SmallVector<Operation *> loops;
  for (Operation &lowered : llvm::make_range(begin, block->end()))
    if (isa<linalg::LinalgOp>(lowered)) {
      if (lowered.hasAttr(kScheduleAttrName))
        return;
      loops.push_back(&lowered);
    }
  for (Operation *loop : loops)
    copySchedule(op, loop);
}

LogicalResult Lowering::lowerOperation(Operation *op) {
  b.setLoc(op->getLoc());
  llvm::SaveAndRestore<Operation *> guard(current, op);
  for (Value result : op->getResults())
    if (failed(convertType(result.getType())))
      return emitUnsupported(op, kSupportedTypes) << ", but got " << result.getType();
  if (checks && failed(checks->emitChecks(*this, op)))
    return failure();
  if (const LowerFn *fn = table.lookup(op)) {
    Block *block = b.getInsertionBlock();
    Operation *last =
        b.getInsertionPoint() == block->begin() ? nullptr : &*std::prev(b.getInsertionPoint());
    if (failed((*fn)(*this, op)))
      return failure();
    handScheduleOn(op, block, last);
    return success();
  }
  if (isOurs(op))
    return op->emitOpError("is not supported on the CPU: no lowering is known for it");
  if (!op->isRegistered())
    return emitUnsupported(op,
                           "operations of 'pl', 'tile', 'orchestration' and registered dialects");
  return cloneFlattened(op);
}

/// One value is several afterwards: so are the operation's operands, results and block arguments.
LogicalResult Lowering::cloneFlattened(Operation *op) {
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(lookupAll(op->getOperands()));
  for (Type type : op->getResultTypes())
    llvm::append_range(state.types, *convertType(type));
  state.propertiesAttr = op->getPropertiesAsAttribute();
  for (NamedAttribute attr : op->getDiscardableAttrs())
    if (attr.getName() != kLoopAttrName)
      state.addAttribute(attr.getName(), attr.getValue());
  for (unsigned i = 0, e = op->getNumRegions(); i != e; ++i)
    state.addRegion();
  if (op->getNumSuccessors() != 0)
    return emitUnsupported(op, "structured control flow ('scf')");
  Operation *copy = b.create(state);
  ValueRange results = copy->getResults();
  for (Value result : op->getResults()) {
    size_t count = convertType(result.getType())->size();
    map(result, results.take_front(count));
    results = results.drop_front(count);
  }
  OpBuilder::InsertionGuard guard(b);
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), copy->getRegions())) {
    if (from.empty())
      continue;
    if (!from.hasOneBlock())
      return emitUnsupported(op, "structured control flow ('scf')");
    Block &block = to.emplaceBlock();
    for (BlockArgument argument : from.front().getArguments()) {
      FailureOr<SmallVector<Type>> types = convertType(argument.getType());
      if (failed(types))
        return emitUnsupported(op, kSupportedTypes) << ", but got " << argument.getType();
      SmallVector<Value> lowered;
      for (Type type : *types)
        lowered.push_back(block.addArgument(type, argument.getLoc()));
      map(argument, lowered);
    }
    b.setInsertionPointToEnd(&block);
    if (failed(lowerBlock(from.front())))
      return failure();
    Block &source = from.front();
    if (source.mightHaveTerminator() && failed(lowerOperation(source.getTerminator())))
      return failure();
  }
  return success();
}

static LogicalResult lowerSelect(Lowering &l, arith::SelectOp op) {
  if (isa<ExtentTypeInterface, pl::ArrayType>(op.getType())) {
    SmallVector<Value> selected;
    Value condition = l.lookupOne(op.getCondition());
    for (auto [yes, no] :
         llvm::zip_equal(l.lookup(op.getTrueValue()), l.lookup(op.getFalseValue())))
      selected.push_back(arith::SelectOp::create(l.b, condition, yes, no));
    l.map(op.getResult(), selected);
    return success();
  }
  return l.cloneFlattened(op);
}

static LogicalResult lowerPoison(Lowering &l, ub::PoisonOp op) {
  SmallVector<Value> parts;
  SmallVector<Type> types = *convertType(op.getType());
  for (Type type : types)
    parts.push_back(ub::PoisonOp::create(l.b, type, op.getValue()));
  l.map(op.getResult(), parts);
  return success();
}

//===- Scopes -----------------------------------------------------------------------===//

/// Runs the body in place.
template <typename OpTy> static LogicalResult lowerScope(Lowering &l, OpTy op) {
  Block &body = op.getBody().front();
  if (failed(l.lowerBlock(body)))
    return failure();
  for (auto [result, value] : llvm::zip_equal(op.getResults(), body.getTerminator()->getOperands()))
    l.map(result, l.lookup(value));
  return success();
}

/// The name that `value` has outside `op`, if it is another name of something there.
static Value getOuterName(Operation *op, Value value) {
  while (op->isProperAncestor(value.getParentBlock()->getParentOp()) ||
         value.getParentBlock()->getParentOp() == op) {
    auto alias = value.getDefiningOp<StorageAliasOpInterface>();
    OpOperand *operand = alias ? alias.getAliasedOperand(cast<OpResult>(value)) : nullptr;
    if (!operand)
      return {};
    value = operand->get();
  }
  return value;
}

/// Lowers `body` as that of a loop from 0 to `count`.
static LogicalResult lowerLaunchBody(Lowering &l, Block &body, Value count, bool isLaunch) {
  ImplicitLocOpBuilder &b = l.b;
  auto loop =
      scf::ForOp::create(b, l.asValue(b.getIndexAttr(0)), count, l.asValue(b.getIndexAttr(1)));
  Value outerIndex = l.blockIndex, outerCount = l.blockCount, outerSubblock = l.subblockIndex;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  l.map(body.getArgument(0), loop.getInductionVar());
  if (isLaunch) {
    l.blockIndex = loop.getInductionVar();
    l.blockCount = count;
  } else {
    l.subblockIndex = loop.getInductionVar();
  }
  LogicalResult result = l.lowerBlock(body);
  l.blockIndex = outerIndex;
  l.blockCount = outerCount;
  l.subblockIndex = outerSubblock;
  return result;
}

static LogicalResult lowerSpmd(Lowering &l, SpmdOp op) {
  Block &body = op.getBody().front();
  SmallVector<Value> outer;
  for (Value value : body.getTerminator()->getOperands()) {
    outer.push_back(getOuterName(op, value));
    if (!outer.back())
      return emitUnsupported(op, "a launch that yields tensors of the code around it");
  }
  if (failed(lowerLaunchBody(l, body, l.lookupOne(op.getCount()), /*isLaunch=*/true)))
    return failure();
  l.b.setLoc(op.getLoc());
  for (auto [result, value] : llvm::zip_equal(op.getResults(), outer))
    l.map(result, l.retype(l.getHandle(value), cast<pl::TensorType>(result.getType())));
  return success();
}

static LogicalResult lowerSplitAiv(Lowering &l, SplitAivOp op) {
  return lowerLaunchBody(l, op.getBody().front(), l.asValue(l.b.getIndexAttr(2)),
                         /*isLaunch=*/false);
}

static LogicalResult lowerYield(Lowering &, pl::YieldOp) { return success(); }

static LogicalResult lowerSymbol(Lowering &l, SymbolOp op) {
  l.bindSymbol(op.getSymAttr().getRootReference(), l.lookupOne(op.getValue()));
  return success();
}

//===- Tasks ---------------------------------------------------------------------------===//

static Value getTask(Lowering &l, int64_t id) {
  return arith::ConstantIntOp::create(l.b, l.b.getI64Type(), id);
}

static LogicalResult lowerRuntimeScope(Lowering &l, orchestration::ScopeOp op) {
  if (l.makesTasks)
    orchestration::ScopeBeginOp::create(l.b, op.getManual());
  if (failed(lowerScope(l, op)))
    return failure();
  l.b.setLoc(op.getLoc());
  if (l.makesTasks)
    orchestration::ScopeEndOp::create(l.b);
  return success();
}

static LogicalResult lowerTaskDummy(Lowering &l, orchestration::TaskDummyOp op) {
  if (!l.makesTasks) {
    l.map(op.getTask(), getTask(l, 0));
    return success();
  }
  Value task =
      orchestration::LaunchDummyOp::create(l.b, l.b.getI64Type(), l.lookupAll(op.getAfter()));
  l.map(op.getTask(), task);
  return success();
}

static LogicalResult lowerTaskInvalid(Lowering &l, orchestration::TaskInvalidOp op) {
  l.map(op.getTask(), getTask(l, -1));
  return success();
}

static LogicalResult lowerTaskIsValid(Lowering &l, orchestration::TaskIsValidOp op) {
  Value task = l.lookupOne(op.getTask());
  Value isValid = arith::CmpIOp::create(l.b, arith::CmpIPredicate::sge, task, getTask(l, 0));
  l.map(op.getResult(), isValid);
  return success();
}

static LogicalResult lowerBarrier(Lowering &l, orchestration::BarrierOp op) {
  if (l.makesTasks)
    orchestration::AwaitOp::create(l.b, l.lookupAll(op.getAfter()));
  return success();
}

void lowering::addScopeLowerings(LoweringTable &table) {
  table.add<arith::SelectOp>(lowerSelect);
  table.add<ub::PoisonOp>(lowerPoison);
  table.add<CheckOp>(+[](Lowering &l, CheckOp op) { return l.cloneFlattened(op); });
  table.add<AtOp>(lowerScope<AtOp>);
  table.add<ClusterOp>(lowerScope<ClusterOp>);
  table.add<GraphOp>(lowerScope<GraphOp>);
  table.add<orchestration::ScopeOp>(lowerRuntimeScope);
  table.add<SpmdOp>(lowerSpmd);
  table.add<SplitAivOp>(lowerSplitAiv);
  table.add<pl::YieldOp>(lowerYield);
  table.add<SymbolOp>(lowerSymbol);
  table.add<orchestration::TaskDummyOp>(lowerTaskDummy);
  table.add<orchestration::TaskInvalidOp>(lowerTaskInvalid);
  table.add<orchestration::TaskIsValidOp>(lowerTaskIsValid);
  table.add<orchestration::BarrierOp>(lowerBarrier);
}
