# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random orchestration code: tensors, views, calls and submits of kernels, scopes, and handles in variables and loops."""
import random

import numpy as np

from kernels import Kernel, kernel, tile_helper, wrapper
from model import ARRAY, INDEX, NUMPY, TASK, Block, Call, For, Function, If, Make, Op, Program, Scope, Spmd, Symbol, Type, cell
from scalars import FLOATS, INTEGERS, SCALAR_WEIGHTS, is_float, is_plane, is_signed, scalar_helper

WEIGHTS = dict(SCALAR_WEIGHTS, tensor=2, call=6, submit=7, launch=2, view=3, reshape=1, host_read=2, host_write=1, at=3,
               compute=2, multiply_whole=1, shape_whole=2, reduce_whole=1, partial=2, assemble=1, spmd=2, lower_rank=1,
               handle_variable=1, handle_assign=2, call_function=1, call_inline=2, barrier=0.5, dummy=0.5, open_scope=2,
               manual=2)
# What is no kernel: the passes on programs that are split do not accept it.
UNSPLIT = ("at", "compute", "multiply_whole", "shape_whole", "reduce_whole", "partial", "assemble", "spmd")
# In a manual scope: what the ids of tasks put in order.
MANUAL_WEIGHTS = {"scalar": 1, "tensor": 1, "submit": 8, "launch": 2, "host_read": 1, "view": 1, "dummy": 0.5, "barrier": 0.3,
                  "manual_loop": 2, "manual_branch": 2}


