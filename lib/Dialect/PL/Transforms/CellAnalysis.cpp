// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CellAnalysis.h"

#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::pl::detail;

RegionExecution pl::detail::getRegionExecution(Operation *op) {
  return llvm::TypeSwitch<Operation *, RegionExecution>(op)
      .Case<AtOp, ClusterOp, GraphOp, orchestration::ScopeOp, scf::ExecuteRegionOp>(
          [](auto) { return RegionExecution::Scope; })
      .Case<scf::IfOp, scf::IndexSwitchOp>([](auto) { return RegionExecution::Branch; })
      .Case([](scf::ForOp) { return RegionExecution::For; })
      .Case([](scf::WhileOp) { return RegionExecution::While; })
      .Case<SpmdOp, SplitAivOp>([](auto) { return RegionExecution::Launch; })
      .Default(RegionExecution::Opaque);
}

static bool isAccess(Operation *op) { return isa<VarOp, GetOp, SetOp>(op); }

//===- Uses that cannot be promoted -----------------------------------------------------------===//

/// A scope may have a variable among its dump marks.
static bool isScopeCapture(Operation *op) {
  return isa<AtOp, ClusterOp, GraphOp, SpmdOp, orchestration::ScopeOp>(op);
}

static LogicalResult checkUser(VarOp var, Operation *user) {
  if (isa<GetOp, SetOp>(user) || isScopeCapture(user))
    return success();
  if (auto call = dyn_cast<CallOpInterface>(user)) {
    InFlightDiagnostic diag = user->emitError()
                              << "variable '" << var.getName() << "' is passed to a call";
    diag.attachNote()
        << "run --inline-functions before: only calls of inline functions take variables";
    return diag;
  }
  InFlightDiagnostic diag =
      user->emitError()
      << "expects a variable as an operand of 'pl.get', 'pl.set', calls and scopes only, "
         "but got '"
      << var.getName() << "' in '" << user->getName() << "'";
  diag.attachNote(var.getLoc()) << "declared here";
  return diag;
}

//===- Summaries
//--------------------------------------------------------------------------------===//

namespace {
/// What happened to a variable so far in a block.
struct Accesses {
  bool read = false, set = false, killed = false;
};
using BlockAccesses = llvm::SmallMapVector<CellId, Accesses, 8>;
} // namespace

namespace pypto::pl::detail {
/// Bottom up: numbers the variables and summarises each region that accesses one.
class CellSummaries {
public:
  explicit CellSummaries(CellAnalysis &analysis) : analysis(analysis) {}

  LogicalResult visitRoot(Operation *root) {
    for (Region &region : root->getRegions())
      visitRegion(region);
    return success(succeeded);
  }

private:
  struct RegionResult {
    CellSummary summary;
    bool hasAccess = false;
  };

  RegionResult visitRegion(Region &region);
  void visitAccess(Operation &op, BlockAccesses &accesses);
  /// True if there is an access inside.
  bool visitRegionOp(Operation &op, BlockAccesses &accesses);
  CellSummary combine(Operation &op, ArrayRef<CellSummary> regions);
  void rejectSets(Operation &op, const CellSummary &summary);
  void apply(const CellSummary &summary, BlockAccesses &accesses);
  /// The number of the variable that `cell` is; reports a cell that no `pl.var` made.
  std::optional<CellId> getCell(Operation &op, Value cell);

  CellAnalysis &analysis;
  bool succeeded = true;
};
} // namespace pypto::pl::detail

std::optional<CellId> CellSummaries::getCell(Operation &op, Value cell) {
  auto it = analysis.ids.find(cell);
  if (it != analysis.ids.end())
    return it->second;
  op.emitError("expects a variable that 'pl.var' made");
  succeeded = false;
  return std::nullopt;
}

void CellSummaries::visitAccess(Operation &op, BlockAccesses &accesses) {
  if (auto var = dyn_cast<VarOp>(op)) {
    analysis.ids[var.getCell()] = analysis.variables.size();
    analysis.variables.push_back(var);
    for (Operation *user : var.getCell().getUsers())
      succeeded &= mlir::succeeded(checkUser(var, user));
    return;
  }
  std::optional<CellId> cell = getCell(op, op.getOperand(0));
  if (!cell)
    return;
  Accesses &access = accesses[*cell];
  if (isa<GetOp>(op))
    access.read |= !access.killed;
  else
    access.set = access.killed = true;
}

