// RUN: %python %S/run_example.py pypto-run %s %t
// RUN: %python %S/run_example.py pypto-run %s %t --pipeline=inline-functions,convert-to-ssa,normalize-return-order,pypto-cpu-pipeline

// Both branches write back the same output, the wrapper forwards it, and the results come in another order than the
// outputs.
// NUMPY: cases = [dict(k=k) for k in (0, 1, 5)]
// NUMPY: def inputs(rng, k): return [rng.standard_normal((3, 16), dtype="f4"), k]
// NUMPY: def reference(x, k):
// NUMPY:     return -x, x + x if k == 0 else x * x

pl.func incore @kernel(%x: !pl.tensor<[3, 16], f32>, %k: index, out %a: !pl.tensor<[3, 16], f32>, out %b: !pl.tensor<[3, 16], f32>)
    -> (!pl.tensor<[3, 16], f32>, !pl.tensor<[3, 16], f32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[0, 0] : !pl.tensor<[3, 16], f32> -> !tile.tile<[3, 16], f32>
  %n = tile.neg %t : !tile.tile<[3, 16], f32>
  %rb = tile.store %n, %b[0, 0] : !tile.tile<[3, 16], f32>, !pl.tensor<[3, 16], f32>
  %first = arith.cmpi eq, %k, %c0 : index
  %ra = scf.if %first -> (!pl.tensor<[3, 16], f32>) {
    %s = tile.add %t, %t : !tile.tile<[3, 16], f32>
    %r = tile.store %s, %a[0, 0] : !tile.tile<[3, 16], f32>, !pl.tensor<[3, 16], f32>
    scf.yield %r : !pl.tensor<[3, 16], f32>
  } else {
    %s = tile.mul %t, %t : !tile.tile<[3, 16], f32>
    %r = tile.store %s, %a[0, 0] : !tile.tile<[3, 16], f32>, !pl.tensor<[3, 16], f32>
    scf.yield %r : !pl.tensor<[3, 16], f32>
  }
  pl.return %rb, %ra : !pl.tensor<[3, 16], f32>, !pl.tensor<[3, 16], f32>
}
pl.func group @wrapper(%x: !pl.tensor<[3, 16], f32>, %k: index, out %a: !pl.tensor<[3, 16], f32>, out %b: !pl.tensor<[3, 16], f32>)
    -> (!pl.tensor<[3, 16], f32>, !pl.tensor<[3, 16], f32>) {
  %r:2 = pl.call @kernel(%x, %k, %a, %b) : (!pl.tensor<[3, 16], f32>, index, !pl.tensor<[3, 16], f32>, !pl.tensor<[3, 16], f32>)
      -> (!pl.tensor<[3, 16], f32>, !pl.tensor<[3, 16], f32>)
  pl.return %r#0, %r#1 : !pl.tensor<[3, 16], f32>, !pl.tensor<[3, 16], f32>
}
pl.func orchestration @main(%x: !pl.tensor<[3, 16], f32>, %k: index, out %a: !pl.tensor<[3, 16], f32>, out %b: !pl.tensor<[3, 16], f32>)
    -> (!pl.tensor<[3, 16], f32>, !pl.tensor<[3, 16], f32>) {
  %n, %p, %id = orchestration.submit @wrapper(%x, %k, %a, %b) : (!pl.tensor<[3, 16], f32>, index, !pl.tensor<[3, 16], f32>, !pl.tensor<[3, 16], f32>)
      -> (!pl.tensor<[3, 16], f32>, !pl.tensor<[3, 16], f32>, !orchestration.task)
  pl.return %n, %p : !pl.tensor<[3, 16], f32>, !pl.tensor<[3, 16], f32>
}
