// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of rows and columns, and their counterpart: a row or a column applied to a whole tensor.
#ifndef PYPTO_DIALECT_PL_IR_REDUCTIONOPS_TD
#define PYPTO_DIALECT_PL_IR_REDUCTIONOPS_TD

include "pypto/Dialect/PL/IR/PLBase.td"

/// Which dimension, counted from the last one, and how it is called.
class PL_Axis<string n, string f, int e, string w, string u> {
  string name = n;
  string vector = f;
  int fromEnd = e;
  string words = w;
  string unit = u;
}
def PL_Row : PL_Axis<"row", "[64, 1]", 1, "the last dimension", "row">;
def PL_Col : PL_Axis<"col", "[1, N]", 2, "the second to last dimension", "column">;

class PL_ReductionOp<PL_Axis axis, string kind, string text, string infer = "inferReduction">
    : PL_InferredComputeOp<axis.name # "_" # kind> {
  let summary = text # " of each " # axis.unit;
  let description = text # " of each " # axis.unit # ": reduces " # axis.words # [{, which
    stays as a dimension of size one. Only valid elements count. Sums and products of floats are of no fixed order.

    - C1: the source has }] # axis.words # [{;
    - C2: the elements are not `i1`.

    Example: `%r = pl.}] # axis.name # "_" # kind # [{ %a : !pl.tensor<[64, N], f32>`
  }];
  let arguments = (ins Arg<PL_TensorType, "", [MemRead]>:$source);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source))";
  let extraClassDefinition = PL_Infer<"::pypto::pl::" # infer # "(loc, adaptor.getSource().getType(), " # axis.fromEnd # ", types)">.body;
}

def PL_RowSumOp : PL_ReductionOp<PL_Row, "sum", "Sum (of nothing: 0)">;
def PL_RowProdOp : PL_ReductionOp<PL_Row, "prod", "Product (of nothing: 1)">;
def PL_RowMaxOp : PL_ReductionOp<PL_Row, "max", "Maximum (NaN if one is NaN; of nothing: the least value of the type)">;
def PL_RowMinOp : PL_ReductionOp<PL_Row, "min", "Minimum (NaN if one is NaN; of nothing: the greatest value of the type)">;
def PL_RowArgmaxOp : PL_ReductionOp<PL_Row, "argmax", "Position as `i32` of the first maximum (NaN counts as the maximum; of nothing: 0)", "inferArgReduction">;
def PL_RowArgminOp : PL_ReductionOp<PL_Row, "argmin", "Position as `i32` of the first minimum (NaN counts as the minimum; of nothing: 0)", "inferArgReduction">;
def PL_ColSumOp : PL_ReductionOp<PL_Col, "sum", "Sum (of nothing: 0)">;
def PL_ColProdOp : PL_ReductionOp<PL_Col, "prod", "Product (of nothing: 1)">;
def PL_ColMaxOp : PL_ReductionOp<PL_Col, "max", "Maximum (NaN if one is NaN; of nothing: the least value of the type)">;
def PL_ColMinOp : PL_ReductionOp<PL_Col, "min", "Minimum (NaN if one is NaN; of nothing: the greatest value of the type)">;
def PL_ColArgmaxOp : PL_ReductionOp<PL_Col, "argmax", "Position as `i32` of the first maximum (NaN counts as the maximum; of nothing: 0)", "inferArgReduction">;
def PL_ColArgminOp : PL_ReductionOp<PL_Col, "argmin", "Position as `i32` of the first minimum (NaN counts as the minimum; of nothing: 0)", "inferArgReduction">;

