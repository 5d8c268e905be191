// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_CONVERSION_PYPTOTOLINALG_PASSES_TD
#define PYPTO_CONVERSION_PYPTOTOLINALG_PASSES_TD

include "pypto/Properties/PassBase.td"

def ConvertPyptoToLinalg : PyptoPass<"convert-pypto-to-linalg"> {
  let summary = "Lower pl, tile and orchestration to linalg on tensors over memrefs";
  let description = [{
    For the CPU. Requires `InlineFunctionsEliminated` and `SSAForm`. On an error the module is as it was.

    - A tensor becomes a `memref` with dynamic strides, followed by one `index` for each dimension of its valid
      shape when that is not constant. A tile becomes a ranked `tensor` of its *valid* extents, so that nothing
      computes on undefined elements. Arrays become vectors, task ids `i64`. Elements of `uiN` become `iN`,
      `index` becomes `i64`, 4-bit integers stand in bytes.
    - A read is a copy at the point of the read: a fresh buffer, filled there, seen as a tensor. A write is
      `bufferization.materialize_in_destination`. So the order of reads and writes is the order of the program,
      whatever the analyses of later passes prove.
    - `pl.func @f` becomes the private `func.func @pl.f`; a result that is a parameter's storage is dropped, and
      callers go on with their argument. Each public definition gets an entry `@pypto_entry_f` with a C
      interface: it takes and returns what the signature of `@f` says, and what it returns belongs to the caller.
    - In functions that are no kernels (of no kind, or of kind `orchestration` or `graph`) a call or submit of a kernel
      that returns nothing new becomes an `orchestration.launch`: what it does to each tensor follows from the
      directions of the parameters and from what the body writes beyond them. A kernel that returns something new runs
      at once, behind what it conflicts with. Before such a function accesses a tensor that a task may access, it waits
      (`orchestration.sync`); an entry waits for everything at its end. A program without kernel calls has none of this.
    - Within kernels calls, scopes, launches and submits run in place, in program order, a launch block by block. So do
      the placement scopes (`pl.at`, `pl.spmd`, …) of other functions.

    With `check-bounds`, each operation that is undefined for some operands has a `pl.check` for each of them in front
    (`docs/check-bounds.md` lists what is checked).

    Linear in the size of the program.
  }];
  let options = [Option<"checkBounds", "check-bounds", "bool", /*default=*/"false",
    "Ends the run with an error where an access is out of range">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::pypto::orchestration::OrchestrationDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"];
}

def ConvertMemRefCopyToLinalg : PyptoPass<"convert-memref-copy-to-linalg"> {
  let summary = "Make loops of copies between buffers with strides";
  let description = [{
    `memref.copy` of dense buffers stays and becomes a `memcpy`. One with strides would become a call of a run-time
    function that looks at each element; this makes `linalg.copy` of it.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

#endif
