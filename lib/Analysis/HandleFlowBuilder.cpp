// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the handle flow graph of a function in one walk.
#include "HandleFlow.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::detail;

static bool isHandle(Type type) { return isa<pl::TensorType>(type); }

static bool isHandleCell(Type type) {
  auto var = dyn_cast<VarType>(type);
  return var && isHandle(var.getValueType());
}

namespace pypto::detail {

/// Walks a function in program order with the node that each variable has at that point.
class HandleFlowBuilder {
public:
  using Node = HandleFlow::Node;
  static constexpr Node kUnknown = HandleFlow::kUnknown;

  HandleFlowBuilder(HandleFlow &flow, FuncOp func, HandleFlow::SummaryFn summaries)
      : flow(flow), func(func), summaries(summaries) {}

  void build();

private:
  friend class BranchJoins;

  void collectAssignments();
  void visitBlock(Block &block);
  void visitOp(Operation *op);
  void visitResults(Operation *op);
  void visitCall(CallOpInterface call);
  void visitBranch(RegionBranchOpInterface op);
  void visitOpaque(Operation *op);

  Node makeNode();
  /// A node for storage that begins at `value`.
  Node makeSource(Value value);
  /// What `node` is, seen through a view or with another valid shape.
  Node makeStep(Node node, bool endsLineage, bool changesValidShape);
  void addEdge(Node from, Node to) { flow.edges.emplace_back(from, to); }
  Node getState(Value cell) const { return state.lookup(cell); }
  /// The node of an argument of a call: for a variable, that of its value.
  Node getArgument(Value value) const {
    return isHandleCell(value.getType()) ? getState(value) : flow.getNode(value);
  }
  /// From here on `cell` may be anything, and its value may be anywhere.
  void forget(Value cell) {
    flow.escaping.push_back(getState(cell));
    state[cell] = kUnknown;
  }
  /// Marks the handles among the operands of `op`.
  void escapeOperands(Operation *op);
  ArrayRef<Value> getAssigned(Operation *op) const {
    auto it = assigned.find(op);
    return it == assigned.end() ? ArrayRef<Value>() : it->second.getArrayRef();
  }

  HandleFlow &flow;
  FuncOp func;
  HandleFlow::SummaryFn summaries;
  /// Node of the value that each variable has now; unset ones are unknown.
  DenseMap<Value, Node> state;
  /// Per operation with regions, the outer variables that are assigned inside.
  DenseMap<Operation *, llvm::SetVector<Value>> assigned;
  /// The source that a call's freshly allocated result is.
  DenseMap<Value, Node> allocated;
};

} // namespace pypto::detail

//===- Nodes ------------------------------------------------------------------===//

HandleFlowBuilder::Node HandleFlowBuilder::makeNode() {
  flow.infos.emplace_back();
  return flow.infos.size() - 1;
}

HandleFlowBuilder::Node HandleFlowBuilder::makeSource(Value value) {
  Node node = makeNode();
  flow.sources.emplace_back(value, node);
  if (auto argument = dyn_cast<BlockArgument>(value))
    flow.infos[node].parameter = argument.getArgNumber();
  return node;
}

HandleFlowBuilder::Node HandleFlowBuilder::makeStep(Node node, bool endsLineage,
                                                    bool changesValidShape) {
  Node step = makeNode();
  flow.infos[step].endsLineage = endsLineage;
  flow.infos[step].changesValidShape = changesValidShape;
  addEdge(node, step);
  return step;
}

void HandleFlowBuilder::escapeOperands(Operation *op) {
  for (Value operand : op->getOperands())
    if (isHandle(operand.getType()) || isHandleCell(operand.getType()))
      flow.escaping.push_back(getArgument(operand));
}

//===- Walk -------------------------------------------------------------------===//

