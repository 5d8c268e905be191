// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of lowered programs: kernels are functions over memrefs, ids are numbers.
#ifndef PYPTO_DIALECT_ORCHESTRATION_IR_TASKOPS_TD
#define PYPTO_DIALECT_ORCHESTRATION_IR_TASKOPS_TD

include "mlir/IR/BuiltinAttributes.td"
include "pypto/Dialect/Orchestration/IR/OrchestrationDialect.td"

// Effects on the set of tasks; and on all memory, where others get to see or to write it.
class Orchestration_TaskOp<string mnemonic, list<Trait> traits = []> : Orchestration_Op<mnemonic, traits>;
defvar Orchestration_TaskEffects =
    MemoryEffects<[MemRead<Orchestration_TaskResource>, MemWrite<Orchestration_TaskResource>]>;
defvar Orchestration_MemoryEffects = MemoryEffects<[MemRead, MemWrite]>;

def Orchestration_LaunchOp : Orchestration_TaskOp<"launch", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Makes a task of a call of a lowered kernel";
  let description = [{
    The task runs after the earlier ones that it conflicts with by the accesses written in front of its memrefs, and after
    those in `after`. With `blocks` it runs that many times, the index of the block and their number behind the
    arguments, if the callee takes them. `in_order`: one block after the other. The result is the id of the task.

    The memrefs have to live until the task is done: freeing waits for that, the end of a stack frame does not.

    - C1: the callee is a private `func.func` without results;
    - C2: the arguments have the types of its parameters, two of type `index` at the end excepted where there are
      `blocks`;
    - C3: one access for each memref among the arguments.

    Example:

    ```mlir
    func.func private @lowered(memref<?xf32>, memref<?xf32>, index)
    func.func @host(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %prior: i64) {
      %id = orchestration.launch @lowered(read %x, write %y, %n) after(%prior) : memref<?xf32>, memref<?xf32>, index
      return
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$arguments, Variadic<I64>:$after,
    Optional<Index>:$blocks, DenseI32ArrayAttr:$modes, UnitAttr:$in_order);
  let results = (outs I64:$task);
  let assemblyFormat = [{
    $callee `` custom<Accesses>($arguments, $modes) (`after` `(` $after^ `)`)? (`blocks` $blocks^)? (`in_order` $in_order^)?
    attr-dict (`:` type($arguments)^)?
  }];
  let hasVerifier = 1;
}

def Orchestration_SyncOp : Orchestration_TaskOp<"sync", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Waits for the tasks that conflict with an access of the host";
  let description = [{
    - C1: one access for each operand.

    Example: `orchestration.sync(read %x, write %y) : memref<?xf32>, memref<4xi32>`
  }];
  let arguments = (ins Variadic<AnyRankedOrUnrankedMemRef>:$memrefs, DenseI32ArrayAttr:$modes);
  let assemblyFormat = "`` custom<Accesses>($memrefs, $modes) attr-dict `:` type($memrefs)";
  let hasVerifier = 1;
}

def Orchestration_LaunchDummyOp : Orchestration_TaskOp<"launch_dummy", [Orchestration_TaskEffects]> {
  let summary = "Makes a task that does nothing";
  let description = [{Example: `%id = orchestration.launch_dummy after(%a, %b)`}];
  let arguments = (ins Variadic<I64>:$after);
  let results = (outs I64:$task);
  let assemblyFormat = "(`after` `(` $after^ `)`)? attr-dict";
}

def Orchestration_AwaitOp : Orchestration_TaskOp<"await", [Orchestration_MemoryEffects]> {
  let summary = "Waits for tasks, for all of them if none are named";
  let description = [{Example: `orchestration.await(%a, %b)`}];
  let arguments = (ins Variadic<I64>:$tasks);
  let assemblyFormat = "(`(` $tasks^ `)`)? attr-dict";
}

def Orchestration_ScopeBeginOp : Orchestration_TaskOp<"scope_begin", [Orchestration_TaskEffects]> {
  let summary = "Begins a scope of tasks";
  let description = [{`orchestration.scope_end` ends it. Example: `orchestration.scope_begin manual`}];
  let arguments = (ins UnitAttr:$manual);
  let assemblyFormat = "(`manual` $manual^)? attr-dict";
}

def Orchestration_ScopeEndOp : Orchestration_TaskOp<"scope_end", [Orchestration_MemoryEffects]> {
  let summary = "Ends the scope of tasks that was begun last";
  let description = [{Example: `orchestration.scope_end`}];
  let assemblyFormat = "attr-dict";
}

//===- Signals ----------------------------------------------------------------===//

def Orchestration_SignalElement : AnyTypeOf<[I8, I16, I32, I64, F32, F64]>;

class Orchestration_SignalOp<string mnemonic, string value, list<Trait> traits> : Orchestration_TaskOp<mnemonic, traits # [
    TypesMatchWith<"the value is an element", "signal", value, "::llvm::cast<::mlir::MemRefType>($_self).getElementType()">]>;

def Orchestration_AwaitSignalOp : Orchestration_SignalOp<"await_signal", "expected", [Orchestration_MemoryEffects]> {
  let summary = "Waits until an element of memory compares with a value";
  let description = [{
    What was written before the signal was given is visible after. Other tasks may run meanwhile on this thread.

    - C1: one index per dimension.

    Example: `orchestration.await_signal ge %s[%i], %n : memref<8xi32>`
  }];
  let arguments = (ins PL_CmpKindAttr:$kind, UnitAttr:$is_unsigned, MemRefOf<[Orchestration_SignalElement]>:$signal,
    Variadic<Index>:$indices, Orchestration_SignalElement:$expected);
  let assemblyFormat = [{
    (`unsigned` $is_unsigned^)? $kind $signal `[` $indices `]` `,` $expected attr-dict `:` type($signal)
  }];
  let hasVerifier = 1;
}

def Orchestration_GiveSignalOp : Orchestration_SignalOp<"give_signal", "value", [Orchestration_MemoryEffects]> {
  let summary = "Sets an element of memory that others wait for, or adds to it";
  let description = [{
    Atomic. What was written before is visible to whoever waits for it.

    - C1: one index per dimension.

    Example: `orchestration.give_signal add %n, %s[%i] : memref<8xi32>`
  }];
  let arguments = (ins UnitAttr:$add, Orchestration_SignalElement:$value,
    MemRefOf<[Orchestration_SignalElement]>:$signal, Variadic<Index>:$indices);
  let assemblyFormat = "(`add` $add^)? $value `,` $signal `[` $indices `]` attr-dict `:` type($signal)";
  let hasVerifier = 1;
}

#endif
