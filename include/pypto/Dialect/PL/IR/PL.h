// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_PL_IR_PL_H
#define PYPTO_DIALECT_PL_IR_PL_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "pypto/Dialect/PL/IR/PLDialect.h.inc"
#include "pypto/Dialect/PL/IR/PLEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "pypto/Dialect/PL/IR/PLAttrs.h.inc"

#include "pypto/Interfaces/ExtentTypeInterface.h.inc"

#define GET_TYPEDEF_CLASSES
#include "pypto/Dialect/PL/IR/PLTypes.h.inc"

namespace pypto::pl {

/// Name of the discardable attribute on `scf.for` that holds a `#pl.loop`.
inline constexpr llvm::StringLiteral kLoopAttrName = "pl.loop";
/// Name of the unit attribute on functions whose tensor parameters never alias.
inline constexpr llvm::StringLiteral kNoAliasAttrName = "pl.noalias";
/// Name of the attribute on functions that tells where their results went when they were reordered:
/// what was result k is result `permutation[k]` now. Absent if no result moved.
inline constexpr llvm::StringLiteral kReturnPermutationAttrName = "pl.return_permutation";

/// Effects on the cells of variables.
struct CellResource : mlir::SideEffects::Resource::Base<CellResource> {
  llvm::StringRef getName() final { return "pl.cell"; }
};
/// Effects of binding a symbolic extent.
struct SymbolResource : mlir::SideEffects::Resource::Base<SymbolResource> {
  llvm::StringRef getName() final { return "pl.symbol"; }
};

/// What a failed check does: ends the run.
struct TrapResource : mlir::SideEffects::Resource::Base<TrapResource> {
  llvm::StringRef getName() final { return "pl.trap"; }
};

} // namespace pypto::pl

#endif
