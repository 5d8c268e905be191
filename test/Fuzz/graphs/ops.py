# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random tensor ops: each method of `Maker` adds one to a graph, with its text and its value.

A new kind of op is a method and a weight in `WEIGHTS`.
"""
import random

import numpy as np

from generic import GenericOps
from graph import FLOATS, INTEGERS, MANTISSA, NUMPY, Graph, Node, is_float, round_to, type_text, width

EXTENTS = (1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 16, 17, 33)
MAX_ELEMENTS, MAX_OF_LARGE = 6000, 700000
# What threads share, or is written past the caches.
LARGE = ((1 << 18,), (600001,), (1, 300000), (512, 1024), (2048, 160), (3, 100003), (64, 48, 100), (5000, 64), (70, 4096), (2, 70, 2049))
MAX_RANK = 5

# Of the ops of a float, an integer, a bool.
WEIGHTS = {
    "unary": 6, "binary": 10, "function": 4, "quotient": 2, "cast": 5, "compare": 3, "select": 3, "reshape": 8, "transpose": 6,
    "broadcast": 7, "pad": 6, "slice": 6, "flip": 5, "concat": 4, "insert": 2, "reduce": 9, "argmax": 3, "scan": 4, "row_numbers": 4, "product": 4, "take": 3,
    "one_hot": 2, "running": 2, "iota": 2, "constant": 2, "chain": 3, "dead_sum": 1, "generate": 1, "loop": 1,
    "table": 2, "generic": 5,
}


def maps(rank, count):
    dims = ", ".join(f"d{i}" for i in range(rank))
    return f"affine_map<({dims}) -> ({dims})>, " * count


def kinds(letters):
    return ", ".join({"p": '"parallel"', "r": '"reduction"'}[c] for c in letters)


class Maker(GenericOps):
    def __init__(self, seed, max_ops=None):
        self.random, self.numpy = random.Random(seed), np.random.default_rng(seed)
        self.graph = Graph()
        self.style = self.random.choice(("mixed", "float", "integer", "movement"))
        self.is_large = self.random.random() < 0.08
        self.most = MAX_OF_LARGE if self.is_large else MAX_ELEMENTS
        for _ in range(self.random.randint(1, 3)):
            self.argument()
        count = max_ops or self.random.choice((1, 2, 4) if self.is_large else (3, 6, 10, 16, 24))
        tries = 0
        while sum(bool(n.text) for n in self.graph.nodes) < count and tries < 6 * count:
            tries += 1
            self.step()
        siblings = self.siblings() if self.random.random() < 0.3 else []
        nodes = [n for n in self.graph.nodes if n.text] or self.graph.nodes
        unused = [n for n in nodes if not any(n in other.operands for other in self.graph.nodes)]
        chosen = self.random.sample(unused, min(len(unused), 3)) + self.random.sample(nodes, self.random.randint(0, 1))
        self.graph.results = chosen + [n for n in siblings if n not in chosen] or nodes[-1:]
        if self.random.random() < 0.03:
            self.graph.results.append(self.graph.arguments[0])
        self.graph.drop_unused()

    # ---- Values

    def dtype(self):
        groups = {"mixed": [FLOATS, INTEGERS, ("i1",)], "float": [FLOATS], "integer": [INTEGERS], "movement": [FLOATS, INTEGERS]}
        return self.random.choice(self.random.choice(groups[self.style]))

    def shape(self):
        if self.is_large:
            return list(self.random.choice(LARGE))
        shape = [self.random.choice(EXTENTS) for _ in range(self.random.choice((0, 1, 1, 2, 2, 2, 3, 3, 4)))]
        while np.prod(shape, dtype=np.int64) > self.most:
            shape.pop()
        if shape and self.random.random() < 0.04:
            shape[self.random.randrange(len(shape))] = 0
        return shape

    def elements(self, dtype, shape):
        if dtype == "i1":
            return self.numpy.integers(0, 2, shape).astype(np.bool_)
        if not is_float(dtype):
            values = self.numpy.integers(-9, 10, shape).astype(NUMPY[dtype])
            if self.random.random() < 0.15 and values.size:
                info = np.iinfo(NUMPY[dtype])
                values.flat[self.numpy.integers(0, values.size, 2)] = [info.min, info.max]
            return values
        values = (self.numpy.integers(-16, 17, shape) / (4 if self.random.random() < 0.7 else 1)).astype(NUMPY[dtype])
        if self.random.random() < 0.15 and values.size:
            values.flat[self.numpy.integers(0, values.size, 2)] = self.random.choice(
                ([np.nan, 1], [np.inf, np.inf], [-np.inf, np.inf], [np.nan, -np.inf]))
        return values

    def argument(self, dtype=None, shape=None):
        node = Node(dtype or self.dtype(), self.shape() if shape is None else shape)
        node.array = self.elements(node.dtype, node.shape).reshape(node.shape)
        self.graph.nodes.append(node)
        return node

    def pick(self, test=lambda n: True):
        """A node, one of the last rather than one of the first."""
        nodes = [n for n in self.graph.nodes if test(n)]
        if not nodes:
            return None
        return self.random.choice(nodes[-4:] if self.random.random() < 0.6 else nodes)

    def same(self, node, test=lambda n: True):
        """A node of the same type, made by an argument or a broadcast if need be."""
        other = self.pick(lambda n: n.key == node.key and test(n))
        return other if other and self.random.random() < 0.8 else self.argument(node.dtype, node.shape)

    def add(self, dtype, shape, operands, text, value, error=0.0, scale=None):
        """A node with this value in double precision (or exactly, if it is no float). Rounding makes it inexact."""
        if len(shape) > MAX_RANK or np.prod(shape, dtype=np.int64) > self.most:
            return None
        node = Node(dtype, shape, operands, text)
        node.array = round_to(value, dtype).reshape(node.shape)
        if is_float(dtype):
            wide = np.asarray(value, np.float64).reshape(node.shape)
            finite = np.isfinite(wide)
            scale = float(np.max(np.abs(wide[finite]), initial=0)) if scale is None else scale
            if np.any(finite & ~np.isfinite(node.array.astype(np.float64))) or scale > 1e30:
                return None
            exact = np.array_equal(wide[finite], node.array[finite].astype(np.float64))
            if dtype == "f64":
                exact = np.array_equal(wide[finite], wide[finite].astype(np.float32))
            if not exact or error:
                node.error = error + 2.0 ** (1 - MANTISSA[dtype]) * scale
                if node.error > 0.02 * max(scale, 1) or (scale > 1e4 and dtype == "f16"):
                    return None
        self.graph.nodes.append(node)
        return node

    def step(self):
        names = list(WEIGHTS)
        with np.errstate(all="ignore"):
            weights = [w * (3 if self.style == "movement" and n in ("reshape", "transpose", "broadcast", "pad", "slice", "flip", "concat",
                                                                   "insert", "chain")
                            else 4 if self.is_large and n in ("reduce", "scan", "argmax", "row_numbers") else 1) for n, w in WEIGHTS.items()]
            getattr(self, self.random.choices(names, weights)[0])()

    def siblings(self):
        """Several nodes that read the same one along the same loops, some of them each other."""
        x = self.pick(lambda n: n.shape and n.dtype != "i1")
        if not x:
            return []
        axes = sorted(self.random.sample(range(len(x.shape)), self.random.randint(1, len(x.shape))))
        first, read = len(self.graph.nodes), x
        with np.errstate(all="ignore"):
            for _ in range(self.random.randint(2, 5)):
                kind = self.random.choice(("unary", "binary", "reduce", "reduce"))
                node = self.reduce(read, axes) if kind == "reduce" else getattr(self, kind)(read)
                if node and node.key == x.key and self.random.random() < 0.4:
                    read = self.random.choice((x, node))
        return [n for n in self.graph.nodes[first:] if n.text]

    # ---- Elementwise

    def unary(self, x=None):
        x = x or self.pick(lambda n: n.dtype != "i1")
        if not x:
            return
        if not is_float(x.dtype):
            text, function = self.random.choice((("math.absi", np.abs), ("neg", np.negative), ("not", np.invert)))
            if text != "math.absi":
                op, constant = ("arith.subi", "0") if text == "neg" else ("arith.xori", "-1")

                def lines(r, o):
                    first, second = (f"{r}c", o[0]) if text == "neg" else (o[0], f"{r}c")
                    return [f"{r}c = arith.constant dense<{constant}> : {x.type}", f"{r} = {op} {first}, {second} : {x.type}"]
                return self.add(x.dtype, x.shape, [x], lines, function(x.array))
            return self.add(x.dtype, x.shape, [x], lambda r, o: [f"{r} = {text} {o[0]} : {x.type}"], function(x.array))
        smooth = [("math.absf", np.abs), ("arith.negf", np.negative)]
        jumps = [("math.floor", np.floor), ("math.ceil", np.ceil), ("math.trunc", np.trunc), ("math.roundeven", np.rint)]
        text, function = self.random.choice(smooth + (jumps if x.is_exact else []))
        return self.add(x.dtype, x.shape, [x], lambda r, o: [f"{r} = {text} {o[0]} : {x.type}"], function(x.array), x.error)

    def binary(self, x=None, y=None):
        x = x or self.pick()
        y = y or (self.broadcast_like(x) if self.random.random() < 0.4 else self.same(x))
        if not y:
            return None
        if x.dtype == "i1":
            text, function = self.random.choice((("andi", np.logical_and), ("ori", np.logical_or), ("xori", np.logical_xor)))
            return self.plain(f"arith.{text}", x, y, function(x.array, y.array))
        if not is_float(x.dtype):
            return self.integer_binary(x, y)
        text, function = self.random.choice((("addf", np.add), ("subf", np.subtract), ("mulf", np.multiply), ("maximumf", np.maximum),
                                             ("minimumf", np.minimum)))
        error = x.error + y.error
        if text == "mulf":
            error = x.error * (y.bound() + y.error) + y.error * x.bound()
        scale = (x.bound() * y.bound() if text == "mulf" else x.bound() + y.bound()) if error else None
        return self.plain(f"arith.{text}", x, y, function(x.array.astype(np.float64), y.array.astype(np.float64)), error, scale)

    def plain(self, op, x, y, value, error=0.0, scale=None):
        return self.add(x.dtype, x.shape, [x, y], lambda r, o: [f"{r} = {op} {o[0]}, {o[1]} : {x.type}"], value, error, scale)

    def integer_binary(self, x, y):
        unsigned = NUMPY[x.dtype]().dtype.str.replace("i", "u")
        u, v = x.array.view(unsigned), y.array.view(unsigned)
        text, function = self.random.choice((
            ("addi", lambda a, b: a + b), ("subi", lambda a, b: a - b), ("muli", lambda a, b: a * b), ("andi", np.bitwise_and),
            ("ori", np.bitwise_or), ("xori", np.bitwise_xor), ("maxsi", np.maximum), ("minsi", np.minimum),
            ("maxui", lambda a, b: np.maximum(u, v).view(a.dtype)), ("minui", lambda a, b: np.minimum(u, v).view(a.dtype)),
            ("divsi", None), ("shli", None)))
        if function:
            return self.plain(f"arith.{text}", x, y, function(x.array, y.array))
        # A divisor from one to seven, a shift below the width.
        mask = 6 if text == "divsi" else width(x.dtype) - 1
        bits = y.array & y.array.dtype.type(mask)
        if text == "divsi":
            op, d = self.random.choice(("divsi", "remsi", "divui", "remui", "floordivsi", "ceildivsi")), bits | 1
            a = x.array.astype(object)
            if op in ("divui", "remui"):
                a = u.astype(object)
            d = d.astype(object)
            quotient = np.where(a < 0, -(-a // d), a // d)
            value = {"divsi": quotient, "divui": quotient, "remsi": a - quotient * d, "remui": a - quotient * d, "floordivsi": a // d,
                     "ceildivsi": -(-a // d)}[op]
            bits = [int(e) & (2 ** width(x.dtype) - 1) for e in np.asarray(value).flat]
            value = np.array(bits, np.uint64).astype(unsigned).view(x.array.dtype).reshape(x.shape)
        else:
            op = self.random.choice(("shli", "shrsi", "shrui"))
            value = {"shli": lambda: x.array << bits, "shrsi": lambda: x.array >> bits,
                     "shrui": lambda: (u >> bits.view(unsigned)).view(x.array.dtype)}[op]()

        def lines(r, o):
            text = [f"{r}m = arith.constant dense<{mask}> : {x.type}", f"{r}b = arith.andi {o[1]}, {r}m : {x.type}"]
            if mask == 6 and op not in ("shli", "shrsi", "shrui"):
                text += [f"{r}o = arith.constant dense<1> : {x.type}", f"{r}d = arith.ori {r}b, {r}o : {x.type}"]
                return text + [f"{r} = arith.{op} {o[0]}, {r}d : {x.type}"]
            return text + [f"{r} = arith.{op} {o[0]}, {r}b : {x.type}"]
        return self.add(x.dtype, x.shape, [x, y], lines, value)

    def function(self):
        """A smooth function, where it is smooth."""
        x = self.pick(lambda n: is_float(n.dtype) and n.bound() < 100)
        if not x:
            return
        erf = np.vectorize(__import__("math").erf, otypes=[np.float64])
        text, function, lowest, highest, slope = self.random.choice((
            ("math.exp", np.exp, -8.0, 4.0, 60), ("math.tanh", np.tanh, None, None, 1), ("math.erf", erf, -8.0, 8.0, 2),
            ("math.sqrt", np.sqrt, 0.25, 64.0, 1), ("math.rsqrt", lambda v: 1 / np.sqrt(v), 0.25, 64.0, 5),
            ("math.log", np.log, 0.25, 64.0, 4), ("math.sin", np.sin, -4.0, 4.0, 1), ("math.cos", np.cos, -4.0, 4.0, 1),
            ("math.exp2", np.exp2, -4.0, 4.0, 12), ("math.log2", np.log2, 0.25, 64.0, 6), ("math.log1p", np.log1p, 0.25, 64.0, 1)))
        wide = x.array.astype(np.float64)
        if lowest is not None:
            wide = np.minimum(np.maximum(wide, lowest), highest)
        value = function(wide)

        def lines(r, o):
            if lowest is None:
                return [f"{r} = {text} {o[0]} : {x.type}"]
            return [f"{r}l = arith.constant dense<{lowest:e}> : {x.type}", f"{r}h = arith.constant dense<{highest:e}> : {x.type}",
                    f"{r}a = arith.maximumf {o[0]}, {r}l : {x.type}", f"{r}b = arith.minimumf {r}a, {r}h : {x.type}",
                    f"{r} = {text} {r}b : {x.type}"]
        scale = max(float(np.max(np.abs(value[np.isfinite(value)]), initial=0)), 1.0)
        self.add(x.dtype, x.shape, [x], lines, value, slope * x.error + 2.0 ** (3 - MANTISSA[x.dtype]) * scale, scale)

    def quotient(self):
        """By something of at least a half."""
        x = self.pick(lambda n: is_float(n.dtype))
        if not x:
            return
        y = self.same(x)
        divisor = np.maximum(np.abs(y.array.astype(np.float64)), 0.5)

        def lines(r, o):
            return [f"{r}h = arith.constant dense<5.0e-01> : {x.type}", f"{r}a = math.absf {o[1]} : {x.type}",
                    f"{r}d = arith.maximumf {r}a, {r}h : {x.type}", f"{r} = arith.divf {o[0]}, {r}d : {x.type}"]
        error = 2 * x.error + 4 * y.error * (x.bound() + x.error)
        value = x.array.astype(np.float64) / divisor
        self.add(x.dtype, x.shape, [x, y], lines, value, error + 2.0 ** (2 - MANTISSA[x.dtype]) * x.bound() * 2)

    def cast(self):
        x = self.pick()
        to = self.dtype()
        if x.dtype == to:
            return None
        value, error = x.array, x.error
        if is_float(x.dtype) and is_float(to):
            if {x.dtype, to} == {"f16", "bf16"}:
                return None
            op = "extf" if width(x.dtype) < width(to) else "truncf"
            value = value.astype(np.float64)
        elif is_float(to):
            if x.dtype != "i1" and x.array.size and np.max(np.abs(x.array.astype(object))) > 2 ** MANTISSA[to]:
                return None
            op = "uitofp" if x.dtype == "i1" else "sitofp"
            value = value.astype(np.float64)
        elif is_float(x.dtype):
            limit = 2.0 ** (width(to) - 1)
            if not x.is_exact or not np.all(np.isfinite(x.array)) or np.any(np.abs(x.array.astype(np.float64)) >= limit) or to == "i1":
                return None
            op, value = "fptosi", np.trunc(value.astype(np.float64))
        elif width(x.dtype) > width(to):
            op = "trunci"
            value = (value & value.dtype.type(1)).astype(np.bool_) if to == "i1" else value
        else:
            op = "extui" if x.dtype == "i1" or self.random.random() < 0.3 else "extsi"
            if op == "extui" and x.dtype != "i1":
                value = value.view(value.dtype.str.replace("i", "u"))
        return self.add(to, x.shape, [x], lambda r, o: [f"{r} = arith.{op} {o[0]} : {x.type} to {type_text(to, x.shape)}"], value, error)

    def compare(self):
        x = self.pick(lambda n: n.is_exact and n.dtype != "i1")
        if not x:
            return
        y = self.same(x, lambda n: n.is_exact)
        a, b = x.array, y.array
        if is_float(x.dtype):
            ordered = ~(np.isnan(a) | np.isnan(b))
            op, (name, value) = "cmpf", self.random.choice((
                ("olt", a < b), ("ole", a <= b), ("ogt", a > b), ("oeq", a == b), ("une", a != b), ("ult", (a < b) | ~ordered),
                ("ord", ordered)))
        else:
            unsigned = a.dtype.str.replace("i", "u")
            op, (name, value) = "cmpi", self.random.choice((
                ("slt", a < b), ("sle", a <= b), ("sge", a >= b), ("eq", a == b), ("ne", a != b), ("ult", a.view(unsigned) < b.view(unsigned))))
        self.add("i1", x.shape, [x, y], lambda r, o: [f"{r} = arith.{op} {name}, {o[0]}, {o[1]} : {x.type}"], value)

    def select(self):
        condition = self.pick(lambda n: n.dtype == "i1")
        if not condition:
            return
        x = self.pick(lambda n: n.shape == condition.shape and n.dtype != "i1") or self.argument(self.dtype(), condition.shape)
        y = self.same(x)
        self.add(x.dtype, x.shape, [condition, x, y],
                 lambda r, o: [f"{r} = arith.select {o[0]}, {o[1]}, {o[2]} : {condition.type}, {x.type}"],
                 np.where(condition.array, x.array, y.array), max(x.error, y.error))

    # ---- Movement

    def moved(self, x, shape, lines, value, others=(), error=0.0):
        return self.add(x.dtype, shape, [x, *others], lines, value, max(x.error, error))

    def reshape(self, x=None):
        x = x or self.pick()
        r = self.random
        if x.array.size and r.random() < 0.3:
            return self.reshape_freely(x)
        axis = r.randrange(len(x.shape)) if x.shape else 0
        shape = list(x.shape)
        if not shape:
            count = r.randint(1, 2)
            shape = [1] * count
            return self.moved(x, shape, lambda n, o: [f"{n} = tensor.expand_shape {o[0]} [] output_shape {shape} : {x.type} into "
                                                      f"{type_text(x.dtype, shape)}"], x.array.reshape(shape))
        if axis + 1 < len(shape) and r.random() < 0.6:
            shape[axis:axis + 2] = [shape[axis] * shape[axis + 1]]
            groups = [[i] if i < axis else [i + 1] for i in range(len(shape))]
            op, suffix = "collapse_shape", ""
        else:
            factor = r.choice([f for f in (1, 2, 3, 4, 8, 11) if shape[axis] % f == 0])
            cut = [factor, shape[axis] // factor]
            shape[axis:axis + 1] = cut if r.random() < 0.5 or shape[axis] == 0 else cut[::-1]
            groups = [[i] if i < axis else [i + 1] for i in range(len(x.shape))]
            op, suffix = "expand_shape", f" output_shape {shape}"
        groups[axis] = [axis, axis + 1]
        return self.moved(x, shape, lambda n, o: [f"{n} = tensor.{op} {o[0]} {groups}{suffix} : {x.type} into {type_text(x.dtype, shape)}"],
                          x.array.reshape(shape))

    def reshape_freely(self, x):
        """To one dimension and from there to any, or by an op that takes the shape."""
        count, shape = x.array.size, []
        while count > 1 and len(shape) < 4:
            factor = self.random.choice([f for f in range(1, 18) if count % f == 0])
            shape.append(factor)
            count //= factor
        shape.append(count)
        self.random.shuffle(shape)
        flat, target = type_text(x.dtype, [x.array.size]), type_text(x.dtype, shape)
        use_op = self.random.random() < 0.4

        def lines(n, o):
            if use_op:
                shape_type = f"tensor<{len(shape)}xindex>"
                sizes = [f"{n}s{i} = arith.constant {e} : index" for i, e in enumerate(shape)]
                names = ", ".join(f"{n}s{i}" for i in range(len(shape)))
                return [*sizes, f"{n}s = tensor.from_elements {names} : {shape_type}",
                        f"{n} = tensor.reshape {o[0]}({n}s) : ({x.type}, {shape_type}) -> {target}"]
            text, name = [], o[0]
            if len(x.shape) != 1:
                op = f"collapse_shape {name} {[list(range(len(x.shape)))]}" if x.shape else f"expand_shape {name} [] output_shape [1]"
                text.append(f"{n}f = tensor.{op} : {x.type} into {flat}")
                name = f"{n}f"
            if len(shape) == 1:
                return text + [f"{n} = tensor.cast {name} : {flat} to {flat}"]
            return text + [f"{n} = tensor.expand_shape {name} {[list(range(len(shape)))]} output_shape {shape} : {flat} into {target}"]
        return self.moved(x, shape, lines, x.array.reshape(shape))

    def transpose(self, x=None):
        x = x or self.pick(lambda n: n.shape)
        if not x or not x.shape:
            return None
        order = list(range(len(x.shape)))
        self.random.shuffle(order)
        y = x.array.transpose(order)
        target = type_text(x.dtype, y.shape)
        return self.moved(x, y.shape, lambda n, o: [
            f"{n}e = tensor.empty() : {target}",
            f"{n} = linalg.transpose ins({o[0]} : {x.type}) outs({n}e : {target}) permutation = {order}"], y)

    def broadcast(self, x=None):
        x = x or self.pick()
        axes = sorted(self.random.sample(range(len(x.shape) + 2), self.random.choice((1, 1, 2))))
        axes = [a for n, a in enumerate(axes) if a <= len(x.shape) + n]
        y = x.array
        for axis in axes:
            y = np.repeat(np.expand_dims(y, axis), self.random.choice((1, 2, 3, 5, 16)), axis)
        return self.moved(x, y.shape, self.broadcast_lines(x, y.shape, axes), y)

    def broadcast_lines(self, x, shape, axes):
        target = type_text(x.dtype, shape)
        return lambda n, o: [f"{n}e = tensor.empty() : {target}",
                             f"{n} = linalg.broadcast ins({o[0]} : {x.type}) outs({n}e : {target}) dimensions = {axes}"]

    def broadcast_like(self, x):
        """A smaller value that is repeated to be of the type of x."""
        kept = [axis for axis in range(len(x.shape)) if self.random.random() < 0.5]
        if len(kept) == len(x.shape):
            return self.same(x)
        small = self.same(Node(x.dtype, [x.shape[a] for a in kept]))
        axes = [a for a in range(len(x.shape)) if a not in kept]
        value = np.broadcast_to(small.array.reshape([n if a in kept else 1 for a, n in enumerate(x.shape)]), x.shape)
        return self.moved(small, x.shape, self.broadcast_lines(small, x.shape, axes), value)

    def empty_ends_plain(self, x):
        """Plain loops are upstream's, which have no empty slices."""
        self.graph.is_plain = self.graph.is_plain and bool(x.array.size)

    def pad(self, x=None):
        x = x or self.pick(lambda n: n.shape)
        if not x or not x.shape:
            return None
        self.empty_ends_plain(x)
        low, high = ([self.random.choice((0, 0, 1, 2, 3)) for _ in x.shape] for _ in range(2))
        filler = self.pick(lambda n: n.key == (x.dtype, ())) if self.random.random() < 0.3 else None
        if filler:
            value = filler.array[()]
        else:
            value = self.random.choice((0, 1)) if x.dtype == "i1" else self.random.choice((0, 0, -3, 1))
        y = np.pad(x.array, list(zip(low, high)), constant_values=value)
        target, indices = type_text(x.dtype, y.shape), ", ".join(f"%i{i}: index" for i in range(len(x.shape)))
        literal = f"{float(value):e}" if is_float(x.dtype) else f"{int(value)}" if x.dtype != "i1" else ("true" if value else "false")

        def lines(n, o):
            fill = (f"{n}p = tensor.extract {o[1]}[] : {filler.type}" if filler else
                    f"{n}p = arith.constant {literal}" + ("" if x.dtype == "i1" else f" : {x.dtype}"))
            return [fill, f"{n} = tensor.pad {o[0]} low{low} high{high} {{",
                    f"^bb0({indices}):", f"  tensor.yield {n}p : {x.dtype}", f"}} : {x.type} to {target}"]
        return self.moved(x, y.shape, lines, y, [filler] if filler else [], filler.error if filler else 0)

    def slice(self, x=None):
        x = x or self.pick(lambda n: n.shape)
        if not x or not x.shape or 0 in x.shape:
            return None
        offsets, sizes, strides = [], [], []
        for n in x.shape:
            stride = self.random.choice((1, 1, 1, 2, 3))
            offset = self.random.randint(0, max(n - 1, 0))
            most = (n - offset + stride - 1) // stride
            offsets.append(offset)
            strides.append(stride)
            sizes.append(min(most, self.random.choice((most, 1 + self.random.randint(0, max(most - 1, 0))))))
            if self.random.random() < 0.01:
                sizes[-1] = 0
            if sizes[-1] < 2:
                strides[-1] = 1
        y = x.array[tuple(slice(o, o + (s - 1) * t + 1 if s else o, t) for o, s, t in zip(offsets, sizes, strides))]
        dropped = [a for a, s in enumerate(sizes) if s == 1 and self.random.random() < 0.2]
        if max(strides) > 1:  # plain loops are upstream's, which get such slices wrong
            dropped = []
        y = y.reshape([s for a, s in enumerate(sizes) if a not in dropped])
        return self.moved(x, y.shape, lambda n, o: [f"{n} = tensor.extract_slice {o[0]}{offsets} {sizes} {strides} : {x.type} to "
                                                    f"{type_text(x.dtype, y.shape)}"], y)

    def flip(self, x=None):
        x = x or self.pick(lambda n: n.shape)
        if not x or not x.shape or 0 in x.shape:
            return None
        axes = self.random.sample(range(len(x.shape)), self.random.randint(1, len(x.shape)))
        rank = len(x.shape)
        by_map = self.random.random() < 0.5
        dims = ", ".join(f"d{i}" for i in range(rank))
        source = ", ".join(f"{x.shape[i] - 1} - d{i}" if i in axes else f"d{i}" for i in range(rank))

        def lines(n, o):
            text = [f"{n}e = tensor.empty() : {x.type}"]
            if by_map:
                return text + [f"{n} = linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({source})>, affine_map<({dims}) -> "
                               f"({dims})>], iterator_types = [{kinds('p' * rank)}]}} ins({o[0]} : {x.type}) outs({n}e : {x.type}) {{",
                               f"^bb0(%in: {x.dtype}, %out: {x.dtype}):", f"  linalg.yield %in : {x.dtype}", f"}} -> {x.type}"]
            text += [f"{n} = linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({dims})>], iterator_types = [{kinds('p' * rank)}]}} "
                     f"outs({n}e : {x.type}) {{", f"^bb0(%out: {x.dtype}):"]
            for i in range(rank):
                text.append(f"  %i{i} = linalg.index {i} : index")
                if i in axes:
                    text += [f"  %j{i} = affine.apply affine_map<(d0) -> ({x.shape[i] - 1} - d0)>(%i{i})"]
            index = ", ".join(f"%{'j' if i in axes else 'i'}{i}" for i in range(rank))
            return text + [f"  %x = tensor.extract {o[0]}[{index}] : {x.type}", f"  linalg.yield %x : {x.dtype}", f"}} -> {x.type}"]
        return self.moved(x, x.shape, lines, np.flip(x.array, axes))

    def concat(self, x=None):
        x = x or self.pick(lambda n: n.shape)
        if not x or not x.shape:
            return None
        axis = self.random.randrange(len(x.shape))
        fits = [n for n in self.graph.nodes if n.dtype == x.dtype and len(n.shape) == len(x.shape) and
                all(a == axis or p == q for a, (p, q) in enumerate(zip(n.shape, x.shape)))]
        parts = [x] + [self.random.choice(fits) for _ in range(self.random.randint(1, 3))]
        self.random.shuffle(parts)
        for part in parts:
            self.empty_ends_plain(part)
        y = np.concatenate([p.array for p in parts], axis)
        types = ", ".join(p.type for p in parts)
        return self.add(x.dtype, y.shape, parts, lambda n, o: [
            f"{n} = tensor.concat dim({axis}) {', '.join(o)} : ({types}) -> {type_text(x.dtype, y.shape)}"], y, max(p.error for p in parts))

    def insert(self, x=None):
        """A slice of something else is replaced."""
        x = x or self.pick(lambda n: n.shape)
        if not x or not x.shape or 0 in x.shape:
            return None
        shape = [n + self.random.choice((0, 1, 2)) for n in x.shape]
        if np.prod(shape) > self.most:
            return None
        into = self.same(Node(x.dtype, shape))
        offsets = [self.random.randint(0, max(min(n - m, n - 1), 0)) for n, m in zip(shape, x.shape)]
        y = np.copy(into.array)
        y[tuple(slice(o, o + n) for o, n in zip(offsets, x.shape))] = x.array
        ones = [1] * len(shape)
        return self.moved(x, shape, lambda n, o: [f"{n} = tensor.insert_slice {o[0]} into {o[1]}{offsets} {list(x.shape)} {ones} : {x.type} "
                                                  f"into {into.type}"], y, [into], into.error)

    def chain(self):
        """Up to eight movement ops, one on the other."""
        x = self.pick()
        ops = [self.reshape, self.transpose, self.broadcast, self.pad, self.slice, self.flip, self.concat, self.insert]
        for _ in range(self.random.randint(2, 8)):
            x = self.random.choice(ops)(x) or x

    # ---- Reductions

    def reduced(self, x, axes, op, init, value, error=0.0, scale=None):
        kept = [n for a, n in enumerate(x.shape) if a not in axes]
        target = type_text(x.dtype, kept)

        def lines(n, o):
            return [f"{n}c = arith.constant {init} : {x.dtype}", f"{n}e = tensor.empty() : {target}",
                    f"{n}f = linalg.fill ins({n}c : {x.dtype}) outs({n}e : {target}) -> {target}",
                    f"{n} = linalg.reduce {{arith.{op}}} ins({o[0]} : {x.type}) outs({n}f : {target}) dimensions = {list(axes)}"]
        return self.add(x.dtype, kept, [x], lines, value, error, scale)

    def row_numbers(self):
        """Rows together with what is computed from a reduction of them, once or twice, as norms do."""
        x = self.pick(lambda n: len(n.shape) > 1 and n.dtype != "i1")
        last = len(x.shape) - 1 if x else 0
        for _ in range(self.random.choice((1, 2, 2))):
            numbers = x and self.reduce(x, [last])
            for _ in range(self.random.randint(0, 2)):
                numbers = numbers and self.binary(numbers, self.same(numbers))
            if not numbers:
                return
            value = np.broadcast_to(numbers.array[..., None], x.shape)
            wide = self.moved(numbers, x.shape, self.broadcast_lines(numbers, x.shape, [last]), value)
            x = wide and self.binary(x, wide)

    def reduce(self, x=None, axes=None):
        x = x or self.pick(lambda n: n.shape and n.dtype != "i1")
        if not x:
            return None
        axes = axes or sorted(self.random.sample(range(len(x.shape)), self.random.choice((1, 1, len(x.shape)))))
        along = tuple(axes)
        if not is_float(x.dtype):
            op, init, function = self.random.choice((
                ("addi", "0", np.add), ("muli", "1", np.multiply), ("maxsi", "-128", np.maximum), ("minsi", "127", np.minimum),
                ("andi", "-1", np.bitwise_and), ("ori", "0", np.bitwise_or), ("xori", "0", np.bitwise_xor)))
            value = function.reduce(x.array, along, dtype=x.array.dtype, initial=x.array.dtype.type(int(init)))
            return self.reduced(x, axes, op, init, value)
        count = int(np.prod([x.shape[a] for a in axes]))
        wide = x.array.astype(np.float64)
        if self.random.random() < 0.6:
            return self.sum_of(x, axes, along, count, wide)
        op, function = self.random.choice((("maximumf", np.maximum), ("minimumf", np.minimum)))
        init = -100.0 if op == "maximumf" else 100.0
        return self.reduced(x, axes, op, f"{init:e}", function.reduce(wide, along, initial=init), x.error)

    @staticmethod
    def error_of_sum(x, along, count, wide):
        """How wrong a sum may be, and its size if it may be wrong at all."""
        sizes = np.where(np.isfinite(wide), np.abs(wide), 0)
        total = float(np.max(np.sum(sizes, along), initial=0))
        # Partial sums are exact if none needs more bits than there are.
        quantum = next((q for q in (1.0, 0.25, 2.0 ** -4, 2.0 ** -8) if np.array_equal(wide[np.isfinite(wide)] / q,
                                                                                      np.rint(wide[np.isfinite(wide)] / q))), None)
        error = x.error * count
        if error or not quantum or total / quantum > 2 ** MANTISSA[x.dtype]:
            error += 2.0 ** -MANTISSA[x.dtype] * count * total
        return error, total if error else None

    def sum_of(self, x, axes, along, count, wide):
        return self.reduced(x, axes, "addf", "0.0", np.sum(wide, along), *self.error_of_sum(x, along, count, wide))

    def scan(self):
        """All combinations of the first elements along an axis: a reduction that also yields what it has."""
        x = self.pick(lambda n: n.shape and n.dtype != "i1")
        if not x:
            return
        axis = self.random.randrange(len(x.shape))
        wide, error, scale = x.array, 0.0, None
        if not is_float(x.dtype):
            op, init, function = self.random.choice((
                ("addi", "0", np.add), ("addi", "0", np.add), ("muli", "1", np.multiply), ("maxsi", "-128", np.maximum),
                ("minsi", "127", np.minimum), ("xori", "0", np.bitwise_xor)))
        else:
            op, init, function = self.random.choice((
                ("addf", "0.0", np.add), ("addf", "0.0", np.add), ("maximumf", "-1.0e+02", np.maximum), ("minimumf", "1.0e+02", np.minimum)))
            wide, error = wide.astype(np.float64), x.error
            if op == "addf":
                error, scale = self.error_of_sum(x, (axis,), x.shape[axis], wide)
        first = np.expand_dims(np.full([n for a, n in enumerate(x.shape) if a != axis], float(init)).astype(wide.dtype), axis)
        value = np.take(function.accumulate(np.concatenate([first, wide], axis), axis, dtype=wide.dtype), range(1, x.shape[axis] + 1), axis)
        rank, kept = len(x.shape), type_text(x.dtype, [n for a, n in enumerate(x.shape) if a != axis])
        dims = [f"d{i}" for i in range(rank)]
        outer = f"affine_map<({', '.join(dims)}) -> ({', '.join(d for a, d in enumerate(dims) if a != axis)})>"
        iterators = kinds("".join("r" if a == axis else "p" for a in range(rank)))

        def lines(n, o):
            return [f"{n}c = arith.constant {init} : {x.dtype}", f"{n}e = tensor.empty() : {kept}", f"{n}w = tensor.empty() : {x.type}",
                    f"{n}f = linalg.fill ins({n}c : {x.dtype}) outs({n}e : {kept}) -> {kept}",
                    f"{n}_m, {n} = linalg.generic {{indexing_maps = [{maps(rank, 1)}{outer}, {maps(rank, 1)[:-2]}], "
                    f"iterator_types = [{iterators}]}} ins({o[0]} : {x.type}) outs({n}f, {n}w : {kept}, {x.type}) {{",
                    f"^bb0(%x: {x.dtype}, %so: {x.dtype}, %old: {x.dtype}):", f"  %far = arith.{op} %so, %x : {x.dtype}",
                    f"  linalg.yield %far, %far : {x.dtype}, {x.dtype}", f"}} -> ({kept}, {x.type})"]
        self.add(x.dtype, x.shape, [x], lines, value, error, scale)

    def argmax(self):
        """A reduction with two results, of which one is used: the first of the best elements, or the first NaN."""
        x = self.pick(lambda n: n.shape and n.dtype in ("f32", "f64", "i32", "i64", "i8") and n.is_exact and all(n.shape))
        if not x:
            return
        axis, greatest = self.random.randrange(len(x.shape)), self.random.random() < 0.6
        rank, shape = len(x.shape), [n for a, n in enumerate(x.shape) if a != axis]
        value = (np.argmax if greatest else np.argmin)(x.array, axis)
        if is_float(x.dtype):
            bits = {"f32": ("0xFF800000", "0x7F800000"), "f64": ("0xFFF0000000000000", "0x7FF0000000000000")}[x.dtype]
            worst = bits[0] if greatest else bits[1]
            compare = [f"  %q = arith.cmpf {'ugt' if greatest else 'ult'}, %x, %m : {x.dtype}", f"  %p = arith.cmpf ord, %m, %m : {x.dtype}",
                       "  %more = arith.andi %q, %p : i1"]
        else:
            info = np.iinfo(NUMPY[x.dtype])
            worst = info.min if greatest else info.max
            compare = [f"  %more = arith.cmpi {'sgt' if greatest else 'slt'}, %x, %m : {x.dtype}"]
        dims = [f"d{i}" for i in range(rank)]
        outer = f"affine_map<({', '.join(dims)}) -> ({', '.join(d for a, d in enumerate(dims) if a != axis)})>"
        iterators = kinds("".join("r" if a == axis else "p" for a in range(rank)))

        def lines(n, o):
            best, where = type_text(x.dtype, shape), type_text("i64", shape)
            return [f"{n}c = arith.constant {worst} : {x.dtype}", f"{n}z = arith.constant 0 : i64", f"{n}e = tensor.empty() : {best}",
                    f"{n}g = tensor.empty() : {where}",
                    f"{n}f = linalg.fill ins({n}c : {x.dtype}) outs({n}e : {best}) -> {best}",
                    f"{n}h = linalg.fill ins({n}z : i64) outs({n}g : {where}) -> {where}",
                    f"{n}_m, {n} = linalg.generic {{indexing_maps = [{maps(rank, 1)}{outer}, {outer}], iterator_types = [{iterators}]}} "
                    f"ins({o[0]} : {x.type}) outs({n}f, {n}h : {best}, {where}) {{",
                    f"^bb0(%x: {x.dtype}, %m: {x.dtype}, %at: i64):", f"  %i = linalg.index {axis} : index",
                    "  %j = arith.index_cast %i : index to i64", *compare,
                    f"  %b = arith.select %more, %x, %m : {x.dtype}", "  %w = arith.select %more, %j, %at : i64",
                    f"  linalg.yield %b, %w : {x.dtype}, i64", f"}} -> ({best}, {where})"]
        self.add("i64", shape, [x], lines, value)

    def product(self):
        x = self.pick(lambda n: len(n.shape) in (2, 3) and n.dtype in ("f32", "f32", "f64", "i32"))
        if not x:
            return
        batch, (_, k) = list(x.shape[:-2]), x.shape[-2:]
        y = self.pick(lambda n: n.dtype == x.dtype and len(n.shape) == len(x.shape) and list(n.shape[:-1]) == batch + [k])
        y = y or self.argument(x.dtype, batch + [k, self.random.choice(EXTENTS)])
        a, b = x.array, y.array
        kind = np.float64 if is_float(x.dtype) else x.array.dtype
        value = np.matmul(a.astype(kind), b.astype(kind))
        error, scale = 0.0, None
        if is_float(x.dtype):
            total = float(np.max(np.matmul(*(np.where(np.isfinite(v), np.abs(v), 0).astype(np.float64) for v in (a, b))), initial=0))
            error = k * (x.error * (y.bound() + y.error) + y.error * x.bound())
            if error or total * 256 > 2 ** min(MANTISSA[x.dtype], 24) or not all(np.array_equal(v[np.isfinite(v)] * 16, np.rint(v[np.isfinite(v)] * 16)) for v in (a, b)):
                error += 2.0 ** -MANTISSA[x.dtype] * k * total
                scale = total
        shape = value.shape
        target, zero = type_text(x.dtype, shape), "0.0" if is_float(x.dtype) else "0"
        op = "linalg.matmul" if len(shape) == 2 else "linalg.batch_matmul"
        self.add(x.dtype, shape, [x, y], lambda n, o: [
            f"{n}c = arith.constant {zero} : {x.dtype}", f"{n}e = tensor.empty() : {target}",
            f"{n}f = linalg.fill ins({n}c : {x.dtype}) outs({n}e : {target}) -> {target}",
            f"{n} = {op} ins({o[0]}, {o[1]} : {x.type}, {y.type}) outs({n}f : {target}) -> {target}"], value, error, scale)

    # ---- Indices

    def indices(self, count, low, high):
        node = Node("i32", [count])
        node.array = self.numpy.integers(low, high, count).astype(np.int32)
        self.graph.nodes.append(node)
        return node

    def take(self):
        """Rows at indices that are there."""
        x = self.pick(lambda n: n.shape and n.shape[0])
        if not x:
            return
        chosen = self.indices(self.random.choice((1, 3, 8)), 0, x.shape[0])
        shape = [chosen.shape[0], *x.shape[1:]]
        rank, target = len(shape), type_text(x.dtype, shape)

        def lines(n, o):
            index = ", ".join(["%row"] + [f"%i{i}" for i in range(1, rank)])
            return [f"{n}e = tensor.empty() : {target}",
                    f"{n} = linalg.generic {{indexing_maps = [{maps(rank, 1)[:-2]}], iterator_types = [{kinds('p' * rank)}]}} "
                    f"outs({n}e : {target}) {{", f"^bb0(%out: {x.dtype}):", *[f"  %i{i} = linalg.index {i} : index" for i in range(rank)],
                    f"  %at = tensor.extract {o[1]}[%i0] : {chosen.type}", "  %row = arith.index_cast %at : i32 to index",
                    f"  %x = tensor.extract {o[0]}[{index}] : {x.type}", f"  linalg.yield %x : {x.dtype}", f"}} -> {target}"]
        self.moved(x, shape, lines, x.array[chosen.array], [chosen])

    def counted(self, x, rows, body, value, others=(), error=0.0):
        """sum over j of what `body` computes from %x = x[j], %i, %j: a reduction with a closed form, or not."""
        dtype, target, n = x.dtype, type_text(x.dtype, [rows]), x.shape[0]
        zero = "0.0" if is_float(dtype) else "0"

        def lines(r, o):
            shape = f"tensor<{rows}x{n}xi8>"
            text = [f"{r}c = arith.constant {zero} : {dtype}", f"{r}e = tensor.empty() : {target}", f"{r}s = tensor.empty() : {shape}",
                    f"{r}f = linalg.fill ins({r}c : {dtype}) outs({r}e : {target}) -> {target}",
                    f"{r} = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, "
                    f"affine_map<(d0, d1) -> (d0)>], iterator_types = [{kinds('pr')}]}} ins({r}s, {o[0]} : {shape}, {x.type}) "
                    f"outs({r}f : {target}) {{", f"^bb0(%u: i8, %x: {dtype}, %sum: {dtype}):", "  %i = linalg.index 0 : index",
                    "  %j = linalg.index 1 : index"]
            text += ["  " + line for line in body(o)]
            add = "addf" if is_float(dtype) else "addi"
            return text + [f"  %n = arith.{add} %sum, %y : {dtype}", f"  linalg.yield %n : {dtype}", f"}} -> {target}"]
        return self.add(dtype, [rows], [x, *others], lines, value, error)

    def one_hot(self):
        """Elements chosen by comparison: at an index that may not be there."""
        x = self.pick(lambda n: len(n.shape) == 1 and n.dtype != "i1" and n.shape[0])
        if not x:
            return
        chosen = self.indices(self.random.choice((1, 4, 9)), -2, x.shape[0] + 2)
        zero = "0.0" if is_float(x.dtype) else "0"
        turned = self.random.random() < 0.3
        there = (chosen.array >= 0) & (chosen.array < x.shape[0])
        value = np.where(there, x.array[np.clip(chosen.array, 0, x.shape[0] - 1)], 0)

        def body(o):
            arms = "%z, %x" if turned else "%x, %z"
            return [f"%z = arith.constant {zero} : {x.dtype}", f"%a = tensor.extract {o[1]}[%i] : {chosen.type}",
                    "%b = arith.index_cast %j : index to i32", f"%here = arith.cmpi {'ne' if turned else 'eq'}, %b, %a : i32",
                    f"%y = arith.select %here, {arms} : {x.dtype}"]
        self.counted(x, chosen.shape[0], body, value, [chosen], x.error)

    def running(self):
        """Sums up to an index or from it on, of elements, of one number, or of a count."""
        x = self.pick(lambda n: len(n.shape) == 1 and n.dtype != "i1" and n.is_exact and n.shape[0])
        if not x:
            return
        n, dtype = x.shape[0], x.dtype
        rows, shift = self.random.choice((1, n, n + 3)), self.random.randint(-2, 2)
        if rows * n > 1 << 22:
            return
        predicate, function = self.random.choice((("slt", np.less), ("sle", np.less_equal), ("sge", np.greater_equal), ("sgt", np.greater)))
        two_sided, what = self.random.random() < 0.4, self.random.choice(("element", "one", "scaled"))
        i, j = np.arange(rows)[:, None], np.arange(n)[None, :]
        here = function(j, i + shift)
        if two_sided:
            here = here & (j >= i - 3)
        wide = x.array.astype(np.float64 if is_float(dtype) else x.array.dtype)
        one = {"element": wide[None, :], "one": 1, "scaled": (j * 3 + 1).astype(wide.dtype)}[what]
        terms = np.where(here, one, 0)
        finite = terms[np.isfinite(terms)] if is_float(dtype) else terms
        if is_float(dtype) and (np.sum(np.abs(finite)) * 4 > 2 ** MANTISSA[dtype] or not np.array_equal(finite * 4, np.rint(finite * 4))):
            return
        value = np.sum(terms, 1, dtype=wide.dtype)
        literal = {"element": None, "one": "1.0" if is_float(dtype) else "1"}.get(what)

        def body(o):
            text = [f"%z = arith.constant {'0.0' if is_float(dtype) else '0'} : {dtype}", f"%d = arith.constant {shift} : index",
                    "%cut = arith.addi %i, %d : index", f"%q = arith.cmpi {predicate}, %j, %cut : index"]
            if two_sided:
                text += ["%three = arith.constant 3 : index", "%low = arith.subi %i, %three : index",
                         "%g = arith.cmpi sge, %j, %low : index", "%here = arith.andi %q, %g : i1"]
            condition = "%here" if two_sided else "%q"
            if what == "scaled":
                text += ["%k3 = arith.constant 3 : index", "%k1 = arith.constant 1 : index", "%j3 = arith.muli %j, %k3 : index",
                         "%j31 = arith.addi %j3, %k1 : index", "%s = arith.index_cast %j31 : index to i64"]
                if is_float(dtype):
                    text.append(f"%v = arith.sitofp %s : i64 to {dtype}")
                else:
                    text.append(f"%v = arith.trunci %s : i64 to {dtype}" if dtype != "i64" else "%zz = arith.constant 0 : i64\n%v = arith.addi %s, %zz : i64")
            elif what == "one":
                text.append(f"%v = arith.constant {literal} : {dtype}")
            return text + [f"%y = arith.select {condition}, {'%x' if what == 'element' else '%v'}, %z : {dtype}"]
        self.counted(x, rows, body, value)

    def dead_sum(self):
        """A reduction over what was repeated."""
        x = self.pick(lambda n: n.shape and n.dtype != "i1")
        if not x:
            return
        axis, count = self.random.randint(0, len(x.shape)), self.random.choice((1, 3, 4))
        value = np.repeat(np.expand_dims(x.array, axis), count, axis)
        wide = self.moved(x, value.shape, self.broadcast_lines(x, value.shape, [axis]), value)
        if not wide:
            return
        if is_float(x.dtype):
            self.sum_of(wide, [axis], (axis,), count, wide.array.astype(np.float64))
        else:
            op, init, function = self.random.choice((("addi", "0", np.add), ("muli", "1", np.multiply), ("xori", "0", np.bitwise_xor),
                                                     ("maxsi", "-128", np.maximum), ("andi", "-1", np.bitwise_and)))
            self.reduced(wide, [axis], op, init, function.reduce(value, axis, dtype=value.dtype, initial=value.dtype.type(int(init))))

    def loop(self):
        """An outer range that carries two tensors, which may change places."""
        x = self.pick(lambda n: n.dtype in INTEGERS and n.array.size)
        if not x:
            return
        a, b = self.same(x), self.same(x)
        low, high, step, swaps = self.random.randint(0, 2), self.random.randint(0, 7), self.random.randint(1, 3), self.random.random() < 0.5
        first, second = a.array, b.array
        for i in range(low, high, step):
            first, second = (first + first.dtype.type(i)) * x.array, first ^ second
            if swaps:
                first, second = second, first
        yields = "{0}k, {0}y" if swaps else "{0}y, {0}k"
        cast = "" if x.dtype == "i64" else f"  {{0}}t = arith.trunci {{0}}w : i64 to {x.dtype}\n"

        def lines(n, o):
            bounds = [f"{n}{name} = arith.constant {value} : index" for name, value in (("lo", low), ("hi", high), ("st", step))]
            number = f"{n}w" if x.dtype == "i64" else f"{n}t"
            types = f"{x.type}, {x.type}"
            return [*bounds, f"{n}l:2 = scf.for {n}i = {n}lo to {n}hi step {n}st iter_args({n}a = {o[1]}, {n}b = {o[2]}) -> ({types}) {{",
                    f"  {n}w = arith.index_cast {n}i : index to i64", cast.format(n) + f"  {n}s = tensor.splat {number} : {x.type}",
                    f"  {n}x = arith.addi {n}a, {n}s : {x.type}", f"  {n}y = arith.muli {n}x, {o[0]} : {x.type}",
                    f"  {n}k = arith.xori {n}a, {n}b : {x.type}", f"  scf.yield {yields.format(n)} : {types}", "}",
                    f"{n}z = arith.constant dense<0> : {x.type}", f"{n} = arith.addi {n}l#0, {n}z : {x.type}"]
        # One kernel with a loop would free what is carried by a function of upstream's, which takes no plain addresses.
        self.graph.is_plain = False
        self.add(x.dtype, x.shape, [x, a, b], lines, first)

    # ---- Leaves

    def iota(self):
        dtype, shape = self.random.choice(("i64", "i32", "f32")), [n for n in self.shape() if n][:3] or [4]
        axis = self.random.randrange(len(shape))
        value = np.broadcast_to(np.arange(shape[axis]).reshape([-1 if a == axis else 1 for a in range(len(shape))]), shape)
        target, rank = type_text(dtype, shape), len(shape)
        convert = {"i64": [], "i32": ["  %k = arith.trunci %j : i64 to i32"], "f32": ["  %k = arith.sitofp %j : i64 to f32"]}[dtype]
        self.add(dtype, shape, [], lambda n, o: [
            f"{n}e = tensor.empty() : {target}",
            f"{n} = linalg.generic {{indexing_maps = [{maps(rank, 1)[:-2]}], iterator_types = [{kinds('p' * rank)}]}} outs({n}e : {target}) {{",
            f"^bb0(%out: {dtype}):", f"  %i = linalg.index {axis} : index", "  %j = arith.index_cast %i : index to i64", *convert,
            f"  linalg.yield {'%k' if convert else '%j'} : {dtype}", f"}} -> {target}"], value)

    def constant(self):
        dtype, shape = self.dtype(), self.shape()
        value = self.random.choice((0, 1)) if dtype == "i1" else self.random.choice((0, 1, -2, 5))
        target = type_text(dtype, shape)
        literal = f"{float(value):e}" if is_float(dtype) else ("true" if value else "false") if dtype == "i1" else str(value)
        self.add(dtype, shape, [], lambda n, o: [f"{n} = arith.constant dense<{literal}> : {target}"], np.full(shape, value))

    def generate(self):
        """Elements by a function of the index, out of another tensor."""
        x = self.pick(lambda n: len(n.shape) == 2 and n.shape[0] and n.shape[1])
        if not x:
            return
        rows, columns = x.shape
        value = x.array[np.arange(rows)[:, None], (np.arange(rows)[:, None] + np.arange(columns)[None, :]) % columns]
        self.moved(x, x.shape, lambda n, o: [
            f"{n} = tensor.generate {{", "^bb0(%i: index, %j: index):",
            f"  %k = affine.apply affine_map<(d0, d1) -> ((d0 + d1) mod {columns})>(%i, %j)",
            f"  %x = tensor.extract {o[0]}[%i, %k] : {x.type}", f"  tensor.yield %x : {x.dtype}", f"}} : {x.type}"], value)


def generate(seed):
    return Maker(seed).graph
