// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By themselves: the generator writes every enum that it sees.
#ifndef PYPTO_DIALECT_TILE_IR_TILEENUMS_TD
#define PYPTO_DIALECT_TILE_IR_TILEENUMS_TD

include "mlir/IR/EnumAttr.td"

def Tile_MemorySpace : I32EnumAttr<"MemorySpace", "on-chip memory", [
    I32EnumAttrCase<"Any", 0, "any">, I32EnumAttrCase<"Vec", 1, "vec">, I32EnumAttrCase<"Mat", 2, "mat">,
    I32EnumAttrCase<"Left", 3, "left">, I32EnumAttrCase<"Right", 4, "right">,
    I32EnumAttrCase<"Acc", 5, "acc">, I32EnumAttrCase<"Bias", 6, "bias">]> {
  let cppNamespace = "::pypto::tile";
  let genSpecializedAttr = 0;
}
#endif
