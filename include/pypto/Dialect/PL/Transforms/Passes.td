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
    pl.func inline @helper(%x: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
      %y = pl.mul %x, %x : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
      pl.return %y : !pl.tensor<[16], f32>
    }
    pl.func @single_call(%a: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
      %z = pl.call @helper(%a) : (!pl.tensor<[16], f32>) -> !pl.tensor<[16], f32>
      pl.return %z : !pl.tensor<[16], f32>
    }
    ```

    After:

    ```mlir
    pl.func @single_call(%a: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
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
  let description = [{
    Requires `SplitIncoreOrch` and `IncoreTileOps`; ensures `ReturnParamsExplicit`; invalidates nothing. Works
    before and after `--convert-to-ssa`, with the same result.

    **A0.** In kernels (`incore`, `aic`, `aiv`) and in `group`, `spmd` and `graph` functions a returned value that
    writes back a parameter becomes the parameter: it is the parameter's storage on every path, has exactly its
    type, and no other valid shape. The trace goes through results that alias an operand, variables, loops,
    branches, scopes, and through calls and submits by summaries of the callees. Views end it, and in a `graph`
    function merges of branches, too. Scalars and tensors that the function allocates stay what they are.

    **A.** In kernels the results that are storage of an `out` or `inout` parameter, under whatever type, take the
    order of these parameters. Other results keep their positions. A kernel with more such parameters than
    results, or in which two results would meet, keeps its order. What was result k is result `permutation[k]`;
    the attribute `pl.return_permutation` on the kernel keeps the way from the order as written.

    **B.** The results of every call and submit of a reordered kernel move along, and each use stays with its
    value. The task of a submit stays the last result.

    One walk over each function and one over all calls: linear in the size of the module. Declarations are left
    alone. A second run changes nothing.

    Before:

    ```mlir
    pl.func incore @kernel(%x: !pl.tensor<[16], f32>, out %a: !pl.tensor<[16], f32>, out %b: !pl.tensor<[16], i32>)
        -> (!pl.tensor<[16], i32>, !pl.tensor<[16], f32>) {
      %t = tile.load %x[0] : !pl.tensor<[16], f32> -> !tile.tile<[16], f32>
      %u = tile.cast %t to i32 : !tile.tile<[16], f32>
      %rb = tile.store %u, %b[0] : !tile.tile<[16], i32>, !pl.tensor<[16], i32>
      %ra = tile.store %t, %a[0] : !tile.tile<[16], f32>, !pl.tensor<[16], f32>
      pl.return %rb, %ra : !pl.tensor<[16], i32>, !pl.tensor<[16], f32>
    }
    pl.func orchestration @main(%x: !pl.tensor<[16], f32>, out %a: !pl.tensor<[16], f32>, out %b: !pl.tensor<[16], i32>)
        -> (!pl.tensor<[16], f32>, !pl.tensor<[16], i32>) {
      %r:2 = pl.call @kernel(%x, %a, %b) : (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>, !pl.tensor<[16], i32>)
          -> (!pl.tensor<[16], i32>, !pl.tensor<[16], f32>)
      pl.return %r#1, %r#0 : !pl.tensor<[16], f32>, !pl.tensor<[16], i32>
    }
    ```

    After:

    ```mlir
    pl.func incore @kernel(%x: !pl.tensor<[16], f32>, out %a: !pl.tensor<[16], f32>, out %b: !pl.tensor<[16], i32>)
        -> (!pl.tensor<[16], f32>, !pl.tensor<[16], i32>) attributes {pl.return_permutation = array<i64: 1, 0>} {
      %t = tile.load %x[0] : !pl.tensor<[16], f32> -> !tile.tile<[16], f32>
      %u = tile.cast %t to i32 : !tile.tile<[16], f32>
      %rb = tile.store %u, %b[0] : !tile.tile<[16], i32>, !pl.tensor<[16], i32>
      %ra = tile.store %t, %a[0] : !tile.tile<[16], f32>, !pl.tensor<[16], f32>
      pl.return %a, %b : !pl.tensor<[16], f32>, !pl.tensor<[16], i32>
    }
    pl.func orchestration @main(%x: !pl.tensor<[16], f32>, out %a: !pl.tensor<[16], f32>, out %b: !pl.tensor<[16], i32>)
        -> (!pl.tensor<[16], f32>, !pl.tensor<[16], i32>) {
      %r:2 = pl.call @kernel(%x, %a, %b) : (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>, !pl.tensor<[16], i32>)
          -> (!pl.tensor<[16], f32>, !pl.tensor<[16], i32>)
      pl.return %r#0, %r#1 : !pl.tensor<[16], f32>, !pl.tensor<[16], i32>
    }
    ```
  }];
  let dependentDialects = ["::pypto::pl::PLDialect"];
}

