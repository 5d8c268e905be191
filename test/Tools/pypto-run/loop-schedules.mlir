// Schedules of loops go with a program and with a graph up to machine code, and change no bit of the results.

// RUN: rm -rf %t && mkdir %t
// RUN: sed 's/{pypto.schedule = {[^}]*}}//' %s > %t/plain.mlir
// RUN: pypto-run %s --random=3 --threads=2 --out=%t/given.npy
// RUN: pypto-run %t/plain.mlir --random=3 --threads=1 --expect=%t/given.npy
// RUN: pypto-run %s --random=3 --dump-llvm 2>&1 | FileCheck %s
// RUN: pypto-run %t/plain.mlir --random=3 --dump-llvm 2>&1 | FileCheck %s --check-prefix=PLAIN
// CHECK: fneg <4 x float>
// PLAIN-NOT: fneg <4 x float>

// A search begins with what is given, finds something better, and finds that again.
// RUN: pypto-run %S/Inputs/loop-graph.mlir --random=3 --threads=2 --out=%t/graph.npy
// RUN: env PYPTO_KERNEL_CACHE=%t/store pypto-run %S/Inputs/loop-graph.mlir --random=3 --threads=1 --opt=beam=1 --progress --expect=%t/graph.npy 2>&1 | FileCheck %s --check-prefix=SEARCH
// RUN: env PYPTO_KERNEL_CACHE=%t/store pypto-run %S/Inputs/loop-graph.mlir --random=3 --threads=1 --opt=beam=1 --progress --expect=%t/graph.npy 2>&1 | FileCheck %s --check-prefix=FOUND
// What is found for another number of threads is something else.
// RUN: env PYPTO_KERNEL_CACHE=%t/store pypto-run %S/Inputs/loop-graph.mlir --random=3 --threads=2 --opt=beam=1 --progress --expect=%t/graph.npy 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: search: round 1 [
// SEARCH: search: round 1 [
// SEARCH: search: round 2 [
// FOUND-NOT: search

pl.func incore @main(%x: !pl.tensor<[64, 512], f32>) -> !pl.tensor<[64, 512], f32> {
  %0 = pl.neg %x {pypto.schedule = {vector_bits = 128, parts = 5}} : !pl.tensor<[64, 512], f32>
  pl.return %0 : !pl.tensor<[64, 512], f32>
}
