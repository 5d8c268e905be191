// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_PL_TRANSFORMS_PASSES_H
#define PYPTO_DIALECT_PL_TRANSFORMS_PASSES_H

#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"
#include "pypto/Dialect/PL/IR/PLOps.h"
#include "pypto/Dialect/Tile/IR/TileOps.h"
#include "pypto/Properties/Properties.h"

namespace pypto::pl {

/// Name of the attribute on a call or submit that says which operation it has been, for messages.
inline constexpr llvm::StringLiteral kOutlinedAttrName = "pl.outlined";

#define GEN_PASS_DECL
#include "pypto/Dialect/PL/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pypto/Dialect/PL/Transforms/Passes.h.inc"

} // namespace pypto::pl

#endif
