#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks formatting, naming, the project's own rules, and that each operation and pass has a test.

Without --all, clang-tidy sees only the files that differ from the branch main and from the last commit.
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CPP = (".cpp", ".h", ".c")
SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
MAX_LINES = 800
# The rules, and the test that breaks each of them.
RULES_THEMSELVES = ("tools/devtools/lint.py", "test/Tools/lint.test", "test/Tools/Inputs/lint/Bad.cpp.txt")

# (pattern, prefixes of the files that it is looked for in, what is wrong with it)
BANS = [
    (r"\blet statistics\b|Pass::Statistic\b", ("include/", "lib/"),
     "pass statistics have another layout in libMLIR, which is built without assertions"),
    (r"\bcl::(opt|list|bits|alias)\b", ("include/", "lib/"),
     "options of the command line belong to tools, not to the library"),
    (r"^\s*static\s+(::)?(mlir::)?Pass(Pipeline)?Registration\b", ("include/", "lib/", "tools/"),
     "nothing is registered in static constructors"),
    (r"\(void\)\s*(mlir::)?(apply\w*(Patterns|Conversion)\w*|runPipeline)\b", ("lib/", "tools/"),
     "the result of a driver is checked"),
    (r"\bTODO\b(?!\(#\d+\))", ("include/", "lib/", "tools/dev", "test/", "cmake/"),
     "a TODO names an issue, as TODO(#12), or does not exist"),
]


def git(*arguments):
    run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return run.stdout.splitlines() if run.returncode == 0 else []


def tracked_files():
    files = git("ls-files", "--cached", "--others", "--exclude-standard")
    return [name for name in files if (ROOT / name).is_file()]


def changed_files():
    base = git("merge-base", "HEAD", "main") or git("merge-base", "HEAD", "origin/main")
    names = git("diff", "--name-only", *(base or ["HEAD"])) + git("diff", "--name-only", "HEAD~1")
    return set(names) | set(git("ls-files", "--others", "--exclude-standard"))


def check_format(files):
    sources = [name for name in files if name.endswith(CPP)]
    run = subprocess.run(["clang-format-22", "--dry-run", "-Werror", *sources], cwd=ROOT,
                         capture_output=True, text=True)
    return [line for line in run.stderr.splitlines() if "error:" in line]


def check_tidy(build, files):
    """clang-tidy on the C++ sources that the build knows."""
    known = (build / "compile_commands.json").read_text()
    sources = [name for name in files if name.endswith((".cpp", ".c")) and f"/{name}\"" in known]
    if not sources:
        return []
    print(f"clang-tidy: {len(sources)} files", flush=True)
    run = subprocess.run(["run-clang-tidy-22", "-quiet", "-p", build, "-clang-tidy-binary", "clang-tidy-22",
                          *[f"/{re.escape(name)}$" for name in sources]],
                         cwd=ROOT, capture_output=True, text=True)
    findings = sorted({line for line in run.stdout.splitlines() if re.search(r": (error|warning): ", line)})
    return findings or ([run.stderr] if run.returncode else [])


def needs_licence(name):
    return (name.endswith(CPP + (".td", ".py", ".sh", ".cmake", ".cmake.in"))
            or name.endswith("CMakeLists.txt") or name in ("tools/dev", ".ci/run"))


def check_rules(files):
    findings = []
    for name in files:
        try:
            lines = (ROOT / name).read_text().splitlines()
        except UnicodeDecodeError:
            continue
        if needs_licence(name) and not any(SPDX in line for line in lines[:3]):
            findings.append(f"{name}:1: expects the line '{SPDX}' at the top")
        if name.endswith((".cpp", ".h", ".td")) and len(lines) > MAX_LINES:
            findings.append(f"{name}:{len(lines)}: expects at most {MAX_LINES} lines")
        for pattern, prefixes, reason in BANS:
            if name in RULES_THEMSELVES or not name.startswith(prefixes):
                continue
            findings += [f"{name}:{number}: {reason}"
                         for number, line in enumerate(lines, 1) if re.search(pattern, line)]
    return findings


def generated_names(build, method, pattern):
    """The names that `method` returns in the generated headers whose path matches the pattern."""
    text = "".join(path.read_text() for path in sorted((build / "include").glob(pattern)))
    return sorted(set(re.findall(method + r'\(\) (?:const )?(?:override )?{\s*return ::llvm::StringLiteral\("([^"]+)"\)', text)))


def check_tests(build, files):
    """Each operation and each pass stands in a test."""
    tests = "\n".join((ROOT / name).read_text() for name in files
                      if name.startswith("test/") and name.endswith((".mlir", ".test", ".py", ".c", ".cpp")))
    operations = generated_names(build, "getOperationName", "pypto/**/*Ops.h.inc")
    passes = generated_names(build, "getArgumentName", "pypto/**/Passes.h.inc")
    if not operations or not passes:
        return [f"{build}: expects generated headers with operations and passes"]
    words = set(re.findall(r"[\w.-]+", tests))
    words |= {word.strip("-.") for word in words}
    return ([f"operation {name} has no test" for name in operations if name not in words]
            + [f"pass --{name} has no test" for name in passes if name not in words])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--all", action="store_true", help="clang-tidy on all files")
    parser.add_argument("--no-tidy", action="store_true", help="everything but clang-tidy, in a second")
    options = parser.parse_args()
    build = options.build.resolve()
    files = tracked_files()
    findings = check_format(files) + check_rules(files) + check_tests(build, files)
    if not options.no_tidy:
        changed = set(files) if options.all else changed_files()
        findings += check_tidy(build, [name for name in files if name in changed])
    for finding in findings:
        print(finding)
    print(f"lint: {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
