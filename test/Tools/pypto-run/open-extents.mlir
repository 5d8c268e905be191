// RUN: rm -rf %t && split-file %s %t
// RUN: %python %S/Inputs/make_npy.py %t/x.npy "np.arange(24, dtype='f4').reshape(6, 4)"
// RUN: %python %S/Inputs/make_npy.py %t/y.npy "np.arange(20, dtype='f4').reshape(5, 4)"

// Extents that types leave open follow from arguments: those of tensors and numbers. Results get them,
// and what does not fit is an error where it is.

// DEFINE: %{check} = FileCheck %s --implicit-check-not={{.}} --check-prefix

// RUN: %python %S/Inputs/make_npy.py %t/rows.npy "2 * np.arange(12, dtype='f4').reshape(3, 4)"
// RUN: pypto-run %t/rows.mlir --arg=%t/x.npy --arg=3 --expect=%t/rows.npy --check 2>&1 | %{check}=ROWS
// ROWS: result 0: float32 (3, 4), {{.*}}
// ROWS: result 0: max abs error 0, max rel error 0, equal within tolerance
// ROWS: plain loops: result 0: max abs error 0, max rel error 0, equal within tolerance
// RUN: pypto-run %t/rows.mlir --arg=%t/x.npy --arg=0 2>&1 | %{check}=NONE
// NONE: result 0: float32 (0, 4), {{.*}}
// RUN: pypto-run %t/rows.mlir --arg=%t/x.npy --arg=6 --out=%t/o.npy
// RUN: not pypto-run %t/rows.mlir --arg=%t/x.npy --arg=7 2>&1 | FileCheck %s --check-prefix=PAST
// PAST: rows.mlir:2:{{.*}}: error: expects a slice inside of (6, 4), but got offsets (0, 0), sizes (7, 4) and strides (1, 1)
// RUN: not pypto-run %t/rows.mlir --arg=%t/x.npy --arg=-5 2>&1 | FileCheck %s --check-prefix=BELOW
// BELOW: rows.mlir:2:{{.*}}: error: expects a slice inside of (6, 4), but got offsets (0, 0), sizes (-5, 4) and strides (1, 1)

// RUN: pypto-run %t/joined.mlir --arg=%t/x.npy --arg=%t/y.npy --check | %{check}=JOINED
// JOINED: result 0: float32 (11, 4), {{.*}}
// JOINED: result 1: float32 (44,), {{.*}}
// JOINED: plain loops: result 0: max abs error 0, max rel error 0, equal within tolerance
// JOINED: plain loops: result 1: max abs error 0, max rel error 0, equal within tolerance

// RUN: pypto-run %t/sum.mlir --arg=%t/x.npy --arg=%t/x.npy | %{check}=SUM
// SUM: result 0: float32 (6, 4), {{.*}}
// RUN: not pypto-run %t/sum.mlir --arg=%t/x.npy --arg=%t/y.npy 2>&1 | FileCheck %s --check-prefix=DIFFER
// DIFFER: sum.mlir:2:{{.*}}: error: expects operands of one shape, but got (6, 4) and (5, 4)

// RUN: not pypto-run %t/turns.mlir --arg=%t/x.npy --arg=%t/y.npy --arg=1 2>&1 | FileCheck %s --check-prefix=TURNS
// TURNS: turns.mlir:4:{{.*}}: error: expects the extents of results to follow from the arguments, but got 'tensor<?x4xf32>' of what is not known before it has run

