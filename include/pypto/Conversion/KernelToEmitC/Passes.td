// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_CONVERSION_KERNELTOEMITC_PASSES_TD
#define PYPTO_CONVERSION_KERNELTOEMITC_PASSES_TD

include "pypto/Properties/PassBase.td"

def ConvertKernelToEmitC : PyptoPass<"convert-kernel-to-emitc"> {
  let summary = "Make C of functions over buffers and scalars";
  let description = [{
    Each `func.func` with a body becomes an `emitc.func` that `mlir-translate --mlir-to-cpp` prints as C: loops and
    branches of `scf`, scalar operations of `arith` and `math`, and `memref` by pointers and arithmetic on indices. What
    the functions need (headers, conversions of bits, constants) stands in front of them.

    - `index` is `int64_t`, `i1` is `bool`, `bf16` the `uint16_t` of its bits: what computes with `bf16` has to be
      expanded before (`--arith-emulate-unsupported-floats`, `--arith-expand`).
    - Integers wrap around as in `arith` if the compiler is told so (`-fwrapv`).
    - A parameter with `llvm.noalias` is `restrict`. Memory comes from `pypto_alloc` and goes to `pypto_free`, pointers to
      functions which whoever loads the code may set.

    Views have to be `memref.reinterpret_cast` (`--expand-strided-metadata`). An operation that has no C is an error.
    Linear.

    ```mlir
    func.func @scale(%x: memref<8xf32> {llvm.noalias}, %n: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {
        %v = memref.load %x[%i] : memref<8xf32>
        %w = arith.addf %v, %v : f32
        memref.store %w, %x[%i] : memref<8xf32>
      }
      return
    }
    ```

    prints as

    ```c
    void scale(float *restrict v1, int64_t v2) {
      int64_t v3 = 0;
      int64_t v4 = 1;
      for (int64_t v5 = v3; v5 < v2; v5 += v4) {
        float v6 = v1[v5];
        float v7 = v6 + v6;
        v1[v5] = v7;
      }
      return;
    }
    ```
  }];
  let dependentDialects = ["::mlir::emitc::EmitCDialect"];
}

#endif
