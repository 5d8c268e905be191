// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products of the cube unit.
#ifndef PYPTO_DIALECT_TILE_IR_MATMULOPS_TD
#define PYPTO_DIALECT_TILE_IR_MATMULOPS_TD

include "pypto/Dialect/Tile/IR/TileBase.td"

def Tile_MatmulOp : Tile_InferredOp<"matmul"> {
  let summary = "Matrix product";
  let description = [{
    `[…, M, K]` times `[…, K, N]`; dimensions before the last two are batches and broadcast. The sum runs over the
    smaller of the two valid extents of K, in no fixed order. Floats give `f32` (`f64` if an operand is `f64`),
    integers give `i32` and wrap (`i64` if an operand has 64 bits). The result is in `acc` once both operands have a
    space.

    - C1: both operands have at least two dimensions;
    - C2: the extents of K agree;
    - C3: the batches broadcast;
    - C4: both element types are floats, or both are integers that are neither `i1` nor `index`;
    - C5: `lhs` is not in `right`, `acc` or `bias`, and `rhs` not in `left`, `acc` or `bias`.

    Example: `%r = tile.matmul %a, %b : !tile.tile<[16, 64], f16, left>, !tile.tile<[64, 32], f16, right>`
  }];
  let arguments = (ins Tile_TileType:$lhs, Tile_TileType:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` qualified(type($lhs)) `,` qualified(type($rhs))";
  let extraClassDefinition = symbolicSpeculatability #
    PL_Infer<"::pypto::tile::inferMatmul(loc, adaptor.getLhs().getType(), adaptor.getRhs().getType(), types)">.body;
}

def Tile_MatmulAccOp : Tile_PureOp<"matmul_acc", [AllTypesMatch<["acc", "result"]>,
    DeclareOpInterfaceMethods<TiedOperandOpInterface>]> {
  let summary = "Matrix product added to an accumulator";
  let description = [{
    `acc + lhs * rhs`, computed in the place of `acc`. If `init` is given and true, what `acc` holds counts as zero.
    Otherwise as `tile.matmul`.

    - C1 to C5: as for `tile.matmul`;
    - C6: `acc` has the extents and the element type of the product, and is in `acc` if it is in a space.

    Example: `%r = tile.matmul_acc %acc, %a, %b : !tile.tile<[16, 32], f32, acc>, !tile.tile<[16, 64], f16, left>, !tile.tile<[64, 32], f16, right>`
  }];
  let arguments = (ins Tile_TileType:$acc, Tile_TileType:$lhs, Tile_TileType:$rhs, Optional<I1>:$init);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = [{
    $acc `,` $lhs `,` $rhs (`init` $init^)? attr-dict
    `:` qualified(type($acc)) `,` qualified(type($lhs)) `,` qualified(type($rhs))
  }];
  let extraClassDefinition = symbolicSpeculatability # [{
    ::mlir::OpOperand *$cppClass::getTiedOperand(::mlir::OpResult) { return &getAccMutable(); }
  }];
  let hasVerifier = 1;
}

def Tile_MatmulBiasOp : Tile_InferredOp<"matmul_bias"> {
  let summary = "Matrix product plus one row";
  let description = [{
    `lhs * rhs + bias`, the bias being added to each row. Otherwise as `tile.matmul`.

    - C1 to C5: as for `tile.matmul`;
    - C6: the bias is `[1, N]` with the element type of the product, and in `bias` if it is in a space.

    Example: `%r = tile.matmul_bias %a, %b, %c : !tile.tile<[16, 64], f16, left>, !tile.tile<[64, 32], f16, right>, !tile.tile<[1, 32], f32, bias>`
  }];
  let arguments = (ins Tile_TileType:$lhs, Tile_TileType:$rhs, Tile_TileType:$bias);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $bias attr-dict `:` qualified(type($lhs)) `,` qualified(type($rhs)) `,` qualified(type($bias))
  }];
  let extraClassDefinition = symbolicSpeculatability #
    PL_Infer<"::pypto::tile::inferMatmulBias(loc, adaptor.getLhs().getType(), adaptor.getRhs().getType(), adaptor.getBias().getType(), types)">.body;
}

#endif
