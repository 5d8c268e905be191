# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes random valid programs, runs them in several ways and compares all with an evaluation in NumPy.

usage: fuzz_programs.py PYPTO_RUN [--runs N] [--seconds S] [--seed S] [--batch N] [--save DIRECTORY]
       fuzz_programs.py PYPTO_RUN --seed S --print     shows the program of a seed

The program of a seed is the same everywhere. Each batch is compiled in the standard way and run with several numbers of
threads and in adversarial order, interpreted, and run in other ways, which are drawn from those that this pypto-run has. What
fails is shrunk and saved with the command that shows it again; then the exit code is 1. What an operation computes is tested
elsewhere: this is about control flow, storage and order.
"""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np  # noqa: E402

import batch  # noqa: E402
import orchestration  # noqa: E402
from model import Invalid  # noqa: E402
from shrink import shrink  # noqa: E402

# Code that is compiled fast is wrong or right as well; how LLVM optimises is another way. With several numbers of threads.
STANDARD = ("--llvm-level=0", "--check-orders")
INTERPRETED = ("--interpret",)
PASSES = "inline-functions,convert-to-ssa,canonicalize,cse"
SPLIT = "inline-functions,convert-to-ssa,normalize-return-order,canonicalize"
CHECKED = (f"--check-each-pass={PASSES}",)
# For programs that have all code of cores in kernels.
OF_SPLIT = [("--llvm-level=0", f"--pipeline={SPLIT},pypto-cpu-pipeline"), (f"--check-each-pass={SPLIT}",)]
OTHERS = [("--llvm-level=1",), ("--llvm-level=0", f"--pipeline={PASSES},pypto-cpu-pipeline"),
          ("--llvm-level=0", "--pipeline=pypto-cpu-reference-pipeline"), ("--llvm-level=0", "--opt=none"),
          ("--llvm-level=0", "--check-bounds"), INTERPRETED, CHECKED]


def ways(tool):
    """The other ways that this pypto-run knows."""
    text = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout

    def known(flag):
        # LLVM has options without a description, of which one may have this name.
        return re.search(rf"^ *{flag.split('=')[0]}(=\S*)? +- \w", text, re.M) is not None

    return [flags for flags in OTHERS if all(known(flag) for flag in flags)]


def make(seed, place):
    """The program of a seed with its expectation, or None where it computes what cannot be compared."""
    program = orchestration.generate(seed, place)
    try:
        return program, program.evaluate()
    except Invalid:
        return None


class Fuzzer:
    """What follows is the same for all kinds of random input; a kind says how it is made, run and shrunk."""
    kind, standard = "programs", STANDARD

    def __init__(self, options):
        self.options, self.directory = options, tempfile.mkdtemp(prefix=f"pypto-{self.kind}-")
        self.others, self.failures, self.known = self.ways(), 0, set()

    def ways(self):
        return ways(self.options.tool)

    make = staticmethod(make)
    shrink = staticmethod(shrink)

    def choose(self, programs, rng):
        """The ways to run a batch besides the standard one."""
        cheap = [flags for flags in self.others if flags in (INTERPRETED, CHECKED)]
        others = [flags for flags in self.others if flags not in cheap]
        if all(orchestration.is_split(seed) for seed, _, _ in programs):
            cheap += OF_SPLIT if CHECKED in cheap else OF_SPLIT[:1]
        return cheap + rng.sample(others, min(len(others), self.options.ways))

    @staticmethod
    def falsify(values):
        values = [np.copy(v) for v in values]
        if values and values[0].size:
            values[0].flat[0] += 3
        return values

    def run(self, programs, flags):
        """(seed, problem) of what is wrong."""
        result = batch.run(self.options.tool, [p for _, p, _ in programs], [e for _, _, e in programs], self.directory, flags)
        if not result.problem:
            return []
        if len(programs) == 1:
            return [(programs[0], result.problem)]
        if result.place is not None:
            bad = programs[result.place]
            return self.run([bad], flags) + self.run([p for p in programs if p is not bad], flags)
        half = len(programs) // 2
        return self.run(programs[:half], flags) + self.run(programs[half:], flags)

    def report(self, failed, problem, flags):
        seed, program, _ = failed
        self.failures += 1
        print(f"seed {seed} {' '.join(flags)}: {problem}", flush=True)
        kind = problem.split(":")[0], problem[-60:]
        if self.options.shrink and kind not in self.known:
            self.known.add(kind)
            is_run = problem.startswith("output")

            def fails(smaller, expected):
                result = batch.run(self.options.tool, [smaller], [expected], self.directory, flags, timeout=10)
                same = result.problem and (result.problem.startswith("output") == is_run)
                return same and (is_run or result.problem[:40] == problem[:40])

            program = self.shrink(program, fails, self.options.shrink_runs)
        folder = os.path.join(self.options.save, f"seed{seed}")
        shutil.rmtree(folder, ignore_errors=True)
        expected = program.evaluate()
        batch.run(self.options.tool, [program], [expected], folder, flags)
        command = " ".join([self.options.tool, *batch.write([program], folder), *flags])
        with open(os.path.join(folder, "command"), "w", encoding="utf-8") as file:
            file.write(f"{command}\n# {problem}\n" + "".join(f"# {v.dtype} {v.tolist()}\n" for v in expected))
        print(f"  {command}", flush=True)

    def batch_of(self, first):
        found = (self.make(seed, place) for place, seed in enumerate(range(first, first + self.options.batch)))
        return [(first + n, *pair) for n, pair in enumerate(found) if pair]

    def self_check(self):
        """A batch of which one program is expected to give another number than it does: this one is found and shrunk."""
        programs = self.batch_of(self.options.seed)
        wrong = next(n for n in reversed(range(len(programs))) if programs[n][2] and programs[n][2][0].size)
        seed, program, expected = programs[wrong]
        evaluate, falsify = type(program).evaluate, self.falsify

        def falsified(self, *arguments):
            return falsify(evaluate(self, *arguments))

        type(program).evaluate = falsified
        programs[wrong] = (seed, program, falsified(program))
        before = len(program.text())
        failed = self.run(programs, self.standard)
        assert [f[0] for f, _ in failed] == [seed], failed
        self.report(*failed[0], self.standard)
        saved = os.path.join(self.options.save, f"seed{seed}", "program.mlir")
        after = os.path.getsize(saved)
        print(f"found, shrunk from {before} to {after} characters")
        return 0 if after < before / 2 else 1

    def main(self):
        start, done, seed = time.monotonic(), 0, self.options.seed
        while done < self.options.runs and time.monotonic() - start < self.options.seconds:
            programs = self.batch_of(seed)
            rng = random.Random(seed)
            for flags in [self.standard, *self.choose(programs, rng)]:
                for failed, problem in self.run(programs, flags):
                    self.report(failed, problem, flags)
                    programs = [p for p in programs if p is not failed]
            done, seed = done + len(programs), seed + self.options.batch
            if self.options.verbose:
                print(f"{done} {self.kind}, {self.failures} failures, {time.monotonic() - start:.0f} s", flush=True)
        shutil.rmtree(self.directory, ignore_errors=True)
        names = ", ".join(" ".join(flags) for flags in self.others)
        print(f"{done} {self.kind} from seed {self.options.seed} on, {self.failures} failures, "
              f"{time.monotonic() - start:.0f} s; besides {' '.join(self.standard) or 'the standard way'}: {names}")
        return 1 if self.failures or not done else 0


def main(fuzzer=Fuzzer, generate=orchestration.generate, description=__doc__):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--runs", type=int, default=1000, help=f"{fuzzer.kind} (1000)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many (never)")
    parser.add_argument("--seed", type=int, default=0, help="of the first program (0)")
    parser.add_argument("--batch", type=int, default=24, help=f"{fuzzer.kind} in a process (24)")
    parser.add_argument("--ways", type=int, default=1, help="other ways for each batch, besides the interpreter (1)")
    parser.add_argument("--save", default=f"build/fuzz-{fuzzer.kind}", help=f"where failures go (build/fuzz-{fuzzer.kind})")
    parser.add_argument("--no-shrink", dest="shrink", action="store_false", help="save failures as they are")
    parser.add_argument("--shrink-runs", type=int, default=400, help="runs to shrink a failure (400)")
    parser.add_argument("--print", action="store_true", help="print the program of the seed and end")
    parser.add_argument("--self-check", action="store_true", help="falsify an expectation and see it found")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if options.print:
        print(generate(options.seed).text(), end="")
        return 0
    return fuzzer(options).self_check() if options.self_check else fuzzer(options).main()


if __name__ == "__main__":
    sys.exit(main())
