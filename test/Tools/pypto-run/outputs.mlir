// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make_npy.py %t/x.npy "np.arange(6, dtype='f4').reshape(2, 3)"
// RUN: %python %S/Inputs/make_npy.py %t/y.npy "np.ones((2, 3), 'f4')"
// RUN: %python %S/Inputs/make_npy.py %t/sum.npy "np.arange(6, dtype='f8').reshape(2, 3) + 1"
// RUN: %python %S/Inputs/make_npy.py %t/double.npy "2 * np.arange(6, dtype='f4').reshape(2, 3)"
// RUN: %python %S/Inputs/make_npy.py %t/wrong.npy "np.array([[1, 2, 3], [4, 5.5, 6.25]], 'f4')"
// RUN: %python %S/Inputs/make_npy.py %t/shape.npy "np.ones((3, 2), 'f4')"
// RUN: %python %S/Inputs/make_npy.py %t/int.npy "np.ones((2, 3), 'i4')"
// RUN: cp %t/y.npy %t/y-before.npy

// Where results go: files in the order of the signature and then of the written parameters that no result is, files
// that they are compared with in the same order, or a summary.

// DEFINE: %{run} = pypto-run %s --arg=%t/x.npy --arg=%t/y.npy

// RUN: %{run} | FileCheck %s --check-prefix=SUMMARY --implicit-check-not={{.}}
// SUMMARY: result 0: float32 (2, 3), checksum {{[0-9a-f]+}}, values 1 2 3 4 5 6
// SUMMARY: result 1: int64 2
// SUMMARY: parameter 'twice': float32 (2, 3), checksum {{[0-9a-f]+}}, values 0 2 4 6 8 10

// RUN: %{run} --out=%t/o0.npy --out=%t/o1.npy --out=%t/o2.npy --expect=%t/sum.npy --expect= --expect=%t/double.npy \
// RUN:   | FileCheck %s --check-prefix=EQUAL --implicit-check-not={{.}}
// EQUAL: result 0: max abs error 0, max rel error 0, equal within tolerance
// EQUAL: parameter 'twice': max abs error 0, max rel error 0, equal within tolerance
// RUN: %{run} --expect=%t/o0.npy --expect=%t/o1.npy --expect=%t/o2.npy
// RUN: cmp %t/y.npy %t/y-before.npy

// A difference is an error that says where; the files are written all the same.
// RUN: rm %t/o0.npy
// RUN: not %{run} --out=%t/o0.npy --expect=%t/wrong.npy | FileCheck %s --check-prefix=DIFFERENT --implicit-check-not={{.}}
// RUN: test -e %t/o0.npy && rm %t/o0.npy
// DIFFERENT: result 0: max abs error 0.5, max rel error 0.0909, 2 of 6 elements differ, first at (1, 1): got 5, expected 5.5
// RUN: %{run} --expect=%t/wrong.npy --atol=0.5
// RUN: %{run} --expect=%t/wrong.npy --rtol=0.1
// RUN: not %{run} --expect=%t/wrong.npy --rtol=0.01

// What cannot be compared or written leaves nothing behind.
// DEFINE: %{check} = FileCheck %s --implicit-check-not={{.}} --check-prefix
// RUN: not %{run} --out=%t/o0.npy --expect=%t/shape.npy 2>&1 | %{check}=SHAPE
// SHAPE: error: '{{.*}}shape.npy' for result 0: expects shape (2, 3), but got (3, 2)
// RUN: not %{run} --out=%t/o0.npy --expect=%t/int.npy 2>&1 | %{check}=DTYPE
// DTYPE: error: '{{.*}}int.npy' for result 0: expects dtype float32, but got int32
// RUN: not %{run} --out=%t/o0.npy --expect=%t/none.npy 2>&1 | %{check}=NO-FILE
// NO-FILE: error: cannot open '{{.*}}none.npy': No such file or directory
// RUN: not %{run} --out=%t/o0.npy --out=%t/none/o1.npy 2>&1 | %{check}=NO-DIRECTORY
// NO-DIRECTORY: error: cannot write '{{.*}}none/o1.npy': No such file or directory
// RUN: not %{run} --out=%t/o0.npy --out=%t 2>&1 | %{check}=DIRECTORY
// DIRECTORY: error: cannot write '{{.*}}': it is a directory
// RUN: not %{run} --out=%t/o0.npy --out=%t/o0.npy 2>&1 | %{check}=TWICE
// RUN: mkdir %t/sub && not %{run} --out=%t/o0.npy --out=%t/sub/../o0.npy 2>&1 | %{check}=TWICE
// TWICE: error: '{{.*}}o0.npy' is named for two outputs
// RUN: not test -e %t/o0.npy
// RUN: ls %t | not grep tmp

