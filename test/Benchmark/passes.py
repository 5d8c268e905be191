# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of `tools/dev bench passes`: what the passes cost beside what they have to hold."""
import pathlib
import shutil
import tempfile

import measure
import programs

# Ratios over sizes that differ by a factor of ten or more: a cost that grows with n log n passes, one that
# grows with n * n does not come near.
LINEAR = 1.15


class Table:
    """Rows as they are measured; remembers whether a counted target was missed."""

    def __init__(self):
        self.missed = False
        print(f"{'':6}{'what':62}{'value':>14}  target", flush=True)

    def note(self, what, value):
        print(f"{'':6}{what:62}{value:>14}", flush=True)

    def row(self, what, value, limit, counted, at_least=False, unit=""):
        good = value >= limit if at_least else value <= limit
        self.missed |= counted and not good
        sign = ">=" if at_least else "<="
        print(f"{'ok' if good else 'MISS':6}{what:62}{f'{value:.3f}{unit}':>14}  {sign} {limit}{unit}"
              f"{'' if counted else ' (time)'}", flush=True)

    def failed(self, what, error):
        self.missed = True
        print(f"{'MISS':6}{what}: {error}", flush=True)


class Bench:
    def __init__(self, build, quick, folder):
        self.opt = build / "bin" / "pypto-opt"
        self.upstream = shutil.which("mlir-opt-22") or "/usr/lib/llvm-22/bin/mlir-opt"
        self.scale = 100 if quick else 1
        self.repeat = 3 if quick else 5
        self.folder = pathlib.Path(folder)
        self.table = Table()

    def size(self, number):
        return max(number // self.scale, 2)

    def file(self, text):
        path = self.folder / "program.mlir"
        path.write_text(text)
        return path

    def own(self, flag, path):
        return [self.opt, flag, path, "-o", "/dev/null"]

    def inliner(self, path):
        return [self.upstream, "--inline=default-pipeline=", path, "-o", "/dev/null"]

    def cost(self, flag, pass_name, text):
        """Instructions of the body of one pass, on one thread."""
        command = [*self.own(flag, self.file(text)), "--mlir-disable-threading"]
        return measure.instructions(command, f"*{pass_name}*runOnModule*")

    def linear(self, what, flag, pass_name, sizes, generate):
        """Cost of one unit more between neighbouring sizes: the fixed cost of a run drops out."""
        sizes = sorted({self.size(size) for size in sizes})
        costs = [self.cost(flag, pass_name, generate(size)) for size in sizes]
        slopes = []
        for index in range(1, len(sizes)):
            slopes.append((costs[index] - costs[index - 1]) / (sizes[index] - sizes[index - 1]))
            self.table.note(f"  {sizes[index - 1]} to {sizes[index]}", f"{slopes[-1]:.0f} instr")
        self.table.row(f"{what}: dearest / cheapest unit", max(slopes) / min(slopes), LINEAR, counted=True)

    def inline_functions(self):
        flag, name = "--inline-functions", "InlineFunctionsPass"
        calls = [self.size(size) for size in (1000, 10000, 100000)]
        each = []
        for count in calls:
            each.append(self.cost(flag, name, programs.calls_in_one_block("pl", count)) / count)
            self.table.note(f"  {count} calls", f"{each[-1]:.0f} instr")
        self.table.row("inline: per call of one block, dearest / cheapest", max(each) / min(each), LINEAR, counted=True)
        calls, each = self.size(10000), []
        for helpers in sorted({self.size(size) for size in (1, 10, 100, 1000)} | {1}):
            each.append(self.cost(flag, name, programs.calls_in_one_block("pl", calls, helpers)) / calls)
            self.table.note(f"  {calls} calls of {helpers} helpers", f"{each[-1]:.0f} instr")
        self.table.row("inline: per call, 1 to 1,000 helpers, dearest / cheapest", max(each) / min(each), LINEAR,
                       counted=True)

    def beside_upstream(self, what, limit, generate):
        """Time of both passes on the same program, in turn."""
        ours, theirs = self.folder / "ours.mlir", self.folder / "theirs.mlir"
        ours.write_text(generate("pl"))
        theirs.write_text(generate("func"))
        mine, other = measure.alternate(
            lambda: measure.pass_seconds(self.own("--inline-functions", ours), "InlineFunctions"),
            lambda: measure.pass_seconds(self.inliner(theirs), "Inliner"), self.repeat)
        self.table.note("  --inline-functions, upstream --inline", f"{mine:.3f}, {other:.3f} s")
        self.table.row(what, other / max(mine, 1e-4), limit, counted=False, at_least=True, unit="x")

    def memory(self, what, limit, named):
        """Peak over that of an empty module, both tools on the same program."""
        empty = self.folder / "empty.mlir"
        empty.write_text("module {}\n")
        ours, theirs = self.folder / "ours.mlir", self.folder / "theirs.mlir"
        count = self.size(10000)
        ours.write_text(programs.calls_in_one_block("pl", count, named=named))
        theirs.write_text(programs.calls_in_one_block("func", count, named=named))
        mine = (measure.peak_kilobytes(self.own("--inline-functions", ours))
                - measure.peak_kilobytes(self.own("--inline-functions", empty)))
        other = measure.peak_kilobytes(self.inliner(theirs)) - measure.peak_kilobytes(self.inliner(empty))
        self.table.note(f"  {count} calls: --inline-functions, upstream", f"{mine / 1024:.1f}, {other / 1024:.1f} MB")
        self.table.row(what, mine / max(other, 1), limit, counted=True, unit="x")

    def normalize_return_order(self):
        flag, name = "--normalize-return-order", "NormalizeReturnOrderPass"
        sizes = (10, 100, 1000, 10000)
        self.linear("returns: conditional write-backs", flag, name, sizes, programs.conditional_writes)
        self.linear("returns: kernels", flag, name, sizes, programs.swapped_kernels)
        self.linear("returns: call sites", flag, name, sizes, programs.calls_of_swapped_kernel)

    def start_up(self):
        empty = self.folder / "empty.mlir"
        empty.write_text("module {}\n")
        for what, arguments in (("--version", ["--version"]), ("an empty module", [empty, "-o", "/dev/null"])):
            mine, other = measure.alternate(lambda: measure.wall_seconds([self.opt, *arguments]),
                                            lambda: measure.wall_seconds([self.upstream, *arguments]), 20)
            self.table.note("  pypto-opt, packaged mlir-opt", f"{mine * 1e3:.1f}, {other * 1e3:.1f} ms")
            self.table.row(f"start: {what}, beside mlir-opt, median of 20", mine / other, 1.1, counted=False, unit="x")

    def run(self, only):
        many, most = self.size(10000), self.size(40000)
        parts = {
            "inline": self.inline_functions,
            "block": lambda: self.beside_upstream(f"inline: faster than upstream, {many} calls in one block", 5,
                                                  lambda dialect: programs.calls_in_one_block(dialect, many)),
            "functions": lambda: self.beside_upstream(f"inline: faster than upstream, {most} functions of one call", 1,
                                                      lambda dialect: programs.callers_of_one_call(dialect, most)),
            "memory": lambda: self.memory("inline: peak memory beside upstream, no names", 1.1, named=False),
            "named-memory": lambda: self.memory("inline: peak memory beside upstream, every local named", 2, named=True),
            "returns": self.normalize_return_order,
            "start": self.start_up,
        }
        for name, body in parts.items():
            if not only or name in only:
                self.guard(name, body)
        return 1 if self.table.missed else 0

    def guard(self, what, body):
        """What cannot be measured is missed, and the rest goes on."""
        try:
            body()
        except measure.MeasureError as error:
            self.table.failed(what, error)


def main(build, quick, only):
    with tempfile.TemporaryDirectory() as folder:
        return Bench(build, quick, folder).run(only)
