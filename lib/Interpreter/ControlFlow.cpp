// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structured control flow.
#include "Machine.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::interpreter;

static LogicalResult runFor(Machine &machine, scf::ForOp op) {
  int64_t position = machine.getIndex(op, op.getLowerBound()),
          end = machine.getIndex(op, op.getUpperBound()), step = machine.getIndex(op, op.getStep());
  if (step <= 0)
    return machine.emitError(op, "expects a step that is positive, but got ") << step;
  Format format(op.getInductionVar().getType());
  SmallVector<RuntimeValue> carried = machine.getAll(op.getInitArgs());
  auto isBefore = [&](int64_t lhs, int64_t rhs) {
    return op.getUnsignedCmp() ? static_cast<uint64_t>(lhs) < static_cast<uint64_t>(rhs)
                               : lhs < rhs;
  };
  bool hasOverflown = false;
  for (; !hasOverflown && isBefore(position, end);) {
    SmallVector<RuntimeValue> arguments{format.makeInteger(position)};
    arguments.append(carried.begin(), carried.end());
    if (failed(machine.enter(*op.getBody(), arguments)) ||
        failed(machine.runBlock(*op.getBody(), carried)))
      return failure();
    hasOverflown = llvm::AddOverflow(position, step, position);
  }
  return machine.define(op.getResults(), carried);
}

static LogicalResult runWhile(Machine &machine, scf::WhileOp op) {
  SmallVector<RuntimeValue> carried = machine.getAll(op.getInits());
  while (true) {
    SmallVector<RuntimeValue> condition;
    if (failed(machine.enter(*op.getBeforeBody(), carried)) ||
        failed(machine.runBlock(*op.getBeforeBody(), condition)))
      return failure();
    const auto &again = std::get<Number>(condition.front());
    if (again.state == State::Unset)
      machine.noteUndefined(op.getConditionOp(), "a condition");
    carried.assign(std::next(condition.begin()), condition.end());
    if (again.integer == 0)
      return machine.define(op.getResults(), carried);
    if (failed(machine.enter(*op.getAfterBody(), carried)) ||
        failed(machine.runBlock(*op.getAfterBody(), carried)))
      return failure();
  }
}

/// Runs one of an operation's regions, which may be absent.
static LogicalResult runRegion(Machine &machine, Operation *op, Region &region) {
  SmallVector<RuntimeValue> results;
  if (!region.empty() && !region.hasOneBlock())
    return machine.emitError(op, "expects structured control flow ('scf')");
  if (!region.empty() && failed(machine.runBlock(region.front(), results)))
    return failure();
  return machine.define(op->getResults(), results);
}

static LogicalResult runIf(Machine &machine, scf::IfOp op) {
  bool condition = machine.getIndex(op, op.getCondition()) != 0;
  return runRegion(machine, op, condition ? op.getThenRegion() : op.getElseRegion());
}

static LogicalResult runIndexSwitch(Machine &machine, scf::IndexSwitchOp op) {
  int64_t value = machine.getIndex(op, op.getArg());
  for (auto [number, region] : llvm::zip_equal(op.getCases(), op.getCaseRegions()))
    if (number == value)
      return runRegion(machine, op, region);
  return runRegion(machine, op, op.getDefaultRegion());
}

static LogicalResult runExecuteRegion(Machine &machine, scf::ExecuteRegionOp op) {
  return runRegion(machine, op, op.getRegion());
}

/// A tensor or tile that is not there has the extents of its type, where these are numbers.
static LogicalResult runPoison(Machine &machine, ub::PoisonOp op) {
  if (auto type = dyn_cast<pl::ExtentTypeInterface>(op.getType())) {
    FailureOr<View> view = machine.allocate(op, type, {});
    return failed(view) ? failure() : machine.define(op.getResult(), std::move(*view));
  }
  Number number;
  number.state = State::Unset;
  if (auto array = dyn_cast<pl::ArrayType>(op.getType()))
    return machine.define(op.getResult(),
                          std::make_shared<std::vector<Number>>(array.getSize(), number));
  return machine.define(op.getResult(), number);
}

void interpreter::addControlFlow(Table &table) {
  table.add<scf::ForOp>(runFor);
  table.add<scf::WhileOp>(runWhile);
  table.add<scf::IfOp>(runIf);
  table.add<scf::IndexSwitchOp>(runIndexSwitch);
  table.add<scf::ExecuteRegionOp>(runExecuteRegion);
  table.add<ub::PoisonOp>(runPoison);
}
