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
  let description = [{
    Requires: nothing. Produces: `SSAForm`.

    Replaces each `pl.get` by the value that the variable has there, through `scf.for`, both regions of `scf.while`,
    `scf.if`, `scf.index_switch`, `scf.execute_region`, `pl.at`, `pl.cluster`, `pl.graph` and `orchestration.scope`.
    A variable that such an operation binds becomes one of its results, or is carried by the loop, only if it may
    be read afterwards (by the next iteration, too); an `else` is made where it is missing. A function without
    variables stays as it is, and so does everything that no variable goes through. Promoted values get
    the variable's name as `NameLoc` unless they have a name.

    ```mlir
    pl.func @sum(%n: index) -> index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %s = pl.var "s" = %c0 : index
      scf.for %i = %c0 to %n step %c1 {
        %0 = pl.get %s : index
        %1 = arith.addi %0, %i : index
        pl.set %s, %1 : index
      }
      %2 = pl.get %s : index
      pl.return %2 : index
    }
    ```

    becomes

    ```mlir
    pl.func @sum(%n: index) -> index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %s = scf.for %i = %c0 to %n step %c1 iter_args(%s_0 = %c0) -> (index) {
        %s_1 = arith.addi %s_0, %i : index
        scf.yield %s_1 : index
      }
      pl.return %s : index
    }
    ```

    Types: a value keeps the type that it was bound with. A loop carries a variable under the type of its value
    before the loop; where branches differ an extent becomes `?`, and so does one that names a `pl.symbol` of a block
    that ends. `pl.cast_shape` and `tile.cast_valid` make up the difference.

    Launches (`pl.spmd`, `pl.split_aiv`) run their body many times, so a variable from outside means the same
    afterwards as before: it may be bound to another name of the same handle, or not be read afterwards.

    Errors: a read that may come before the first binding (a loop may make no trip); a value whose type does not fit
    the one before the loop; another handle bound in a launch; variables passed to calls or parameters that are
    variables (run `--inline-functions` before); a binding inside any other operation with regions.

    The cost is linear in the size of the module, the values that are added, and the accesses times the depth of
    their nesting.
  }];
  let dependentDialects = ["::pypto::pl::PLDialect", "::pypto::tile::TileDialect"];
}

def NormalizeReturnOrder : PyptoPass<"normalize-return-order"> {
  let summary = "Make kernels return their out parameters in the order of declaration";
  let dependentDialects = ["::pypto::pl::PLDialect"];
}

#endif
