// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CellPromotion.h"

#include "pypto/Dialect/Tile/IR/TileOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::pl::detail;

//===- Types and names
//--------------------------------------------------------------------------===//

/// `value` under type `type`; null if the types are not compatible.
static Value castTo(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (!areCompatible(value.getType(), type))
    return {};
  // There and back again is the handle from before.
  if (auto cast = value.getDefiningOp<CastShapeOp>(); cast && cast.getSource().getType() == type)
    return cast.getSource();
  if (auto cast = value.getDefiningOp<tile::CastValidOp>();
      cast && cast.getSource().getType() == type)
    return cast.getSource();
  if (isa<pl::TensorType>(type))
    return CastShapeOp::create(builder, loc, type, value);
  return tile::CastValidOp::create(builder, loc, type, value);
}

/// `type` without the names that end with a block.
static Type escapeSymbols(Type type, ArrayRef<StringAttr> names) {
  if (names.empty() || !hasSymbols(type))
    return type;
  return substituteSymbols(type, [&](StringAttr name) {
    return llvm::is_contained(names, name) ? ExtentAttr::getDynamic(name.getContext())
                                           : ExtentAttr();
  });
}

static Location getNamedLoc(StringAttr name, Location loc) {
  return isa<NameLoc>(loc) ? loc : NameLoc::get(name, loc);
}

/// Gives the variable's name to a value that was computed for it.
static void nameValue(Value value, VarOp var, Block *block) {
  Operation *op = value.getDefiningOp();
  if (op && op->getNumResults() == 1 && op->getBlock() == block &&
      !op->hasTrait<OpTrait::ConstantLike>())
    op->setLoc(getNamedLoc(var.getNameAttr(), op->getLoc()));
}

/// Replaces `op` by one that has more operands and results, and takes over its regions.
static Operation *rebuild(Operation *op, ValueRange moreOperands, TypeRange moreResults) {
  SmallVector<Value> operands(op->getOperands());
  llvm::append_range(operands, moreOperands);
  SmallVector<Type> types(op->getResultTypes());
  llvm::append_range(types, moreResults);
  Operation *result = Operation::create(
      op->getLoc(), op->getName(), types, operands, op->getDiscardableAttrDictionary(),
      op->getPropertiesStorage(), BlockRange(), op->getNumRegions());
  op->getBlock()->getOperations().insert(op->getIterator(), result);
  for (auto [to, from] : llvm::zip_equal(result->getRegions(), op->getRegions()))
    to.takeBody(from);
  op->replaceAllUsesWith(result->getResults().take_front(op->getNumResults()));
  op->erase();
  return result;
}

//===- The walk
//-----------------------------------------------------------------------------------===//

namespace {
/// What a variable is at a point of the walk.
struct Binding {
  /// Null while the variable may be unset.
  Value value;
  /// Where it was bound last; for messages.
  std::optional<Location> setter;
};

class CellPromotion {
public:
  CellPromotion(const CellAnalysis &analysis, SmallVectorImpl<LaunchBinding> &launchBindings)
      : analysis(analysis), launchBindings(launchBindings), env(analysis.getVariables().size()) {}

  /// Returns the names that are bound in `block`.
  SmallVector<StringAttr, 1> visitBlock(Block &block);
  bool hasSucceeded() const { return succeeded; }

private:
  void visitVar(VarOp var);
  void visitGet(GetOp get);
  void visitSet(SetOp set);
  void visitCaptures(Operation &op);
  void visitRegionOp(Operation &op, const OpCells &cells);
  void visitScope(Operation &op, const OpCells &cells);
  void visitBranch(Operation &op, const OpCells &cells);
  void visitFor(scf::ForOp loop, const OpCells &cells);
  void visitWhile(scf::WhileOp loop, const OpCells &cells);
  void visitLaunch(Operation &op, const OpCells &cells);

