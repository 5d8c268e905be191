# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random code of cores: scalars, variables, loops and branches, and tiles that are loaded, computed and stored."""
import numpy as np

from model import (BOOL, INDEX, NUMPY, Block, BlockIndex, Call, For, Function, If, Op, Type, Value, While, cell, wrap)

FLOATS, INTEGERS = ("f32", "f32", "f32", "f64", "f16"), ("i32", "i32", "i64", "i16", "i8", "ui8", "ui16", "ui32")

# How often each statement is made, relative to the others. `nested` ones cost a level.
SCALAR_WEIGHTS = {"scalar": 2, "variable": 1, "assign": 4, "call_scalar": 3}
NESTED_WEIGHTS = {"loop": 3, "branch": 3, "while_loop": 1}
KERNEL_WEIGHTS = {"load": 5, "binary": 5, "unary": 3, "with_scalar": 3, "store": 6, "reduce": 2, "cast": 2, "atomic": 1,
                  "transpose": 1, "tile_variable": 1, "tile_assign": 2, "view": 1, "element": 2, "call_tile": 2,
                  "frame": 1, "refine": 1}


def is_float(dtype):
    return dtype.startswith("f")


def is_signed(dtype):
    return not dtype.startswith("u")


def constant_text(dtype, number):
    text = f"{float(number)}" if is_float(dtype) else str(number)
    return f"arith.constant {text} : {dtype.replace('ui', 'i')}"


