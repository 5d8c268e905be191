# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""long_norms.py N: prints a graph that subtracts the sum of each row N times."""
import sys

print("func.func @main(%x0: tensor<8x16xf32>) -> tensor<8x16xf32> {")
print("  %zero = arith.constant 0.0 : f32")
print("  %row = tensor.empty() : tensor<8xf32>")
print("  %space = tensor.empty() : tensor<8x16xf32>")
print("  %init = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>")
count = int(sys.argv[1])
for n in range(count):
    print(f"  %s{n} = linalg.reduce {{arith.addf}} ins(%x{n} : tensor<8x16xf32>) outs(%init : tensor<8xf32>) dimensions = [1]")
    print(f"  %w{n} = linalg.broadcast ins(%s{n} : tensor<8xf32>) outs(%space : tensor<8x16xf32>) dimensions = [1]")
    print(f"  %x{n + 1} = arith.subf %x{n}, %w{n} : tensor<8x16xf32>")
print(f"  return %x{count} : tensor<8x16xf32>\n}}")