  VarOp getVar(CellId cell) const { return analysis.getVariables()[cell]; }
  void bind(CellId cell, Binding binding) {
    log.emplace_back(cell, std::move(env[cell]));
    env[cell] = std::move(binding);
  }
  /// Forgets the bindings since `mark`.
  void restore(size_t mark) {
    while (log.size() != mark) {
      auto [cell, binding] = log.pop_back_val();
      env[cell] = std::move(binding);
    }
  }
  SmallVector<Binding> getBindings(ArrayRef<CellId> cells) const {
    return llvm::map_to_vector(cells, [&](CellId cell) { return env[cell]; });
  }
  /// The variables among `cells` that have a value; each gets an argument of `block` instead.
  /// Appends the values from before.
  SmallVector<CellId> enterWithArguments(ArrayRef<CellId> cells, Block &block,
                                         SmallVectorImpl<Value> &values);
  /// Appends the values that `cells` have at `terminator` to its operands, under `types`; error at
  /// the binding of one that does not fit.
  void yieldCarried(ArrayRef<CellId> cells, ValueRange inits, Operation *loop,
                    Operation *terminator);
  /// Binds `cells` to the last results of `op`, or to nothing where `ends` has no value.
  void bindResults(ArrayRef<CellId> cells, ArrayRef<Binding> ends, Operation *op);
  Type joinEnds(CellId cell, ArrayRef<Type> types);
  InFlightDiagnostic emitUnset(Operation *op, CellId cell);

  const CellAnalysis &analysis;
  SmallVectorImpl<LaunchBinding> &launchBindings;
  std::vector<Binding> env;
  SmallVector<std::pair<CellId, Binding>> log;
  bool succeeded = true;
};
} // namespace

SmallVector<StringAttr, 1> CellPromotion::visitBlock(Block &block) {
  SmallVector<StringAttr, 1> names;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    llvm::TypeSwitch<Operation *>(&op)
        .Case([&](VarOp var) { visitVar(var); })
        .Case([&](GetOp get) { visitGet(get); })
        .Case([&](SetOp set) { visitSet(set); })
        .Case([&](SymbolOp symbol) { names.push_back(symbol.getSymAttr().getAttr()); })
        .Default([&](Operation *) {
          if (op.getNumRegions() == 0)
            return;
          if (const OpCells *cells = analysis.getCells(&op))
            visitRegionOp(op, *cells);
        });
  }
  return names;
}

InFlightDiagnostic CellPromotion::emitUnset(Operation *op, CellId cell) {
  succeeded = false;
  InFlightDiagnostic diag = op->emitError() << "variable '" << getVar(cell).getName()
                                            << "' may be read before it is set";
  diag.attachNote(getVar(cell).getLoc()) << "declared here";
  return diag;
}

void CellPromotion::visitVar(VarOp var) {
  if (var.getInit())
    nameValue(var.getInit(), var, var->getBlock());
  bind(analysis.getId(var.getCell()), {var.getInit(), var.getLoc()});
}

void CellPromotion::visitGet(GetOp get) {
  CellId cell = analysis.getId(get.getCell());
  const Binding &binding = env[cell];
  if (!binding.value) {
    emitUnset(get, cell);
    return;
  }
  OpBuilder builder(get);
  Value value = castTo(builder, get.getLoc(), binding.value, get.getType());
  if (!value) {
    succeeded = false;
    InFlightDiagnostic diag = get.emitError()
                              << "expects a type compatible with " << binding.value.getType()
                              << ", which variable '" << getVar(cell).getName()
                              << "' has here, but got " << get.getType();
    if (binding.setter)
      diag.attachNote(*binding.setter) << "bound here";
    return;
  }
  get.replaceAllUsesWith(value);
  get.erase();
}

void CellPromotion::visitSet(SetOp set) {
  CellId cell = analysis.getId(set.getCell());
  nameValue(set.getValue(), getVar(cell), set->getBlock());
  bind(cell, {set.getValue(), set.getLoc()});
  set.erase();
}

void CellPromotion::visitCaptures(Operation &op) {
  for (OpOperand &operand : op.getOpOperands()) {
    if (!isa<VarType>(operand.get().getType()))
      continue;
    CellId cell = analysis.getId(operand.get());
    if (env[cell].value)
      operand.set(env[cell].value);
    else
      emitUnset(&op, cell);
  }
}

void CellPromotion::visitRegionOp(Operation &op, const OpCells &cells) {
  visitCaptures(op);
  switch (getRegionExecution(&op)) {
  case RegionExecution::Scope:
    return visitScope(op, cells);
  case RegionExecution::Branch:
    return visitBranch(op, cells);
  case RegionExecution::For:
    return visitFor(cast<scf::ForOp>(op), cells);
  case RegionExecution::While:
    return visitWhile(cast<scf::WhileOp>(op), cells);
  case RegionExecution::Launch:
    return visitLaunch(op, cells);
  case RegionExecution::Opaque:
    for (Region &region : op.getRegions()) {
      size_t mark = log.size();
      if (region.hasOneBlock())
        visitBlock(region.front());
      restore(mark);
    }
    return;
  }
}

