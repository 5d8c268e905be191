# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares every compute operation with NumPy, as a tensor and as a tile operation.

operations.py PYPTO_RUN SCRATCH_DIRECTORY [--quick] [--interpret] [ELEMENT_TYPE...]

For each element type one program has all operations that take it; it runs at odd, unit and zero extents (tiles: with
valid shapes smaller than the tile) and on special values; with --quick at two of them, with --interpret without
compiling it. Prints a line per program and the operations that differ.
"""
import os
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Examples"))
from run_example import bf16, from_bf16  # noqa: E402

FLOATS = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": np.uint16}
INTS = {f"{u}i{w}": np.dtype(f"{'u' if u else 'i'}{w // 8}").type for w in (8, 16, 32, 64) for u in ("", "u")}
ROWS, COLUMNS = 8, 16  # physical extents of the tiles
# Every second one is filled with special values.
SHAPES = [(5, 7), (8, 16), (0, 4), (3, 1), (1, 9), (1, 1)]
QUICK_SHAPES = SHAPES[:2]


class Element:
    """An element type: how its arrays look in NumPy, and in which type they are computed."""

    def __init__(self, name):
        self.name = name
        self.is_float = name in FLOATS
        self.storage = FLOATS[name] if self.is_float else INTS[name]
        self.compute = np.float32 if name in ("f16", "bf16") else self.storage
        self.scalar = name if self.is_float else name.lstrip("u")
        # One operation in the compute type, rounded to the element type, and a library function's last digits.
        self.rtol = {"f16": 2e-3, "bf16": 1.6e-2, "f32": 2e-6, "f64": 1e-14}.get(name, 0)

    def widen(self, array):
        if self.name == "bf16":
            return from_bf16(np.atleast_1d(array)).reshape(np.shape(array))
        return np.asarray(array).astype(self.compute)

    def narrow(self, array):
        if self.name == "bf16":
            return bf16(np.asarray(array, np.float32))
        return np.asarray(array).astype(self.storage)

    def random(self, rng, shape):
        if self.is_float:
            return self.narrow(rng.uniform(-4, 4, shape))
        info = np.iinfo(self.storage)
        return rng.integers(info.min, info.max, shape, self.storage, endpoint=True)

    def special(self, rng, shape):
        array = self.random(rng, shape)
        if self.is_float:
            values = [0.0, -0.0, 1.0, np.inf, -np.inf, np.nan, 1e-3, -2.5]
        else:
            info = np.iinfo(self.storage)
            values = [0, 1, info.min, info.max, 2]
            values += [-1] if info.min < 0 else []
        picks = self.narrow(np.array(values, np.float64 if self.is_float else self.storage))
        mask = rng.random(shape) < 0.5
        array[mask] = picks[rng.integers(0, len(values), int(mask.sum()))]
        return array


def divide(a, b):
    """Rounded towards zero; zero where the divisor is."""
    if a.dtype.kind == "f":
        return a / b
    safe = np.where(b == 0, 1, b)
    wide = [np.array(int(x) // int(y) if (x < 0) == (y < 0) else -(-int(x) // int(y)), object)
            for x, y in zip(a.ravel(), safe.ravel())]
    result = np.array([int(w) for w in wide], object).reshape(a.shape)
    bits = 8 * a.itemsize
    wrapped = [int(w) & ((1 << bits) - 1) for w in result.ravel()]
    return np.where(b == 0, a.dtype.type(0), np.array(wrapped, f"u{a.itemsize}").astype(a.dtype).reshape(a.shape))


def remainder(a, b):
    if a.dtype.kind == "f":
        return np.fmod(a, b)
    safe = np.where(b == 0, 1, b)
    return np.where(b == 0, a.dtype.type(0), np.fmod(a, safe))


def shift_left(a, b):
    bits = 8 * a.itemsize
    count = b.astype(f"u{b.itemsize}")
    return np.where(count >= bits, a.dtype.type(0), a << np.where(count >= bits, 0, count).astype(a.dtype))


def shift_right(a, b):
    bits = 8 * a.itemsize
    count = b.astype(f"u{b.itemsize}")
    full = a >> (bits - 1) if a.dtype.kind == "i" else np.zeros_like(a)
    return np.where(count >= bits, full, a >> np.where(count >= bits, 0, count).astype(a.dtype))


def reduce_or(function, initial, axis):
    return lambda a: function(a, axis=axis, keepdims=True, initial=initial(a.dtype))


def lowest(dtype):
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def highest(dtype):
    return np.inf if dtype.kind == "f" else np.iinfo(dtype).max


def argument(function, axis):
    def run(a):
        if a.shape[axis] == 0:
            return np.zeros([1 if d == axis % 2 else n for d, n in enumerate(a.shape)], np.int32)
        return np.expand_dims(function(a, axis=axis), axis).astype(np.int32)
    return run


class Operation:
    """text: the operation on %a, %b (both M x N), %r (M x 1), %c (1 x N), %s (a scalar), %m (a mask);
    result: the letters of its extents; element: of the result, None for the operands'."""

    def __init__(self, name, text, result, reference, element=None, kinds="fiu", exact=True, loose=1.0, is_tile=True):
        self.name, self.text, self.result, self.reference = name, text, result, reference
        self.element, self.kinds, self.exact, self.loose, self.is_tile = element, kinds, exact, loose, is_tile


