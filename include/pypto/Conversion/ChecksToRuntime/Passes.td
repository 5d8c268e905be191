// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_CONVERSION_CHECKSTORUNTIME_PASSES_TD
#define PYPTO_CONVERSION_CHECKSTORUNTIME_PASSES_TD

include "pypto/Properties/PassBase.td"

def ConvertChecksToRuntime : PyptoPass<"convert-checks-to-runtime"> {
  let summary = "Lower checks to branches to calls of the run time that do not return";
  let description = [{
    `pl.check` becomes a branch. Where the condition does not hold it calls `pyptoFailBounds` (kind `index`) or
    `pyptoFailCheck` (the other kinds) with the numbers, and with texts that are constants of the module, one for each
    that differs. Linear. For example:

    ```mlir
    pl.check at_least %ok, %m, %zero subject "dimension 0" of "pl.create" at "program.mlir:3:8"
    ```

    becomes

    ```mlir
    scf.if %bad {
      llvm.call @pyptoFailCheck(%location, %operation, %kind, %subject, %m64, %zero64)
          : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64, i64) -> ()
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect"];
}

#endif
