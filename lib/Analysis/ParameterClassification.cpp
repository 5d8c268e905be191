// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which parameters of an inline function are the caller's cells.
#include "pypto/Analysis/ParameterClassification.h"

#include "pypto/Dialect/Tile/IR/TileOps.h"
#include "pypto/Interfaces/AliasInterfaces.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace pypto;

namespace {
/// Where the storage of a value, or of everything a cell is ever bound to, comes from: nothing yet,
/// one parameter, or more than that is known to be one parameter.
class Origin {
public:
  static Origin parameter(unsigned index) { return Origin(static_cast<int64_t>(index)); }
  static Origin unknown() { return Origin(kUnknown); }
  Origin() = default;

  bool isNone() const { return state == kNone; }
  std::optional<unsigned> getParameter() const {
    return state < 0 ? std::nullopt : std::optional<unsigned>(state);
  }
  /// Joins; true if this changed.
  bool join(Origin other) {
    if (other.isNone() || other.state == state)
      return false;
    int64_t joined = isNone() ? other.state : kUnknown;
    bool changed = joined != state;
    state = joined;
    return changed;
  }

private:
  static constexpr int64_t kNone = -1, kUnknown = -2;
  explicit Origin(int64_t state) : state(state) {}
  int64_t state = kNone;
};

/// Positions in program order, and the loops around them.
struct Loop {
  unsigned begin;
  /// One past the last position inside; known when the loop has been left.
  unsigned end;
};

/// The storage that flows between the values and cells of one body, as a graph whose edges are
/// copies. Origins go along the edges until nothing changes; each changes twice at most.
class StorageFlow {
public:
  StorageFlow(pl::FuncOp func, SummaryLookup lookup) : func(func), lookup(lookup) {}

  void run() {
    for (BlockArgument argument : func.getArguments())
      addOrigin(argument, Origin::parameter(argument.getArgNumber()));
    visitBlock(func.getBody().front());
    addReads();
    propagate();
  }
  Origin getOrigin(Value value) const { return nodes.lookup(value).origin; }

private:
  struct Node {
    Origin origin;
    SmallVector<Value, 2> copies;
  };
  /// A value read from a cell, and the outermost loop around that is inside the life of the cell.
  struct Read {
    Value cell, value;
    unsigned position;
    std::optional<unsigned> loop;
  };
  struct Cell {
    /// When it was made.
    unsigned position;
    /// When it is bound; ascending.
    SmallVector<unsigned, 2> sets;
  };

  static bool carriesStorage(Type type) { return isa<pl::ExtentTypeInterface>(type); }
  static bool isCellOfStorage(Value cell) {
    auto type = dyn_cast<pl::VarType>(cell.getType());
    return type && carriesStorage(type.getValueType());
  }

  void addOrigin(Value value, Origin origin) {
    if (nodes[value].origin.join(origin))
      worklist.push_back(value);
  }
  void addCopy(Value from, Value to) {
    nodes[from].copies.push_back(to);
    addOrigin(to, nodes[from].origin);
  }

  void visitBlock(Block &block) {
    for (Operation &op : block) {
      unsigned position = now++;
      visitOp(&op, position);
      if (op.getNumRegions() == 0)
        continue;
      bool isLoop = mayRepeat(&op);
      if (isLoop) {
        openLoops.push_back(loops.size());
        loops.push_back({position, 0});
      }
      for (Region &region : op.getRegions())
        for (Block &inner : region) {
          for (BlockArgument argument : inner.getArguments())
            addOrigin(argument, Origin::unknown());
          visitBlock(inner);
        }
      if (isLoop)
        loops[openLoops.pop_back_val()].end = now;
    }
  }

  void visitOp(Operation *op, unsigned position) {
    if (auto var = dyn_cast<pl::VarOp>(op)) {
      cells[var.getCell()].position = position;
      if (var.getInit() && carriesStorage(var.getValueType()))
        addCopy(var.getInit(), var.getCell());
    } else if (auto set = dyn_cast<pl::SetOp>(op)) {
      if (!isCellOfStorage(set.getCell()))
        return;
      cells[set.getCell()].sets.push_back(position);
      addCopy(set.getValue(), set.getCell());
    } else if (auto get = dyn_cast<pl::GetOp>(op)) {
      if (carriesStorage(get.getValue().getType()))
        addRead(get.getCell(), get.getValue(), position);
    } else {
      for (OpResult result : op->getResults())
        if (carriesStorage(result.getType()))
          visitResult(op, result, position);
      if (!bindsKnownCells(op))
        for (Value operand : op->getOperands())
          if (isCellOfStorage(operand))
            addOrigin(operand, Origin::unknown());
    }
  }

  void visitResult(Operation *op, OpResult result, unsigned position) {
    Value source = getSameStorage(op, result);
    if (!source)
      addOrigin(result, Origin::unknown());
    else if (isa<pl::VarType>(source.getType()))
      addRead(source, result, position);
    else
      addCopy(source, result);
  }