def operations():
    two = [("add", lambda a, b: a + b, "fiu"), ("sub", lambda a, b: a - b, "fiu"), ("mul", lambda a, b: a * b, "fiu"),
           ("div", divide, "fiu"), ("fmod", remainder, "fiu"), ("maximum", np.maximum, "fiu"),
           ("minimum", np.minimum, "fiu"), ("and", np.bitwise_and, "iu"), ("or", np.bitwise_or, "iu"),
           ("xor", np.bitwise_xor, "iu"), ("shl", shift_left, "iu"), ("shr", shift_right, "iu")]
    for name, reference, kinds in two:
        yield Operation(name, f"{name} %a, %b : A, A", "MN", lambda v, f=reference: f(v.a, v.b), kinds=kinds)
        yield Operation(name + " scalar", f"{name} %a, %s : A, S", "MN",
                        lambda v, f=reference: f(v.a, np.full_like(v.a, v.s)), kinds=kinds)
        if name not in ("shl", "shr"):
            yield Operation(name + " row", f"{name} %a, %r : A, R", "MN",
                            lambda v, f=reference: f(v.a, np.broadcast_to(v.r, v.a.shape)), kinds=kinds)
            yield Operation(name + " column", f"{name} %a, %c : A, C", "MN",
                            lambda v, f=reference: f(v.a, np.broadcast_to(v.c, v.a.shape)), kinds=kinds)
    for kind, reference in [("eq", np.equal), ("ne", np.not_equal), ("lt", np.less), ("le", np.less_equal),
                            ("gt", np.greater), ("ge", np.greater_equal)]:
        yield Operation("cmp " + kind, f"cmp {kind} %a, %b : A, A", "MN", lambda v, f=reference: f(v.a, v.b), "i1")
    one = [("exp", np.exp, "f"), ("log", np.log, "f"), ("sqrt", np.sqrt, "f"), ("rsqrt", lambda a: 1 / np.sqrt(a), "f"),
           ("recip", lambda a: 1 / a, "f"), ("sin", np.sin, "f"), ("cos", np.cos, "f"), ("neg", np.negative, "fiu"),
           ("abs", np.abs, "fiu"), ("relu", lambda a: np.maximum(a, a.dtype.type(0)), "fiu"), ("not", np.invert, "iu")]
    for name, reference, kinds in one:
        yield Operation(name, f"{name} %a : A", "MN", lambda v, f=reference: f(v.a), kinds=kinds, exact=kinds != "f",
                        loose=4.0)
    for axis, word, result in [(1, "row", "M1"), (0, "col", "1N")]:
        rest = dict(kinds="fiu", exact=False, loose=8.0)
        yield Operation(word + "_sum", f"{word}_sum %a : A", result,
                        lambda v, x=axis: v.a.sum(axis=x, keepdims=True, dtype=v.a.dtype), **rest)
        yield Operation(word + "_prod", f"{word}_prod %a : A", result,
                        lambda v, x=axis: v.a.prod(axis=x, keepdims=True, dtype=v.a.dtype), **rest)
        yield Operation(word + "_max", f"{word}_max %a : A", result,
                        lambda v, x=axis: reduce_or(np.max, lowest, x)(v.a))
        yield Operation(word + "_min", f"{word}_min %a : A", result,
                        lambda v, x=axis: reduce_or(np.min, highest, x)(v.a))
        yield Operation(word + "_argmax", f"{word}_argmax %a : A", result,
                        lambda v, x=axis: argument(np.argmax, x)(v.a), "i32")
        yield Operation(word + "_argmin", f"{word}_argmin %a : A", result,
                        lambda v, x=axis: argument(np.argmin, x)(v.a), "i32")
        vector, letter = ("r", "R") if axis == 1 else ("c", "C")
        yield Operation(word + "_expand", f"{word}_expand %a, %{vector} : A, {letter}", "MN",
                        lambda v, n=vector: np.broadcast_to(getattr(v, n), v.a.shape))
        for name, reference in [("add", two[0][1]), ("sub", two[1][1]), ("mul", two[2][1]), ("div", divide),
                                ("max", np.maximum), ("min", np.minimum)]:
            yield Operation(f"{word}_expand_{name}", f"{word}_expand_{name} %a, %{vector} : A, {letter}", "MN",
                            lambda v, f=reference, n=vector: f(v.a, np.broadcast_to(getattr(v, n), v.a.shape)))
        yield Operation(f"{word}_expand_expdif", f"{word}_expand_expdif %a, %{vector} : A, {letter}", "MN",
                        lambda v, n=vector: np.exp(v.a - getattr(v, n)), kinds="f", exact=False, loose=8.0)
    yield Operation("sel", "sel %m, %a, %b : K, A, A", "MN", lambda v: np.where(v.m, v.a, v.b))
    yield Operation("sel scalar", "sel %m, %a, %s : K, A, S", "MN", lambda v: np.where(v.m, v.a, v.s))
    yield Operation("transpose", "transpose %a, 0, 1 : A", "NM", lambda v: v.a.T)
    yield Operation("matmul", "matmul %a, %b b_trans to E : A, A", "MM", lambda v: v.a @ v.b.T, exact=False, loose=64.0,
                    is_tile=False)
    yield Operation("matmul a_trans", "matmul %a, %b a_trans to E : A, A", "NN", lambda v: v.a.T @ v.b, exact=False,
                    loose=64.0, is_tile=False)


