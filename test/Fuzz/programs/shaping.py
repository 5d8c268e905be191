# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random statements that move the elements of tiles."""
import numpy as np

from model import INDEX, Op, Type
from scalars import is_float, is_signed
from tiles import Frame, Tiles


class Shaping(Tiles):
    """Statements on tiles that compute nothing new."""

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

    # -- parts of tiles that are valid as a whole

    def static_tile(self):
        tile = self.tile(lambda v: v.type.valid is None)
        return tile if tile and tile.type.valid is None and self.frame_of(tile) else None

    def place(self, tile, sizes):
        """Where a part of these sizes begins: constants and numbers."""
        values = [self.rng.randint(0, e - s) if self.rng.random() < 0.4 else self.below(self.constant(e - s + 1))
                  for e, s in zip(tile.type.extents, sizes)]
        return values, [v for v in values if not isinstance(v, int)]

    @staticmethod
    def written(values, first):
        """The text of a place whose numbers are operands from `first` on."""
        texts = []
        for value in values:
            texts.append(str(value) if isinstance(value, int) else f"{{{first}}}")
            first += not isinstance(value, int)
        return f"[{', '.join(texts)}]"

    @staticmethod
    def slices(values, numbers, sizes):
        numbers = iter(numbers)
        starts = [v if isinstance(v, int) else next(numbers) for v in values]
        return tuple(slice(a, a + s) for a, s in zip(starts, sizes))

    def move_part(self):
        """A part of one tile, changed, into another place."""
        tile = self.static_tile()
        if not tile:
            return
        sizes = [self.rng.randint(1, e) for e in tile.type.extents]
        (origin, ins), (target, outs) = self.place(tile, sizes), self.place(tile, sizes)
        part = self.new(Type("tile", tile.type.dtype, sizes), ("part", *sizes))
        self.emit(f"tile.slice {{0}}{self.written(origin, 1)} : {tile.type.text} -> {part.type.text}", [tile] + ins, [part],
                  lambda t, *n: t[self.slices(origin, n, sizes)].copy())
        if self.rng.random() < 0.5:
            part = self.doubled(part)
        into = self.pick(lambda v: v.type == tile.type and v.key == tile.key) or tile
        out = self.new(tile.type, tile.key)

        def write(part, into, *numbers):
            result = into.copy()
            result[self.slices(target, numbers, sizes)] = part
            return result

        self.emit(f"tile.assemble {{0}}, {{1}}{self.written(target, 2)} : {part.type.text}, {tile.type.text}",
                  [part, into] + outs, [out], write)

    def roll(self):
        """Rows or columns of a tile behind those of another."""
        tile, axis = self.static_tile(), self.rng.randrange(2)
        if not tile:
            return
        other = self.pick(lambda v: v.type == tile.type and v.key == tile.key) or tile
        extents = list(tile.type.extents)
        extents[axis] *= 2
        both = self.new(Type("tile", tile.type.dtype, extents), ("both", *extents))
        self.emit(f"tile.concat {{0}}, {{1}} axis {axis} : {tile.type.text}, {tile.type.text}", [tile, other], [both],
                  lambda a, b: np.concatenate([a, b], axis))
        place, ins = self.place(both, tile.type.extents)
        out = self.new(tile.type, tile.key)
        self.emit(f"tile.slice {{0}}{self.written(place, 1)} : {both.type.text} -> {tile.type.text}", [both] + ins, [out],
                  lambda t, *n: t[self.slices(place, n, tile.type.extents)].copy())

    def element_of_tile(self):
        """An element that is written to another place of the tile."""
        tile = self.static_tile()
        if not tile:
            return
        ones = (1, 1)
        (origin, ins), (target, outs) = self.place(tile, ones), self.place(tile, ones)
        value = self.new(Type("scalar", tile.type.scalar_text))
        self.block.ops.append(Op(f"tile.read {{0}}{self.written(origin, 1)} : {tile.type.text}", [tile] + ins, [value],
                                 lambda t, *n: t[self.slices(origin, n, ones)][0, 0]))
        out = self.new(tile.type, tile.key)

        def write(value, into, *numbers):
            result = into.copy()
            result[self.slices(target, numbers, ones)] = value
            return result

        self.emit(f"tile.write {{0}}, {{1}}{self.written(target, 2)} : {tile.type.text}", [value, tile] + outs, [out], write)
