// RUN: pypto-opt %s | pypto-opt | FileCheck %s
// A string is followed by the colon of the operation's type, not of its own.

// CHECK-LABEL: pl.func @no_initial_value
// CHECK: pl.var "n" : index
pl.func @no_initial_value() {
  %n = pl.var "n" : index
  pl.return
}
