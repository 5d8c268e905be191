# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""limits.py SCRATCH_DIRECTORY COMMAND...: runs a command, to which `--out=FILE` is added, with less and less memory.

Each run has all of its output, or ends with one error and without it.
"""
import os
import resource
import subprocess
import sys

directory, *command = sys.argv[1:]
os.makedirs(directory, exist_ok=True)
path = os.path.join(directory, "out.npy")
codes = []
for megabytes in range(450, 210, -30):
    if os.path.exists(path):
        os.remove(path)
    limit = megabytes << 20
    run = subprocess.run([*command, f"--out={path}"], capture_output=True, text=True, check=False,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)))
    errors = run.stderr.splitlines()
    assert run.returncode in (0, 1), f"{megabytes} MB: ended with {run.returncode}: {run.stderr}"
    assert len(errors) == run.returncode, f"{megabytes} MB: {run.stderr}"
    assert os.listdir(directory) == ([] if run.returncode else ["out.npy"]), f"{megabytes} MB: {os.listdir(directory)}"
    codes.append(run.returncode)
print("ends:", *sorted(set(codes)))
