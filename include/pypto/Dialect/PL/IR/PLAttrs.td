// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_PL_IR_PLATTRS_TD
#define PYPTO_DIALECT_PL_IR_PLATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "pypto/Dialect/PL/IR/PLDialect.td"

class PL_Enum<string name, string mnem, string text, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::pypto::pl";
  let genSpecializedAttr = 0;
}

def PL_FuncKind : PL_Enum<"FuncKind", "kind", "what a function is for", [
  I32EnumAttrCase<"Opaque", 0, "opaque">, I32EnumAttrCase<"Inline", 1, "inline">,
  I32EnumAttrCase<"InCore", 2, "incore">, I32EnumAttrCase<"AIC", 3, "aic">,
  I32EnumAttrCase<"AIV", 4, "aiv">, I32EnumAttrCase<"Orchestration", 5, "orchestration">,
  I32EnumAttrCase<"Group", 6, "group">, I32EnumAttrCase<"Spmd", 7, "spmd">,
  I32EnumAttrCase<"Graph", 8, "graph">]>;
def PL_FuncKindAttr : EnumAttr<PL_Dialect, PL_FuncKind, "kind">;

def PL_Direction : PL_Enum<"Direction", "direction", "how a callee uses a parameter", [
  I32EnumAttrCase<"In", 0, "in">, I32EnumAttrCase<"Out", 1, "out">,
  I32EnumAttrCase<"InOut", 2, "inout">]>;
def PL_DirectionAttr : EnumAttr<PL_Dialect, PL_Direction, "direction"> {
  let assemblyFormat = "`<` $value `>`";
}

def PL_Level : PL_Enum<"Level", "level", "a part of the machine", [
  I32EnumAttrCase<"AIV", 0, "aiv">, I32EnumAttrCase<"AIC", 1, "aic">,
  I32EnumAttrCase<"CoreGroup", 2, "core_group">, I32EnumAttrCase<"ChipDie", 3, "chip_die">,
  I32EnumAttrCase<"Chip", 4, "chip">, I32EnumAttrCase<"Host", 5, "host">,
  I32EnumAttrCase<"Cluster0", 6, "cluster_0">, I32EnumAttrCase<"Cluster1", 7, "cluster_1">,
  I32EnumAttrCase<"Cluster2", 8, "cluster_2">, I32EnumAttrCase<"Global", 9, "global">]>;
def PL_LevelAttr : EnumAttr<PL_Dialect, PL_Level, "level">;

def PL_Role : PL_Enum<"Role", "role", "what a function does at its level", [
  I32EnumAttrCase<"Orchestrator", 0, "orchestrator">, I32EnumAttrCase<"Worker", 1, "worker">]>;
def PL_RoleAttr : EnumAttr<PL_Dialect, PL_Role, "role">;

def PL_SplitMode : PL_Enum<"SplitMode", "split", "which axis a pair of vector cores shares", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"UpDown", 1, "up_down">,
  I32EnumAttrCase<"LeftRight", 2, "left_right">]>;
def PL_SplitModeAttr : EnumAttr<PL_Dialect, PL_SplitMode, "split">;

def PL_Layout : PL_Enum<"Layout", "layout", "order of a tensor's elements in memory", [
  I32EnumAttrCase<"ND", 0, "nd">, I32EnumAttrCase<"DN", 1, "dn">, I32EnumAttrCase<"NZ", 2, "nz">]>;
def PL_Pad : PL_Enum<"Pad", "pad", "what stands outside the valid part", [
  I32EnumAttrCase<"Null", 0, "null">, I32EnumAttrCase<"Zero", 1, "zero">,
  I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">]>;
def PL_PadAttr : EnumAttr<PL_Dialect, PL_Pad, "pad">;

def PL_CmpKind : PL_Enum<"CmpKind", "cmp", "comparison", [
  I32EnumAttrCase<"EQ", 0, "eq">, I32EnumAttrCase<"NE", 1, "ne">, I32EnumAttrCase<"LT", 2, "lt">,
  I32EnumAttrCase<"LE", 3, "le">, I32EnumAttrCase<"GT", 4, "gt">, I32EnumAttrCase<"GE", 5, "ge">]>;
def PL_CmpKindAttr : EnumAttr<PL_Dialect, PL_CmpKind, "cmp">;

def PL_RoundMode : PL_Enum<"RoundMode", "round", "rounding of a conversion", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Rint", 1, "rint">,
  I32EnumAttrCase<"Round", 2, "round">, I32EnumAttrCase<"Floor", 3, "floor">,
  I32EnumAttrCase<"Ceil", 4, "ceil">, I32EnumAttrCase<"Trunc", 5, "trunc">,
  I32EnumAttrCase<"Odd", 6, "odd">]>;
