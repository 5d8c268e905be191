// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_INTERFACES_ALIASINTERFACES_TD
#define PYPTO_INTERFACES_ALIASINTERFACES_TD

include "mlir/IR/OpBase.td"

def StorageAliasOpInterface : OpInterface<"StorageAliasOpInterface"> {
  let description = [{
    An operation one of whose results *is* the storage of one of its operands: the result is only another
    name for it. This is semantics, not an optimisation hint. Views (slices, reshapes) implement
    `ViewLikeOpInterface` instead; an operation has at most one of the two for a result.
  }];
  let cppNamespace = "::pypto";
  let methods = [InterfaceMethod<
    "Returns the operand whose storage `result` is, or null if the result is storage of its own.",
    "::mlir::OpOperand *", "getAliasedOperand", (ins "::mlir::OpResult":$result)>];
}

def TiedOperandOpInterface : OpInterface<"TiedOperandOpInterface"> {
  let description = [{
    An operation on tiles that hardware does in place: the result has to be placed where one operand is.
    Tiles are values, so this is a constraint on memory planning, met by a copy where it must, and never
    an alias.
  }];
  let cppNamespace = "::pypto";
  let methods = [InterfaceMethod<
    "Returns the operand in whose place `result` is computed, or null.",
    "::mlir::OpOperand *", "getTiedOperand", (ins "::mlir::OpResult":$result)>];
}

#endif
