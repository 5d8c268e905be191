# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of any size for `tools/dev bench passes`. Each function returns MLIR text."""


def local(name):
    """A location that carries the name of a local, or nothing."""
    return f' loc("{name}")' if name else ""


def helper(dialect, index, named):
    """An inline function of three operations in `pl`, the same as a private function in `func`."""
    head = "pl.func inline" if dialect == "pl" else "func.func private"
    names = ["s", "p", "q"] if named else [""] * 3
    return (f"{head} @helper{index}(%a: f32, %b: f32) -> f32 {{\n"
            f"  %0 = arith.addf %a, %b : f32{local(names[0])}\n"
            f"  %1 = arith.mulf %0, %a : f32{local(names[1])}\n"
            f"  %2 = arith.subf %1, %b : f32{local(names[2])}\n"
            f"  {dialect_return(dialect)} %2 : f32\n}}\n")


def dialect_return(dialect):
    return "pl.return" if dialect == "pl" else "return"


def calls_in_one_block(dialect, calls, helpers=1, named=False):
    """One caller with a chain of calls; call i is of helper i modulo `helpers`."""
    call = "pl.call" if dialect == "pl" else "call"
    lines = [helper(dialect, index, named) for index in range(helpers)]
    lines.append(f"{dialect}.func @caller(%x: f32, %y: f32) -> f32 {{\n")
    value = "%x"
    for index in range(calls):
        name = local(f"v{index}") if named else ""
        lines.append(f"  %v{index} = {call} @helper{index % helpers}({value}, %y) : (f32, f32) -> f32{name}\n")
        value = f"%v{index}"
    lines.append(f"  {dialect_return(dialect)} {value} : f32\n}}\n")
    return "".join(lines)


def callers_of_one_call(dialect, callers):
    """Many functions, each with one call of one helper."""
    call = "pl.call" if dialect == "pl" else "call"
    lines = [helper(dialect, 0, False)]
    for index in range(callers):
        lines.append(f"{dialect}.func @caller{index}(%x: f32, %y: f32) -> f32 {{\n"
                     f"  %0 = {call} @helper0(%x, %y) : (f32, f32) -> f32\n"
                     f"  {dialect_return(dialect)} %0 : f32\n}}\n")
    return "".join(lines)


TENSOR = "!pl.tensor<[16], f32>"
TILE = "!tile.tile<[16], f32>"


def conditional_writes(count):
    """One kernel: `count` branches one after the other, each of which writes the same parameter."""
    lines = [f"pl.func incore @kernel(%c: i1, %x: {TENSOR}, out %a: {TENSOR}, out %b: {TENSOR})"
             f" -> ({TENSOR}, {TENSOR}) {{\n"
             f"  %t = tile.load %x[0] : {TENSOR} -> {TILE}\n"
             f"  %sb = tile.store %t, %b[0] : {TILE}, {TENSOR}\n"]
    value = "%a"
    for index in range(count):
        lines.append(f"  %r{index} = scf.if %c -> ({TENSOR}) {{\n"
                     f"    %s = tile.store %t, {value}[0] : {TILE}, {TENSOR}\n"
                     f"    scf.yield %s : {TENSOR}\n  }} else {{\n"
                     f"    scf.yield {value} : {TENSOR}\n  }}\n")
        value = f"%r{index}"
    lines.append(f"  pl.return %sb, {value} : {TENSOR}, {TENSOR}\n}}\n")
    return "".join(lines)


def swapped_kernel(index):
    """A kernel that returns its two out parameters in the wrong order."""
    return (f"pl.func incore @kernel{index}(%x: {TENSOR}, out %a: {TENSOR}, out %b: {TENSOR})"
            f" -> ({TENSOR}, {TENSOR}) {{\n"
            f"  %t = tile.load %x[0] : {TENSOR} -> {TILE}\n"
            f"  %sb = tile.store %t, %b[0] : {TILE}, {TENSOR}\n"
            f"  %sa = tile.store %t, %a[0] : {TILE}, {TENSOR}\n"
            f"  pl.return %sb, %sa : {TENSOR}, {TENSOR}\n}}\n")


def swapped_kernels(count):
    return "".join(swapped_kernel(index) for index in range(count))


def calls_of_swapped_kernel(count):
    """One caller with a chain of calls of a kernel whose returns are in the wrong order."""
    lines = [swapped_kernel(0), f"pl.func orchestration @caller(%x: {TENSOR}, out %a: {TENSOR}, out %b: {TENSOR})"
             f" -> ({TENSOR}, {TENSOR}) {{\n"]
    first, second = "%a", "%b"
    for index in range(count):
        lines.append(f"  %r{index}:2 = pl.call @kernel0(%x, {first}, {second}) :"
                     f" ({TENSOR}, {TENSOR}, {TENSOR}) -> ({TENSOR}, {TENSOR})\n")
        first, second = f"%r{index}#1", f"%r{index}#0"
    lines.append(f"  pl.return {first}, {second} : {TENSOR}, {TENSOR}\n}}\n")
    return "".join(lines)
