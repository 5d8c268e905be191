# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""option_combinations.py SCRATCH PYPTO_RUN PROGRAM GRAPH: each way to run with each option.

A combination that works says so by what it prints or writes; one that does not is one line on standard error and
exit code 1, and nothing is written.
"""
import concurrent.futures
import os
import shutil
import subprocess
import sys

# Ways to run: flags, and whether the program is a graph.
WAYS = {
    "compiled": ([], False),
    "--interpret": (["--interpret"], False),
    "--check-each-pass": (["--check-each-pass=default"], False),
    "graph": ([], True),
    "--stop-after": (["--stop-after=split"], True),
}
TILES, GRAPHS = "a program of pl functions", "a graph of tensor ops"
PASSES = "the passes of pypto-cpu-pipeline; give the option"

# Per option: flags, and for each way what shows that it worked, or what the error says: a text behind "!" ("!" alone:
# that it cannot go with the way).
TABLE = {
    "--time": (["--time"], "run: min", "interpreted:", "!", "run: min", "!"),
    "--print-plan": (["--print-plan"], "waits for", "!", "!", "waits for", "!"),
    "--profile": (["--profile=FILE"], "FILE", "!", "!", "FILE", "!"),
    "--dump-llvm": (["--dump-llvm"], "define", "!", "!", "!" + TILES, "!" + TILES),
    "--llvm-level": (["--llvm-level=1"], "result 0", "!", "!", "!" + TILES, "!" + TILES),
    "--opt": (["--opt=none"], "result 0", "!", "no number changed", "result 0", "func.func"),
    "--progress": (["--progress"], *["!--opt=beam=N"] * 5),
    "--pipeline": (["--pipeline=PASSES"], "result 0", "result 0", "no number changed", "result 0", "!"),
    "--opt with --pipeline": (["--opt=none", "--pipeline=PASSES"], "!" + PASSES, "!--interpret", "!" + PASSES, "result 0", "!"),
    "--check-bounds": (["--check-bounds"], "result 0", "result 0", "no number changed", "!" + TILES, "!" + TILES),
    "--check-bounds with --pipeline":
        (["--check-bounds", "--pipeline=PASSES"], "!" + PASSES, "result 0", "!" + PASSES, "!" + TILES, "!" + TILES),
    "--check-orders": (["--check-orders"], "result 0", "!", "!", "!" + TILES, "!" + TILES),
    "--order=adversarial": (["--order=adversarial"], "result 0", "!", "no number changed", "result 0", "!"),
    "--order=sequential": (["--order=sequential"], "result 0", "result 0", "no number changed", "result 0", "func.func"),
    "--order=groups": (["--order=groups"], *["!" + GRAPHS] * 3, "result 0", "!"),
    "--threads": (["--threads=2"], "result 0", "result 0", "no number changed", "result 0", "func.func"),
    "--check": (["--check"], *["!" + GRAPHS] * 3, "plain loops", "!"),
    "--renderer": (["--renderer=mlir"], *["!" + GRAPHS] * 3, "result 0", "func.func"),
    "--keep-ir": (["--keep-ir=DIR"], "!--check-each-pass", "!--check-each-pass", "no number changed", "!" + TILES, "!" + TILES),
    "--out": (["--out=FILE"], "FILE", "FILE", "!", "FILE", "!"),
    "--expect": (["--expect=SAME"], "equal within", "equal within", "!", "equal within", "!"),
    "--interpret too": (["--interpret"], "result 0", "result 0", "!", "!" + TILES, "!" + TILES),
    "--check-each-pass too":
        (["--check-each-pass=cse"], "no number changed", "!--check-each-pass", "no number changed", "!" + TILES, "!" + TILES),
    "--stop-after too": (["--stop-after=graph"], *["!" + GRAPHS] * 3, "func.func", "func.func"),
    # Named passes take no options of the default ones.
    "--pipeline with passes": (["--check-each-pass=cse", "--pipeline=PASSES"], "!--check-each-pass=default", "!--check-each-pass",
                               "!--check-each-pass=default", "!" + TILES, "!" + TILES),
    "--opt with passes": (["--check-each-pass=cse", "--opt=none"], "!--check-each-pass=default", "!--check-each-pass",
                          "!--check-each-pass=default", "!" + TILES, "!" + TILES),
}


def run(job):
    number, (option, way), (tool, program, graph, directory) = job
    flags, is_graph = WAYS[way]
    mine = TABLE[option][0]
    expected = TABLE[option][1 + list(WAYS).index(way)]
    # A flag that stands twice is an error of the command line: the option's own stands.
    flags = [flag for flag in flags if flag.split("=")[0] not in [other.split("=")[0] for other in mine]]
    file = os.path.join(directory, f"{number}.out")
    passes = "pypto-graph-pipeline" if is_graph else "cse" if way == "--interpret" else "pypto-cpu-front-pipeline,pypto-cpu-back-pipeline"
    values = {"FILE": file, "DIR": file, "PASSES": passes, "SAME": os.path.join(directory, f"same{int(is_graph)}.npy")}
    mine = [flag.split("=")[0] + "=" + values.get(flag.split("=", 1)[1], flag.split("=", 1)[1]) if "=" in flag else flag
            for flag in mine]
    command = [tool, graph if is_graph else program, "--random=1", *flags, *mine]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    errors = process.stderr.splitlines()
    if expected.startswith("!"):
        text = expected[1:] or f"cannot go with {way}"
        good = (process.returncode == 1 and len(errors) == 1 and errors[0].startswith("error: --") and
                errors[0].endswith(text) or text == PASSES and text in process.stderr and len(errors) == 1) and not os.path.exists(file)
    else:
        printed = process.stdout + (process.stderr if option == "--dump-llvm" else "")
        good = process.returncode == 0 and (os.path.exists(file) if expected == "FILE" else expected in printed)
        good = good and (not errors or option == "--dump-llvm")
    if good:
        return None
    return f"{way} with {option}: expected {expected!r}, got {process.returncode}\n  {process.stdout}  {process.stderr}"


def main(directory, tool, program, graph):
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    for number, path in enumerate((program, graph)):
        subprocess.run([tool, path, "--random=1", f"--out={directory}/same{number}.npy"], check=True)
    jobs = [(option, way) for option in TABLE for way in WAYS]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        context = tool, program, graph, directory
        wrong = [text for text in pool.map(run, [(n, job, context) for n, job in enumerate(jobs)]) if text]
    print(*wrong, f"{len(jobs)} combinations, {len(wrong)} wrong", sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
