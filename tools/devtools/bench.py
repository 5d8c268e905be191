#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures one build.

usage: bench.py BUILD passes [--quick] [--only PART,PART]
       bench.py BUILD tasks [--quick]

`passes` prints what --inline-functions and --normalize-return-order cost beside what they have to hold. Ends with
1 if a target that counts instructions or bytes is missed; times depend on the machine and only warn.
`tasks` prints what it costs to build and run graphs of tasks. Ends with 1 if there are too many edges.
"""
import argparse
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "Benchmark"))

import passes  # noqa: E402
import tasks  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("what", choices=["passes", "tasks"])
    parser.add_argument("--quick", action="store_true", help="sizes a hundred times smaller, to try the tool itself")
    parser.add_argument("--only", default="", help="parts: inline block functions memory named-memory returns start")
    options = parser.parse_args()
    if options.what == "tasks":
        return tasks.main(options.build, options.quick)
    return passes.main(options.build, options.quick, options.only.split(",") if options.only else [])


if __name__ == "__main__":
    sys.exit(main())
