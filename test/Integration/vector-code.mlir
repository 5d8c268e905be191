// REQUIRES: avx512f
// RUN: pypto-run %s --entry=product --random=1 --dump-llvm 2>&1 >/dev/null | llc -O3 | FileCheck %s --check-prefix=PRODUCT
// RUN: pypto-run %s --entry=chain --random=1 --dump-llvm 2>&1 >/dev/null | FileCheck %s --check-prefix=CHAIN
// RUN: pypto-run %s --entry=choose --random=1 --dump-llvm 2>&1 >/dev/null | FileCheck %s --check-prefix=CHOOSE

// The code of a kernel on a machine with AVX-512: vectors of sixteen f32, loaded and stored whole, the ends of rows under
// masks.

!m = !pl.tensor<[64, 64], f32>
// PRODUCT: vmov{{[au]}}ps {{.*}}(%r{{[^)]*}}), %zmm
// PRODUCT-COUNT-8: vfmadd231ps {{.*}}zmm
// PRODUCT: vmov{{[au]}}ps %zmm{{[0-9]+}}, {{.*}}(%r
pl.func @product(%x: !m, %y: !m) -> !m {
  %0 = pl.matmul %x, %y : !m, !m
  pl.return %0 : !m
}

!v = !pl.tensor<[61, 37], f32>
// A product and a sum of the program are two roundings.
// CHAIN-NOT: @llvm.fm{{[a-z]*}}.v16f32
// CHAIN-DAG: load <16 x float>, ptr
// CHAIN-DAG: fmul {{.*}}<16 x float>
// CHAIN-DAG: fadd {{.*}}<16 x float>
// CHAIN-DAG: @llvm.masked.{{load|store}}.v16f32
// CHAIN-NOT: @llvm.fm{{[a-z]*}}.v16f32
pl.func @chain(%x: !v, %y: !v) -> !v {
  %0 = pl.mul %x, %y : !v, !v
  %1 = pl.add %0, %x : !v, !v
  pl.return %1 : !v
}
// A condition is a mask.
// CHOOSE: fcmp {{.*}}<16 x float>
// CHOOSE: select <16 x i1>
pl.func @choose(%x: !v, %y: !v) -> !v {
  %0 = pl.cmp lt %x, %y : !v, !v
  %1 = pl.sel %0, %x, %y : !pl.tensor<[61, 37], i1>, !v, !v
  pl.return %1 : !v
}