void CellPromotion::bindResults(ArrayRef<CellId> cells, ArrayRef<Binding> ends, Operation *op) {
  unsigned next =
      op->getNumResults() - llvm::count_if(ends, [](const Binding &end) { return !!end.value; });
  // A single result can have a name.
  bool isNamed = next == 0 && op->getNumResults() == 1;
  for (auto [cell, end] : llvm::zip_equal(cells, ends)) {
    if (isNamed && end.value)
      op->setLoc(getNamedLoc(getVar(cell).getNameAttr(), op->getLoc()));
    bind(cell, {end.value ? Value(op->getResult(next++)) : Value(), end.setter});
  }
}

//===- Scopes and branches
//------------------------------------------------------------------------===//

void CellPromotion::visitScope(Operation &op, const OpCells &cells) {
  Block &body = op.getRegion(0).front();
  size_t mark = log.size();
  SmallVector<StringAttr, 1> names = visitBlock(body);
  SmallVector<Binding> ends = getBindings(cells.results);
  restore(mark);
  Operation *terminator = body.getTerminator();
  OpBuilder builder(terminator);
  SmallVector<Value> yields;
  for (const Binding &end : ends)
    if (end.value)
      yields.push_back(castTo(builder, terminator->getLoc(), end.value,
                              escapeSymbols(end.value.getType(), names)));
  terminator->insertOperands(terminator->getNumOperands(), yields);
  bindResults(cells.results, ends,
              yields.empty() ? &op : rebuild(&op, {}, ValueRange(yields).getTypes()));
}

Type CellPromotion::joinEnds(CellId cell, ArrayRef<Type> types) {
  Type join = types.front();
  for (Type type : types.drop_front())
    join = join ? joinTypes(join, type) : Type();
  // Every binding is compatible with the variable's own type.
  return join ? join : getVar(cell).getValueType();
}

/// The region's terminator; makes the block of an absent `else`.
static Operation *getBranchTerminator(Operation &op, Region &region) {
  OpBuilder builder(op.getContext());
  if (region.empty())
    scf::IfOp::ensureTerminator(region, builder, op.getLoc());
  return region.front().getTerminator();
}

void CellPromotion::visitBranch(Operation &op, const OpCells &cells) {
  SmallVector<Binding> entries = getBindings(cells.results);
  SmallVector<SmallVector<Binding>> ends;
  SmallVector<SmallVector<StringAttr, 1>> names;
  for (Region &region : op.getRegions()) {
    size_t mark = log.size();
    names.push_back(region.empty() ? SmallVector<StringAttr, 1>() : visitBlock(region.front()));
    ends.push_back(getBindings(cells.results));
    restore(mark);
  }
  // One binding for all branches; none if one branch has none.
  SmallVector<Binding> merged;
  SmallVector<Type> mergedTypes;
  for (auto [index, cell] : llvm::enumerate(cells.results)) {
    Binding binding = entries[index];
    SmallVector<Type> types;
    for (auto [branch, branchNames] : llvm::zip_equal(ends, names)) {
      if (branch[index].setter != entries[index].setter)
        binding.setter = branch[index].setter;
      if (branch[index].value)
        types.push_back(escapeSymbols(branch[index].value.getType(), branchNames));
    }
    bool isSet = types.size() == ends.size();
    if (isSet)
      mergedTypes.push_back(joinEnds(cell, types));
    binding.value = isSet ? ends.front()[index].value : Value();
    merged.push_back(binding);
  }
  if (mergedTypes.empty())
    return bindResults(cells.results, merged, &op);
  for (auto [region, branch] : llvm::zip_equal(op.getRegions(), ends)) {
    Operation *terminator = getBranchTerminator(op, region);
    OpBuilder builder(terminator);
    SmallVector<Value> yields;
    for (auto [end, binding] : llvm::zip_equal(branch, merged))
      if (binding.value)
        yields.push_back(
            castTo(builder, terminator->getLoc(), end.value, mergedTypes[yields.size()]));
    terminator->insertOperands(terminator->getNumOperands(), yields);
  }
  bindResults(cells.results, merged, rebuild(&op, {}, mergedTypes));
}

//===- Loops
//----------------------------------------------------------------------------------------===//