/// `vector` repeated along its dimension of size one.
class PL_ExpandOp<PL_Axis axis> : PL_InferredComputeOp<axis.name # "_expand"> {
  let summary = "One vector repeated along " # axis.words;
  let description = "Repeats `vector` along " # axis.words # [{ until it has the extents of `target`, whose elements
    are not read.

    - C1: the extents of `vector` are those of `target`, but for }] # axis.words # [{, of which it has one element.

    Example: `%r = pl.}] # axis.name # "_expand %a, %v : !pl.tensor<[64, N], f32>, !pl.tensor<" # axis.vector # [{, f32>`
  }];
  let arguments = (ins PL_TensorType:$target, Arg<PL_TensorType, "", [MemRead]>:$vector);
  let assemblyFormat = "$target `,` $vector attr-dict `:` qualified(type($target)) `,` qualified(type($vector))";
  let extraClassDefinition = PL_Infer<"::pypto::pl::inferExpand(loc, adaptor.getTarget().getType(), adaptor.getVector().getType(), " # axis.fromEnd # ", types)">.body;
}

/// source op vector.
class PL_ExpandBinaryOp<PL_Axis axis, string kind, string text, string infer = "inferExpandBinary">
    : PL_InferredComputeOp<axis.name # "_expand_" # kind> {
  let summary = text;
  let description = text # ", `vector` being repeated along " # axis.words # [{. The result has the extents of `source`
    and the promoted element type.

    - C1: the extents of `vector` are those of `source`, but for }] # axis.words # [{, of which it has one element;
    - C2: the element types promote (`expdif`: to a float type).

    Example: `%r = pl.}] # axis.name # "_expand_" # kind # " %a, %v : !pl.tensor<[64, N], f32>, !pl.tensor<" # axis.vector # [{, f32>`
  }];
  let arguments = (ins Arg<PL_TensorType, "", [MemRead]>:$source, Arg<PL_TensorType, "", [MemRead]>:$vector);
  let assemblyFormat = "$source `,` $vector attr-dict `:` qualified(type($source)) `,` qualified(type($vector))";
  let extraClassDefinition = PL_Infer<"::pypto::pl::" # infer # "(loc, adaptor.getSource().getType(), adaptor.getVector().getType(), " # axis.fromEnd # ", types)">.body;
}

def PL_RowExpandOp : PL_ExpandOp<PL_Row>;
def PL_RowExpandAddOp : PL_ExpandBinaryOp<PL_Row, "add", "`source + vector`">;
def PL_RowExpandSubOp : PL_ExpandBinaryOp<PL_Row, "sub", "`source - vector`">;
def PL_RowExpandMulOp : PL_ExpandBinaryOp<PL_Row, "mul", "`source * vector`">;
def PL_RowExpandDivOp : PL_ExpandBinaryOp<PL_Row, "div", "`source / vector`, as `pl.div`">;
def PL_RowExpandMaxOp : PL_ExpandBinaryOp<PL_Row, "max", "The larger of `source` and `vector`, as `pl.maximum`">;
def PL_RowExpandMinOp : PL_ExpandBinaryOp<PL_Row, "min", "The smaller of `source` and `vector`, as `pl.minimum`">;
def PL_RowExpandExpdifOp : PL_ExpandBinaryOp<PL_Row, "expdif", "`exp(source - vector)`", "inferExpandFloat">;
def PL_ColExpandOp : PL_ExpandOp<PL_Col>;
def PL_ColExpandAddOp : PL_ExpandBinaryOp<PL_Col, "add", "`source + vector`">;
def PL_ColExpandSubOp : PL_ExpandBinaryOp<PL_Col, "sub", "`source - vector`">;
def PL_ColExpandMulOp : PL_ExpandBinaryOp<PL_Col, "mul", "`source * vector`">;
def PL_ColExpandDivOp : PL_ExpandBinaryOp<PL_Col, "div", "`source / vector`, as `pl.div`">;
def PL_ColExpandMaxOp : PL_ExpandBinaryOp<PL_Col, "max", "The larger of `source` and `vector`, as `pl.maximum`">;
def PL_ColExpandMinOp : PL_ExpandBinaryOp<PL_Col, "min", "The smaller of `source` and `vector`, as `pl.minimum`">;
def PL_ColExpandExpdifOp : PL_ExpandBinaryOp<PL_Col, "expdif", "`exp(source - vector)`", "inferExpandFloat">;

#endif