// RUN: pypto-run %t/checks.mlir --arg=%t/x.npy --arg=2 | FileCheck %s --check-prefix=CHECKS
// CHECKS: result 0: float32 19
// RUN: not pypto-run %t/checks.mlir --arg=%t/x.npy --arg=-2 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: checks.mlir:2:{{.*}}: error: expects extents of at least 0 that can be counted, but got (-2,)
// RUN: not pypto-run %t/checks.mlir --arg=%t/x.npy --arg=0x1000000000000 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: checks.mlir:2:{{.*}}: error: expects fewer elements than (281474976710656,) has
// RUN: not pypto-run %t/checks.mlir --arg=%t/x.npy --arg=6 2>&1 | FileCheck %s --check-prefix=INDEX
// INDEX: checks.mlir:4:{{.*}}: error: expects an index inside of (6, 4), but got (6, 6)
// RUN: not pypto-run %t/checks.mlir --arg=%t/y.npy --arg=2 2>&1 | FileCheck %s --check-prefix=CAST
// CAST: checks.mlir:3:{{.*}}: error: expects a tensor of type 'tensor<6x4xf32>', but got one of (5, 4)
// RUN: not pypto-run %t/product.mlir --arg=%t/x.npy --arg=%t/y.npy 2>&1 | FileCheck %s --check-prefix=PRODUCT
// PRODUCT: product.mlir:3:{{.*}}: error: expects extents that agree in dimension 2, but got 4 and 5
// RUN: pypto-run %t/flat.mlir --arg=%t/x.npy --arg=12 | FileCheck %s --check-prefix=FLAT
// FLAT: result 0: float32 (12, 2), {{.*}}
// RUN: not pypto-run %t/flat.mlir --arg=%t/x.npy --arg=11 2>&1 | FileCheck %s --check-prefix=RESHAPE
// RESHAPE: flat.mlir:5:{{.*}}: error: expects a shape with the elements of (24,), but got (11, 2)

// Indices that are linear in loops are inside of every tensor, unless there is no turn.

// DEFINE: %{indices} = FileCheck %s --check-prefix
// RUN: %python %S/Inputs/make_npy.py %t/a.npy "np.arange(6, dtype='f4')"
// RUN: %python %S/Inputs/make_npy.py %t/two.npy "np.arange(2, dtype='f4')"
// RUN: %python %S/Inputs/make_npy.py %t/none.npy "np.ones(0, 'f4')"
// RUN: %python %S/Inputs/make_npy.py %t/shift.npy "np.arange(2, 6, dtype='f4')"
// RUN: pypto-run %t/shift.mlir --arg=%t/a.npy --arg=4 --expect=%t/shift.npy --check
// RUN: pypto-run %t/shift.mlir --arg=%t/none.npy --arg=0
// RUN: not pypto-run %t/shift.mlir --arg=%t/a.npy --arg=5 2>&1 | %{indices}=SHIFT
// SHIFT: shift.mlir:3:{{.*}}: error: expects indices of operand 0 inside of (6,), but got 2 to 6 in dimension 0
// RUN: not pypto-run %t/shift.mlir --arg=%t/a.npy --arg=200000000 2>&1 | %{indices}=FAR
// FAR: shift.mlir:3:{{.*}}: error: expects indices of operand 0 inside of (6,), but got 2 to 200000001 in dimension 0
// RUN: %python %S/Inputs/make_npy.py %t/write.npy "np.array([0, 1, 0, 1, 4, 5], 'f4')"
// RUN: pypto-run %t/write.mlir --arg=%t/two.npy --arg=%t/a.npy --expect=%t/write.npy --check
// RUN: not pypto-run %t/write.mlir --arg=%t/a.npy --arg=%t/a.npy 2>&1 | %{indices}=WRITE
// WRITE: write.mlir:2:{{.*}}: error: expects indices of operand 1 inside of (6,), but got 2 to 7 in dimension 0
// RUN: %python %S/Inputs/make_npy.py %t/back.npy "np.arange(5, -1, -1, dtype='f4')"
// RUN: pypto-run %t/back.mlir --arg=%t/a.npy --arg=6 --expect=%t/back.npy --check
// RUN: not pypto-run %t/back.mlir --arg=%t/a.npy --arg=7 2>&1 | %{indices}=BACK
// BACK: back.mlir:3:{{.*}}: error: expects indices of operand 0 inside of (6,), but got -1 to 5 in dimension 0
// RUN: %python %S/Inputs/make_npy.py %t/window.npy "np.convolve(np.arange(6, dtype='f4'), [1, 0], 'valid')"
// RUN: pypto-run %t/window.mlir --arg=%t/a.npy --arg=%t/two.npy --arg=5 --expect=%t/window.npy --check
// RUN: not pypto-run %t/window.mlir --arg=%t/a.npy --arg=%t/two.npy --arg=6 2>&1 | %{indices}=WINDOW
// WINDOW: window.mlir:5:{{.*}}: error: expects indices of operand 0 inside of (6,), but got 0 to 6 in dimension 0
// RUN: not pypto-run %t/strides.mlir --arg=%t/a.npy --arg=3 2>&1 | %{indices}=STRIDES
// STRIDES: strides.mlir:3:{{.*}}: error: expects indices of operand 0 inside of (6,), but got 0 to 9223372036854775807 in dimension 0

