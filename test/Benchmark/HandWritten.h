// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What somebody would write in C++ for speed, and the limits of the machine. Compiled for this CPU.
// Each works on a part of the whole, so that threads can share it.
#ifndef PYPTO_BENCHMARK_HANDWRITTEN_H
#define PYPTO_BENCHMARK_HANDWRITTEN_H

#include <cstdint>

namespace pypto::benchmark {

/// Copies past the caches. The addresses are those of cache lines.
void copyStreaming(const float *from, float *to, int64_t count);
/// Reads all and returns something of it.
float readAll(const float *from, int64_t count);

void geluTanhChain(const float *x, float a, float b, float *y, int64_t count);
void geluErfChain(const float *x, float a, float b, float *y, int64_t count);
void softmaxRows(const float *x, float *y, int64_t rows, int64_t columns);
void layerNormRows(const float *x, float *y, int64_t rows, int64_t columns);
void rmsNormRows(const float *x, float *y, int64_t rows, int64_t columns);
float sumAll(const float *x, int64_t count);
void maxRows(const float *x, float *y, int64_t rows, int64_t columns);
/// The maxima of columns, over those that are in `y` already.
void maxColumns(const float *x, float *y, int64_t rows, int64_t columns);
int64_t argMaxAll(const float *x, int64_t count);
void cumsumRows(const float *x, float *y, int64_t rows, int64_t columns);

} // namespace pypto::benchmark

#endif
