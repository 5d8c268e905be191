# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of `tools/dev bench tasks`: what a task of a graph costs beside what it has to hold."""
import subprocess

from passes import Table

NANOSECONDS = 2000
# Of the cost of a task at 100,000 tasks over that at 1,000.
LINEAR = 2.0
# Edges a task: a dependency, and what empty tasks between many and many need.
EDGES = {"chain": 1, "independent": 0, "blocks": 1, "fan": 3}


def measure(build, most):
    """Rows of (shape, tasks, threads, nanoseconds until built, until done, edges)."""
    program = build / "bin" / "pypto-bench-tasks"
    lines = subprocess.run([program, str(most)], check=True, capture_output=True, text=True).stdout.splitlines()
    for line in lines:
        shape, count, threads, *numbers = line.split()
        yield shape, int(count), int(threads), *map(float, numbers)


def main(build, quick):
    table = Table()
    costs = {}
    for shape, count, threads, built, done, edges in measure(build, 1000 if quick else 100_000):
        what = f"{shape}, {count} tasks, {threads} thread{'s' if threads > 1 else ''}"
        if count >= 1000:
            table.row(f"{what}: built and run", done, NANOSECONDS, counted=False, unit=" ns")
        else:
            table.note(f"{what}: built and run", f"{done:.0f} ns")
        costs[shape, count, threads] = done
        # With a plan every edge is counted, without one those to tasks that are not done.
        if shape.endswith("+plan"):
            table.row(f"{what}: edges a task", edges, EDGES[shape.removesuffix("+plan")], counted=True)
    for (shape, count, threads), cost in costs.items():
        if count == 100_000:
            table.row(f"{shape}, {threads} threads: 100,000 tasks beside 1,000", cost / costs[shape, 1000, threads],
                      LINEAR, counted=False, unit="x")
    return 1 if table.missed else 0
