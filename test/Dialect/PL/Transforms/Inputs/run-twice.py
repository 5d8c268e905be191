# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run-twice.py OPT PASS FILE...: fails unless a second run of PASS leaves what the first made.

Splits that PASS refuses are skipped; a file of which nothing is left is an error."""
import glob
import subprocess
import sys

opt, flag, *patterns = sys.argv[1:]
files = sorted(name for pattern in patterns for name in glob.glob(pattern))
if not files:
    sys.exit("no input")


def run(text):
    result = subprocess.run([opt, flag], input=text, capture_output=True, text=True)
    return result.stdout if result.returncode == 0 else None


compared = 0
for name in files:
    with open(name) as file:
        for index, text in enumerate(file.read().split("// -----")):
            once = run(text)
            if once is None:
                if name.endswith("-invalid.mlir"):
                    continue
                sys.exit(f"{name}, split {index}: the first run fails")
            compared += 1
            if run(once) != once:
                sys.exit(f"{name}, split {index}: the second run changes something")
print(f"{compared} inputs")
