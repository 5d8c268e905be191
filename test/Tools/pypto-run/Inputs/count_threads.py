# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command and prints how many threads it had at most."""
import pathlib
import subprocess
import sys
import time


def count_threads(pid):
    """1 if the process is gone or going."""
    try:
        return len(list(pathlib.Path(f"/proc/{pid}/task").iterdir()))
    except OSError:
        return 1


def main(command):
    most = 1
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            most = max(most, count_threads(process.pid))
            time.sleep(0.002)
    print("threads:", most)
    return process.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