def PL_RoundModeAttr : EnumAttr<PL_Dialect, PL_RoundMode, "round">;

// The numbers are those of PyptoCheckKind of the run time.
def PL_CheckKind : PL_Enum<"CheckKind", "check_kind", "what a check expects of a number", [
  I32EnumAttrCase<"Index", 0, "index">, I32EnumAttrCase<"Range", 1, "range">,
  I32EnumAttrCase<"Equal", 2, "equal">, I32EnumAttrCase<"AtLeast", 3, "at_least">,
  I32EnumAttrCase<"OneOr", 4, "one_or">, I32EnumAttrCase<"MultipleOf", 5, "multiple_of">]>;
def PL_CheckKindAttr : EnumAttr<PL_Dialect, PL_CheckKind, "check_kind">;

def PL_LoopKind : PL_Enum<"LoopKind", "loop_kind", "how a loop asks to be scheduled", [
  I32EnumAttrCase<"Parallel", 0, "parallel">, I32EnumAttrCase<"Unroll", 1, "unroll">,
  I32EnumAttrCase<"Pipeline", 2, "pipeline">]>;

class PL_Attr<string name, string mnem> : AttrDef<PL_Dialect, name> { let mnemonic = mnem; }

def PL_LoopAttr : PL_Attr<"Loop", "loop"> {
  let summary = "Scheduling request on an `scf.for`";
  let description = [{
    Stands as the discardable attribute `pl.loop` on `scf.for`: `#pl.loop<parallel>`, `#pl.loop<unroll>`,
    `#pl.loop<pipeline, stages = 2>`. It is a request that may be lost; a pass that makes a loop concurrent
    proves independence itself.
  }];
  let parameters = (ins "::pypto::pl::LoopKind":$kind, DefaultValuedParameter<"int64_t", "0">:$stages);
  let assemblyFormat = "`<` `` $kind (`,` `stages` `=` $stages^)? `>`";
  let genVerifyDecl = 1;
}

def PL_ExtentAttr : PL_Attr<"Extent", "extent"> {
  let summary = "Extent of a dimension: an integer, `?`, or an expression over names";
  let description = [{
    `#pl.extent<4>`, `#pl.extent<?>`, `#pl.extent<N * 2 + 1>`. Operators: `+ - * floordiv ceildiv mod` and
    parentheses. Simplified, over the sorted names that it uses, so that `N + M` and `M + N` are one
    attribute and equal pointers mean equal extents (except `?`, which is never known to be equal).
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$symbols, "::mlir::AffineExpr":$expr);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static ExtentAttr get(::mlir::MLIRContext *context, int64_t value);
    static ExtentAttr getDynamic(::mlir::MLIRContext *context);
    static ExtentAttr getSymbol(::mlir::StringAttr name);
    /// Simplifies `expr` over `symbols` (s0 is symbols[0], …), drops unused names and sorts the rest.
    static ExtentAttr getSimplified(::mlir::AffineExpr expr, ::llvm::ArrayRef<::mlir::StringAttr> symbols);

    /// True for `?`.
    bool isDynamic() const;
    bool isConstant() const;
    /// True if this is one name and nothing else: the form that declares it.
    bool isSymbol() const;
    /// The value of a constant extent; asserts otherwise.
    int64_t getConstant() const;
    /// The constant, or ShapedType::kDynamic.
    int64_t getStatic() const;
    /// The name of an extent for which isSymbol() holds.
    ::mlir::StringAttr getSymbolName() const;

    /// `kind` applied to both. `?` if either is `?` (except `0 * ?`).
    static ExtentAttr getBinary(::mlir::AffineExprKind kind, ExtentAttr lhs, ExtentAttr rhs);
    ExtentAttr operator+(ExtentAttr rhs) const { return getBinary(::mlir::AffineExprKind::Add, *this, rhs); }
    ExtentAttr operator*(ExtentAttr rhs) const { return getBinary(::mlir::AffineExprKind::Mul, *this, rhs); }
    ExtentAttr operator-(ExtentAttr rhs) const;
    /// Replaces each name for which `lookup` returns an extent; a null answer keeps the name.
    ExtentAttr substitute(::llvm::function_ref<ExtentAttr(::mlir::StringAttr)> lookup) const;
    /// Prints the bare expression, without `#pl.extent<>`.
    void printExpression(::llvm::raw_ostream &os) const;
  }];
}

#endif
