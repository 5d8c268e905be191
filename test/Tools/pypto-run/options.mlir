// RUN: pypto-run --help | FileCheck %s --check-prefix=HELP --implicit-check-not=x86 --implicit-check-not=aarch64
// Inputs from a seed, times, the machine's code, and other passes.

// The same seed gives the same inputs, another seed others; sizes are the defaults or given.
// RUN: pypto-run %s --random=7 > %t.a
// RUN: pypto-run %s --random=7 > %t.b
// RUN: cmp %t.a %t.b
// RUN: pypto-run %s --random=8 > %t.b
// RUN: not cmp %t.a %t.b
// RUN: FileCheck %s --check-prefix=DEFAULT < %t.a
// DEFAULT: result 0: float32 (37, 53), checksum
// RUN: pypto-run %s --random=7 --dim=N=3 --dim=M=0 | FileCheck %s --check-prefix=DIM
// DIM: result 0: float32 (3, 0), checksum {{[0-9a-f]+}}, values{{$}}

// A part of the arguments may be given.
// RUN: %python %S/Inputs/make_npy.py %t.x.npy "np.full((2, 1), 3, 'f4')"
// RUN: pypto-run %s --random=7 --arg=%t.x.npy --arg=* --arg=0 | FileCheck %s --check-prefix=GIVEN
// GIVEN: result 0: float32 (2, 1), checksum {{[0-9a-f]+}}, values 0 0

// RUN: pypto-run %s --random=7 --time | FileCheck %s --check-prefix=TIME
// TIME: compile: passes {{[0-9.]+}} ms, machine code {{[0-9.]+}} ms
// TIME: run: min {{[0-9.]+}} ms, median {{[0-9.]+}} ms of {{[0-9]+}} runs

// The machine's features are used, one copy of the entry is left, and nothing of what it does not need.
// RUN: pypto-run %s --random=7 --dump-llvm 2>&1 | FileCheck %s --check-prefix=LLVM
// LLVM: define void @pypto_invoke_main(ptr {{.*}}, ptr {{.*}})
// LLVM-NOT: define
// LLVM: attributes {{.*}} "target-cpu"="{{.+}}" "target-features"="{{.+}}"

// LLVM may do less: the entry stays a function of its own, the numbers are the same.
// RUN: pypto-run %s --random=7 --llvm-level=0 --dump-llvm > %t.c 2> %t.ll
// RUN: cmp %t.a %t.c
// RUN: FileCheck %s --check-prefix=LEVEL < %t.ll
// LEVEL: define internal {{.*}} @pl.main(
// RUN: not pypto-run %s --random=7 --llvm-level=4 2>&1 | FileCheck %s --check-prefix=NOLEVEL
// NOLEVEL: error: expects an optimisation level from 0 to 3, but got 4

// Passes that leave the module unlowered, and passes that fail: diagnostics, exit code 1.
// RUN: not pypto-run %s --random=7 --pipeline=inline-functions --out=%t.o.npy 2>&1 | FileCheck %s --check-prefix=UNLOWERED
// UNLOWERED: error: cannot be converted to LLVM IR
// UNLOWERED: error: cannot translate the lowered module to LLVM IR
// RUN: not pypto-run %s --random=7 --pipeline=inline-functions,normalize-return-order --out=%t.o.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FAILS
// FAILS: options.mlir:[[#]]:[[#]]: error: property 'IncoreTileOps' required by --normalize-return-order does not hold
// RUN: not test -e %t.o.npy

pl.func incore @main(%x: !pl.tensor<[N, M], f32>, %y: !pl.tensor<[N, M], f32>, %k: f32) -> !pl.tensor<[N, M], f32> {
  %sum = pl.add %x, %y : !pl.tensor<[N, M], f32>, !pl.tensor<[N, M], f32>
  %scaled = pl.mul %sum, %k : !pl.tensor<[N, M], f32>, f32
  pl.return %scaled : !pl.tensor<[N, M], f32>
}
pl.func @another(%x: !pl.tensor<[4], f32>) -> !pl.tensor<[4], f32> {
  %0 = pl.exp %x : !pl.tensor<[4], f32>
  pl.return %0 : !pl.tensor<[4], f32>
}

// HELP: USAGE: pypto-run [options] <program.mlir>
// HELP: --threads=<uint>
