// RUN: %python %S/Inputs/count_threads.py pypto-run %s --entry=outside --random=1 --time --mlir-disable-threading --threads=1 | FileCheck %s --check-prefix=ONE
// RUN: %python %S/Inputs/count_threads.py pypto-run %s --entry=outside --random=1 --time --mlir-disable-threading --threads=3 | FileCheck %s --check-prefix=THREE
// RUN: %python %S/Inputs/count_threads.py pypto-run %s --entry=outside --random=1 --time --mlir-disable-threading --order=adversarial | FileCheck %s --check-prefix=ONE
// RUN: %python %S/Inputs/count_threads.py pypto-run %s --entry=task --random=1 --time --mlir-disable-threading --threads=1 | FileCheck %s --check-prefix=ONE
// UNSUPPORTED: sanitizer-thread

// ThreadSanitizer has a thread of its own, so that it counts one more.
// --threads bounds the threads of a product that runs in parts, outside of tasks and in a task.
// ONE: threads: 1{{$}}
// THREE: threads: 3{{$}}

!t = !pl.tensor<[512, 512], f32>
!block = !tile.tile<[512, 512], f32>
pl.func incore @product(%x: !t, %w: !t, inout %y: !t) {
  %a = tile.load %x[0, 0] : !t -> !block
  %b = tile.load %w[0, 0] : !t -> !block
  %c = tile.matmul %a, %b : !block, !block
  %s = tile.store %c, %y[0, 0] : !block, !t
  pl.return
}
pl.func incore @outside(%x: !t, %w: !t, inout %y: !t) {
  pl.call @product(%x, %w, %y) : (!t, !t, !t) -> ()
  pl.return
}
pl.func orchestration @task(%x: !t, %w: !t, inout %y: !t) {
  %id = orchestration.submit @product(%x, %w, %y) : (!t, !t, !t) -> !orchestration.task
  pl.return
}
