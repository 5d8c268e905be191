# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""late_directory.py SCRATCH COMMAND...: runs a command of three outputs, the name of whose last one is taken meanwhile.

The second output is a pipe: the command waits in it, its files being complete, until a directory has the name of the
last file. Then no file may have changed, whether the first one was there before or not.
"""
import os
import shutil
import subprocess
import sys
import time

directory, *command = sys.argv[1:]
for before in (b"old", None):
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    first, pipe, last = (os.path.join(directory, name) for name in ("first.npy", "pipe", "last.npy"))
    if before:
        with open(first, "wb") as file:
            file.write(before)
    os.mkfifo(pipe)
    process = subprocess.Popen([*command, f"--out={first}", f"--out={pipe}", f"--out={last}"], stderr=subprocess.PIPE, text=True)
    # The last file is complete, and the command waits for a reader of the pipe.
    while process.poll() is None and not any(name.startswith("last.npy.") for name in os.listdir(directory)):
        time.sleep(0.01)
    os.makedirs(os.path.join(last, "inside"))
    with open(pipe, "rb") as reader:
        assert reader.read().startswith(b"\x93NUMPY")
    _, errors = process.communicate()
    assert process.returncode == 1, process.returncode
    assert errors == f"error: cannot write '{last}': Is a directory\n", errors
    assert sorted(os.listdir(directory)) == (["first.npy"] if before else []) + ["last.npy", "pipe"], os.listdir(directory)
    if before:
        with open(first, "rb") as file:
            assert file.read() == before