// RUN: %python %S/Inputs/make_npy.py %t/insert.npy "np.array([0, 1, 2, 3, 4, 9], 'f4')"
// RUN: pypto-run %t/insert.mlir --arg=%t/a.npy --arg=5 --expect=%t/insert.npy --check
// RUN: not pypto-run %t/insert.mlir --arg=%t/a.npy --arg=6 2>&1 | %{indices}=INSERT
// INSERT: insert.mlir:3:{{.*}}: error: expects an index inside of (6,), but got (6,)
// RUN: not pypto-run %t/insert.mlir --arg=%t/a.npy --arg=-1 2>&1 | %{indices}=INSERT-BELOW
// INSERT-BELOW: insert.mlir:3:{{.*}}: error: expects an index inside of (6,), but got (-1,)

//--- rows.mlir
func.func @main(%x: tensor<6x4xf32>, %n: index) -> tensor<?x4xf32> {
  %rows = tensor.extract_slice %x[0, 0] [%n, 4] [1, 1] : tensor<6x4xf32> to tensor<?x4xf32>
  %0 = arith.addf %rows, %rows : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
//--- joined.mlir
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?xf32>) {
  %0 = tensor.concat dim(0) %x, %y : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = arith.negf %0 : tensor<?x4xf32>
  %2 = tensor.collapse_shape %1 [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %3 = arith.addf %2, %2 : tensor<?xf32>
  return %1, %3 : tensor<?x4xf32>, tensor<?xf32>
}
//--- sum.mlir
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = arith.addf %x, %y : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
//--- turns.mlir
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.execute_region -> tensor<?x4xf32> {
    %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
      scf.yield %b, %a : tensor<?x4xf32>, tensor<?x4xf32>
    }
    scf.yield %0#0 : tensor<?x4xf32>
  }
  return %last : tensor<?x4xf32>
}
//--- checks.mlir
func.func @main(%x: tensor<?x4xf32>, %n: index) -> tensor<f32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  %whole = tensor.cast %x : tensor<?x4xf32> to tensor<6x4xf32>
  %element = tensor.extract %whole[%n, %n] : tensor<6x4xf32>
  %ones = linalg.fill ins(%element : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  %minus = arith.constant dense<-1.0> : tensor<f32>
  %sum = linalg.reduce {arith.addf} ins(%ones : tensor<?xf32>) outs(%minus : tensor<f32>) dimensions = [0]
  return %sum : tensor<f32>
}
//--- product.mlir
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<6x4xf32> {
  %init = arith.constant dense<0.0> : tensor<6x4xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%init : tensor<6x4xf32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}
//--- flat.mlir
func.func @main(%x: tensor<6x4xf32>, %n: index) -> tensor<?x2xf32> {
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<6x4xf32> into tensor<24xf32>
  %c2 = arith.constant 2 : index
  %shape = tensor.from_elements %n, %c2 : tensor<2xindex>
  %0 = tensor.reshape %flat(%shape) : (tensor<24xf32>, tensor<2xindex>) -> tensor<?x2xf32>
  %1 = arith.negf %0 : tensor<?x2xf32>
  return %1 : tensor<?x2xf32>
}
//--- shift.mlir
func.func @main(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %y = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i + 2)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
//--- back.mlir
func.func @main(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %y = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (5 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
//--- strides.mlir
func.func @main(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %y = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i * 9223372036854775807)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
//--- write.mlir
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i + 2)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
//--- window.mlir
func.func @main(%x: tensor<?xf32>, %k: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %y = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i * 2 + j - i)>, affine_map<(i, j) -> (j)>,
                                        affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %k : tensor<?xf32>, tensor<?xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
//--- insert.mlir
func.func @main(%x: tensor<6xf32>, %n: index) -> tensor<6xf32> {
  %c = arith.constant 9.0 : f32
  %0 = tensor.insert %c into %x[%n] : tensor<6xf32>
  return %0 : tensor<6xf32>
}
