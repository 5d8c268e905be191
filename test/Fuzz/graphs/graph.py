# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of tensor ops with what they compute.

A value is exact as long as no rounding happened on the way to it: then every order of evaluation gives the same bits. What
follows from others is as wrong as `error` says at most, and no operation that jumps takes it.
"""
import numpy as np

MANTISSA = {"f16": 11, "bf16": 8, "f32": 24, "f64": 53}
NUMPY = {"i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "f16": np.float16, "bf16": np.float32,
         "f32": np.float32, "f64": np.float64}
FLOATS, INTEGERS = ("f32", "f32", "f64", "f16", "bf16"), ("i32", "i64", "i8", "i16")


def is_float(dtype):
    return dtype in MANTISSA


def width(dtype):
    return 16 if dtype == "bf16" else int("".join(c for c in dtype if c.isdigit()))


def round_to(values, dtype):
    """`values` as elements of the type; wider floats round to even."""
    with np.errstate(all="ignore"):
        if dtype != "bf16":
            return np.asarray(values).astype(NUMPY[dtype])
        values = np.atleast_1d(np.asarray(values).astype(np.float32))
        bits = values.view(np.uint32).astype(np.int64)
        rounded = ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).astype(np.uint32)
        return np.where(np.isnan(values), np.float32(np.nan), rounded.view(np.float32)).astype(np.float32)


def type_text(dtype, shape):
    return "tensor<" + "".join(f"{n}x" for n in shape) + f"{dtype}>"


class Node:
    """One value. `text` makes the lines of its ops from the name of the result and the names of its operands."""

    def __init__(self, dtype, shape, operands=(), text=None, evaluate=None):
        self.dtype, self.shape, self.operands = dtype, tuple(int(n) for n in shape), list(operands)
        self.text, self.evaluate = text, evaluate
        self.array, self.error = None, 0.0

    @property
    def type(self):
        return type_text(self.dtype, self.shape)

    @property
    def key(self):
        return self.dtype, self.shape

    @property
    def is_exact(self):
        return self.error == 0

    def bound(self):
        """The greatest finite size of an element."""
        values = np.abs(self.array.astype(np.float64))
        return float(np.max(values[np.isfinite(values)], initial=0))


class Expected:
    """What an output has to be; `error` is zero if it is exactly that."""

    def __init__(self, array, dtype, error):
        self.array, self.dtype, self.error = array, dtype, error

    @property
    def size(self):
        return self.array.size

    def falsified(self):
        """The same, but with another number."""
        array = np.copy(self.array)
        array.flat[0] = ~array.flat[0] if array.dtype == np.bool_ else array.flat[0] + array.dtype.type(3)
        return Expected(array, self.dtype, self.error)

    def tolist(self):
        return self.array.tolist()

    def differs(self, actual):
        """What is different in an array that was read from a file, or None."""
        if self.dtype == "bf16":
            actual = (actual.astype(np.uint32) << np.uint32(16)).view(np.float32)
        expected = self.array
        if actual.dtype != expected.dtype or actual.shape != expected.shape:
            return f"got {actual.dtype}{list(actual.shape)}, expected {expected.dtype}{list(expected.shape)}"
        if expected.dtype.kind != "f":
            bad = actual != expected
        else:
            with np.errstate(all="ignore"):
                near = np.abs(actual.astype(np.float64) - expected.astype(np.float64)) <= self.error
            bad = ~(near | (actual == expected) | (np.isnan(actual) & np.isnan(expected)))
        if not np.any(bad):
            return None
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        return (f"{int(bad.sum())} of {bad.size} elements, first at {list(where)}: got {actual[where]}, "
                f"expected {expected[where]} give or take {self.error:.3g}")


class Graph:
    """Nodes in the order in which they are computed; those without operands and text are arguments."""

    def __init__(self):
        self.nodes, self.results = [], []
        self.prefix, self.is_plain = "", True

    @property
    def arguments(self):
        return [node for node in self.nodes if not node.text]

    @property
    def inputs(self):
        """The arrays of the arguments as they are in files."""
        arrays = []
        for node in self.arguments:
            array = node.array
            if node.dtype == "bf16":
                array = (array.view(np.uint32) >> np.uint32(16)).astype(np.uint16).reshape(array.shape)
            arrays.append(np.ascontiguousarray(array).reshape(node.shape))
        return arrays

    def evaluate(self):
        """The results; nodes keep their arrays, which are computed once."""
        return [Expected(node.array, node.dtype, node.error) for node in self.results]

    def names(self):
        return {node: f"%{self.prefix}v{n}" for n, node in enumerate(self.nodes)}

    def lines(self):
        names = self.names()
        return [line for node in self.nodes if node.text for line in node.text(names[node], [names[o] for o in node.operands])]

    def text(self):
        return Graph.module([self])

    def drop_unused(self):
        used, work = set(), list(self.results)
        while work:
            node = work.pop()
            if node not in used:
                used.add(node)
                work += node.operands
        self.nodes = [node for node in self.nodes if node in used]

    @staticmethod
    def module(graphs):
        """One function that computes what all graphs do."""
        for place, graph in enumerate(graphs):
            graph.prefix = f"g{place}_" if len(graphs) > 1 else ""
        names = [graph.names() for graph in graphs]
        arguments = ", ".join(f"{names[n][node]}: {node.type}" for n, graph in enumerate(graphs) for node in graph.arguments)
        results = [(names[n][node], node.type) for n, graph in enumerate(graphs) for node in graph.results]
        types = ", ".join(t for _, t in results)
        body = "".join(f"  {line}\n" for graph in graphs for line in graph.lines())
        return (f"func.func @main({arguments}) -> ({types}) {{\n{body}  return {', '.join(n for n, _ in results)} : {types}\n}}\n")

    def clone(self):
        """A copy with nodes of its own, that has the same arrays."""
        copies, graph = {}, Graph()
        graph.is_plain = self.is_plain
        for node in self.nodes:
            copy = Node(node.dtype, node.shape, [copies[o] for o in node.operands], node.text, node.evaluate)
            copy.array, copy.error = node.array, node.error
            copies[node] = copy
            graph.nodes.append(copy)
        graph.results = [copies[node] for node in self.results]
        return graph


def candidates(graph):
    """Smaller graphs: with one result, with a node that is an argument, with an operand in place of a node."""
    for n in range(len(graph.results)):
        if len(graph.results) > 1:
            smaller = graph.clone()
            smaller.results = [smaller.results[n]]
            yield smaller
    for n in reversed(range(len(graph.nodes))):
        if not graph.nodes[n].text or graph.nodes[n].error:
            continue
        smaller = graph.clone()
        smaller.nodes[n].text, smaller.nodes[n].operands = None, []
        yield smaller
    for n, node in enumerate(graph.nodes):
        for place, operand in enumerate(node.operands):
            # What uses it would compute something else, so only a result can become its operand.
            if node in graph.results and operand.text:
                smaller = graph.clone()
                new = smaller.nodes[n].operands[place]
                smaller.results = [new if result is smaller.nodes[n] else result for result in smaller.results]
                yield smaller


def shrink(graph, fails, budget=400):
    """The smallest graph found that `fails`."""
    progress = True
    while progress and budget > 0:
        progress = False
        for smaller in candidates(graph):
            smaller.drop_unused()
            if budget <= 0:
                break
            budget -= 1
            if fails(smaller, smaller.evaluate()):
                graph, progress = smaller, True
                break
    return graph