void HandleFlowBuilder::build() {
  makeNode(); // kUnknown
  if (func.isExternal())
    return;
  collectAssignments();
  for (BlockArgument argument : func.getArguments()) {
    if (isHandle(argument.getType()))
      flow.nodes[argument] = makeSource(argument);
    else if (isHandleCell(argument.getType()))
      state[argument] = makeSource(argument);
  }
  visitBlock(func.getBody().front());
}

/// An assignment counts for each operation around it up to the block that makes the variable.
void HandleFlowBuilder::collectAssignments() {
  auto assign = [&](Operation *op, Value cell) {
    if (!isHandleCell(cell.getType()))
      return;
    Operation *owner = cell.getParentBlock()->getParentOp();
    for (Operation *parent = op->getParentOp(); parent != owner; parent = parent->getParentOp())
      if (!assigned[parent].insert(cell))
        return;
  };
  func.walk([&](Operation *op) {
    if (auto set = dyn_cast<SetOp>(op))
      assign(op, set.getCell());
    else if (!isa<GetOp, VarOp>(op))
      for (Value operand : op->getOperands())
        assign(op, operand);
  });
}

void HandleFlowBuilder::visitBlock(Block &block) {
  for (Operation &op : block)
    visitOp(&op);
}

void HandleFlowBuilder::visitOp(Operation *op) {
  if (auto var = dyn_cast<VarOp>(op)) {
    if (isHandleCell(var.getCell().getType()))
      state[var.getCell()] = var.getInit() ? flow.getNode(var.getInit()) : kUnknown;
    return;
  }
  if (auto get = dyn_cast<GetOp>(op)) {
    if (isHandle(get.getValue().getType()))
      flow.nodes[get.getValue()] = getState(get.getCell());
    return;
  }
  if (auto set = dyn_cast<SetOp>(op)) {
    if (isHandleCell(set.getCell().getType()))
      state[set.getCell()] = flow.getNode(set.getValue());
    return;
  }
  if (auto call = dyn_cast<CallOpInterface>(op))
    return visitCall(call);
  if (op->getNumRegions() != 0) {
    bool isStructured = llvm::all_of(
        op->getRegions(), [](Region &region) { return region.empty() || region.hasOneBlock(); });
    auto branch = dyn_cast<RegionBranchOpInterface>(op);
    return branch && isStructured ? visitBranch(branch) : visitOpaque(op);
  }
  visitResults(op);
}

/// True if a merge of branches ends lineage: what a replayed graph binds is fixed when it is
/// recorded.
static bool isGraph(FuncOp func) { return func.getKind() == FuncKind::Graph; }

/// A cast claims that nothing changed; other aliases say what the valid shape is from here on.
static bool changesValidShape(Operation *alias, Type from, Type to) {
  if (isa<CastShapeOp>(alias))
    return false;
  return isa<SetValidShapeOp>(alias) ||
         cast<pl::TensorType>(from).getValid() != cast<pl::TensorType>(to).getValid();
}

void HandleFlowBuilder::visitResults(Operation *op) {
  auto alias = dyn_cast<StorageAliasOpInterface>(op);
  auto view = dyn_cast<ViewLikeOpInterface>(op);
  auto select = dyn_cast<SelectLikeOpInterface>(op);
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  bool isKnown = alias || view || select || effects || op->hasTrait<OpTrait::IsTerminator>();
  for (OpResult result : op->getResults()) {
    if (!isHandle(result.getType()))
      continue;
    if (OpOperand *operand = alias ? alias.getAliasedOperand(result) : nullptr) {
      Node node = flow.getNode(operand->get());
      bool isChanged = changesValidShape(op, operand->get().getType(), result.getType());
      flow.nodes[result] = isChanged ? makeStep(node, false, true) : node;
    } else if (view && view.getViewDest() == result) {
      flow.nodes[result] = makeStep(flow.getNode(view.getViewSource()), true, false);
    } else if (select && select.getTrueValue().getType() == result.getType()) {
      Node merge = makeStep(flow.getNode(select.getTrueValue()), isGraph(func), false);
      addEdge(flow.getNode(select.getFalseValue()), merge);
      flow.nodes[result] = merge;
    } else if (effects && effects.getEffectOnValue<MemoryEffects::Allocate>(result)) {
      flow.nodes[result] = makeSource(result);
    } else {
      isKnown = false;
    }
  }
  if (!isKnown)
    escapeOperands(op);
}

