// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_TRANSFORMS_PASSES_TD
#define PYPTO_TRANSFORMS_PASSES_TD

include "pypto/Properties/PassBase.td"

def ReassociateReductions : PyptoPass<"reassociate-reductions"> {
  let summary = "Let sums and products of floats be split into lanes";
  let description = [{
    The order of a float sum is not fixed by docs/numerics.md, but a loop that adds one element after the other
    is an order, and no vectoriser may change it. This puts `fastmath<reassoc>` on the operation that combines the
    accumulator of a `linalg` reduction with an element, and on nothing else. What the compiler makes of it depends
    on the loop and on the target only, so that the same program gives the same bits each time.

    ```mlir
    ^bb0(%x: f32, %sum: f32):
      %0 = arith.addf %sum, %x : f32
      linalg.yield %0 : f32
    ```

    becomes

    ```mlir
    ^bb0(%x: f32, %sum: f32):
      %0 = arith.addf %sum, %x fastmath<reassoc> : f32
      linalg.yield %0 : f32
    ```

    Linear in the size of the program.
  }];
}

def LowerMatmul : PyptoPass<"lower-matmul"> {
  let summary = "Lower matrix products on buffers to blocked loops over vectors";
  let description = [{
    A `linalg` operation on buffers whose body is `out + cast(a) * cast(b)`, with one loop that only the output and
    one factor have, becomes loops over blocks of the output. The innermost ones keep `rows` times `vectors` vectors
    of the output in registers while they go along the sum. Factors that are large, whose elements are cast, or whose
    rows are not contiguous are copied block by block first, so that kernels read them in order. A `linalg.fill` with
    zero before the product becomes an overwriting first step, an elementwise `linalg.generic` on its output runs on
    each block when that is finished. Parts that can run at the same time are an `scf.parallel`; what a part is
    depends on the types only, never on the number of threads, so that results do not depend on it either.

    Elements are added in the order of the sum, in blocks of `k-block`, with fused multiply-add where the target has
    it. No product is left out: zero times infinity is NaN. Ends of rows are read and written under a mask.

    Products whose output has another element type than f32, f64, i16, i32 or i64 are left as they are.
    Linear in the size of the program.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", "512", "Width of a vector register">,
    Option<"rows", "rows", "int64_t", "0", "Rows of the block in registers; 0: what the registers hold">,
    Option<"vectors", "vectors", "int64_t", "2", "Vectors in a row of the block in registers">,
    Option<"kBlock", "k-block", "int64_t", "384", "Longest part of a sum that a kernel makes">,
    Option<"mBlock", "m-block", "int64_t", "336", "Rows of the left factor that are copied together">,
    Option<"part", "part", "int64_t", "1 << 30", "Most products of two numbers in a part">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def ConvertParallelToRuntime : PyptoPass<"convert-parallel-to-runtime"> {
  let summary = "Run the iterations of scf.parallel on the threads of the library's pool";
  let description = [{
    Each outermost `scf.parallel` without results becomes a function of one iteration and a call of
    `pyptoParallelFor`. The function takes the number of its iteration and a structure with the values that the loop
    uses; dimensions are counted row by row.

    ```mlir
    func.func private @main_part0(%values: !llvm.ptr, %iteration: i64)
    func.func @main(%a: memref<64xf32>) {
      llvm.call @pyptoParallelFor(%part, %values, %count) : (!llvm.ptr, !llvm.ptr, i64) -> ()
    ```

    Linear in the size of the program.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect"];
}

#endif
