// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_CONVERSION_FLOAT8TORUNTIME_PASSES_TD
#define PYPTO_CONVERSION_FLOAT8TORUNTIME_PASSES_TD

include "pypto/Properties/PassBase.td"

def ConvertFloat8ToRuntime : PyptoPass<"convert-float8-to-runtime"> {
  let summary = "Lower conversions from and to the 8-bit floats to calls of the run time";
  let description = [{
    No CPU of the host has the 8-bit floats, so they are storage, and every computation on them is one on wider
    floats between two conversions. `arith.extf` of one becomes a call of `pypto_f8_to_f64`, `arith.truncf` to one a
    call of `pypto_f64_to_f8`; both take the number of the type. The conversion rounds once, to nearest even, since
    every other float is exact as `f64`.

    Scalar operations only; linear. For example:

    ```mlir
    %0 = arith.extf %x : f8E5M2 to f32
    ```

    becomes

    ```mlir
    %bits = arith.bitcast %x : f8E5M2 to i8
    %kind = arith.constant 0 : i32
    %wide = func.call @pypto_f8_to_f64(%kind, %bits) : (i32, i8) -> f64
    %0 = arith.truncf %wide : f64 to f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect"];
}

#endif
