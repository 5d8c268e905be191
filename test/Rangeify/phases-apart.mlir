// RUN: pypto-run %S/../Tools/pypto-run/Inputs/product-graph.mlir --stop-after=rangeify | FileCheck %s --check-prefix=GRAPH
// RUN: pypto-run %S/../Tools/pypto-run/Inputs/product-graph.mlir --stop-after=schedule | FileCheck %s --check-prefix=SPLIT
// RUN: pypto-run %S/../Tools/pypto-run/Inputs/product-graph.mlir --stop-after=codegen | FileCheck %s --check-prefix=CODE

// A stage knows only what it is about: the graph has no memory, vectors or machine, the split one none of these but the
// buffers of kernels, and machine code has no tensors.

// GRAPH-NOT: {{memref|vector|llvm}}
// GRAPH: linalg.generic
// GRAPH-NOT: {{memref|vector|llvm}}

// SPLIT-NOT: {{vector\.|llvm\.[a-z]+ %}}
// SPLIT: orchestration.launch
// SPLIT-NOT: {{vector\.|llvm\.[a-z]+ %}}

// CODE-NOT: {{tensor|linalg|memref<}}
// CODE: define {{.*}}@main_kernel_0(
// CODE-NOT: {{tensor|linalg|memref<}}
