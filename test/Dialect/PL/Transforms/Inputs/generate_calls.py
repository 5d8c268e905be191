# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a program with many calls: `block N` in one block, `functions N` in N functions, `helpers N` of N
different helpers, `deep N` through N levels, `doubling N` through N levels of two calls each."""
import sys

HELPER = """  pl.func inline @h{index}(%x: index) -> index {{
    %y = arith.addi %x, %x : index loc("y")
    pl.return %y : index
  }}"""


def call(result, operand, helper):
    print(f"    %{result} = pl.call @h{helper}(%{operand}) : (index) -> index")


def chain(count, helper):
    """`count` calls, each of which takes the result of the one before."""
    print("  pl.func @main(%a: index) -> index {")
    for i in range(count):
        call(i, i - 1 if i else "a", helper(i))
    print(f"    pl.return %{count - 1} : index\n  }}")


def levels(count, width):
    print(HELPER.format(index=0))
    for level in range(1, count + 1):
        print(f"  pl.func inline @h{level}(%x: index) -> index {{")
        for i in range(width):
            call(i, i - 1 if i else "x", level - 1)
        print(f"    pl.return %{width - 1} : index\n  }}")
    chain(1, lambda i: count)


kind, number = sys.argv[1], int(sys.argv[2])
if kind == "block":
    print(HELPER.format(index=0))
    chain(number, lambda i: 0)
elif kind == "functions":
    print(HELPER.format(index=0))
    for i in range(number):
        print(f"  pl.func @f{i}(%a: index) -> index {{")
        call("r", "a", 0)
        print("    pl.return %r : index\n  }")
elif kind == "helpers":
    for i in range(number):
        print(HELPER.format(index=i))
    chain(number, lambda i: i)
elif kind == "deep":
    levels(number, 1)
elif kind == "doubling":
    levels(number, 2)
