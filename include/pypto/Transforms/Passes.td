// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_TRANSFORMS_PASSES_TD
#define PYPTO_TRANSFORMS_PASSES_TD

include "pypto/Properties/PassBase.td"

def ReassociateReductions : PyptoPass<"reassociate-reductions"> {
  let summary = "Let sums and products of floats be split into lanes";
  let description = [{
    The order of a float sum is not fixed by docs/numerics.md, but a loop that adds one element after the other
    is an order, and no vectoriser may change it. This puts `fastmath<reassoc>` on the operation that combines the
    accumulator of a `linalg` reduction with an element, and on nothing else. What the compiler makes of it depends
    on the loop and on the target only, so that the same program gives the same bits each time.

    ```mlir
    ^bb0(%x: f32, %sum: f32):
      %0 = arith.addf %sum, %x : f32
      linalg.yield %0 : f32
    ```

    becomes

    ```mlir
    ^bb0(%x: f32, %sum: f32):
      %0 = arith.addf %sum, %x fastmath<reassoc> : f32
      linalg.yield %0 : f32
    ```

    Linear in the size of the program.
  }];
}

#endif