void CellSummaries::apply(const CellSummary &summary, BlockAccesses &accesses) {
  for (CellId cell : summary.reads) {
    Accesses &access = accesses[cell];
    access.read |= !access.killed;
  }
  for (CellId cell : summary.sets)
    accesses[cell].set = true;
  for (CellId cell : summary.kills)
    accesses[cell].killed = true;
}

CellSummaries::RegionResult CellSummaries::visitRegion(Region &region) {
  RegionResult result;
  if (region.empty())
    return result;
  if (!region.hasOneBlock()) {
    region.walk([&](Operation *op) {
      if (!isAccess(op))
        return WalkResult::advance();
      op->emitError("expects variables in regions of one block only");
      succeeded = false;
      return WalkResult::interrupt();
    });
    return result;
  }
  Block &block = region.front();
  BlockAccesses accesses;
  for (Operation &op : block) {
    if (isAccess(&op)) {
      visitAccess(op, accesses);
      result.hasAccess = true;
    } else if (op.getNumRegions() != 0) {
      result.hasAccess |= visitRegionOp(op, accesses);
    }
  }
  for (auto &[cell, access] : accesses) {
    if (analysis.variables[cell]->getBlock() == &block)
      continue;
    if (access.read)
      result.summary.reads.push_back(cell);
    if (access.set)
      result.summary.sets.push_back(cell);
    if (access.killed)
      result.summary.kills.push_back(cell);
  }
  return result;
}

bool CellSummaries::visitRegionOp(Operation &op, BlockAccesses &accesses) {
  auto cells = std::make_unique<OpCells>();
  bool hasAccess = false;
  for (Region &region : op.getRegions()) {
    RegionResult result = visitRegion(region);
    hasAccess |= result.hasAccess;
    cells->regions.push_back(std::move(result.summary));
  }
  CellSummary captures;
  for (Value operand : op.getOperands())
    if (isa<VarType>(operand.getType()) && isScopeCapture(&op))
      if (std::optional<CellId> cell = getCell(op, operand))
        captures.reads.push_back(*cell);
  hasAccess |= !captures.reads.empty();
  if (!hasAccess)
    return false;
  cells->total = combine(op, cells->regions);
  apply(captures, accesses);
  apply(cells->total, accesses);
  captures.reads.append(cells->total.reads);
  cells->total.reads = std::move(captures.reads);
  analysis.cells[&op] = std::move(cells);
  return true;
}

/// Appends what is not there yet.
static void unite(SmallVectorImpl<CellId> &to, DenseSet<CellId> &known, ArrayRef<CellId> from) {
  for (CellId cell : from)
    if (known.insert(cell).second)
      to.push_back(cell);
}

static SmallVector<CellId> subtract(ArrayRef<CellId> from, ArrayRef<CellId> cells) {
  DenseSet<CellId> known(cells.begin(), cells.end());
  SmallVector<CellId> result;
  llvm::copy_if(from, std::back_inserter(result),
                [&](CellId cell) { return !known.contains(cell); });
  return result;
}

CellSummary CellSummaries::combine(Operation &op, ArrayRef<CellSummary> regions) {
  RegionExecution kind = getRegionExecution(&op);
  if (kind == RegionExecution::Scope)
    return regions.front();
  CellSummary total;
  DenseSet<CellId> reads, sets;
  for (const CellSummary &region : regions) {
    unite(total.reads, reads, region.reads);
    unite(total.sets, sets, region.sets);
  }
  switch (kind) {
  case RegionExecution::Branch: {
    DenseMap<CellId, unsigned> counts;
    for (const CellSummary &region : regions)
      for (CellId cell : region.kills)
        if (++counts[cell] == regions.size())
          total.kills.push_back(cell);
    break;
  }
  case RegionExecution::While:
    // The first region runs at least once.
    total.reads = regions[0].reads;
    reads = DenseSet<CellId>(total.reads.begin(), total.reads.end());
    unite(total.reads, reads, subtract(regions[1].reads, regions[0].kills));
    total.kills = regions[0].kills;
    break;
  case RegionExecution::Opaque:
    rejectSets(op, total);
    [[fallthrough]];
  case RegionExecution::Launch:
    // Whatever is bound inside means the same afterwards.
    total.sets.clear();
    break;
  case RegionExecution::For:
  case RegionExecution::Scope:
    break;
  }
  return total;
}

