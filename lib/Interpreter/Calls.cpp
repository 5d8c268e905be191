// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions, calls of them, submits.
#include "Machine.h"

#include "pypto/Analysis/ReturnLineage.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::interpreter;

static Type getValueType(Type type) {
  auto cell = dyn_cast<VarType>(type);
  return cell ? cell.getValueType() : type;
}

//===- Parameters -------------------------------------------------------------===//

/// A parameter that the body may bind again: the caller's variable, or one that starts with what
/// the caller gives.
FailureOr<RuntimeValue> Machine::bindCell(Operation *op, BlockArgument parameter,
                                          const RuntimeValue &argument) {
  const auto *given = std::get_if<std::shared_ptr<Cell>>(&argument);
  if (given && kinds.isCallersCell(frame->func, parameter.getArgNumber()))
    return argument;
  FailureOr<RuntimeValue> value = given ? read(op, **given) : FailureOr<RuntimeValue>(argument);
  if (failed(value))
    return failure();
  auto cell = std::make_shared<Cell>();
  cell->value = std::make_shared<RuntimeValue>(std::move(*value));
  return RuntimeValue(std::move(cell));
}

/// Binds the names that stand alone in a type of a parameter.
LogicalResult Machine::bindNames(Operation *op, ArrayRef<ExtentAttr> extents,
                                 ArrayRef<int64_t> sizes, unsigned parameter) {
  for (auto [dim, extent, size] : llvm::enumerate(extents, sizes)) {
    if (!extent.isSymbol())
      continue;
    StringAttr name = extent.getSymbolName();
    auto *bound = llvm::find_if(frame->symbols, [&](auto &pair) { return pair.first == name; });
    if (bound == frame->symbols.end()) {
      bindSymbol(name, size);
    } else if (bound->second != size) {
      // Two arguments of an inline function may differ as long as nobody asks.
      if (frame->isInline())
        bound->second = std::nullopt;
      else
        return emitError(op, "expects extent ")
               << name.getValue() << " = " << *bound->second << " in dimension " << dim
               << " of argument " << parameter << ", but got " << size;
    }
  }
  return success();
}

/// The view behind an argument; null for what is none.
static const View *getViewOf(const RuntimeValue &value) {
  if (const auto *cell = std::get_if<std::shared_ptr<Cell>>(&value))
    return (*cell)->value ? std::get_if<View>((*cell)->value.get()) : nullptr;
  return std::get_if<View>(&value);
}

LogicalResult Machine::bindSymbols(Operation *op) {
  FuncOp func = frame->func;
  auto forEachView = [&](auto fn) -> LogicalResult {
    for (BlockArgument argument : func.getArguments()) {
      auto type = dyn_cast<ExtentTypeInterface>(getValueType(argument.getType()));
      const View *view = type ? getViewOf(get(argument)) : nullptr;
      if (view && failed(fn(type, *view, argument.getArgNumber())))
        return failure();
    }
    return success();
  };
  auto bind = [&](ExtentTypeInterface type, const View &view, unsigned index) -> LogicalResult {
    if (failed(bindNames(op, type.getExtents(), view.shape, index)) ||
        (!type.getValid().empty() && failed(bindNames(op, type.getValid(), view.valid, index))))
      return failure();
    auto tensor = dyn_cast<pl::TensorType>(type);
    return tensor && !tensor.getStrides().empty()
               ? bindNames(op, tensor.getStrides(), view.strides, index)
               : success();
  };
  if (failed(forEachView(bind)))
    return failure();
  if (frame->isInline())
    return success();
  return forEachView([&](ExtentTypeInterface type, const View &view, unsigned index) {
    return checkSizes(op, type.getExtents(), view.shape,
                      "argument " + Twine(index) + " with extent");
  });
}

LogicalResult Machine::bindArguments(Operation *op, ArrayRef<RuntimeValue> arguments) {
  for (auto [parameter, argument] : llvm::zip_equal(frame->func.getArguments(), arguments)) {
    if (isa<VarType>(parameter.getType())) {
      FailureOr<RuntimeValue> cell = bindCell(op, parameter, argument);
      if (failed(cell))
        return failure();
      set(parameter, std::move(*cell));
    } else if (const auto *cell = std::get_if<std::shared_ptr<Cell>>(&argument)) {
      FailureOr<RuntimeValue> value = read(op, **cell);
      if (failed(value))
        return failure();
      set(parameter, std::move(*value));
    } else {
      set(parameter, argument);
    }
  }
  if (failed(bindSymbols(op)))
    return failure();
  // Now the names in the types have numbers.
  for (BlockArgument parameter : frame->func.getArguments())
    if (isa<pl::TensorType>(parameter.getType()) && failed(define(parameter, get(parameter))))
      return failure();
  return success();
}

