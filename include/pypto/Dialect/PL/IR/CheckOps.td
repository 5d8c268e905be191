// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks at run time.
#ifndef PYPTO_DIALECT_PL_IR_CHECKOPS_TD
#define PYPTO_DIALECT_PL_IR_CHECKOPS_TD

include "pypto/Dialect/PL/IR/PLBase.td"

def PL_CheckOp : PL_Op<"check", [MemoryEffects<[MemRead, MemWrite<PL_TrapResource>]>]> {
  let summary = "Ends the run with an error unless a condition holds";
  let description = [{
    `--convert-pypto-to-linalg=check-bounds` puts one before each operation that might access what does not exist. The
    operands are the condition, the number that was checked and the number that it was checked against; `kind` says how
    the error relates the two:

    | kind | the error expects |
    |---|---|
    | `index` | an index of dimension `dim` from 0 to below the limit |
    | `range` | a number from 0 to the limit |
    | `equal` | the limit |
    | `at_least` | the limit or more |
    | `one_or` | 1 or the limit |
    | `multiple_of` | a multiple of the limit |

    `subject` is what the number is, `of` the operation of the program, and `at` its place there. It reads all memory and
    writes a resource of its own, so nothing erases it, and no write moves over it. One whose condition is constant and
    true folds away.

    - C1: an index has a dimension and no subject, everything else a subject and no dimension.

    Example: `pl.check index %ok, %i, %n dim 0 of "tile.load" at "program.mlir:3:8"`, or
    `pl.check at_least %ok, %m, %zero subject "dimension 0" of "pl.create" at "program.mlir:3:8"`
  }];
  let arguments = (ins PL_CheckKindAttr:$kind, I1:$condition, Index:$actual, Index:$limit,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$dim, OptionalAttr<StrAttr>:$subject, StrAttr:$op_name,
    StrAttr:$location);
  let assemblyFormat = [{
    `` $kind $condition `,` $actual `,` $limit (`dim` $dim^)? (`subject` $subject^)? `of` $op_name `at` $location
    attr-dict
  }];
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

#endif