class Generator:
    """Statements of scalars and control flow. `scope` are the values that are visible, `ready` the variables among them
    that are set."""
    weights = SCALAR_WEIGHTS

    def __init__(self, program, name):
        self.program, self.rng, self.name = program, program.rng, name
        self.block, self.scope, self.ready, self.in_loop = Block(), [], set(), 0

    # -- values

    def new(self, type, key=None, roots=None):
        return Value(self.program.number(), type, key, roots)

    def emit(self, form, ins, types, function):
        outs = [self.new(t) if isinstance(t, Type) else t for t in types]
        self.block.ops.append(Op(form, ins, outs, function))
        self.scope += outs
        return outs[0] if len(outs) == 1 else outs

    def constant(self, number, dtype="index"):
        typed = NUMPY[dtype](number) if dtype != "index" else int(number)
        signed = int(np.array(number).astype(NUMPY[dtype].__name__.replace("u", ""))) if not is_float(dtype) else number
        value = self.new(Type("scalar", dtype.replace("ui", "i")))
        self.block.ops.append(Op(constant_text(dtype, signed), [], [value], lambda: typed))
        if dtype == "index":
            self.scope.append(value)
        return value

    def visible(self, test):
        return [v for v in self.scope if test(v)]

    def pick(self, test):
        found = self.visible(test)
        # What was made last is taken more often, so that code depends on code.
        return self.rng.choice(found[-6:] if self.rng.random() < 0.6 else found) if found else None

    def index(self):
        """Any number."""
        if self.rng.random() < 0.3:
            cells = self.visible(lambda v: v.type == cell(INDEX) and v in self.ready)
            if cells:
                return self.get(self.rng.choice(cells))
        return self.pick(lambda v: v.type == INDEX) or self.constant(self.rng.randint(-3, 9))

    def get(self, variable):
        inner = variable.type.inner
        out = self.new(inner, variable.key)
        return self.emit(f"pl.get {{0}} : {inner.text}", [variable], [out], lambda c: c[0])

    def put(self, variable, value):
        def write(c, v):
            c[0] = v
        self.emit(f"pl.set {{0}}, {{1}} : {value.type.text}", [variable, value], [], write)
        self.ready.add(variable)

    def arith(self, name, left, right):
        function = {"addi": lambda a, b: a + b, "subi": lambda a, b: a - b, "muli": lambda a, b: a * b,
                    "xori": lambda a, b: a ^ b, "minsi": min, "maxsi": max,
                    "remui": lambda a, b: (a % (1 << 64)) % (b % (1 << 64))}[name]
        return self.emit(f"arith.{name} {{0}}, {{1}} : index", [left, right], [INDEX], lambda a, b: wrap(function(a, b)))

    def below(self, limit):
        """A number from zero to less than `limit`, a value that is greater than zero."""
        return self.arith("remui", self.index(), limit)

    def condition(self):
        kinds = {"slt": lambda a, b: a < b, "eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
                 "ult": lambda a, b: a % (1 << 64) < b % (1 << 64)}
        kind = self.rng.choice(list(kinds))
        left, mask = self.index(), self.constant(self.rng.choice([1, 2, 3]))
        masked = self.emit("arith.andi {0}, {1} : index", [left, mask], [INDEX], lambda a, b: a & b)
        other = self.constant(self.rng.randint(0, 2))
        return self.emit(f"arith.cmpi {kind}, {{0}}, {{1}} : index", [masked, other], [BOOL], kinds[kind])

    # -- blocks

    def nested(self, args, fill, *arguments):
        """A block of its own scope, filled by `fill`; the variables that it sets for sure are returned, too."""
        outer = self.block, list(self.scope), set(self.ready)
        block = self.block = Block(args)
        self.scope += args
        fill(*arguments)
        ready = {v for v in self.ready if v in outer[1]}
        self.block, self.scope, self.ready = outer
        return block, ready

    def statements(self, count, depth):
        for _ in range(count):
            self.statement(depth)

    def statement(self, depth):
        weights = dict(self.weights, **(NESTED_WEIGHTS if depth > 0 else {}))
        name = self.rng.choices(list(weights), list(weights.values()))[0]
        getattr(self, name)(depth - 1) if name in NESTED_WEIGHTS else getattr(self, name)()

    def body(self, depth, results=()):
        """Statements, and a yield of values that can stand for `results`. Often a variable changes by what it was."""
        if self.rng.random() < 0.4:
            self.accumulate()
        self.statements(self.rng.randint(1, 3), depth)
        if self.rng.random() < 0.4:
            self.accumulate()
        for like in results:
            self.block.yields.append(self.alternative(like))

    def alternative(self, like):
        found = self.visible(lambda v: v.type == like.type and v.key == like.key and self.may_carry(v, like))
        return self.rng.choice(found[-4:]) if found else like

    def may_carry(self, value, like):
        return True

    def carried(self):
        """Values that a loop or a branch hands on."""
        return [v for v in (self.pick(self.is_carriable) for _ in range(self.rng.choice([0, 0, 1, 2]))) if v]

    def is_carriable(self, value):
        return value.type == INDEX or value.type.kind == "tile"

    def join_roots(self, values):
        return None

    def results_of(self, inits):
        return [self.new(v.type, v.key, self.join_roots([v])) for v in inits]

    def loop(self, depth):
        trips, step = self.rng.choice([0, 1, 1, 2, 3, 4]), self.rng.choice([1, 1, 2, 5])
        low = self.rng.choice([0, 0, 1, -3])
        bounds = [self.constant(n) for n in (low, low + trips * step - self.rng.randrange(step) * (trips > 0), step)]
        if self.rng.random() < 0.3:
            limit = self.constant(4)
            bounds[1] = self.arith("addi", bounds[0], self.below(limit))
        inits = self.carried()
        args = [self.new(INDEX)] + self.results_of(inits)
        outs = self.results_of(inits)
        self.in_loop += 1
        block, _ = self.nested(args, self.body, depth, args[1:])
        self.in_loop -= 1
        attribute = self.rng.choice([""] * 6 + [" {pl.loop = #pl.loop<parallel>}", " {pl.loop = #pl.loop<unroll>}"])
        self.block.ops.append(For(bounds, inits, outs, block, attribute if not inits else ""))
        self.scope += outs

    def while_loop(self, depth):
        start = self.below(self.constant(4))
        inits = [start] + self.carried()
        outs = [self.new(INDEX)] + self.results_of(inits[1:])
        before_args = [self.new(INDEX)] + self.results_of(inits[1:])
        after_args = [self.new(INDEX)] + self.results_of(inits[1:])
        holder = {}

        def fill_before():
            self.statements(self.rng.randint(0, 1), 0)
            zero = self.constant(0)
            holder["condition"] = self.emit("arith.cmpi sgt, {0}, {1} : index", [before_args[0], zero], [BOOL],
                                            lambda a, b: a > b)
            self.block.yields = list(before_args)

        def fill_after():
            self.statements(self.rng.randint(1, 3), depth)
            one = self.constant(1)
            self.block.yields.append(self.arith("subi", after_args[0], one))
            self.block.yields += [self.alternative(like) for like in after_args[1:]]

        self.in_loop += 1
        before, ready = self.nested(before_args, fill_before)
        after, _ = self.nested(after_args, fill_after)
        self.in_loop -= 1
        self.block.ops.append(While(holder["condition"], inits, outs, before, after))
        self.ready |= ready
        self.scope += outs

    def branch(self, depth):
        condition, likes = self.condition(), self.carried()
        outs = [self.new(v.type, v.key, self.join_roots([v])) for v in likes]
        then, ready = self.nested([], self.body, depth, likes)
        other, other_ready = Block(), self.ready
        if likes or self.rng.random() < 0.5:
            other, other_ready = self.nested([], self.body, depth, likes)
        self.block.ops.append(If(condition, outs, then, other))
        self.ready |= ready & other_ready
        self.scope += outs

    # -- statements

    def scalar(self):
        self.arith(self.rng.choice(["addi", "subi", "muli", "xori", "minsi", "maxsi"]), self.index(), self.index())

    def variable(self):
        self.declare(self.index())

    def declare(self, value):
        out = self.new(cell(value.type), value.key)
        number = self.program.number()
        self.emit(f'pl.var "x{number}" = {{0}} : {value.type.text}', [value], [out], lambda v: [v])
        self.ready.add(out)
        return out

    def assign(self):
        variable = self.pick(lambda v: v.type == cell(INDEX))
        if variable:
            self.put(variable, self.index())

    def accumulate(self):
        variables = self.visible(lambda v: v.type == cell(INDEX) and v in self.ready)
        if variables:
            variable = self.rng.choice(variables)
            self.put(variable, self.arith(self.rng.choice(["addi", "muli", "xori"]), self.get(variable), self.index()))

    def mix(self):
        """One number that depends on every variable and on some other numbers."""
        cells = self.visible(lambda v: v.type == cell(INDEX) and v in self.ready)
        numbers = [v for v in self.scope if v.type == INDEX][-3:]
        result, factor = self.constant(1), self.constant(31)
        for value in [self.get(c) for c in cells] + numbers:
            result = self.arith("addi", self.arith("muli", result, factor), value)
        return result

    def call_scalar(self):
        """A helper of numbers, which may bind its parameter again: the caller's variable changes if it is `inout`."""
        helpers = self.program.scalar_helpers
        if not helpers:
            return
        helper = self.rng.choice(helpers)
        arguments = []
        for direction, param in helper.params:
            cells = self.visible(lambda v: v.type == cell(INDEX) and v in self.ready)
            if direction != "in":
                arguments.append(self.rng.choice(cells) if cells else self.declare(self.index()))
            elif param.type.kind == "cell" and cells and self.rng.random() < 0.6:
                arguments.append(self.rng.choice(cells))
            else:
                arguments.append(self.index())
        outs = [self.new(t) for t in helper.result_types]
        self.block.ops.append(Call(helper, arguments, outs))
        self.scope += outs


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


