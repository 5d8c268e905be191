// RUN: pypto-opt %s | FileCheck %s
// RUN: pypto-opt %s --verify-roundtrip --emit-bytecode | pypto-opt | FileCheck %s
// RUN: pypto-opt --help | FileCheck %s --check-prefix=HELP
// RUN: pypto-opt --show-dialects | FileCheck %s --check-prefix=DIALECTS
// RUN: not pypto-opt %s --no-such-pass 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not pypto-opt %t.absent 2>&1 | FileCheck %s --check-prefix=ABSENT

// The driver knows the project's dialects and passes beside all of MLIR's, and fails with a message on
// what it does not know.

// HELP-DAG: --convert-to-ssa
// HELP-DAG: --inline-functions
// HELP-DAG: --normalize-return-order
// HELP-DAG: --canonicalize
// DIALECTS-DAG: orchestration
// DIALECTS-DAG: pl
// DIALECTS-DAG: tile
// DIALECTS-DAG: linalg
// UNKNOWN: Unknown command line argument '--no-such-pass'
// ABSENT: cannot open input file

// CHECK-LABEL: pl.func @empty
pl.func @empty() {
  pl.return
}
