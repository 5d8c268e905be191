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

def Tile_Pipe : I32EnumAttr<"Pipe", "unit of a core that runs instructions in order", [
    I32EnumAttrCase<"S", 0, "s">, I32EnumAttrCase<"V", 1, "v">, I32EnumAttrCase<"M", 2, "m">,
    I32EnumAttrCase<"MTE1", 3, "mte1">, I32EnumAttrCase<"MTE2", 4, "mte2">, I32EnumAttrCase<"MTE3", 5, "mte3">,
    I32EnumAttrCase<"Fix", 6, "fix">, I32EnumAttrCase<"All", 7, "all">]> {
  let cppNamespace = "::pypto::tile";
  let genSpecializedAttr = 0;
}

def Tile_NotifyKind : I32EnumAttr<"NotifyKind", "how a notification changes a signal", [
    I32EnumAttrCase<"Set", 0, "set">, I32EnumAttrCase<"Add", 1, "add">]> {
  let cppNamespace = "::pypto::tile";
  let genSpecializedAttr = 0;
}

#endif