class Orchestration(Kernel):
    """`readonly` are the storages that are not written; `level` is how deep scopes and loops may still nest."""

    def __init__(self, program, name):
        super().__init__(program, name)
        self.readonly, self.manual_tasks, self.level, self.frames, self.current = set(), None, 2, {}, None

    @property
    def weights(self):
        if self.manual_tasks is not None:
            return MANUAL_WEIGHTS
        return {k: v for k, v in WEIGHTS.items() if not (self.program.is_split and k in UNSPLIT)}

    def statement(self, depth):
        if self.manual_tasks is None:
            self.level = depth
            return super().statement(depth)
        name = self.rng.choices(list(MANUAL_WEIGHTS), list(MANUAL_WEIGHTS.values()))[0]
        getattr(self, name)()

    # -- handles

    def handles(self, writable=False, test=lambda v: True):
        return self.visible(lambda v: v.type.kind == "tensor" and test(v) and not (
            writable and v.roots is not None and v.roots & self.readonly))

    def is_writable(self, value):
        return value.roots is None or not value.roots & self.readonly

    def is_carriable(self, value):
        if value.type.kind == "tensor":
            return self.is_writable(value)
        return value.type in (INDEX, ARRAY, TASK)

    def may_carry(self, value, like):
        return value.type.kind != "tensor" or self.is_writable(value)

    def join_roots(self, values):
        return None

    def fresh(self):
        return frozenset([f"r{self.program.number()}"])

    def tensor(self, type=None):
        """A new tensor: of constant extents, of those of a parameter, of an extent bound here, or of any extent."""
        dtype = type.dtype if type else self.rng.choice(self.program.dtypes)
        shapes = self.program.other_shapes if not type and self.rng.random() < 0.15 else self.program.shapes
        extents, ins = type.extents if type else self.rng.choice(shapes), []
        if not type and self.rng.random() < 0.4:
            size = self.below(self.constant(6))
            if self.rng.random() < 0.5:
                name = f"{self.program.symbol}S{self.program.number()}"
                self.block.ops.append(Symbol(name, size))
                extents = (name, 8)
            else:
                extents, ins = ("?", 8), [size]
        elif not type and self.program.symbols and self.kind == "main" and self.rng.random() < 0.4:
            extents = self.program.symbols
        number = self.rng.randint(-3, 3) if is_signed(dtype) else self.rng.randint(0, 5)
        value = self.constant(number, dtype)
        out = self.new(Type("tensor", dtype, extents), roots=self.fresh())
        sizes = f" ({', '.join(f'{{{i + 1}}}' for i in range(len(ins)))})" if ins else ""
        self.block.ops.append(Make(f"pl.full {{0}}{sizes} : {value.type.text}, {out.type.text}", [value] + ins, out, extents,
                                   dtype, number))
        self.scope.append(out)
        return out

    def rows(self, handle, axis=0):
        extent = handle.type.extents[axis]
        if isinstance(extent, int):
            return self.constant(extent)
        return self.emit(f"pl.dim {{0}}, {axis} : {handle.type.text}", [handle], [INDEX], lambda t: t.shape[axis])

    def view(self):
        """A window, or rows of it without the first dimension's one."""
        handle = self.pick(is_plane)
        if not handle:
            return
        rows, columns = handle.type.extents
        ins, names = [handle], []
        if isinstance(rows, int) and rows > 0 and self.rng.random() < 0.6:
            size = self.rng.randint(1, rows)
            start = self.below(self.constant(rows - size + 1))
            sizes, extent = [], size
        else:
            total = self.rows(handle)
            count = self.below(self.arith("addi", total, self.constant(1)))
            room = self.arith("subi", total, count)
            start = self.below(self.arith("addi", room, self.constant(1)))
            sizes, extent = [count], "?"
        width, first = columns, 0
        if isinstance(columns, int) and columns > 1 and self.rng.random() < 0.4:
            width = self.rng.randint(1, columns)
            first = self.rng.randint(0, columns - width)
        elif not isinstance(columns, int):
            width = "?"
            sizes = sizes + [self.rows(handle, 1)]
        out = self.new(Type("tensor", handle.type.dtype, (extent, width)), roots=handle.roots)
        text = f" sizes({', '.join(f'{{{i + 2}}}' for i in range(len(sizes)))})" if sizes else ""

        def window(t, start, *counts):
            counts = list(counts)
            count = extent if isinstance(extent, int) else counts.pop(0)
            wide = width if isinstance(width, int) else counts.pop(0)
            assert 0 <= start and start + count <= t.shape[0] and first + wide <= t.shape[1]
            return t[start:start + count, first:first + wide]

        self.emit(f"pl.slice {{0}}[{{1}}, {first}]{text} : {handle.type.text} -> {out.type.text}", [handle, start] + sizes,
                  [out], window)

    def lower_rank(self):
        """A view of one dimension less."""
        handle = self.pick(lambda v: v.type.kind == "tensor" and len(v.type.extents) > 1 and all(
            isinstance(e, int) and e for e in v.type.extents))
        if handle:
            self.line(handle) if is_plane(handle) else self.plane(handle)

    def reshape(self):
        handle = self.pick(lambda v: v.type.kind == "tensor" and v in self.contiguous and all(
            isinstance(e, int) and e for e in v.type.extents))
        if not handle:
            return
        total = int(np.prod(handle.type.extents))
        rows = self.rng.choice([r for r in range(1, total + 1) if total % r == 0])
        extents = self.rng.choice([(rows, total // rows)] * 4 + [(total,), (1, rows, total // rows)])
        out = self.new(Type("tensor", handle.type.dtype, extents), roots=handle.roots)
        self.emit(f"pl.reshape {{0}} : {handle.type.text} -> {out.type.text}", [handle], [out],
                  lambda t: t.reshape(extents))

    @property
    def contiguous(self):
        """Handles of whole tensors, which are contiguous."""
        made = {op.outs[0] for op in self.block.ops if isinstance(op, Make)}
        return made | {v for v in self.scope if v in self.parameters}

    def handle_variable(self):
        handle = self.pick(lambda v: v.type.kind == "tensor" and self.is_writable(v))
        if handle:
            self.declare(handle)

    def handle_assign(self):
        variable = self.pick(lambda v: v.type.kind == "cell" and v.type.inner.kind == "tensor")
        if not variable:
            return
        found = self.handles(True, lambda v: v.type == variable.type.inner)
        if found and self.rng.random() < 0.6:
            self.put(variable, self.rng.choice(found[-4:]))
        elif variable in self.ready:
            self.get(variable)

    # -- calls

    def arguments(self, callee):
        """A value for each parameter, or None; names of the callee stand for one extent each."""
        bound, chosen = {}, []

        def fits(param, value, writable):
            if value.type.kind != "tensor" or value.type.dtype != param.type.dtype:
                return None
            if len(value.type.extents) != len(param.type.extents):
                return None
            if writable and not self.is_writable(value):
                return None
            new = dict(bound)
            for extent, actual in zip(param.type.extents, value.type.extents):
                if isinstance(extent, int):
                    if extent != actual:
                        return None
                elif new.setdefault(extent, actual) != actual or (actual == "?" and extent in bound):
                    return None
            return new

        for direction, param in callee.params:
            if param.type == INDEX:
                chosen.append(self.index())
                continue
            if param.type.kind == "cell" and param.type.inner == INDEX:
                chosen.append(self.index())
                continue
            type = param.type.inner if param.type.kind == "cell" else param.type
            like = self.new(type)
            found = [v for v in self.scope if fits(like, v, direction != "in" or param.type.kind == "cell") is not None]
            if not found:
                extents = [bound.get(e, self.rng.choice([1, 5, 8])) if isinstance(e, str) else e for e in type.extents]
                if any(not isinstance(e, int) for e in extents):
                    return None
                found = [self.tensor(Type("tensor", type.dtype, extents))]
            value = self.rng.choice(found[-5:])
            bound = fits(like, value, False)
            if param.type.kind == "cell" and self.rng.random() < 0.6:
                variables = self.visible(lambda v: v.type == cell(value.type) and v in self.ready)
                value = self.rng.choice(variables) if variables else self.declare(value)
            chosen.append(value)
        return chosen

    def results(self, callee, arguments):
        outs = []
        for place, type in enumerate(callee.result_types):
            parameter = callee.returned[place] if place < len(callee.returned) else None
            if parameter is not None:
                argument = arguments[parameter]
                inner = argument.type.inner if argument.type.kind == "cell" else argument.type
                outs.append(self.new(inner, roots=argument.roots))
            else:
                outs.append(self.new(type, roots=self.fresh() if type.kind == "tensor" else None))
        return outs

    def call(self):
        suited = [k for k in self.program.kernels if not k.blocks]
        callee = suited and self.rng.choice(suited)
        arguments = callee and self.arguments(callee)
        if arguments is not None and callee:
            outs = self.results(callee, arguments)
            self.block.ops.append(Call(callee, arguments, outs))
            self.scope += outs

    def effects(self, callee, arguments):
        """The storages read and written by a call, None being any."""
        reads, writes = set(), set()
        for (direction, _), value in zip(callee.params, arguments):
            if value.type.kind == "tensor":
                target = writes if direction != "in" else reads
                target |= value.roots if value.roots is not None else {None}
        return reads, writes

    @staticmethod
    def conflict(one, other):
        def meet(a, b):
            return bool(a and b and (None in a or None in b or "P" in a and "P" in b or a & b))
        return meet(one[1], other[1]) or meet(one[0], other[1]) or meet(one[1], other[0])

    def submit(self, blocks=False):
        suited = [k for k in self.program.kernels if k.blocks == blocks]
        callee = suited and self.rng.choice(suited)
        arguments = callee and self.arguments(callee)
        if not callee or arguments is None:
            return
        count = None
        if blocks:
            count = self.blocks_of(callee, arguments)
            if count is None:
                return
        effects = self.effects(callee, arguments)
        if self.manual_tasks is None:
            tasks = self.visible(lambda v: v.type == TASK)
            after = self.rng.sample(tasks, min(len(tasks), self.rng.choice([0, 0, 1, 2])))
        else:
            after = [task for task, other in self.manual_tasks if self.conflict(effects, other)]
        task = self.new(TASK)
        outs = self.results(callee, arguments) + [task]
        self.block.ops.append(Call(callee, arguments, outs, submit=True, after=after, blocks=count))
        if self.manual_tasks is not None:
            self.manual_tasks.append((task, effects))
            outs = outs[:-1]
        self.scope += outs

    def launch(self):
        self.submit(blocks=True)

    def blocks_of(self, callee, arguments):
        """How many blocks may work on rows of their own, or None if they could touch what others write."""
        tensors = [(d, v) for (d, _), v in zip(callee.params, arguments) if v.type.kind == "tensor"]
        seen = set()
        for direction, value in sorted(tensors, key=lambda pair: pair[0] == "in"):
            if value.roots is None or "P" in value.roots or value.roots & seen:
                return None
            if direction != "in":
                seen |= value.roots
        rows = None
        for direction, value in tensors:
            if direction != "in":
                more = self.rows(value)
                rows = self.arith("minsi", rows, more) if rows else more
        return self.below(self.arith("addi", rows, self.constant(1))) if rows else None

    def call_function(self):
        self.call_any(self.program.functions)

    def call_inline(self):
        self.call_any(self.program.inline_functions)

    def call_any(self, functions):
        callee = functions and self.rng.choice(functions)
        arguments = callee and self.arguments(callee)
        if callee and arguments is not None:
            outs = self.results(callee, arguments)
            self.block.ops.append(Call(callee, arguments, outs))
            self.scope += outs

    # -- the host

    def integer_tensor(self, writable=False):
        found = self.handles(writable, lambda v: is_plane(v) and not is_float(v.type.dtype) and all(
            isinstance(e, int) and e > 0 for e in v.type.extents))
        return self.rng.choice(found[-5:]) if found else None

    def host_read(self):
        tensor = self.integer_tensor()
        if not tensor:
            return
        if self.manual_tasks is not None:
            self.barrier()
        self.readable, self.writable, self.row, self.least = [tensor], [], None, [1, 1]
        self.element()

    def host_write(self):
        tensor = self.integer_tensor(True)
        if tensor:
            self.readable, self.writable, self.row, self.least = [], [tensor], None, [1, 1]
            self.element()

    def barrier(self):
        self.block.ops.append(Op("orchestration.barrier", [], [], lambda: None))
        if self.manual_tasks is not None:
            self.manual_tasks.clear()

    def dummy(self):
        if self.manual_tasks is not None:
            self.wait_for_all()
            return
        tasks = self.visible(lambda v: v.type == TASK)
        self.scope.append(self.make_dummy(self.rng.sample(tasks, min(len(tasks), 2))))

    def make_dummy(self, tasks):
        out = self.new(TASK)
        form = "orchestration.task_dummy" if tasks else "orchestration.task_invalid"
        form += f" after ({', '.join(f'{{{i}}}' for i in range(len(tasks)))})" if tasks else ""
        self.block.ops.append(Op(form, tasks, [out], lambda *_: None))
        return out

    # -- scopes

    def scope_kernel(self, readable, writable, row=None, cells=True):
        """Code of cores in the block that is being made."""
        inner = Kernel(self.program, self.name)
        inner.block = inner.top = self.block
        inner.scope = [v for v in self.scope if cells or v.type.kind != "cell"]
        inner.ready = set(self.ready) if cells else set()
        inner.begin(readable, writable, row)
        inner.statements(self.rng.randint(2, 5), 1)
        inner.store()
        inner.leave_mix()
        self.ready |= inner.ready

    def at(self):
        readable, writable = self.handles(False, is_plane), self.handles(True, is_plane)
        readable = self.rng.sample(readable, min(2, len(readable)))
        writable = self.rng.sample(writable, min(2, len(writable)))
        if writable:
            block, ready = self.nested([], self.scope_kernel, readable + writable, writable)
            self.block.ops.append(Scope(self.rng.choice(["pl.at core_group", "pl.at core_group", "pl.cluster"]), [], block))
            self.ready |= ready

    def spmd(self):
        known = [v for v in self.handles(True, is_plane) if v.roots is not None and "P" not in v.roots]
        if not known:
            return
        target = self.rng.choice(known)
        others = [v for v in self.handles(False, is_plane) if v.roots is not None and not v.roots & target.roots]
        count = self.below(self.arith("addi", self.rows(target), self.constant(1)))
        index = self.new(INDEX)
        readable = self.rng.sample(others, min(2, len(others))) + [target]
        block, _ = self.nested([index], self.scope_kernel, readable, [target], index, False)
        self.block.ops.append(Spmd(count, block))

    def compute(self):
        """Whole tensors."""
        left = self.pick(lambda v: v.type.kind == "tensor" and "?" not in v.type.extents)
        if not left:
            return
        right = self.rng.choice(self.handles(False, lambda v: v.type == left.type))
        name, function = self.operation(left.type.dtype)
        out = self.new(left.type, roots=self.fresh())
        steps = [Op(f"pl.{name} {{0}}, {{1}} : {left.type.text}, {right.type.text}", [left, right], [out], function)]
        if is_float(left.type.dtype):
            for name, number, function in (("minimum", 8.0, np.minimum), ("maximum", -8.0, np.maximum)):
                value = self.constant(number, left.type.dtype)
                source, out = out, self.new(left.type, roots=self.fresh())
                steps.append(Op(f"pl.{name} {{0}}, {{1}} : {left.type.text}, {value.type.text}", [source, value], [out],
                                lambda t, v, f=function: f(t, t.dtype.type(v))))
        if self.rng.random() < 0.5:
            self.block.ops += steps
            self.scope.append(out)
            return
        block = Block()
        block.ops, block.yields = steps, [out]
        result = self.new(left.type, roots=self.fresh())
        self.block.ops.append(Scope("pl.at core_group", [result], block))
        self.scope.append(result)

    def multiply_whole(self):
        left = self.pick(lambda v: is_plane(v) and "?" not in v.type.extents)
        if not left:
            return
        dtype, extents = left.type.dtype, left.type.extents
        steps = []
        if is_float(dtype):
            for name, number, function in (("minimum", 1.0, np.minimum), ("maximum", -1.0, np.maximum)):
                value = self.constant(number, dtype)
                source, left = left, self.new(left.type, roots=self.fresh())
                steps.append(Op(f"pl.{name} {{0}}, {{1}} : {left.type.text}, {value.type.text}", [source, value], [left],
                                lambda t, v, f=function: f(t, t.dtype.type(v))))
        turn = self.rng.choice(["a_trans", "b_trans"])
        size = extents[1 if turn == "a_trans" else 0]
        out = self.new(Type("tensor", dtype, (size, size)), roots=self.fresh())

        def multiply(t):
            wide = t.astype(np.int64 if not is_float(dtype) else np.float32 if dtype == "f16" else t.dtype)
            return (wide.T @ wide if turn == "a_trans" else wide @ wide.T).astype(t.dtype)

        steps.append(Op(f"pl.matmul {{0}}, {{0}} {turn} to {dtype} : {left.type.text}, {left.type.text}", [left], [out],
                        multiply))
        self.block.ops += steps
        self.scope.append(out)

    def made(self, form, ins, dtype, extents, function):
        out = self.new(Type("tensor", dtype, extents), roots=self.fresh())
        return self.emit(form, ins, [out], function)

    def shape_whole(self):
        left = self.pick(lambda v: is_plane(v) and "?" not in v.type.extents)
        if not left:
            return
        dtype, (rows, columns) = left.type.dtype, left.type.extents
        if self.rng.random() < 0.4:
            self.made(f"pl.transpose {{0}}, 0, 1 : {left.type.text}", [left], dtype, (columns, rows), lambda t: t.T.copy())
            return
        axis = self.rng.randrange(2)
        if not isinstance((rows, columns)[axis], int):
            return
        others = self.handles(False, lambda v: is_plane(v) and v.type.dtype == dtype and isinstance(v.type.extents[axis], int)
                              and v.type.extents[1 - axis] == left.type.extents[1 - axis])
        right = self.rng.choice(others)
        extents = [rows, columns]
        extents[axis] += right.type.extents[axis]
        self.made(f"pl.concat {{0}}, {{1}} axis {axis} : {left.type.text}, {right.type.text}", [left, right], dtype, extents,
                  lambda a, b: np.concatenate([a, b], axis))

    def reduce_whole(self):
        """Less the greatest of each row or column."""
        left = self.pick(lambda v: is_plane(v) and all(isinstance(e, int) and e for e in v.type.extents))
        if not left:
            return
        word, axis = self.rng.choice([("row", 1), ("col", 0)])
        extents = list(left.type.extents)
        extents[axis] = 1
        name, function = self.rng.choice([("max", np.max), ("min", np.min)])
        part = self.made(f"pl.{word}_{name} {{0}} : {left.type.text}", [left], left.type.dtype, extents,
                         lambda t: function(t, axis=axis, keepdims=True))
        self.made(f"pl.{word}_expand_sub {{0}}, {{1}} : {left.type.text}, {part.type.text}", [left, part], left.type.dtype,
                  left.type.extents, lambda t, v: t - v)

    def partial(self):
        """With a part of a tensor valid: that is doubled and the rest is filled, or it is added to the whole."""
        left = self.pick(lambda v: is_plane(v) and all(isinstance(e, int) for e in v.type.extents))
        if not left:
            return
        extents = left.type.extents
        sizes = [self.below(self.constant(e + 1)) for e in extents]
        part = self.new(Type("tensor", left.type.dtype, extents, ["?", "?"]), roots=left.roots)
        form = f"pl.set_validshape {{0}}[{{1}}, {{2}}] : {left.type.text} -> {part.type.text}"
        # Other statements take tensors that are valid as a whole.
        self.block.ops.append(Op(form, [left] + sizes, [part], lambda t, a, b: t[:a, :b]))
        if self.rng.random() < 0.5:
            def add(whole, part):
                result = whole.copy()
                result[:part.shape[0], :part.shape[1]] += part
                return result

            self.made(f"pl.part_add {{0}}, {{1}} : {left.type.text}, {part.type.text}", [left, part], left.type.dtype, extents,
                      add)
            return
        twice = self.new(part.type, roots=self.fresh())
        self.block.ops.append(Op(f"pl.add {{0}}, {{0}} : {part.type.text}, {part.type.text}", [part], [twice],
                                 lambda t: t + t))
        self.made(f"pl.fillpad zero {{0}} : {part.type.text}", [twice], left.type.dtype, extents,
                  lambda t: np.pad(t, [(0, e - s) for e, s in zip(extents, t.shape)]))

    def assemble(self):
        target = self.pick(lambda v: is_plane(v) and self.is_writable(v)
                           and all(isinstance(e, int) for e in v.type.extents))
        if not target:
            return
        sources = self.handles(False, lambda v: is_plane(v) and v.type.dtype == target.type.dtype and all(
            isinstance(e, int) and e <= t for e, t in zip(v.type.extents, target.type.extents)))
        source = self.rng.choice(sources)
        starts = [self.rng.randint(0, t - e) for e, t in zip(source.type.extents, target.type.extents)]
        atomic = self.rng.random() < 0.3

        def write(value, destination):
            window = destination[tuple(slice(a, a + s) for a, s in zip(starts, value.shape))]
            window[...] = window + value if atomic else value.copy()
            return destination

        out = self.new(target.type, roots=target.roots)
        self.emit(f"pl.assemble {{0}}, {{1}}[{starts[0]}, {starts[1]}]{' atomic' if atomic else ''} : {source.type.text}, "
                  f"{target.type.text}", [source, target], [out], write)

    def open_scope(self):
        block, ready = self.nested([], self.body, self.level - 1)
        self.block.ops.append(Scope("orchestration.scope", [], block))
        self.ready |= ready

    def manual(self):
        def fill():
            # What was submitted outside is done first.
            self.block.ops.append(Op("orchestration.barrier", [], [], lambda: None))
            self.manual_tasks = []
            for _ in range(self.rng.randint(2, 5)):
                self.statement(0)
            self.manual_tasks = None

        block, ready = self.nested([], fill)
        self.block.ops.append(Scope("orchestration.scope manual", [], block))
        self.ready |= ready

    def wait_for_all(self):
        """One task behind all that are known, which then stands for them."""
        task = self.make_dummy([t for t, _ in self.manual_tasks])
        self.manual_tasks[:] = [(task, ({None}, {None}))]
        return task

    def manual_part(self, args, carried, count):
        """Submits behind the task `carried`; yields a task behind them."""
        def fill():
            outer, self.manual_tasks = self.manual_tasks, [(carried, ({None}, {None}))]
            for _ in range(count):
                name = self.rng.choice(["submit", "submit", "submit", "launch", "scalar", "view"])
                getattr(self, name)()
            self.block.yields = [self.wait_for_all()]
            self.manual_tasks = outer

        return self.nested(args, fill)[0]

    def manual_loop(self):
        first = self.wait_for_all()
        bounds = [self.constant(n) for n in (0, self.rng.choice([0, 1, 2, 3]), 1)]
        carried, out = self.new(TASK), self.new(TASK)
        block = self.manual_part([self.new(INDEX), carried], carried, self.rng.randint(1, 3))
        self.block.ops.append(For(bounds, [first], [out], block))
        self.manual_tasks[:] = [(out, ({None}, {None}))]

    def manual_branch(self):
        condition, first, out = self.condition(), self.wait_for_all(), self.new(TASK)
        then, other = (self.manual_part([], first, count) for count in (self.rng.randint(1, 2), self.rng.randint(0, 1)))
        self.block.ops.append(If(condition, [out], then, other))
        self.manual_tasks[:] = [(out, ({None}, {None}))]


def is_split(seed):
    """Whether the program of a seed has all code of cores in kernels."""
    return seed // 48 % 2 == 0


class Generated:
    """What the parts of one program share while it is made."""

    def __init__(self, seed, place):
        self.rng, self.is_split = random.Random(seed), is_split(seed)
        self.prefix, self.symbol, self.count = f"p{place}_", f"S{place}", 0
        floats, integers = self.rng.choice(FLOATS), self.rng.choice(INTEGERS)
        self.dtypes = self.rng.choice([[floats], [integers], [floats, integers], [floats, "i32"]])
        self.shapes = [(self.rng.choice([1, 2, 3, 5, 8]), self.rng.choice([1, 3, 4, 7, 8, 16])) for _ in range(2)]
        if self.rng.random() < 0.12:
            # Larger than vectors, and than the blocks of products.
            self.shapes[1] = (self.rng.choice([17, 33, 40, 70]), self.rng.choice([17, 33, 64, 100, 130]))
        first, second = self.shapes[0]
        if self.rng.random() < 0.1:
            self.shapes.append(self.rng.choice([(0, 8), (3, 0)]))
        self.other_shapes = [(second,), (self.rng.randint(1, 3), first, second)]
        self.symbols, self.sizes = None, {}
        self.scalar_helpers, self.tile_helpers, self.kernels, self.functions, self.inline_functions = [], [], [], [], []

    def number(self):
        self.count += 1
        return self.count

    def array(self, dtype, shape):
        rng = np.random.default_rng(self.rng.randrange(1 << 30))
        if is_float(dtype):
            return (rng.integers(-8, 8, shape) / 4).astype(NUMPY[dtype])
        low, high = (-8, 8) if is_signed(dtype) else (0, 16)
        return rng.integers(low, high, shape).astype(NUMPY[dtype])


def function(program, name, kind):
    """A part of the orchestration, which may be inlined, or the whole program."""
    rng, generator = program.rng, Orchestration(program, program.prefix + name)
    generator.kind = "main" if kind == "main" else "part"
    params = []
    for place in range(rng.randint(2, 4) if kind == "main" else rng.randint(1, 3)):
        symbolic = kind == "main" and rng.random() < 0.4
        if symbolic and not program.symbols:
            program.symbols = (f"{program.symbol}M", f"{program.symbol}N")
            program.sizes = {s: rng.choice([0, 1, 2, 3, 5, 7, 8, 13, 35]) for s in program.symbols}
        shapes = program.other_shapes if rng.random() < 0.1 else program.shapes
        type = Type("tensor", rng.choice(program.dtypes), program.symbols if symbolic else rng.choice(shapes))
        direction = "inout" if not place else rng.choice(["in", "inout"])
        roots = frozenset([f"r{program.number()}"] if kind == "main" else ["P" if direction != "in" else "Q"])
        is_cell = kind == "inline" and direction != "in" and rng.random() < 0.4
        value = generator.new(cell(type) if is_cell else type, roots=roots)
        if direction == "in":
            generator.readonly |= roots
        params.append(("in" if is_cell else direction, value))
    for _ in range(rng.randint(0, 2)):
        params.insert(rng.randint(0, len(params)), ("in", generator.new(INDEX)))
    generator.parameters = {p for _, p in params if p.type.kind == "tensor"} if kind == "main" else set()
    generator.scope += [p for _, p in params]
    generator.ready |= {p for _, p in params if p.type.kind == "cell"}
    generator.top = generator.block
    generator.variable()
    generator.statements(rng.randint(3, 8) if kind == "main" else rng.randint(1, 3), 2)
    result = Function(program.prefix + name, "inline" if kind == "inline" else "orchestration", params, generator.block,
                      private=kind == "part" and rng.random() < 0.3)
    made = [op.outs[0] for op in generator.block.ops if isinstance(op, Make) and "?" not in op.outs[0].type.extents
            and not any("S" in str(e) and e not in (program.symbols or ()) for e in op.outs[0].type.extents)]
    results = rng.sample(made, min(len(made), rng.randint(0, 2)))
    if kind == "main":
        written = [p for d, p in params if d != "in" and p.type.kind == "tensor"]
        results += rng.sample(written, rng.choice([0, 0, 1, len(written)]))
        rng.shuffle(results)
    else:
        places = [i for i, (d, p) in enumerate(params) if d != "in" and p.type.kind == "tensor" and rng.random() < 0.5]
        rng.shuffle(places)
        result.returned = places
        results = [params[i][1] for i in places] + results
    generator.block.yields = results + [generator.mix()]
    return result


def generate(seed, place=0):
    """The program of a seed; its names begin with a prefix of its place among others."""
    program = Generated(seed, place)
    rng = program.rng
    for number in range(rng.choice([0, 1, 2])):
        program.scalar_helpers.append(scalar_helper(program, number))
    for number in range(rng.choice([0, 1, 2])):
        floats = [d for d in program.dtypes if is_float(d)]
        if floats:
            program.tile_helpers.append(tile_helper(program, number, floats[0]))
    for number in range(rng.randint(1, 2)):
        program.kernels.append(kernel(program, number))
    for number in range(rng.choice([0, 1])):
        program.kernels.append(kernel(program, f"_blocks{number}", blocks=True))
    wrapped = rng.sample(program.kernels, rng.choice([0, 0, 1]))
    program.kernels += [wrapper(program, inner) for inner in wrapped]
    for number in range(rng.choice([0, 0, 1])):
        program.functions.append(function(program, f"part{number}", "part"))
    for number in range(rng.choice([0, 0, 1])):
        program.inline_functions.append(function(program, f"inline{number}", "inline"))
    main = function(program, "main", "main")
    inputs = []
    for direction, param in main.params:
        if param.type == INDEX:
            inputs.append(rng.randint(-4, 12))
        else:
            shape = [e if isinstance(e, int) else program.sizes[e] for e in param.type.extents]
            inputs.append(program.array(param.type.dtype, shape))
    functions = [*program.scalar_helpers, *program.tile_helpers, *program.kernels, *program.functions,
                 *program.inline_functions, main]
    return Program(functions, inputs)
