// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_PL_TRANSFORMS_PASSES_TD
#define PYPTO_DIALECT_PL_TRANSFORMS_PASSES_TD

include "pypto/Properties/PassBase.td"

def InlineFunctions : PyptoPass<"inline-functions"> {
  let summary = "Expand calls of inline functions and remove those functions";
  let description = [{
    Replaces each `pl.call` of an `inline` function by a copy of the function's body, and removes those
    functions, public ones too. Requires nothing; ensures `InlineFunctionsEliminated`. A submit of an inline
    function is no call: it stays, and the property reports it.

    **Parameters.** A value stands for the argument. A cell (`!pl.var<T>`: the body binds the name again)
    stands for the caller's cell if it is that of an array, of an `out` or `inout` scalar, or of a tensor or
    tile whose every `pl.set` in the body provably keeps the storage. Otherwise, and where the caller has no
    cell but a value, it is a cell of its own, made once before the body and starting with the argument: so a
    helper that binds its parameter to something else does not bind the caller's variable.

    **Names.** Variables and named values of a copy are called `<name>_inline<n>`; one counter in program
    order. Symbols that the body binds are renamed the same way.

    **Types.** The symbols of the callee stand for the extents of the arguments, operand by operand;
    result types are inferred again where operands changed, up to the users of the call's results. A type
    that an operation has to spell (`pl.create`) and that names a symbol with two meanings, or with none, is
    an error at the call.

    **Results.** A use of a result becomes a use of what the body returns. A `pl.set` that would bind the
    caller's variable to the value that it has is left out; nothing else is deleted, folded or merged.

    **Dump marks** of a call follow the argument to the scopes, calls and submits of the body that use it.

    Recursion, and an expansion by more than `max-ops` operations, are errors before anything is changed.
    One walk over each caller, linear in the operations that it makes; each callee is analysed once.

    Before:

    ```mlir
    pl.func inline @square(%x: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
      %y = pl.mul %x, %x : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
      pl.return %y : !pl.tensor<[16], f32>
    }
    pl.func @main(%a: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
      %z = pl.call @square(%a) : (!pl.tensor<[16], f32>) -> !pl.tensor<[16], f32>
      pl.return %z : !pl.tensor<[16], f32>
    }
    ```

    After:

    ```mlir
    pl.func @main(%a: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
      %y_inline0 = pl.mul %a, %a : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
      pl.return %y_inline0 : !pl.tensor<[16], f32>
    }
    ```
  }];
  let options = [Option<"maxOps", "max-ops", "uint64_t", "4194304",
    "Most operations that expanding calls may add to the module">];
  let dependentDialects = ["::pypto::pl::PLDialect", "::pypto::tile::TileDialect"];
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
