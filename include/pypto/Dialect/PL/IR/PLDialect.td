// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_PL_IR_PLDIALECT_TD
#define PYPTO_DIALECT_PL_IR_PLDIALECT_TD

include "mlir/IR/OpBase.td"

def PL_Dialect : Dialect {
  let name = "pl";
  let cppNamespace = "::pypto::pl";
  let summary = "Programs: functions, tensors in global memory, variables, placement scopes";
  let description = [{
    `pl` is the dialect in which programs are written. It has functions with a kind and parameter
    directions, tensors, variables as they are before SSA form, and scopes that place code on a part of
    the machine.

    **A tensor is a handle** to storage in global memory. Writing through it is visible to everyone who
    holds a handle to the same storage, and a read is ordered by program order: reading `%b` after
    `tile.store %m, %b` sees the store. The result of a write is only another name for its destination
    (`StorageAliasOpInterface`).

    **A variable is a cell** (`pl.var`, `pl.get`, `pl.set`). A name that is bound once needs none: it is an
    SSA value. `--convert-to-ssa` removes cells.

    **Extents may be symbolic.** A symbol is declared by standing alone as an extent of a parameter, or by
    `pl.symbol`; two equal names in one scope are the same number, two `?` are never known to be equal.

    `pl` has no loops, branches or scalar arithmetic of its own: `scf`, `arith` and `math` serve.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    void registerOps();
  }];
}

#endif
