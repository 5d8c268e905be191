// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Loops/Transpose.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

/// In squares of half the size each time.
void pypto::loops::transpose(ImplicitLocOpBuilder &b, MutableArrayRef<Value> vectors) {
  int64_t size = vectors.size();
  for (int64_t half = size / 2; half != 0; half /= 2)
    for (int64_t i = 0; i != size; ++i) {
      if (i & half)
        continue;
      SmallVector<int64_t> low, high;
      for (int64_t lane = 0; lane != size; ++lane) {
        low.push_back(lane & half ? size + lane - half : lane);
        high.push_back(lane & half ? size + lane : lane + half);
      }
      Value first = vectors[i], second = vectors[i + half];
      vectors[i] = vector::ShuffleOp::create(b, first, second, low);
      vectors[i + half] = vector::ShuffleOp::create(b, first, second, high);
    }
}
