# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares every operation that computes with NumPy, as a tensor and as a tile operation.

operations.py PYPTO_RUN SCRATCH_DIRECTORY [--full] [--static] [--interpret] [--llvm-level=N] [ELEMENT_TYPE...]
operations.py --list TBLGEN SOURCE_DIRECTORY MLIR_INCLUDE_DIRECTORY

For each element type and level one program has all operations that take the type (operation_table.py). It runs them on
several shapes, among them one of views, one without elements, and on special values; the extents are names, with --static
constants, one program for each shape. With --full there are more shapes, and tiles are converted, too; with --interpret
programs are not compiled. Prints a line per program and the operations that differ. --list compares the operations of the
programs with those of the dialects.
"""
import concurrent.futures
import os
import re
import subprocess
import sys

import numpy as np

import operation_elements as elements
import operation_table as table
from operation_elements import Element

ROWS, COLUMNS = 8, 16  # physical extents of the tiles
EXTENTS = {"M": "M", "N": "N", "1": "1", "U": None, "W": None}
RESULTS = {"MN": ("M", "N"), "M1": ("M", 1), "1N": (1, "N"), "NM": ("N", "M"), "MM": ("M", "M"), "NN": ("N", "N"),
           "UN": ("M * 2", "N"), "MU": ("M", "N * 2"), "84": (8, 4), "8Z": (8, 64), "WW": (8, 16), "1X": (1, 16),
           "3S": (3, 61), "12": (128, 2), "4Z": (4, 64), "25": (2, 5), "25v": (2, 5), "8H": (8, 32)}
MODES = ["none", "rint", "round", "floor", "ceil", "trunc", "odd"]


class Shape:
    """is_view: the operands are windows of larger tensors; values: random, special or extreme."""

    def __init__(self, rows, columns, values="random", is_view=False):
        self.rows, self.columns, self.values, self.is_view = rows, columns, values, is_view

    def number(self, extent):
        return eval(str(extent), {"M": self.rows, "N": self.columns})  # noqa: S307


QUICK = [Shape(5, 7, "special", is_view=True), Shape(8, 16), Shape(0, 4), Shape(4, 0), Shape(3, 1, "extreme"),
         Shape(7, 13, "extreme")]
FULL = [*QUICK, Shape(1, 9, "special"), Shape(1, 1), Shape(8, 15, "extreme", is_view=True),
        Shape(2, 2, "special"), Shape(6, 11, "extreme")]


class Level:
    """How types are spelled; `shape` is set where extents are constants."""

    def __init__(self, name, element, shape=None):
        self.name, self.element, self.shape = name, element, shape

    def type(self, extents, element, space=None, unknown=False):
        extents = [self.shape.number(e) if self.shape and e != "?" else e for e in extents]
        text = "[" + ", ".join(map(str, extents)) + "]"
        if self.name == "pl":
            valid = ", valid = [?, ?]" if unknown else ""
            return f"!pl.tensor<{text}, {element}{valid}>"
        physical = [eval(str(e), {"M": ROWS, "N": COLUMNS}) for e in extents]  # noqa: S307
        valid = "[?, ?]" if unknown else text if physical != extents else None
        return (f"!tile.tile<{physical}, {element}" + (f", {space}" if space else "")
                + (f", valid = {valid}" if valid else "") + ">")

    def named(self, letter):
        name, index = self.element.name, "i32"
        return {"A": lambda: self.type("MN", name), "R": lambda: self.type("M1", name), "C": lambda: self.type("1N", name),
                "V": lambda: self.type("N", name), "K": lambda: self.type("MN", "i1"),
                "I": lambda: self.type("MN", index), "X": lambda: self.type("M1", "i64"),
                "Z": lambda: self.type([4, 64], name), "Y": lambda: self.type([4, 64], index),
                "H": lambda: self.type("MN", name, unknown=True),
                "B": lambda: self.type("MN", name, unknown=not self.shape),
                "S": lambda: self.element.scalar}[letter]()

    def call(self, match):
        *extents, element = [part.strip() for part in match.group(2).split(",")]
        space = None
        if element in ("mat", "vec"):
            space, element = element, extents.pop()
        element = {"E": self.element.name, "P": table.result_element(PRODUCT, self.element).name}.get(element, element)
        extents = [int(e) if e.isdigit() else e for e in extents]
        return self.type(extents, element, space, unknown=match.group(1) == "Q")

    def spell(self, op, number):
        lines = []
        for statement in op.text.replace("p.", f"{self.name}.").split("\n"):
            head, _, types = statement.rpartition(" : ")
            head = re.sub(r"%Q([a-z]?)", rf"%n{number}\1", head).replace(" to E", f" to {self.element.name}")
            head = head.replace(" to P", f" to {table.result_element(PRODUCT, self.element).name}")
            types = re.sub(r"\b([TQ])\(([^()]*)\)", self.call, types)
            types = re.sub(r"(?<![\w!.<\[])([ARCVKIXZYHBS])(?![\w.(])", lambda m: self.named(m.group(1)), types)
            lines.append(f"  {head} : {types}")
        return "\n".join(lines)


PRODUCT = table.Operation("", "", "", None, "product")


def groups(ops, element):
    """The operations that give results of one shape and type: they are stacked in one output."""
    result = {}
    for op in ops:
        result.setdefault((op.result, table.result_element(op, element).name), []).append(op)
    return result


def operands(element):
    name = element.name
    return [("a", "MN", name), ("b", "MN", name), ("r", "M1", name), ("c", "1N", name), ("v", "N", name), ("m", "MN", "i1"),
            ("i", "MN", "i32"), ("j", "MN", "i32"), ("k", "M1", "i64"), ("z", [4, 64], name), ("y", [4, 64], "i32")]


def function(name, level, ops, element):
    tensor = Level("pl", element, level.shape)
    stacks = groups(ops, element)
    parameters = [f"%{n}: {tensor.type(e, t)}".replace("%", "%g" if level.name == "tile" else "%")
                  for n, e, t in operands(element)]
    parameters += [f"out %o{n}: {tensor.type([len(stack), *RESULTS[letters]], kind)}"
                   for n, ((letters, kind), stack) in enumerate(stacks.items())]
    text = f"pl.func private @{name}({', '.join(parameters)}, %s: {element.scalar}) {{\n"
    first = "g" if level.name == "tile" else ""
    text += f"  %rows = pl.dim %{first}a, 0 : {tensor.named('A')}\n  %columns = pl.dim %{first}a, 1 : {tensor.named('A')}\n"
    text += "".join(f"  %{n} = arith.constant {v}\n" for n, v in
                    [("zero", "0 : index"), ("one", "1 : index"), ("t", "true"), ("f", "false")])
    text += "  %some = arith.minsi %rows, %one : index\n"
    if level.name == "tile":
        for n, e, t in operands(element):
            if n != "v":
                text += f"  %{n} = tile.load %g{n}[0, 0] : {tensor.type(e, t)} -> {level.type(e, t)}\n"
    number = 0
    for n, ((letters, kind), stack) in enumerate(stacks.items()):
        whole = tensor.type([len(stack), *RESULTS[letters]], kind)
        space = "vec" if letters.endswith("v") else None
        for at, op in enumerate(stack):
            text += level.spell(op, number) + "\n"
            store = "pl.assemble" if level.name == "pl" else "tile.store"
            text += (f"  %w{number} = {store} %n{number}, %o{n}[{at}, 0, 0] : "
                     f"{level.type(RESULTS[letters], kind, space)}, {whole}\n")
            number += 1
    return text + "  pl.return\n}\n"


def grow(extents):
    """Extents of the tensor that a view is a window of, and where the window is."""
    at = [1, 2][-len(extents):] if len(extents) < 3 else [0, 1, 1]
    return [e + 3 if p else e for e, p in zip(extents, at)], at


def program(level_name, ops, element, shapes, is_static):
    """The text, and the names of the parameters of main with their extents and element types."""
    text, body, parameters = "", "", []
    stacks = groups(ops, element)
    for number, shape in enumerate(shapes):
        if is_static or number == 0:
            text += function(f"ops{number}", Level(level_name, element, shape if is_static else None), ops, element)
        arguments, types = [], []
        tensors = [(n, [shape.number(x) for x in e], t, "") for n, e, t in operands(element)]
        tensors += [(f"o{n}", [len(stack), *map(shape.number, RESULTS[letters])], kind, "out ")
                    for n, ((letters, kind), stack) in enumerate(stacks.items())]
        for name, extents, kind, direction in tensors:
            is_view = shape.is_view and name in ("a", "b", "m", "o0")
            whole, at = grow(extents) if is_view else (extents, None)
            name = f"{name}_{number}"
            parameters.append((name, whole, at, kind, direction))
            types.append(f"!pl.tensor<{extents}, {kind}>")
            if is_view:
                body += f"  %{name}v = pl.slice %{name}{at} : !pl.tensor<{whole}, {kind}> -> {types[-1]}\n"
                name += "v"
            arguments.append("%" + name)
        callee = f"ops{number if is_static else 0}"
        body += (f"  pl.call @{callee}({', '.join(arguments)}, %s) : ({', '.join(types)}, {element.scalar}) -> ()\n")
    declared = [f"{direction}%{name}: !pl.tensor<{extents}, {kind}>" for name, extents, _, kind, direction in parameters]
    text += f"pl.func @main({', '.join(declared)}, %s: {element.scalar}) {{\n{body}  pl.return\n}}\n"
    return text, parameters


class Values:
    """The operands as they are computed."""

    def __init__(self, element, raw, scalar):
        self.element, self.raw, self.product = element, raw, table.result_element(PRODUCT, element)
        for name in "abrcvz":
            setattr(self, name, element.widen(raw[name]))
        self.m, self.i, self.j, self.k, self.y = (raw[n] for n in "mijky")
        self.s = element.widen(np.asarray(scalar))[()]


def make_operands(element, shape, rng):
    rows, columns = shape.rows, shape.columns
    def make(*extents):
        if shape.values == "random":
            return element.random(rng, extents)
        return element.special(rng, extents, shape.values == "extreme")
    raw = {"a": make(rows, columns), "b": make(rows, columns), "r": make(rows, 1), "c": make(1, columns),
           "v": make(columns), "z": make(4, 64), "m": rng.random((rows, columns)) < 0.5}
    index = lambda end, extents, kind: rng.integers(0, max(end, 1), extents, kind)  # noqa: E731
    return {**raw, "i": index(columns, (rows, columns), "i4"), "j": index(rows, (rows, columns), "i4"),
            "k": index(rows, (rows, 1), "i8"), "y": index(1 << 30, (4, 64), "i4")}


def differs(element, op, actual, expected, shape):
    """None if equal as far as the operation promises; else a description."""
    kind = table.result_element(op, element)
    if not kind.is_float:
        expected = kind.narrow(expected)
        return None if actual.shape == expected.shape and np.array_equal(actual, expected) else (actual, expected)
    if not op.ordered and shape.values == "extreme":
        return None  # Whether a sum of numbers near the limits overflows depends on its order.
    if op.element != "product" or kind.name == element.name:
        expected = kind.widen(kind.narrow(expected))
    actual = kind.widen(actual)
    if actual.shape != expected.shape:
        return actual, expected
    if op.loose == 0:
        # Which zero is the larger one is not fixed.
        is_same_sign = (np.signbit(actual) == np.signbit(expected)) | bool(re.search("max|min|relu", op.name))
        same = (actual == expected) & is_same_sign | np.isnan(actual) & np.isnan(expected)
    else:
        rtol = element.rtol * op.loose
        # Sums of products of numbers below 4: cancellation leaves an absolute error.
        same = np.isclose(actual, expected, rtol=rtol, atol=2 * kind.tiny if op.ordered else rtol, equal_nan=True)
    return None if same.all() else (actual[~same], expected[~same])


def execute(tool, directory, name, text, arguments, outputs):
    """Runs main; the arrays of its outputs."""
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, name + ".mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    flags = []
    for number, argument in enumerate(arguments):
        if isinstance(argument, np.ndarray):
            np.save(f"{directory}/{name}-{number}.npy", argument)
            argument = f"{directory}/{name}-{number}.npy"
        flags.append(f"--arg={argument}")
    files = [f"{directory}/{name}-out{n}.npy" for n in range(outputs)]
    subprocess.run([*tool, path, "--entry=main", *flags, *(f"--out={file}" for file in files)], check=True)
    return [np.load(file) for file in files]


def run(tool, directory, element, level, shapes, is_static, seed):
    rng = np.random.default_rng(seed)
    if is_static and level == "tile":  # The extents of tiles are positive.
        shapes = [shape for shape in shapes if shape.rows and shape.columns]
    # Tiles of constant extents are valid as a whole: there is no padding.
    ops = [op for op in table.operations(level, element.kind)
           if not (is_static and level == "tile" and op.name.startswith(("fillpad", "create")))]
    text, parameters = program(level, ops, element, shapes, is_static)
    scalar = element.random(rng, (1,))[0]
    raws = [make_operands(element, shape, rng) for shape in shapes]
    arguments = []
    for name, whole, at, kind, direction in parameters:
        if direction:
            continue
        operand, number = name.split("_")
        array = raws[int(number)][operand]
        if at:
            larger = np.zeros(whole, array.dtype)
            larger[tuple(slice(p, p + e) for p, e in zip(at, array.shape))] = array
            array = larger
        arguments.append(array)
    arguments.append(element.literal(scalar))
    outs = [p for p in parameters if p[4]]
    results = execute(tool, directory, f"{level}-{element.name}", text, arguments, len(outs))
    wrong, messages = set(), []
    stacks = groups(ops, element)
    for (name, _, at, _, _), result in zip(outs, results):
        group, number = name[1:].split("_")
        shape, stack = shapes[int(number)], list(stacks.values())[int(group)]
        values = Values(element, raws[int(number)], scalar)
        for row, op in enumerate(stack):
            actual = result[row]
            if at:
                letters = RESULTS[op.result]
                actual = actual[1:1 + shape.number(letters[0]), 1:1 + shape.number(letters[1])]
            with np.errstate(all="ignore"):
                expected = op.reference(values)
            difference = differs(element, op, actual, expected, shape)
            if difference:
                wrong.add(op.name)
                messages.append(f"{level}.{op.name} on {element.name} {shape.rows}x{shape.columns}: got\n"
                                f"{difference[0]}\nexpected\n{difference[1]}")
    return len(wrong), "\n".join([*messages, f"{level} {element.name}: {len(ops)} operations at {len(shapes)} shapes, "
                                  f"{len(wrong)} wrong"])


#===- Conversions ----------------------------------------------------------------===#

def cast_values(source, rng):
    """Numbers around the limits of every type, halves, and any."""
    limits = [s * (2 ** n + d) for n in (0, 3, 7, 8, 11, 15, 16, 24, 31, 32, 53, 63, 64) for d in (-1, 0, 1) for s in (1, -1)]
    limits += [2 ** 30 + 2 ** 22 + 1, 2 ** 62 + 2 ** 54 + 1, 2 ** 62 + 2 ** 38 + 1, 2 ** 62 - 2 ** 53 - 1, 2 ** 53 + 2 ** 45 + 1]
    if source.is_bool:
        return np.array([[False, True]])
    if not source.is_float:
        return elements.wrap(np.array([[*limits, *source.random(rng, 64).tolist()]], object), source.storage)
    halves = [s * (n + h) for n in range(5) for h in (0.5, 0.25, 0.75) for s in (1, -1)]
    precise = [1 + 2.0 ** -8, 1 + 2.0 ** -8 + 2.0 ** -30, 1 + 2.0 ** -11 + 2.0 ** -40, 1 + 3 * 2.0 ** -9, 65519.99, 65520.0,
               3.4e38, 3.396e38, 1e300, 2.0 ** -25, 2.0 ** -25 * (1 + 2.0 ** -40), 2.0 ** -134, 1e-45, 1e-320]
    with np.errstate(all="ignore"):
        numbers = source.narrow(np.array([*map(float, limits), *halves, *precise, *(-x for x in precise)]))
    numbers = np.concatenate([numbers, source.picks(True), source.random(rng, 64)])
    if source.name == "f32":  # NaNs whose bits are all in the half that bf16 does not have.
        numbers = np.concatenate([numbers, np.array([0x7F800001, 0xFF800001], np.uint32).view(np.float32)])
    return numbers[None]


def run_casts(tool, directory, source, level, seed):
    values = cast_values(source, np.random.default_rng(seed))
    targets = [Element(name) for name in elements.NAMES]
    count = values.shape[1]
    modes = {t.name: MODES if source.is_float and t.kind in "iu" else MODES[:1] for t in targets}
    tensor = Level("pl", source)
    outs = [f"out %o{t.name}: {tensor.type([len(modes[t.name]), 1, count], t.name)}" for t in targets]
    text = f"pl.func @main(%x: {tensor.type([1, count], source.name)}, {', '.join(outs)}) {{\n"
    if level == "tile":
        text += f"  %t = tile.load %x[0, 0] : {tensor.type([1, count], source.name)} -> " \
                f"!tile.tile<[1, {count}], {source.name}>\n"
    for t in targets:
        for number, mode in enumerate(modes[t.name]):
            name, whole = f"{t.name}{number}", tensor.type([len(modes[t.name]), 1, count], t.name)
            kind = "!pl.tensor" if level == "pl" else "!tile.tile"
            text += (f"  %{name} = {level}.cast %{'x' if level == 'pl' else 't'} to {t.name} mode {mode} : "
                     f"{kind}<[1, {count}], {source.name}>\n")
            store = "pl.assemble" if level == "pl" else "tile.store"
            text += f"  %w{name} = {store} %{name}, %o{t.name}[{number}, 0, 0] : {kind}<[1, {count}], {t.name}>, {whole}\n"
    results = execute(tool, directory, f"cast-{level}-{source.name}", text + "  pl.return\n}\n", [values], len(targets))
    wrong, messages = 0, []
    for target, result in zip(targets, results):
        for number, mode in enumerate(modes[target.name]):
            with np.errstate(all="ignore"):
                expected = elements.convert(source, target, values, mode)
            actual, wanted = target.widen(result[number]), target.widen(expected)
            same = (actual == wanted) & (np.signbit(actual) == np.signbit(wanted)) if target.is_float else actual == wanted
            same |= (actual != actual) & (wanted != wanted)
            if not same.all():
                wrong += 1
                messages.append(f"{level}.cast {source.name} to {target.name} mode {mode}: of {values[~same]} got\n"
                                f"{actual[~same]}\nexpected\n{wanted[~same]}")
    return wrong, "\n".join([*messages, f"{level} casts of {source.name}: {wrong} wrong"])


#===- The list ------------------------------------------------------------------------===#

def compare_lists(tblgen, source, includes):
    sys.path.insert(0, os.path.join(source, "test", "Docs"))
    from pathlib import Path

    from operation_lists import operations
    tested = {"pl.assemble", "tile.store", "tile.load", "pl.cast", "tile.cast", "pl.dim"}
    for level in ("pl", "tile"):
        for kind in "fiub":
            for op in table.operations(level, kind):
                tested.update(re.findall(r"\b(?:pl|tile)\.[a-z_0-9.]*[a-z0-9]", op.text.replace("p.", f"{level}.")))
    elsewhere = [name for names in table.ELSEWHERE.values() for name in names]
    known = operations(tblgen, Path(source), includes)
    missing = [n for n in sorted(known - tested) if n not in elsewhere and n.split(".")[0] + ".*" not in elsewhere]
    stale = [n for n in elsewhere if n in tested or (n not in known and not n.endswith("*"))]
    print("\n".join([f"{n} has no numeric test" for n in missing] + [f"{n} is listed in vain" for n in stale]))
    return bool(missing or stale) or not known


def main(arguments):
    if arguments[0] == "--list":
        sys.exit(compare_lists(*arguments[1:]))
    tool, directory, *rest = arguments
    tool = [tool, *(flag for flag in rest if flag.startswith(("--interpret", "--llvm-level")))]
    names = [name for name in rest if not name.startswith("--")] or elements.NAMES
    shapes = FULL if "--full" in rest else QUICK
    jobs = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name in names:
            for level in ("pl", "tile"):
                jobs.append(pool.submit(run, tool, directory, Element(name), level, shapes, "--static" in rest, 3))
                if level == "pl" or "--full" in rest:
                    jobs.append(pool.submit(run_casts, tool, directory, Element(name), level, 3))
        wrong = 0
        for job in jobs:
            count, text = job.result()
            wrong += count
            print(text, flush=True)
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main(sys.argv[1:])
