# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the functions of a file with `pypto-run --check-bounds` and looks at how they end.

check_bounds.py PYPTO_RUN PROGRAM SCRATCH_DIRECTORY

Comments in front of a function say with which arguments, as Python in a tuple, it runs:

  // FLAGS: --valid=x=3,4                                   flags of pypto-run for all of its runs; optional
  // PASS: np.zeros((4, 8), "f4"), 3                        ends well
  // FAIL: np.zeros((4, 8), "f4"), 4: 'pl.read' expects ... ends with this error, exit code 1 and no output file

The interpreter goes by the same rules: with `--interpret` each run ends as well, or in an error at the same operation;
one that computes with what is not valid in a warning.

A tensor argument may be `"*"`, random elements. The error stands at the line with `// HERE` in the function, at the
name of the operation; behind it may stand ` (called at LINE)` with `// CALL` in the file for LINE.
"""
import concurrent.futures
import os
import re
import subprocess
import sys

import numpy as np

DIRECTIVE = re.compile(r"// (FLAGS|PASS|FAIL): (.*)")
NAME = re.compile(r"pl\.func (?:\w+ )*@(\w+)")


class Function:
    def __init__(self):
        self.name, self.flags, self.runs, self.where = None, [], [], None


def position(line, operation):
    return line.index(operation) + 1


def parse(path):
    """The functions that have directives, and where the marked call is."""
    functions, current, call = [], Function(), None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            found = DIRECTIVE.match(line)
            if found and found.group(1) == "FLAGS":
                current.flags = found.group(2).split()
            elif found:
                values, _, message = found.group(2).partition(": '")
                current.runs.append((values, message and "'" + message.rstrip("\n")))
            name = NAME.search(line)
            if name and current.runs:
                current.name = name.group(1)
                functions.append(current)
                current = Function()
            if "// HERE" in line:
                functions[-1].where = number, line
            if "// CALL" in line:
                call = f"{path}:{number}:{position(line, 'pl.call')}"
    return functions, call


def execute(tool, path, directory, function, number, values, how):
    flags = [f"--entry={function.name}", how, "--random=1", *function.flags]
    prefix = os.path.join(directory, f"{function.name}-{number}{how}")
    for index, value in enumerate(eval(f"({values},)" if values.strip() else "()", {"np": np})):  # noqa: S307
        if isinstance(value, np.ndarray):
            np.save(f"{prefix}-{index}.npy", value)
            value = f"{prefix}-{index}.npy"
        flags.append(f"--arg={value}")
    output = f"{prefix}-out.npy"
    if os.path.exists(output):
        os.remove(output)
    run = subprocess.run([tool, path, *flags, f"--out={output}"], capture_output=True, text=True, check=False)
    return run.returncode, run.stderr, os.path.exists(output)


def fits(result, place):
    """Whether a run of the interpreter stopped there, or warned."""
    code, errors, has_output = result
    if errors.startswith(f"{place}: warning: uses what nothing has given a value"):
        return code == 0
    return code == 1 and errors.startswith(f"{place}: error: ") and not has_output


def main(tool, path, directory):
    os.makedirs(directory, exist_ok=True)
    functions, call = parse(path)
    assert functions, f"{path}: no function has directives"
    jobs = [(function, number, values, message) for function in functions
            for number, (values, message) in enumerate(function.runs)]
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda job: execute(tool, path, directory, *job[:3], "--check-bounds"), jobs)
        interpreted = pool.map(lambda job: execute(tool, path, directory, *job[:3], "--interpret"), jobs)
        for (function, number, values, message), result, other in zip(jobs, results, interpreted):
            expected = (0, "", True)
            if message:
                line, text = function.where
                operation = message.split("'")[1]
                called = " (called at CALL)"
                at = f"{path}:{line}:{position(text, operation)}"
                if message.endswith(called):
                    message, at = message.removesuffix(called), f"{at} (called at {call})"
                expected = (1, f"error: {at}: {message}\n", False)
            if result != expected:
                wrong += 1
                print(f"@{function.name} on {values}: got\n  {result}\nexpected\n  {expected}")
            if message and not fits(other, f"{path}:{function.where[0]}:{position(function.where[1], operation)}") or \
                    not message and (other[0], other[2]) != (0, True):
                wrong += 1
                print(f"@{function.name} on {values}, interpreted: got\n  {other}\nexpected\n  {expected}")
    print(f"{len(jobs)} runs, {wrong} wrong")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
