# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the ```mlir blocks of Markdown files through pypto-opt.

A block is parsed and verified. A comment on the line before it says more:

  <!-- doctest: --canonicalize -->  runs these passes too
  <!-- doctest: fails: TEXT -->     expects an error that contains TEXT
  <!-- doctest: output -->          is not run: it is what the block before printed

usage: doctest.py PYPTO_OPT FILE...
"""
import re
import shlex
import subprocess
import sys
import textwrap

BLOCK = re.compile(r"(?:<!-- doctest: (?P<marker>.*?) -->\n)?(?P<indent> *)```mlir\n(?P<text>.*?)\n *```", re.S)


def plain(text):
    """The text without the module that pypto-opt puts around a program, and without indentation."""
    text = textwrap.dedent(text).strip()
    if match := re.fullmatch(r"module \{\n(.*)\n\}", text, re.S):
        text = textwrap.dedent(match.group(1)).strip()
    return "\n".join(line.rstrip() for line in text.splitlines())


def check(pypto_opt, marker, text, last_output):
    """What is wrong with a block, or None; and what pypto-opt printed for it."""
    if marker == "output":
        if last_output is None:
            return "expects a block before it that was run", None
        if plain(text) != plain(last_output):
            return f"expects the output\n{plain(last_output)}", None
        return None, None
    expected = marker.partition("fails: ")[2] if marker.startswith("fails: ") else None
    flags = [] if expected else shlex.split(marker)
    run = subprocess.run([pypto_opt, *flags], input=text, capture_output=True, text=True)
    if expected is None:
        return (run.stderr if run.returncode else None), run.stdout
    if run.returncode == 0 or expected not in run.stderr:
        return f"expects an error with '{expected}', but got\n{run.stderr or run.stdout}", None
    return None, run.stdout


def main():
    pypto_opt, files = sys.argv[1], sys.argv[2:]
    blocks = failures = 0
    for name in files:
        with open(name) as file:
            content = file.read()
        output = None
        for match in BLOCK.finditer(content):
            blocks += 1
            line = content.count("\n", 0, match.start("text")) + 1
            problem, output = check(pypto_opt, match["marker"] or "", match["text"], output)
            if problem:
                failures += 1
                print(f"{name}:{line}: {problem}")
    print(f"{blocks} blocks, {failures} failures")
    return 1 if failures or not blocks else 0


if __name__ == "__main__":
    sys.exit(main())
