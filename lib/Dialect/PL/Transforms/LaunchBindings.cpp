// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether what a launch binds a variable to is the handle that the variable has around the launch.
#include "CellPromotion.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::pl::detail;

namespace {
/// Follows a handle in SSA form to the value that it is another name of. Values that are views, and
/// merges of different handles, are handles of their own.
class HandleTracer {
public:
  Value trace(Value handle) {
    if (auto it = traced.find(handle); it != traced.end())
      // What was traced through the argument of a loop goes on where the argument leads by now.
      return it->second == handle ? handle : trace(it->second);
    // While a loop is traced its argument is itself; the check at the end of the loop decides.
    traced[handle] = handle;
    Value result = handle;
    if (auto argument = dyn_cast<BlockArgument>(handle))
      result = traceArgument(argument);
    else
      result = traceResult(cast<OpResult>(handle));
    return traced[handle] = result;
  }

private:
  Value traceArgument(BlockArgument argument);
  Value traceResult(OpResult result);
  Value traceCall(CallOpInterface call, OpResult result);

  DenseMap<Value, Value> traced;
  SymbolTableCollection symbolTable;
  /// Functions that are being looked at.
  DenseSet<Operation *> active;
};
} // namespace

Value HandleTracer::traceArgument(BlockArgument argument) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument == loop.getInductionVar())
    return argument;
  OpOperand *init = loop.getTiedLoopInit(argument);
  Value yielded = trace(loop.getTiedLoopYieldedValue(argument)->get());
  Value root = trace(init->get());
  return yielded == argument || yielded == root ? root : Value(argument);
}

/// What region op yields for `result`, once per region.
static SmallVector<Value> getYielded(OpResult result) {
  SmallVector<Value> values;
  for (Region &region : result.getOwner()->getRegions()) {
    if (!region.hasOneBlock() || !region.front().mightHaveTerminator())
      return {};
    Operation *terminator = region.front().getTerminator();
    if (!isa<scf::YieldOp, YieldOp>(terminator))
      return {};
    values.push_back(terminator->getOperand(result.getResultNumber()));
  }
  return values;
}

Value HandleTracer::traceResult(OpResult result) {
  Operation *op = result.getOwner();
  if (auto alias = dyn_cast<StorageAliasOpInterface>(op))
    if (OpOperand *operand = alias.getAliasedOperand(result))
      return trace(operand->get());
  if (auto call = dyn_cast<CallOpInterface>(op))
    return traceCall(call, result);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    Value root = trace(loop.getTiedLoopRegionIterArg(result));
    return root == loop.getTiedLoopRegionIterArg(result) ? Value(result) : root;
  }
  RegionExecution kind = getRegionExecution(op);
  if (kind != RegionExecution::Scope && kind != RegionExecution::Branch &&
      kind != RegionExecution::Launch)
    return result;
  SmallVector<Value> roots =
      llvm::map_to_vector(getYielded(result), [&](Value value) { return trace(value); });
  return !roots.empty() && llvm::all_equal(roots) ? roots.front() : Value(result);
}

Value HandleTracer::traceCall(CallOpInterface call, OpResult result) {
  auto callee = dyn_cast_if_present<FuncOp>(call.resolveCallableInTable(&symbolTable));
  if (!callee || callee.isExternal() || !active.insert(callee).second)
    return result;
  Value root = result;
  ReturnOp returned = callee.getReturnOp();
  if (returned && result.getResultNumber() < returned.getNumOperands())
    if (auto parameter =
            dyn_cast<BlockArgument>(trace(returned.getOperand(result.getResultNumber())));
        parameter && parameter.getOwner() == &callee.getBody().front())
      root = trace(call.getArgOperands()[parameter.getArgNumber()]);
  active.erase(callee);
  return root;
}

LogicalResult pl::detail::checkLaunchBindings(ArrayRef<LaunchBinding> bindings) {
  HandleTracer tracer;
  bool holds = true;
  for (LaunchBinding binding : bindings) {
    bool isHandle = isa<pl::TensorType>(binding.entry.getType());
    if (isHandle && tracer.trace(binding.entry) == tracer.trace(binding.end))
      continue;
    holds = false;
    InFlightDiagnostic diag = mlir::emitError(binding.binding);
    if (isHandle)
      diag << "expects a handle to the storage that variable '" << binding.variable.getName()
           << "' has before '" << binding.launch->getName() << "', but got another one";
    else
      diag << "expects no binding of variable '" << binding.variable.getName()
           << "', which is read after '" << binding.launch->getName()
           << "': each block binds its own";
    diag.attachNote(binding.launch->getLoc()) << "in this launch";
    diag.attachNote(binding.variable.getLoc()) << "declared here";
  }
  return success(holds);
}
