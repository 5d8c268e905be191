#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the GoogleTest programs and the lit suite of a build directory.

The last line of the output is `N passed, M failed`. The exit code is 0 only if something passed and
nothing failed.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SANITIZER_OPTIONS = {
    # libMLIR is not instrumented. Its process-wide tables are reachable only through memory that the
    # leak checker does not scan, and its inline containers and allocators are compiled on both sides,
    # so annotations made on one side are unknown to the other.
    "ASAN_OPTIONS": "detect_leaks=0:detect_container_overflow=0:allow_user_poisoning=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "TSAN_OPTIONS": f"halt_on_error=1:suppressions={pathlib.Path(__file__).with_name('tsan.supp')}",
}
# What runs threads of ours: the only tests for which ThreadSanitizer's time is well spent.
THREADED = "PyptoRuntimeTests|PyptoExecutionTests|PyptoTensorTests|Tools/pypto-run|Integration|Examples"


def tests_of(program, pattern):
    """The full names of the program's tests that match the pattern."""
    listing = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True)
    if listing.returncode != 0:
        raise RuntimeError(f"{program.name} --gtest_list_tests: {listing.stderr or listing.stdout}")
    names, suite = [], ""
    for line in listing.stdout.splitlines():
        name = line.split("#")[0].rstrip()
        if not name.startswith(" "):
            suite = name
        elif "." in suite:
            names.append(suite + name.strip())
    return [name for name in names if pattern.search(f"{program.name} :: {name}")]


def run_unit_tests(build, pattern):
    """Runs the GoogleTest programs; the numbers of passed and failed tests."""
    passed = failed = 0
    for program in sorted((build / "bin").glob("*Tests")):
        names = tests_of(program, pattern)
        if not names:
            continue
        with tempfile.TemporaryDirectory() as directory:
            report = pathlib.Path(directory) / "report.json"
            run = subprocess.run(
                [program, f"--gtest_filter={':'.join(names)}", f"--gtest_output=json:{report}",
                 "--gtest_brief=1"])
            # A program that dies writes no report: all of its tests count as failed.
            totals = json.loads(report.read_text()) if report.exists() else {"tests": 0}
        bad = totals.get("failures", 0) + totals.get("errors", 0)
        if totals["tests"] == 0 or (run.returncode != 0 and bad == 0):
            print(f"{program.name} ended with code {run.returncode}", file=sys.stderr)
            bad = len(names)
        passed += max(len(names) - bad, 0)
        failed += bad
    return passed, failed


def run_lit(build, lit, regex, extra):
    """Runs the lit suite; the numbers of passed and failed tests."""
    with tempfile.TemporaryDirectory() as directory:
        report = pathlib.Path(directory) / "report.json"
        command = [sys.executable, lit, "-sv", "--no-progress-bar", "--allow-empty-runs", "-o", report, build / "test", *extra]
        if regex:
            command.append(f"--filter={regex}")
        run = subprocess.run(command)
        if not report.exists() and run.returncode == 0:
            return 0, 0  # the filter leaves none
        if not report.exists():
            print(f"lit ended with code {run.returncode} and no report", file=sys.stderr)
            return 0, 1
        codes = [test["code"] for test in json.loads(report.read_text())["tests"]]
    passed = sum(code in ("PASS", "XFAIL", "FLAKYPASS") for code in codes)
    skipped = sum(code in ("UNSUPPORTED", "EXCLUDED", "SKIPPED") for code in codes)
    failed = len(codes) - passed - skipped
    if run.returncode != 0 and failed == 0:
        print(f"lit ended with code {run.returncode}", file=sys.stderr)
        failed = 1
    return passed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("regex", nargs="?", default="")
    arguments, lit_arguments = parser.parse_known_args()
    build = arguments.build.resolve()
    cache = (build / "CMakeCache.txt").read_text()
    lit = re.search(r"^LLVM_EXTERNAL_LIT:\w+=(.*)$", cache, re.M).group(1)
    if re.search(r"^PYPTO_SANITIZER:\w+=.+$", cache, re.M):
        for name, value in SANITIZER_OPTIONS.items():
            os.environ.setdefault(name, value)
    if re.search(r"^PYPTO_SANITIZER:\w+=thread$", cache, re.M) and not arguments.regex:
        arguments.regex = THREADED
    # Output of this program and of the tests come in order, also into a file.
    sys.stdout.reconfigure(line_buffering=True)
    unit = run_unit_tests(build, re.compile(arguments.regex, re.I))
    suite = run_lit(build, lit, arguments.regex, lit_arguments)
    passed, failed = unit[0] + suite[0], unit[1] + suite[1]
    if passed + failed == 0:
        print("no tests ran", file=sys.stderr)
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
