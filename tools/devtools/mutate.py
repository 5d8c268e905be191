#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Breaks the sources on purpose, one place at a time, and counts what the tests notice.

usage: mutate.py BUILD [TABLE...] [--only N,M]

The tables are test/Mutate/*.toml:

    lit = "REGEX"                              # tests of the suite that should notice
    unit = ["PyptoAnalysisTests"]              # GoogleTest programs that should notice
    [[mutant]]
    file = "lib/…/X.cpp"
    find = "text that stands exactly once in the file"
    replace = "what it becomes"
    why = "what this breaks"
    survives = "why no test can notice"        # only on a mutant that changes nothing that can be seen

The tree is not touched: the changed copy of a file is compiled with the command of the build, linked with the
build's other objects into a library of its own, and the tests run with that one. Ends with 1 if a mutant
survives without an explanation, or if one that cannot be noticed is.
"""
import argparse
import json
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEST_SECONDS = 300


class BrokenTable(Exception):
    """A mutant that cannot be made: the table is out of date."""


def run(command, seconds=None, **options):
    """Exit code and output; a command that takes too long is ended, with all its children."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               start_new_session=True, **options)
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, "took too long"


class Mutator:
    def __init__(self, build):
        self.build = build.resolve()
        self.scratch = self.build / "mutate"
        (self.scratch / "lib").mkdir(parents=True, exist_ok=True)
        commands = json.loads((self.build / "compile_commands.json").read_text())
        self.compile_commands = {pathlib.Path(entry["file"]): entry for entry in commands}
        code, output = run(["ninja", "-C", str(self.build), "-t", "commands", "lib/libPypto.so"])
        links = [line for line in output.splitlines() if "-soname,libPypto.so.0 " in line]
        if code != 0 or len(links) != 1:
            raise SystemExit(f"{build} has no command that links libPypto.so")
        self.link_command = shlex.split(links[0].split("&&")[1])

    def make(self, mutant):
        """Builds the library with one mutant."""
        source = ROOT / mutant["file"]
        text = source.read_text()
        if text.count(mutant["find"]) != 1:
            raise BrokenTable(f"its text stands {text.count(mutant['find'])} times in {mutant['file']}, not once")
        changed = self.scratch / source.name
        changed.write_text(text.replace(mutant["find"], mutant["replace"]))
        entry = self.compile_commands.get(source)
        if entry is None:
            raise BrokenTable(f"{mutant['file']} is not a source of the build")
        self.link(entry, self.compile(source, changed, entry))

    def compile(self, source, changed, entry):
        new = self.scratch / "mutant.o"
        command = shlex.split(entry["command"])
        command[command.index("-o") + 1] = str(new)
        if "-MF" in command:
            command[command.index("-MF") + 1] = str(new) + ".d"
        command = [str(changed) if part == str(source) else part for part in command]
        # Headers beside the source; and a condition that is now constant is no reason to stop.
        command += ["-iquote", str(source.parent), "-Wno-error", "-w"]
        code, output = run(command, cwd=entry["directory"])
        if code != 0:
            raise BrokenTable(f"it does not compile:\n{output[-3000:]}")
        return new

    def link(self, entry, new):
        old = shlex.split(entry["command"])
        old = old[old.index("-o") + 1]
        command = [str(new) if part == old else part for part in self.link_command]
        command[command.index("-o") + 1] = str(self.scratch / "lib" / "libPypto.so.0")
        code, output = run(command, cwd=self.build)
        if code != 0:
            raise BrokenTable(f"it does not link:\n{output[-3000:]}")

    def test(self, table, mutated):
        """What the tests say: the first failure, or None if all pass."""
        environment = dict(os.environ)
        if mutated:
            environment["LD_LIBRARY_PATH"] = str(self.scratch / "lib")
        for program in table.get("unit", []):
            code, output = run([str(self.build / "bin" / program), "--gtest_brief=1"], TEST_SECONDS, env=environment)
            if code != 0:
                return f"{program}: " + first_line(output, "[  FAILED  ]", code)
        if "lit" in table:
            lit = [sys.executable, "/usr/lib/llvm-22/bin/lit"] if not os.environ.get("LIT") else [os.environ["LIT"]]
            code, output = run([*lit, "-q", "--max-failures=1", f"--filter={table['lit']}", str(self.build / "test")],
                               TEST_SECONDS, env=environment)
            if code != 0:
                return first_line(output, "FAIL: ", code) or "lit"
        return None


def first_line(output, mark, code):
    for line in output.splitlines():
        if mark in line:
            return line.split(mark)[1].split(" (")[0].strip()
    return output.strip().splitlines()[-1] if output.strip() else f"exit code {code}"


def run_table(mutator, path, only):
    """Numbers of mutants that were noticed, that were made, and that failed to be what the table says."""
    table = tomllib.loads(path.read_text())
    print(f"== {path.stem}", flush=True)
    if failure := mutator.test(table, mutated=False):
        print(f"the tests fail without a mutant: {failure}")
        return 0, 0, 1
    killed = total = wrong = 0
    for number, mutant in enumerate(table["mutant"], 1):
        if only and number not in only:
            continue
        total += 1
        try:
            mutator.make(mutant)
        except BrokenTable as error:
            print(f"{number:3} BROKEN    {mutant['why']}: {error}", flush=True)
            wrong += 1
            continue
        failure = mutator.test(table, mutated=True)
        if failure:
            killed += 1
            print(f"{number:3} killed    {mutant['why']}  [{failure}]", flush=True)
            if "survives" in mutant:
                print(f"    but the table says that it survives: {mutant['survives']}")
                wrong += 1
        elif "survives" in mutant:
            print(f"{number:3} survives  {mutant['why']}: {mutant['survives']}", flush=True)
        else:
            print(f"{number:3} SURVIVES  {mutant['why']} ({mutant['file']}): {mutant['find']!r} -> {mutant['replace']!r}",
                  flush=True)
            wrong += 1
    print(f"{path.stem}: {killed}/{total} killed", flush=True)
    return killed, total, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("tables", nargs="*", help="names of tables, e.g. InlineFunctions (all)")
    parser.add_argument("--only", default="", help="numbers of mutants, e.g. 3,7")
    options = parser.parse_args()
    paths = sorted((ROOT / "test" / "Mutate").glob("*.toml"))
    if options.tables:
        paths = [path for path in paths if path.stem in options.tables]
    if not paths:
        parser.error("no such table")
    only = {int(number) for number in options.only.split(",") if number}
    mutator = Mutator(options.build)
    results = [run_table(mutator, path, only) for path in paths]
    killed, total, wrong = (sum(column) for column in zip(*results))
    print(f"{killed}/{total} mutants killed, {wrong} unexplained")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
