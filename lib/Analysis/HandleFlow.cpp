// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Solves the handle flow graph, and summarises functions bottom-up.
#include "HandleFlow.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SCCIterator.h"

#include <deque>

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::detail;

//===- Solving ----------------------------------------------------------------===//

/// Each node waits at most once at a time, and is taken again only after it changed: with a lattice
/// of height h every edge is looked at no more than h times.
void HandleFlow::propagate(function_ref<bool(Node, Node)> update) const {
  SmallVector<unsigned> offsets(infos.size() + 1, 0);
  for (auto [from, to] : edges)
    ++offsets[from + 1];
  for (size_t i = 1; i != offsets.size(); ++i)
    offsets[i] += offsets[i - 1];
  SmallVector<Node> successors(edges.size());
  SmallVector<unsigned> next(offsets.begin(), std::prev(offsets.end()));
  for (auto [from, to] : edges)
    successors[next[from]++] = to;

  std::deque<Node> worklist{kUnknown};
  llvm::BitVector isWaiting(infos.size());
  isWaiting.set(kUnknown);
  for (auto [value, node] : sources) {
    worklist.push_back(node);
    isWaiting.set(node);
  }
  while (!worklist.empty()) {
    Node from = worklist.front();
    worklist.pop_front();
    isWaiting.reset(from);
    for (unsigned i = offsets[from], e = offsets[from + 1]; i != e; ++i) {
      Node to = successors[i];
      if (update(from, to) && !isWaiting.test(to)) {
        isWaiting.set(to);
        worklist.push_back(to);
      }
    }
  }
}

SmallVector<HandleFlow::Lineage> HandleFlow::solveLineage() const {
  // Not reached yet < one parameter, valid shape kept < the same, changed < anything.
  struct State {
    enum Kind : uint8_t { Unreached, Kept, Changed, Anything } kind = Unreached;
    unsigned parameter = 0;
    bool operator==(const State &) const = default;
  };
  SmallVector<State> states(infos.size());
  states[kUnknown].kind = State::Anything;
  for (auto [value, node] : sources) {
    if (std::optional<unsigned> parameter = infos[node].parameter)
      states[node] = {State::Kept, *parameter};
    else
      states[node].kind = State::Anything;
  }
  propagate([&](Node from, Node to) {
    State in = states[from], &out = states[to];
    if (infos[to].endsLineage)
      in = {State::Anything, 0};
    if (infos[to].changesValidShape && in.kind == State::Kept)
      in.kind = State::Changed;
    State joined = in;
    if (out.kind != State::Unreached) {
      joined.kind = std::max(in.kind, out.kind);
      if (in.parameter != out.parameter)
        joined.kind = State::Anything;
    }
    if (joined.kind == State::Anything)
      joined.parameter = 0;
    if (joined == out)
      return false;
    out = joined;
    return true;
  });
  return llvm::map_to_vector(states, [](const State &state) {
    bool isOne = state.kind == State::Kept || state.kind == State::Changed;
    return Lineage{isOne ? std::optional(state.parameter) : std::nullopt,
                   state.kind == State::Kept};
  });
}

HandleFlow::Roots HandleFlow::solveRoots() const {
  SmallVector<RootSet> sets(infos.size(), RootSet(std::in_place));
  bool hasOverflown = false;
  sets[kUnknown] = std::nullopt;
  for (auto [index, source] : llvm::enumerate(sources))
    sets[source.second]->push_back(index);
  propagate([&](Node from, Node to) {
    const RootSet &in = sets[from];
    RootSet &out = sets[to];
    if (!out)
      return false;
    if (!in) {
      out.reset();
      return true;
    }
    SmallVector<unsigned, 2> joined;
    std::set_union(in->begin(), in->end(), out->begin(), out->end(), std::back_inserter(joined));
    if (joined.size() == out->size())
      return false;
    if (joined.size() <= kMaxRoots) {
      out = std::move(joined);
    } else {
      out.reset();
      hasOverflown = true;
    }
    return true;
  });
  // Nothing reaches the rest: it is never executed, or its variable was never set.
  for (RootSet &set : sets)
    if (set && set->empty())
      set.reset();
  return {std::move(sets), hasOverflown};
}

//===- Summaries --------------------------------------------------------------===//

static SmallVector<ResultSummary> summarize(FuncOp func, const HandleFlow &flow) {
  SmallVector<HandleFlow::Lineage> lineage = flow.solveLineage();
  SmallVector<HandleFlow::RootSet> roots = flow.solveRoots().sets;
  SmallVector<ResultSummary> summary(func.getNumResults());
  // The first result that shares each allocation.
  DenseMap<unsigned, unsigned> firstResult;
  for (auto [index, value, result] : llvm::enumerate(func.getReturnOp().getValues(), summary)) {
    HandleFlow::Node node = flow.getNode(value);
    result.lineage = lineage[node].parameter;
    result.keepsValidShape = lineage[node].keepsValidShape;
    if (!roots[node])
      continue;
    result.mayBeUnknown = false;
    for (unsigned source : *roots[node]) {
      if (auto parameter = dyn_cast<BlockArgument>(flow.getSources()[source].first)) {
        result.parameters.push_back(parameter.getArgNumber());
        continue;
      }
      unsigned first = firstResult.try_emplace(source, index).first->second;
      // Two allocations of the callee are one root here; whoever shares either has to share it.
      if (result.allocation && *result.allocation != first)
        result.mayBeUnknown = true;
      result.allocation = first;
    }
  }
  return summary;
}

namespace {
/// A function and what it calls. The node without a function calls all of them.
struct CallNode {
  FuncOp func;
  llvm::SetVector<CallNode *> callees;
};
} // namespace

template <> struct llvm::GraphTraits<CallNode *> {
  using NodeRef = CallNode *;
  using ChildIteratorType = llvm::SetVector<CallNode *>::iterator;
  static NodeRef getEntryNode(NodeRef node) { return node; }
  static ChildIteratorType child_begin(NodeRef node) { return node->callees.begin(); }
  static ChildIteratorType child_end(NodeRef node) { return node->callees.end(); }
};

FlowSummaries::FlowSummaries(ModuleOp module) {
  llvm::MapVector<Operation *, CallNode> graph;
  for (auto func : module.getOps<FuncOp>())
    graph[func].func = func;
  CallNode all;
  SymbolTableCollection symbolTables;
  for (auto &[op, node] : graph) {
    all.callees.insert(&node);
    op->walk([&](CallOpInterface call) {
      auto name = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
      auto callee = name ? symbolTables.lookupNearestSymbolFrom<FuncOp>(call, name) : FuncOp();
      auto it = callee ? graph.find(callee) : graph.end();
      if (it == graph.end())
        return;
      callees[call] = callee;
      node.callees.insert(&it->second);
    });
  }
  for (auto it = llvm::scc_begin(&all); !it.isAtEnd(); ++it) {
    FuncOp func = it->front()->func;
    if (!func || it.hasCycle() || func.isExternal())
      continue;
    HandleFlow flow(func, [&](Operation *call) { return getForCall(call); });
    summaries[func] = summarize(func, flow);
  }
}

ArrayRef<ResultSummary> FlowSummaries::get(FuncOp func) const {
  auto it = summaries.find(func);
  return it == summaries.end() ? ArrayRef<ResultSummary>() : it->second;
}

ArrayRef<ResultSummary> FlowSummaries::getForCall(Operation *call) const {
  FuncOp callee = callees.lookup(call);
  return callee ? get(callee) : ArrayRef<ResultSummary>();
}
