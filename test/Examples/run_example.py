# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program on the CPU, compiled and interpreted, and compares both with NumPy.

run_example.py PYPTO_RUN PROGRAM SCRATCH_DIRECTORY [FLAG of pypto-run...]

The program carries its reference in comments that begin with `// NUMPY:`, which together are Python:

  cases = [dict(N=37), ...]     what varies; optional, one case without parameters by default
  def inputs(rng, N):           the in and inout parameters in order: arrays, numbers, "@n" for the storage of the n-th
  def reference(x, y):          what --out gives: the results in order, then the written parameters not returned
  entry = "main"                optional
  rtol, atol                    optional
  flags = ["--dim=..."]         optional; or a function of a case's parameters
  interpret = False             optional: too large for the interpreter
  threads = [2, 8]              optional: numbers of threads that a program with tasks runs with, 1, 2 and 8 by default
  adversarial = False           optional: its tasks wait for signals that others give

  every_case = True             optional: runs each case in all of these ways, not the first one alone

A program with tasks gives the same bits with each number of threads and in adversarial order.

An array of NumPy's uint16 that stands for bf16 is made with bf16() and read with from_bf16().
"""
import os
import re
import subprocess
import sys

import numpy as np


def bf16(values):
    """Bits of the nearest bf16, ties to even."""
    bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(values), np.uint16(0x7FC0), rounded)


def from_bf16(bits):
    return (np.asarray(bits, np.uint32) << 16).view(np.float32)


def load(path):
    """The reference in the comments of a program."""
    with open(path, encoding="utf-8") as file:
        marked = [line.split("// NUMPY:", 1)[1] for line in file if line.startswith("// NUMPY:")]
    text = "\n".join(line.rstrip("\n")[1:] if line.startswith(" ") else line.rstrip("\n") for line in marked)
    scope = {"np": np, "bf16": bf16, "from_bf16": from_bf16}
    exec(compile(text, path, "exec"), scope)
    return scope


def save_inputs(values, directory):
    """Flags, and the bytes of each file."""
    flags, files = [], {}
    for number, value in enumerate(values):
        if isinstance(value, np.ndarray):
            path = os.path.join(directory, f"in{number}.npy")
            np.save(path, value)
            with open(path, "rb") as file:
                files[path] = file.read()
            value = path
        flags.append(f"--arg={value}")
    return flags, files


def check(actual, expected, rtol, atol, what):
    expected = np.asarray(expected)
    assert actual.dtype == expected.dtype, f"{what}: got {actual.dtype}, expected {expected.dtype}"
    assert actual.shape == expected.shape, f"{what}: got {actual.shape}, expected {expected.shape}"
    if expected.dtype.kind == "f":
        np.testing.assert_allclose(actual, expected, rtol=rtol, atol=atol, equal_nan=True, err_msg=what)
    else:
        np.testing.assert_array_equal(actual, expected, err_msg=what)


def has_tasks(path):
    """Whether a program calls kernels or has scopes: some of these may not be tasks, which does no harm."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    has_kernels = re.search(r"pl\.func (private )?(incore|aic|aiv|group|spmd)\b", text)
    has_calls = has_kernels and re.search(r"pl\.call|orchestration\.submit", text)
    return has_calls or re.search(r"pl\.(at|cluster|spmd)\b", text)


def get_modes(program, spec, flags):
    """Lists of flags for runs of machine code that give the same bits, and for runs of the interpreter."""
    compiled = [list(flags)]
    if has_tasks(program):
        compiled = [[*flags, f"--threads={count}"] for count in spec.get("threads", [2, 1, 8])]
        if spec.get("adversarial", True):
            compiled.append([*flags, "--order=adversarial"])
    # Interpreted as it is before the passes that bring it to machine code.
    interpreted = [flag.replace(",pypto-cpu-pipeline", "") for flag in flags] + ["--interpret"]
    return compiled, [interpreted] if spec.get("interpret", True) else []


def read_all(paths):
    contents = []
    for path in paths:
        with open(path, "rb") as file:
            contents.append(file.read())
    return contents


def run_case(command, directory, spec, case, seed):
    rng = np.random.default_rng(seed)
    values = list(spec["inputs"](rng, **case)) if "inputs" in spec else []
    # The reference gets copies: it may write into what it is given.
    given = [values[int(v[1:])] if isinstance(v, str) and v.startswith("@") else v for v in values]
    with np.errstate(all="ignore"):
        expected = spec["reference"](*[np.copy(v) if isinstance(v, np.ndarray) else v for v in given])
    expected = expected if isinstance(expected, tuple) else (expected,)
    arguments, files = save_inputs(values, directory)
    outputs = [os.path.join(directory, f"out{n}.npy") for n in range(len(expected))]
    flags = spec.get("flags", [])
    flags = flags(**case) if callable(flags) else flags
    if "--interpret" in command:
        flags = [flag for flag in flags if not flag.startswith("--llvm-level")]
    command = [*command, f"--entry={spec.get('entry', 'main')}", *flags, *arguments]
    run = subprocess.run(command + [f"--out={path}" for path in outputs], check=False)
    assert run.returncode == 0, f"{case}: {' '.join(command)} ended with {run.returncode}"
    for path, content in files.items():
        with open(path, "rb") as file:
            assert file.read() == content, f"{case}: {path} was changed"
    for number, (path, value) in enumerate(zip(outputs, expected)):
        check(np.load(path), value, spec.get("rtol", 1e-5), spec.get("atol", 1e-6), f"{case}, output {number}")
    return read_all(outputs)


def main(tool, program, directory, *flags):
    spec = load(program)
    os.makedirs(directory, exist_ok=True)
    compiled, interpreted = get_modes(program, spec, flags)
    if any(flag.startswith("--opt=") for flag in flags):
        # Once, without optimisation: threads and the interpreter have runs of their own.
        compiled, interpreted = compiled[:1], []
    for seed, case in enumerate(spec.get("cases", [{}])):
        if seed > 0 and not spec.get("every_case", False):
            compiled = compiled[:1]
        bits = [run_case([tool, program, *mode], directory, spec, case, seed) for mode in compiled]
        for mode, other in zip(compiled, bits):
            assert other == bits[0], f"{case}: {mode} gives other bits than {compiled[0]}"
        for mode in interpreted:
            run_case([tool, program, *mode], directory, spec, case, seed)


if __name__ == "__main__":
    main(*sys.argv[1:])
