// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/make_npy.py %t/a.npy "np.zeros((3, 4), 'f4')"
// RUN: %python %S/Inputs/make_npy.py %t/b.npy "np.zeros((4,), 'f4')"
// RUN: %python %S/Inputs/make_npy.py %t/long.npy "np.zeros((5,), 'f4')"
// RUN: %python %S/Inputs/make_npy.py %t/double.npy "np.zeros((3, 4))"
// RUN: %python %S/Inputs/make_npy.py %t/wide.npy "np.zeros((3, 5), 'f4')"
// RUN: echo "this is not an array" > %t/text.npy

// Arguments that do not fit the signature: one line that says which and why, exit code 1, no output file.

// DEFINE: %{good} = --arg=%t/a.npy --arg=%t/b.npy --arg=2.5
// DEFINE: %{check} = FileCheck %s --implicit-check-not={{.}} --check-prefix

// RUN: not pypto-run %s --entry=f --arg=%t/a.npy --out=%t/c.npy 2>&1 | %{check}=NUMBER
// NUMBER: error: 'f' expects 3 arguments (x, bias, k), but got 1
// RUN: not pypto-run %s --entry=f %{good} --arg=3 --out=%t/c.npy 2>&1 | %{check}=TOO-MANY
// TOO-MANY: error: 'f' expects 3 arguments (x, bias, k), but got 4
// RUN: not pypto-run %s --entry=f --arg=%t/none.npy --arg=%t/b.npy --arg=2.5 --out=%t/c.npy 2>&1 | %{check}=MISSING
// MISSING: error: parameter 'x': cannot open '{{.*}}none.npy': No such file or directory
// RUN: not pypto-run %s --entry=f --arg=%t/text.npy --arg=%t/b.npy --arg=2.5 --out=%t/c.npy 2>&1 | %{check}=DAMAGED
// DAMAGED: error: parameter 'x': '{{.*}}text.npy' is not a usable .npy file: it does not begin as a .npy file does
// RUN: not pypto-run %s --entry=f --arg=%t/double.npy --arg=%t/b.npy --arg=2.5 --out=%t/c.npy 2>&1 | %{check}=DTYPE
// DTYPE: error: parameter 'x': '{{.*}}double.npy' expects dtype float32, but got float64
// RUN: not pypto-run %s --entry=f --arg=%t/b.npy --arg=%t/b.npy --arg=2.5 --out=%t/c.npy 2>&1 | %{check}=RANK
// RANK: error: parameter 'x' expects rank 2, but got shape (4,)
// RUN: not pypto-run %s --entry=f --arg=%t/wide.npy --arg=%t/b.npy --arg=2.5 --out=%t/c.npy 2>&1 | %{check}=EXTENT
// EXTENT: error: parameter 'x' expects extent 4 in dimension 1, but got shape (3, 5)
// RUN: not pypto-run %s --entry=f --arg=%t/a.npy --arg=%t/b.npy --arg=two --out=%t/c.npy 2>&1 | %{check}=LITERAL
// LITERAL: error: parameter 'k' expects a number, but got 'two'
// RUN: not pypto-run %s --entry=f --arg=%t/a.npy --arg=* --arg=2.5 --out=%t/c.npy 2>&1 | %{check}=STAR
// STAR: error: parameter 'bias': '*' needs --random
// RUN: not pypto-run %s --entry=f --arg=%t/a.npy --arg=@1 --arg=2.5 --out=%t/c.npy 2>&1 | %{check}=SELF
// SELF: error: parameter 'bias': '@1' names no tensor before it
// RUN: not pypto-run %s --entry=g --arg=%t/b.npy --arg=%t/long.npy --out=%t/c.npy 2>&1 | %{check}=SYMBOL
// SYMBOL: error: extent 'N' is 4 in parameter 'a', but 5 in parameter 'b'
// RUN: not pypto-run %s --entry=g --arg=%t/b.npy --arg=@0 --dim=N=5 --out=%t/c.npy 2>&1 | %{check}=DIM
// DIM: error: extent 'N' is 5 in --dim, but 4 in parameter 'a'
// RUN: not pypto-run %s --entry=g --arg=%t/b.npy --arg=@0 --dim=Q=5 --out=%t/c.npy 2>&1 | %{check}=NO-EXTENT
// NO-EXTENT: error: --dim=Q=5 names no extent of a parameter
// RUN: not pypto-run %s --entry=f %{good} --opt=fast --out=%t/c.npy 2>&1 | %{check}=OPT
// OPT: error: --opt expects none, heuristic or beam=N, but got 'fast'
// RUN: not pypto-run %s --entry=f %{good} --rtol=nan --out=%t/c.npy 2>&1 | %{check}=RTOL
// RTOL: error: --rtol expects a tolerance of at least 0
// RUN: not pypto-run %s --entry=f %{good} --atol=-1 --out=%t/c.npy 2>&1 | %{check}=ATOL
// ATOL: error: --atol expects a tolerance of at least 0
// RUN: not pypto-run %s --entry=f %{good} --check-each-pass= 2>&1 | %{check}=EMPTY
// EMPTY: error: --check-each-pass expects a value
// RUN: not pypto-run %s --entry=noalias --arg=%t/b.npy --arg=%t/b.npy --out=%t/c.npy 2>&1 | %{check}=SAME-FILE
// SAME-FILE: error: 'noalias' expects arguments that do not alias, but parameter 'b' and parameter 'a' are given the same file '{{.*}}b.npy'
// RUN: not pypto-run %s --entry=noalias --arg=%t/b.npy --arg=@0 --out=%t/c.npy 2>&1 | %{check}=SAME-STORAGE
// SAME-STORAGE: error: 'noalias' expects arguments that do not alias, but parameter 'b' is given the storage of parameter 'a'
// RUN: not pypto-run %s --entry=open --out=%t/c.npy 2>&1 | %{check}=UNBOUND
// UNBOUND: error: extent ? of parameter 'y' has no value (--dim=y.0=<size> gives it)
// RUN: not pypto-run %s --entry=h --out=%t/c.npy 2>&1 | %{check}=UNKNOWN
// UNKNOWN: error: no function 'h'; entries: 'f', 'g', 'noalias', 'open'
// RUN: not pypto-run %s --out=%t/c.npy 2>&1 | %{check}=NO-NAME
// NO-NAME: error: expects the name of an entry; entries: 'f', 'g', 'noalias', 'open'
// RUN: not pypto-run %s --entry=helper --out=%t/c.npy 2>&1 | %{check}=INLINE
// INLINE: error: 'helper' cannot be called from outside, being inline; entries: 'f', 'g', 'noalias', 'open'
// RUN: not pypto-run %s --entry=f %{good} --out=%t/c.npy --out=%t/d.npy 2>&1 | %{check}=OUTPUTS
// OUTPUTS: error: 'f' has 1 outputs, but got 2 of --out
// RUN: not pypto-run %s --entry=f %{good} --expect=a --expect=b --out=%t/c.npy 2>&1 | %{check}=EXPECTED
// EXPECTED: error: 'f' has 1 outputs, but got 2 of --expect
// RUN: not pypto-run %t/none.mlir --out=%t/c.npy 2>&1 | %{check}=NO-PROGRAM
// NO-PROGRAM: error: cannot open input file '{{.*}}none.mlir': No such file or directory
// RUN: not pypto-run %s --entry=f %{good} --pipeline=no-such-pass --out=%t/c.npy 2>&1 | %{check}=PIPELINE
// PIPELINE: error: --pipeline: 'no-such-pass' does not refer to a registered pass or pass pipeline
// RUN: not test -e %t/c.npy

pl.func inline @helper() {
  pl.return
}
pl.func @f(%x: !pl.tensor<[M, 4], f32>, %bias: !pl.tensor<[4], f32>, %k: f32) -> !pl.tensor<[M, 4], f32> {
  %0 = pl.add %x, %bias : !pl.tensor<[M, 4], f32>, !pl.tensor<[4], f32>
  %1 = pl.mul %0, %k : !pl.tensor<[M, 4], f32>, f32
  pl.return %1 : !pl.tensor<[M, 4], f32>
}
pl.func @g(%a: !pl.tensor<[N], f32>, %b: !pl.tensor<[N], f32>) -> !pl.tensor<[N], f32> {
  %0 = pl.add %a, %b : !pl.tensor<[N], f32>, !pl.tensor<[N], f32>
  pl.return %0 : !pl.tensor<[N], f32>
}
pl.func @noalias(%a: !pl.tensor<[N], f32>, inout %b: !pl.tensor<[N], f32>) attributes {pl.noalias} {
  %0 = pl.assemble %a, %b[0] : !pl.tensor<[N], f32>, !pl.tensor<[N], f32>
  pl.return
}
pl.func @open(out %y: !pl.tensor<[?], f32>) {
  pl.return
}