def InferNoAlias : PyptoPass<"infer-noalias"> {
  let summary = "Mark private functions whose tensor arguments never alias";
  let description = [{
    Sets `pl.noalias` on a private function if each of its uses is a call or a submit that passes tensors of
    different storage, and if there is one. Two views of one tensor count as the same storage. Callers that get
    the mark vouch for their own parameters. Requires and ensures no property; looks at each call at most twice.

    Before:

    ```mlir
    pl.func private incore @kernel(%x: !pl.tensor<[16], f32>, out %y: !pl.tensor<[16], f32>) {
      pl.return
    }
    pl.func @main(%x: !pl.tensor<[16], f32>) {
      %y = pl.create : !pl.tensor<[16], f32>
      pl.call @kernel(%x, %y) : (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) -> ()
      pl.return
    }
    ```

    After, `@main` being the same:

    ```mlir
    pl.func private incore @kernel(%x: !pl.tensor<[16], f32>, out %y: !pl.tensor<[16], f32>) attributes {pl.noalias} {
      pl.return
    }
    ```
  }];
  let dependentDialects = ["::pypto::pl::PLDialect"];
}

def OutlineScopes : PyptoPass<"outline-scopes"> {
  let summary = "Make kernels of the scopes of cores in host functions";
  let description = [{
    Requires `InlineFunctionsEliminated` and `SSAForm`; invalidates `IncoreTileOps`, as a scope may compute on tensors.

    In functions that run on the host (without a kind, `orchestration`, `graph`) the body of a `pl.at` at the level of
    cores, of a `pl.cluster` and of a `pl.spmd` becomes a private function, which is called where the scope stood; of a
    `pl.spmd` the call is a submit of as many blocks. On the CPU it is then a task. What the body takes from outside are
    arguments, `inout` if the body may write them; constants are copied. Of a tensor of which the body loads and stores one
    window, always and at a place that is known outside, the argument is that window. A tensor that the body makes and yields is made
    in front of it. The function is named by `name_hint`, or after its host; `pl.outlined` on the call says what it was.

    A scope stays where it is, its body being looked at, if

    - it stands in an `orchestration.scope manual`, where nothing would say what it waits for, or in a `pl.split_aiv`;
    - it makes or names tasks, calls a host function, defers a wait, or has a launch inside; a launch also if it calls
      kernels;
    - it takes in anything else than tensors, scalars and arrays;
    - it yields anything else than tensors of the code around, and new tensors of extents that are known around it.

    One walk over each function.

    Before:

    ```mlir
    pl.func @main(%x: !pl.tensor<[16], f32>, out %y: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
      %r = pl.at core_group -> !pl.tensor<[16], f32> {
        %t = tile.load %x[0] : !pl.tensor<[16], f32> -> !tile.tile<[16], f32>
        %s = tile.store %t, %y[0] : !tile.tile<[16], f32>, !pl.tensor<[16], f32>
        pl.yield %s : !pl.tensor<[16], f32>
      }
      pl.return %r : !pl.tensor<[16], f32>
    }
    ```

    After:

    ```mlir
    pl.func private incore @main_incore_0(%x: !pl.tensor<[16], f32>, inout %y: !pl.tensor<[16], f32>) {
      %t = tile.load %x[0] : !pl.tensor<[16], f32> -> !tile.tile<[16], f32>
      %s = tile.store %t, %y[0] : !tile.tile<[16], f32>, !pl.tensor<[16], f32>
      pl.return
    }
    pl.func @main(%x: !pl.tensor<[16], f32>, out %y: !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32> {
      pl.call @main_incore_0(%x, %y) {pl.outlined = "pl.at"} : (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>) -> ()
      pl.return %y : !pl.tensor<[16], f32>
    }
    ```
  }];
  let dependentDialects = ["::pypto::pl::PLDialect", "::pypto::tile::TileDialect",
                           "::pypto::orchestration::OrchestrationDialect"];
}

#endif
