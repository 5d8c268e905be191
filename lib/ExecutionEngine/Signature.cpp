// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/ExecutionEngine/Signature.h"
#include "pypto/Analysis/ReturnLineage.h"
#include "pypto/Dialect/PL/IR/ExtentEvaluation.h"
#include "pypto/ExecutionEngine/Array.h"
#include "pypto/ExecutionEngine/Elements.h"

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;

//===- Entries --------------------------------------------------------------===//

static bool isEntry(pl::FuncOp function) {
  return function.isPublic() && !function.isDeclaration() && !function.isInline();
}

static std::string listEntries(ModuleOp module) {
  std::string text;
  auto add = [&](StringRef name) { text += (text.empty() ? "'" : ", '") + name.str() + "'"; };
  auto programs = module.getOps<pl::FuncOp>();
  for (pl::FuncOp function : programs)
    if (isEntry(function))
      add(function.getName());
  // Without functions of pl, those on tensors are graphs.
  if (programs.empty())
    for (auto graph : module.getOps<func::FuncOp>())
      if (graph.isPublic() && !graph.isExternal())
        add(graph.getName());
  return text.empty() ? "the program has no entries" : "entries: " + text;
}

llvm::Expected<pl::FuncOp> pypto::execution::findEntry(ModuleOp module, StringRef name) {
  pl::FuncOp only;
  unsigned numEntries = 0;
  for (auto function : module.getOps<pl::FuncOp>()) {
    if (function.getName() == (name.empty() ? "main" : name)) {
      if (isEntry(function))
        return function;
      if (!name.empty())
        return makeError("'" + name + "' cannot be called from outside, being " +
                         (function.isInline()        ? "inline"
                          : function.isDeclaration() ? "a declaration"
                                                     : "private") +
                         "; " + listEntries(module));
    }
    if (isEntry(function)) {
      only = function;
      ++numEntries;
    }
  }
  if (!name.empty())
    return makeError("no function '" + name + "'; " + listEntries(module));
  if (numEntries == 1)
    return only;
  return makeError("expects the name of an entry; " + listEntries(module));
}

//===- Signature ------------------------------------------------------------===//

static std::string printToString(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << type;
  return text;
}

static bool isSupported(Type type) {
  if (auto tensor = dyn_cast<pl::TensorType>(type))
    return getDType(tensor.getElementType()).has_value() && tensor.getStrides().empty();
  return pl::isScalarType(type) && getDType(type).has_value();
}

std::string pypto::execution::getParameterName(Block &body, unsigned index,
                                               const AsmParserState *names) {
  const auto *block = names ? names->getBlockDef(&body) : nullptr;
  if (block && index < block->arguments.size()) {
    SMRange range = block->arguments[index].loc;
    StringRef text(range.Start.getPointer(), range.End.getPointer() - range.Start.getPointer());
    if (text.consume_front("%") && !text.empty())
      return text.str();
  }
  return std::to_string(index);
}

llvm::Expected<Signature> pypto::execution::getSignature(pl::FuncOp entry,
                                                         const AsmParserState *names) {
  Signature signature;
  signature.name = entry.getName();
  signature.noAlias = entry->hasAttr(pl::kNoAliasAttrName);
  for (auto [index, type] : llvm::enumerate(entry.getArgumentTypes())) {
    if (!isSupported(type))
      return makeError("parameter " + std::to_string(index) + " of '" + signature.name + "' is " +
                       printToString(type) + ", which cannot be given from outside");
    signature.parameters.push_back(
        {getParameterName(entry.getBody().front(), index, names), entry.getDirection(index), type});
  }
  for (auto [index, type] : llvm::enumerate(entry.getResultTypes())) {
    if (!isSupported(type))
      return makeError("result " + std::to_string(index) + " of '" + signature.name + "' is " +
                       printToString(type) + ", which cannot be handed out");
    signature.results.push_back(type);
  }
  signature.isReturned.assign(signature.parameters.size(), false);
  ReturnLineage lineage(entry->getParentOfType<ModuleOp>());
  for (const ReturnSource &source : lineage.getSources(entry))
    if (source.parameter)
      signature.isReturned[*source.parameter] = true;
  return signature;
}

bool pypto::execution::hasDynamicValid(pl::TensorType type) {
  return llvm::any_of(type.getValid(), [](pl::ExtentAttr e) { return !e.isConstant(); });
}

//===- SymbolValues ---------------------------------------------------------===//

llvm::Error SymbolValues::bind(StringAttr name, int64_t value, const llvm::Twine &where) {
  auto [it, isNew] = values.try_emplace(name.getValue(), Binding{value, where.str()});
  if (isNew || it->second.value == value)
    return llvm::Error::success();
  return makeError("extent '" + name.getValue() + "' is " + std::to_string(it->second.value) +
                   " in " + it->second.where + ", but " + std::to_string(value) + " in " + where);
}

llvm::Error SymbolValues::bindShape(pl::TensorType type, ArrayRef<int64_t> shape,
                                    const llvm::Twine &where) {
  if (static_cast<int64_t>(shape.size()) != type.getRank())
    return makeError(where + " expects rank " + std::to_string(type.getRank()) +
                     ", but got shape " + formatShape(shape));
  for (auto [axis, extent] : llvm::enumerate(type.getExtents())) {
    if (extent.isConstant() && extent.getConstant() != shape[axis])
      return makeError(where + " expects extent " + std::to_string(extent.getConstant()) +
                       " in dimension " + std::to_string(axis) + ", but got shape " +
                       formatShape(shape));
    if (!extent.isSymbol())
      continue;
    if (llvm::Error error = bind(extent.getSymbolName(), shape[axis], where))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error SymbolValues::checkShape(pl::TensorType type, ArrayRef<int64_t> shape,
                                     const llvm::Twine &where) const {
  for (auto [axis, extent] : llvm::enumerate(type.getExtents())) {
    std::optional<int64_t> value = evaluate(extent);
    if (!value || *value == shape[axis])
      continue;
    std::string text;
    llvm::raw_string_ostream os(text);
    extent.printExpression(os);
    return makeError(where + " expects extent " + text + " = " + std::to_string(*value) +
                     " in dimension " + std::to_string(axis) + ", but got shape " +
                     formatShape(shape));
  }
  return llvm::Error::success();
}

std::optional<int64_t> SymbolValues::evaluate(pl::ExtentAttr extent) const {
  if (extent.isDynamic() || findUnbound(extent))
    return std::nullopt;
  SmallVector<int64_t> symbols;
  for (StringAttr name : extent.getSymbols())
    symbols.push_back(values.find(name.getValue())->second.value);
  return pl::evaluateExtent(extent, symbols);
}

StringAttr SymbolValues::findUnbound(pl::ExtentAttr extent) const {
  for (StringAttr name : extent.getSymbols())
    if (!isBound(name))
      return name;
  return StringAttr();
}
