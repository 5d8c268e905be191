# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_bounds_examples.py PYPTO_RUN EXAMPLES SCRATCH_DIRECTORY: runs each example with --check-bounds."""
import concurrent.futures
import os
import subprocess
import sys


def run(tool, examples, directory, name):
    command = [sys.executable, os.path.join(examples, "run_example.py"), tool, os.path.join(examples, name),
               os.path.join(directory, name), "--check-bounds"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def main(tool, examples, directory):
    os.makedirs(directory, exist_ok=True)
    names = []
    for name in sorted(os.listdir(examples)):
        if name.endswith(".mlir"):
            with open(os.path.join(examples, name), encoding="utf-8") as file:
                if "run_example.py" in file.read():
                    names.append(name)
    assert len(names) > 40, f"{examples}: {len(names)} examples"
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, result in zip(names, pool.map(lambda name: run(tool, examples, directory, name), names)):
            if result.returncode != 0:
                wrong += 1
                print(f"{name}: {result.stdout}{result.stderr}")
    print(f"{len(names)} examples, {wrong} wrong")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
