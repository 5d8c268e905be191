// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_TRANSFORMS_PASSES_TD
#define PYPTO_TRANSFORMS_PASSES_TD

include "pypto/Properties/PassBase.td"

def ReassociateReductions : PyptoPass<"reassociate-reductions"> {
  let summary = "Let sums and products of floats be split into lanes";
  let description = [{
    The order of a float sum is not fixed by docs/numerics.md, but a loop that adds one element after the other
    is an order, and no vectoriser may change it. This puts `fastmath<reassoc>` on the operation that combines the
    accumulator of a `linalg` reduction with an element, and on nothing else. `--vectorize-elements` takes it from scans
    again, once their order is that of their code. What the compiler makes of it depends
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

def ScheduleMatmul : PyptoPass<"schedule-matmul"> {
  let summary = "Write down how matrix products will be computed";
  let description = [{
    Gives each operation that `--lower-matmul` takes a `pypto.schedule`: a dictionary with the size of the block in
    registers, of the blocks that are copied, of the parts that run at the same time, and so on. What the operation,
    or its function, says already stays, rounded to whole kernels; the rest is chosen by the types. The dictionary may
    be edited: `--lower-matmul` follows it. docs/schedules.md lists the entries.

    ```mlir
    linalg.matmul {pypto.schedule = {rows = 6 : i64}} ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) …
    ```

    becomes

    ```mlir
    linalg.matmul {pypto.schedule = {k_block = 64 : i64, m_block = 66 : i64, …, rows = 6 : i64, vectors = 4 : i64}} …
    ```

    On tensors the rows of a factor count as contiguous. Values that no product can have are errors.
    Linear in the size of the program.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", "512", "Width of a vector register">,
    Option<"bf16Dot", "bf16-dot", "bool", "false", "The target adds products of pairs of bf16 numbers (AVX512-BF16)">,
    Option<"amx", "amx", "bool", "false", "The target multiplies tiles of bf16 numbers (AMX-BF16)">];
}

def SearchSchedules : PyptoPass<"search-schedules"> {
  let summary = "Find schedules of matrix products and of loops by measuring them";
  let description = [{
    Each product, each other operation that stands in no loop, and each loop over rows with the operations in it, all on
    buffers of known extents, gets the `pypto.schedule` that was fastest on this machine. A search begins
    with the schedule that the heuristics choose; each round compiles and runs those that differ from one of the `beam`
    best in one decision, and ends when that finds nothing better or when there is no time left. Schedules under which
    anything else is computed from small integers are left out. The schedule that was found replaces the first
    one only if it is faster when both run in turn.

    What was found is kept with the kernels (`PYPTO_KERNEL_CACHE`), so that another process finds it. On a terminal a
    line on stderr says how far the search is.

    ```mlir
    linalg.matmul ins(%a, %b : memref<512x512xf32>, memref<512x512xf32>) outs(%c : memref<512x512xf32>)
    ```

    becomes, for example,

    ```mlir
    linalg.matmul {pypto.schedule = {k_block = 256 : i64, …, rows = 8 : i64, vectors = 3 : i64}} …
    ```

    What has extents that only the run knows is left as it is, and so are loops that read at places which they read
    from a buffer. Takes up to `seconds` for each product or loop, or one round if that takes longer.
  }];
  let options = [
    Option<"beam", "beam", "unsigned", "4", "Schedules that each round goes on with; 0: no search">,
    Option<"seconds", "seconds", "double", "20", "Time for one product or loop">,
    Option<"progress", "progress", "bool", "false", "Draws the state of the search where there is no terminal, too">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
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

    Sizes of blocks and what is copied are the schedule of the product: the dictionary `pypto.schedule` on it or on its
    function gives it as far as it goes, see `--schedule-matmul`.

    Elements are added in the order of the sum, in blocks of `k_block`, with fused multiply-add where the target has
    it. Where `bf16-dot` says that the target adds two products of bf16 numbers at once, products of bf16 whose factors
    are packed are made of pairs; where `amx` says that it multiplies tiles, large ones are made of 16 rows of 16 pairs
    at once, by way of a copy of 32 x 32 sums. Numbers below the least normal one count as zero in both. No product is left out: zero
    times infinity is NaN. Ends of rows are read and written under a mask.

    A body `out + (condition ? cast(a) * cast(b) : 0)` whose condition, on indices, ends the sum of each row at a number, or one
    number later than that of the row before, is a product too: its kernels end their sums where the condition does,
    so a triangle takes half of the time.

    Products whose output has another element type than f32, f64, i16, i32 or i64 are left as they are.
    Linear in the size of the program.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", "512", "Width of a vector register">,
    Option<"bf16Dot", "bf16-dot", "bool", "false", "The target adds products of pairs of bf16 numbers (AVX512-BF16)">,
    Option<"amx", "amx", "bool", "false", "The target multiplies tiles of bf16 numbers (AMX-BF16)">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
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

def SpecializeMemRefs : PyptoPass<"specialize-memrefs"> {
  let summary = "Let private functions take memrefs of the type that all their callers pass";
  let description = [{
    A tensor becomes a memref with dynamic strides, since a parameter may be a slice. Where every use of a private
    function is a call, its parameters get the strides and offsets that all calls agree on, and views of them the
    ones that follow; the innermost stride of a whole tensor is one, so its rows can be read as vectors. Callers
    come before what they call, up to 16 calls deep.

    ```mlir
    func.func private @f(%x: memref<4x8xf32, strided<[?, ?], offset: ?>>) { ... }
    func.func @g(%x: memref<4x8xf32>) {
      %0 = memref.cast %x : memref<4x8xf32> to memref<4x8xf32, strided<[?, ?], offset: ?>>
      call @f(%0) : (memref<4x8xf32, strided<[?, ?], offset: ?>>) -> ()
    ```

    becomes

    ```mlir
    func.func private @f(%x: memref<4x8xf32>) { ... }
    func.func @g(%x: memref<4x8xf32>) {
      call @f(%x) : (memref<4x8xf32>) -> ()
    ```
  }];
  // The canonicalization of `orchestration` replaces windows that turn out to be empty.
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::pypto::orchestration::OrchestrationDialect"];
}

def ReadInPlace : PyptoPass<"read-in-place"> {
  let summary = "Read memory without a copy where nothing writes it as long as the value is used";
  let description = [{
    `--convert-pypto-to-linalg` makes a copy at each read. Four things remove copies and reads:

    1. If the window that is read was written in the same block, and nothing that may alias it was written since,
       the value that was written is the value that is read.
    2. If nothing that may alias the window is written between the read and the last use of its value, or of any
       tensor that is computed from it, the value is the memory itself, `bufferization.to_tensor` of the window. A
       store of something computed may be the last use: it comes after all of the reads. What leaves
       the block has to come from the value through a reduction, for example a sum that a loop carries.
    3. If the same window is read in place once more in the block, and nothing that may alias it is written in between,
       the two are one value.
    4. A buffer that is only written is erased.

    What may alias: `mayAlias` knows that an allocation is storage of its own, that parameters with `llvm.noalias`
    are (functions with `pl.noalias` have them), and windows with constant offsets that are apart. A call may write
    what it is given; an unknown operation may write everything that is not a local allocation.

    ```mlir
    %buffer = memref.alloc() : memref<16xf32>
    linalg.copy ins(%x : memref<16xf32>) outs(%buffer : memref<16xf32>)
    %0 = bufferization.to_tensor %buffer restrict writable : memref<16xf32> to tensor<16xf32>
    ```

    becomes

    ```mlir
    %0 = bufferization.to_tensor %x restrict : memref<16xf32> to tensor<16xf32>
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::tensor::TensorDialect"];
}

def FuseElementwise : PyptoPass<"fuse-elementwise"> {
  let summary = "Compute elementwise operations where their results are read";
  let description = [{
    A `linalg.generic` that reads the results of an elementwise one, each of its iterations those of one iteration
    of the other, takes it up: one loop, no tensor between. That includes reductions, which then compute what they
    add up. Where others read the result as well it is a second result of the fused operation, unless it is so
    cheap that a reduction computes it once more. An operand that is filled with a scalar becomes the scalar.

    Not fused are operands that are repeated (a row, one number for each row): they would be computed for each
    element. So is a producer if another reader comes before the consumer.

    ```mlir
    %0 = linalg.generic ... ins(%x) outs(%e) { math.exp }
    %1 = linalg.generic ... ins(%0) outs(%init) { arith.addf }
    ```

    becomes

    ```mlir
    %1 = linalg.generic ... ins(%x) outs(%init) { math.exp, arith.addf }
    ```

    The operations on each element are the same in the same order, so are the results.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def FuseSiblings : PyptoPass<"fuse-siblings"> {
  let summary = "Compute operations that read the same tensor in one loop";
  let description = [{
    Two `linalg.generic` on tensors, neither of which needs the other, that read one tensor whole along the same loops, maybe
    in another order, become one with the results of both: a loop that reads the tensor once. So do elementwise operations,
    reductions along the same loops, and elementwise operations beside a reduction. What both compute is computed once.

    ```mlir
    %max = linalg.generic ... ins(%x : tensor<64x128xf32>) outs(%least : tensor<64xf32>) { arith.maximumf }
    %sum = linalg.generic ... ins(%x : tensor<64x128xf32>) outs(%zero : tensor<64xf32>) { arith.addf }
    ```

    becomes

    ```mlir
    %both:2 = linalg.generic ... ins(%x : tensor<64x128xf32>)
        outs(%least, %zero : tensor<64xf32>, tensor<64xf32>) { arith.maximumf, arith.addf }
    ```

    The one is where the first was, if what the second needs may stand there, its initial values and views with it: across
    stores only if these do not touch what the results are stored to. Else it is where the second was, if everything that
    needs the first comes later, and nothing with effects stands in between.

    They stay apart where one loop would not do the same on each element in the same order, or not as fast:

    - more than 4 results, or more than 8 inputs: more accumulators than half of the vector registers, for four vectors of
      each sum in a step, would go to memory and back, and more streams are not fetched ahead;
    - operations that `--vectorize-elements` leaves alone, or has vectors of other lanes or along other loops for, and sums
      beside so much arithmetic that they had fewer accumulators: their order would be another one;
    - scans, and the best element with its number, which have loops of their own;
    - an operation that `--fuse-rows` may compute with its neighbours row by row, if the other has no rows; one that
      threads would share along another loop;
    - matrix products, and what follows one: the loops of a product read its factors block by block.

    Of all readers of a tensor the last 8 are tried. Linear in the size of the program.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", "512", "Width of a vector register">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def FuseRows : PyptoPass<"fuse-rows"> {
  let summary = "Compute operations that work row by row in one loop over the rows";
  let description = [{
    An operation works row by row if each iteration of its loops but the last reads and writes a row of each
    operand: elementwise operations, reductions along rows, and what combines a row with a number of its own.
    Operations of a block that hand such rows to each other become one loop, so that a row stays in the nearest
    cache from the first to the last of them; only rows of what is used elsewhere go to memory. A result that is
    stored is computed in the row of its destination, if no value of the function is read in place from memory
    that may alias it.

    ```mlir
    %max = linalg.generic ... ins(%x : tensor<64x128xf32>) outs(%init : tensor<64x1xf32>) { arith.maximumf }
    %0 = linalg.generic ... ins(%x, %max : ...) outs(%empty : tensor<64x128xf32>) { arith.subf }
    bufferization.materialize_in_destination %0 in writable %y
    ```

    becomes

    ```mlir
    scf.for %i = %c0 to %c64 step %c1 {
      %row = tensor.extract_slice %x[%i, 0] [1, 128] [1, 1]
      %max = linalg.generic ... ins(%row : tensor<1x128xf32>) outs(%init : tensor<1x1xf32>) { arith.maximumf }
      %yrow = memref.subview %y[%i, 0] [1, 128] [1, 1]
      %empty = bufferization.to_tensor %yrow restrict writable
      %0 = linalg.generic ... ins(%row, %max : ...) outs(%empty : tensor<1x128xf32>) { arith.subf }
      bufferization.materialize_in_destination %0 in writable %yrow
    }
    ```

    Single operations stay, and so does what is no row: products of matrices, reductions along columns.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def WriteInPlace : PyptoPass<"write-in-place"> {
  let summary = "Mark stores that may be computed at their destination";
  let description = [{
    Puts `restrict` on a `bufferization.materialize_in_destination` whose value has no other use, if no value of the
    function is read in place from memory that may alias the destination, and nothing accesses the destination
    between the first operation that computes the value and the store. `--eliminate-empty-tensors` then computes it
    in the destination. Views that say where that is are moved before the computation, and empty tensors, filled or
    not, get one use each: no common subexpression elimination may run between the two passes.

    A store of nothing but what was read in place, which is what remains of `x + 0` after folding, moves elements: where
    the windows may overlap the read becomes a copy again.

    ```mlir
    bufferization.materialize_in_destination %0 in writable %y : (tensor<16xf32>, memref<16xf32>) -> ()
    ```

    becomes

    ```mlir
    bufferization.materialize_in_destination %0 in restrict writable %y : (tensor<16xf32>, memref<16xf32>) -> ()
    ```
  }];
}

def KeepBuffersOnStack : PyptoPass<"keep-buffers-on-stack"> {
  let summary = "Move small buffers to the stack and others out of loops";
  let description = [{
    A buffer of at most 64 KiB that is freed in the block that allocates it becomes a `memref.alloca` at the start of
    the function (or of the body of a parallel loop), up to 256 KiB in all, unless the function calls itself or waits for
    a signal: of such functions a stack may hold many frames. Others are allocated once, before the sequential loops
    that they are used in, where their sizes are known there.

    ```mlir
    scf.for %i = %c0 to %n step %c1 {
      %row = memref.alloc() : memref<1x4096xf32>
      ...
      memref.dealloc %row : memref<1x4096xf32>
    }
    ```

    becomes

    ```mlir
    %row = memref.alloca() : memref<1x4096xf32>
    scf.for %i = %c0 to %n step %c1 {
      ...
    }
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def ExpandMath : PyptoPass<"expand-math"> {
  let summary = "Compute exp, log, tanh and erf of f32 by polynomials";
  let description = [{
    Calls of the C library do not vectorise. These do, on scalars and vectors alike, with the same result on both. The
    errors of exp and log are below 1.5 units in the last place over all arguments, results below the least normal
    number included, those of tanh, a fraction of polynomials, below 5.5 and those of erf, another, below 6.5; zeros,
    infinities and NaN give what the C library gives. Only here are products and sums rounded once, by
    `llvm.intr.fmuladd`: all of them, where the target has an instruction for it, so that the same argument gives the
    same bits wherever it stands.

    The maximum and minimum of `f32` become the intrinsics of LLVM with the same meaning, which its vectoriser knows as
    reductions. `f64` and other functions are left alone.

    ```mlir
    %0 = math.exp %x : f32
    ```

    becomes some 25 operations of `arith`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect"];
}

def MoveBFloat16AsInteger : PyptoPass<"move-bfloat16-as-integer"> {
  let summary = "Make i16 of bf16 that is only moved";
  let description = [{
    On the LLVM dialect, where all arithmetic on bf16 is in f32 between conversions that work on bits. LLVM selects and
    shuffles bf16 elements by way of f32 on some CPUs, whose instructions make zeros of numbers below the least normal
    one. As integers they stay what they are. A module that computes with bf16 is left alone, but for products of pairs
    by one instruction, which get them as bf16.

    ```mlir
    %0 = llvm.load %p : !llvm.ptr -> bf16
    %1 = llvm.select %c, %0, %x : i1, bf16
    ```

    becomes

    ```mlir
    %0 = llvm.load %p : !llvm.ptr -> i16
    %1 = llvm.select %c, %0, %x : i1, i16
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def MarkNoAliasPointers : PyptoPass<"mark-noalias-pointers"> {
  let summary = "Tell LLVM which parameters do not alias";
  let description = [{
    The conversion of functions to LLVM drops `llvm.noalias` from memrefs. Run before it, this notes on each function
    that all of its memrefs have it, in an attribute `pypto.noalias_pointers` that the conversion keeps; run after it,
    the attribute becomes `llvm.noalias` on each pointer.

    ```mlir
    func.func @f(%x: memref<4xf32> {llvm.noalias}, %y: memref<4xf32> {llvm.noalias})
    ```

    becomes

    ```mlir
    func.func @f(%x: memref<4xf32> {llvm.noalias}, %y: memref<4xf32> {llvm.noalias})
        attributes {pypto.noalias_pointers}
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif
