// RUN: pypto-opt --allow-unregistered-dialect %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --mlir-print-op-generic %s | pypto-opt --allow-unregistered-dialect | FileCheck %s
// RUN: pypto-opt --allow-unregistered-dialect --emit-bytecode %s | pypto-opt --allow-unregistered-dialect | FileCheck %s

// Types: element types, extents, the optional parts and their normal forms.

// CHECK-LABEL: pl.func private @integers
// CHECK-SAME: (!pl.tensor<[1], i1>, !pl.tensor<[1], i4>, !pl.tensor<[1], i8>, !pl.tensor<[1], i16>, !pl.tensor<[1], i32>, !pl.tensor<[1], i64>, !pl.tensor<[1], index>)
pl.func private @integers(!pl.tensor<[1], i1>, !pl.tensor<[1], i4>, !pl.tensor<[1], i8>, !pl.tensor<[1], i16>,
    !pl.tensor<[1], i32>, !pl.tensor<[1], i64>, !pl.tensor<[1], index>)
// CHECK-LABEL: pl.func private @unsigned
// CHECK-SAME: (!pl.tensor<[1], ui4>, !pl.tensor<[1], ui8>, !pl.tensor<[1], ui16>, !pl.tensor<[1], ui32>, !pl.tensor<[1], ui64>)
pl.func private @unsigned(!pl.tensor<[1], ui4>, !pl.tensor<[1], ui8>, !pl.tensor<[1], ui16>, !pl.tensor<[1], ui32>,
    !pl.tensor<[1], ui64>)
// CHECK-LABEL: pl.func private @floats
// CHECK-SAME: (!pl.tensor<[1], f8E4M3FN>, !pl.tensor<[1], f8E5M2>, !pl.tensor<[1], f8E8M0FNU>, !pl.tensor<[1], f16>, !pl.tensor<[1], bf16>, !pl.tensor<[1], f32>, !pl.tensor<[1], f64>)
pl.func private @floats(!pl.tensor<[1], f8E4M3FN>, !pl.tensor<[1], f8E5M2>, !pl.tensor<[1], f8E8M0FNU>,
    !pl.tensor<[1], f16>, !pl.tensor<[1], bf16>, !pl.tensor<[1], f32>, !pl.tensor<[1], f64>)

// One extent is one type, however it is written.
// CHECK-LABEL: pl.func private inline @extents
// CHECK-SAME: (!pl.tensor<[], f32>, !pl.tensor<[0], f32>, !pl.tensor<[M + N, N * 3], f32>, !pl.tensor<[(N + 3) floordiv 4], f32>, !pl.tensor<[N ceildiv 2, N mod 2], f32>, !pl.tensor<[N - M], f32>, !pl.tensor<[?], f32>)
pl.func private inline @extents(!pl.tensor<[], f32>, !pl.tensor<[0], f32>, !pl.tensor<[N + M, N + 2 * N], f32>,
    !pl.tensor<[(N + 3) floordiv 4], f32>, !pl.tensor<[N ceildiv 2, N mod 2], f32>, !pl.tensor<[N - M], f32>, !pl.tensor<[?], f32>)

// CHECK-LABEL: pl.func private inline @optional_parts
// CHECK-SAME: (!pl.tensor<[4, N], f32, valid = [2, N], strides = [N, 1], layout = dn, pad = zero>, !pl.tensor<[4], f32, layout = nz, pad = max>, !pl.tensor<[4], f32, pad = min>)
pl.func private inline @optional_parts(!pl.tensor<[4, N], f32, valid = [2, N], strides = [N, 1], layout = dn, pad = zero>,
    !pl.tensor<[4], f32, pad = max, layout = nz>, !pl.tensor<[4], f32, layout = nd, pad = min>)

// A valid shape that says nothing is absent, unless it is not known.
// CHECK-LABEL: pl.func private inline @normal_valid
// CHECK-SAME: (!pl.tensor<[4, N], f32>, !pl.tensor<[?], f32, valid = [?]>, !tile.tile<[4], f32>, !tile.tile<[4], f32, valid = [?]>)
pl.func private inline @normal_valid(!pl.tensor<[4, N], f32, valid = [4, N]>, !pl.tensor<[?], f32, valid = [?]>,
    !tile.tile<[4], f32, valid = [4]>, !tile.tile<[4], f32, valid = [?]>)

// CHECK-LABEL: pl.func private inline @spaces
// CHECK-SAME: (!tile.tile<[4], f32>, !tile.tile<[4], f32, vec>, !tile.tile<[4], f32, mat>, !tile.tile<[4], f32, left>, !tile.tile<[4], f32, right>, !tile.tile<[4], f32, acc>, !tile.tile<[4], f32, bias>)
pl.func private inline @spaces(!tile.tile<[4], f32>, !tile.tile<[4], f32, vec>, !tile.tile<[4], f32, mat>,
    !tile.tile<[4], f32, left>, !tile.tile<[4], f32, right>, !tile.tile<[4], f32, acc>, !tile.tile<[4], f32, bias>)

// CHECK-LABEL: pl.func private inline @others
// CHECK-SAME: (!pl.var<!pl.tensor<[N], f32>>, !pl.array<8xi1>, !orchestration.task)
pl.func private inline @others(!pl.var<!pl.tensor<[N], f32>>, !pl.array<8 x i1>, !orchestration.task)

// CHECK: "test.attributes"() {a = #pl.extent<N * 2 + 1>, b = #pl.extent<?>, c = #pl.extent<-4>}
"test.attributes"() {a = #pl.extent<1 + N * 2>, b = #pl.extent<?>, c = #pl.extent<-4>} : () -> ()
