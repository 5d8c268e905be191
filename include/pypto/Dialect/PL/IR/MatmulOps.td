// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products.
#ifndef PYPTO_DIALECT_PL_IR_MATMULOPS_TD
#define PYPTO_DIALECT_PL_IR_MATMULOPS_TD

include "pypto/Dialect/PL/IR/PLBase.td"

def PL_MatmulOp : PL_InferredComputeOp<"matmul"> {
  let summary = "Matrix product";
  let description = [{
    `lhs` is `[…, M, K]` (`a_trans`: `[…, K, M]`), `rhs` is `[…, K, N]` (`b_trans`: `[…, N, K]`), the result
    `[…, M, N]`. Dimensions before the last two are batches and broadcast. The sum runs over the smaller of the
    two valid extents of K, in no fixed order.

    The elements are those of `element_type`, by default the promoted type. Floats are summed in `f32` (`f64` if an
    operand is `f64`) and rounded once; integers wrap in the result's type.

    - C1: both operands have at least two dimensions;
    - C2: the extents of K agree;
    - C3: the batches broadcast;
    - C4: the element types are not `i1` and promote;
    - C5: the result's element type is a float type if the promoted type is one, else an integer type.

    Example: `%r = pl.matmul %a, %b b_trans to f32 : !pl.tensor<[M, 64], f16>, !pl.tensor<[32, 64], f16>`
  }];
  let arguments = (ins Arg<PL_TensorType, "", [MemRead]>:$lhs, Arg<PL_TensorType, "", [MemRead]>:$rhs,
    UnitAttr:$a_trans, UnitAttr:$b_trans, OptionalAttr<TypeAttr>:$element_type);
  let assemblyFormat = [{
    $lhs `,` $rhs (`a_trans` $a_trans^)? (`b_trans` $b_trans^)? (`to` $element_type^)? attr-dict
    `:` qualified(type($lhs)) `,` qualified(type($rhs))
  }];
  let extraClassDefinition = PL_Infer<[{::pypto::pl::inferMatmul(loc, adaptor.getLhs().getType(), adaptor.getRhs().getType(),
          adaptor.getATrans(), adaptor.getBTrans(), adaptor.getElementType().value_or(::mlir::Type()), types)}]>.body;
}

def PL_MatmulAccOp : PL_Op<"matmul_acc", [AllTypesMatch<["acc", "result"]>,
    DeclareOpInterfaceMethods<StorageAliasOpInterface>]> {
  let summary = "Adds a matrix product to an accumulator";
  let description = [{
    Writes `acc + lhs * rhs` to the storage of `acc`, whose other name the result is. If `init` is given and true,
    what `acc` holds counts as zero. Otherwise as `pl.matmul`.

    - C1 to C4: as for `pl.matmul`;
    - C5: the element type of `acc` is a float type if the promoted type is one, else an integer type;
    - C6: the extents of `acc` are those of the product.

    Example: `%r = pl.matmul_acc %acc, %a, %b : !pl.tensor<[M, 32], f32>, !pl.tensor<[M, 64], f16>, !pl.tensor<[64, 32], f16>`
  }];
  let arguments = (ins Arg<PL_TensorType, "", [MemRead, MemWrite]>:$acc, Arg<PL_TensorType, "", [MemRead]>:$lhs,
    Arg<PL_TensorType, "", [MemRead]>:$rhs, Optional<I1>:$init, UnitAttr:$a_trans, UnitAttr:$b_trans);
  let results = (outs PL_TensorType:$result);
  let assemblyFormat = [{
    $acc `,` $lhs `,` $rhs (`init` $init^)? (`a_trans` $a_trans^)? (`b_trans` $b_trans^)? attr-dict
    `:` qualified(type($acc)) `,` qualified(type($lhs)) `,` qualified(type($rhs))
  }];
  let extraClassDefinition = [{
    ::mlir::OpOperand *$cppClass::getAliasedOperand(::mlir::OpResult) { return &getAccMutable(); }
  }];
  let hasVerifier = 1;
}

#endif
