# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run_demo.py BUILD_DIRECTORY: one program from text to numbers.

Takes a softmax over blocks of rows, with an inlined helper and with results in another order than the outputs, through
inlining, the normalisation of the order of returns and the JIT, on arrays from .npy files, and compares with NumPy.
"""
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join("test", "Examples", "softmax.mlir")
PASSES = ["inline-functions", "convert-to-ssa", "normalize-return-order"]
ROWS, COLUMNS, VALID = 1003, 64, 53


def run(command):
    """Standard output of a command; its errors go where ours go."""
    result = subprocess.run(command, check=False, text=True, stdout=subprocess.PIPE)
    if result.returncode:
        sys.exit(f"{' '.join(command)} ended with {result.returncode}\n{result.stdout}")
    return result.stdout


def softmax(x):
    maxima = x.max(axis=1, keepdims=True)
    exponentials = np.exp(x - maxima)
    return exponentials / exponentials.sum(axis=1, keepdims=True), maxima


def describe(text):
    """Kind and signature of each function, on one line each."""
    functions = re.findall(r"pl\.func (?:private )?(\w+)? ?@(\w+)\((.*?)\)(?: ->|\s*\{| attributes)", text, re.DOTALL)
    for kind, name, parameters in functions:
        count = len(re.findall(r"%\w+:", parameters))
        print(f"  {kind or 'opaque':14} @{name}, {count} parameters")


def main(build):
    opt, runner = (os.path.join(build, "bin", tool) for tool in ("pypto-opt", "pypto-run"))
    program = os.path.join(ROOT, PROGRAM)
    print(f"program: {PROGRAM}")
    with open(program, encoding="utf-8") as file:
        describe(file.read())
    print(f"passes: {', '.join(PASSES)}, then pypto-cpu-pipeline")
    normalized = run([opt, program] + [f"--{name}" for name in PASSES])
    print("after the first three:")
    describe(normalized)
    order = re.findall(r"@(\w+).*?pl\.return_permutation = array<i64: ([\d, ]+)>", normalized, re.DOTALL)
    for name, permutation in order:
        print(f"  results of @{name} moved to positions {permutation}")

    with tempfile.TemporaryDirectory() as directory:
        path = lambda name: os.path.join(directory, name)  # noqa: E731
        x = (8 * np.random.default_rng(7).standard_normal((ROWS, COLUMNS))).astype("f4")
        np.save(path("x.npy"), x)
        command = [runner, program, "--entry=main", f"--pipeline={','.join(PASSES)},pypto-cpu-pipeline",
                   f"--arg={path('x.npy')}", f"--arg={VALID}", f"--out={path('max.npy')}", f"--out={path('y.npy')}",
                   "--time"]
        print(f"input: float32 {x.shape}, softmax of the first {VALID} columns")
        print(run(command), end="")
        y, maxima = softmax(x[:, :VALID].astype("f8"))
        got_y, got_maxima = np.load(path("y.npy")), np.load(path("max.npy"))
        error = np.abs(got_y[:, :VALID] - y).max()
        print(f"NumPy: max abs error {error:.3g} of the softmax, {np.abs(got_maxima - maxima).max():.3g} of the maxima")
        good = error < 1e-6 and np.array_equal(got_maxima, maxima.astype("f4")) and not got_y[:, VALID:].any()
    print("right" if good else "WRONG")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
