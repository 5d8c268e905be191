# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""operation_lists.py TBLGEN SOURCE_DIRECTORY: docs/check-bounds.md lists each operation of the dialects once."""
import collections
import json
import pathlib
import re
import subprocess
import sys

DIALECTS = ("PL/IR/PLOps.td", "Tile/IR/TileOps.td", "Orchestration/IR/OrchestrationOps.td")


def operations(tblgen, source, includes):
    """The names of all operations, as TableGen knows them."""
    names = set()
    for path in DIALECTS:
        command = [tblgen, "--dump-json", source / "include/pypto/Dialect" / path, f"-I{source}/include", f"-I{includes}"]
        records = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        for name in records["!instanceof"]["Op"]:
            record = records[name]
            names.add(f"{records[record['opDialect']['def']]['name']}.{record['opName']}")
    return names


def main(tblgen, source, includes):
    source = pathlib.Path(source)
    known = operations(tblgen, source, includes)
    text = (source / "docs/check-bounds.md").read_text(encoding="utf-8").partition("## Every operation\n")[2]
    listed = collections.Counter()
    for line in text.splitlines():
        cells = line.split("|")
        if len(cells) > 2:
            listed.update(re.findall(r"`((?:pl|tile|orchestration)\.[\w.]+)`", cells[1]))
    problems = [f"{name} is missing" for name in sorted(known - set(listed))]
    problems += [f"{name} is no operation" for name in sorted(set(listed) - known)]
    problems += [f"{name} is listed {count} times" for name, count in sorted(listed.items()) if count > 1]
    print("\n".join(problems))
    sys.exit(bool(problems) or not known)


if __name__ == "__main__":
    main(*sys.argv[1:])
