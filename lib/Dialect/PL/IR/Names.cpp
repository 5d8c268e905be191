// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of variables.
#include "pypto/Dialect/PL/IR/Names.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace pypto;

ArrayRef<StringRef> pl::getAutoNameRoles() {
  static constexpr StringRef roles[] = {"ssa", "phi", "iter", "rv", "tmp", "inline_arg"};
  return roles;
}

/// What stands behind `__` in an auto name; empty for another name.
static StringRef getAutoSuffix(StringRef name) {
  auto [base, suffix] = name.split("__");
  if (base.empty() || suffix.empty() || suffix.contains("__") || suffix.starts_with("_") ||
      suffix.ends_with("_"))
    return {};
  for (StringRef role : pl::getAutoNameRoles())
    if (suffix == role || (suffix.ends_with(role) && suffix.drop_back(role.size()).ends_with("_")))
      return suffix;
  StringRef rest = suffix.rtrim("0123456789");
  bool isVersion = rest.size() != suffix.size() && (rest == "v" || rest.ends_with("_v"));
  return isVersion ? suffix : StringRef();
}

bool pl::isAutoName(StringRef name) { return !getAutoSuffix(name).empty(); }

bool pl::isReservedName(StringRef name) { return name.contains("__") && !isAutoName(name); }

std::string pl::qualifyName(StringRef name, StringRef qualifier) {
  if (StringRef suffix = getAutoSuffix(name); !suffix.empty())
    return (name.drop_back(suffix.size()) + qualifier + "_" + suffix).str();
  return (name.rtrim('_') + "_" + qualifier).str();
}

StringAttr pl::takeName(Location loc, Location &rest) {
  auto named = dyn_cast<NameLoc>(loc);
  if (!named) {
    rest = loc;
    return {};
  }
  rest = named.getChildLoc();
  while (auto inner = dyn_cast<NameLoc>(rest))
    rest = inner.getChildLoc();
  return named.getName();
}
