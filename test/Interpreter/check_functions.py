# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every function of the inputs of another test before and after each of some passes.

check_functions.py PYPTO_RUN SCRATCH_DIRECTORY PASSES LEAST FILE...

Functions that cannot be called from outside, call declarations or do not end on random arguments are passed over; at
least LEAST functions have to run. Parts of a file between lines of `// -----` are programs of their own.
"""
import os
import re
import subprocess
import sys

FUNCTION = re.compile(r"^pl\.func (?!private|inline)(?:\w+ )?@(\w+)\(", re.M)
SECONDS = 10


def check(tool, path, name, passes):
    """True if the function was run, and what is wrong with it."""
    command = [tool, path, f"--entry={name}", "--random=3", f"--check-each-pass={passes}"]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return False, None
    if run.returncode < 0 or "DIFFERENT" in run.stdout or "cannot be run" in run.stdout:
        return True, f"{' '.join(command)}\n{run.stdout}{run.stderr}"
    return run.returncode == 0, None


def main(tool, directory, passes, least, *files):
    os.makedirs(directory, exist_ok=True)
    count, problems = 0, []
    for file in files:
        with open(file, encoding="utf-8") as content:
            parts = re.split(r"^// -----.*$", content.read(), flags=re.M)
        for number, part in enumerate(parts):
            path = os.path.join(directory, f"{os.path.basename(file)}.{number}.mlir")
            with open(path, "w", encoding="utf-8") as program:
                program.write(part)
            for name in FUNCTION.findall(part):
                was_run, problem = check(tool, path, name, passes)
                count += was_run
                problems += [problem] if problem else []
    print("\n".join(problems))
    print(f"{count} functions, {len(problems)} with different numbers")
    sys.exit(bool(problems) or count < int(least))


if __name__ == "__main__":
    main(*sys.argv[1:])
