// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Analysis/ReturnLineage.h"

#include "HandleFlow.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

ReturnLineage::ReturnLineage(ModuleOp module) {
  detail::FlowSummaries summaries(module);
  for (auto func : module.getOps<FuncOp>()) {
    ArrayRef<detail::ResultSummary> summary = summaries.get(func);
    if (!summary.empty())
      sources[func] = llvm::map_to_vector(summary, [](const detail::ResultSummary &result) {
        return ReturnSource{result.lineage, result.keepsValidShape};
      });
  }
}

ArrayRef<ReturnSource> ReturnLineage::getSources(FuncOp func) const {
  auto it = sources.find(func);
  return it == sources.end() ? ArrayRef<ReturnSource>() : it->second;
}

std::optional<unsigned> ReturnLineage::getWrittenBackParameter(FuncOp func, unsigned index) const {
  ArrayRef<ReturnSource> known = getSources(func);
  if (index >= known.size() || !known[index].parameter)
    return std::nullopt;
  auto [parameter, keepsValidShape] = known[index];
  auto type = dyn_cast<pl::TensorType>(func.getArgumentTypes()[*parameter]);
  if (!type || func.getReturnOp().getValues()[index].getType() != type)
    return std::nullopt;
  // Equal types are equal valid shapes, except that two `?` need not be one number.
  if (!keepsValidShape && getNumDynamic(type.getValid()) != 0)
    return std::nullopt;
  return parameter;
}

bool pypto::returnsParametersExplicitly(FuncOp func) {
  switch (func.getKind()) {
  case FuncKind::InCore:
  case FuncKind::AIC:
  case FuncKind::AIV:
  case FuncKind::Group:
  case FuncKind::Spmd:
  case FuncKind::Graph:
    return true;
  case FuncKind::Opaque:
  case FuncKind::Inline:
  case FuncKind::Orchestration:
    return false;
  }
  llvm_unreachable("not a kind of function");
}

SmallVector<std::optional<unsigned>> pypto::getExplicitReturnedParams(FuncOp func) {
  SmallVector<std::optional<unsigned>> params(func.getNumResults());
  if (func.isExternal())
    return params;
  for (auto [value, param] : llvm::zip_equal(func.getReturnOp().getValues(), params)) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && isa<pl::TensorType>(value.getType()))
      param = argument.getArgNumber();
  }
  return params;
}

ArrayRef<int64_t> pypto::getReturnPermutation(FuncOp func) {
  auto permutation = func->getAttrOfType<DenseI64ArrayAttr>(kReturnPermutationAttrName);
  return permutation ? permutation.asArrayRef() : ArrayRef<int64_t>();
}