// Where there is no more room nothing is left half written, and what is there stays.
// DEFINE: %{full} = bash -c 'trap "" XFSZ; ulimit -f 0; exec "$@"' -
// RUN: %{run} --out=%t/sum.npy --out= --out=%t/double-before.npy && cp %t/sum.npy %t/sum-before.npy
// RUN: not %{full} %{run} --out=%t/sum.npy 2>&1 | %{check}=FULL
// FULL: error: cannot write '{{.*}}sum.npy': File too large
// RUN: not %{full} %{run} --profile=%t/trace.json 2>&1 | %{check}=FULL-PROFILE
// FULL-PROFILE: error: cannot write '{{.*}}trace.json': File too large
// RUN: cmp %t/sum.npy %t/sum-before.npy && not test -e %t/trace.json
// RUN: ls %t | not grep tmp
// RUN: not %{full} bash -c '"$@" > %t/text' - %{run} 2>&1 | %{check}=FULL-TEXT
// FULL-TEXT: error: cannot write to the standard output: File too large
// RUN: not %{full} bash -c '"$@" > %t/text' - %{run} --print-plan=html 2>&1 | %{check}=FULL-TEXT

// A file that cannot get its name takes those back that have got theirs.
// RUN: %python %S/Inputs/late_directory.py %t.late %{run}

// A device is written, not replaced.
// RUN: %{run} --out=/dev/null && test -c /dev/null

// A link stays one, and what it leads to is written, whether it is there or not.
// RUN: mkdir %t/links && cp %t/y.npy %t/links/old.npy && ln -s links/old.npy %t/old && ln -s links/new.npy %t/new
// RUN: ln -s old %t/second && ln -s links/trace.json %t/trace
// RUN: %{run} --out=%t/second --out= --out=%t/new --profile=%t/trace && cmp %t/links/new.npy %t/double-before.npy
// RUN: test -L %t/second && test -L %t/old && test -L %t/new && test -L %t/trace && cmp %t/links/old.npy %t/sum-before.npy
// RUN: grep -q traceEvents %t/links/trace.json && ls %t/links | not grep tmp
// RUN: not %{run} --out=%t/old --out= --out=%t/links/old.npy 2>&1 | %{check}=LINK-TWICE
// LINK-TWICE: error: '{{.*}}links/old.npy' is named for two outputs
// RUN: ln -s ring %t/ring && not %{run} --out=%t/ring 2>&1 | %{check}=RING
// RING: error: cannot write '{{.*}}ring': Too many levels of symbolic links

// What a process has open is written where it is open: after what is there.
// RUN: ln -s /proc/self/fd/1 %t/stdout && %{run} --out=%t/stdout | cmp - %t/sum-before.npy
// RUN: bash -c '(echo -n before; "$@") > %t/open' - %{run} --out=%t/stdout && test -L %t/stdout
// RUN: bash -c '(echo -n before; cat %t/sum-before.npy)' | cmp - %t/open
// RUN: echo -n before > %t/open && bash -c '"$@" >> %t/open' - %{run} --profile=%t/stdout --out=%t/o0.npy
// RUN: grep -q '^before{' %t/open && grep -q traceEvents %t/open && test -L %t/stdout

pl.func @main(%x: !pl.tensor<[N, 3], f32>, inout %y: !pl.tensor<[N, 3], f32>, out %twice: !pl.tensor<[N, 3], f32>)
    -> (!pl.tensor<[N, 3], f32>, index) {
  %sum = pl.add %x, %y : !pl.tensor<[N, 3], f32>, !pl.tensor<[N, 3], f32>
  %0 = pl.assemble %sum, %y[0, 0] : !pl.tensor<[N, 3], f32>, !pl.tensor<[N, 3], f32>
  %double = pl.add %x, %x : !pl.tensor<[N, 3], f32>, !pl.tensor<[N, 3], f32>
  %1 = pl.assemble %double, %twice[0, 0] : !pl.tensor<[N, 3], f32>, !pl.tensor<[N, 3], f32>
  %n = pl.dim %x, 0 : !pl.tensor<[N, 3], f32>
  pl.return %0, %n : !pl.tensor<[N, 3], f32>, index
}
