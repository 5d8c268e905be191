// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes returned parameters explicit, brings them into the order of declaration, and redirects
// callers.
#include "pypto/Analysis/ReturnLineage.h"
#include "pypto/Dialect/PL/Transforms/Passes.h"

#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

namespace pypto::pl {
#define GEN_PASS_DEF_NORMALIZERETURNORDER
#include "pypto/Dialect/PL/Transforms/Passes.h.inc"
} // namespace pypto::pl

/// What was result k is result `permutation[k]`. Empty: nothing moves.
using Permutation = SmallVector<int64_t>;

template <typename Range> static auto permute(const Range &range, ArrayRef<int64_t> permutation) {
  SmallVector<std::decay_t<decltype(*range.begin())>> result(range.begin(), range.end());
  for (auto [from, to] : llvm::enumerate(permutation))
    result[to] = range[from];
  return result;
}

/// Step A0: a returned value that writes back a parameter becomes the parameter.
static void makeParametersExplicit(FuncOp func, const ReturnLineage &lineage) {
  for (OpOperand &value : func.getReturnOp()->getOpOperands())
    if (auto parameter = lineage.getWrittenBackParameter(func, value.getOperandNumber()))
      value.set(func.getArgument(*parameter));
}

/// Step A, analysis: results that are storage of an `out` or `inout` parameter, whatever their
/// type, go where that parameter stands among its like; the others stay. Empty if there is nothing
/// to do, or if two results would meet: then the lineage is not complete enough to move anything.
static Permutation computePermutation(FuncOp func, const ReturnLineage &lineage) {
  SmallVector<unsigned> outs = func.getOutIndices();
  ArrayRef<ReturnSource> sources = lineage.getSources(func);
  if (outs.size() > sources.size())
    return {};
  llvm::SmallDenseMap<unsigned, unsigned> position;
  for (auto [index, parameter] : llvm::enumerate(outs))
    position[parameter] = index;
  Permutation permutation;
  llvm::SmallDenseSet<int64_t> taken;
  for (auto [index, source] : llvm::enumerate(sources)) {
    auto it = source.parameter ? position.find(*source.parameter) : position.end();
    permutation.push_back(it == position.end() ? index : it->second);
    if (!taken.insert(permutation.back()).second)
      return {};
  }
  return llvm::equal(permutation, llvm::seq<int64_t>(sources.size())) ? Permutation() : permutation;
}

/// Keeps the way from the order in which the function was written; the identity needs no record.
static void recordPermutation(FuncOp func, ArrayRef<int64_t> permutation) {
  Permutation total(permutation);
  ArrayRef<int64_t> before = getReturnPermutation(func);
  for (auto [first, last] : llvm::zip(before, total))
    last = permutation[first];
  if (llvm::equal(total, llvm::seq<int64_t>(total.size())))
    func->removeAttr(kReturnPermutationAttrName);
  else
    func->setAttr(kReturnPermutationAttrName, DenseI64ArrayAttr::get(func.getContext(), total));
}

/// Step A: permutes what `func` returns, with the types and attributes of the results.
static void reorderReturns(FuncOp func, ArrayRef<int64_t> permutation) {
  ReturnOp returnOp = func.getReturnOp();
  returnOp->setOperands(permute(returnOp.getValues(), permutation));
  func.setFunctionType(FunctionType::get(func.getContext(), func.getArgumentTypes(),
                                         permute(func.getResultTypes(), permutation)));
  if (ArrayAttr attrs = func.getResAttrsAttr())
    func.setResAttrsAttr(ArrayAttr::get(func.getContext(), permute(attrs.getValue(), permutation)));
  recordPermutation(func, permutation);
}

/// Step B: the results of `call` move like those of its callee, and every use stays with its value.
/// Results behind those of the callee, such as the id of a task, stay.
static void redirectResults(CallOpInterface call, ArrayRef<int64_t> permutation) {
  auto results = call->getResults().take_front(permutation.size());
  SmallVector<Type> types = permute(results.getTypes(), permutation);
  SmallVector<SmallVector<OpOperand *>> uses = llvm::map_to_vector(results, [](Value result) {
    return llvm::map_to_vector(result.getUses(), [](OpOperand &use) { return &use; });
  });
  for (auto [result, type] : llvm::zip_equal(results, types))
    result.setType(type);
  for (auto [from, to] : llvm::enumerate(permutation))
    // From the last to the first: the list of uses keeps its order.
    for (OpOperand *use : llvm::reverse(uses[from]))
      use->set(results[to]);
  if (ArrayAttr attrs = call.getResAttrsAttr(); attrs && attrs.size() >= permutation.size())
    call.setResAttrsAttr(
        ArrayAttr::get(call->getContext(), permute(attrs.getValue(), permutation)));
}

namespace {
struct NormalizeReturnOrderPass : pl::impl::NormalizeReturnOrderBase<NormalizeReturnOrderPass> {
  ArrayRef<IRProperty> getRequiredProperties() const override {
    static constexpr IRProperty properties[] = {IRProperty::SplitIncoreOrch,
                                                IRProperty::IncoreTileOps};
    return properties;
  }
  ArrayRef<IRProperty> getProducedProperties() const override {
    static constexpr IRProperty properties[] = {IRProperty::ReturnParamsExplicit};
    return properties;
  }
  void runOnModule() override {
    ReturnLineage lineage(getOperation());
    DenseMap<Operation *, Permutation> permutations;
    for (auto func : getOperation().getOps<FuncOp>()) {
      if (func.isExternal() || !returnsParametersExplicitly(func))
        continue;
      makeParametersExplicit(func, lineage);
      Permutation permutation = func.isKernel() ? computePermutation(func, lineage) : Permutation();
      if (permutation.empty())
        continue;
      reorderReturns(func, permutation);
      permutations[func] = std::move(permutation);
    }
    if (permutations.empty())
      return;
    SymbolTableCollection symbolTables;
    getOperation().walk([&](CallOpInterface call) {
      auto name = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
      Operation *callee = name ? symbolTables.lookupNearestSymbolFrom(call, name) : nullptr;
      if (auto it = permutations.find(callee); it != permutations.end())
        redirectResults(call, it->second);
    });
  }
};
} // namespace
