#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures one build.

usage: bench.py BUILD passes [--quick] [--only PART,PART]
       bench.py BUILD tasks|submits [--quick]
       bench.py BUILD cpu [--seconds S] [--only TEXT] [MxKxN...]
       bench.py BUILD programs [--quick] [--only PROGRAM,PROGRAM]

`passes` prints what --inline-functions and --normalize-return-order cost beside what they have to hold. Ends with
1 if a target that counts instructions or bytes is missed; times depend on the machine and only warn.
`tasks` prints what it costs to build and run graphs of tasks. Ends with 1 if there are too many edges.
`submits` prints what a task costs in programs: loops of 10 to 100,000 submits.
`cpu` prints matrix products beside libraries, then lazy tensors beside copies, reads and C++: what has to hold on one
and on two threads. --only takes rows of the latter by name. Ends with 1 if a result is wrong.
`programs` prints what compiled programs take beside NumPy and beside loops in C++, one thread, sizes that leave the
cache; those with matrix products beside NumPy and OpenBLAS. Ends with 1 if a result is wrong.
"""
import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "Benchmark"))

import passes  # noqa: E402
import submits  # noqa: E402
import tasks  # noqa: E402


def run_on_threads(program, *arguments):
    """Once on one thread, once on two; true if both ended well."""
    commands = [["taskset", "-c", "1", program, "--threads=1", *arguments], [program, "--threads=2", *arguments]]
    return all([subprocess.run(command).returncode == 0 for command in commands])


def bench_cpu(options):
    """Matrix products beside the libraries that are installed, the other rows beside the limits of the machine."""
    targets = ["pypto-bench-matmul", "pypto-bench-tensors"]
    subprocess.run(["ninja", "-C", options.build, *targets], check=True, stdout=subprocess.DEVNULL)
    matmul, tensors = [next(options.build.rglob(target)) for target in targets]
    seconds = f"--seconds={options.seconds}"
    is_right = True
    if not options.only:
        print("GFLOP/s, best/median; fma: what one thread reaches without memory; ratios: beside the fastest library",
              flush=True)
        is_right &= run_on_threads(matmul, seconds, *options.shapes)
        if not options.shapes:
            print("the product alone, then with bias and GELU; ratio: of their speeds", flush=True)
            is_right &= run_on_threads(matmul, seconds, "--epilogue", "1024x1024x1024")
            print("products of f32, then of bf16; ratio: of their speeds", flush=True)
            is_right &= run_on_threads(matmul, seconds, "--bf16", "512x512x512", "1024x1024x1024")
    if not options.shapes:
        print("best/median; MISS: both ratios are above the floor", flush=True)
        is_right &= run_on_threads(tensors, seconds, f"--only={options.only}")
    return 0 if is_right else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("what", choices=["passes", "tasks", "submits", "cpu", "programs"])
    parser.add_argument("shapes", nargs="*", help="of matrix products: MxKxN")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each contender and shape")
    parser.add_argument("--quick", action="store_true", help="sizes a hundred times smaller, to try the tool itself")
    parser.add_argument("--only", default="", help="parts: inline block functions memory named-memory returns start; or programs; or text in rows")
    options = parser.parse_args()
    if options.what == "tasks":
        return tasks.main(options.build, options.quick)
    if options.what == "cpu":
        return bench_cpu(options)
    if options.what == "submits":
        return submits.main(options.build, options.quick)
    only = options.only.split(",") if options.only else []
    if options.what == "programs":
        import kernels  # needs NumPy
        return kernels.main(options.build, options.quick, only)
    return passes.main(options.build, options.quick, only)


if __name__ == "__main__":
    sys.exit(main())
