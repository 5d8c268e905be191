# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a program that fails smaller: drops statements, results, parameters and functions as long as it still fails."""
import copy

import numpy as np

from model import Call, For, If, Invalid, Program, Scope, While


def blocks_of(program):
    """Every block with the values that are visible where it begins."""
    def walk(block, visible):
        yield block, visible
        seen = visible + block.args
        for op in block.ops:
            for inner in op.blocks:
                yield from walk(inner, list(seen))
            seen = seen + op.outs
    for function in program.functions:
        yield from walk(function.block, [p for _, p in function.params])


def is_valid(program):
    """Whether each operand is visible where it stands."""
    def check(block, visible):
        visible = visible | set(block.args)
        for op in block.ops:
            if not all(value in visible for value in op.ins):
                return False
            if not all(check(inner, set(visible)) for inner in op.blocks):
                return False
            if isinstance(op, While) and op.condition not in [v for o in op.blocks[0].ops for v in o.outs]:
                return False
            visible |= set(op.outs)
        return all(value in visible for value in block.yields)
    return all(check(f.block, {p for _, p in f.params}) for f in program.functions)


def users(program, values):
    """Operations that use one of the values, with their blocks."""
    return [(block, op) for block, _ in blocks_of(program) for op in block.ops if any(v in values for v in op.ins)]


def replace(program, old, new):
    for block, _ in blocks_of(program):
        block.yields = [new if v is old else v for v in block.yields]
        for op in block.ops:
            op.ins = [new if v is old else v for v in op.ins]


def drop(program, block, op):
    """Removes an operation and what needs it. A result that is one of the operands in type is replaced by it."""
    for out in op.outs:
        stand_in = next((v for v in op.ins if v.type == out.type and v.key == out.key), None)
        if stand_in is None and isinstance(op, If):
            stand_in = None
        if stand_in:
            replace(program, out, stand_in)
    block.ops.remove(op)
    gone = [v for v in op.outs]
    for user_block, user in users(program, gone):
        if user in user_block.ops:
            drop(program, user_block, user)


def unwrap(block, op):
    """Puts the body of a scope or of a branch in its place."""
    place = block.ops.index(op)
    block.ops[place:place + 1] = op.blocks[0].ops


def candidates(program):
    """Functions that make a copy of the program smaller. Larger steps come first."""
    count = sum(len(block.ops) for block, _ in blocks_of(program))

    def remove_range(first, length):
        def change(p):
            every = [(block, op) for block, _ in blocks_of(p) for op in block.ops]
            for block, op in every[first:first + length]:
                if op in block.ops:
                    drop(p, block, op)
        return change

    def drop_function(number):
        def change(p):
            function = p.functions[number]
            for block, _ in list(blocks_of(p)):
                for op in list(block.ops):
                    if isinstance(op, Call) and op.callee is function and op in block.ops:
                        drop(p, block, op)
            p.functions.remove(function)
        return change

    def drop_results(number):
        def change(p):
            del p.entry.block.yields[number]
        return change

    def unwrap_at(number):
        def change(p):
            every = [(block, op) for block, _ in blocks_of(p) for op in block.ops if isinstance(op, (Scope, If))]
            block, op = every[number]
            if op.outs or isinstance(op, Scope) and "manual" in op.form:
                raise Invalid("has results")
            unwrap(block, op)
        return change

    def drop_parameter(number):
        def change(p):
            _, value = p.entry.params[number]
            if any(value in op.ins for block, _ in blocks_of(p) for op in block.ops) or value in p.entry.block.yields:
                raise Invalid("is used")
            del p.entry.params[number], p.inputs[number]
        return change

    for number in range(len(program.functions) - 1):
        yield drop_function(number)
    length = count // 2
    while length > 1:
        for first in range(0, count, length):
            yield remove_range(first, length)
        length //= 2
    for number in reversed(range(count)):
        yield remove_range(number, 1)
    wrapped = sum(isinstance(op, (Scope, If)) for block, _ in blocks_of(program) for op in block.ops)
    for number in range(wrapped):
        yield unwrap_at(number)
    for number in range(len(program.entry.block.yields)):
        yield drop_results(number)
    for number in range(len(program.entry.params)):
        yield drop_parameter(number)


def clone(program):
    """A copy that shares nothing; the functions of operations are immutable."""
    return copy.deepcopy(program)


def shrink(program, fails, budget=400):
    """The smallest program found that `fails` (which gets a program and its expectation)."""
    progress = True
    while progress and budget > 0:
        progress = False
        for change in candidates(program):
            if budget <= 0:
                break
            smaller = clone(program)
            try:
                change(smaller)
                if not is_valid(smaller):
                    continue
                expected = smaller.evaluate()
            except (Invalid, AssertionError, KeyError, ValueError, IndexError, ZeroDivisionError, TypeError, AttributeError):
                continue
            budget -= 1
            if fails(smaller, expected):
                program, progress = smaller, True
                break
    return program
