# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs many programs in one process of pypto-run and compares what comes out with the evaluation."""
import os
import subprocess

import numpy as np

from model import bf16_bits, from_bf16_bits


class Result:
    """`problem` says what is wrong with a run, `place` which program it is, None if that is not known."""

    def __init__(self, problem=None, place=None):
        self.problem, self.place = problem, place


def module(programs):
    """One module of all programs, whose entry calls the entry of each: its results, then its written parameters."""
    parts, params, calls, results = [], [], [], []
    for place, program in enumerate(programs):
        entry = program.entry
        parts.append(program.text())
        names = []
        for number, (direction, param) in enumerate(entry.params):
            name = f"%p{place}_{number}"
            names.append(name)
            params.append(f"{direction + ' ' if direction != 'in' else ''}{name}: {param.type.text}")
        types = [t.text for t in entry.result_types]
        outs = [f"%p{place}_r{n}" for n in range(len(types))]
        results += list(zip(outs, types))
        arguments = ", ".join(p.type.text for _, p in entry.params)
        calls.append(f"  {', '.join(outs) + ' = ' if outs else ''}pl.call @{entry.name}({', '.join(names)}) : ({arguments})"
                     f" -> ({', '.join(types)})")
    signature = f" -> ({', '.join(t for _, t in results)})" if results else ""
    end = f"  pl.return {', '.join(n for n, _ in results)} : {', '.join(t for _, t in results)}" if results else "  pl.return"
    return "".join(parts) + "\n".join([f"pl.func @main({', '.join(params)}){signature} {{", *calls, end, "}", ""])


def outputs_in_order(programs, expected):
    """(place, expectation) of each output of the module."""
    counts = [len(p.entry.result_types) if hasattr(p, "entry") else len(e) for p, e in zip(programs, expected)]
    returned = [(place, value) for place, count in enumerate(counts) for value in expected[place][:count]]
    # A parameter that is returned is written out once.
    written = []
    for place, (program, count) in enumerate(zip(programs, counts)):
        if count == len(expected[place]):
            continue
        params = [p for d, p in program.entry.params if d != "in" and p.type.kind == "tensor"]
        assert len(params) == len(expected[place]) - count
        written += [(place, value) for p, value in zip(params, expected[place][count:])
                    if p not in program.entry.block.yields]
    return returned + written


def write(programs, directory):
    """The module and its inputs; returns the arguments of pypto-run."""
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, "program.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(getattr(programs[0], "module", module)(programs))
    arguments = [path, "--entry=main"]
    for place, program in enumerate(programs):
        for number, value in enumerate(program.inputs):
            if isinstance(value, np.ndarray):
                name = os.path.join(directory, f"in{place}_{number}.npy")
                # Others than programs have their inputs as they are in files.
                is_bf16 = hasattr(program, "entry") and program.entry.params[number][1].type.dtype == "bf16"
                np.save(name, bf16_bits(value) if is_bf16 else value)
                value = name
            arguments.append(f"--arg={value}")
    return arguments


def differs(actual, expected):
    """What is different, or None. An expectation may know by itself."""
    if hasattr(expected, "differs"):
        return expected.differs(actual)
    is_bf16 = (actual.dtype, expected.dtype) == (np.uint16, np.float32)
    if is_bf16:
        actual = from_bf16_bits(actual)
    if actual.dtype != expected.dtype or actual.shape != expected.shape:
        return f"got {actual.dtype}{list(actual.shape)}, expected {expected.dtype}{list(expected.shape)}"
    if expected.dtype.kind != "f":
        bad = actual != expected
    else:
        tolerance = 8e-2 if is_bf16 else {2: 2e-2, 4: 1e-4, 8: 1e-9}[expected.dtype.itemsize]
        scale = max(1.0, float(np.max(np.abs(expected), initial=0)))
        with np.errstate(all="ignore"):
            bad = ~(np.abs(actual.astype(np.float64) - expected.astype(np.float64)) <= tolerance * scale)
    if not np.any(bad):
        return None
    where = tuple(int(i) for i in np.argwhere(bad)[0])
    return f"{int(bad.sum())} of {bad.size} elements, first at {list(where)}: got {actual[where]}, expected {expected[where]}"


def run(tool, programs, expected, directory, flags, timeout=60):
    """Runs the programs with the flags and compares."""
    arguments = write(programs, directory)
    outputs = outputs_in_order(programs, expected)
    if any(flag.startswith("--check-each-pass") for flag in flags):
        outputs = []  # it compares by itself
    files = [os.path.join(directory, f"out{n}.npy") for n in range(len(outputs))]
    command = [tool, *arguments, *flags, *[f"--out={file}" for file in files]]
    try:
        process = subprocess.run(command, capture_output=True, text=True, timeout=timeout * (1 + len(programs) // 8))
    except subprocess.TimeoutExpired:
        return Result("does not end")
    if process.returncode:
        said = process.stderr.splitlines() + process.stdout.splitlines()
        lines = [line for line in said if "error" in line or "changed" in line] or said[:1]
        return Result(f"exit code {process.returncode}: {lines[0] if lines else ''}")
    for number, (file, (place, value)) in enumerate(zip(files, outputs)):
        problem = differs(np.load(file), value)
        if problem:
            return Result(f"output {number}: {problem}", place)
    return Result()
