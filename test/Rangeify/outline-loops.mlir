// RUN: pypto-opt --outline-loops --split-input-file --verify-diagnostics %s | FileCheck %s

// The body becomes a graph: what is carried, other tensors, scalars, the number of the iteration. What costs nothing is
// made again in it; what the loop begins with is in memory.

// CHECK-LABEL: func.func private @powers_loop_0(
// CHECK-SAME: %[[A:[a-z0-9]*]]: tensor<4xf32>, %[[X:[a-z0-9]*]]: tensor<4xf32>, %[[SCALE:[a-z0-9]*]]: f32, %[[I:[a-z0-9]*]]: index) -> tensor<4xf32>
// CHECK-DAG: arith.constant dense<2.000000e+00>
// CHECK-DAG: arith.index_cast %[[I]]
// CHECK: return
// CHECK-LABEL: func.func @powers(
// CHECK: %[[INIT:.*]] = linalg.generic
// CHECK: scf.for %[[NUMBER:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[CARRIED:.*]] = %[[INIT]])
// CHECK-NEXT: %[[NEXT:.*]] = func.call @powers_loop_0(%[[CARRIED]], %{{.*}}, %{{.*}}, %[[NUMBER]])
// CHECK-NEXT: scf.yield %[[NEXT]]
func.func @powers(%x: tensor<4xf32>, %scale: f32, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant dense<2.0> : tensor<4xf32>
  %ones = arith.constant dense<1.0> : tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %ones) -> (tensor<4xf32>) {
    %number = arith.index_cast %i : index to i32
    %f = arith.sitofp %number : i32 to f32
    %g = arith.addf %f, %scale : f32
    %s = tensor.splat %g : tensor<4xf32>
    %0 = arith.mulf %a, %x : tensor<4xf32>
    %1 = arith.addf %0, %s : tensor<4xf32>
    %2 = arith.mulf %1, %two : tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @scalar(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expects a loop of a graph to carry tensors of known extents, but got 'f32'}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (f32) {
    scf.yield %a : f32
  }
  return %r : f32
}

// -----

func.func @unknown(%n: index, %x: tensor<4xf32>, %y: tensor<?xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expects a loop of a graph to read tensors of known extents, but got 'tensor<?xf32>'}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<4xf32>) {
    %e = tensor.extract %y[%i] : tensor<?xf32>
    %s = tensor.splat %e : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @number(%n: i32, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @below {{expects a loop of a graph over indices, but got 'i32'}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<4xf32>) : i32 {
    scf.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