class Kernel(Generator):
    """Code on the tensors `readable` and `writable`, all of two dimensions. With `row`, an index, only this row of the
    writable ones is touched, and nothing else that may be in their storage."""
    weights = dict(SCALAR_WEIGHTS, **KERNEL_WEIGHTS)

    def begin(self, readable, writable, row=None):
        self.readable, self.writable, self.row, self.frames = list(readable), list(writable), row, {}
        if row is not None:  # a window has a row, which another tensor of unknown extents may not have
            self.readable = [t for t in readable if t in writable or isinstance(t.type.extents[0], int)]
        self.dims, tensors = {}, list(dict.fromkeys(self.readable + self.writable))
        for tensor in tensors:
            for axis in range(2):
                extent = tensor.type.extents[axis]
                if isinstance(extent, int):
                    self.dims[tensor, axis] = extent
                else:
                    self.dims[tensor, axis] = self.emit(f"pl.dim {{0}}, {axis} : {tensor.type.text}", [tensor], [INDEX],
                                                        lambda t, axis=axis: t.shape[axis])
        self.least = [self.minimum([self.dims[t, axis] for t in tensors]) for axis in range(2)]
        self.frame()

    def minimum(self, sizes):
        known = [s for s in sizes if isinstance(s, int)]
        unknown = [s for s in sizes if not isinstance(s, int)]
        if not unknown:
            return min(known)
        result = self.as_value(min(known)) if known else unknown.pop()
        for size in unknown:
            result = self.arith("minsi", result, size)
        return result

    def as_value(self, size):
        return self.constant(size) if isinstance(size, int) else size

    def frame(self):
        """A size of windows that fits into every tensor."""
        extents, valid = [], []
        for axis in range(2):
            least = self.least[axis]
            if axis == 0 and self.row is not None:
                extents.append(1), valid.append(1)
            elif isinstance(least, int) and self.rng.random() < 0.7:
                size = self.rng.randint(1, max(least, 1))
                extents.append(size), valid.append(min(size, least))
            else:
                size = self.rng.choice([1, 3, 4, 8, 16])
                extents.append(size)
                bound = self.arith("minsi", self.as_value(least), self.constant(size))
                if self.rng.random() < 0.4:
                    bound = self.below(self.arith("addi", bound, self.constant(1)))
                valid.append(bound)
        frame = Frame(extents, valid)
        self.frames[frame.type("f32").text, frame.key] = frame
        self.current = frame

    def frame_of(self, tile):
        """The frame of a tile if it is visible."""
        return next((f for f in self.frames.values() if f.key == tile.key and f.extents == list(tile.type.extents)
                     and all(isinstance(v, int) or v in self.scope for v in f.valid)), None)

    def nested(self, args, fill, *arguments):
        frames, current = dict(self.frames), self.current
        result = super().nested(args, fill, *arguments)
        self.frames, self.current = frames, current
        return result

    def offsets(self, tensor, frame):
        """Where a window begins, and the operands for it."""
        texts, ins, numbers = [], [], []
        for axis in range(2):
            size, extent = frame.valid[axis], self.dims[tensor, axis]
            if axis == 0 and self.row is not None and tensor in self.writable:
                offset = self.row
            elif isinstance(size, int) and isinstance(extent, int) and self.rng.random() < 0.7:
                offset = self.rng.randint(0, extent - size)
            else:
                room = self.arith("subi", self.as_value(extent), self.as_value(size))
                offset = self.below(self.arith("addi", room, self.constant(1)))
            if isinstance(offset, int):
                texts.append(str(offset))
            else:
                texts.append(f"{{{len(ins) + 1}}}")
                ins.append(offset)
            numbers.append(offset)
        return f"[{', '.join(texts)}]", ins, numbers

    @staticmethod
    def window(numbers, frame, t, operands):
        """The part of an array, given the values of the operands."""
        values = iter(operands)
        starts = [n if isinstance(n, int) else next(values) for n in numbers]
        sizes = [v if isinstance(v, int) else next(values) for v in frame.valid]
        assert all(0 <= a and 0 <= s and a + s <= e for a, s, e in zip(starts, sizes, t.shape)), (starts, sizes, t.shape)
        return t[tuple(slice(a, a + s) for a, s in zip(starts, sizes))]

    def load(self, frame=None, dtype=None):
        frame = frame or self.current
        tensors = [t for t in self.readable if dtype in (None, t.type.dtype)]
        if not tensors:
            return None
        tensor = self.rng.choice(tensors)
        text, ins, numbers = self.offsets(tensor, frame)
        form, ins = frame.operands(f"tile.load {{0}}{text}", [tensor] + ins)
        type = frame.type(tensor.type.dtype)
        out = self.new(type, frame.key)
        self.emit(f"{form} : {tensor.type.text} -> {type.text}", ins, [out],
                  lambda t, *o: self.window(numbers, frame, t, o).copy())
        return out

    def tile(self, test=lambda v: True):
        found = self.pick(lambda v: v.type.kind == "tile" and self.frame_of(v) and test(v))
        return found if found and self.rng.random() < 0.8 else self.load() or found

    def store(self, atomic=False, tile=None):
        suited = [t for t in self.writable if not tile or t.type.dtype == tile.type.dtype]
        if not suited:
            return
        tensor = self.rng.choice(suited)
        dtype = tensor.type.dtype
        tile = tile or self.tile(lambda v: v.type.dtype == dtype)
        if not tile:
            return
        if tile.type.dtype != dtype:
            tile = self.convert(tile, dtype)
            if not tile:
                return
        frame = self.frame_of(tile)
        text, ins, numbers = self.offsets(tensor, frame)
        sizes = [v for v in frame.valid if not isinstance(v, int)]

        def write(source, target, *operands):
            window = self.window(numbers, frame, target, operands)
            window[...] = window + source if atomic else source
            return target

        # The operands of the window stand behind the two; the valid extents are not printed.
        out = self.new(tensor.type, roots=tensor.roots)
        shifted = text.replace("{2}", "{3}").replace("{1}", "{2}")
        op = Op(f"tile.store {{0}}, {{1}}{shifted}{' atomic' if atomic else ''} : {tile.type.text}, {tensor.type.text}",
                [tile, tensor] + ins + sizes, [out], write)
        self.block.ops.append(op)
        return out

    def atomic(self):
        self.store(atomic=True)

    def elementwise(self, name, ins, type, key, function, types=None):
        out = self.new(type, key)
        names = ", ".join(f"{{{i}}}" for i in range(len(ins)))
        return self.emit(f"tile.{name} {names} : {types or type.text}", ins, [out], function)

    def clamp(self, tile):
        """Keeps numbers small enough to be compared."""
        if not is_float(tile.type.dtype):
            return tile
        for name, number, function in (("minimum", 8.0, np.minimum), ("maximum", -8.0, np.maximum)):
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

    def view(self):
        """A window of a tensor, by which it is read and written from then on."""
        if self.row is not None:
            return
        tensor = self.rng.choice(self.readable + self.writable)
        if not all(isinstance(e, int) for e in tensor.type.extents):
            return
        sizes = [self.rng.randint(least, e) for least, e in zip(self.least, tensor.type.extents)] \
            if all(isinstance(n, int) for n in self.least) else None
        if not sizes or 0 in sizes:
            return
        starts = [self.rng.randint(0, e - s) for e, s in zip(tensor.type.extents, sizes)]
        out = self.new(Type("tensor", tensor.type.dtype, sizes), roots=tensor.roots)
        self.emit(f"pl.slice {{0}}[{starts[0]}, {starts[1]}] : {tensor.type.text} -> {out.type.text}", [tensor], [out],
                  lambda t: t[tuple(slice(a, a + s) for a, s in zip(starts, sizes))])
        for axis in range(2):
            self.dims[out, axis] = sizes[axis]
        # Views are used in the block that makes them.
        if self.block is self.top:
            if tensor in self.readable:
                self.readable.append(out)
            if tensor in self.writable:
                self.writable.append(out)

    def leave_mix(self):
        """Writes something that depends on all variables."""
        if not self.writable or any(n == 0 for n in self.least if isinstance(n, int)):
            return
        number = self.arith("remui", self.mix(), self.constant(5))
        tile = self.tile(lambda v: v.type.dtype in [t.type.dtype for t in self.writable])
        if not tile:
            return
        dtype, narrow, scalar = tile.type.dtype, self.new(Type("scalar", "i32")), Type("scalar", tile.type.scalar_text)
        self.block.ops.append(Op("arith.index_cast {0} : index to i32", [number], [narrow], int))
        value = self.new(Type("scalar", scalar.text))
        if is_float(dtype):
            form, function = f"arith.sitofp {{0}} : i32 to {scalar.text}", float
        elif scalar.text == "i32":
            value, form = narrow, None
        else:
            name = "extsi" if scalar.text == "i64" else "trunci"
            form, function = f"arith.{name} {{0}} : i32 to {scalar.text}", int
        if form:
            self.block.ops.append(Op(form, [narrow], [value], function))
        out = self.elementwise("add", [tile, value], tile.type, tile.key, lambda t, v: t + t.dtype.type(v),
                               f"{tile.type.text}, {scalar.text}")
        self.store(tile=self.clamp(out))

    def element(self):
        """One number read, as an index, or written."""
        write = self.rng.random() < 0.5 and self.writable
        tensors = [t for t in (self.writable if write else self.readable) if not is_float(t.type.dtype)]
        if not tensors or any(n == 0 for n in self.least if isinstance(n, int)):
            return
        tensor = self.rng.choice(tensors)
        if any(not isinstance(e, int) or e == 0 for e in tensor.type.extents):
            return
        places = [self.row if axis == 0 and self.row is not None and tensor in self.writable
                  else self.below(self.constant(tensor.type.extents[axis])) for axis in range(2)]
        dtype, scalar = tensor.type.dtype, Type("scalar", tensor.type.scalar_text)
        if write:
            number = self.index()
            bits = number
            if dtype not in ("index",):
                bits = self.new(scalar)
                self.block.ops.append(Op(f"arith.index_cast {{0}} : index to {scalar.text}", [number], [bits], int))

            def assign(value, target, i, j):
                target[i, j] = np.array(value, np.int64).astype(target.dtype)
                return target

            out = self.new(tensor.type, roots=tensor.roots)
            self.block.ops.append(Op(f"pl.write {{0}}, {{1}}[{{2}}, {{3}}] : {tensor.type.text}", [bits, tensor] + places,
                                     [out], assign))
            return
        raw = self.new(scalar)
        self.block.ops.append(Op(f"pl.read {{0}}[{{1}}, {{2}}] : {tensor.type.text}", [tensor] + places, [raw],
                                 lambda t, i, j: int(t[i, j])))
        cast = "index_cast" if is_signed(dtype) else "index_castui"
        self.emit(f"arith.{cast} {{0}} : {scalar.text} to index", [raw], [INDEX], lambda v: v)

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