class Values:
    def __init__(self, element, arrays, scalar, mask):
        self.a, self.b, self.r, self.c = (element.widen(x) for x in arrays)
        self.s, self.m = element.widen(np.asarray(scalar))[()], mask


def chosen(element, is_tile):
    kind = "f" if element.is_float else "u" if element.name.startswith("u") else "i"
    return [op for op in operations() if kind in op.kinds and (op.is_tile or not is_tile)]


def tensor_type(letters, element):
    return f"!pl.tensor<[{letters[0]}, {letters[1]}], {element}>"


def tile_type(letters, element):
    extents = {"M": ROWS, "N": COLUMNS, "1": 1}
    physical = f"[{extents[letters[0]]}, {extents[letters[1]]}]"
    return f"!tile.tile<{physical}, {element}, valid = [{letters[0]}, {letters[1]}]>"


def spell(text, type_of, element):
    head, types = text.split(" : ")
    names = {"A": type_of("MN", element.name), "R": type_of("M1", element.name), "C": type_of("1N", element.name),
             "K": type_of("MN", "i1"), "S": element.scalar}
    head = head.replace(" to E", f" to {element.name}")
    return head + " : " + ", ".join(names[t] for t in types.split(", "))


def signature(element, results):
    parameters = [("a", "MN", element.name), ("b", "MN", element.name), ("r", "M1", element.name),
                  ("c", "1N", element.name), ("m", "MN", "i1")]
    text = ", ".join(f"%{n}: {tensor_type(s, e)}" for n, s, e in parameters)
    return f"pl.func @main({text}, %s: {element.scalar}) -> ({', '.join(results)}) {{\n", parameters


def tensor_program(element, chosen_operations):
    results = [tensor_type(op.result, op.element or element.name) for op in chosen_operations]
    text, _ = signature(element, results)
    for number, op in enumerate(chosen_operations):
        text += f"  %{number} = pl.{spell(op.text, tensor_type, element)}\n"
    names = ", ".join(f"%{n}" for n in range(len(results)))
    return text + f"  pl.return {names} : {', '.join(results)}\n}}\n"