  void addRead(Value cell, Value value, unsigned position) {
    reads.push_back({cell, value, position, findLoop(cell)});
  }

  /// A dump mark binds nothing; an inline function binds the tensors and tiles in its caller's
  /// cells to what they are already.
  bool bindsKnownCells(Operation *op) {
    if (auto call = dyn_cast<pl::CallOp>(op))
      return lookup(call) != nullptr;
    return op->getNumRegions() != 0;
  }

  /// The operand whose storage or place `result` is, or null.
  Value getSameStorage(Operation *op, OpResult result) {
    OpOperand *operand = nullptr;
    if (auto alias = dyn_cast<StorageAliasOpInterface>(op))
      operand = alias.getAliasedOperand(result);
    else if (auto tied = dyn_cast<TiedOperandOpInterface>(op))
      operand = tied.getTiedOperand(result);
    else if (auto cast = dyn_cast<tile::CastValidOp>(op))
      operand = &cast.getSourceMutable();
    if (operand)
      return operand->get();
    auto call = dyn_cast<pl::CallOp>(op);
    const InlineSummary *summary = call ? lookup(call) : nullptr;
    if (!summary || result.getResultNumber() >= summary->returned.size())
      return {};
    std::optional<unsigned> parameter = summary->returned[result.getResultNumber()];
    return parameter && *parameter < call.getNumOperands() ? call.getOperands()[*parameter]
                                                           : Value();
  }

  /// Loops, launches, and regions of which nothing is known.
  static bool mayRepeat(Operation *op) {
    if (llvm::any_of(op->getRegions(),
                     [](Region &region) { return region.getBlocks().size() > 1; }))
      return true;
    auto branch = dyn_cast<RegionBranchOpInterface>(op);
    return !branch || isa<pl::SpmdOp>(op) || branch.hasLoop();
  }

  /// The outermost open loop that began after `cell` was made.
  std::optional<unsigned> findLoop(Value cell) {
    auto it = cells.find(cell);
    if (!cell.getDefiningOp<pl::VarOp>() || it == cells.end())
      return std::nullopt;
    unsigned position = it->second.position;
    const auto *loop = llvm::partition_point(
        openLoops, [&](unsigned index) { return loops[index].begin < position; });
    return loop == openLoops.end() ? std::nullopt : std::optional<unsigned>(*loop);
  }

  /// A read of a local cell that a later statement of the same loop binds may see what came around
  /// the loop: it proves nothing. A parameter itself is what is asked for, so it may come around.
  bool comesAround(const Read &read) {
    if (!read.loop)
      return false;
    ArrayRef<unsigned> sets = cells[read.cell].sets;
    const unsigned *next = llvm::upper_bound(sets, read.position);
    return next != sets.end() && *next < loops[*read.loop].end;
  }

  void addReads() {
    for (const Read &read : reads) {
      if (comesAround(read))
        addOrigin(read.value, Origin::unknown());
      else
        addCopy(read.cell, read.value);
    }
  }

  void propagate() {
    while (!worklist.empty()) {
      Value value = worklist.pop_back_val();
      const Node &node = nodes[value];
      for (Value copy : node.copies)
        if (nodes.find(copy)->second.origin.join(node.origin))
          worklist.push_back(copy);
    }
  }

  pl::FuncOp func;
  SummaryLookup lookup;
  llvm::DenseMap<Value, Node> nodes;
  llvm::DenseMap<Value, Cell> cells;
  SmallVector<Read> reads;
  SmallVector<Loop> loops;
  /// Indices into `loops`; outermost first.
  SmallVector<unsigned> openLoops;
  SmallVector<Value> worklist;
  unsigned now = 0;
};
} // namespace

static ParameterBinding classify(pl::FuncOp func, BlockArgument argument, const StorageFlow &flow) {
  auto cell = dyn_cast<pl::VarType>(argument.getType());
  if (!cell)
    return ParameterBinding::Argument;
  unsigned index = argument.getArgNumber();
  Type type = cell.getValueType();
  bool isCallers = false;
  if (isa<pl::ArrayType>(type))
    isCallers = true;
  else if (isa<pl::ExtentTypeInterface>(type))
    isCallers = flow.getOrigin(argument).getParameter() == index;
  else
    isCallers = func.getDirection(index) != pl::Direction::In;
  return isCallers ? ParameterBinding::CallerCell : ParameterBinding::LocalCell;
}

InlineSummary pypto::classifyParameters(pl::FuncOp func, SummaryLookup lookup) {
  StorageFlow flow(func, lookup);
  flow.run();
  InlineSummary summary;
  for (BlockArgument argument : func.getArguments())
    summary.parameters.push_back(classify(func, argument, flow));
  if (pl::ReturnOp op = func.getReturnOp())
    for (Value value : op.getValues())
      summary.returned.push_back(isa<pl::ExtentTypeInterface>(value.getType())
                                     ? flow.getOrigin(value).getParameter()
                                     : std::nullopt);
  return summary;
}