def scalar_helper(program, number):
    """Numbers in, numbers out; parameters that are variables are bound again."""
    generator = Generator(program, f"{program.prefix}scalar{number}")
    params = []
    for _ in range(program.rng.randint(1, 3)):
        kind = program.rng.choice(["value", "cell", "inout"])
        value = generator.new(INDEX if kind == "value" else cell(INDEX))
        params.append(("inout" if kind == "inout" else "in", value))
        generator.scope.append(value)
        generator.ready.add(value)
    generator.statements(program.rng.randint(2, 5), 2)
    for _, value in params:
        if value.type.kind == "cell":
            generator.put(value, generator.index())
    generator.statements(program.rng.randint(0, 2), 1)
    generator.block.yields = [generator.index() for _ in range(program.rng.randint(1, 2))]
    return Function(generator.name, "inline", params, generator.block)


def tile_helper(program, number, dtype):
    """A tile of symbolic extents in, one out; the parameter may be a variable, which then is the helper's own."""
    rng = program.rng
    generator = Kernel(program, f"{program.prefix}tile{number}")
    generator.readable = generator.writable = []
    generator.frames, generator.current, generator.row, generator.least = {}, None, 0, [0, 0]
    type = Type("tile", dtype, ["R", "C"], ["V", "W"])
    is_cell = rng.random() < 0.5
    param, count = generator.new(cell(type) if is_cell else type, ("V", "W")), generator.new(INDEX)
    generator.scope.append(count)
    params = [("in", param), ("in", count)]

    def step(tile):
        name, function = generator.operation(dtype)
        out = generator.elementwise(name, [tile, generator.rng.choice([tile, value0])], type, ("V", "W"), function)
        return generator.clamp(out)

    value0 = generator.get(param) if is_cell else param
    tile = step(value0)
    if is_cell:
        generator.put(param, tile)
        if rng.random() < 0.5:
            then, _ = generator.nested([], lambda: generator.put(param, step(generator.get(param))))
            generator.block.ops.append(If(generator_condition(generator), [], then, Block()))
        tile = generator.get(param)
    nested = [h for h in program.tile_helpers if h.dtype == dtype and h.params[0][1].type.kind == "tile"]
    if nested and rng.random() < 0.5:
        out = generator.new(type, ("V", "W"))
        generator.block.ops.append(Call(rng.choice(nested), [tile, generator.index()], [out]))
        tile = out
    generator.block.yields = [tile]
    helper = Function(generator.name, "inline", params, generator.block)
    helper.dtype = dtype
    return helper


