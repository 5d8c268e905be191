// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_TILE_IR_TILEDIALECT_TD
#define PYPTO_DIALECT_TILE_IR_TILEDIALECT_TD

include "pypto/Dialect/PL/IR/PLBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::pypto::tile";
  let summary = "On-chip compute on tiles";
  let description = [{
    A tile is an SSA value in on-chip memory: it does not alias, its physical extents are static (symbols in
    `inline` functions only), dynamic sizes live in its valid shape only. Reading outside the valid shape is
    undefined; `tile.fillpad` defines it. Memory spaces are part of the type once they are known.

    Loads and stores are the bridge to tensors in global memory; synchronisation, pipes and block indices
    are here too, since they belong to the cores.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::pypto::pl::PLDialect"];
  let extraClassDeclaration = "void registerTypes();";
}

#endif
