// What docs/debugging.md shows: a program that a wrong pass breaks, and one that is wrong itself.

pl.func inline @mean(%x: !pl.tensor<[M, N], f32>) -> !pl.tensor<[M, 1], f32> {
  %sum = pl.row_sum %x : !pl.tensor<[M, N], f32>
  %c1 = arith.constant 1 : index
  %n = pl.dim %x, 1 : !pl.tensor<[M, N], f32>
  %ni = arith.index_cast %n : index to i64
  %nf = arith.sitofp %ni : i64 to f32
  %one = arith.constant 1.0 : f32
  %scale = arith.divf %one, %nf : f32
  %m = pl.mul %sum, %scale : !pl.tensor<[M, 1], f32>, f32
  pl.return %m : !pl.tensor<[M, 1], f32>
}
pl.func @main(%x: !pl.tensor<[M, N], f32>) -> !pl.tensor<[M, N], f32> {
  %m = pl.call @mean(%x) : (!pl.tensor<[M, N], f32>) -> !pl.tensor<[M, 1], f32>
  %r = pl.sub %x, %m : !pl.tensor<[M, N], f32>, !pl.tensor<[M, 1], f32>
  pl.return %r : !pl.tensor<[M, N], f32>
}

// Copies one row too few.
pl.func @rows(%x: !pl.tensor<[4, 8], f32>) -> !pl.tensor<[4, 8], f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.constant 3 : index
  %t = pl.create : !pl.tensor<[4, 8], f32>
  scf.for %i = %c0 to %last step %c1 {
    %row = pl.slice %x[%i, 0] : !pl.tensor<[4, 8], f32> -> !pl.tensor<[1, 8], f32>
    %0 = pl.assemble %row, %t[%i, 0] : !pl.tensor<[1, 8], f32>, !pl.tensor<[4, 8], f32>
  }
  %r = pl.neg %t : !pl.tensor<[4, 8], f32>
  pl.return %r : !pl.tensor<[4, 8], f32>
}
