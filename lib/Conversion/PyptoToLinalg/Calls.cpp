// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls and submits: a function makes tasks of the kernels that it calls, a kernel runs them in
// place.
#include "BoundsChecks.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::lowering;

static FailureOr<FuncOp> getDefinition(Lowering &l, Operation *call) {
  FuncOp callee = l.info.getCallee(call);
  if (!callee.isDeclaration())
    return callee;
  InFlightDiagnostic diag = emitUnsupported(call, "a callee with a body");
  diag.attachNote(callee.getLoc()) << "'" << callee.getSymName() << "' is declared here";
  return failure();
}

/// Arguments as the callee takes them, without the block's index and the number of blocks.
static SmallVector<Value> getCallArguments(Lowering &l, FuncOp callee, ValueRange arguments) {
  SmallVector<Value> lowered;
  for (auto [formal, actual] : llvm::zip_equal(callee.getArgumentTypes(), arguments)) {
    if (auto type = dyn_cast<pl::TensorType>(formal))
      // The names in the type are the callee's: the checks of calls look at them.
      llvm::append_range(lowered, l.flatten(l.retype(l.getHandle(actual), type, Claims::None)));
    else
      llvm::append_range(lowered, l.lookup(actual));
  }
  return lowered;
}

/// Adds the block's index and the number of blocks; where there is none it is the only one.
static void addBlock(Lowering &l, FuncOp callee, SmallVectorImpl<Value> &lowered, Value index,
                     Value count) {
  if (l.info.needsBlockIndex(callee))
    lowered.append({index ? index : l.asValue(l.b.getIndexAttr(0)),
                    count ? count : l.asValue(l.b.getIndexAttr(1))});
}

/// Maps the results of a call: an argument where the callee returns its parameter.
static void mapCallResults(Lowering &l, FuncOp callee, ValueRange arguments, ValueRange results,
                           ValueRange returned) {
  for (auto [index, formal] : llvm::enumerate(callee.getResultTypes())) {
    std::optional<unsigned> parameter = l.info.getParameter(callee, index);
    size_t count = convertType(formal)->size() - (parameter ? 1 : 0);
    SmallVector<Value> values(returned.take_front(count));
    returned = returned.drop_front(count);
    auto type = dyn_cast<pl::TensorType>(formal);
    if (!type) {
      l.map(results[index], values);
      continue;
    }
    if (parameter) {
      // As the callee sees it, then as the caller does: both claims are about the same storage.
      Value memref = l.getHandle(arguments[*parameter]).memref;
      values.insert(values.begin(), l.castMemRef(memref, getHandleType(type)));
    }
    l.map(results[index],
          l.retype(l.getHandle(type, values), cast<pl::TensorType>(results[index].getType())));
  }
}

//===- In place ------------------------------------------------------------------------===//

static func::CallOp emitCall(Lowering &l, FuncOp callee, ValueRange arguments) {
  return func::CallOp::create(l.b, getLoweredName(callee), getLoweredResults(l.info, callee),
                              arguments);
}

/// Runs the blocks of a submit one after the other. What they return is what the last of them does.
static ValueRange emitBlocks(Lowering &l, Operation *op, FuncOp callee, ArrayRef<Value> arguments,
                             Value count) {
  ImplicitLocOpBuilder &b = l.b;
  bool returns = !getLoweredResults(l.info, callee).empty();
  Value zero = l.asValue(b.getIndexAttr(0)), one = l.asValue(b.getIndexAttr(1)), end = count;
  if (returns) {
    BoundsChecker(l, op).checkAtLeast(count, b.getIndexAttr(1), "the number of blocks");
    end = arith::SubIOp::create(b, count, one);
  }
  auto emitBlock = [&](Value index) {
    SmallVector<Value> lowered(arguments);
    addBlock(l, callee, lowered, index, count);
    return emitCall(l, callee, lowered).getResults();
  };
  {
    auto loop = scf::ForOp::create(b, zero, end, one);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    emitBlock(loop.getInductionVar());
  }
  return returns ? ValueRange(emitBlock(end)) : ValueRange();
}

//===- Tasks ---------------------------------------------------------------------------===//

