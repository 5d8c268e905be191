# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that can be printed and evaluated.

A program is a list of functions of operations. Every operation knows its text and what it does to NumPy arrays: a handle
is a view of an array, a tile the array of its valid part, a variable a list of one element. Evaluation follows the order
of the text, which is what each schedule of the tasks has to agree with. Elements of bf16 are float32 that are rounded.
"""
import numpy as np

NUMPY = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i8": np.int8, "i16": np.int16, "i32": np.int32,
         "i64": np.int64, "bf16": np.float32, "ui8": np.uint8, "ui16": np.uint16, "ui32": np.uint32, "index": np.int64}


def bf16_bits(values):
    """The bits of the nearest bf16, ties to even."""
    bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    return np.where(np.isnan(values), 0x7FC0, (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def from_bf16_bits(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


class Invalid(Exception):
    """The program does what no program may do, or computes what cannot be compared."""


class Type:
    """A type as it is written. `extents` are integers, names or `?`; those of a tile are integers."""

    def __init__(self, kind, dtype=None, extents=(), valid=None, inner=None):
        self.kind, self.dtype, self.extents, self.valid, self.inner = kind, dtype, tuple(extents), valid, inner
        self.text = self.make_text()

    def make_text(self):
        if self.kind in ("tensor", "tile"):
            valid = f", valid = [{', '.join(map(str, self.valid))}]" if self.valid else ""
            prefix = "pl.tensor" if self.kind == "tensor" else "tile.tile"
            return f"!{prefix}<[{', '.join(map(str, self.extents))}], {self.dtype}{valid}>"
        if self.kind == "cell":
            return f"!pl.var<{self.inner.text}>"
        if self.kind == "array":
            return "!pl.array<4 x index>"
        return {"task": "!orchestration.task"}.get(self.kind, self.dtype)

    def __eq__(self, other):
        return self.text == other.text

    def __hash__(self):
        return hash(self.text)

    @property
    def scalar_text(self):
        return self.dtype.replace("ui", "i")


INDEX, BOOL, TASK, ARRAY = Type("scalar", "index"), Type("scalar", "i1"), Type("task"), Type("array")


def cell(inner):
    return Type("cell", inner=inner)


class Value:
    """`key` names the valid shape of a tile: tiles of one type and key have the same. `roots` are the storages that a
    handle may be in, None if they are not known."""

    def __init__(self, number, type, key=None, roots=None):
        self.name, self.type, self.key, self.roots = f"%v{number}", type, key, roots


class Block:
    def __init__(self, args=()):
        self.args, self.ops, self.yields = list(args), [], []

    def run(self, machine, env, values=()):
        env.update(zip(self.args, values))
        for op in self.ops:
            machine.step()
            op.run(machine, env)
        return [env[value] for value in self.yields]

    def text(self, depth, terminator):
        pad = "  " * depth
        lines = [line for op in self.ops for line in op.text(depth)]
        if self.yields:
            names, types = join(self.yields)
            lines.append(f"{pad}{terminator} {names} : {types}")
        return lines


def join(values):
    return ", ".join(v.name for v in values), ", ".join(v.type.text for v in values)


class Op:
    """`form` is the text behind the results, with {n} for the n-th operand."""
    blocks = ()

    def __init__(self, form, ins, outs, function=None):
        self.form, self.ins, self.outs, self.function = form, list(ins), list(outs), function

    def head(self):
        results = ", ".join(v.name for v in self.outs)
        return (results + " = " if results else "") + self.form.format(*[v.name for v in self.ins])

    def text(self, depth):
        return ["  " * depth + self.head()]

    def run(self, machine, env):
        results = self.function(*[env[value] for value in self.ins])
        if len(self.outs) == 1:
            results = [results]
        for out, result in zip(self.outs, results or []):
            if out.type.dtype == "bf16" and isinstance(result, np.ndarray):
                rounded = from_bf16_bits(bf16_bits(result)).reshape(result.shape)
                if out.type.kind == "tensor":
                    result[...] = rounded
                else:
                    result = rounded
            env[out] = result


class Symbol(Op):
    """Binds a name; what follows may make tensors of that extent."""

    def __init__(self, symbol, value):
        super().__init__(f"pl.symbol @{symbol} = {{0}} : index", [value], [])
        self.symbol = symbol

    def run(self, machine, env):
        env[self.symbol] = env[self.ins[0]]


class Make(Op):
    """A new tensor full of a number."""

    def __init__(self, form, ins, out, extents, dtype, number):
        super().__init__(form, ins, [out])
        self.extents, self.dtype, self.number = extents, dtype, number

    def run(self, machine, env):
        sizes = iter([env[value] for value in self.ins[1:]])
        shape = [next(sizes) if e == "?" else e if isinstance(e, int) else env[e] for e in self.extents]
        env[self.outs[0]] = np.full(shape, self.number, NUMPY[self.dtype])


class For(Op):
    """ins: lower and upper bound, step, initial values."""

    def __init__(self, bounds, inits, outs, block, attribute=""):
        super().__init__(None, list(bounds) + list(inits), outs)
        self.blocks, self.attribute = [block], attribute

    def text(self, depth):
        block, carried = self.blocks[0], ""
        names = [v.name for v in self.ins]
        if self.outs:
            pairs = ", ".join(f"{a.name} = {i}" for a, i in zip(block.args[1:], names[3:]))
            carried = f" iter_args({pairs}) -> ({', '.join(v.type.text for v in self.outs)})"
        results = ", ".join(v.name for v in self.outs) + (" = " if self.outs else "")
        head = f"{results}scf.for {block.args[0].name} = {names[0]} to {names[1]} step {names[2]}{carried} {{"
        pad = "  " * depth
        return [pad + head] + block.text(depth + 1, "scf.yield") + [pad + "}" + self.attribute]

    def run(self, machine, env):
        low, high, step, *values = [env[value] for value in self.ins]
        while low < high:
            values = self.blocks[0].run(machine, env, [low] + values)
            low += step
        env.update(zip(self.outs, values))


class While(Op):
    """Goes on as long as the first carried value, an index, is greater than zero; the body yields a smaller one."""

    def __init__(self, condition, inits, outs, before, after):
        super().__init__(None, inits, outs)
        self.condition, self.blocks = condition, [before, after]

    def text(self, depth):
        before, after = self.blocks
        pad = "  " * depth
        types = ", ".join(v.type.text for v in self.outs)
        pairs = ", ".join(f"{a.name} = {i.name}" for a, i in zip(before.args, self.ins))
        lines = [f"{pad}{', '.join(v.name for v in self.outs)} = scf.while ({pairs}) : ({types}) -> ({types}) {{"]
        lines += before.text(depth + 1, f"scf.condition({self.condition.name})")
        lines += [pad + "} do {", f"{pad}^bb0({', '.join(f'{a.name}: {a.type.text}' for a in after.args)}):"]
        return lines + after.text(depth + 1, "scf.yield") + [pad + "}"]

    def run(self, machine, env):
        values = [env[value] for value in self.ins]
        while True:
            values = self.blocks[0].run(machine, env, values)
            if not env[self.condition]:
                break
            values = self.blocks[1].run(machine, env, values)
        env.update(zip(self.outs, values))


class If(Op):
    def __init__(self, condition, outs, then, other):
        super().__init__(None, [condition], outs)
        self.blocks = [then, other]

    def text(self, depth):
        then, other = self.blocks
        pad = "  " * depth
        types = f" -> ({', '.join(v.type.text for v in self.outs)})" if self.outs else ""
        results = ", ".join(v.name for v in self.outs) + (" = " if self.outs else "")
        lines = [f"{pad}{results}scf.if {self.ins[0].name}{types} {{"] + then.text(depth + 1, "scf.yield")
        if other.ops or other.yields:
            lines += [pad + "} else {"] + other.text(depth + 1, "scf.yield")
        return lines + [pad + "}"]

    def run(self, machine, env):
        env.update(zip(self.outs, self.blocks[0 if env[self.ins[0]] else 1].run(machine, env)))


class Scope(Op):
    """`pl.at`, `pl.cluster`, `orchestration.scope`, …: runs its body once."""

    def __init__(self, form, outs, block):
        super().__init__(form, [], outs)
        self.blocks = [block]

    def text(self, depth):
        pad = "  " * depth
        types = f" -> ({', '.join(v.type.text for v in self.outs)})" if len(self.outs) > 1 else \
            f" -> {self.outs[0].type.text}" if self.outs else ""
        return [pad + self.head() + types + " {"] + self.blocks[0].text(depth + 1, "pl.yield") + [pad + "}"]

    def run(self, machine, env):
        env.update(zip(self.outs, self.blocks[0].run(machine, env)))


class Spmd(Op):
    """Blocks that touch nothing in common."""

    def __init__(self, count, block):
        super().__init__(None, [count], [])
        self.blocks = [block]

    def text(self, depth):
        pad = "  " * depth
        head = f"{pad}pl.spmd ({self.blocks[0].args[0].name}) in ({self.ins[0].name}) {{"
        return [head] + self.blocks[0].text(depth + 1, "pl.yield") + [pad + "}"]

    def run(self, machine, env):
        for block in range(env[self.ins[0]]):
            self.blocks[0].run(machine, env, [block])


class Call(Op):
    """A call, or a submit with the tasks it waits for and the number of its blocks."""

    def __init__(self, callee, arguments, outs, submit=False, after=(), blocks=None):
        self.submit, self.counts = submit, (len(arguments), len(after), 1 if blocks else 0)
        self.callee = callee
        super().__init__(None, list(arguments) + list(after) + ([blocks] if blocks else []), outs)

    def parts(self):
        first, second, _ = self.counts
        return self.ins[:first], self.ins[first:first + second], self.ins[first + second:]

    def head(self):
        arguments, after, blocks = self.parts()
        names, types = join(arguments)
        results = [v.type.text for v in self.outs]
        text = f"{'orchestration.submit' if self.submit else 'pl.call'} @{self.callee.name}({names})"
        text += f" after ({join(after)[0]})" if after else ""
        text += f" core_num {blocks[0].name}" if blocks else ""
        text += f" : ({types}) -> " + (results[0] if len(results) == 1 else f"({', '.join(results)})")
        return (", ".join(v.name for v in self.outs) + " = " if self.outs else "") + text

    def run(self, machine, env):
        arguments, _, blocks = self.parts()
        values = [env[value] for value in arguments]
        results = [None] * len(self.outs)
        if blocks:
            for block in range(env[blocks[0]]):
                results = self.callee.call(machine, values, block, env[blocks[0]])
        else:
            # What a block calls is code of that block.
            results = self.callee.call(machine, values, env["block"], env["blocks"])
        if blocks and not env[blocks[0]]:
            results = [values[i] for i in self.callee.returned]
        env.update(zip(self.outs, list(results) + [None]))


class Function:
    def __init__(self, name, kind, params, block, private=False):
        self.name, self.kind, self.params, self.block, self.private = name, kind, params, block, private
        self.returned = []  # which parameters the results are, of a kernel

    @property
    def result_types(self):
        return [v.type for v in self.block.yields]

    def text(self):
        params = ", ".join(f"{d + ' ' if d != 'in' else ''}{v.name}: {v.type.text}" for d, v in self.params)
        results = [t.text for t in self.result_types]
        types = " -> " + (results[0] if len(results) == 1 else f"({', '.join(results)})") if results else ""
        words = " ".join(word for word in ["pl.func", "private" if self.private else "", self.kind] if word)
        lines = [f"{words} @{self.name}({params}){types} {{"] + self.block.text(1, "pl.return")
        return "\n".join(lines + ([] if results else ["  pl.return"]) + ["}"]) + "\n"

    def call(self, machine, values, block=0, blocks=1):
        env = {"block": block, "blocks": blocks}
        for (direction, param), value in zip(self.params, values):
            # A scalar's variable that a helper binds again is its own, unless it is `out` or `inout`.
            if param.type.kind == "cell" and not (direction != "in" and isinstance(value, list)):
                value = [value[0] if isinstance(value, list) else value]
            env[param] = value
            if param.type.kind == "tensor":
                for extent, size in zip(param.type.extents, value.shape):
                    if isinstance(extent, int) and extent != size or env.get(extent, size) != size:
                        raise Invalid("extents disagree")
                    if isinstance(extent, str):
                        env[extent] = size
        return self.block.run(machine, env)


class BlockIndex(Op):
    def __init__(self, form, out, what):
        super().__init__(form, [], [out])
        self.what = what

    def run(self, machine, env):
        env[self.outs[0]] = env[self.what]


class Program:
    """The last function is the entry. `inputs[i]` is the value of its i-th parameter."""

    def __init__(self, functions, inputs):
        self.functions, self.inputs = functions, inputs

    @property
    def entry(self):
        return self.functions[-1]

    def text(self):
        return "".join(function.text() for function in self.functions)

    def evaluate(self, steps=20000):
        """What the entry returns and then its written parameters, in order."""
        values = [np.copy(v) if isinstance(v, np.ndarray) else v for v in self.inputs]
        with np.errstate(all="ignore"):
            results = self.entry.call(Machine(steps), values)
        written = [v for (d, p), v in zip(self.entry.params, values) if d != "in" and p.type.kind == "tensor"]
        outputs = [np.asarray(v, np.int64) if isinstance(v, int) else v for v in list(results) + written]
        for output in outputs:
            if output.dtype.kind == "f" and not np.all(np.abs(output) < 1e5):
                raise Invalid("too large to be compared")
        return outputs


class Machine:
    def __init__(self, steps):
        self.left = steps

    def step(self):
        self.left -= 1
        if self.left < 0:
            raise Invalid("runs too long")


def wrap(value):
    """An integer as an index of 64 bits."""
    return (int(value) + (1 << 63)) % (1 << 64) - (1 << 63)
