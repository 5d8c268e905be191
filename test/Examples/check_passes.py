# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs with references, on the inputs of their first cases, before and after each of some passes.

check_passes.py PYPTO_RUN SCRATCH_DIRECTORY PASSES PROGRAM...
"""
import os
import subprocess
import sys

import numpy as np
from run_example import load, save_inputs


def check(tool, directory, passes, program):
    """What is wrong, or None."""
    spec = load(program)
    case = spec.get("cases", [{}])[0]
    values = list(spec["inputs"](np.random.default_rng(0), **case)) if "inputs" in spec else []
    arguments, _ = save_inputs(values, directory)
    flags = spec.get("flags", [])
    flags = flags(**case) if callable(flags) else flags
    flags = [flag for flag in flags if not flag.startswith("--llvm-level")]
    tolerances = [f"--rtol={spec.get('rtol', 1e-5)}", f"--atol={spec.get('atol', 1e-6)}"]
    command = [tool, program, f"--entry={spec.get('entry', 'main')}", *flags, *arguments, *tolerances,
               f"--check-each-pass={passes}"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return None if run.returncode == 0 else f"{' '.join(command)}\n{run.stdout}{run.stderr}"


def main(tool, directory, passes, *programs):
    os.makedirs(directory, exist_ok=True)
    problems = [check(tool, directory, passes, p) for p in programs if "interpret = False" not in open(p).read()]
    print("\n".join(problem for problem in problems if problem))
    print(f"{len(problems)} programs")
    sys.exit(any(problems) or not problems)


if __name__ == "__main__":
    main(*sys.argv[1:])