void HandleFlowBuilder::visitCall(CallOpInterface call) {
  ArrayRef<ResultSummary> summary = summaries(call);
  OperandRange arguments = call.getArgOperands();
  auto argumentNode = [&](unsigned index) {
    return index < arguments.size() ? getArgument(arguments[index]) : kUnknown;
  };
  bool isKnown = true;
  for (OpResult result : call->getResults()) {
    if (!isHandle(result.getType()))
      continue;
    unsigned index = result.getResultNumber();
    if (index >= summary.size()) {
      isKnown = false;
      continue;
    }
    const ResultSummary &known = summary[index];
    if (known.lineage) {
      Node node = argumentNode(*known.lineage);
      flow.nodes[result] = known.keepsValidShape ? node : makeStep(node, false, true);
      continue;
    }
    Node node = makeNode();
    flow.infos[node].endsLineage = true;
    for (unsigned parameter : known.parameters)
      addEdge(argumentNode(parameter), node);
    if (known.allocation) {
      Value storage = call->getResult(*known.allocation);
      auto [it, inserted] = allocated.try_emplace(storage);
      if (inserted)
        it->second = makeSource(storage);
      addEdge(it->second, node);
    }
    if (known.mayBeUnknown)
      addEdge(kUnknown, node);
    isKnown &= !known.mayBeUnknown;
    flow.nodes[result] = node;
  }
  if (!isKnown) {
    escapeOperands(call);
    for (OpResult result : call->getResults())
      if (auto it = allocated.find(result); it != allocated.end())
        flow.escaping.push_back(it->second);
  }
  // An `inline` callee may bind the variables that it is given again.
  for (Value operand : call->getOperands())
    if (isHandleCell(operand.getType()))
      forget(operand);
}

//===- Regions ----------------------------------------------------------------===//

namespace pypto::detail {

/// Merges what reaches each region of an operation, and what leaves the operation.
class BranchJoins {
public:
  using Node = HandleFlow::Node;

  BranchJoins(HandleFlowBuilder &builder, RegionBranchOpInterface op)
      : builder(builder), op(op), cells(builder.getAssigned(op)),
        variables(op->getNumRegions() + 1) {
    firstExit = builder.flow.infos.size();
    make(variables.back(), op->getResults());
    lastExit = builder.flow.infos.size();
    for (Region &region : op->getRegions())
      if (!region.empty())
        make(variables[region.getRegionNumber()], region.getArguments());
  }

  /// Edges for the control flow from `point`, with the variables as they are now.
  void connect(RegionBranchPoint point, function_ref<OperandRange(RegionSuccessor)> getOperands) {
    SmallVector<RegionSuccessor> successors;
    op.getSuccessorRegions(point, successors);
    for (RegionSuccessor successor : successors) {
      Region *region = successor.getSuccessor();
      numExits += !region;
      for (auto [input, operand] :
           llvm::zip(successor.getSuccessorInputs(), getOperands(successor)))
        if (isHandle(input.getType()))
          addEdge(builder.flow.getNode(operand), builder.flow.getNode(input));
      connectVariables(region ? variables[region->getRegionNumber()] : variables.back());
    }
  }
  void connectExitVariables() { connectVariables(variables.back()); }

  /// Variables from here on are those that reach `region`, or that leave the operation if it is
  /// null.
  void enter(Region *region) {
    ArrayRef<Node> nodes = region ? variables[region->getRegionNumber()] : variables.back();
    for (auto [cell, node] : llvm::zip_equal(cells, nodes))
      builder.state[cell] = node;
  }

