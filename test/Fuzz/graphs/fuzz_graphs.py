# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes random graphs of tensor ops, runs them in several ways and compares all with an evaluation in NumPy.

usage: fuzz_graphs.py PYPTO_RUN [--runs N] [--seconds S] [--seed S] [--batch N] [--save DIRECTORY]
       fuzz_graphs.py PYPTO_RUN --seed S --print     shows the graph of a seed

The graph of a seed is the same everywhere. Each batch is compiled in the standard way, by plain loops, as C, from the text
of its kernels, in some batches by schedules that were searched, and runs on one thread and on two, group by group and in the
worst order. What fails is shrunk and saved with
the command that shows it again; then the exit code is 1.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "programs")]

import fuzz_programs  # noqa: E402
import graph  # noqa: E402
import ops  # noqa: E402

NAIVE = ("--pipeline=pypto-naive-graph-pipeline",)
# Reductions of this size are split too.
SPLIT = ("--pipeline=window-outputs,outline-loops,clean-movement,assign-ranges,fold-loads,split-reductions{threshold=4},simplify-indices,split-ranges,"
         "simplify-indices,merge-ranges,simplify-indices,raise-accesses,verify-rangeified,split-kernels,schedule-kernels",)
C = ("--renderer=c",)
# Schedules are measured, which takes seconds.
BEAM = ("--opt=beam=1",)
OTHERS = [NAIVE, SPLIT, C, ("--threads=1", "--renderer=mlir"), ("--threads=2", "--order=groups"),
          ("--order=adversarial",)]


def make(seed, _place=0):
    made = ops.generate(seed)
    return made, made.evaluate()


class Fuzzer(fuzz_programs.Fuzzer):
    kind, standard = "graphs", ()
    make = staticmethod(make)
    shrink = staticmethod(graph.shrink)

    def ways(self):
        return [*OTHERS, BEAM]

    def choose(self, programs, rng):
        return [*OTHERS, BEAM] if rng.random() < 0.25 else OTHERS

    def run(self, programs, flags):
        # A C compiler for each kernel takes its time.
        if flags == C:
            programs = programs[:3]
        if flags == BEAM:
            programs = sorted(programs, key=lambda p: "matmul" not in p[1].text())[:3]
        if flags == NAIVE:
            programs = [p for p in programs if p[1].is_plain]
        return super().run(programs, flags) if programs else []

    @staticmethod
    def falsify(values):
        return [values[0].falsified(), *values[1:]] if values and values[0].size else values


if __name__ == "__main__":
    sys.exit(fuzz_programs.main(Fuzzer, ops.generate, __doc__))
