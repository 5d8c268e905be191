#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Feeds mutated programs of the suite to the parser and the passes of one build.

usage: fuzz.py BUILD [--count N] [--seed S] [--jobs J] [--first N]

What fails is saved in BUILD/fuzz as N.mlir, with its pipeline in the first line, and N.log, with the stack.
Show one again with `BUILD/bin/pypto-fuzz --run FILE`. Ends with 1 if anything failed with a frame of ours.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def symbolizer():
    for name in ("llvm-symbolizer-22", "llvm-symbolizer"):
        if path := shutil.which(name):
            return path
    return "/usr/lib/llvm-22/bin/llvm-symbolizer"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=20000, help="inputs (20000)")
    parser.add_argument("--seed", type=int, default=1, help="an input follows from the seed and its number (1)")
    parser.add_argument("--first", type=int, default=0, help="number of the first input (0)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    options = parser.parse_args()

    save = options.build / "fuzz"
    save.mkdir(parents=True, exist_ok=True)
    path = symbolizer()
    environment = {**os.environ, "ASAN_SYMBOLIZER_PATH": path, "UBSAN_SYMBOLIZER_PATH": path, "LLVM_SYMBOLIZER_PATH": path}
    share = -(-options.count // options.jobs)
    runs = []
    for job in range(options.jobs):
        begin = job * share
        count = min(share, options.count - begin)
        if count <= 0:
            break
        command = [options.build / "bin" / "pypto-fuzz", ROOT / "test", f"--seed={options.seed}", f"--count={count}",
                   f"--first={options.first + begin}", f"--save={save / f'job{job}'}",
                   f"--known={ROOT / 'test' / 'Fuzz' / 'known-upstream.md'}"]
        runs.append(subprocess.Popen(command, env=environment))
    return 1 if any([run.wait() for run in runs]) else 0


if __name__ == "__main__":
    sys.exit(main())
