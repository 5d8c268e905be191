// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_RANGEIFY_PASSES_TD
#define PYPTO_RANGEIFY_PASSES_TD

include "pypto/Properties/PassBase.td"

def DecomposeAggregates : PyptoPass<"decompose-aggregates"> {
  let summary = "Make simple structured ops of those that stand for several";
  let description = [{
    `linalg.softmax`, and whatever else implements `AggregatedOpInterface` of upstream, becomes the ops that it stands for,
    which are then fused like those of any graph:

    ```mlir
    %0 = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
    becomes four `linalg.generic`: the maximum of each row, the exponentials of the differences, their sum, the quotient.
    Linear in the size of the graph.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def WindowOutputs : PyptoPass<"window-outputs"> {
  let summary = "Make outputs that are written in part windows of the whole";
  let description = [{
    A `linalg.generic` may write its output at an offset, with a stride, or in one column. Elements that it does not write keep
    what the output had. Such an op computes a tensor of what it writes, which is then inserted:

    ```mlir
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i + 2)>], iterator_types = ["parallel"]}
        ins(%x : tensor<4xf32>) outs(%y : tensor<8xf32>) { … } -> tensor<8xf32>
    ```
    becomes
    ```mlir
    %old = tensor.extract_slice %y[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %new = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%x : tensor<4xf32>) outs(%old : tensor<4xf32>) { … } -> tensor<4xf32>
    %0 = tensor.insert_slice %new into %y[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
    ```
    Outputs that are written as a whole stay, be it in another order. One that is indexed by a sum of loops, or by a loop twice,
    is an error. Linear in the size of the graph.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def CleanMovement : PyptoPass<"clean-movement"> {
  let summary = "Merge, drop and sink movement ops";
  let description = [{
    On graphs of tensor ops, to a fixed point:

    - chains of reshapes, transposes, broadcasts, paddings, slices and flips become one op of their kind, and go if they
      undo each other: `reshape`, `transpose`, `flip`;
    - a slice that has nothing of the padding of a `tensor.pad` is taken of what is padded;
    - one number stays one, however it is moved;
    - an elementwise op (one of `arith` or `math`, or a `linalg.generic` with identity maps) whose operands are all moved in the
      same way, or are one number everywhere, is computed first, and its result is moved: what was repeated is computed once.

    ```mlir
    %0 = linalg.transpose ins(%x : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0]
    %1 = math.exp %0 : tensor<3x2xf32>
    %2 = linalg.transpose ins(%1 : tensor<3x2xf32>) outs(%f : tensor<2x3xf32>) permutation = [1, 0]
    ```
    becomes
    ```mlir
    %2 = math.exp %x : tensor<2x3xf32>
    ```
    Tensors of extents that are not known are left to the patterns of upstream. Linear in the size of the graph times the
    number of movement ops that follow each other.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def OutlineLoops : PyptoPass<"outline-loops"> {
  let summary = "Make graphs of the bodies of loops in graphs";
  let description = [{
    A loop in a graph is an outer range: its body runs once for each value of a variable, and what one iteration computes
    the next one reads. The body becomes a private graph, whose last parameter is the variable, and the loop a loop of calls.
    `--split-kernels` makes kernels of the body once, and a loop on the host that launches them.

    ```mlir
    %r = scf.for %i = %low to %high step %step iter_args(%a = %init) -> (tensor<4xf32>) {
      %0 = arith.mulf %a, %x : tensor<4xf32>
      scf.yield %0 : tensor<4xf32>
    }
    ```
    becomes
    ```mlir
    func.func private @main_loop_0(%a: tensor<4xf32>, %x: tensor<4xf32>, %i: index) -> tensor<4xf32>
    %r = scf.for %i = %low to %high step %step iter_args(%a = %init) -> (tensor<4xf32>) {
      %0 = func.call @main_loop_0(%a, %x, %i) : (tensor<4xf32>, tensor<4xf32>, index) -> tensor<4xf32>
      scf.yield %0 : tensor<4xf32>
    }
    ```
    Loops carry and read tensors whose extents are known; others are an error.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def AssignRanges : PyptoPass<"assign-ranges"> {
  let summary = "Make loop nests of a graph of tensor ops, and index arithmetic of its movement ops";
  let description = [{
    A graph is a `func.func` with one block of ops on tensors. Each value that is to be in memory becomes one
    `linalg.generic`: results of reductions, what the function returns, and values that cost more to compute again
    than to keep. Everything in between is computed in the bodies, element by element; a read of a stored tensor is
    `tensor.extract` at an index that `affine.apply` computes from `linalg.index`:

    | op | index in the source |
    |---|---|
    | `tensor.collapse_shape`, `expand_shape`, `reshape` | flattened and cut up again |
    | `linalg.transpose` | permuted |
    | `linalg.broadcast` | without the new dimensions |
    | `tensor.pad` | moved, and read only inside; the padding elsewhere (`scf.if`) |
    | `tensor.extract_slice` | scaled and moved |
    | a flip: `linalg.generic` that reads at `size - 1 - index` | that |

    A reshape of a stored tensor that the function returns stays: it is a view of the same memory. Ops that are not
    known stay as they are, on stored tensors. Linear in the size of the graph times the depth of expressions,
    which is bounded: longer ones are stored in between.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::ub::UBDialect"];
}

def SimplifyIndices : PyptoPass<"simplify-indices"> {
  let summary = "Simplify index arithmetic by the bounds of the loops";
  let description = [{
    In the bodies of `linalg.generic`: simplifies the indices of `tensor.extract` and comparisons of indices, every
    loop being bound by its extent, and inside an `scf.if` by its condition too. Division and remainder are those of
    `affine.apply`: rounded down and never negative. The rules:

    - a sum keeps one term for equal expressions; `x mod n + n * (x floordiv n)` is `x`, with factors and nested
      divisions too;
    - a quotient or remainder of a value within one period is that value up to a constant;
    - multiples of the divisor leave a division and vanish from a remainder; a common factor is divided out, with
      what is left of the constant; low digits that cannot carry are split off;
    - factors in a remainder become those nearest to zero if the value then is within one period; an inner
      remainder goes if the outer one has the same effect;
    - `(x floordiv a + k) floordiv b` is `(x + k * a) floordiv (a * b)`;
    - what depends on one loop with two iterations is a line;
    - a comparison that the bounds decide is a constant, and so its `scf.if` goes.

    A read whose row-major number is simpler than its indices goes to a view of the tensor in a shape in which it is
    simplest: `tensor.collapse_shape` and `expand_shape` of stored tensors cost nothing.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def FoldLoads : PyptoPass<"fold-loads"> {
  let summary = "Replace reductions by closed forms";
  let description = [{
    On loop nests of `--assign-ranges`, for each loop r of N iterations that a reduction runs over; other loops of it stay:

    | combined | becomes |
    |---|---|
    | an integer that does not use r, added | `x * N`, added once |
    | the same multiplied; exclusive or | `x` to the N-th; `x` or zero |
    | `x` that does not use r, by maximum, minimum, and, or | `x`, once |
    | `r == i ? x(r) : 0`, added; `r != i ? 0 : x(r)` | `0 <= i < N ? x(i) : 0`: a read at `i`, as of an embedding |
    | an integer `a * r + b`, added | `a * N * (N - 1) / 2 + b * N`; what is an `arange`, summed |
    | `c(r) ? x(r) : y(r)` with integers of this table, added; `x * c(r)` | sums over the interval in which `c` holds, and over the rest |

    A condition that has an interval compares r with any number (`<`, `<=`, `>`, `>=`, `==`), or a line in r with a line of loops, or is
    the conjunction of such: triangles, bands, cumulative counts. Integers that are added, subtracted, multiplied by what
    does not use r, or cut off are taken apart. All of it is exact in the arithmetic of the type, which wraps.

    A float that is added N times stays: the product would be rounded differently. So does a float that is multiplied
    by zero or one: it may be no number.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect"];
}

def SplitRanges : PyptoPass<"split-ranges"> {
  let summary = "Split loops that are divided in indices";
  let description = [{
    On loop nests of `--assign-ranges`. A loop i of extent N whose index is read at `i mod c` or `i floordiv c`, c being
    a divisor of N, becomes two loops: `i = outer * c + inner`. `--simplify-indices` then makes plain loops of the
    divisions. What the nest writes has the new extents; who reads it sees it in the old ones, by a view.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def MergeRanges : PyptoPass<"merge-ranges"> {
  let summary = "Make one loop of neighbours where that costs no divisions";
  let description = [{
    On loop nests of `--assign-ranges` with extents that are known, which read nothing that another nest computes, and whose
    results are returned only: all others share their loops with those next to them. Two neighbouring loops of a kind become one
    if what is written has both next to each other, and if the indices then need no more divisions and remainders than
    before; each of them is counted as `--simplify-indices` leaves it. So what is dense in memory is one loop: vectors do not end
    with a short row. Nests over the same ranges of 256 elements or more in the last one that read the same tensor may be one kernel: a
    loop is merged in all of them or in none.

    ```mlir
    %x[i, j] of a tensor<1000x3xf32>  becomes  %flat[m] of a tensor<3000xf32>
    ```
    What the nest writes has the new extents; it is seen in the old ones, by a view. Quadratic in the number of loops of a nest.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def SplitReductions : PyptoPass<"split-reductions"> {
  let summary = "Reduce long reductions in parts, which may run at the same time";
  let description = [{
    On loop nests of `--assign-ranges` with extents that are known. A reduction of at least `threshold` iterations for each of at
    most 64 results becomes two: one of each part, along a new outermost loop, and one of what the parts give. There are at most 64
    parts, as many as divide the first loop of the reduction that can be divided, each of at least a sixteenth of `threshold`. They
    follow from the extents alone, so the order of a float sum is the same on any number of threads.

    A reduction whose result a nest of as many iterations reads stays: its passes run along the same loops, as those of a norm.
    So does one that neither adds, multiplies, nor chooses.

    ```mlir
    sum over i of x[i], i < 1048576  becomes  sum over p of (sum over r of x[p * 16384 + r])
    ```
  }];
  let options = [Option<"threshold", "threshold", "int64_t", "262144", "Fewest iterations of a reduction that is split">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def VerifyRangeified : PyptoPass<"verify-rangeified"> {
  let summary = "Check that no movement op is left";
  let description = [{
    Reshapes of tensors that are in memory may stay: they are views of the same memory. Changes nothing.
  }];
}

def RaiseAccesses : PyptoPass<"raise-accesses"> {
  let summary = "Make operands with indexing maps of reads in loop nests";
  let description = [{
    A `tensor.extract` in the body of a `linalg.generic` becomes an operand if each index is a loop over the whole
    dimension, a constant, or a sum of loops with positive factors that stays inside. Reads that go backwards, that
    divide, or that happen under a condition stay. An operand that only told the extents of reductions goes when others
    tell them.
  }];
}

def SplitKernels : PyptoPass<"split-kernels"> {
  let summary = "Split graphs into kernels";
  let description = [{
    Each public function, a graph of tensor ops, becomes a function over buffers that calls kernels. A kernel is a
    private function that writes a store root, or a few. Its parameters are what it writes, in the order of the program, what
    it reads by first use, then scalars. The parameters of the graph become what it returned, its tensors, then its scalars.
    Each result has memory of its own: one that is an argument, or that is returned twice, is copied.

    The host makes a task of each kernel. What kernels hand to each other is in buffers that it allocates. A task runs
    after the one that wrote what it reads, and after those that used what it writes.

    A store joins the kernel of its users if they are in one, and if they share a loop: each step of the shared loops
    then needs a slice of its result. A slice that is more than a single element has to fit in the cache, and so has
    what each step reads again: so the passes of a softmax are one kernel, two products with large weights are not. What is
    elementwise on such a product stays with it rather than with the product that reads it. Scores of attention, which
    several steps read and which are much larger than what they are computed from, are computed for each block of rows.

    A store that has to be in memory, because it is returned or because several kernels need it, is an output of the kernel of
    one of its users, if that needs an element of it in each step only. A store that reads the same tensor along the same
    loops as one of another kernel is an output of that kernel, if `--fuse-siblings` makes one loop of the two. So what both
    read is read once, and what only they need may be computed in their kernel. A kernel has at most four outputs. These
    stay apart:

    - stores one of which another kernel needs that the other one needs: the kernel would wait for itself;
    - two stores that take more than a dozen operations for each element: they take longer than to read it, and may run at
      the same time;
    - matrix products, whose loops go block by block through their factors;
    - a sum, if it would be added up in another order beside what is computed for the other output: results have the
      bits that kernels of their own give.
    A loop of `--outline-loops` is one task: a function with an `scf.for` that launches what its body became. Two buffers for each
    tensor that it carries take turns.
    Linear in the size of the graph, but for the order of kernels, which takes n log n.

    ```mlir
    func.func @main(%result: memref<2x3xf32>, %x: memref<2x3xf32>) {
      %sums = memref.alloc() : memref<2xf32>
      %0 = orchestration.launch @main_kernel_0(write %sums, read %x) : memref<2xf32>, memref<2x3xf32>
      %1 = orchestration.launch @main_kernel_1(write %result, read %x, read %sums) after(%0)
          : memref<2x3xf32>, memref<2x3xf32>, memref<2xf32>
      orchestration.await
      memref.dealloc %sums : memref<2xf32>
      return
    }
    func.func private @main_kernel_0(memref<2xf32>, memref<2x3xf32>)
    func.func private @main_kernel_1(memref<2x3xf32>, memref<2x3xf32>, memref<2xf32>)
    ```
  }];
  let options = [Option<"single", "single", "bool", "false", "One kernel for the whole graph">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::pypto::orchestration::OrchestrationDialect"];
}

def ScheduleKernels : PyptoPass<"schedule-kernels"> {
  let summary = "Order the tasks of a graph in groups, and place its buffers in one arena";
  let description = [{
    On a host function of `--split-kernels`. Group 1 are the tasks that wait for none, group 2 those that wait for tasks
    of group 1 only, and so on; the attribute `group` of a launch says which it is in, and the tasks of a group come one
    after the other. With `barriers` a group begins when the one before is done; without, a task runs as soon as those
    that it waits for are done.

    Buffers that the host allocates and whose size is known become views of one allocation. Two share memory if every
    task that uses one is done before any that uses the other begins: in an earlier group with `barriers`, else by a
    path of edges. Large buffers are placed first, each in the smallest gap that has room; the attribute `arena_bytes`
    of the function is the peak, `buffer_bytes` what the buffers take by themselves. Quadratic in the number of buffers.
    A task that waits for one behind it is an error.
  }];
  let options = [Option<"barriers", "barriers", "bool", "false", "Wait for each group before the next">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::pypto::orchestration::OrchestrationDialect"];
}

#endif
