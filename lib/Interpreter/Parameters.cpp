// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Parameters.h"

#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"
#include "pypto/Dialect/Tile/IR/TileOps.h"
#include "pypto/Interfaces/AliasInterfaces.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::interpreter;

static bool isShaped(Type type) { return isa<pl::ExtentTypeInterface>(type); }

static bool isShapedCell(Value value) {
  auto cell = dyn_cast<pl::VarType>(value.getType());
  return cell && isShaped(cell.getValueType());
}

/// What runs its body once at most.
static bool runsOnce(Operation *op) {
  return isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp, pl::AtOp, pl::ClusterOp,
             pl::GraphOp, pl::SplitAivOp, orchestration::ScopeOp>(op);
}

/// Goes over the body again and again until no origin changes: each changes twice at most.
class ParameterKinds::Solver {
public:
  Solver(ParameterKinds &kinds, pl::FuncOp func) : kinds(kinds), func(func) {}

  void solve() {
    int position = 0;
    func.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      positions[op] = position++;
      if (auto set = dyn_cast<pl::SetOp>(op))
        sets[set.getCell()].push_back(set);
    });
    for (BlockArgument argument : func.getArguments())
      origins[argument] = static_cast<Origin>(argument.getArgNumber() + 1);
    do {
      hasChanged = false;
      func.getBody().walk([&](Operation *op) { visit(op); });
    } while (hasChanged);
  }
  Origin getOrigin(Value value) const { return origins.lookup(value); }

private:
  void join(Value value, Origin origin) {
    Origin &own = origins[value];
    if (origin == kNone || origin == own)
      return;
    Origin joined = own == kNone ? origin : kMany;
    hasChanged |= joined != own;
    own = joined;
  }

  void visit(Operation *op) {
    if (auto var = dyn_cast<pl::VarOp>(op)) {
      if (var.getInit())
        join(var.getCell(), getOrigin(var.getInit()));
      return;
    }
    if (auto set = dyn_cast<pl::SetOp>(op))
      return join(set.getCell(), getOrigin(set.getValue()));
    if (auto get = dyn_cast<pl::GetOp>(op))
      return join(get.getValue(), read(op, get.getCell()));
    for (OpResult result : op->getResults())
      if (isShaped(result.getType()))
        join(result, getResultOrigin(op, result));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          join(argument, kMany);
    // Somebody else may bind the variable to anything.
    bool isKnown = op->getNumRegions() != 0 || getInlineCallee(op);
    for (Value operand : op->getOperands())
      if (!isKnown && isShapedCell(operand))
        join(operand, kMany);
  }

  pl::FuncOp getInlineCallee(Operation *op) {
    auto call = dyn_cast<pl::CallOp>(op);
    pl::FuncOp callee = call ? kinds.lookup(call.getCalleeAttr().getAttr()) : pl::FuncOp();
    return callee && callee.isInline() && !callee.isDeclaration() ? callee : pl::FuncOp();
  }

  Origin getResultOrigin(Operation *op, OpResult result) {
    OpOperand *source = nullptr;
    if (auto alias = dyn_cast<StorageAliasOpInterface>(op))
      source = alias.getAliasedOperand(result);
    else if (auto tied = dyn_cast<TiedOperandOpInterface>(op))
      source = tied.getTiedOperand(result);
    else if (isa<tile::CastValidOp>(op))
      source = &op->getOpOperand(0);
    if (pl::FuncOp callee = getInlineCallee(op)) {
      const Facts &summary = kinds.analyze(callee);
      if (summary.isComplete && summary.returned[result.getResultNumber()] > kNone)
        source = &op->getOpOperand(summary.returned[result.getResultNumber()] - 1);
    }
    if (!source)
      return kMany;
    return isa<pl::VarType>(source->get().getType()) ? read(op, source->get())
                                                     : getOrigin(source->get());
  }

  /// What `op` finds in a variable. In a loop that is younger than the variable it may be what a
  /// later statement of that loop has bound.
  Origin read(Operation *op, Value cell) {
    auto var = cell.getDefiningOp<pl::VarOp>();
    Operation *outermost = nullptr;
    if (var)
      for (Operation *parent = op->getParentOp(); parent != var->getParentOp();
           parent = parent->getParentOp())
        if (!runsOnce(parent))
          outermost = parent;
    if (outermost)
      for (pl::SetOp set : sets[cell])
        if (outermost->isProperAncestor(set) && positions[set] > positions[op])
          return kMany;
    return getOrigin(cell);
  }

  ParameterKinds &kinds;
  pl::FuncOp func;
  llvm::DenseMap<Value, Origin> origins;
  llvm::DenseMap<Operation *, int> positions;
  llvm::DenseMap<Value, SmallVector<pl::SetOp, 2>> sets;
  bool hasChanged = false;
};

static bool isByDeclaration(pl::FuncOp func, unsigned parameter, Type type) {
  return isa<pl::ArrayType>(type) || func.getDirection(parameter) != pl::Direction::In;
}

const ParameterKinds::Facts &ParameterKinds::analyze(pl::FuncOp func) {
  std::unique_ptr<Facts> &slot = facts[func];
  if (slot)
    return *slot;
  slot = std::make_unique<Facts>();
  // Others may be added meanwhile.
  Facts &own = *slot;
  Solver solver(*this, func);
  solver.solve();
  for (BlockArgument argument : func.getArguments()) {
    auto cell = dyn_cast<pl::VarType>(argument.getType());
    unsigned number = argument.getArgNumber();
    Origin unchanged = static_cast<Origin>(number + 1);
    own.callersCells.push_back(cell && (isShaped(cell.getValueType())
                                            ? solver.getOrigin(argument) == unchanged
                                            : isByDeclaration(func, number, cell.getValueType())));
  }
  for (Value value : func.getReturnOp().getValues())
    own.returned.push_back(isShaped(value.getType()) ? solver.getOrigin(value) : kMany);
  own.isComplete = true;
  return own;
}

bool ParameterKinds::isCallersCell(pl::FuncOp func, unsigned parameter) {
  return analyze(func).callersCells[parameter];
}
