# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random scalars, variables, loops and branches."""
import numpy as np

from model import ARRAY, BOOL, INDEX, NUMPY, Block, Call, For, Function, If, Op, Type, Value, While, cell, wrap

FLOATS, INTEGERS = ("f32", "f32", "f32", "f64", "f16", "bf16"), ("i32", "i32", "i64", "i16", "i8", "ui8", "ui16", "ui32")

# How often each statement is made, relative to the others. `nested` ones cost a level.
SCALAR_WEIGHTS = {"scalar": 2, "variable": 1, "assign": 4, "call_scalar": 3, "array": 1}
NESTED_WEIGHTS = {"loop": 3, "branch": 3, "while_loop": 1}


def is_float(dtype):
    return "f" in dtype


def is_signed(dtype):
    return not dtype.startswith("u")


def is_plane(value):
    return value.type.kind == "tensor" and len(value.type.extents) == 2


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
        return value.type in (INDEX, ARRAY) or value.type.kind == "tile"

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

    def array(self):
        """Four numbers: one of them is read, or others are made, which a variable may hold."""
        text = ARRAY.text
        variable = self.pick(lambda v: v.type == cell(ARRAY) and v in self.ready)
        value = self.get(variable) if variable and self.rng.random() < 0.6 else self.pick(lambda v: v.type == ARRAY)
        if not value:
            value = self.emit(f"pl.array.create {{0}} : {text}", [self.index()], [ARRAY], lambda v: (v,) * 4)
        place = self.below(self.constant(4))
        if self.rng.random() < 0.5:
            self.emit(f"pl.array.get {{0}}[{{1}}] : {text}", [value, place], [INDEX], lambda a, i: a[i])
            return
        value = self.emit(f"pl.array.update {{0}}[{{1}}], {{2}} : {text}", [value, place, self.index()], [ARRAY],
                          lambda a, i, v: a[:i] + (v,) + a[i + 1:])
        if variable:
            self.put(variable, value)
        elif self.rng.random() < 0.5:
            self.declare(value)

    def accumulate(self):
        variables = self.visible(lambda v: v.type == cell(INDEX) and v in self.ready)
        if variables:
            variable = self.rng.choice(variables)
            self.put(variable, self.arith(self.rng.choice(["addi", "muli", "xori"]), self.get(variable), self.index()))

    def mix(self):
        """One number that depends on every variable and on some other numbers."""
        cells = self.visible(lambda v: v.type == cell(INDEX) and v in self.ready)
        numbers = [v for v in self.scope if v.type == INDEX][-3:]
        arrays = [v for v in self.scope if v.type == ARRAY][-2:]
        arrays += [self.get(c) for c in self.visible(lambda v: v.type == cell(ARRAY) and v in self.ready)]
        for place, value in enumerate(arrays):
            at = self.constant(place % 4)
            numbers.append(self.emit(f"pl.array.get {{0}}[{{1}}] : {ARRAY.text}", [value, at], [INDEX], lambda a, i: a[i]))
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
            if param.type == cell(ARRAY):
                cells = self.visible(lambda v: v.type == cell(ARRAY) and v in self.ready)
                if not cells:
                    cells = [self.declare(self.emit(f"pl.array.create {{0}} : {ARRAY.text}", [self.index()], [ARRAY],
                                                    lambda v: (v,) * 4))]
                arguments.append(self.rng.choice(cells))
                continue
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


def scalar_helper(program, number):
    """Numbers in, numbers out; parameters that are variables are bound again."""
    generator = Generator(program, f"{program.prefix}scalar{number}")
    params = []
    for _ in range(program.rng.randint(1, 3)):
        kind = program.rng.choice(["value", "cell", "inout", "value", "cell", "inout", "array"])
        value = generator.new(INDEX if kind == "value" else cell(ARRAY if kind == "array" else INDEX))
        params.append(("inout" if kind in ("inout", "array") else "in", value))
        generator.scope.append(value)
        generator.ready.add(value)
    generator.statements(program.rng.randint(2, 5), 2)
    for _, value in params:
        if value.type == cell(INDEX):
            generator.put(value, generator.index())
    generator.statements(program.rng.randint(0, 2), 1)
    generator.block.yields = [generator.index() for _ in range(program.rng.randint(1, 2))]
    return Function(generator.name, "inline", params, generator.block)
