// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_ORCHESTRATION_IR_ORCHESTRATIONDIALECT_TD
#define PYPTO_DIALECT_ORCHESTRATION_IR_ORCHESTRATIONDIALECT_TD

include "pypto/Dialect/PL/IR/PLBase.td"

def Orchestration_Dialect : Dialect {
  let name = "orchestration";
  let cppNamespace = "::pypto::orchestration";
  let summary = "Tasks, submits, dependencies, run-time scopes";
  let description = [{
    The level of the host or of the control processor: kernels become tasks, ordered by what they read and
    write and by explicit dependencies. In a `manual` scope the explicit dependencies alone order.

    Lowered programs have windows of memory. One that turns out to have no element is another operation than
    `memref.subview`, which may not begin behind the last element: the canonicalization of the dialect replaces it.
  }];
  let hasCanonicalizer = 1;
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::pypto::pl::PLDialect"];
}

def Orchestration_TaskType : TypeDef<Orchestration_Dialect, "Task"> {
  let mnemonic = "task";
  let summary = "Id of a task";
}

class Orchestration_Op<string mnemonic, list<Trait> traits = []> : Op<Orchestration_Dialect, mnemonic, traits>;
def Orchestration_TaskResource : Resource<"::pypto::orchestration::TaskResource">;

#endif
