# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""limit_memory.py MEGABYTES COMMAND...: runs a command whose data may not grow beyond a limit."""
import os
import resource
import sys

limit = int(sys.argv[1]) << 20
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
os.execvp(sys.argv[2], sys.argv[2:])
