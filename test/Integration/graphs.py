# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random graphs of tensor ops: optimised, naive and NumPy have to agree.

graphs.py PYPTO_RUN SCRATCH_DIRECTORY FIRST_SEED COUNT

A graph has up to 14 ops over float32 tensors of odd, unit and zero extents: elementwise, movement, reductions, products.
A graph that differs is made smaller, op by op from the end, and printed.
"""
import os
import random
import subprocess
import sys

import numpy as np


class Graph:
    """The ops as text, and the values that they have to have."""

    def __init__(self, seed, max_ops):
        self.random = random.Random(seed)
        self.lines, self.values, self.arguments = [], [], []
        for _ in range(self.random.randint(1, 3)):
            shape = [self.random.choice((1, 2, 3, 4, 5, 7, 8)) for _ in range(self.random.randint(1, 3))]
            if self.random.random() < 0.05:
                shape[-1] = 0
            data = np.round(np.random.default_rng(seed * 7 + len(self.arguments)).uniform(-2, 2, shape), 2)
            self.arguments.append(data.astype(np.float32))
            self.values.append((f"%a{len(self.arguments) - 1}", self.arguments[-1]))
        for _ in range(self.random.randint(1, max_ops)):
            self.add_op()

    def type(self, shape):
        return "tensor<" + "".join(f"{n}x" for n in shape) + "f32>"

    def name(self):
        return f"%v{len(self.lines)}"

    def emit(self, text, value):
        """`text` has {r} for the result."""
        name = self.name()
        self.lines.append(text.replace("{r}", name))
        self.values.append((name, np.asarray(value, np.float32)))

    def empty(self, shape):
        name = self.name()
        self.lines.append(f"{name} = tensor.empty() : {self.type(shape)}")
        return name

    def filled(self, shape, value):
        name, empty = self.name() + "c", self.empty(shape)
        self.lines.append(f"{name} = arith.constant {value} : f32")
        result = self.name()
        self.lines.append(f"{result} = linalg.fill ins({name} : f32) outs({empty} : {self.type(shape)}) -> {self.type(shape)}")
        return result

    def add_op(self):
        r = self.random
        name, x = r.choice(self.values[-4:])
        ops = [self.unary, self.binary, self.reshape, self.transpose, self.broadcast, self.pad, self.slice, self.flip,
               self.reduce, self.matmul, self.concat]
        if x.size > 4000 or x.ndim == 0 or x.ndim > 4:
            ops = [self.unary, self.reduce] if x.ndim else [self.unary, self.broadcast]
        with np.errstate(all="ignore"):
            r.choice(ops)(name, x)

    def unary(self, name, x):
        text, function = self.random.choice([
            ("math.absf", np.abs), ("arith.negf", np.negative), ("math.tanh", np.tanh), ("math.floor", np.floor),
            ("math.exp", lambda v: np.exp(np.minimum(v, 20)))])
        if text == "math.exp":
            limit = self.filled(x.shape, "20.0")
            clamped = self.name()
            self.lines.append(f"{clamped} = arith.minimumf {name}, {limit} : {self.type(x.shape)}")
            name = clamped
        self.emit(f"{{r}} = {text} {name} : {self.type(x.shape)}", function(x))

    def binary(self, name, x):
        same = [(n, v) for n, v in self.values if v.shape == x.shape]
        other, y = self.random.choice(same)
        text, function = self.random.choice([("addf", np.add), ("subf", np.subtract), ("mulf", np.multiply),
                                             ("maximumf", np.maximum), ("minimumf", np.minimum)])
        self.emit(f"{{r}} = arith.{text} {name}, {other} : {self.type(x.shape)}", function(x, y))

    def reshape(self, name, x):
        r = self.random
        axis = r.randrange(x.ndim)
        if axis + 1 < x.ndim and r.random() < 0.6:
            shape = list(x.shape)
            shape[axis:axis + 2] = [shape[axis] * shape[axis + 1]]
            groups = [[i] if i < axis else [i + 1] for i in range(len(shape))]
            groups[axis] = [axis, axis + 1]
            op, suffix = "collapse_shape", ""
        else:
            factor = r.choice([f for f in (1, 2, 3, 4) if x.shape[axis] % f == 0])
            shape = list(x.shape)
            shape[axis:axis + 1] = [factor, x.shape[axis] // factor]
            groups = [[i] if i < axis else [i + 1] for i in range(x.ndim)]
            groups[axis] = [axis, axis + 1]
            op, suffix = "expand_shape", f" output_shape {shape}"
        self.emit(f"{{r}} = tensor.{op} {name} {groups}{suffix} : {self.type(x.shape)} into {self.type(shape)}", x.reshape(shape))

    def transpose(self, name, x):
        order = list(range(x.ndim))
        self.random.shuffle(order)
        y = x.transpose(order)
        empty = self.empty(y.shape)
        self.emit(f"{{r}} = linalg.transpose ins({name} : {self.type(x.shape)}) outs({empty} : {self.type(y.shape)}) "
                  f"permutation = {order}", y)

    def broadcast(self, name, x):
        axis, extent = self.random.randint(0, x.ndim), self.random.choice((1, 2, 3))
        y = np.repeat(np.expand_dims(x, axis), extent, axis)
        empty = self.empty(y.shape)
        self.emit(f"{{r}} = linalg.broadcast ins({name} : {self.type(x.shape)}) outs({empty} : {self.type(y.shape)}) "
                  f"dimensions = [{axis}]", y)

    def pad(self, name, x):
        amounts = [(self.random.randint(0, 2), self.random.randint(0, 1)) for _ in x.shape]
        y = np.pad(x, amounts, constant_values=-3)
        constant = self.name() + "p"
        self.lines.append(f"{constant} = arith.constant -3.0 : f32")
        indices = ", ".join(f"%i{i}: index" for i in range(x.ndim))
        self.emit(f"{{r}} = tensor.pad {name} low{[a for a, _ in amounts]} high{[b for _, b in amounts]} {{\n"
                  f"^bb0({indices}):\n tensor.yield {constant} : f32\n}} : {self.type(x.shape)} to {self.type(y.shape)}", y)

    def slice(self, name, x):
        if x.size == 0:
            return self.unary(name, x)
        offsets, sizes, strides = [], [], []
        for n in x.shape:
            stride = self.random.choice((1, 1, 2))
            offset = self.random.randint(0, max(n - 1, 0))
            offsets.append(offset)
            strides.append(stride)
            sizes.append(self.random.randint(0 if n == 0 else 1, max(0 if n == 0 else 1, (n - offset + stride - 1) // stride)))
        y = x[tuple(slice(o, o + (s - 1) * t + 1 if s else o, t) for o, s, t in zip(offsets, sizes, strides))]
        self.emit(f"{{r}} = tensor.extract_slice {name}{offsets} {sizes} {strides} : {self.type(x.shape)} to {self.type(y.shape)}", y)

    def flip(self, name, x):
        axis = self.random.randrange(x.ndim)
        if x.shape[axis] == 0:
            return
        dims = ", ".join(f"d{i}" for i in range(x.ndim))
        source = ", ".join(f"{x.shape[i] - 1} - d{i}" if i == axis else f"d{i}" for i in range(x.ndim))
        kinds = ", ".join(['"parallel"'] * x.ndim)
        empty = self.empty(x.shape)
        self.emit(f"{{r}} = linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({source})>, affine_map<({dims}) -> ({dims})>], "
                  f"iterator_types = [{kinds}]}} ins({name} : {self.type(x.shape)}) outs({empty} : {self.type(x.shape)}) {{\n"
                  f"^bb0(%in: f32, %out: f32):\n linalg.yield %in : f32\n}} -> {self.type(x.shape)}", np.flip(x, axis))

    def reduce(self, name, x):
        axes = sorted(self.random.sample(range(x.ndim), self.random.randint(1, x.ndim)))
        text, function, start = self.random.choice([("addf", np.sum, "0.0"), ("maximumf", np.max, "-1000.0")])
        y = function(x, tuple(axes)) if x.size or text == "addf" else np.full([n for i, n in enumerate(x.shape) if i not in axes], -1000.)
        if text == "maximumf":
            y = np.maximum(y, -1000)
        init = self.filled(y.shape, start)
        self.emit(f"{{r}} = linalg.reduce {{arith.{text}}} ins({name} : {self.type(x.shape)}) outs({init} : {self.type(y.shape)}) "
                  f"dimensions = {axes}", y)

    def matmul(self, name, x):
        if x.ndim != 2:
            return self.transpose(name, x)
        other = [(n, v) for n, v in self.values if v.ndim == 2 and v.shape[0] == x.shape[1]]
        if not other:
            return self.reduce(name, x)
        other, y = self.random.choice(other)
        z = x @ y
        init = self.filled(z.shape, "0.0")
        self.emit(f"{{r}} = linalg.matmul ins({name}, {other} : {self.type(x.shape)}, {self.type(y.shape)}) "
                  f"outs({init} : {self.type(z.shape)}) -> {self.type(z.shape)}", z)

    def concat(self, name, x):
        if x.size == 0:  # the plain loops are upstream's, which has no empty slices
            return self.unary(name, x)
        axis = self.random.randrange(x.ndim)
        z = np.concatenate([x, x], axis)
        self.emit(f"{{r}} = tensor.concat dim({axis}) {name}, {name} : ({self.type(x.shape)}, {self.type(x.shape)}) "
                  f"-> {self.type(z.shape)}", z)

    def text(self):
        """The last value and one more are the results."""
        results = [self.values[-1]]
        if len(self.values) > len(self.arguments) + 2:
            results.append(self.values[-2])
        self.results = [value for _, value in results]
        arguments = ", ".join(f"%a{i}: {self.type(a.shape)}" for i, a in enumerate(self.arguments))
        types = ", ".join(self.type(value.shape) for _, value in results)
        body = "\n".join("  " + line for line in self.lines)
        names = ", ".join(name for name, _ in results)
        return f"func.func @main({arguments}) -> ({types}) {{\n{body}\n  return {names} : {types}\n}}\n"


def run(tool, directory, graph):
    """What is wrong, or nothing."""
    text = graph.text()
    program = os.path.join(directory, "graph.mlir")
    with open(program, "w") as file:
        file.write(text)
    inputs = []
    for i, array in enumerate(graph.arguments):
        inputs.append(os.path.join(directory, f"in{i}.npy"))
        np.save(inputs[-1], array)
    for pipeline in ("pypto-graph-pipeline", "pypto-naive-graph-pipeline"):
        outputs = [os.path.join(directory, f"out{i}.npy") for i in range(len(graph.results))]
        command = [tool, program, f"--pipeline={pipeline}", *[f"--arg={path}" for path in inputs], *[f"--out={path}" for path in outputs]]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if done.returncode:
            return f"{pipeline}: {done.stderr[-800:]}"
        for path, expected in zip(outputs, graph.results):
            actual = np.load(path)
            # Sums may be in another order: their error grows with what was added.
            tolerance = 1e-3 * (1 + float(np.max(np.abs(expected[np.isfinite(expected)]), initial=0)))
            if not np.allclose(actual, expected, rtol=1e-3, atol=tolerance, equal_nan=True):
                return f"{pipeline}: expects {expected.ravel()[:8]}, but got {actual.ravel()[:8]}"
    return None


def main(tool, directory, first, count):
    os.makedirs(directory, exist_ok=True)
    failures = 0
    for seed in range(int(first), int(first) + int(count)):
        error = run(tool, directory, Graph(seed, 14))
        if not error:
            continue
        failures += 1
        for size in range(1, 15):
            smaller = Graph(seed, size)
            reason = run(tool, directory, smaller)
            if reason:
                print(f"seed {seed}: {reason}\n{smaller.text()}")
                break
        else:
            print(f"seed {seed}: {error}\n{Graph(seed, 14).text()}")
    print(f"{count} graphs, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
