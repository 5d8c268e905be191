# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the ```mlir blocks of Markdown files through pypto-opt, and other blocks as the line before them says.

An mlir block is parsed and verified. A comment on the line before a block says more:

  <!-- doctest: --canonicalize -->  runs these passes too
  <!-- doctest: fails: TEXT -->     expects an error that contains TEXT
  <!-- doctest: output -->          is not run: it is what the block before printed

and, for a block of any language:

  <!-- doctest: from PATH -->       is not run: it is a part of that file, from the page's folder on
  <!-- doctest: run -->             are commands for the shell, run in the folder of the sources, that succeed
  <!-- doctest: shows -->           is a part of what the commands before it printed

A line `...` in a part stands for any number of lines, and … in a line for any text.

usage: doctest.py PYPTO_OPT FILE...
"""
import os
import re
import shlex
import subprocess
import sys
import textwrap

BLOCK = re.compile(r"(?:<!-- doctest: (?P<marker>.*?) -->\n)?(?P<indent> *)```(?P<language>\w+)\n(?P<text>.*?)\n *```", re.S)
SOURCES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def plain(text):
    """The text without the module that pypto-opt puts around a program, and without indentation."""
    text = textwrap.dedent(text).strip()
    if match := re.fullmatch(r"module \{\n(.*)\n\}", text, re.S):
        text = textwrap.dedent(match.group(1)).strip()
    return "\n".join(line.rstrip() for line in text.splitlines())


def is_line(pattern, line):
    """Whether the line is the pattern, in which … stands for any text."""
    return pattern == line or "…" in pattern and \
        re.fullmatch(".*".join(re.escape(part) for part in pattern.split("…")), line) is not None


def is_part(text, whole):
    """Whether the pieces of the text between `...` stand in the whole in this order, at whatever depth."""
    lines = [line.strip() for line in whole.splitlines()]
    pieces, start = [[]], 0
    for line in text.splitlines():
        if line.strip() == "...":
            pieces.append([])
        else:
            pieces[-1].append(line.strip())
    for piece in filter(None, pieces):
        places = range(start, len(lines) - len(piece) + 1)
        place = next((i for i in places if all(map(is_line, piece, lines[i:]))), None)
        if place is None:
            return False
        start = place + len(piece)
    return True


class Page:
    """Checks the blocks of one page in order; a block may speak of what the one before it printed."""

    def __init__(self, pypto_opt, name):
        self.pypto_opt, self.name, self.output = pypto_opt, name, None

    def check(self, marker, language, text):
        """What is wrong with a block, or None."""
        if marker == "output" or marker == "shows":
            return self.check_output(marker, text)
        if marker.startswith("from "):
            path = os.path.join(os.path.dirname(self.name), marker[len("from "):])
            if not os.path.exists(path):
                return f"expects a file {path}"
            with open(path, encoding="utf-8") as file:
                return None if is_part(text, file.read()) else f"expects a part of {path}"
        if marker == "run":
            return self.check_commands(text)
        return self.check_program(marker, text) if language == "mlir" else None

    def check_output(self, marker, text):
        if self.output is None:
            return "expects a block before it that was run"
        if marker == "output" and plain(text) != plain(self.output):
            return f"expects the output\n{plain(self.output)}"
        if marker == "shows" and not is_part(text, self.output):
            return f"expects a part of the output\n{self.output}"
        return None

    def check_commands(self, text):
        # The tools of this build, and the Python that has NumPy.
        text = text.replace("build/bin/", os.path.dirname(os.path.abspath(self.pypto_opt)) + "/")
        text = re.sub(r"\bpython3\b", sys.executable, text)
        run = subprocess.run(["bash", "-eo", "pipefail", "-c", text], cwd=SOURCES, capture_output=True, text=True)
        self.output = run.stdout
        return f"expects commands that succeed, but got\n{run.stderr}" if run.returncode else None

    def check_program(self, marker, text):
        expected = marker.partition("fails: ")[2] if marker.startswith("fails: ") else None
        flags = [] if expected else shlex.split(marker)
        run = subprocess.run([self.pypto_opt, *flags], input=text, capture_output=True, text=True)
        self.output = run.stdout
        if expected is None:
            return run.stderr if run.returncode else None
        if run.returncode == 0 or expected not in run.stderr:
            return f"expects an error with '{expected}', but got\n{run.stderr or run.stdout}"
        return None


def main():
    pypto_opt, files = sys.argv[1], sys.argv[2:]
    blocks = failures = 0
    for name in files:
        with open(name, encoding="utf-8") as file:
            content = file.read()
        page = Page(pypto_opt, name)
        for match in BLOCK.finditer(content):
            if match["language"] != "mlir" and not match["marker"]:
                continue
            blocks += 1
            line = content.count("\n", 0, match.start("text")) + 1
            problem = page.check(match["marker"] or "", match["language"], match["text"])
            if problem:
                failures += 1
                print(f"{name}:{line}: {problem}")
    print(f"{blocks} blocks, {failures} failures")
    return 1 if failures or not blocks else 0


if __name__ == "__main__":
    sys.exit(main())