//===- Execution --------------------------------------------------------------===//

LogicalResult Machine::checkDeferred() {
  for (const DeferredWait &wait : frame->deferred) {
    Reader signal(*this, wait.op, 0, wait.signal, getElement(wait.op->getOperand(0)));
    if (!compare(wait.kind, signal.getFormat(), signal(wait.index), wait.expected))
      return emitError(wait.op, "would wait forever: the task is done, and the signal is not as "
                                "expected");
  }
  return success();
}

/// In the frame of a function: binds, runs, and gives the results the types that are declared.
LogicalResult Machine::run(Operation *op, ArrayRef<RuntimeValue> arguments,
                           SmallVectorImpl<RuntimeValue> &results) {
  FuncOp func = frame->func;
  if (failed(bindArguments(op, arguments)) || failed(runBlock(func.getBody().front(), results)) ||
      failed(checkDeferred()))
    return failure();
  if (frame->isInline())
    return success();
  ReturnOp ret = func.getReturnOp();
  for (auto [type, value] : llvm::zip_equal(func.getResultTypes(), ret.getValues()))
    if (auto extents = dyn_cast<ExtentTypeInterface>(type);
        extents && failed(checkClaim(ret, value, extents)))
      return failure();
  return success();
}

LogicalResult Machine::call(Operation *op, FuncOp callee, ValueRange arguments,
                            const BlockPlace *launch, SmallVectorImpl<RuntimeValue> &results) {
  if (callee.isDeclaration()) {
    InFlightDiagnostic diag = emitError(op, "expects a callee with a body");
    diag.attachNote(callee.getLoc()) << "'" << callee.getSymName() << "' is declared here";
    return failure();
  }
  SmallVector<RuntimeValue> given = getAll(arguments);
  Frame inner;
  inner.func = callee;
  inner.call = op;
  inner.caller = frame;
  inner.place = launch ? *launch : frame->place;
  if (!callee.isInline())
    inner.place.subblock = 0;
  Frame *outer = std::exchange(frame, &inner);
  llvm::scope_exit leave([&] { frame = outer; });
  return run(op, given, results);
}

LogicalResult Machine::runEntry(FuncOp func, ArrayRef<RuntimeValue> arguments,
                                SmallVectorImpl<RuntimeValue> &results) {
  Frame entry;
  entry.func = func;
  frame = &entry;
  llvm::scope_exit leave([&] { frame = nullptr; });
  return run(func, arguments, results);
}

//===- Operations ---------------------------------------------------------------===//

static LogicalResult runCall(Machine &machine, CallOp op) {
  SmallVector<RuntimeValue> results;
  FuncOp callee = machine.lookupFunction(op.getCalleeAttr().getAttr());
  if (failed(machine.call(op, callee, op.getOperands(), nullptr, results)))
    return failure();
  return machine.define(op.getResults(), results);
}

static LogicalResult defineTask(Machine &machine, orchestration::SubmitOp op) {
  Number task;
  task.integer = machine.nextTask++;
  return machine.define(op.getTask(), task);
}

/// No block runs: what the task would return is what it was given.
static LogicalResult submitNothing(Machine &machine, orchestration::SubmitOp op, FuncOp callee) {
  ReturnLineage lineage(op->getParentOfType<ModuleOp>());
  ArrayRef<ReturnSource> sources = lineage.getSources(callee);
  for (auto [index, result] : llvm::enumerate(op.getCalleeResults())) {
    std::optional<unsigned> parameter =
        index < sources.size() ? sources[index].parameter : std::nullopt;
    if (!parameter)
      return machine.emitError(op, "expects a callee that returns parameters only, for no block");
    if (failed(machine.define(result, machine.get(op.getArguments()[*parameter]))))
      return failure();
  }
  return defineTask(machine, op);
}

/// A task runs where it is submitted: what it may wait for has run.
static LogicalResult runSubmit(Machine &machine, orchestration::SubmitOp op) {
  FuncOp callee = machine.lookupFunction(op.getCalleeAttr().getAttr());
  BlockPlace place;
  if (op.getCoreNum())
    place.count = machine.getIndex(op, op.getCoreNum());
  if (place.count < 0)
    return machine.emitError(op, "expects a number of blocks that is not negative, but got ")
           << place.count;
  if (place.count == 0)
    return submitNothing(machine, op, callee);
  SmallVector<RuntimeValue> results;
  for (; place.index < place.count; ++place.index) {
    results.clear();
    if (failed(machine.call(op, callee, op.getArguments(), &place, results)))
      return failure();
  }
  if (failed(machine.define(op.getCalleeResults(), results)))
    return failure();
  return defineTask(machine, op);
}

void interpreter::addCalls(Table &table) {
  table.add<CallOp>(runCall);
  table.add<orchestration::SubmitOp>(runSubmit);
}
