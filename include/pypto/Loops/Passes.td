// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LOOPS_PASSES_TD
#define PYPTO_LOOPS_PASSES_TD

include "pypto/Properties/PassBase.td"

def FuseProducts : PyptoPass<"fuse-products"> {
  let summary = "Compute products of products block by block";
  let description = [{
    A matrix product whose left factor comes from another product, by way of operations on its rows, becomes a loop over
    blocks of those rows: in each the first product, what follows it, and the second one. The factor never is in memory as
    a whole. This is what attention is made of: scores, their softmax, and the sum of values that they weigh. Every
    element is computed by the same operations in the same order.

    ```mlir
    %s = linalg.generic ... ins(%q, %k : tensor<1024x64xf32>, tensor<1024x64xf32>) { mulf, addf }
    %p = linalg.generic ... ins(%s : tensor<1024x1024xf32>) { math.exp }
    %o = linalg.generic ... ins(%p, %v : tensor<1024x1024xf32>, tensor<1024x64xf32>) { mulf, addf }
    ```

    becomes

    ```mlir
    scf.for %i = %c0 to %c1024 step %c64 iter_args(%out = %empty) {
      %qrows = tensor.extract_slice %q[%i, 0] [64, 64] [1, 1]
      %s = linalg.generic ... ins(%qrows, %k)
      %p = linalg.generic ... ins(%s : tensor<64x1024xf32>) { math.exp }
      %o = linalg.generic ... ins(%p, %v : tensor<64x1024xf32>, tensor<1024x64xf32>)
      tensor.insert_slice %o into %out[%i, 0] [64, 64] [1, 1]
    } {pypto.rows}
    ```

    Elementwise operations that alone read the result, as a division by the sum of a softmax, go along in the loop.
    Where no number of rows, of whole vectors and not much less than the most, divides all of them into equal blocks, the
    rows that are left over are a loop of their own, of one iteration.
    Factors with an extent that is known at run time only stay, and so do small ones.
  }];
  let options = [
    Option<"rows", "rows", "int64_t", "64", "Most rows of a block">,
    Option<"minElements", "min-elements", "int64_t", "1 << 16", "Fewest elements of a factor that is worth it">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def TransposeProducts : PyptoPass<"transpose-products"> {
  let summary = "Keep blocks of products transposed where their large factor then needs no copy";
  let description = [{
    In the loops of `--fuse-products`. A product `A @ B.T` of rows of A and rows of B sums along the rows of both; one of the
    two has to be copied with its rows as columns, for vectors to go along them. If A is the smaller one, a block of
    queries against all keys, the product is kept as `B @ A.T`: each tensor that is computed from it, up to where
    its columns are summed up or multiplied away, gets its last two dimensions exchanged, and the loops that write
    it go along memory. Every element is computed by the same operations.

    ```mlir
    %s = linalg.generic ... ins(%a, %b : tensor<64x8xf32>, tensor<1024x8xf32>) outs(%e : tensor<64x1024xf32>) { mulf, addf }
    %m = linalg.generic ... ins(%s : tensor<64x1024xf32>) outs(%f : tensor<64xf32>) { maximumf }
    ```

    becomes

    ```mlir
    %s = linalg.generic ... ins(%a, %b : tensor<64x8xf32>, tensor<1024x8xf32>) outs(%e : tensor<1024x64xf32>) { mulf, addf }
    %m = linalg.generic ... ins(%s : tensor<1024x64xf32>) outs(%f : tensor<64xf32>) { maximumf }
    ```

    Blocks with fewer than `min-rows` rows, and those that something else than a loop nest reads, stay.
    Linear in the size of the program.
  }];
  let options = [
    Option<"minRows", "min-rows", "int64_t", "32", "Fewest rows of a block, along which vectors go">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def BoundReductions : PyptoPass<"bound-reductions"> {
  let summary = "End reductions where no term that follows changes them";
  let description = [{
    On `linalg` operations on tensors in a loop. A term `index <= limit ? x : neutral`, of the reduction itself or of the
    operation that made what it reads, changes nothing beyond the limit: zero if terms are added, minus infinity if
    they are compared. If the limit is a line in loops around and in the loops of the operation, the reduction loop ends
    at its greatest value. With it end all loops that go along it: those of operations that make what only such
    reductions read. So a loop over blocks of rows of a triangle computes the columns that the block has, no others.

    ```mlir
    scf.for %i = %c0 to %c1024 step %c64 {
      %p = linalg.generic ... ins(%x : tensor<64x1024xf32>) { column <= row + %i ? math.exp : 0 }
      %sum = linalg.generic ... ins(%p : tensor<64x1024xf32>) outs(%zero : tensor<64xf32>) { addf }
    ```

    becomes

    ```mlir
    scf.for %i = %c0 to %c1024 step %c64 {
      %n = arith.minsi %c1024, %i + 64
      %columns = tensor.extract_slice %x[0, 0] [64, %n] [1, 1]
      %p = linalg.generic ... ins(%columns : tensor<64x?xf32>) { column <= row + %i ? math.exp : 0 }
      %sum = linalg.generic ... ins(%p : tensor<64x?xf32>) outs(%zero : tensor<64xf32>) { addf }
    ```

    What is beyond the limit is not read: it may be NaN. A product with zero, and `exp` of minus infinity, are no neutral
    terms: they depend on what they are computed from. Linear in the size of the program, but for sets of loops.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def BlockSoftmax : PyptoPass<"block-softmax"> {
  let summary = "Sum up exponentials and what they weigh block by block";
  let description = [{
    In the loops of `--fuse-products`. The maximum of a row of scores, the exponentials of the scores minus it, their sum, and
    a sum of values that they weigh need whole rows: each is a pass over all scores of a block of rows. This makes one loop
    over blocks of keys of them. It carries the maximum so far and the sums so far; where the maximum grows, the sums
    are multiplied by the exponential of how much less the old one is. A block of scores stays in the nearest
    cache, and memory does not grow with the rows.

    ```mlir
    %s = linalg.generic ... ins(%q, %k : tensor<64x64xf32>, tensor<4096x64xf32>) { mulf, addf }
    %m = linalg.generic ... ins(%s : tensor<64x4096xf32>) outs(%infinity : tensor<64xf32>) { maximumf }
    %p = linalg.generic ... ins(%s, %m : tensor<64x4096xf32>, tensor<64xf32>) { subf, math.exp }
    %l = linalg.generic ... ins(%p : tensor<64x4096xf32>) outs(%zero : tensor<64xf32>) { addf }
    %o = linalg.generic ... ins(%p, %v : tensor<64x4096xf32>, tensor<4096x64xf32>) { mulf, addf }
    ```

    becomes

    ```mlir
    scf.for %j = %c0 to %c4096 step %c512 iter_args(%m = %least, %l = %zero, %o = %zeros) {
      %kblock = tensor.extract_slice %k[%j, 0] [512, 64] [1, 1]
      %s = linalg.generic ... ins(%q, %kblock)
      %m1 = linalg.generic ... ins(%s : tensor<64x512xf32>) outs(%m : tensor<64xf32>) { maximumf }
      %p = linalg.generic ... ins(%s, %m1) { subf, math.exp }
      %f = linalg.generic ... ins(%m, %m1) { subf, math.exp }
      %l1 = linalg.generic ... ins(%p) outs(%l * %f) { addf }
      %o1 = linalg.generic ... ins(%p, %vblock) outs(%o * %f) { mulf, addf }
      scf.yield %m1, %l1, %o1
    }
    ```

    The maximum begins with the least finite number rather than minus infinity, so that a block of nothing but minus
    infinity, as a mask has, leaves exponentials of zero rather than NaN. A row of nothing else has sums that are NaN, as it
    has without blocks: behind the loop its sum of exponentials is zero, and its maximum what it began with.
    Exponentials may be selected by one condition that is a line in the loops, else they stay, and so do rows of
    at most two blocks. Blocks of few rows are longer. Linear in the size of the program, for each softmax in it.
  }];
  let options = [
    Option<"keys", "keys", "int64_t", "512", "Most scores of a row in a block">,
    Option<"leastScores", "least-scores", "int64_t", "1 << 15", "Fewest scores of a block, for which few rows have more">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def ScheduleLoops : PyptoPass<"schedule-loops"> {
  let summary = "Write down how loops other than matrix products will run";
  let description = [{
    Gives each operation of `linalg` that is no matrix product, and each loop over rows, a `pypto.schedule`: a dictionary
    with the width of vectors, how many of them an iteration takes, the parts that threads share, and so on. What the
    operation, or its function, says already stays, as far as there is a choice; the rest is chosen by the types. The
    dictionary may be edited: the passes that make loops follow it. docs/schedules.md lists the entries.

    ```mlir
    linalg.generic ... ins(%x : memref<4096x4096xf32>) outs(%y : memref<4096x4096xf32>) { math.exp }
    ```

    becomes

    ```mlir
    linalg.generic ... {parts = 64 : i64, stream = true, unroll = 1 : i64, vector_bits = 512 : i64} ... { math.exp }
    ```

    Only what is open for an operation is written. On tensors that is less than on buffers, where fusion is over and it is
    known which results can go past the caches. Values that no loop can have are errors. Linear in the size of the program.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", "512", "Width of a vector register">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect"];
}

def ParallelizeRows : PyptoPass<"parallelize-rows"> {
  let summary = "Let threads share loops over rows";
  let description = [{
    A loop that `--fuse-rows` or `--fuse-products` made, and marked with `pypto.rows`, has iterations that read and write
    rows of their own, and buffers that each of them allocates. Run on buffers, this makes parts of such a loop an
    `scf.parallel`, unless the loop is in another one or has too little to do. An outer loop of few iterations that has
    nothing but an inner loop is shared in parts of that. What a part is depends on the types only, never on the
    number of threads.

    ```mlir
    scf.for %i = %c0 to %c4096 step %c1 {
      ...
    } {pypto.rows}
    ```

    becomes

    ```mlir
    scf.parallel (%part) = (%c0) to (%c64) step (%c1) {
      %first = affine.apply (d0) -> (d0 * 64) (%part)
      scf.for %i = %first to %end step %c1 {
        ...
      }
    }
    ```

    Linear in the size of the program.
  }];
  let options = [
    Option<"partWork", "part-work", "int64_t", "1 << 17", "Fewest iterations of the innermost loops in a part">,
    Option<"maxParts", "max-parts", "int64_t", "64", "Most parts of a loop">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def ParallelizeOperations : PyptoPass<"parallelize-operations"> {
  let summary = "Let threads share operations on large buffers";
  let description = [{
    A `linalg` operation on buffers that stands in no loop and has enough to do becomes an `scf.parallel` over parts of its
    outermost parallel loop. If there is none it is a reduction to one number: parts of its outermost loop are combined
    in buffers of their own, then with each other in their order. What a part is depends on the types only, never on the
    number of threads, so that results do not depend on it either.

    One long scan, a reduction to one number that also yields what it has at each iteration, goes along its row block by
    block, if the order of its operation is open: threads combine 8 parts of 64 KiB each, what is in front of each part
    follows from them in their order, and threads scan the parts from there. Parts of a block are in the cache when they
    are read again.

    ```mlir
    linalg.generic ... ins(%x : memref<4096x4096xf32>) outs(%y : memref<4096x4096xf32>)
    ```

    becomes

    ```mlir
    scf.parallel (%part) = (%c0) to (%c64) step (%c1) {
      %xpart = memref.subview %x[%first, 0] [64, 4096] [1, 1]
      %ypart = memref.subview %y[%first, 0] [64, 4096] [1, 1]
      linalg.generic ... ins(%xpart) outs(%ypart)
    }
    ```

    Linear in the size of the program.
  }];
  let options = [
    Option<"partWork", "part-work", "int64_t", "1 << 17", "Fewest iterations of the innermost loops in a part">,
    Option<"maxParts", "max-parts", "int64_t", "64", "Most parts of an operation">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def BlockTransposes : PyptoPass<"block-transposes"> {
  let summary = "Turn operands that are read across their rows around block by block";
  let description = [{
    An elementwise `linalg` operation on buffers that walks along the rows of its result but across those of an operand
    would read a line of memory for each element. It becomes loops over blocks of 64 x 64 elements: each block of the
    operand is copied, turned around, to the stack, and the operation reads the copy along its rows. Elements of 32 bits
    are turned around 16 x 16 at a time in registers.

    ```mlir
    linalg.generic {indexing_maps = [(i, j) -> (j, i), (i, j) -> (i, j)]} ins(%x) outs(%y : memref<4096x4096xf32>)
    ```

    becomes

    ```mlir
    %copy = memref.alloca() : memref<64x64xf32>
    scf.for %i = %c0 to %c4096 step %c64 {
      scf.for %j = %c0 to %c4096 step %c64 {
        %block = memref.subview %x[%j, %i] [64, 64] [1, 1]
        // 16 x 16 elements of %block at a time to %copy
        linalg.generic {indexing_maps = [(i, j) -> (i, j), (i, j) -> (i, j)]} ins(%copy) outs(%yblock)
    ```

    Linear in the size of the program.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def StoreBoolsAsBytes : PyptoPass<"store-bools-as-bytes"> {
  let summary = "Make bytes of bools in buffers";
  let description = [{
    A bool takes a byte in memory, 0 or 1, but a vector of bools a bit for each. Buffers of `i1` become buffers of `i8`;
    operations on them compare what they read with zero, and extend what they write, so that loops over them become
    loops over vectors of bytes.

    ```mlir
    linalg.generic ... ins(%m : memref<64xi1>) outs(%y : memref<64xf32>) {
    ^bb0(%in: i1, %out: f32):
      %0 = arith.select %in, %a, %b : f32
    ```

    becomes

    ```mlir
    linalg.generic ... ins(%m : memref<64xi8>) outs(%y : memref<64xf32>) {
    ^bb0(%in: i8, %out: f32):
      %bool = arith.cmpi ne, %in, %zero : i8
      %0 = arith.select %bool, %a, %b : f32
    ```

    Linear in the size of the program.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect"];
}

def VectorizeElements : PyptoPass<"vectorize-elements"> {
  let summary = "Lower linalg operations on buffers to loops over vectors";
  let description = [{
    One loop of an operation goes along consecutive elements of every operand that it walks along: it becomes a loop over
    vectors, a few in a step if the body is short, and a step under a mask for what is left. The others become plain
    loops, those over sums innermost, so that a sum over them goes in its order. A sum along the vectors (any
    combination whose order docs/numerics.md leaves open) has an accumulator for each lane, which are combined half by half
    at the end: the order depends on the operation and the target only.

    A scan, which also yields what it has at each iteration, combines the lanes of a vector with those before them in groups of
    2, 4, 8, … lanes: the second half takes what the first one has at its end. Then all lanes take what is in front of the
    vector, which is the last lane of the one before:

    ```mlir
    %t = vector.load %x[%i] : memref<64xf32>, vector<4xf32>
    %0 = vector.shuffle %t, %t [0, 0, 2, 2]
    %1 = arith.addf %0, %t
    %pairs = arith.select %odd, %1, %t
    %2 = vector.shuffle %pairs, %pairs [0, 1, 1, 1]
    %3 = arith.addf %2, %pairs
    %fours = arith.select %upper, %3, %pairs
    %each = arith.addf %before, %fours
    ```

    The best element of a row and its number, the first of those that are as good, begins with the extremes of blocks of 16
    vectors in rows of 64 vectors or more: lanes keep the best extreme and the number of its block. Where the best element
    is in its block is looked up at the end.

    Results that are written once, line by line, to a parameter of at least `stream-bytes` bytes go past the caches, which
    such a buffer outgrows anyway; a fence follows.

    Operations without such a loop are left as they are, and so are elements of less than 8 bits or of 16-bit floats.

    ```mlir
    linalg.generic ... ins(%x : memref<4096xf32>) outs(%y : memref<4096xf32>) { math.exp }
    ```

    becomes

    ```mlir
    scf.for %i = %c0 to %c4096 step %c16 {
      %0 = vector.load %x[%i] : memref<4096xf32>, vector<16xf32>
      %1 = math.exp %0 : vector<16xf32>
      vector.store %1, %y[%i] : memref<4096xf32>, vector<16xf32>
    }
    ```

    Linear in the size of the program.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", "512", "Width of a vector register">,
    Option<"streamBytes", "stream-bytes", "int64_t", "8 << 20", "Least size of a buffer that is written past the caches">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

#endif
