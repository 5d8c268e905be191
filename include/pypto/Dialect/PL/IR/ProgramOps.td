// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_PL_IR_PROGRAMOPS_TD
#define PYPTO_DIALECT_PL_IR_PROGRAMOPS_TD

include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "pypto/Dialect/PL/IR/PLBase.td"

def PL_FuncOp : PL_Op<"func", [FunctionOpInterface, IsolatedFromAbove, AffineScope,
    AutomaticAllocationScope]> {
  let summary = "Function with a kind and parameter directions";
  let description = [{
    `pl.func [private] [kind] @name(%x: T, out %y: T, inout %z: T) -> (T, …) { … pl.return … }`. One block.
    Without a body it is a declaration: private, for kernels written by hand. Without a kind it is opaque.

    Constraints:

    - C1: a direction other than `in` stands on a tensor, on a cell, or on an array;
    - C2: cells are parameters of `inline` functions only, and never results;
    - C3: tiles are parameters and results of `inline` functions only;
    - C4: outside `inline` functions each name in a type is declared: by standing alone as an extent of a
      parameter, or by a `pl.symbol` before it in the same or an enclosing block;
    - C5: outside `inline` functions the physical extents of tiles are static;
    - C6: a declaration is private, a definition has one block.

    Example:

    ```mlir
    pl.func incore @double(%x: !pl.tensor<[N], f32>, out %y: !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32> {
      pl.return %y : !pl.tensor<[N], f32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
    DefaultValuedAttr<PL_FuncKindAttr, "::pypto::pl::FuncKind::Opaque">:$kind,
    OptionalAttr<PL_LevelAttr>:$level, OptionalAttr<PL_RoleAttr>:$role,
    OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region MaxSizedRegion<1>:$body);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type,
    CArg<"::pypto::pl::FuncKind", "::pypto::pl::FuncKind::Opaque">:$kind,
    CArg<"::llvm::ArrayRef<::pypto::pl::Direction>", "{}">:$directions)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Name of the argument attribute that holds a direction other than `in`.
    static constexpr ::llvm::StringLiteral getDirectionAttrName() { return "pl.direction"; }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
    ::pypto::pl::Direction getDirection(unsigned index);
    void setDirection(unsigned index, ::pypto::pl::Direction direction);
    /// Indices of the parameters whose direction is out or inout, in order.
    ::llvm::SmallVector<unsigned> getOutIndices();
    bool isInline() { return getKind() == FuncKind::Inline; }
    /// incore, aic or aiv.
    bool isKernel() {
      return getKind() == FuncKind::InCore || getKind() == FuncKind::AIC || getKind() == FuncKind::AIV;
    }
    /// The `pl.return` that ends the body; null for a declaration.
    ::pypto::pl::ReturnOp getReturnOp();
    bool isDeclaration() { return isExternal(); }
  }];
}

def PL_ReturnOp : PL_Op<"return", [Pure, ReturnLike, Terminator, HasParent<"FuncOp">]> {
  let summary = "Ends a function";
  let description = [{
    The values that the function returns.

    - C1: as many as the function has results, each of a type compatible with the declared one.

    Example:

    ```mlir
    pl.func @same(%x: !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32> {
      pl.return %x : !pl.tensor<[N], f32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` qualified(type($values)))? attr-dict";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let hasVerifier = 1;
}

def PL_CallOp : PL_Op<"call", [CallOpInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Calls a function of the program";
  let description = [{
    A call of k values has k results. Operands are checked one by one against the parameters: a symbol of
    the callee binds to the extent of the actual (once per call, except that calls of `inline` functions may
    bind it differently for two operands); result types are compatible with the callee's.

    - C1: the callee is a `pl.func`;
    - C2: one operand per parameter, of a type that the parameter accepts;
    - C3: one result per result of the callee, of a compatible type;
    - C4: an `out` or `inout` scalar of an `inline` function is given a cell, not a value;
    - C5: the indices in `dumps` are those of operands.

    A direction says what the callee does with a parameter; it does not have to be repeated by the caller, whose own
    tensor parameter may be `in` and still be given to an `out`: a handle is written through whoever holds it.

    `dumps` lists the operands that the author marked for dumping.

    Example:

    ```mlir
    %r = pl.call @kernel(%x, %a) : (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>)
        -> !pl.tensor<[16], f32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$operands,
    OptionalAttr<DenseI64ArrayAttr>:$dumps, OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$callee `(` $operands `)` (`dumps` $dumps^)? attr-dict `:` functional-type($operands, $results)";
  let extraClassDeclaration = [{
    ::mlir::CallInterfaceCallable getCallableForCallee() { return getCalleeAttr(); }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(::llvm::cast<::mlir::SymbolRefAttr>(callee)));
    }
    ::mlir::Operation::operand_range getArgOperands() { return getOperands(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getOperandsMutable(); }
  }];
}

#endif
