# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs causal attention by fused kernels and by plain loops (--check) on inputs with NaN and infinity, and compares both
with NumPy: a key that a query does not see takes no part, whatever it and its value are."""
import os
import subprocess
import sys

import numpy


def tensor(*shape, element="f32"):
    return "tensor<" + "".join(f"{extent}x" for extent in shape) + element + ">"


class Graph:
    """Ops of a graph, named by their number."""

    def __init__(self):
        self.lines = []

    def add(self, text):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name

    def empty(self, type):
        return self.add(f"tensor.empty() : {type}")

    def broadcast(self, value, source, target, dims):
        return self.add(f"linalg.broadcast ins({value} : {source}) outs({self.empty(target)} : {target}) dimensions = {dims}")

    def reduce(self, op, init, value, source, target):
        scalar = self.add(f"arith.constant {init} : f32")
        start = self.add(f"linalg.fill ins({scalar} : f32) outs({self.empty(target)} : {target}) -> {target}")
        last = source.count("x") - 1
        return self.add(f"linalg.reduce ins({value} : {source}) outs({start} : {target}) dimensions = [{last}] "
                        f"(%a: f32, %b: f32) {{ %c = arith.{op} %b, %a : f32 linalg.yield %c : f32 }}")

    def splat(self, value, type):
        return self.add(f"arith.constant dense<{value}> : {type}")


def write_graph(heads, queries, keys, size, out):
    """The graph that `attention` of lazy tensors makes."""
    g = Graph()
    scores, row = tensor(heads, queries, keys), tensor(heads, queries)
    mask, result = tensor(heads, queries, keys, element="i1"), tensor(heads, queries, out)
    wide, masks = tensor(heads, queries, keys, size), tensor(heads, queries, out, keys, element="i1")
    products, turned = tensor(heads, queries, out, keys), tensor(heads, out, keys)
    q, k, v = tensor(heads, queries, size), tensor(heads, keys, size), tensor(heads, keys, out)
    product = g.add(f"arith.mulf {g.broadcast('%q', q, wide, [2])}, {g.broadcast('%k', k, wide, [1])} : {wide}")
    score = g.reduce("addf", "0.0", product, wide, scores)
    score = g.add(f"arith.mulf {score}, {g.splat(size ** -0.5, scores)} : {scores}")
    seen = g.add(f"linalg.generic {{indexing_maps = [affine_map<(h, i, j) -> (h, i, j)>], "
                 f"iterator_types = [\"parallel\", \"parallel\", \"parallel\"]}} outs({g.empty(mask)} : {mask}) {{ ^bb0(%o: i1): "
                 f"%i = linalg.index 1 : index %j = linalg.index 2 : index %n = arith.constant {keys - queries} : i64 "
                 f"%x = arith.index_cast %i : index to i64 %y = arith.index_cast %j : index to i64 "
                 f"%l = arith.addi %x, %n : i64 %c = arith.cmpi sle, %y, %l : i64 linalg.yield %c : i1 }} -> {mask}")
    score = g.add(f"arith.select {seen}, {score}, {g.splat('0xFF800000', scores)} : {mask}, {scores}")
    most = g.broadcast(g.reduce("maximumf", "0xFF800000", score, scores, row), row, scores, [2])
    power = g.add(f"math.exp {g.add(f'arith.subf {score}, {most} : {scores}')} : {scores}")
    share = g.splat(2.0 ** -(keys - 1).bit_length(), scores)
    power = g.add(f"arith.mulf {power}, {share} : {scores}")
    power = g.add(f"arith.select {seen}, {power}, {g.splat('0.0', scores)} : {mask}, {scores}")
    total = g.add(f"arith.divf {g.splat('1.0', row)}, {g.reduce('addf', '0.0', power, scores, row)} : {row}")
    values = g.add(f"linalg.transpose ins(%v : {v}) outs({g.empty(turned)} : {turned}) permutation = [0, 2, 1]")
    product = g.add(f"arith.mulf {g.broadcast(power, scores, products, [2])}, "
                    f"{g.broadcast(values, turned, products, [1])} : {products}")
    product = g.add(f"arith.select {g.broadcast(seen, mask, masks, [2])}, {product}, {g.splat('0.0', products)} : "
                    f"{masks}, {products}")
    sums = g.reduce("addf", "0.0", product, products, result)
    sums = g.add(f"arith.mulf {g.broadcast(total, row, result, [2])}, {sums} : {result}")
    body = "\n  ".join(g.lines)
    return f"func.func @main(%q: {q}, %k: {k}, %v: {v}) -> {result} {{\n  {body}\n  return {sums} : {result}\n}}\n"


def attend(q, k, v):
    heads, queries, size = q.shape
    keys = k.shape[1]
    result = numpy.full((heads, queries, v.shape[2]), numpy.nan)
    for head in range(heads):
        for i in range(queries):
            end = max(0, min(keys, i + 1 + keys - queries))
            if end == 0:
                continue
            scores = (k[head, :end] * q[head, i]).sum(1) / size ** 0.5
            powers = numpy.exp(scores - scores.max())
            result[head, i] = (powers[:, None] * v[head, :end]).sum(0) / powers.sum()
    return result


def main():
    run, directory = sys.argv[1:]
    os.makedirs(directory, exist_ok=True)
    numpy.seterr(all="ignore")
    random = numpy.random.default_rng(7)
    # Small ones run as they are, large ones in blocks; more keys than queries, and fewer.
    for heads, queries, keys, size, out in [(2, 9, 9, 4, 4), (1, 1, 5, 3, 2), (2, 192, 192, 8, 8), (1, 256, 300, 5, 17),
                                            (1, 300, 256, 8, 8), (1, 260, 260, 1, 64), (1, 1100, 1100, 3, 4)]:
        path = f"{directory}/{queries}x{keys}.mlir"
        with open(path, "w") as file:
            file.write(write_graph(heads, queries, keys, size, out))
        for special in [None, numpy.nan, numpy.inf, -numpy.inf]:
            q, k, v = (random.standard_normal(shape).astype(numpy.float32)
                       for shape in [(heads, queries, size), (heads, keys, size), (heads, keys, out)])
            if special is not None:
                k[0, keys - 1, 0] = special
                k[0, keys // 2, :] = special
                v[-1, keys * 2 // 3, 0] = special
            for name, array in [("q", q), ("k", k), ("v", v)]:
                numpy.save(f"{directory}/{name}.npy", array)
            expected = attend(*(array.astype(numpy.float64) for array in (q, k, v))).astype(numpy.float32)
            numpy.save(f"{directory}/expected.npy", expected)
            arguments = [f"--arg={directory}/{name}.npy" for name in "qkv"]
            command = [run, path, *arguments, f"--expect={directory}/expected.npy", "--check", "--rtol=1e-4", "--atol=1e-5"]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"{heads}x{queries}x{keys}x{size}x{out} with {special}:\n{done.stdout}{done.stderr}")
    print("causal attention: equal")


main()
