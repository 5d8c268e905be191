// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_PL_TRANSFORMS_PASSES_TD
#define PYPTO_DIALECT_PL_TRANSFORMS_PASSES_TD

include "pypto/Properties/PassBase.td"

def InlineFunctions : PyptoPass<"inline-functions"> {
  let summary = "Expand calls of inline functions and remove those functions";
  let dependentDialects = ["::pypto::pl::PLDialect"];
}

def ConvertToSSA : PyptoPass<"convert-to-ssa"> {
  let summary = "Replace variables by SSA values";
  let dependentDialects = ["::pypto::pl::PLDialect", "::pypto::tile::TileDialect"];
}

def NormalizeReturnOrder : PyptoPass<"normalize-return-order"> {
  let summary = "Make kernels return their out parameters in the order of declaration";
  let dependentDialects = ["::pypto::pl::PLDialect"];
}

#endif
