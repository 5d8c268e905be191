# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ways to measure one run of a program: instructions, time of one pass, peak memory, wall clock."""
import os
import re
import statistics
import subprocess
import time


class MeasureError(Exception):
    pass


def run(command, **options):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if result.returncode != 0:
        raise MeasureError(f"{' '.join(map(str, command))} ended with {result.returncode}:\n{result.stderr[-2000:]}")
    return result


def instructions(command, function):
    """Instructions that `command` executes inside of functions that match `function`, a pattern of callgrind."""
    result = run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no",
                  f"--toggle-collect={function}", *command])
    match = re.search(r"Collected\s*:\s*(\d+)", result.stderr)
    if not match or match.group(1) == "0":
        raise MeasureError(f"callgrind met no function that matches {function}")
    return int(match.group(1))


def pass_seconds(command, name):
    """Time of the pass `name` as --mlir-timing reports it."""
    result = run([*command, "--mlir-timing", "--mlir-timing-display=list"])
    match = re.search(rf"^\s*([\d.]+)\s*\([^)]*\)\s*(?:[\d.]+\s*\([^)]*\)\s*)?{re.escape(name)}\s*$", result.stderr, re.M)
    if not match:
        raise MeasureError(f"--mlir-timing names no pass {name}:\n{result.stderr}")
    return float(match.group(1))


def peak_kilobytes(command):
    """Peak resident memory of one run."""
    with subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        stderr = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise MeasureError(f"{' '.join(map(str, command))} ended with {process.returncode}:\n{stderr.decode()[-2000:]}")
    return usage.ru_maxrss


def alternate(first, second, repeat):
    """Medians of two measurements, taken in turn so that both meet the same machine."""
    samples = ([], [])
    for _ in range(repeat):
        samples[0].append(first())
        samples[1].append(second())
    return statistics.median(samples[0]), statistics.median(samples[1])


def wall_seconds(command):
    start = time.perf_counter()
    run(command)
    return time.perf_counter() - start
