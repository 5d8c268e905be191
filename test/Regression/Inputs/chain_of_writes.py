# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""chain_of_writes.py N: a program that writes one tensor N times, each time through the name that the last write gave
it, reshapes it, and returns it."""
import sys

TENSOR = "!pl.tensor<[8], f32>"
count = int(sys.argv[1])
print(f"pl.func @main(inout %w0: {TENSOR}, %v: f32) -> {TENSOR} {{")
print("  %c0 = arith.constant 0 : index")
for number in range(count):
    print(f"  %w{number + 1} = pl.write %v, %w{number}[%c0] : {TENSOR}")
print(f"  %r = pl.reshape %w{count} : {TENSOR} -> !pl.tensor<[2, 4], f32>")
print("  %x = pl.write %v, %r[%c0, %c0] : !pl.tensor<[2, 4], f32>")
print(f"  pl.return %w{count} : {TENSOR}\n}}")
