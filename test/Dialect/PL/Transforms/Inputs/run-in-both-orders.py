# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run-in-both-orders.py OPT FIRST SECOND FILE...: fails unless both orders of the two passes make the same text."""
import glob
import subprocess
import sys

opt, first, second, *patterns = sys.argv[1:]
files = sorted(name for pattern in patterns for name in glob.glob(pattern))
if not files:
    sys.exit("no input")


def run(name, *flags):
    result = subprocess.run([opt, "--inline-functions", *flags, name], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{name}: {flags} fails:\n{result.stderr}")
    return result.stdout


for name in files:
    if run(name, first, second) != run(name, second, first):
        sys.exit(f"{name}: {first} {second} and {second} {first} differ")
