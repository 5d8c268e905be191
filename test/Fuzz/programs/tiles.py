# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random computation on tiles."""
import numpy as np

from model import NUMPY, Call, Op, Type
from scalars import Generator, is_float, is_signed

class Frame:
    """Windows of one size: physical extents, and the valid ones as numbers or values."""

    def __init__(self, extents, valid):
        self.extents, self.valid = extents, valid

    @property
    def key(self):
        return tuple(v if isinstance(v, int) else v.name for v in self.valid)

    def type(self, dtype):
        text = None
        if any(v != e for v, e in zip(self.valid, self.extents)):
            text = [v if isinstance(v, int) else "?" for v in self.valid]
        return Type("tile", dtype, self.extents, text)

    def operands(self, form, ins):
        """The form with `valid(…)` for the extents that are values, which become operands."""
        values = [v for v in self.valid if not isinstance(v, int)]
        names = ", ".join(f"{{{len(ins) + i}}}" for i in range(len(values)))
        return (f"{form} valid({names})" if values else form), ins + values


class Tiles(Generator):
    """Statements on tiles. Those that they begin with come from tile() and load(), their windows are frames."""

    def elementwise(self, name, ins, type, key, function, types=None, flags=""):
        out = self.new(type, key)
        names = ", ".join(f"{{{i}}}" for i in range(len(ins)))
        return self.emit(f"tile.{name} {names}{flags} : {types or type.text}", ins, [out], function)

    def clamp(self, tile, limit=8.0):
        """Keeps numbers small enough to be compared."""
        if not is_float(tile.type.dtype):
            return tile
        for name, number, function in (("minimum", limit, np.minimum), ("maximum", -limit, np.maximum)):
            value = self.constant(number, tile.type.dtype)
            tile = self.elementwise(name, [tile, value], tile.type, tile.key, lambda t, v, f=function: f(t, t.dtype.type(v)),
                                    f"{tile.type.text}, {value.type.text}")
        return tile

    BINARY = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "maximum": np.maximum, "minimum": np.minimum}
    BITWISE = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}

    def operation(self, dtype):
        table = self.BINARY if is_float(dtype) else dict(self.BINARY, **self.BITWISE)
        name = self.rng.choice(list(table))
        return name, table[name]

    def binary(self):
        left = self.tile()
        if not left:
            return
        right = self.pick(lambda v: v.type == left.type and v.key == left.key) or left
        name, function = self.operation(left.type.dtype)
        self.clamp(self.elementwise(name, [left, right], left.type, left.key, function))

    def with_scalar(self):
        tile = self.tile()
        if not tile:
            return
        dtype = tile.type.dtype
        number = self.rng.choice([0.5, -1.0, 2.0, 0.25, 1.5]) if is_float(dtype) else self.rng.randint(0, 100)
        value = self.pick(lambda v: v.type.kind == "scalar" and v.type.dtype == dtype) or self.constant(number, dtype)
        name, function = self.operation(dtype)
        out = self.elementwise(name, [tile, value], tile.type, tile.key,
                               lambda t, v: function(t, np.array(v).astype(t.dtype)), f"{tile.type.text}, {value.type.text}")
        self.clamp(out)

    def unary(self):
        tile = self.tile()
        if not tile:
            return
        if is_float(tile.type.dtype):
            name, function = self.rng.choice([("neg", np.negative), ("abs", np.abs), ("exp", np.exp),
                                              ("relu", lambda t: np.maximum(t, t.dtype.type(0)))])
            if name == "exp":
                two = self.constant(1.5, tile.type.dtype)
                tile = self.elementwise("minimum", [tile, two], tile.type, tile.key, lambda t, v: np.minimum(t, v),
                                        f"{tile.type.text}, {two.type.text}")
        else:
            name, function = self.rng.choice([("neg", lambda t: np.negative(t)), ("not", np.invert)])
            if not is_signed(tile.type.dtype):
                name, function = "not", np.invert
        self.elementwise(name, [tile], tile.type, tile.key, lambda t: function(t).astype(t.dtype))

    def convert(self, tile, dtype):
        if is_float(tile.type.dtype) and not is_float(dtype):
            return None  # a rounding that differs by little would differ by one
        type = Type("tile", dtype, tile.type.extents, tile.type.valid)
        out = self.new(type, tile.key)
        return self.emit(f"tile.cast {{0}} to {dtype} : {tile.type.text}", [tile], [out],
                         lambda t: t.astype(NUMPY[dtype]))

    def cast(self):
        tile = self.tile()
        if tile:
            out = self.convert(tile, self.rng.choice(self.program.dtypes))
            if out and is_float(out.type.dtype) and not is_float(tile.type.dtype):
                self.clamp(out)

    def reduce(self):
        """A reduction of rows or columns that is repeated again."""
        tile = self.tile()
        if not tile:
            return
        direction, axis = self.rng.choice([("row", 1), ("col", 0)])
        name, function, empty = self.rng.choice([("sum", np.sum, 0), ("max", np.max, None), ("min", np.min, None)])
        info = np.finfo if is_float(tile.type.dtype) else np.iinfo
        if empty is None:
            # Of nothing: beyond what is compared, unless nothing is left to compare.
            limits = info(NUMPY[tile.type.dtype])
            empty = limits.min if name == "max" else limits.max
            if is_float(tile.type.dtype):
                empty = -np.inf if name == "max" else np.inf
        extents, valid, key = list(tile.type.extents), list(tile.type.valid or tile.type.extents), list(tile.key)
        extents[axis] = valid[axis] = key[axis] = 1
        column = self.new(Type("tile", tile.type.dtype, extents, valid if valid != extents else None), ("vector", *key))

        def compute(t):
            with np.errstate(all="ignore"):
                if t.shape[axis] == 0:
                    shape = list(t.shape)
                    shape[axis] = 1
                    return np.full(shape, empty, t.dtype)
                wide = np.float32 if t.dtype == np.float16 else t.dtype
                return function(t.astype(wide), axis=axis, keepdims=True).astype(t.dtype)

        self.emit(f"tile.{direction}_{name} {{0}} : {tile.type.text}", [tile], [column], compute)
        other, operation = self.rng.choice([("add", np.add), ("sub", np.subtract), ("max", np.maximum)])
        out = self.new(tile.type, tile.key)
        self.emit(f"tile.{direction}_expand_{other} {{0}}, {{1}} : {tile.type.text}, {column.type.text}", [tile, column],
                  [out], lambda t, v: operation(t, v))
        self.clamp(out)

    def transpose(self):
        """There and back, something being added in between."""
        tile = self.tile()
        if not tile:
            return
        flipped = Type("tile", tile.type.dtype, tile.type.extents[::-1], tile.type.valid and tile.type.valid[::-1])
        key = ("flipped", *tile.key)
        middle = self.new(flipped, key)
        self.emit(f"tile.transpose {{0}}, 0, 1 : {tile.type.text}", [tile], [middle], lambda t: t.T.copy())
        number = self.constant(2, tile.type.dtype)
        middle = self.elementwise("add", [middle, number], flipped, key, lambda t, v: t + np.array(v).astype(t.dtype),
                                  f"{flipped.text}, {number.type.text}")
        out = self.new(tile.type, tile.key)
        self.emit(f"tile.transpose {{0}}, 0, 1 : {flipped.text}", [middle], [out], lambda t: t.T.copy())

    def product(self):
        """Times its transpose, and that times itself, which has the size of the tile again."""
        tile = self.tile()
        if not tile:
            return
        tile = self.clamp(tile, 1.0)
        flipped = Type("tile", tile.type.dtype, tile.type.extents[::-1], tile.type.valid and tile.type.valid[::-1])
        other = self.new(flipped, ("flipped", *tile.key))
        self.emit(f"tile.transpose {{0}}, 0, 1 : {tile.type.text}", [tile], [other], lambda t: t.T.copy())
        square = self.clamp(self.narrow(self.multiply(tile, other), tile.type.dtype), 1.0)
        result = self.multiply(square, tile)
        if self.rng.random() < 0.3:
            dtype = result.type.dtype
            more = self.new(result.type, result.key)
            self.emit(f"tile.matmul_acc {{0}}, {{1}}, {{2}} : {result.type.text}, {square.type.text}, {tile.type.text}",
                      [result, square, tile], [more], lambda r, a, b: r + self.matmul(a, b, dtype))
            result = more
        self.clamp(self.narrow(result, tile.type.dtype, tile.key))

    @staticmethod
    def matmul(left, right, dtype):
        wide = NUMPY[dtype] if is_float(dtype) else np.int64
        return (left.astype(wide) @ right.astype(wide)).astype(NUMPY[dtype])

    def multiply(self, left, right):
        dtype = left.type.dtype
        dtype = ("f64" if dtype == "f64" else "f32") if is_float(dtype) else "i64" if dtype == "i64" else "i32"
        valid = [(t.type.valid or t.type.extents)[axis] for axis, t in enumerate((left, right))]
        extents = [left.type.extents[0], right.type.extents[1]]
        out = self.new(Type("tile", dtype, extents, valid if valid != extents else None),
                       ("product", left.key, right.key))
        return self.emit(f"tile.matmul {{0}}, {{1}} : {left.type.text}, {right.type.text}", [left, right], [out],
                         lambda a, b: self.matmul(a, b, dtype))

    def narrow(self, tile, dtype, key=None):
        """The same numbers in another type, of integers their last bits."""
        if tile.type.dtype == dtype and key is None:
            return tile
        out = self.new(Type("tile", dtype, tile.type.extents, tile.type.valid), key or tile.key)
        if tile.type.dtype == dtype:
            two = self.constant(0, dtype)
            return self.elementwise("add", [tile, two], out.type, key, lambda t, v: t + t.dtype.type(v),
                                    f"{tile.type.text}, {two.type.text}")
        return self.emit(f"tile.cast {{0}} to {dtype} : {tile.type.text}", [tile], [out],
                         lambda t: t.astype(NUMPY[dtype]))

    def indices(self, tile, axis):
        """Positions in a dimension of the tile, for each of its elements; None if there are no integers."""
        source = self.pick(lambda v: v.type.kind == "tile" and not is_float(v.type.dtype) and v.key == tile.key
                           and v.type.extents == tile.type.extents)
        if not source:
            frame, dtypes = self.frame_of(tile), {t.type.dtype for t in self.readable if not is_float(t.type.dtype)}
            source = self.load(frame, self.rng.choice(sorted(dtypes))) if frame and dtypes else None
        if not source:
            return None
        if source.type.dtype != "i32":
            source = self.convert(source, "i32")
        size = self.frame_of(tile).valid[axis] if self.frame_of(tile) else None
        if size is None:
            return None
        last, mask = self.new(Type("scalar", "i32")), self.constant(self.rng.choice([1, 3, 7]), "i32")
        before = self.arith("subi", self.as_value(size), self.constant(1))
        self.block.ops.append(Op("arith.index_cast {0} : index to i32", [before], [last], int))
        text = f"{source.type.text}, i32"
        source = self.elementwise("and", [source, mask], source.type, source.key, lambda t, v: t & np.int32(v), text)
        return self.elementwise("minimum", [source, last], source.type, source.key,
                                lambda t, v: np.minimum(t, np.int32(v)), text)

    def gather(self):
        tile, axis = self.tile(), self.rng.randrange(2)
        places = tile and self.indices(tile, axis)
        if places:
            self.elementwise("gather", [tile, places], tile.type, tile.key,
                             lambda t, i: np.take_along_axis(t, i.astype(np.int64), axis),
                             f"{tile.type.text}, {places.type.text}", f" dim {axis}")

    def scatter(self):
        tile, axis = self.tile(), self.rng.randrange(2)
        target = tile and self.pick(lambda v: v.type == tile.type and v.key == tile.key)
        places = target and self.indices(tile, axis)
        if not places:
            return

        def write(source, at, target):
            result = target.copy()
            for place in np.ndindex(*source.shape):
                to = list(place)
                to[axis] = at[place]
                result[tuple(to)] = source[place]
            return result

        self.elementwise("scatter", [tile, places, target], tile.type, tile.key, write,
                         f"{tile.type.text}, {places.type.text}, {target.type.text}", f" dim {axis}")

    def sorted(self, tile):
        rows, columns = tile.type.extents
        dtype, wide = tile.type.dtype, tile
        for _ in range(32 // columns - 1):
            extents = [rows, wide.type.extents[1] + columns]
            out = self.new(Type("tile", dtype, extents), ("sorted", *extents))
            wide = self.emit(f"tile.concat {{0}}, {{1}} : {wide.type.text}, {tile.type.text}", [wide, tile], [out],
                             lambda a, b: np.concatenate([a, b], 1))
        values = self.new(wide.type, wide.key)
        places = self.new(Type("tile", "i32", wide.type.extents), wide.key)
        self.emit(f"tile.sort32 {{0}} : {wide.type.text}", [wide], [values, places],
                  lambda t: (np.sort(t, 1)[:, ::-1].copy(), np.argsort(t, 1).astype(np.int32)))
        out = self.new(tile.type, tile.key)
        first = self.rng.choice([0, 5, 32 - columns])
        return self.emit(f"tile.slice {{0}}[0, {first}] : {wide.type.text} -> {tile.type.text}", [values], [out],
                         lambda t: t[:, first:first + columns].copy())

    def doubled(self, tile):
        return self.clamp(self.elementwise("add", [tile, tile], tile.type, tile.key, np.add))

    def refine(self):
        """Fewer valid rows or columns."""
        tile = self.tile()
        frame = tile and self.frame_of(tile)
        if not frame:
            return
        valid = []
        for size in frame.valid:
            limit = self.arith("addi", self.as_value(size), self.constant(1))
            valid.append(self.below(limit))
        smaller = Frame(frame.extents, valid)
        type = smaller.type(tile.type.dtype)
        self.frames[smaller.type("f32").text, smaller.key] = smaller
        out = self.new(type, smaller.key)
        self.emit(f"tile.set_validshape {{0}}[{{1}}, {{2}}] : {tile.type.text} -> {type.text}", [tile] + valid, [out],
                  lambda t, a, b: t[:a, :b].copy())
        if self.rng.random() < 0.5 and all(isinstance(v, int) for v in frame.valid) and tile.type.valid is None:
            full = self.new(tile.type, tile.key)
            extents = frame.extents
            self.emit(f"tile.fillpad zero {{0}} : {type.text}", [out], [full],
                      lambda t: np.pad(t, [(0, e - s) for e, s in zip(extents, t.shape)]))

    def tile_variable(self):
        tile = self.tile()
        if tile:
            self.declare(tile)

    def tile_assign(self):
        variable = self.pick(lambda v: v.type.kind == "cell" and v.type.inner.kind == "tile")
        if not variable:
            return
        value = self.pick(lambda v: v.type == variable.type.inner and v.key == variable.key)
        if value and self.rng.random() < 0.6:
            self.put(variable, value)
        elif variable in self.ready:
            self.get(variable)

    def call_tile(self):
        """A helper of tiles of any extents."""
        helpers = self.program.tile_helpers
        tile = helpers and self.tile(lambda v: is_float(v.type.dtype))
        if not tile or not is_float(tile.type.dtype):
            return
        suited = [h for h in helpers if h.dtype == tile.type.dtype]
        if not suited:
            return
        helper = self.rng.choice(suited)
        argument = tile
        if helper.params[0][1].type.kind == "cell":
            cells = self.visible(lambda v: v.type.kind == "cell" and v.type.inner == tile.type and v.key == tile.key
                                 and v in self.ready)
            argument = self.rng.choice(cells) if cells else self.declare(tile)
        out = self.new(tile.type, tile.key)
        self.block.ops.append(Call(helper, [argument, self.index()], [out]))
        self.scope.append(out)
