// RUN: pypto-opt --convert-kernel-to-emitc --split-input-file --verify-diagnostics %s

// What has no C is an error where it stands.

func.func @vectors(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expects an operation that has C, but got 'vector.load'}}
  %v = vector.load %x[%c0] : memref<8xf32>, vector<4xf32>
  return
}

// -----

// expected-error @below {{expects types that C has, but got 'memref<8xf8E5M2>'}}
func.func @elements(%x: memref<8xf8E5M2>) {
  return
}

// -----

// expected-error @below {{expects buffers of static shape as parameters, but got 'memref<?xf32>'}}
func.func @extents(%x: memref<?xf32>) {
  return
}

// -----

// expected-error @below {{expects a function of one block without results}}
func.func @result(%x: i32) -> i32 {
  return %x : i32
}

// -----

func.func @carriedBuffers(%x: memref<8xf32>, %y: memref<8xf32>, %flag: i1) {
  // expected-error @below {{expects scalars that C has as results, but got 'memref<8xf32>'}}
  %r = scf.if %flag -> memref<8xf32> {
    scf.yield %x : memref<8xf32>
  } else {
    scf.yield %y : memref<8xf32>
  }
  return
}

// -----

func.func @elsewhere(%x: memref<8xf32>) {
  // expected-error @below {{expects elements that C has, but got 'memref<2xf8E5M2>'}}
  %a = memref.alloc() : memref<2xf8E5M2>
  return
}
