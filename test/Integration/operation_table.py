# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operations, as text and as NumPy.

In a text `%Q` is the result and `%Qx`, `%Qy`, … other values; `p.` is the dialect. Operands, and the letters for the type
of each: %a, %b (A: M x N), %r (R: M x 1), %c (C: 1 x N), %v (V: N, tensors only), %m (K: M x N booleans), %s (a scalar,
S), %i and %j (I: M x N indices of the last and of the first dimension), %k (X: M x 1 indices of rows), %z and %y (Z, Y:
4 x 64 elements, and indices of theirs). `T(...)` is the type of the level with these extents and elements (E: those of the
operands, P: those of a product of tiles), `Q(...)` the same with valid extents that are not known, H that of %a so, and B
what comes of A and H. %rows and %columns are M and N, %some is 1 if there is a row, %zero, %one, %t and %f are constants.
"""
import numpy as np

import operation_elements as elements
from operation_elements import Element


class Operation:
    """result: the letters of its extents; element: of the result, None for that of the operands; kinds: f(loat),
    i(nteger), u(nsigned), b(oolean); loose: in units of the element's tolerance, 0 if it is exact; ordered: False for
    sums, whose terms are of no fixed order."""

    def __init__(self, name, text, result, reference, element=None, kinds="fiu", loose=0.0, level="", ordered=True):
        self.name, self.text, self.result, self.reference = name, text, result, reference
        self.element, self.kinds, self.loose, self.level, self.ordered = element, kinds, loose, level, ordered


def result_element(op, element):
    if op.element == "product":
        return Element("f64" if element.name == "f64" else "f32" if element.is_float else
                       "i64" if element.bits == 64 else "i32")
    return Element(op.element) if op.element else element


def line(text):
    return f"%Q = p.{text}"


#===- Elementwise -------------------------------------------------------------------===#

def binary():
    add, sub, mul = (lambda v, a, b: a + b), (lambda v, a, b: a - b), (lambda v, a, b: a * b)
    wide = lambda f: lambda v, a, b: f(a, b)  # noqa: E731
    for name, f, kinds in [
            ("add", add, "fiub"), ("sub", sub, "fiub"), ("mul", mul, "fiub"), ("div", wide(elements.divide), "fiub"),
            ("fmod", wide(elements.remainder), "fiub"), ("maximum", wide(np.maximum), "fiub"),
            ("minimum", wide(np.minimum), "fiub"), ("and", wide(np.bitwise_and), "iub"),
            ("or", wide(np.bitwise_or), "iub"), ("xor", wide(np.bitwise_xor), "iub"),
            ("shl", lambda v, a, b: elements.shift_left(a, b, v.element.bits), "iub"),
            ("shr", lambda v, a, b: elements.shift_right(a, b, v.element.bits), "iub")]:
        yield Operation(name, line(f"{name} %a, %b : A, A"), "MN", lambda v, f=f: f(v, v.a, v.b), kinds=kinds)
        yield Operation(name + " scalar", line(f"{name} %a, %s : A, S"), "MN",
                        lambda v, f=f: f(v, v.a, np.full_like(v.a, v.s)), kinds=kinds)
        for operand, letter in [("r", "R"), ("c", "C"), ("v", "V")]:
            yield Operation(f"{name} %{operand}", line(f"{name} %a, %{operand} : A, {letter}"), "MN",
                            lambda v, f=f, o=operand: f(v, v.a, np.broadcast_to(getattr(v, o), v.a.shape)), kinds=kinds,
                            level="pl" if operand == "v" else "")


def selection():
    for kind, f in [("eq", np.equal), ("ne", np.not_equal), ("lt", np.less), ("le", np.less_equal), ("gt", np.greater),
                    ("ge", np.greater_equal)]:
        yield Operation("cmp " + kind, line(f"cmp {kind} %a, %b : A, A"), "MN", lambda v, f=f: f(v.a, v.b), "i1", "fiub")
    yield Operation("cmp scalar", line("cmp lt %a, %s : A, S"), "MN", lambda v: v.a < v.s, "i1", "fiub")
    yield Operation("sel", line("sel %m, %a, %b : K, A, A"), "MN", lambda v: np.where(v.m, v.a, v.b), kinds="fiub")
    yield Operation("sel scalar", line("sel %m, %a, %s : K, A, S"), "MN", lambda v: np.where(v.m, v.a, v.s),
                    kinds="fiub")
    yield Operation("sel row", line("sel %m, %a, %c : K, A, C"), "MN", lambda v: np.where(v.m, v.a, v.c), kinds="fiub")


def unary():
    for name, f, kinds in [
            ("exp", elements.in_double(np.exp), "f"), ("log", elements.in_double(np.log), "f"),
            ("sqrt", np.sqrt, "f"), ("rsqrt", lambda a: 1 / np.sqrt(a), "f"), ("recip", lambda a: 1 / a, "f"),
            ("sin", elements.in_double(np.sin), "f"), ("cos", elements.in_double(np.cos), "f"),
            ("neg", np.negative, "fiub"), ("abs", np.abs, "fiub"),
            ("relu", lambda a: np.maximum(a, a.dtype.type(0)), "fiub"), ("not", np.invert, "iub")]:
        yield Operation(name, line(f"{name} %a : A"), "MN", lambda v, f=f: f(v.a), kinds=kinds,
                        loose=1.0 if name in ("exp", "log", "sin", "cos") else 0.0)


#===- Rows and columns --------------------------------------------------------------===#

def first(function, axis):
    def run(v):
        if v.a.shape[axis] == 0:
            return np.zeros([1 if d == axis % 2 else n for d, n in enumerate(v.a.shape)], np.int32)
        return np.expand_dims(function(v.a, axis=axis), axis).astype(np.int32)
    return run


def fold(function, start, axis):
    """One after the other, from `start`, in the compute type."""
    def run(v):
        result = np.full([1 if d == axis else n for d, n in enumerate(v.a.shape)], start(v.element), v.a.dtype)
        for part in np.split(v.a, v.a.shape[axis], axis) if v.a.shape[axis] else []:
            result = function(result, part)
        return result
    return run


def axes():
    zero, one = (lambda element: 0), (lambda element: 1)
    for axis, word, result, vector in [(1, "row", "M1", "r"), (0, "col", "1N", "c")]:
        letter = vector.upper()
        for name, f, start, is_sum in [("sum", np.add, zero, True), ("prod", np.multiply, one, True),
                                       ("max", np.maximum, elements.lowest, False),
                                       ("min", np.minimum, elements.highest, False)]:
            yield Operation(f"{word}_{name}", line(f"{word}_{name} %a : A"), result, fold(f, start, axis),
                            loose=8.0 if is_sum else 0.0, ordered=not is_sum)
        for name, f in [("argmax", np.argmax), ("argmin", np.argmin)]:
            yield Operation(f"{word}_{name}", line(f"{word}_{name} %a : A"), result, first(f, axis), "i32")
        yield Operation(word + "_expand", line(f"{word}_expand %a, %{vector} : A, {letter}"), "MN",
                        lambda v, n=vector: np.broadcast_to(getattr(v, n), v.a.shape), kinds="fiub")
        for name, f in [("add", np.add), ("sub", np.subtract), ("mul", np.multiply), ("div", elements.divide),
                        ("max", np.maximum), ("min", np.minimum)]:
            yield Operation(f"{word}_expand_{name}", line(f"{word}_expand_{name} %a, %{vector} : A, {letter}"), "MN",
                            lambda v, f=f, n=vector: f(v.a, np.broadcast_to(getattr(v, n), v.a.shape)))
        yield Operation(f"{word}_expand_expdif", line(f"{word}_expand_expdif %a, %{vector} : A, {letter}"), "MN",
                        lambda v, n=vector: elements.in_double(np.exp)(v.a - getattr(v, n)), kinds="f", loose=1.0)


#===- Matrix products ----------------------------------------------------------------===#

def product(v, a, b, to=None):
    """Floats in f32 or f64, integers modulo the width of the result."""
    to = to or v.element
    if v.element.is_float:
        return a @ b
    return elements.wrap(a.astype(object) @ b.astype(object) if a.size and b.size else
                         np.zeros((a.shape[0], b.shape[1]), object), to.storage)


def products():
    rest = dict(loose=64.0, ordered=False)
    acc = lambda v: np.broadcast_to(v.r, (len(v.r), len(v.r)))  # noqa: E731
    yield Operation("matmul", line("matmul %a, %b b_trans to E : A, A"), "MM", lambda v: product(v, v.a, v.b.T),
                    level="pl", **rest)
    yield Operation("matmul a_trans", line("matmul %a, %b a_trans to E : A, A"), "NN",
                    lambda v: product(v, v.a.T, v.b), level="pl", **rest)
    yield Operation("matmul batch", "%Qx = pl.reshape %z : Z -> T(2, 4, 32, E)\n"
                    "%Qy = pl.matmul %Qx, %Qx b_trans to E : T(2, 4, 32, E), T(2, 4, 32, E)\n"
                    "%Q = pl.reshape %Qy : T(2, 4, 4, E) -> T(8, 4, E)", "84",
                    lambda v: np.concatenate([product(v, x, x.T) for x in v.z.reshape(2, 4, 32)]), level="pl", **rest)
    for flag, f in [("", lambda v: acc(v) + product(v, v.a, v.b.T)), (" init %t", lambda v: product(v, v.a, v.b.T)),
                    (" init %f", lambda v: acc(v) + product(v, v.a, v.b.T))]:
        yield Operation("matmul_acc" + flag, "%Qx = pl.create : T(M, M, E)\n%Qy = pl.row_expand %Qx, %r : T(M, M, E), R\n"
                        f"%Q = pl.matmul_acc %Qy, %a, %b{flag} b_trans : T(M, M, E), A, A", "MM", f, level="pl", **rest)
    wide = dict(element="product", level="tile", **rest)
    both = "%Qb = tile.transpose %b, 0, 1 : A\n"
    tile_product = lambda v: product(v, v.a, v.b.T, v.product)  # noqa: E731
    yield Operation("matmul", both + "%Q = tile.matmul %a, %Qb : A, T(N, M, E)", "MM", tile_product, **wide)
    yield Operation("matmul_acc", both + "%Qx = tile.matmul %a, %Qb : A, T(N, M, E)\n"
                    "%Q = tile.matmul_acc %Qx, %a, %Qb : T(M, M, P), A, T(N, M, E)", "MM",
                    lambda v: tile_product(v) + tile_product(v), **wide)
    yield Operation("matmul_acc init", both + "%Qx = tile.matmul %a, %Qb : A, T(N, M, E)\n"
                    "%Q = tile.matmul_acc %Qx, %a, %Qb init %t : T(M, M, P), A, T(N, M, E)", "MM", tile_product, **wide)
    yield Operation("matmul_bias", both + "%Qx = tile.transpose %r, 0, 1 : R\n"
                    "%Qy = tile.cast %Qx to P : T(1, M, E)\n"
                    "%Q = tile.matmul_bias %a, %Qb, %Qy : A, T(N, M, E), T(1, M, P)", "MM",
                    lambda v: tile_product(v) + elements.convert(v.element, v.product, v.raw["r"], "none").T, **wide)


#===- Shapes --------------------------------------------------------------------------===#

def shapes():
    rest = dict(kinds="fiub")
    yield Operation("transpose", line("transpose %a, 0, 1 : A"), "NM", lambda v: v.a.T, **rest)
    yield Operation("concat", line("concat %a, %b axis 0 : A, A"), "UN", lambda v: np.concatenate([v.a, v.b]), level="pl",
                    **rest)
    yield Operation("concat last", line("concat %a, %b : A, A"), "MU", lambda v: np.concatenate([v.a, v.b], 1),
                    level="pl", **rest)
    yield Operation("concat", "%Q = tile.concat %z, %z axis 0 : Z, Z",
                    "8Z", lambda v: np.concatenate([v.z, v.z]), level="tile", **rest)
    for pad, f in [("zero", lambda element: 0), ("max", elements.highest), ("min", elements.lowest)]:
        def filled(v, f=f):
            result = np.full((8, 16), f(v.element), v.a.dtype)
            result[:v.a.shape[0], :v.a.shape[1]] = v.a
            return result
        yield Operation("fillpad " + pad, f"%Q = tile.fillpad {pad} %a : A", "WW", filled, level="tile", **rest)
        yield Operation("fillpad " + pad, "%Qx = pl.create : T(8, 16, E)\n"
                        "%Qy = pl.set_validshape %Qx[%rows, %columns] : T(8, 16, E) -> Q(8, 16, E)\n"
                        "%Qw = pl.assemble %a, %Qy[0, 0] : A, Q(8, 16, E)\n"
                        f"%Q = pl.fillpad {pad} %Qw : Q(8, 16, E)", "WW", filled, level="pl", **rest)
    for name, f in [("add", np.add), ("mul", np.multiply), ("max", np.maximum), ("min", np.minimum)]:
        def part(v, f=f):
            result = v.a.copy()
            result[:1] = f(v.a[:1], v.b[:1])
            return result
        narrow = "%Qx = p.set_validshape %b[%some, %columns] : A -> H\n"
        yield Operation("part_" + name, narrow + f"%Q = pl.part_{name} %a, %Qx : A, H", "MN", part, level="pl")
        yield Operation("part_" + name, narrow + f"%Qy = tile.part_{name} %a, %Qx : A, H\n"
                        "%Q = tile.cast_valid %Qy : B -> A", "MN", part, level="tile")
    yield Operation("arange", "%Q = pl.arange %s : S, T(1, N, E)", "1N",
                    lambda v: (v.s + np.arange(v.a.shape[1]).astype(v.a.dtype))[None], level="pl")
    yield Operation("arange descending", "%Q = pl.arange %s descending : S, T(1, N, E)", "1N",
                    lambda v: (v.s - np.arange(v.a.shape[1]).astype(v.a.dtype))[None], level="pl")
    yield Operation("arange", "%Q = tile.arange %s : S, T(1, 16, E)", "1X",
                    lambda v: (v.s + np.arange(16).astype(v.a.dtype))[None], level="tile")
    yield Operation("full", "%Q = pl.full %s : S, A", "MN", lambda v: np.full_like(v.a, v.s), level="pl", **rest)
    yield Operation("full", "%Q = tile.full %s : S, T(8, 16, E)", "WW", lambda v: np.full((8, 16), v.s, v.a.dtype),
                    level="tile", **rest)


#===- Storage -------------------------------------------------------------------------===#

def storage():
    rest = dict(kinds="fiub", level="pl")
    copy = "%Qx = pl.create : A\n%Qy = pl.assemble %a, %Qx[0, 0] : A, A\n"
    yield Operation("slice", "%Q = pl.slice %z[%one, 3] : Z -> T(3, 61, E)", "3S", lambda v: v.z[1:, 3:], **rest)
    yield Operation("reshape", "%Qx = pl.reshape %z : Z -> T(2, 128, E)\n%Q = pl.transpose %Qx, 0, 1 : T(2, 128, E)",
                    "12", lambda v: v.z.reshape(2, 128).T, **rest)
    yield Operation("assemble", "%Qx = pl.create : T(4, 64, E)\n%Qy = pl.assemble %z, %Qx[0, 0] : Z, T(4, 64, E)\n"
                    "%Qw = pl.slice %z[0, 0] : Z -> T(2, 5, E)\n"
                    "%Q = pl.assemble %Qw, %Qy[%one, 7] : T(2, 5, E), T(4, 64, E)", "4Z", assembled, **rest)
    yield Operation("assemble atomic", copy + "%Q = pl.assemble %b, %Qy[0, 0] atomic : A, A", "MN",
                    lambda v: v.a + v.b, level="pl")
    yield Operation("read, write", "%Qx = pl.create : T(4, 64, E)\n%Qy = pl.assemble %z, %Qx[0, 0] : Z, T(4, 64, E)\n"
                    "%Qe = pl.read %z[%one, %one] : Z\n%Q = pl.write %Qe, %Qy[%zero, %one] : T(4, 64, E)", "4Z", written,
                    **rest)
    yield Operation("cast_shape, dim", "%Qx = pl.cast_shape %a : A -> T(?, ?, E)\n%Qd = pl.dim %Qx, 1 : T(?, ?, E)\n"
                    "%Qy = pl.create(%Qd) : T(1, ?, E)\n%Qw = pl.col_expand %a, %c : A, C\n"
                    "%Q = pl.sel %m, %a, %Qw : K, A, A", "MN",
                    lambda v: np.where(v.m, v.a, np.broadcast_to(v.c, v.a.shape)), **rest)
    rest = dict(kinds="fiub", level="tile")
    yield Operation("slice", "%Q = tile.slice %z[%one, 3] : Z -> T(2, 5, E)", "25", lambda v: v.z[1:3, 3:8], **rest)
    yield Operation("move, extract", "%Qm = tile.move %z : Z -> T(4, 64, E, mat)\n"
                    "%Q = tile.extract %Qm[%one, 3] : T(4, 64, E, mat) -> T(2, 5, E, vec)", "25v",
                    lambda v: v.z[1:3, 3:8], **rest)
    yield Operation("assemble", "%Qw = tile.slice %z[0, 0] : Z -> T(2, 5, E)\n"
                    "%Q = tile.assemble %Qw, %z[%one, 7] : T(2, 5, E), Z", "4Z", assembled, **rest)
    yield Operation("read, write", "%Qe = tile.read %z[%one, 1] : Z\n%Q = tile.write %Qe, %z[0, %one] : Z", "4Z", written,
                    **rest)
    yield Operation("reshape", "%Q = tile.reshape %z : Z -> T(8, 32, E)", "8H", lambda v: v.z.reshape(8, 32), **rest)
    yield Operation("create, set_validshape, cast_valid", "%Qx = tile.create valid(%rows, %columns) : Q(8, 16, E)\n"
                    "%Qy = tile.assemble %a, %Qx[0, 0] : A, Q(8, 16, E)\n"
                    "%Qw = tile.set_validshape %Qy[%rows, %columns] : Q(8, 16, E) -> H\n"
                    "%Q = tile.cast_valid %Qw : H -> A", "MN", lambda v: v.a, **rest)


def assembled(v):
    result = v.z.copy()
    result[1:3, 7:12] = v.z[:2, :5]
    return result


def written(v):
    result = v.z.copy()
    result[0, 1] = v.z[1, 1]
    return result


#===- Elements by index -----------------------------------------------------------------===#

def scattered(v, dim):
    result = v.b.copy()
    for at in np.ndindex(*v.a.shape):
        to = list(at)
        to[dim] = (v.i if dim == 1 else v.j)[at]
        result[tuple(to)] = v.a[at]
    return result


def updated(v):
    result = v.b.copy()
    for row, to in enumerate(v.k.ravel()):
        result[to] = v.a[row]
    return result


def order(v, values, run):
    """Positions of the elements of each run, the greatest first; a NaN is the greatest."""
    keys = np.where(np.isnan(values), np.inf, values) if v.element.is_float else values.astype(object)
    rows = []
    for number, row in enumerate(keys):
        nan = np.isnan(values[number]) if v.element.is_float else np.zeros(len(row), bool)
        rows.append(sorted(range(len(row)), key=lambda n: (n // run, not nan[n], -row[n], n)))
    return np.array(rows)


def sorted_by(v, run, what):
    at = order(v, v.z, run)
    return np.take_along_axis(v.z if what == "values" else v.y if what == "indices" else at.astype(np.int32),
                              order(v, v.z, run) if what != "positions" else np.arange(64)[None].repeat(4, 0), 1)


def indexing():
    rest = dict(kinds="fiub")
    yield Operation("gather", line("gather %a, %i dim 1 : A, I"), "MN", lambda v: np.take_along_axis(v.a, v.i, 1), **rest)
    yield Operation("gather first", line("gather %a, %j dim 0 : A, I"), "MN", lambda v: np.take_along_axis(v.a, v.j, 0),
                    **rest)
    copy = "%Qx = pl.create : A\n%Qy = pl.assemble %b, %Qx[0, 0] : A, A\n"
    for dim, index in [(1, "i"), (0, "j")]:
        yield Operation(f"scatter {dim}", copy + f"%Q = pl.scatter %a, %{index}, %Qy dim {dim} : A, I, A", "MN",
                        lambda v, d=dim: scattered(v, d), level="pl", **rest)
        yield Operation(f"scatter {dim}", f"%Q = tile.scatter %a, %{index}, %b dim {dim} : A, I, A", "MN",
                        lambda v, d=dim: scattered(v, d), level="tile", **rest)
    yield Operation("scatter_update", copy + "%Q = pl.scatter_update %a, %k, %Qy : A, X, A", "MN", updated, level="pl",
                    **rest)
    yield Operation("scatter_update", "%Q = tile.scatter_update %a, %k, %b : A, X, A", "MN", updated, level="tile", **rest)
    yield Operation("sort32", "%Q, %Qx = p.sort32 %z : Z", "4Z", lambda v: sorted_by(v, 32, "values"))
    yield Operation("sort32 positions", "%Qx, %Q = p.sort32 %z : Z", "4Z", lambda v: sorted_by(v, 32, "positions"), "i32")
    yield Operation("sort32 indices", "%Qx, %Q = p.sort32 %z, %y : Z, Y", "4Z", lambda v: sorted_by(v, 32, "indices"),
                    "i32")
    merge = "%Qv, %Qi = p.sort32 %z, %y : Z, Y\n"
    yield Operation("mrgsort", merge + "%Q, %Qx = p.mrgsort %Qv, %Qi run 32 : Z, Y", "4Z",
                    lambda v: sorted_by(v, 64, "values"))
    yield Operation("mrgsort indices", merge + "%Qx, %Q = p.mrgsort %Qv, %Qi run 32 : Z, Y", "4Z",
                    lambda v: sorted_by(v, 64, "indices"), "i32")


def operations(level, kind):
    """Those of a level, "pl" or "tile", that take elements of a kind."""
    for family in (binary, selection, unary, axes, products, shapes, storage, indexing):
        for op in family():
            if kind in op.kinds and op.level in ("", level):
                yield op


# Operations of the dialects that compute no elements, by what tests them.
ELSEWHERE = {
    "structure, test/Examples and test/Conversion/PyptoToLinalg": [
        "pl.func", "pl.return", "pl.call", "pl.yield", "pl.at", "pl.cluster", "pl.graph", "pl.spmd", "pl.split_aiv",
        "pl.symbol", "pl.var", "pl.get", "pl.set", "tile.get_block_idx", "tile.get_block_num", "tile.get_subblock_idx"],
    "arrays, test/Examples/inline-array-element.mlir and test/Integration/check-bounds-tiles.mlir": [
        "pl.array.create", "pl.array.get", "pl.array.update"],
    "checks, test/Integration/check-bounds-*.mlir": ["pl.check"],
    "synchronisation": [
        "tile.bar_all", "tile.bar_v", "tile.bar_m", "tile.fence", "tile.sync_src", "tile.sync_dst", "tile.set_ffts",
        "tile.wait", "tile.defer_wait", "tile.notify"],
    "tasks": ["orchestration.*"],
    "does not run on the CPU": [
        "tile.tpush_to_aiv", "tile.tpush_to_aic", "tile.tpop_from_aic", "tile.tpop_from_aiv", "tile.tfree_to_aic",
        "tile.tfree_to_aiv", "tile.aic_initialize_pipe", "tile.aiv_initialize_pipe", "tile.reserve_buffer",
        "tile.import_peer_buffer"],
}
