// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of rows and columns, and their counterpart: a row or a column applied to a whole tile.
#ifndef PYPTO_DIALECT_TILE_IR_REDUCTIONOPS_TD
#define PYPTO_DIALECT_TILE_IR_REDUCTIONOPS_TD

include "pypto/Dialect/Tile/IR/TileBase.td"

/// Which dimension, counted from the last one, and how it is called.
class Tile_Axis<string n, string f, int e, string w, string u> {
  string name = n;
  string vector = f;
  int fromEnd = e;
  string words = w;
  string unit = u;
}
def Tile_Row : Tile_Axis<"row", "[64, 1]", 1, "the last dimension", "row">;
def Tile_Col : Tile_Axis<"col", "[1, 32]", 2, "the second to last dimension", "column">;

class Tile_ReductionOp<Tile_Axis axis, string kind, string text, string infer = "inferReduction">
    : Tile_InferredOp<axis.name # "_" # kind> {
  let summary = text # " of each " # axis.unit;
  let description = text # " of each " # axis.unit # ": reduces " # axis.words # [{, which
    stays as a dimension of size one. Only valid elements count. Sums and products of floats are of no fixed order.

    - C1: the source has }] # axis.words # [{;
    - C2: the elements are not `i1`.

    Example: `%r = tile.}] # axis.name # "_" # kind # [{ %a : !tile.tile<[64, 32], f32>`
  }];
  let arguments = (ins Tile_TileType:$source);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source))";
  let extraClassDefinition = symbolicSpeculatability #
    PL_Infer<"::pypto::pl::" # infer # "(loc, adaptor.getSource().getType(), " # axis.fromEnd # ", types)">.body;
}

def Tile_RowSumOp : Tile_ReductionOp<Tile_Row, "sum", "Sum (of nothing: 0)">;
def Tile_RowProdOp : Tile_ReductionOp<Tile_Row, "prod", "Product (of nothing: 1)">;
def Tile_RowMaxOp : Tile_ReductionOp<Tile_Row, "max", "Maximum (NaN if one is NaN; of nothing: the least value of the type)">;
def Tile_RowMinOp : Tile_ReductionOp<Tile_Row, "min", "Minimum (NaN if one is NaN; of nothing: the greatest value of the type)">;
def Tile_RowArgmaxOp : Tile_ReductionOp<Tile_Row, "argmax", "Position as `i32` of the first maximum (NaN counts as the maximum; of nothing: 0)", "inferArgReduction">;
def Tile_RowArgminOp : Tile_ReductionOp<Tile_Row, "argmin", "Position as `i32` of the first minimum (NaN counts as the minimum; of nothing: 0)", "inferArgReduction">;
def Tile_ColSumOp : Tile_ReductionOp<Tile_Col, "sum", "Sum (of nothing: 0)">;
def Tile_ColProdOp : Tile_ReductionOp<Tile_Col, "prod", "Product (of nothing: 1)">;
def Tile_ColMaxOp : Tile_ReductionOp<Tile_Col, "max", "Maximum (NaN if one is NaN; of nothing: the least value of the type)">;
def Tile_ColMinOp : Tile_ReductionOp<Tile_Col, "min", "Minimum (NaN if one is NaN; of nothing: the greatest value of the type)">;
def Tile_ColArgmaxOp : Tile_ReductionOp<Tile_Col, "argmax", "Position as `i32` of the first maximum (NaN counts as the maximum; of nothing: 0)", "inferArgReduction">;
def Tile_ColArgminOp : Tile_ReductionOp<Tile_Col, "argmin", "Position as `i32` of the first minimum (NaN counts as the minimum; of nothing: 0)", "inferArgReduction">;