  void leaveUnknown() {
    for (Node exit = firstExit; exit != lastExit; ++exit)
      addEdge(HandleFlow::kUnknown, exit);
  }

  /// Ends lineage at what leaves the operation, if several branches do. For use once all is
  /// connected.
  void refuseMerges() {
    if (numExits > 1 && !op.hasLoop())
      for (Node exit = firstExit; exit != lastExit; ++exit)
        builder.flow.infos[exit].endsLineage = true;
  }

  /// Joins that nothing reaches are made by the operation itself.
  void close() {
    for (Node node = firstExit, e = firstExit + isReached.size(); node != e; ++node)
      if (!isReached[node - firstExit])
        builder.addEdge(HandleFlow::kUnknown, node);
  }

private:
  void make(SmallVectorImpl<Node> &nodes, ValueRange values) {
    for (Value value : values)
      if (isHandle(value.getType()))
        builder.flow.nodes[value] = makeJoin();
    for (size_t i = 0; i != cells.size(); ++i)
      nodes.push_back(makeJoin());
  }
  Node makeJoin() {
    isReached.push_back(false);
    return builder.makeNode();
  }
  void connectVariables(ArrayRef<Node> nodes) {
    for (auto [cell, node] : llvm::zip_equal(cells, nodes))
      addEdge(builder.getState(cell), node);
  }
  void addEdge(Node from, Node join) {
    isReached[join - firstExit] = true;
    builder.addEdge(from, join);
  }

  HandleFlowBuilder &builder;
  RegionBranchOpInterface op;
  /// Outer variables that are assigned inside.
  ArrayRef<Value> cells;
  /// Nodes of `cells` per region, and last those of what leaves the operation.
  SmallVector<SmallVector<Node>> variables;
  /// The joins are numbered in a row; those of what leaves the operation are the first.
  Node firstExit, lastExit;
  SmallVector<bool> isReached;
  unsigned numExits = 0;
};

} // namespace pypto::detail

void HandleFlowBuilder::visitBranch(RegionBranchOpInterface op) {
  BranchJoins joins(*this, op);
  joins.connect(RegionBranchPoint::parent(),
                [&](RegionSuccessor successor) { return op.getEntrySuccessorOperands(successor); });
  // Blocks of a launch leave a variable with the storage that it had.
  if (isa<SpmdOp, SplitAivOp>(op))
    joins.connectExitVariables();
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    joins.enter(&region);
    visitBlock(region.front());
    Operation *last = region.front().empty() ? nullptr : &region.front().back();
    if (auto terminator = dyn_cast_or_null<RegionBranchTerminatorOpInterface>(last))
      joins.connect(RegionBranchPoint(terminator), [&](RegionSuccessor successor) {
        return terminator.getSuccessorOperands(successor);
      });
    else { // Leaves in a way that is not known.
      joins.leaveUnknown();
      if (last)
        escapeOperands(last);
    }
  }
  joins.enter(nullptr);
  joins.close();
  if (isGraph(func))
    joins.refuseMerges();
}

/// Regions whose control flow is not known: inside and after, variables that they assign may be
/// anything, as may what they take and yield.
void HandleFlowBuilder::visitOpaque(Operation *op) {
  escapeOperands(op);
  if (op->hasTrait<OpTrait::IsIsolatedFromAbove>())
    return;
  ArrayRef<Value> cells = getAssigned(op);
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      for (Value cell : cells)
        forget(cell);
      visitBlock(block);
      if (!block.empty())
        escapeOperands(&block.back());
    }
  // Blocks may run in another order than they stand in: then a use was looked at before its
  // definition.
  op->walk([&](Operation *inner) {
    for (Value result : inner->getResults())
      if (isHandle(result.getType()))
        flow.escaping.push_back(flow.getNode(result));
  });
  for (Value cell : cells)
    forget(cell);
}

HandleFlow::HandleFlow(FuncOp func, SummaryFn summaries) {
  HandleFlowBuilder(*this, func, summaries).build();
}
