# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads modules separated by `// -----` and fails unless each odd one equals the next after names of copies
(`_inline3`) are removed."""
import re
import sys

modules = [re.sub(r"_inline\d+", "", text).strip() for text in sys.stdin.read().split("// -----")]
if len(modules) < 2 or len(modules) % 2:
    sys.exit(f"expects pairs of modules, but got {len(modules)}")
for index, (inlined, by_hand) in enumerate(zip(modules[::2], modules[1::2])):
    if inlined != by_hand:
        sys.exit(f"pair {index} differs:\n{inlined}\n--- by hand:\n{by_hand}")
print(f"{len(modules) // 2} pairs are equal")
