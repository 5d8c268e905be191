# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tensor_operations.py SOURCE_DIRECTORY: docs/lazy-tensors.md lists each operation of lazy tensors once."""
import collections
import pathlib
import re
import sys


def declared(source):
    """The names of all operations, from what declares their two forms."""
    headers = source / "include/pypto/Tensor"
    texts = {name: (headers / name).read_text(encoding="utf-8") for name in ("OpLists.h", "Tensor.h", "NN.h")}
    names = set(re.findall(r"^  X\((\w+),", texts["OpLists.h"], re.M))
    names |= set(re.findall(r"PYPTO_LAZY_(?:FORMS|STATIC|SEVERAL)\(\s*(\w+),\s*try\w", texts["Tensor.h"]))
    names |= {"nn::" + name for name in re.findall(r"PYPTO_LAZY_FUNCTION\(\s*(\w+),\s*try\w", texts["NN.h"])}
    return names | {"fromSlice"}


def listed(page):
    """How often the tables of the page have each name, in the column of operations."""
    counts = collections.Counter()
    for line in page.partition("## Operations\n")[2].splitlines():
        cells = line.split("|")
        if len(cells) > 3:
            counts.update(re.findall(r"`((?:nn::)?\w+)`", cells[2]))
    return counts


def main(source):
    source = pathlib.Path(source)
    page = (source / "docs/lazy-tensors.md").read_text(encoding="utf-8")
    known, counts = declared(source), listed(page)
    problems = [f"{name} is missing" for name in sorted(known - set(counts) - {"NAME"})]
    problems += [f"{name} is no operation" for name in sorted(set(counts) - known)]
    problems += [f"{name} is listed {count} times" for name, count in sorted(counts.items()) if count > 1]
    print("\n".join(problems))
    sys.exit(bool(problems) or len(known) < 100)


if __name__ == "__main__":
    main(sys.argv[1])