/// `vector` repeated along its dimension of size one.
class Tile_ExpandOp<Tile_Axis axis> : Tile_InferredOp<axis.name # "_expand"> {
  let summary = "One vector repeated along " # axis.words;
  let description = "Repeats `vector` along " # axis.words # [{ until it has the extents of `target`, whose elements
    are not read.

    - C1: the extents of `vector` are those of `target`, but for }] # axis.words # [{, of which it has one element;
    - C2: the element types are equal;
    - C3: the memory spaces do not conflict.

    Example: `%r = tile.}] # axis.name # "_expand %a, %v : !tile.tile<[64, 32], f32>, !tile.tile<" # axis.vector # [{, f32>`
  }];
  let arguments = (ins Tile_TileType:$target, Tile_TileType:$vector);
  let assemblyFormat = "$target `,` $vector attr-dict `:` qualified(type($target)) `,` qualified(type($vector))";
  let extraClassDefinition = symbolicSpeculatability #
    PL_Infer<"::pypto::tile::inferExpand(loc, adaptor.getTarget().getType(), adaptor.getVector().getType(), " # axis.fromEnd # ", types)">.body;
}

/// source op vector.
class Tile_ExpandBinaryOp<Tile_Axis axis, string kind, string text, string infer = "inferExpandBinary">
    : Tile_InferredOp<axis.name # "_expand_" # kind> {
  let summary = text;
  let description = text # ", `vector` being repeated along " # axis.words # [{. The result has the extents of `source`.

    - C1: the extents of `vector` are those of `source`, but for }] # axis.words # [{, of which it has one element;
    - C2: the element types are equal (`expdif`: and a float type);
    - C3: the memory spaces do not conflict.

    Example: `%r = tile.}] # axis.name # "_expand_" # kind # " %a, %v : !tile.tile<[64, 32], f32>, !tile.tile<" # axis.vector # [{, f32>`
  }];
  let arguments = (ins Tile_TileType:$source, Tile_TileType:$vector);
  let assemblyFormat = "$source `,` $vector attr-dict `:` qualified(type($source)) `,` qualified(type($vector))";
  let extraClassDefinition = symbolicSpeculatability #
    PL_Infer<"::pypto::tile::" # infer # "(loc, adaptor.getSource().getType(), adaptor.getVector().getType(), " # axis.fromEnd # ", types)">.body;
}

def Tile_RowExpandOp : Tile_ExpandOp<Tile_Row>;
def Tile_RowExpandAddOp : Tile_ExpandBinaryOp<Tile_Row, "add", "`source + vector`">;
def Tile_RowExpandSubOp : Tile_ExpandBinaryOp<Tile_Row, "sub", "`source - vector`">;
def Tile_RowExpandMulOp : Tile_ExpandBinaryOp<Tile_Row, "mul", "`source * vector`">;
def Tile_RowExpandDivOp : Tile_ExpandBinaryOp<Tile_Row, "div", "`source / vector`, as `tile.div`">;
def Tile_RowExpandMaxOp : Tile_ExpandBinaryOp<Tile_Row, "max", "The larger of `source` and `vector`, as `tile.maximum`">;
def Tile_RowExpandMinOp : Tile_ExpandBinaryOp<Tile_Row, "min", "The smaller of `source` and `vector`, as `tile.minimum`">;
def Tile_RowExpandExpdifOp : Tile_ExpandBinaryOp<Tile_Row, "expdif", "`exp(source - vector)`", "inferExpandFloat">;
def Tile_ColExpandOp : Tile_ExpandOp<Tile_Col>;
def Tile_ColExpandAddOp : Tile_ExpandBinaryOp<Tile_Col, "add", "`source + vector`">;
def Tile_ColExpandSubOp : Tile_ExpandBinaryOp<Tile_Col, "sub", "`source - vector`">;
def Tile_ColExpandMulOp : Tile_ExpandBinaryOp<Tile_Col, "mul", "`source * vector`">;
def Tile_ColExpandDivOp : Tile_ExpandBinaryOp<Tile_Col, "div", "`source / vector`, as `tile.div`">;
def Tile_ColExpandMaxOp : Tile_ExpandBinaryOp<Tile_Col, "max", "The larger of `source` and `vector`, as `tile.maximum`">;
def Tile_ColExpandMinOp : Tile_ExpandBinaryOp<Tile_Col, "min", "The smaller of `source` and `vector`, as `tile.minimum`">;
def Tile_ColExpandExpdifOp : Tile_ExpandBinaryOp<Tile_Col, "expdif", "`exp(source - vector)`", "inferExpandFloat">;

#endif
