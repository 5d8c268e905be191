# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What compiled programs take beside NumPy and beside loops in C++ (those with matrix products beside NumPy alone), one
thread, f32.

Each contender runs in turn, several times; ratios are of the medians. Ours runs in pypto-run, which times the calls of
the machine code; NumPy and the loops run here.
"""
import ctypes
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

# Read when NumPy is loaded: one thread, and the kernels for AVX-512 also where the library does not know the processor.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["OPENBLAS_CORETYPE"] = "SKYLAKEX"

import numpy as np  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent / "Inputs"
N = 4096


def shape_of(name):
    return (N, 1) if name.startswith("row_") else (N, N)


def gelu(x, a, b, y):
    z = a * x + b
    np.divide(z, 1 + np.exp(np.float32(-1.5957691216) * z * (1 + np.float32(0.044715) * z * z)), out=y)


def softmax(x, y):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    np.divide(e, e.sum(axis=1, keepdims=True), out=y)


def layer_norm(x, g, b, y):
    d = x - x.mean(axis=1, keepdims=True)
    scale = 1 / np.sqrt((d * d).mean(axis=1, keepdims=True) + np.float32(1e-5))
    np.add(d * scale * g, b, out=y)


def rms_norm(x, g, y):
    scale = 1 / np.sqrt((x * x).mean(axis=1, keepdims=True) + np.float32(1e-5))
    np.multiply(x * scale, g, out=y)


def row_sum(x, y):
    x.sum(axis=1, keepdims=True, out=y)


def row_max(x, y):
    x.max(axis=1, keepdims=True, out=y)


def transpose_add(x, w, y):
    np.add(x, w.T, out=y)


def recurrence(x, a, y):
    y[0] = x[0]
    for t in range(1, len(x)):
        np.multiply(y[t - 1], a, out=y[t])
        y[t] += x[t]


def silu(t):
    return t / (1 + np.exp(-t))


def fused_linear(x, w, b):
    h = x @ w + b
    return h / (1 + np.exp(np.float32(-1.702) * h))


def ffn_block(x, gate, up, down):
    return x + (silu(x @ gate) * (x @ up)) @ down


def split_k_matmul(x, w):
    return x @ w


def flash_attention(q, k, v):
    s = q @ k.T * np.float32(0.125)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e @ v / e.sum(axis=1, keepdims=True)


# Programs with products of matrices: NumPy, which calls OpenBLAS for them, and the shapes of the operands.
PRODUCTS = {
    "fused_linear": (fused_linear, [(1024, 1024), (1024, 1024), (1, 1024)]),
    "ffn_block": (ffn_block, [(1024, 1024), (1024, 2048), (1024, 2048), (2048, 1024)]),
    "split_k_matmul": (split_k_matmul, [(512, 4096), (4096, 512)]),
    "flash_attention": (flash_attention, [(2048, 64)] * 3),
}
# How fast they have to be beside NumPy.
PRODUCT_SPEED = 0.25

# Name: NumPy, the other operands, and how many times as long as the loops it may take.
PROGRAMS = {
    "gelu": (gelu, lambda rng: [np.float32(1.25), np.float32(-0.5)], 2.5),
    "softmax": (softmax, lambda rng: [], 2.5),
    "layer_norm": (layer_norm, lambda rng: [rng.standard_normal((1, N), dtype="f4") for _ in range(2)], 2.5),
    "rms_norm": (rms_norm, lambda rng: [rng.standard_normal((1, N), dtype="f4")], 2.5),
    "row_sum": (row_sum, lambda rng: [], None),
    "row_max": (row_max, lambda rng: [], None),
    "transpose_add": (transpose_add, lambda rng: [rng.standard_normal((N, N), dtype="f4")], None),
    "recurrence": (recurrence, lambda rng: [np.float32(0.75)], None),
}


def build_loops(directory):
    library = directory / "loops.so"
    subprocess.run(["clang++-22", "-O3", "-march=native", "-fno-math-errno", "-shared", "-fPIC", "-o", library,
                    HERE / "loops.cpp"], check=True)
    return ctypes.CDLL(str(library))


def as_c(value):
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(value.ctypes.data)
    return ctypes.c_float(value)


def sample(call, count=5):
    times = []
    for _ in range(count):
        start = time.perf_counter()
        call()
        times.append(1e3 * (time.perf_counter() - start))
    return times


def run_ours(tool, program, arguments, output, level="default"):
    """Best and median of one process, and what compiling took."""
    command = [tool, program, "--entry=main", f"--opt={level}", "--threads=1", *[f"--arg={a}" for a in arguments],
               f"--out={output}", "--time"]
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"{program}: {result.stderr[-2000:]}")
    best, median = re.search(r"run: min ([\d.]+) ms, median ([\d.]+) ms", result.stdout).groups()
    passes, code = re.search(r"passes ([\d.]+) ms, machine code ([\d.]+) ms", result.stdout).groups()
    return float(best), float(median), float(passes) + float(code)


def save(operands, directory):
    """What pypto-run is given for these operands."""
    flags = []
    for number, value in enumerate(operands):
        if isinstance(value, np.ndarray):
            np.save(directory / f"in{number}.npy", value)
            value = directory / f"in{number}.npy"
        flags.append(value)
    return flags


def error_of(actual, expected):
    return float(np.abs(actual - expected).max()) / max(1.0, float(np.abs(expected).max()))


def measure(name, tool, loops, directory, rounds):
    numpy_version, others, limit = PROGRAMS[name]
    rng = np.random.default_rng(1)
    x = rng.standard_normal((N, N), dtype="f4")
    operands = [x, *others(rng)]
    flags = save(operands, directory)
    expected, plain = np.zeros(shape_of(name), "f4"), np.zeros(shape_of(name), "f4")
    c_arguments = [as_c(value) for value in [*operands, plain]]
    call_loops = lambda: getattr(loops, name)(*c_arguments)
    call_numpy = lambda: numpy_version(*operands, expected)
    call_loops(), call_numpy()
    ours, numpy_times, loop_times, compile_times = [], [], [], []
    for _ in range(rounds):
        best, median, compiling = run_ours(tool, HERE / f"{name}.mlir", flags, directory / "out.npy")
        ours.append((best, median))
        compile_times.append(compiling)
        loop_times += sample(call_loops)
        numpy_times += sample(call_numpy, 2)
    wrong = not error_of(np.load(directory / "out.npy"), expected) < 1e-5 or not error_of(plain, expected) < 1e-5
    return {"best": min(b for b, _ in ours), "median": statistics.median(m for _, m in ours),
            "numpy": (min(numpy_times), statistics.median(numpy_times)),
            "loops": (min(loop_times), statistics.median(loop_times)),
            "compile": min(compile_times), "limit": limit, "wrong": wrong}


def warn_of_slow_numpy():
    """NumPy loads whatever BLAS the system has."""
    if "openblas" not in pathlib.Path("/proc/self/maps").read_text():
        print("NumPy does not use OpenBLAS here (libopenblas0-pthread): its products are slower than they could be")


def measure_product(name, tool, directory, rounds):
    """Prints the row of a program with a product; true if its result is wrong."""
    numpy_version, shapes = PRODUCTS[name]
    rng = np.random.default_rng(1)
    # Weights are so small that what they make of the first operand stays near 1.
    scales = [shape[0] ** -0.5 if shape[0] == shapes[0][1] else 1 for shape in shapes]
    operands = [rng.standard_normal(shape, dtype="f4") * np.float32(scale) for shape, scale in zip(shapes, scales)]
    flags = save(operands, directory)
    expected = numpy_version(*operands)
    ours, numpy_times, compile_times = [], [], []
    for _ in range(rounds):
        best, median, compiling = run_ours(tool, HERE / f"{name}.mlir", flags, directory / "out.npy")
        ours.append((best, median))
        compile_times.append(compiling)
        numpy_times += sample(lambda: numpy_version(*operands), 5)
    wrong = not error_of(np.load(directory / "out.npy"), expected) < 1e-5
    best, median = min(b for b, _ in ours), statistics.median(m for _, m in ours)
    speed = max(min(numpy_times) / best, statistics.median(numpy_times) / median)
    state = "WRONG" if wrong else "MISS" if speed < PRODUCT_SPEED else "ok"
    print(f"{state:5} {name:15} {best:8.2f} {median:8.2f}  {min(numpy_times):8.2f} {statistics.median(numpy_times):8.2f} "
          f"{speed:6.2f}x >= {PRODUCT_SPEED}x {min(compile_times):40.1f}", flush=True)
    return wrong


def report(name, row):
    # Others may disturb a median: a limit is missed if the best runs miss it too.
    to_numpy = min(row["median"] / row["numpy"][1], row["best"] / row["numpy"][0])
    to_loops = row["median"] / row["loops"][1]
    best_to_loops = row["best"] / row["loops"][0]
    is_slow = to_numpy > 1 or (row["limit"] and min(to_loops, best_to_loops) > row["limit"])
    state = "WRONG" if row["wrong"] else "MISS" if is_slow else "ok"
    limit = f"<= {row['limit']}x" if row["limit"] else ""
    print(f"{state:5} {name:15} {row['best']:8.2f} {row['median']:8.2f}  {row['numpy'][0]:8.2f} {row['numpy'][1]:8.2f} "
          f"{to_numpy:6.2f}x <= 1x  {row['loops'][0]:8.2f} {row['loops'][1]:8.2f} {best_to_loops:6.2f}x {to_loops:6.2f}x {limit:8}"
          f" {row['compile']:7.1f}", flush=True)
    return row["wrong"]


def main(build, quick, only):
    tool = build / "bin" / "pypto-run"
    programs = [name for name in PROGRAMS if not only or name in only]
    products = [name for name in PRODUCTS if not only or name in only]
    rounds = 1 if quick else 5
    wrong = False
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        if programs:
            print("                           ours (ms)          NumPy (ms)                        C++ loops (ms)      ratio to the loops   compile\n"
                  "      program             best   median      best   median  ratio  limit      best   median    best  median limit       (ms)")
            loops = build_loops(directory)
        for program in programs:
            wrong |= report(program, measure(program, tool, loops, directory, rounds))
        if products:
            warn_of_slow_numpy()
            print("                           ours (ms)          NumPy (ms)                                               compile\n"
                  "      product             best   median      best   median  speed  limit                                  (ms)")
        for program in products:
            wrong |= measure_product(program, tool, directory, rounds)
    return 1 if wrong else 0
