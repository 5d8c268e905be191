// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An exponential for loops by hand: the one of the C library does not vectorise.
#ifndef PYPTO_TEST_BENCHMARK_FASTEXP_H
#define PYPTO_TEST_BENCHMARK_FASTEXP_H

#include <cstdint>
#include <cstring>

/// At most 2 units in the last place off; results below the least normal number are zero.
static inline float fastExp(float x) {
  x = x < -87.3f ? -87.3f : x;
  x = x > 88.7f ? 88.7f : x;
  float shifted = x * 1.44269504f + 12582912.0f;
  float n = shifted - 12582912.0f;
  float r = x - n * 0.693359375f;
  r = r + n * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  int32_t bits, exponent;
  std::memcpy(&exponent, &shifted, 4);
  std::memcpy(&bits, &p, 4);
  bits += (exponent - 0x4B400000) << 23;
  std::memcpy(&p, &bits, 4);
  return p;
}

#endif
