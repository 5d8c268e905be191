# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs with variables in nested control flow: --convert-to-ssa keeps what they compute, and refuses
exactly those that may read a variable before it is set.

    python3 fuzz_convert_to_ssa.py pypto-opt [--seed=0] [--programs=200] [--invalid=20]
"""
import argparse
import random
import subprocess
import sys

from evaluate_generic import Machine, functions, parse

CELLS = 5


class Generator:
    """One function. Knows which variables are set for sure at each point."""

    def __init__(self, rng, name, break_rule=False):
        self.rng, self.name = rng, name
        self.lines, self.next, self.depth = [], 0, 1
        # A single read of a variable that may be unset, if there is a chance.
        self.break_rule, self.broken = break_rule, False
        self.cells, self.set = [], set()

    def emit(self, text):
        self.lines.append("  " * self.depth + text)

    def fresh(self):
        self.next += 1
        return f"%v{self.next}"

    def value(self, text):
        name = self.fresh()
        self.emit(f"{name} = {text}")
        return name

    def read(self, values):
        unset = [cell for cell in self.cells if cell not in self.set]
        if self.break_rule and not self.broken and unset and self.rng.random() < 0.1:
            self.broken = True
            return self.value(f"pl.get {self.rng.choice(unset)} : index")
        ready = [cell for cell in self.cells if cell in self.set]
        if ready and self.rng.random() < 0.7:
            return self.value(f"pl.get {self.rng.choice(ready)} : index")
        return self.rng.choice(values)

    def expression(self, values):
        op = self.rng.choice(["addi", "subi", "muli", "xori"])
        left, right = self.read(values), self.read(values)
        return self.value(f"arith.{op} {left}, {right} : index")

    def condition(self, values):
        mask = self.value(f"arith.constant {self.rng.choice([1, 2, 3])} : index")
        masked = self.value(f"arith.andi {self.read(values)}, {mask} : index")
        return self.value(f"arith.cmpi ne, {masked}, %c0 : index")

    def body(self, values, budget):
        """Statements of a block; variables declared there end with it."""
        values, cells = list(values), list(self.cells)
        for _ in range(self.rng.randint(1, 4)):
            self.statement(values, budget)
        self.set &= set(cells)
        self.cells = cells
        return values

    def statement(self, values, budget):
        simple = [self.assign, self.assign, self.compute, self.declare]
        nested = [self.branch, self.branch, self.loop, self.while_loop, self.scope, self.switch]
        choices = simple + nested if budget > 0 else simple
        self.rng.choice(choices)(values, budget - 1)

    def assign(self, values, _):
        if self.cells:
            # The variable is looked for first: the expression may not read what it is about to set.
            cell = self.rng.choice(self.cells)
            result = self.expression(values)
            self.emit(f"pl.set {cell}, {result} : index")
            self.set.add(cell)

    def compute(self, values, _):
        values.append(self.expression(values))

    def declare(self, values, _):
        if len(self.cells) >= CELLS:
            return
        init = f" = {self.rng.choice(values)}" if self.rng.random() < 0.5 else ""
        cell = self.value(f'pl.var "x{self.next}"{init} : index')
        self.cells.append(cell)
        if init:
            self.set.add(cell)

    def branch(self, values, budget):
        condition = self.condition(values)
        has_else, has_result = self.rng.random() < 0.6, self.rng.random() < 0.3
        result = self.fresh() if has_result else None
        self.emit(f"{result} = scf.if {condition} -> (index) {{" if has_result else f"scf.if {condition} {{")
        before = set(self.set)
        ends = []
        for index in range(2 if has_else or has_result else 1):
            if index:
                self.emit("} else {")
            self.set = set(before)
            self.depth += 1
            inner = self.body(values, budget)
            if has_result:
                self.emit(f"scf.yield {self.rng.choice(inner)} : index")
            self.depth -= 1
            ends.append(set(self.set))
        self.emit("}")
        self.set = set.intersection(*ends) if len(ends) == 2 else before
        if has_result:
            values.append(result)

    def switch(self, values, budget):
        mask = self.value("arith.constant 3 : index")
        selector = self.value(f"arith.andi {self.read(values)}, {mask} : index")
        self.emit(f"scf.index_switch {selector}")
        before = set(self.set)
        ends = []
        for head in ["case 0 {", "case 2 {", "default {"]:
            self.set = set(before)
            self.emit(head)
            self.depth += 1
            self.body(values, budget)
            self.emit("scf.yield")
            self.depth -= 1
            self.emit("}")
            ends.append(set(self.set))
        self.set = set.intersection(*ends)

    def loop(self, values, budget):
        bound = self.value(f"arith.constant {self.rng.randint(0, 3)} : index")
        iv = self.fresh()
        carried, result = self.fresh(), self.fresh()
        has_carry = self.rng.random() < 0.3
        head = f"scf.for {iv} = %c0 to {bound} step %c1"
        if has_carry:
            head = f"{result} = {head} iter_args({carried} = {self.rng.choice(values)}) -> (index)"
        self.emit(head + " {")
        before = set(self.set)
        self.depth += 1
        inner = self.body(values + [iv] + ([carried] if has_carry else []), budget)
        if has_carry:
            self.emit(f"scf.yield {self.rng.choice(inner)} : index")
        self.depth -= 1
        self.emit("}")
        self.set = before
        if has_carry:
            values.append(result)

    def while_loop(self, values, budget):
        """Ends after as many rounds as its own counter, a variable like the others, says."""
        counter = self.value('pl.var "counter" = %c0 : index')
        bound = self.value(f"arith.constant {self.rng.randint(0, 3)} : index")
        has_carry = self.rng.random() < 0.3
        carried, forwarded, result = self.fresh(), self.fresh(), self.fresh()
        self.emit(f"{result} = scf.while ({carried} = {self.rng.choice(values)}) : (index) -> index {{" if has_carry
                  else "scf.while : () -> () {")
        self.depth += 1
        inner = self.body(values + ([carried] if has_carry else []), budget)
        count = self.value(f"pl.get {counter} : index")
        condition = self.value(f"arith.cmpi ult, {count}, {bound} : index")
        self.emit(f"scf.condition({condition}) {self.rng.choice(inner)} : index" if has_carry
                  else f"scf.condition({condition})")
        self.depth -= 1
        self.emit("} do {")
        after_before = set(self.set)
        if has_carry:
            self.emit(f"^bb0({forwarded}: index):")
        self.depth += 1
        inner = self.body(values + ([forwarded] if has_carry else []), budget)
        count = self.value(f"pl.get {counter} : index")
        following = self.value(f"arith.addi {count}, %c1 : index")
        self.emit(f"pl.set {counter}, {following} : index")
        self.emit(f"scf.yield {self.rng.choice(inner)} : index" if has_carry else "scf.yield")
        self.depth -= 1
        self.emit("}")
        self.set = after_before
        if has_carry:
            values.append(result)

    def scope(self, values, budget):
        kind = self.rng.choice(["pl.at core_group", "pl.cluster", "pl.graph", "orchestration.scope",
                                "scf.execute_region"])
        self.emit(kind + " {")
        self.depth += 1
        self.body(values, budget)
        if kind == "scf.execute_region":
            self.emit("scf.yield")
        self.depth -= 1
        self.emit("}")

    def function(self):
        self.emit("%c0 = arith.constant 0 : index")
        self.emit("%c1 = arith.constant 1 : index")
        values = ["%a", "%b", "%c1"]
        for _ in range(3):
            self.declare(values, 0)
        for _ in range(self.rng.randint(2, 6)):
            self.statement(values, 3)
        # Not all variables are needed at the end.
        results = [self.value(f"pl.get {cell} : index")
                   for cell in self.cells if cell in self.set and self.rng.random() < 0.7] + [values[-1]]
        types = ", ".join(["index"] * len(results))
        self.emit(f"pl.return {', '.join(results)} : {types}")
        return f"pl.func @{self.name}(%a: index, %b: index) -> ({types}) {{\n" + "\n".join(self.lines) + "\n}\n"


def run(tool, text, *flags):
    return subprocess.run([tool, "--mlir-print-op-generic", *flags], input=text, capture_output=True, text=True)


def check_valid(tool, text, seed):
    """The programs compute the same before and after."""
    before, after = run(tool, text), run(tool, text, "--convert-to-ssa")
    if before.returncode or after.returncode:
        sys.exit(f"seed {seed}: {(before.stderr + after.stderr)[:2000]}")
    if "!pl.var" in after.stdout:
        sys.exit(f"seed {seed}: a variable is left")
    old, new = functions(parse(before.stdout)), functions(parse(after.stdout))
    for name in old:
        for arguments in [(0, 0), (5, 3), (1 << 63, 7)]:
            expected = Machine().call(old[name], list(arguments))
            actual = Machine().call(new[name], list(arguments))
            if expected != actual:
                sys.exit(f"seed {seed}: {name}{arguments} is {actual}, expected {expected}")
    return len(old)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--invalid", type=int, default=20)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    text = "".join(Generator(rng, f"f{i}").function() for i in range(options.programs))
    compared = check_valid(options.tool, text, options.seed)
    refused = 0
    while refused < options.invalid:
        generator = Generator(rng, "f", break_rule=True)
        text = generator.function()
        if not generator.broken:
            continue
        refused += 1
        result = run(options.tool, text, "--convert-to-ssa")
        if result.returncode != 1 or "may be read before it is set" not in result.stderr:
            sys.exit(f"seed {options.seed}: accepts a read of an unset variable\n{text}")
    print(f"{compared} programs agree, {refused} are refused")


if __name__ == "__main__":
    main()
