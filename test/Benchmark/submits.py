# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a task costs: `tools/dev bench submits` runs loops of submits."""
import re
import tempfile

from measure import MeasureError, run

PROGRAM = """
!t = !pl.tensor<[N, 64], f32>
!r = !pl.tensor<[1, 64], f32>
pl.func incore @empty() {
  pl.return
}
pl.func incore @read(%x: !r, out %y: !r) {
  pl.return
}
pl.func orchestration @main(%x: !t, inout %y: !t, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  BODY
  pl.return
}
"""

BODIES = {
    "an empty kernel": """
  scf.for %i = %c0 to %n step %c1 {
    %id = orchestration.submit @empty() : () -> !orchestration.task
  }""",
    "a chain by ids": """
  %first = orchestration.task_invalid
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%prior = %first) -> !orchestration.task {
    %id = orchestration.submit @empty() after(%prior) : () -> !orchestration.task
    scf.yield %id : !orchestration.task
  }""",
    "calls over rows of two tensors": """
  scf.for %i = %c0 to %n step %c1 {
    %a = pl.slice %x[%i, 0] : !t -> !r
    %b = pl.slice %y[%i, 0] : !t -> !r
    pl.call @read(%a, %b) : (!r, !r) -> ()
  }""",
    "calls that read and write one row": """
  scf.for %i = %c0 to %n step %c1 {
    %b = pl.slice %y[0, 0] : !t -> !r
    pl.call @read(%b, %b) : (!r, !r) -> ()
  }""",
}

# Microseconds a task that a row has to stay below, on this machine.
LIMIT = 2.0


def measure(build, path, count, threads):
    """Microseconds of the fastest run."""
    result = run([build / "bin" / "pypto-run", path, "--entry=main", "--random=1", f"--dim=N={count}", "--arg=*",
                  "--arg=*", f"--arg={count}", f"--threads={threads}", "--time"])
    match = re.search(r"run: min ([\d.]+) ms", result.stdout)
    if not match:
        raise MeasureError(f"pypto-run printed no time:\n{result.stdout}")
    return float(match.group(1)) * 1000


def main(build, quick):
    """Prints a row for each kind of loop and number of threads. Times only warn."""
    sizes = [10, 100] if quick else [10, 1000, 10_000, 100_000]
    for name, body in BODIES.items():
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(PROGRAM.replace("BODY", body))
            file.flush()
            for threads in (1, 2):
                each = [measure(build, file.name, count, threads) / count for count in sizes]
                verdict = "ok  " if each[-1] < LIMIT else "MISS"
                costs = ", ".join(f"{count}: {cost:.3f}" for count, cost in zip(sizes, each))
                print(f"{verdict} submits: {name}, {threads} threads: us a task at {costs} < {LIMIT} (time)", flush=True)
    return 0
