# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random code of cores: tiles that are loaded from windows of tensors, computed and stored."""
import numpy as np

from model import INDEX, NUMPY, Block, BlockIndex, Call, Function, If, Op, Type, cell
from scalars import SCALAR_WEIGHTS, Generator, is_float, is_plane, is_signed
from shaping import Shaping
from tiles import Frame

# How often each statement is made, relative to the others.
KERNEL_WEIGHTS = {"load": 5, "binary": 5, "unary": 3, "with_scalar": 3, "store": 6, "reduce": 2, "cast": 2, "atomic": 1,
                  "transpose": 1, "tile_variable": 1, "tile_assign": 2, "view": 1, "element": 2, "call_tile": 2,
                  "frame": 1, "refine": 1, "product": 1, "gather": 1, "scatter": 1, "sort": 1, "row_vector": 1, "vector": 1,
                  "cube": 1, "select": 1, "divide": 1, "move_part": 2, "roll": 1, "element_of_tile": 1,
                  "full": 1}


class Kernel(Shaping):
    """Code on the tensors `readable` and `writable`, all of two dimensions. With `row`, an index, only this row of the
    writable ones is touched, and nothing else that may be in their storage."""
    weights = dict(SCALAR_WEIGHTS, **KERNEL_WEIGHTS)
    # Tensors of other ranks.
    others_read, others_written = (), ()

    def begin(self, readable, writable, row=None):
        self.readable, self.writable, self.row, self.frames = list(readable), list(writable), row, {}
        if row is not None:  # a window has a row, which another tensor may not have
            self.readable = [t for t in readable if t in writable or isinstance(t.type.extents[0], int) and t.type.extents[0]]
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
                size = self.rng.choice([1, 3, 4, 8, 16, 16, 40])
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

    def full(self):
        """One number everywhere."""
        frame, dtype = self.current, self.rng.choice(self.program.dtypes)
        if not frame:
            return
        value = self.constant(self.rng.randint(0, 3), dtype)
        type = frame.type(dtype)
        form, ins = frame.operands("tile.full {0}", [value])
        sizes = list(frame.valid)
        self.emit(f"{form} : {value.type.text}, {type.text}", ins, [self.new(type, frame.key)],
                  lambda v, *n: self.filled(sizes, v, n, dtype))

    @staticmethod
    def filled(sizes, value, numbers, dtype):
        numbers = iter(numbers)
        return np.full([s if isinstance(s, int) else next(numbers) for s in sizes], value).astype(NUMPY[dtype])

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

    def sort(self):
        """A tensor, repeated up to 32 columns, in descending order; as many columns of that as there were."""
        if self.row is None:
            self.copy_whole(self.whole(self.readable, 2, lambda t: t.type.extents[1] in (4, 8, 16)),
                            self.whole(self.writable, 2), self.sorted)

    # -- other ranks

    def whole(self, tensors, rank, test=lambda t: True):
        """A tensor of this rank and of constant extents, none of them zero."""
        found = [t for t in tensors if len(t.type.extents) == rank and test(t)
                 and all(isinstance(e, int) and e for e in t.type.extents)]
        return self.rng.choice(found) if found else None

    def copy_whole(self, source, target, change):
        """What `change` makes of one tensor, into another if that is not smaller."""
        if not source or not target or any(s > t for s, t in zip(source.type.extents, target.type.extents)):
            return
        type, zeros = Type("tile", source.type.dtype, source.type.extents), ", ".join("0" for _ in source.type.extents)
        tile = self.new(type, ("whole", *type.extents))
        self.emit(f"tile.load {{0}}[{zeros}] : {source.type.text} -> {type.text}", [source], [tile], lambda t: t.copy())
        tile = change(tile)
        if tile.type.dtype != target.type.dtype:
            tile = self.convert(tile, target.type.dtype)
        if not tile:
            return

        def write(source, target):
            target[tuple(slice(0, e) for e in source.shape)] = source
            return target

        out = self.new(target.type, roots=target.roots)
        self.block.ops.append(Op(f"tile.store {{0}}, {{1}}[{zeros}] : {tile.type.text}, {target.type.text}", [tile, target],
                                 [out], write))

    def between(self, rank):
        self.copy_whole(self.whole(self.others_read, rank), self.whole(self.others_written, rank), self.doubled)

    def vector(self):
        self.between(1)

    def cube(self):
        self.between(3)

    def row_vector(self):
        """A row of a tensor as a vector, into one of another or the same."""
        if self.row is not None:
            return
        source, target = self.whole(self.readable, 2), self.whole(self.writable, 2)
        if source and target:
            self.copy_whole(self.line(source), self.line(target), self.doubled)

    def line(self, tensor):
        """A view of a row, of one dimension."""
        rows, columns = tensor.type.extents
        out = self.new(Type("tensor", tensor.type.dtype, [columns]), roots=tensor.roots)
        return self.emit(f"pl.slice {{0}}[{{1}}, 0] dropped [0] : {tensor.type.text} -> {out.type.text}",
                         [tensor, self.below(self.constant(rows))], [out], lambda t, i: t[i])

    def plane(self, tensor):
        """A view of a tensor of three dimensions, of two."""
        first, *rest = tensor.type.extents
        out = self.new(Type("tensor", tensor.type.dtype, rest), roots=tensor.roots)
        return self.emit(f"pl.slice {{0}}[{{1}}, 0, 0] dropped [0] : {tensor.type.text} -> {out.type.text}",
                         [tensor, self.below(self.constant(first))], [out], lambda t, i: t[i])

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
        style = rng.choice(["static", "static", "own", "shared", "mixed"] if blocks else
                           ["static", "static", "own", "shared", "mixed", "other"])
        extents = {"static": rng.choice(program.shapes), "own": (f"{program.symbol}A{place}", f"{program.symbol}B{place}"),
                   "other": rng.choice(program.other_shapes), "shared": (f"{program.symbol}M", f"{program.symbol}N"),
                   "mixed": (f"{program.symbol}A{place}", 8)}[style]
        direction = rng.choice(["in", "inout", "inout", "out"]) if place else "inout"
        if direction == "out" and (style != "static" or blocks or 0 in extents):
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
    parameters = [p for d, p in tensors if d != "in"]
    generator.others_read = [p for _, p in tensors if not is_plane(p)]
    generator.others_written = [p for p in parameters if not is_plane(p)]
    planes = [(d, p if is_plane(p) else generator.plane(p)) for d, p in tensors if len(p.type.extents) > 1]
    readable = [p for d, p in planes if not (blocks and d != "in")]
    writable = [p for d, p in planes if d != "in"]
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
    if readable:
        generator.begin(readable, writable, row)
        generator.statements(rng.randint(2, 6), 2)
        if not any("tile.store" in line for line in generator.block.text(0, "")):
            generator.store()
        generator.leave_mix()
    else:
        generator.vector()
        generator.cube()
    returned = [i for i, (d, p) in enumerate(params) if p in parameters and rng.random() < 0.7]
    rng.shuffle(returned)
    generator.block.yields = [params[i][1] for i in returned]
    function = Function(generator.name, rng.choice(["incore", "incore", "aiv"]), params, generator.block,
                        private=rng.random() < 0.3)
    function.returned, function.blocks = returned, blocks
    return function


def wrapper(program, kernel):
    """A function around a kernel, for each block of a launch or for a group of cores."""
    generator = Generator(program, kernel.name + "_wrapper")
    params = [(d, generator.new(p.type)) for d, p in kernel.params]
    outs = [generator.new(t) for t in kernel.result_types]
    generator.block.ops.append(Call(kernel, [p for _, p in params], outs))
    kept = sorted(program.rng.sample(range(len(outs)), program.rng.randint(0, len(outs))), reverse=program.rng.random() < 0.5)
    generator.block.yields = [outs[k] for k in kept]
    function = Function(generator.name, "spmd" if kernel.blocks else "group", params, generator.block)
    function.returned, function.blocks = [kernel.returned[k] for k in kept], kernel.blocks
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