def generator_condition(generator):
    """A condition that stands before the block that was just made: it reads nothing of it."""
    return generator.condition()


def kernel(program, number, blocks=False):
    """A kernel with parameters of several directions, which returns some of the written ones in any order. With `blocks`
    each block of a launch works on a row of its own."""
    rng = program.rng
    generator = Kernel(program, f"{program.prefix}kernel{number}")
    params = []
    for place in range(rng.randint(1, 4)):
        dtype = rng.choice(program.dtypes)
        style = rng.choice(["static", "static", "own", "shared", "mixed"])
        extents = {"static": rng.choice(program.shapes), "own": (f"{program.symbol}A{place}", f"{program.symbol}B{place}"),
                   "shared": (f"{program.symbol}M", f"{program.symbol}N"), "mixed": (f"{program.symbol}A{place}", 8)}[style]
        direction = rng.choice(["in", "inout", "inout", "out"]) if place else "inout"
        if direction == "out" and (style != "static" or blocks):
            direction = "inout"
        params.append((direction, generator.new(Type("tensor", dtype, extents))))
    rng.shuffle(params)
    for _ in range(rng.choice([0, 0, 1, 2])):
        params.insert(rng.randint(0, len(params)), ("in", generator.new(INDEX)))
    tensors = [(d, p) for d, p in params if p.type.kind == "tensor"]
    generator.scope += [p for _, p in params if p.type == INDEX]
    generator.top = generator.block
    # An output is written as a whole first: what it held before has no value.
    for direction, param in tensors:
        if direction == "out":
            fill(generator, param)
    row = None
    readable = [p for d, p in tensors if not (blocks and d != "in")]
    writable = [p for d, p in tensors if d != "in"]
    if blocks:
        row = generator.new(INDEX)
        generator.block.ops.append(BlockIndex("tile.get_block_idx", row, "block"))
        generator.scope.append(row)
        if rng.random() < 0.5:
            total = generator.new(INDEX)
            generator.block.ops.append(BlockIndex("tile.get_block_num", total, "blocks"))
            generator.scope.append(total)
        readable += writable
    generator.variable()
    generator.begin(readable, writable, row)
    generator.statements(rng.randint(2, 6), 2)
    if not any("tile.store" in line for line in generator.block.text(0, "")):
        generator.store()
    generator.leave_mix()
    returned = [i for i, (d, p) in enumerate(params) if p in writable and rng.random() < 0.7]
    rng.shuffle(returned)
    generator.block.yields = [params[i][1] for i in returned]
    function = Function(generator.name, "incore", params, generator.block, private=rng.random() < 0.3)
    function.returned, function.blocks = returned, blocks
    return function


def fill(generator, tensor):
    number = generator.rng.randint(-2, 2) if is_signed(tensor.type.dtype) else generator.rng.randint(0, 4)
    value = generator.constant(number, tensor.type.dtype)
    type = Type("tile", tensor.type.dtype, tensor.type.extents)
    tile = generator.new(type, type.extents)
    generator.block.ops.append(Op(f"tile.full {{0}} : {value.type.text}, {type.text}", [value], [tile],
                                  lambda v: np.full(type.extents, v).astype(NUMPY[type.dtype])))

    def write(source, target):
        target[...] = source
        return target

    out = generator.new(tensor.type)
    generator.block.ops.append(Op(f"tile.store {{0}}, {{1}}[0, 0] : {type.text}, {tensor.type.text}", [tile, tensor], [out],
                                  write))
