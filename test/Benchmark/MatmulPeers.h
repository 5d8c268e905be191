// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries with a matrix product.
#ifndef PYPTO_BENCHMARK_MATMULPEERS_H
#define PYPTO_BENCHMARK_MATMULPEERS_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace pypto::benchmark {

struct Shape {
  int64_t m, k, n;
};

/// `c = a * b`, rows contiguous; factors of f32 or bf16.
struct Operands {
  Shape shape;
  const void *a, *b;
  float *c;
};

struct Peer {
  std::string name;
  std::function<void(const Operands &)> run;
};

/// What one thread reaches in registers, and when it copies memory past the caches.
struct Limits {
  double gigaflops, gigabytes;
};
Limits measureLimits();

/// Those that were found when this was built or are found now, and have the type.
std::vector<Peer> makePeers(const Shape &shape, unsigned numThreads, bool isBF16 = false);

} // namespace pypto::benchmark

#endif
