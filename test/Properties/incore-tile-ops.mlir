// RUN: pypto-opt --normalize-return-order --split-input-file --verify-diagnostics %s
// RUN: not pypto-opt --normalize-return-order %s -o /dev/null
// Kernels compute on tiles. Views, retyping, element access, writes into what is there, an allocation without
// contents, and tensor compute elsewhere are no violations.

pl.func incore @binary(%x: !pl.tensor<[16], f32>) {
  // expected-error@+1 {{property 'IncoreTileOps' required by --normalize-return-order does not hold: 'pl.add' in kernel 'binary' computes on tensors}}
  %0 = pl.add %x, %x : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
  pl.return
}
pl.func aiv @nested(%x: !pl.tensor<[16], f32>, %c: i1) {
  scf.if %c {
    // expected-error@+1 {{'pl.exp' in kernel 'nested' computes on tensors}}
    %0 = pl.exp %x : !pl.tensor<[16], f32>
  }
  pl.return
}
pl.func aic @fill(%z: f32) {
  // expected-error@+1 {{'pl.full' in kernel 'fill' computes on tensors}}
  %0 = pl.full %z : f32, !pl.tensor<[16], f32>
  pl.return
}

// -----

pl.func incore @allowed(%x: !pl.tensor<[N], f32>, out %y: !pl.tensor<[16], f32>) {
  %c0 = arith.constant 0 : index
  %n = pl.dim %x, 0 : !pl.tensor<[N], f32>
  %0 = pl.slice %x[%c0] : !pl.tensor<[N], f32> -> !pl.tensor<[16], f32>
  %1 = pl.cast_shape %0 : !pl.tensor<[16], f32> -> !pl.tensor<[?], f32>
  %2 = pl.read %x[%c0] : !pl.tensor<[N], f32>
  %3 = pl.write %2, %y[%c0] : !pl.tensor<[16], f32>
  %4 = pl.create : !pl.tensor<[16], f32>
  %5 = pl.assemble %4, %y[0] : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
  %t = tile.load %x[%c0] : !pl.tensor<[N], f32> -> !tile.tile<[16], f32>
  %u = tile.add %t, %t : !tile.tile<[16], f32>
  pl.return
}
pl.func @elsewhere(%x: !pl.tensor<[16], f32>) {
  %0 = pl.add %x, %x : !pl.tensor<[16], f32>, !pl.tensor<[16], f32>
  pl.return
}
