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

    def select(self):
        """The greater or the less of each two elements."""
        left = self.tile()
        if not left:
            return
        right = self.pick(lambda v: v.type == left.type and v.key == left.key) or left
        kind, function = self.rng.choice([("lt", np.less), ("ge", np.greater_equal), ("gt", np.greater)])
        mask = self.new(Type("tile", "i1", left.type.extents, left.type.valid), ("mask", *left.key))
        self.emit(f"tile.cmp {kind} {{0}}, {{1}} : {left.type.text}, {left.type.text}", [left, right], [mask], function)
        self.elementwise("sel", [mask, left, right], left.type, left.key, lambda m, a, b: np.where(m, a, b),
                         f"{mask.type.text}, {left.type.text}, {left.type.text}")

    def divide(self):
        """By numbers: what is not defined for all operands everywhere."""
        tile = self.tile()
        if not tile:
            return
        dtype = tile.type.dtype
        if is_float(dtype):
            name, number, function = self.rng.choice([("div", 4.0, np.divide), ("div", -3.0, np.divide),
                                                      ("mul", 0.125, np.multiply)])
        else:
            number = self.rng.choice([1, 2, 3, 7])
            name, function = self.rng.choice([
                ("div", lambda t, v: (np.abs(t.astype(np.int64)) // int(v) * np.sign(t.astype(np.int64))).astype(t.dtype)),
                ("fmod", lambda t, v: np.fmod(t, v)), ("shl", np.left_shift), ("shr", np.right_shift)])
        value = self.constant(number, dtype)
        self.elementwise(name, [tile, value], tile.type, tile.key, lambda t, v: function(t, np.array(v).astype(t.dtype)),
                         f"{tile.type.text}, {value.type.text}")

    def unary(self):
        tile = self.tile()
        if not tile:
            return
        if is_float(tile.type.dtype):
            name, function = self.rng.choice([("neg", np.negative), ("abs", np.abs), ("exp", np.exp),
                                              ("relu", lambda t: np.maximum(t, t.dtype.type(0))),
                                              ("sin", np.sin), ("cos", np.cos)])
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

    def doubled(self, tile):
        return self.clamp(self.elementwise("add", [tile, tile], tile.type, tile.key, np.add))

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
