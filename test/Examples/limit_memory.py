# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""limit_memory.py [--sanitizer] MEGABYTES COMMAND...: runs a command whose data may not grow beyond a limit.

AddressSanitizer reserves terabytes of addresses for itself, so with --sanitizer the limit is on resident memory: its run
time ends the program that goes beyond it.
"""
import os
import resource
import sys

arguments = sys.argv[1:]
is_sanitized = arguments[0] == "--sanitizer"
megabytes, *command = arguments[is_sanitized:]
if is_sanitized:
    options = os.environ.get("ASAN_OPTIONS", "")
    os.environ["ASAN_OPTIONS"] = f"{options}:hard_rss_limit_mb={megabytes}"
else:
    limit = int(megabytes) << 20
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
os.execvp(command[0], command)
