// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_PL_IR_SCOPEOPS_TD
#define PYPTO_DIALECT_PL_IR_SCOPEOPS_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "pypto/Dialect/PL/IR/PLBase.td"

def PL_YieldOp : PL_Op<"yield", [Pure, ReturnLike, Terminator]> {
  let summary = "Ends a scope";
  let description = [{
    The values become the results of the scope.

    Example:

    ```mlir
    %r = pl.at core_group -> !pl.tensor<[16], f32> {
      pl.yield %a : !pl.tensor<[16], f32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` qualified(type($values)))? attr-dict";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
}

/// A region that runs once, in place, and yields its results.
class PL_ScopeOp<string mnemonic, list<Trait> traits = []> : PL_Op<mnemonic, traits # [
    SingleBlockImplicitTerminator<"::pypto::pl::YieldOp">, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let regions = (region SizedRegion<1>:$body);
}

def PL_AtOp : PL_ScopeOp<"at"> {
  let summary = "Places code at a level of the machine";
  let description = [{
    Runs its body at `level`. `--outline-incore-scopes` makes a kernel of a `core_group` scope. `dumps` are
    the values that the author marked for dumping.

    - C1: the yielded values have the types of the results;
    - C2: the body has no arguments.

    Example:

    ```mlir
    %r = pl.at core_group -> !pl.tensor<[16], f32> {
      %0 = pl.add %a, %a : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
      pl.yield %0 : !pl.tensor<[16], f32>
    }
    ```
  }];
  let arguments = (ins PL_LevelAttr:$level, OptionalAttr<PL_RoleAttr>:$role,
    OptionalAttr<PL_SplitModeAttr>:$split, OptionalAttr<StrAttr>:$name_hint, Variadic<AnyType>:$dumps);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    `` $level (`role` `` $role^)? (`split` `` $split^)? (`name` $name_hint^)? (`dumps` `(` $dumps^ `:` qualified(type($dumps)) `)`)?
    (`->` qualified(type($results))^)? attr-dict-with-keyword custom<ScopeBody>($body)
  }];
  let hasVerifier = 1;
}

def PL_ClusterOp : PL_ScopeOp<"cluster"> {
  let summary = "Runs its body on one group of cores";
  let description = [{
    - C1: the yielded values have the types of the results;
    - C2: the body has no arguments.

    Example: `pl.cluster { }`
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$name_hint, Variadic<AnyType>:$dumps);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    (`name` $name_hint^)? (`dumps` `(` $dumps^ `:` qualified(type($dumps)) `)`)? (`->` qualified(type($results))^)?
    attr-dict-with-keyword custom<ScopeBody>($body)
  }];
  let hasVerifier = 1;
}

def PL_GraphOp : PL_ScopeOp<"graph"> {
  let summary = "A part of an orchestration that can be recorded and replayed";
  let description = [{
    - C1: the yielded values have the types of the results;
    - C2: the body has no arguments.

    Example: `pl.graph { }`
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$name_hint, Variadic<AnyType>:$dumps);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    (`name` $name_hint^)? (`dumps` `(` $dumps^ `:` qualified(type($dumps)) `)`)? (`->` qualified(type($results))^)?
    attr-dict-with-keyword custom<ScopeBody>($body)
  }];
  let hasVerifier = 1;
}

def PL_SpmdOp : PL_ScopeOp<"spmd"> {
  let summary = "Runs its body once for each block of a launch";
  let description = [{
    The region argument is the block's index, from 0 to the launch count. Blocks may run at the same time,
    in any order. What a launch yields is a handle:

    - C1: the count is not a negative constant;
    - C2: the yielded values have the types of the results, which are tensors;
    - C3: the body has one argument of type `index`.

    Example:

    ```mlir
    pl.spmd (%i) in (%n) {
      %r = tile.store %t, %x[%i, 0] : !tile.tile<[1, 64], f32>, !pl.tensor<[N, 64], f32>
    }
    ```
  }];
  let arguments = (ins Index:$count, UnitAttr:$sync_start, OptionalAttr<StrAttr>:$name_hint, Variadic<AnyType>:$dumps);
  let results = (outs Variadic<PL_TensorType>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def PL_SplitAivOp : PL_ScopeOp<"split_aiv"> {
  let summary = "Runs its body on each of a pair of vector cores";
  let description = [{
    The region argument is the core's index within its pair. A region of this kind never has a dump mark.

    - C1: it yields nothing: each core runs a body of its own;
    - C2: the body has one argument of type `index`.

    Example: `pl.split_aiv up_down (%i) { }`
  }];
  let arguments = (ins PL_SplitModeAttr:$mode);
  let results = (outs);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif
