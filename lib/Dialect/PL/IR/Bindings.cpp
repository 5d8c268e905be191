// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the symbols of a callee stand for in one call.
#include "pypto/Dialect/PL/IR/TypeRules.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

static Type dropCell(Type type) {
  auto var = dyn_cast<VarType>(type);
  return var ? var.getValueType() : type;
}

void SymbolBindings::bind(Type formal, Type actual) {
  auto from = dyn_cast<ExtentTypeInterface>(dropCell(formal));
  auto to = dyn_cast<ExtentTypeInterface>(dropCell(actual));
  if (!from || !to)
    return;
  auto bindLists = [&](ArrayRef<ExtentAttr> names, ArrayRef<ExtentAttr> values) {
    for (auto [name, value] : llvm::zip(names, values)) {
      if (!name.isSymbol())
        continue;
      auto [it, inserted] = map.insert({name.getSymbolName(), value});
      if (!inserted && it->second != value)
        ambiguous.try_emplace(name.getSymbolName(), value);
    }
  };
  bindLists(from.getExtents(), to.getExtents());
  if (!from.getValid().empty())
    bindLists(from.getValid(), to.getValid().empty() ? to.getExtents() : to.getValid());
  auto fromTensor = dyn_cast<pl::TensorType>(dropCell(formal)),
       toTensor = dyn_cast<pl::TensorType>(dropCell(actual));
  if (fromTensor && toTensor)
    bindLists(fromTensor.getStrides(), toTensor.getStrides());
}

ExtentAttr SymbolBindings::lookup(StringAttr name) const {
  auto it = map.find(name);
  return it == map.end() ? ExtentAttr() : it->second;
}

static std::string describe(ExtentAttr extent) {
  std::string text;
  llvm::raw_string_ostream os(text);
  extent.printExpression(os);
  return text;
}

/// Why `actual` does not fit `formal` in dimension `dim`; empty if it does or it is not known.
static std::string explainExtent(ExtentAttr formal, ExtentAttr actual,
                                 const SymbolBindings &bindings, StringRef what, unsigned dim) {
  bool unknown = false;
  ExtentAttr expected = formal.substitute([&](StringAttr name) {
    ExtentAttr bound = bindings.lookup(name);
    unknown |= !bound || bound.isDynamic() || bindings.isAmbiguous(name);
    return bound;
  });
  if (formal.isDynamic() || formal.isSymbol() || unknown || expected == actual)
    return {};
  std::string text;
  llvm::raw_string_ostream os(text);
  os << what << " " << dim << " is '" << describe(actual) << "', but the parameter has '"
     << describe(formal) << "'";
  if (expected != formal)
    os << ", which is '" << describe(expected) << "' in this call";
  return text;
}

std::string pl::explainMismatch(Type formal, Type actual, const SymbolBindings &bindings,
                                bool checkValid) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto from = dyn_cast<ExtentTypeInterface>(formal), to = dyn_cast<ExtentTypeInterface>(actual);
  if (!from || !to || formal.getTypeID() != actual.getTypeID()) {
    if (formal != actual)
      os << "expects type '" << formal << "', but got '" << actual << "'";
    return text;
  }
  if (from.getElementType() != to.getElementType()) {
    os << "expects element type '" << from.getElementType() << "', but got '" << to.getElementType()
       << "'";
    return text;
  }
  if (from.getExtents().size() != to.getExtents().size()) {
    os << "expects rank " << from.getExtents().size() << ", but got " << to.getExtents().size();
    return text;
  }
  for (auto [dim, pair] : llvm::enumerate(llvm::zip_equal(from.getExtents(), to.getExtents()))) {
    text = explainExtent(std::get<0>(pair), std::get<1>(pair), bindings, "dimension", dim);
    if (!text.empty())
      return text;
  }
  if (checkValid) {
    auto validOf = [](ExtentTypeInterface type) {
      return type.getValid().empty() ? type.getExtents() : type.getValid();
    };
    for (auto [dim, pair] : llvm::enumerate(llvm::zip_equal(validOf(from), validOf(to)))) {
      text = explainExtent(std::get<0>(pair), std::get<1>(pair), bindings,
                           "valid extent of dimension", dim);
      if (!text.empty())
        return text;
    }
  }
  if (!from.isPlacementCompatible(actual))
    os << "expects '" << formal << "', but got '" << actual
       << "': the memory spaces or layouts differ";
  return text;
}
