// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_PL_IR_NAMES_H
#define PYPTO_DIALECT_PL_IR_NAMES_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringRef.h"
#include <string>

// Names of variables. A compiler-made ("auto") name is `<base>__<role>_v<n>`, where the role is one
// or more words, or `<base>__<role>` with a role of `getAutoNameRoles`; `__` is reserved for them.
namespace pypto::pl {

/// Roles that a name may end with without a version.
llvm::ArrayRef<llvm::StringRef> getAutoNameRoles();
/// True for a name of the form above.
bool isAutoName(llvm::StringRef name);
/// True for a name with `__` that is not an auto name: no author may write it.
bool isReservedName(llvm::StringRef name);
/// `name` made distinct by `qualifier`: before the role of an auto name (`t__iter_v0` becomes
/// `t__<qualifier>_iter_v0`), else behind one underscore and instead of those that end the name.
std::string qualifyName(llvm::StringRef name, llvm::StringRef qualifier);

/// The name that a location gives to what it stands on, or null; `rest` is the location without it.
mlir::StringAttr takeName(mlir::Location loc, mlir::Location &rest);

} // namespace pypto::pl

#endif