void CellSummaries::rejectSets(Operation &op, const CellSummary &summary) {
  if (summary.sets.empty())
    return;
  DenseSet<CellId> outer(summary.sets.begin(), summary.sets.end());
  op.walk([&](SetOp set) {
    CellId cell = analysis.getId(set.getCell());
    if (!outer.erase(cell))
      return;
    InFlightDiagnostic diag = set.emitError() << "expects no binding of variable '"
                                              << analysis.variables[cell].getName() << "' inside '"
                                              << op.getName() << "'";
    diag.attachNote(analysis.variables[cell].getLoc()) << "declared here";
    succeeded = false;
  });
}

//===- Liveness
//---------------------------------------------------------------------------------===//

namespace pypto::pl::detail {
/// Top down and backwards: which variables that an operation binds are needed afterwards. The
/// summaries say what a region needs on entry, so each region is looked at once, loops included.
class CellLiveness {
public:
  explicit CellLiveness(CellAnalysis &analysis)
      : analysis(analysis), live(analysis.variables.size()) {}

  void visitRegion(Region &region) {
    if (!region.hasOneBlock())
      return;
    for (Operation &op : llvm::reverse(region.front())) {
      if (auto get = dyn_cast<GetOp>(op))
        setLive(analysis.getId(get.getCell()), true);
      else if (auto set = dyn_cast<SetOp>(op))
        setLive(analysis.getId(set.getCell()), false);
      else if (op.getNumRegions() != 0)
        if (auto it = analysis.cells.find(&op); it != analysis.cells.end())
          visitRegionOp(op, *it->second);
    }
  }

private:
  void setLive(CellId cell, bool value) {
    if (live[cell] == value)
      return;
    log.push_back(cell);
    live[cell] = value;
  }
  void apply(ArrayRef<CellId> kills, ArrayRef<CellId> reads) {
    for (CellId cell : kills)
      setLive(cell, false);
    for (CellId cell : reads)
      setLive(cell, true);
  }
  SmallVector<CellId> selectLive(ArrayRef<CellId> cells) {
    SmallVector<CellId> result;
    llvm::copy_if(cells, std::back_inserter(result), [&](CellId cell) { return live[cell]; });
    return result;
  }
  /// Looks at a region whose end has the present state, and restores that of `mark`.
  void visitNested(Region &region, size_t mark) {
    visitRegion(region);
    while (log.size() != mark) {
      CellId cell = log.pop_back_val();
      live[cell] = !live[cell];
    }
  }
  void visitRegionOp(Operation &op, OpCells &cells);
  void visitWhile(Operation &op, OpCells &cells);

  CellAnalysis &analysis;
  std::vector<bool> live;
  /// Variables whose state was inverted, latest last.
  SmallVector<CellId> log;
};
} // namespace pypto::pl::detail

void CellLiveness::visitRegionOp(Operation &op, OpCells &cells) {
  size_t mark = log.size();
  switch (getRegionExecution(&op)) {
  case RegionExecution::While:
    visitWhile(op, cells);
    break;
  case RegionExecution::For:
    // The end of the body is followed by its beginning.
    apply({}, cells.total.reads);
    cells.results = selectLive(cells.total.sets);
    visitNested(op.getRegion(0), mark);
    break;
  case RegionExecution::Launch:
    cells.results = selectLive(cells.regions.front().sets);
    visitNested(op.getRegion(0), mark);
    break;
  case RegionExecution::Scope:
  case RegionExecution::Branch:
  case RegionExecution::Opaque:
    cells.results = selectLive(cells.total.sets);
    for (Region &region : op.getRegions())
      visitNested(region, mark);
    break;
  }
  apply(cells.total.kills, cells.total.reads);
}

void CellLiveness::visitWhile(Operation &op, OpCells &cells) {
  size_t mark = log.size();
  const CellSummary &before = cells.regions[0], &after = cells.regions[1];
  // What the end of `before` needs: what comes after the loop needs it, or `after` reads it, or
  // `before` does in the next iteration.
  auto applyEndOfBefore = [&] {
    apply({}, after.reads);
    apply({}, subtract(before.reads, after.kills));
  };
  applyEndOfBefore();
  cells.results = selectLive(cells.total.sets);
  visitNested(op.getRegion(0), mark);
  applyEndOfBefore();
  apply(before.kills, before.reads);
  cells.entries = selectLive(cells.total.sets);
  visitNested(op.getRegion(1), mark);
}

LogicalResult CellAnalysis::run(Operation *root) {
  if (failed(CellSummaries(*this).visitRoot(root)))
    return failure();
  CellLiveness liveness(*this);
  for (Region &region : root->getRegions())
    liveness.visitRegion(region);
  return success();
}