SmallVector<CellId> CellPromotion::enterWithArguments(ArrayRef<CellId> cells, Block &block,
                                                      SmallVectorImpl<Value> &values) {
  SmallVector<CellId> entered;
  for (CellId cell : cells) {
    Value value = env[cell].value;
    if (!value)
      continue;
    entered.push_back(cell);
    values.push_back(value);
    VarOp var = getVar(cell);
    bind(cell, {block.addArgument(value.getType(), getNamedLoc(var.getNameAttr(), var.getLoc())),
                env[cell].setter});
  }
  return entered;
}

void CellPromotion::yieldCarried(ArrayRef<CellId> cells, ValueRange inits, Operation *loop,
                                 Operation *terminator) {
  OpBuilder builder(terminator);
  SmallVector<Value> yields;
  for (auto [cell, init] : llvm::zip_equal(cells, inits)) {
    const Binding &end = env[cell];
    Value yield = castTo(builder, terminator->getLoc(), end.value, init.getType());
    if (!yield) {
      succeeded = false;
      InFlightDiagnostic diag = mlir::emitError(*end.setter)
                                << "expects a type compatible with " << init.getType()
                                << ", which variable '" << getVar(cell).getName()
                                << "' has when the loop begins, but got " << end.value.getType();
      diag.attachNote(loop->getLoc()) << "in this loop";
      yield = init;
    }
    yields.push_back(yield);
  }
  terminator->insertOperands(terminator->getNumOperands(), yields);
}

void CellPromotion::visitFor(scf::ForOp loop, const OpCells &cells) {
  Block &body = *loop.getBody();
  size_t mark = log.size();
  SmallVector<Value> inits;
  SmallVector<CellId> carried = enterWithArguments(cells.results, body, inits);
  visitBlock(body);
  yieldCarried(carried, inits, loop, body.getTerminator());
  SmallVector<Binding> ends = getBindings(carried);
  // What is unset before the loop may still be so behind it.
  restore(mark);
  if (!carried.empty())
    bindResults(carried, ends, rebuild(loop, inits, ValueRange(inits).getTypes()));
}

void CellPromotion::visitWhile(scf::WhileOp loop, const OpCells &cells) {
  Block &before = *loop.getBeforeBody(), &after = *loop.getAfterBody();
  size_t mark = log.size();
  SmallVector<Value> inits;
  SmallVector<CellId> entered = enterWithArguments(cells.entries, before, inits);
  SmallVector<StringAttr, 1> names = visitBlock(before);

  // The results of the loop are what `before` ends with, and so are the arguments of `after`.
  SmallVector<Binding> ends = getBindings(cells.results);
  restore(mark);
  Operation *condition = before.getTerminator();
  OpBuilder builder(condition);
  SmallVector<Value> forwarded;
  for (auto [cell, end] : llvm::zip_equal(cells.results, ends)) {
    Value argument;
    if (end.value) {
      Type type = escapeSymbols(end.value.getType(), names);
      forwarded.push_back(castTo(builder, condition->getLoc(), end.value, type));
      argument =
          after.addArgument(type, getNamedLoc(getVar(cell).getNameAttr(), getVar(cell).getLoc()));
    }
    bind(cell, {argument, end.setter});
  }
  condition->insertOperands(condition->getNumOperands(), forwarded);
  visitBlock(after);
  yieldCarried(entered, inits, loop, after.getTerminator());
  restore(mark);
  bool isSame = inits.empty() && forwarded.empty();
  bindResults(cells.results, ends,
              isSame ? loop : rebuild(loop, inits, ValueRange(forwarded).getTypes()));
}

//===- Launches
//---------------------------------------------------------------------------------------===//

void CellPromotion::visitLaunch(Operation &op, const OpCells &cells) {
  size_t mark = log.size();
  SmallVector<Binding> entries = getBindings(cells.results);
  visitBlock(op.getRegion(0).front());
  for (auto [cell, entry] : llvm::zip_equal(cells.results, entries)) {
    const Binding &end = env[cell];
    if (entry.value && end.value != entry.value)
      launchBindings.push_back({getVar(cell), &op, *end.setter, entry.value, end.value});
  }
  restore(mark);
}

LogicalResult pl::detail::promoteCells(Operation *root, const CellAnalysis &analysis,
                                       SmallVectorImpl<LaunchBinding> &launchBindings) {
  CellPromotion promotion(analysis, launchBindings);
  for (Region &region : root->getRegions())
    if (region.hasOneBlock())
      promotion.visitBlock(region.front());
  return success(promotion.hasSucceeded());
}
