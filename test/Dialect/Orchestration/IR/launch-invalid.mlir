// RUN: pypto-opt --split-input-file --verify-diagnostics %s

// Constraints of launches, waits and signals, one each.

func.func @launch_c1(%x: memref<4xf32>) {
  // expected-error @below {{C1: expects a private function, but 'nobody' is none in this module}}
  %0 = orchestration.launch @nobody(read %x) : memref<4xf32>
  return
}

// -----

// expected-note @below {{'k' is here}}
func.func @k() {
  return
}
func.func @launch_c1_public() {
  // expected-error @below {{C1: expects a private function without results}}
  %0 = orchestration.launch @k()
  return
}

// -----

// expected-note @below {{'k' is here}}
func.func private @k(%x: memref<4xf32>) {
  return
}
func.func @launch_c2(%x: memref<8xf32>) {
  // expected-error @below {{C2: expects arguments of types ('memref<4xf32>'), but got ('memref<8xf32>')}}
  %0 = orchestration.launch @k(read %x) : memref<8xf32>
  return
}

// -----

// A launch of one block passes its index itself.
// expected-note @below {{'k' is here}}
func.func private @k(%block: index, %count: index) {
  return
}
func.func @launch_c2_blocks() {
  // expected-error @below {{C2: expects arguments of types ('index', 'index'), but got ()}}
  %0 = orchestration.launch @k()
  return
}

// -----

func.func private @k(%x: memref<4xf32>) {
  return
}
func.func @launch_c3(%x: memref<4xf32>) {
  // expected-error @below {{C3: expects 1 accesses, but got 0}}
  %0 = orchestration.launch @k(%x) : memref<4xf32>
  return
}

// -----

func.func @sync_c1(%x: memref<4xf32>) {
  // expected-error @below {{C1: expects 1 accesses, but got 2}}
  "orchestration.sync"(%x) {modes = array<i32: 1, 1>} : (memref<4xf32>) -> ()
  return
}

// -----

func.func @sync_c1_kind(%x: memref<4xf32>) {
  // expected-error @below {{C1: expects an access of kind 1, 2, 3 or 7, but got 4}}
  "orchestration.sync"(%x) {modes = array<i32: 4>} : (memref<4xf32>) -> ()
  return
}

// -----

func.func @await_signal_c1(%s: memref<8xi32>, %n: i32) {
  // expected-error @below {{C1: expects 1 indices, but got 0}}
  orchestration.await_signal ge %s[], %n : memref<8xi32>
  return
}

// -----

func.func @give_signal_c1(%s: memref<8xi32>, %i: index, %n: i32) {
  // expected-error @below {{C1: expects 1 indices, but got 2}}
  orchestration.give_signal %n, %s[%i, %i] : memref<8xi32>
  return
}
