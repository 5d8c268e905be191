// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements by index, and sorting.
#ifndef PYPTO_DIALECT_PL_IR_INDEXINGOPS_TD
#define PYPTO_DIALECT_PL_IR_INDEXINGOPS_TD

include "pypto/Dialect/PL/IR/StorageOps.td"

def PL_GatherOp : PL_InferredComputeOp<"gather"> {
  let summary = "Takes elements by index along one dimension";
  let description = [{
    `result[i, j] = source[i, indices[i, j]]` for `dim = 1`, and so on. Undefined if an index is out of range.

    - C1: the ranks are equal, and no extent of `indices` is greater than that of the source, but for that of `dim`;
    - C2: `dim` is less than the rank;
    - C3: the indices are integers of more than one bit, or `index`.

    Example: `%r = pl.gather %a, %i dim 1 : !pl.tensor<[16, N], f32>, !pl.tensor<[16, 8], i32>`
  }];
  let arguments = (ins Arg<PL_TensorType, "", [MemRead]>:$source, Arg<PL_TensorType, "", [MemRead]>:$indices, I64Attr:$dim);
  let assemblyFormat = "$source `,` $indices `dim` $dim attr-dict `:` qualified(type($source)) `,` qualified(type($indices))";
  let extraClassDefinition = PL_Infer<"::pypto::pl::inferGather(loc, adaptor.getSource().getType(), adaptor.getIndices().getType(), adaptor.getDim(), types)">.body;
}

def PL_ScatterOp : PL_WriteOp<"scatter", [AllTypesMatch<["destination", "result"]>]> {
  let summary = "Puts elements by index along one dimension";
  let description = [{
    `destination[i, indices[i, j]] = source[i, j]` for `dim = 1`, and so on, in row-major order: of two elements
    with one index the later one stays. The result is another name of the destination. Undefined if an index is out
    of range.

    - C1: the extents of `source` and `indices` are equal;
    - C2: the rank of the destination is theirs, and none of its extents is less, but for that of `dim`;
    - C3: the source has the destination's element type;
    - C4: `dim` is less than the rank;
    - C5: the indices are integers of more than one bit, or `index`.

    Example: `%r = pl.scatter %s, %i, %a dim 1 : !pl.tensor<[16, 8], f32>, !pl.tensor<[16, 8], i32>, !pl.tensor<[16, N], f32>`
  }];
  let arguments = (ins Arg<PL_TensorType, "", [MemRead]>:$source, Arg<PL_TensorType, "", [MemRead]>:$indices,
    Arg<PL_TensorType, "", [MemWrite]>:$destination, I64Attr:$dim);
  let results = (outs PL_TensorType:$result);
  let assemblyFormat = [{
    $source `,` $indices `,` $destination `dim` $dim attr-dict
    `:` qualified(type($source)) `,` qualified(type($indices)) `,` qualified(type($destination))
  }];
  let hasVerifier = 1;
}

def PL_ScatterUpdateOp : PL_WriteOp<"scatter_update", [AllTypesMatch<["destination", "result"]>]> {
  let summary = "Replaces rows by index";
  let description = [{
    Row `indices[k]` of the destination becomes row k of the source, k running over the indices in row-major order:
    of two rows with one index the later one stays. The result is another name of the destination. Undefined if an
    index is out of range.

    - C1: source and destination are of rank two, with equal second extents;
    - C2: the source has the destination's element type;
    - C3: there are as many indices as the source has rows;
    - C4: the indices are integers of more than one bit, or `index`.

    Example: `%r = pl.scatter_update %s, %i, %a : !pl.tensor<[8, 64], f32>, !pl.tensor<[2, 4], i32>, !pl.tensor<[N, 64], f32>`
  }];
  let arguments = (ins Arg<PL_TensorType, "", [MemRead]>:$source, Arg<PL_TensorType, "", [MemRead]>:$indices,
    Arg<PL_TensorType, "", [MemWrite]>:$destination);
  let results = (outs PL_TensorType:$result);
  let assemblyFormat = [{
    $source `,` $indices `,` $destination attr-dict
    `:` qualified(type($source)) `,` qualified(type($indices)) `,` qualified(type($destination))
  }];
  let hasVerifier = 1;
}

/// Values and the indices that travel with them.
class PL_SortOp<string mnemonic> : PL_Op<mnemonic, [InferTypeOpAdaptor]> {
  let results = (outs Res<PL_TensorType, "", [MemAlloc, MemWrite]>:$sorted_values,
    Res<PL_TensorType, "", [MemAlloc, MemWrite]>:$sorted_indices);
}

def PL_Sort32Op : PL_SortOp<"sort32"> {
  let summary = "Sorts each run of 32 elements along the last dimension, the greatest first";
  let description = [{
    Gives the sorted values, and with each its index: its element of `indices`, or, without these, its position
    along the last dimension as `i32`. Equal values keep their order; a NaN is greater than any number.

    - C1: the last extent is a multiple of 32, and valid as a whole;
    - C2: `indices` has the extents of the values;
    - C3: the indices are 32-bit integers; the values are not `i1`.

    Example: `%v, %i = pl.sort32 %a : !pl.tensor<[4, 64], f32>`, or `%v, %i = pl.sort32 %a, %b : !pl.tensor<[4, 64], f32>, !pl.tensor<[4, 64], i32>`
  }];
  let arguments = (ins Arg<PL_TensorType, "", [MemRead]>:$values, Arg<Optional<PL_TensorType>, "", [MemRead]>:$indices);
  let assemblyFormat = [{
    $values (`,` $indices^)? attr-dict `:` qualified(type($values)) (`,` qualified(type($indices))^)?
  }];
  let extraClassDefinition = PL_Infer<[{::pypto::pl::inferSort32(loc, adaptor.getValues().getType(),
          adaptor.getIndices() ? adaptor.getIndices().getType() : ::mlir::Type(), types)}]>.body;
}

def PL_MrgsortOp : PL_SortOp<"mrgsort"> {
  let summary = "Merges each four sorted runs along the last dimension into one, the greatest first";
  let description = [{
    The last dimension is a sequence of runs of `run` elements, each sorted as by `pl.sort32`. Four neighbours become
    one run of `4 * run`; at the end there may be fewer. Equal values keep their order; the indices travel with
    the values.

    - C1: `run` is positive, and the last extent a multiple of it that is valid as a whole;
    - C2: `indices` has the extents of the values;
    - C3: the indices are 32-bit integers; the values are not `i1`.

    Example: `%v, %i = pl.mrgsort %a, %b run 32 : !pl.tensor<[4, 128], f32>, !pl.tensor<[4, 128], i32>`
  }];
  let arguments = (ins Arg<PL_TensorType, "", [MemRead]>:$values, Arg<PL_TensorType, "", [MemRead]>:$indices, I64Attr:$run);
  let assemblyFormat = [{
    $values `,` $indices `run` $run attr-dict `:` qualified(type($values)) `,` qualified(type($indices))
  }];
  let extraClassDefinition = PL_Infer<"::pypto::pl::inferMergeSort(loc, adaptor.getValues().getType(), adaptor.getIndices().getType(), adaptor.getRun(), types)">.body;
}

#endif
