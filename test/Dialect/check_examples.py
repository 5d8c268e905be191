# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that each operation of a dialect has an example in its description, and that it parses.

Reads TableGen's records. Examples stand behind `Example:` in backquotes, or in a ```mlir block. Names that an example
uses without a definition get one of the type that the parser asks for.
"""

import argparse
import bisect
import json
import os
import re
import shutil
import subprocess
import sys

# What examples call. An example that is a function stands beside these.
CALLEES = """
  pl.func private @consumer()
  pl.func private incore @kernel(!pl.tensor<[16], f32>, out !pl.tensor<[16], f32>) -> !pl.tensor<[16], f32>
"""
USED = re.compile(r"%[A-Za-z_]\w*")
ASKED_TYPE = re.compile(r"previously used here with type '(.*?)'\n")


def records(tblgen, source, includes):
    command = [tblgen, "--dump-json", source] + [f"-I{path}" for path in includes]
    data = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    for name in data["!instanceof"]["Op"]:
        record = data[name]
        yield record["opDialect"]["def"], record["opName"], record["description"]


def examples(description):
    found = []
    for match in re.finditer(r"Example:\s*```mlir\n(.*?)```", description, re.S):
        found.append(match.group(1))
    for match in re.finditer(r"Example:((?:\s*(?:,|or|,\s*or)?\s*`[^`]+`)+)", description):
        found.extend(re.findall(r"`([^`]+)`", match.group(1)))
    return found


def wrap(body, definitions):
    if body.lstrip().startswith(("pl.func", "func.func")):
        return body
    lines = [f'{name} = "test.value"() : () -> ({kind})' for name, kind in definitions.items()]
    return "\n".join([CALLEES, "pl.func inline @example() {"] + lines + [body, "pl.return", "}"])


def parse(opt, chunks):
    """Parses each chunk by itself, in one process; returns what is said about each."""
    texts = [chunk.rstrip("\n") + "\n" for chunk in chunks]
    starts = [1]
    for text in texts:
        starts.append(starts[-1] + text.count("\n") + 1)
    command = [opt, "--allow-unregistered-dialect", "--split-input-file", "-"]
    result = subprocess.run(command, input="// -----\n".join(texts), capture_output=True, text=True)
    said = [""] * len(chunks)
    index = 0
    for line in result.stderr.splitlines():
        match = re.match(r"(?:within split at )?<stdin>:(\d+)", line)
        index = bisect.bisect_right(starts, int(match.group(1))) - 1 if match else index
        said[index] += line + "\n"
    if result.returncode and not any(said):
        sys.exit(f"{opt} ended with {result.returncode} and said nothing")
    return said


def bound_names(body):
    """Names of results and of region arguments."""
    names = set(re.findall(r"(?:spmd|split_aiv \w+) \((%\w+)\)", body))
    for line in body.splitlines():
        match = re.match(r"\s*((?:%\w+(?::\d+)?\s*,?\s*)+)=", line)
        if match:
            names.update(USED.findall(match.group(1)))
    return names


def check(opt, bodies):
    """Returns the complaint about each example."""
    known = [{} for _ in bodies]
    while True:
        open_names = [[name for name in dict.fromkeys(USED.findall(body))
                       if name not in known[i] and name not in bound_names(body)]
                      for i, body in enumerate(bodies)]
        if not any(open_names):
            return parse(opt, [wrap(body, known[i]) for i, body in enumerate(bodies)])
        # A definition of a wrong type makes the parser name the right one.
        probes = [wrap(body + "".join(f'\n{name} = "test.value"() : () -> tuple<>'
                                      for name in open_names[i][:1]), known[i])
                  for i, body in enumerate(bodies)]
        for i, said in enumerate(parse(opt, probes)):
            for name in open_names[i][:1]:
                match = ASKED_TYPE.search(said)
                known[i][name] = match.group(1) if match else "index"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--opt", required=True)
    parser.add_argument("--tblgen", default="llvm-tblgen")
    parser.add_argument("-I", dest="includes", action="append", default=[])
    parser.add_argument("sources", nargs="+")
    arguments = parser.parse_args()
    installed = os.path.dirname(os.path.realpath(shutil.which(arguments.tblgen)))
    arguments.includes.append(os.path.join(installed, "..", "include"))
    operations = [record for source in arguments.sources
                  for record in records(arguments.tblgen, source, arguments.includes)]
    found = [(dialect, name, body) for dialect, name, description in operations
             for body in examples(description)]
    bad = [f"{dialect} {name}: has no example" for dialect, name, description in operations
           if not examples(description)]
    complaints = check(arguments.opt, [body for _, _, body in found])
    bad += [f"{dialect} {name}: {complaint}in: {body}"
            for (dialect, name, body), complaint in zip(found, complaints) if complaint]
    print("\n".join(bad))
    print(f"{len(operations)} operations, {len(found)} examples, {len(bad)} wrong")
    return 1 if bad or not operations else 0


if __name__ == "__main__":
    sys.exit(main())
