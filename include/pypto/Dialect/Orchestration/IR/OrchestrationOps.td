// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_ORCHESTRATION_IR_ORCHESTRATIONOPS_TD
#define PYPTO_DIALECT_ORCHESTRATION_IR_ORCHESTRATIONOPS_TD

include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "pypto/Dialect/Orchestration/IR/OrchestrationDialect.td"
include "pypto/Dialect/Orchestration/IR/TaskOps.td"

def Orchestration_SubmitOp : Orchestration_Op<"submit", [CallOpInterface, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Launches a function as a task";
  let description = [{
    Asynchronous: yields the callee's results and then the id of the task. One argument per parameter (an
    `out` that the author omitted is a `pl.create runtime_allocated`). The task runs after the tasks in
    `after`; `core_num` blocks of it run. A submit is never turned into a call.

    - C1 to C3: as for `pl.call`, the callee's results being followed by one `!orchestration.task`;
    - C4: the callee is not an `inline` function (reported by the property `InlineFunctionsEliminated`);
    - C5: the indices in `dumps` are those of arguments.

    Example:

    ```mlir
    %r, %id = orchestration.submit @kernel(%x, %out) after (%prior) : (!pl.tensor<[16], f32>, !pl.tensor<[16], f32>)
        -> (!pl.tensor<[16], f32>, !orchestration.task)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$arguments,
    Variadic<Orchestration_TaskType>:$after, Optional<Index>:$core_num, UnitAttr:$sync_start,
    OptionalAttr<DenseI64ArrayAttr>:$dumps, OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $callee `(` $arguments `)` (`after` `(` $after^ `)`)? (`core_num` $core_num^)? (`sync_start` $sync_start^)?
    (`dumps` $dumps^)? attr-dict `:` functional-type($arguments, $results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::CallInterfaceCallable getCallableForCallee() { return getCalleeAttr(); }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(::llvm::cast<::mlir::SymbolRefAttr>(callee)));
    }
    ::mlir::Operation::operand_range getArgOperands() { return getArguments(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getArgumentsMutable(); }
    /// The results without the task id.
    ::mlir::ResultRange getCalleeResults() { return getResults().drop_back(); }
    ::mlir::Value getTask() { return getResults().back(); }
  }];
}

def Orchestration_ScopeOp : Orchestration_Op<"scope", [
    SingleBlockImplicitTerminator<"::pypto::pl::YieldOp">, DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "Run-time scope of tasks";
  let description = [{
    Tasks and tensors made in the scope end with it, unless yielded. In a `manual` scope only `after` orders
    tasks; otherwise what they read and write does too. Not erasable.

    - C1: the yielded values have the types of the results;
    - C2: the body has no arguments.

    Example: `orchestration.scope manual { }`
  }];
  let arguments = (ins UnitAttr:$manual, Variadic<AnyType>:$dumps);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`manual` $manual^)? (`dumps` `(` $dumps^ `:` qualified(type($dumps)) `)`)? (`->` qualified(type($results))^)?
    attr-dict-with-keyword custom<ScopeBody>($body)
  }];
  let hasVerifier = 1;
}

def Orchestration_TaskDummyOp : Orchestration_Op<"task_dummy", [
    MemoryEffects<[MemRead<Orchestration_TaskResource>, MemWrite<Orchestration_TaskResource>]>]> {
  let summary = "A task that does nothing: a barrier for what waits for it";
  let description = [{Example: `%id = orchestration.task_dummy after (%a, %b)`}];
  let arguments = (ins Variadic<Orchestration_TaskType>:$after);
  let results = (outs Orchestration_TaskType:$task);
  let assemblyFormat = "(`after` `(` $after^ `)`)? attr-dict";
}

def Orchestration_TaskInvalidOp : Orchestration_Op<"task_invalid", [Pure]> {
  let summary = "The id of no task";
  let description = [{Waiting for it waits for nothing. Example: `%id = orchestration.task_invalid`}];
  let results = (outs Orchestration_TaskType:$task);
  let assemblyFormat = "attr-dict";
}

def Orchestration_TaskIsValidOp : Orchestration_Op<"task_is_valid", [Pure]> {
  let summary = "Whether an id is that of a task";
  let description = [{Example: `%b = orchestration.task_is_valid %id`}];
  let arguments = (ins Orchestration_TaskType:$task);
  let results = (outs I1:$result);
  let assemblyFormat = "$task attr-dict";
}

def Orchestration_BarrierOp : Orchestration_Op<"barrier", [
    MemoryEffects<[MemRead<Orchestration_TaskResource>, MemWrite<Orchestration_TaskResource>]>]> {
  let summary = "Waits for every task submitted so far, or for those named";
  let description = [{Example: `orchestration.barrier after (%a)`}];
  let arguments = (ins Variadic<Orchestration_TaskType>:$after);
  let assemblyFormat = "(`after` `(` $after^ `)`)? attr-dict";
}

#endif
