# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares exp, log, tanh and erf of f32 with float64, over their whole range and on special values.

math_functions.py PYPTO_RUN SCRATCH_DIRECTORY
"""
import math
import pathlib
import subprocess
import sys

import numpy as np

# Units in the last place, as docs/numerics.md says.
LIMITS = {"exp": 1.5, "log": 1.5, "tanh": 5.5, "erf": 6.5}

EXACT = {"exp": np.exp, "log": np.log, "tanh": np.tanh, "erf": np.vectorize(math.erf, otypes=["f8"])}

VECTOR = """
pl.func incore @main(%x: !pl.tensor<[1, {n}], f32>, out %y: !pl.tensor<[1, {n}], f32>) attributes {{pl.noalias}} {{
  %t = tile.load %x[0, 0] : !pl.tensor<[1, {n}], f32> -> !tile.tile<[1, {n}], f32>
  %r = tile.{function} %t : !tile.tile<[1, {n}], f32>
  %s = tile.store %r, %y[0, 0] : !tile.tile<[1, {n}], f32>, !pl.tensor<[1, {n}], f32>
  pl.return
}}
"""
# Rows of a graph, for what has no operation on tiles.
GRAPH = """
func.func @main(%x: tensor<1x{n}xf32>) -> tensor<1x{n}xf32> {{
  %0 = math.{function} %x : tensor<1x{n}xf32>
  return %0 : tensor<1x{n}xf32>
}}
"""
SCALAR = """
pl.func incore @main(%x: !pl.tensor<[1, {n}], f32>, out %y: !pl.tensor<[1, {n}], f32>) attributes {{pl.noalias}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {n} : index
  scf.for %i = %c0 to %n step %c1 {{
    %e = pl.read %x[%c0, %i] : !pl.tensor<[1, {n}], f32>
    %f = math.{function} %e : f32
    pl.write %f, %y[%c0, %i] : !pl.tensor<[1, {n}], f32>
  }}
  pl.return
}}
"""


def arguments():
    """Every 4096th float, what is near zero and one, and special values."""
    bits = np.arange(0, 2**32, 4093, dtype=np.uint64).astype(np.uint32).view(np.float32)
    near = np.concatenate([np.linspace(-110, 100, 200_001), np.linspace(-1e-3, 1e-3, 20_001), np.linspace(0.5, 2, 100_001)])
    special = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 88.72283, 88.72284, -87.33655, -103.97, -103.98, 1e-45, -1e-45,
               1.17549435e-38, 3.4028235e38, 0.5, 3.9, 3.92, -3.95, 4.0, -4.0, 8.8, -9.01, 9.02, 10.0]
    return np.concatenate([bits, near.astype("f4"), np.array(special, "f4")])[None, :]


def run(tool, directory, text, function, x):
    program = directory / "program.mlir"
    program.write_text(text.format(n=x.shape[1], function=function))
    np.save(directory / "x.npy", x)
    subprocess.run([tool, program, "--entry=main", f"--arg={directory / 'x.npy'}", f"--out={directory / 'y.npy'}"],
                   check=True)
    return np.load(directory / "y.npy")


def check(function, x, y):
    with np.errstate(all="ignore"):
        exact = EXACT[function](x.astype("f8"))
        rounded = exact.astype("f4")
    unusual = ~np.isfinite(rounded)
    np.testing.assert_array_equal(y[unusual], rounded[unusual], err_msg=f"{function}: infinities and NaN")
    zero = exact == 0
    np.testing.assert_array_equal(np.signbit(y[zero]), np.signbit(exact[zero]), err_msg=f"{function}: sign of zero")
    usual = ~unusual
    # At the end of the range a result may round to infinity.
    with np.errstate(all="ignore"):
        error = np.abs(y[usual].astype("f8") - exact[usual]) / np.spacing(np.abs(rounded[usual])).astype("f8")
    worst = int(np.argmax(error))
    print(f"{function}: {error[worst]:.3f} units at {x[usual][worst]!r}")
    assert error[worst] <= LIMITS[function], f"{function}({x[usual][worst]!r}) is {y[usual][worst]!r}, not {rounded[usual][worst]!r}"


def main(tool, directory):
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    x = arguments()
    for function in LIMITS:
        single = run(tool, directory, SCALAR, function, x)
        check(function, x, single)
        for rows in [VECTOR, GRAPH] if function in ("exp", "log") else [GRAPH]:
            row = run(tool, directory, rows, function, x)
            different = (row.view("u4") != single.view("u4")) & ~(np.isnan(row) & np.isnan(single))
            assert not different.any(), f"{function}: rows and single elements differ at {x[different][:4]}"


if __name__ == "__main__":
    main(*sys.argv[1:])
