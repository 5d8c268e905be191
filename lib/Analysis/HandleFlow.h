// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How handles to storage move through a function. Shared by the analyses of this directory.
#ifndef PYPTO_LIB_ANALYSIS_HANDLEFLOW_H
#define PYPTO_LIB_ANALYSIS_HANDLEFLOW_H

#include "pypto/Dialect/PL/IR/PLOps.h"

#include "llvm/ADT/MapVector.h"

namespace pypto::detail {

/// What one result of a function is, in terms of the function's parameters. The default says
/// nothing at all.
struct ResultSummary {
  /// The parameter whose storage the result always is, found without looking through views.
  std::optional<unsigned> lineage;
  /// False if the handle may have got another valid shape since it was that parameter.
  bool keepsValidShape = true;
  /// Parameters whose storage the result may be or lie in.
  llvm::SmallVector<unsigned, 2> parameters;
  /// Storage allocated by the call, if the result may be such: the first result that shares it.
  std::optional<unsigned> allocation;
  /// The result may be storage that nothing is known about.
  bool mayBeUnknown = true;
};

/// The handle flow graph of one function: a node is a set of values that are the same handle, an
/// edge says that one may become another. Variables are followed in program order: a read has the
/// node that reaches it, joins have nodes of their own, exactly where SSA form has its merged
/// values.
class HandleFlow {
public:
  using Node = unsigned;
  /// The node of handles that nothing is known about.
  static constexpr Node kUnknown = 0;
  /// Summaries of the callee's results, empty if there are none.
  using SummaryFn = llvm::function_ref<llvm::ArrayRef<ResultSummary>(mlir::Operation *call)>;

  /// Walks the body of `func` once. Linear in its size, except that a variable costs one node for
  /// each region that it is assigned in, as in SSA form.
  HandleFlow(pl::FuncOp func, SummaryFn summaries);

  Node getNode(mlir::Value handle) const { return nodes.lookup(handle); }
  const llvm::DenseMap<mlir::Value, Node> &getNodes() const { return nodes; }
  /// Values that name storage: parameters, results that are allocated.
  llvm::ArrayRef<std::pair<mlir::Value, Node>> getSources() const { return sources; }
  /// Nodes of handles that an operation we know nothing about has seen.
  llvm::ArrayRef<Node> getEscaping() const { return escaping; }

  /// Per node, the parameter that it always is. Views and merges of branches in a `graph` function
  /// are none.
  struct Lineage {
    std::optional<unsigned> parameter;
    bool keepsValidShape = true;
  };
  llvm::SmallVector<Lineage> solveLineage() const;

  /// Per node, the sources (indices into getSources()) that it may be, in order; nullopt if it may
  /// be anything.
  using RootSet = std::optional<llvm::SmallVector<unsigned, 2>>;
  struct Roots {
    llvm::SmallVector<RootSet> sets;
    /// A set outgrew `kMaxRoots`, which bounds the time, and is anything: every source may be in
    /// it.
    bool hasOverflown = false;
  };
  static constexpr unsigned kMaxRoots = 16;
  Roots solveRoots() const;

private:
  friend class BranchJoins;
  friend class HandleFlowBuilder;

  struct NodeInfo {
    /// Index of the parameter that this node is.
    std::optional<unsigned> parameter;
    /// Lineage ends here: a view, or a merge that is not looked through.
    bool endsLineage = false;
    /// The valid shape is another one than that of the predecessor.
    bool changesValidShape = false;
  };

  /// Calls `update(from, to)` along edges until it never returns true, which it does if `to`
  /// changed.
  void propagate(llvm::function_ref<bool(Node from, Node to)> update) const;

  llvm::SmallVector<NodeInfo> infos;
  llvm::SmallVector<std::pair<Node, Node>> edges;
  llvm::DenseMap<mlir::Value, Node> nodes;
  llvm::SmallVector<std::pair<mlir::Value, Node>> sources;
  llvm::SmallVector<Node> escaping;
};

/// Summaries of the functions of a module, callees before callers. A function that takes part in
/// recursion, and one without a body, has none.
class FlowSummaries {
public:
  explicit FlowSummaries(mlir::ModuleOp module);

  /// One summary per result; empty if nothing is known.
  llvm::ArrayRef<ResultSummary> get(pl::FuncOp func) const;
  llvm::ArrayRef<ResultSummary> getForCall(mlir::Operation *call) const;

private:
  llvm::DenseMap<mlir::Operation *, pl::FuncOp> callees;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<ResultSummary>> summaries;
};

} // namespace pypto::detail

#endif
