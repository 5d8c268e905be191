// RUN: %python %S/run_example.py pypto-run %s %t

// Tasks of a manual scope that add atomically to one tensor, without ids: no addition is lost, and the last bits are the
// same each time.
// NUMPY: def inputs(rng): return [rng.standard_normal((32, 256), dtype="f4")]
// NUMPY: def reference(x):
// NUMPY:   s = np.zeros((1, 256), "f4")
// NUMPY:   for row in x: s[0] = s[0] + row
// NUMPY:   return s

!t = !pl.tensor<[32, 256], f32>
!r = !pl.tensor<[1, 256], f32>
pl.func incore @add(%x: !r, inout %s: !r) -> !r {
  %0 = tile.load %x[0, 0] : !r -> !tile.tile<[1, 256], f32>
  %1 = tile.store %0, %s[0, 0] atomic : !tile.tile<[1, 256], f32>, !r
  pl.return %1 : !r
}
pl.func orchestration @main(%x: !t) -> !r {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %s = pl.full %zero : f32, !r
  orchestration.scope manual {
    scf.for %i = %c0 to %n step %c1 {
      %row = pl.slice %x[%i, 0] : !t -> !r
      %0, %id = orchestration.submit @add(%row, %s) : (!r, !r) -> (!r, !orchestration.task)
    }
  }
  pl.return %s : !r
}