/// What `callee` does to each memref among its lowered arguments.
static SmallVector<int32_t> getModes(Lowering &l, FuncOp callee) {
  SmallVector<int32_t> modes;
  for (auto [index, type] : llvm::enumerate(callee.getArgumentTypes()))
    if (isa<pl::TensorType>(type))
      modes.push_back(static_cast<int32_t>(l.effects.getAccess(callee, index)));
  return modes;
}

/// Makes a task. The blocks run at the same time unless their order shows: where they add to a
/// tensor, or all of them do the same.
static Value emitLaunch(Lowering &l, FuncOp callee, ArrayRef<Value> arguments, ValueRange after,
                        Value blocks) {
  bool isInOrder = blocks && (l.effects.accumulates(callee) || !l.info.needsBlockIndex(callee));
  return orchestration::LaunchOp::create(l.b, l.b.getI64Type(), getLoweredName(callee), arguments,
                                         after, blocks, getModes(l, callee), isInOrder);
}

/// Before a kernel that the host cannot go on without.
static void emitWait(Lowering &l, FuncOp callee, ArrayRef<Value> arguments, ValueRange after) {
  if (!after.empty())
    orchestration::AwaitOp::create(l.b, after);
  SmallVector<Value> memrefs =
      llvm::filter_to_vector(arguments, [](Value v) { return isa<MemRefType>(v.getType()); });
  if (!memrefs.empty())
    orchestration::SyncOp::create(l.b, memrefs, getModes(l, callee));
}

static LogicalResult lowerCall(Lowering &l, CallOp op) {
  FailureOr<FuncOp> callee = getDefinition(l, op);
  if (failed(callee))
    return failure();
  SmallVector<Value> arguments = getCallArguments(l, *callee, op.getOperands());
  bool isTask = l.makesTasks && l.info.isTask(op);
  bool isLaunch = isTask && getLoweredResults(l.info, *callee).empty();
  if (isTask && !isLaunch)
    emitWait(l, *callee, arguments, {});
  addBlock(l, *callee, arguments, l.blockIndex, l.blockCount);
  ValueRange returned;
  if (isLaunch)
    emitLaunch(l, *callee, arguments, {}, Value());
  else
    returned = emitCall(l, *callee, arguments).getResults();
  mapCallResults(l, *callee, op.getOperands(), op.getResults(), returned);
  return success();
}

/// Runs a submit in place: in a kernel, or because the host needs what it returns.
static void lowerSubmitInPlace(Lowering &l, orchestration::SubmitOp op, FuncOp callee,
                               SmallVector<Value> arguments) {
  if (l.makesTasks)
    emitWait(l, callee, arguments, l.lookupAll(op.getAfter()));
  ValueRange returned;
  if (op.getCoreNum()) {
    returned = emitBlocks(l, op, callee, arguments, l.lookupOne(op.getCoreNum()));
  } else {
    addBlock(l, callee, arguments, Value(), Value());
    returned = emitCall(l, callee, arguments).getResults();
  }
  // What waits for this id waits for nothing: so the tasks that a host function has made are done.
  if (l.makesTasks && ProgramInfo::isHost(callee))
    orchestration::AwaitOp::create(l.b, ValueRange());
  mapCallResults(l, callee, op.getArguments(), op.getCalleeResults(), returned);
  Value task = arith::ConstantIntOp::create(l.b, l.b.getI64Type(), 0);
  l.map(op.getTask(), task);
}

static LogicalResult lowerSubmit(Lowering &l, orchestration::SubmitOp op) {
  FailureOr<FuncOp> callee = getDefinition(l, op);
  if (failed(callee))
    return failure();
  SmallVector<Value> arguments = getCallArguments(l, *callee, op.getArguments());
  if (!l.makesTasks || !getLoweredResults(l.info, *callee).empty()) {
    lowerSubmitInPlace(l, op, *callee, std::move(arguments));
    return success();
  }
  Value blocks;
  if (op.getCoreNum())
    blocks = l.lookupOne(op.getCoreNum());
  else
    addBlock(l, *callee, arguments, Value(), Value());
  Value task = emitLaunch(l, *callee, arguments, l.lookupAll(op.getAfter()), blocks);
  mapCallResults(l, *callee, op.getArguments(), op.getCalleeResults(), {});
  l.map(op.getTask(), task);
  return success();
}

void lowering::addCallLowerings(LoweringTable &table) {
  table.add<CallOp>(lowerCall);
  table.add<orchestration::SubmitOp>(lowerSubmit);
}