def tile_program(element, chosen_operations):
    results = [tensor_type(op.result, op.element or element.name) for op in chosen_operations]
    text, parameters = signature(element, results)
    for name, shape, kind in parameters:
        text += f"  %t{name} = tile.load %{name}[0, 0] : {tensor_type(shape, kind)} -> {tile_type(shape, kind)}\n"
    for number, op in enumerate(chosen_operations):
        operation = spell(op.text, tile_type, element)
        for name, _, _ in parameters:
            operation = operation.replace(f"%{name}", f"%t{name}")
        kind = op.element or element.name
        text += f"  %{number} = tile.{operation}\n  %o{number} = pl.create : {results[number]}\n"
        text += (f"  %w{number} = tile.store %{number}, %o{number}[0, 0] : {tile_type(op.result, kind)}, "
                 f"{results[number]}\n")
    names = ", ".join(f"%w{n}" for n in range(len(results)))
    return text + f"  pl.return {names} : {', '.join(results)}\n}}\n"


def differs(element, op, actual, expected):
    """None if equal as far as the operation promises; else a description."""
    if op.element or not element.is_float:
        expected = np.asarray(expected).astype(np.bool_ if op.element == "i1" else actual.dtype)
        return None if actual.shape == expected.shape and np.array_equal(actual, expected) else (actual, expected)
    expected = element.widen(element.narrow(expected))
    actual = element.widen(actual)
    rtol = element.rtol * (1.0 if op.exact else op.loose)
    # Sums of products of numbers below 4: cancellation leaves an absolute error.
    atol = 0.0 if op.exact else rtol
    if actual.shape == expected.shape and np.allclose(actual, expected, rtol=rtol, atol=atol, equal_nan=True):
        return None
    return actual, expected


def run(tool, directory, element, level, shapes, rng):
    chosen_operations = chosen(element, level == "tile")
    program = os.path.join(directory, f"{level}-{element.name}.mlir")
    with open(program, "w", encoding="utf-8") as file:
        file.write((tile_program if level == "tile" else tensor_program)(element, chosen_operations))
    wrong = set()
    for number, (rows, columns) in enumerate(shapes):
        make = element.special if number % 2 else element.random
        operands = [(rows, columns), (rows, columns), (rows, 1), (1, columns)]
        arrays = [make(rng, shape) for shape in operands]
        mask = rng.random((rows, columns)) < 0.5
        scalar = element.random(rng, (1,))[0]
        flags = []
        for name, array in zip("abrcm", [*arrays, mask]):
            path = os.path.join(directory, f"{name}.npy")
            np.save(path, array)
            flags.append(f"--arg={path}")
        literal = element.widen(np.asarray(scalar))[()]
        if not element.is_float and element.name.startswith("u"):
            literal = np.asarray(scalar).astype(np.dtype(f"i{np.asarray(scalar).itemsize}"))[()]
        flags.append(f"--arg={float(literal)!r}" if element.is_float else f"--arg={int(literal)}")
        outputs = [os.path.join(directory, f"out{n}.npy") for n in range(len(chosen_operations))]
        flags += [f"--out={path}" for path in outputs]
        subprocess.run([*tool, program, "--entry=main", *flags], check=True)
        values = Values(element, arrays, scalar, mask)
        for op, path in zip(chosen_operations, outputs):
            with np.errstate(all="ignore"):
                expected = op.reference(values)
            difference = differs(element, op, np.load(path), expected)
            if difference:
                wrong.add(op.name)
                print(f"{level}.{op.name} on {element.name} {rows}x{columns}: got\n{difference[0]}\nexpected\n"
                      f"{difference[1]}")
    print(f"{level} {element.name}: {len(chosen_operations)} operations at {len(shapes)} shapes, {len(wrong)} wrong")
    return wrong


def main(tool, directory, *arguments):
    os.makedirs(directory, exist_ok=True)
    names = [name for name in arguments if not name.startswith("--")] or [*FLOATS, *INTS]
    tool = [tool, "--interpret"] if "--interpret" in arguments else [tool]
    shapes = QUICK_SHAPES if "--quick" in arguments else SHAPES
    rng = np.random.default_rng(3)
    wrong = [run(tool, directory, Element(name), level, shapes, rng) for name in names for level in ("pl", "tile")]
    sys.exit(any(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
