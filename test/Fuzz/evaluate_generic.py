# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs functions over index arithmetic, variables and structured control flow, from MLIR's generic form.

Only what tests of variables need: `arith` on integers, `scf`, `pl.var`, `pl.get`, `pl.set`, and scopes, which
run in place. Every value is an integer modulo 2**64.
"""
import re

MASK = (1 << 64) - 1
OP = re.compile(r'^(?:(%\w+)(?::(\d+))? = )?"([\w.]+)"\(([^)]*)\)(?: <\{(.*?)\}>)?(?: (\(\{)| \{.*?\})? ?(.*)$')
PREDICATES = [
    lambda a, b: a == b, lambda a, b: a != b,
    lambda a, b: signed(a) < signed(b), lambda a, b: signed(a) <= signed(b),
    lambda a, b: signed(a) > signed(b), lambda a, b: signed(a) >= signed(b),
    lambda a, b: a < b, lambda a, b: a <= b, lambda a, b: a > b, lambda a, b: a >= b,
]
SCOPES = {"pl.at", "pl.cluster", "pl.graph", "orchestration.scope", "scf.execute_region"}
TERMINATORS = {"scf.yield", "scf.condition", "pl.yield", "pl.return", "func.return"}


def signed(value):
    return value - (1 << 64) if value >> 63 else value


class Op:
    def __init__(self, results, name, operands, properties):
        self.results, self.name, self.operands, self.properties = results, name, operands, properties
        self.regions = []  # each: (argument names, operations)


def parse(text):
    """The operations of the top level."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    position = 0

    def block():
        nonlocal position
        arguments, ops = [], []
        if position < len(lines) and lines[position].startswith("^"):
            arguments = re.findall(r"(%\w+):", lines[position])
            position += 1
        while position < len(lines) and not lines[position].startswith("}"):
            ops.append(operation())
        return arguments, ops

    def operation():
        nonlocal position
        match = OP.match(lines[position])
        if not match:
            raise ValueError(f"cannot read {lines[position]!r}")
        position += 1
        result, count, name, operands, properties, opens = match.groups()[:6]
        results = [f"{result}#{i}" for i in range(int(count))] if count else [result] if result else []
        op = Op(results, name, [o for o in operands.split(", ") if o], properties or "")
        if opens:
            op.regions.append(block())
            while lines[position].startswith("}, {"):
                position += 1
                op.regions.append(block())
            position += 1
        return op

    return block()[1]


def functions(ops):
    """Name to operation."""
    found = {}
    for op in ops:
        if op.name == "builtin.module":
            for _, inner in op.regions:
                found.update(functions(inner))
        elif op.name in ("pl.func", "func.func"):
            found[re.search(r'sym_name = "(\w+)"', op.properties).group(1)] = op
    return found


class Machine:
    def __init__(self):
        self.env = {}

    def call(self, function, arguments):
        names, ops = function.regions[0]
        return self.block(names, ops, arguments)

    def block(self, names, ops, arguments):
        """Runs a block; what its terminator has."""
        self.env.update(zip(names, arguments))
        for op in ops:
            if op.name in TERMINATORS:
                return self.values(op.operands)
            self.env.update(zip(op.results, self.step(op)))
        return []

    def values(self, names):
        return [self.env[name] for name in names]

    def region(self, op, index, arguments=()):
        return self.block(*op.regions[index], arguments)

    def step(self, op):
        values = self.values(op.operands)
        name = op.name
        if name == "arith.constant":
            text = re.search(r"value = (\S+)", op.properties).group(1)
            return [{"true": 1, "false": 0}[text] if text in ("true", "false") else int(text) & MASK]
        if name == "arith.cmpi":
            return [int(PREDICATES[int(re.search(r"predicate = (\d+)", op.properties).group(1))](*values))]
        if name.startswith("arith."):
            return [{"addi": lambda a, b: a + b, "subi": lambda a, b: a - b, "muli": lambda a, b: a * b,
                     "xori": lambda a, b: a ^ b, "andi": lambda a, b: a & b}[name[6:]](*values) & MASK]
        if name == "pl.var":
            return [[values[0] if values else None]]
        if name == "pl.get":
            assert values[0][0] is not None, "reads a variable that is not set"
            return [values[0][0]]
        if name == "pl.set":
            values[0][0] = values[1]
            return []
        if name in SCOPES:
            return self.region(op, 0)
        if name == "scf.if":
            index = 0 if values[0] else 1
            return self.region(op, index) if op.regions[index][1] else []
        if name == "scf.index_switch":
            cases = [int(c) for c in re.search(r"cases = array<i64: (.*?)>", op.properties).group(1).split(", ")]
            return self.region(op, cases.index(values[0]) + 1 if values[0] in cases else 0)
        if name == "scf.for":
            low, high, step = (signed(v) for v in values[:3])
            carried = values[3:]
            for i in range(low, high, step):
                carried = self.region(op, 0, [i & MASK] + carried)
            return carried
        if name == "scf.while":
            while True:
                condition, *values = self.region(op, 0, values)
                if not condition:
                    return values
                values = self.region(op, 1, values)
        raise ValueError(f"cannot run {name!r}")
