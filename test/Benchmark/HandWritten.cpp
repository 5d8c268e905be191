// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HandWritten.h"
#include "FastExp.h"

#include <cmath>

using namespace pypto;

namespace {
typedef float Line __attribute__((vector_size(64)));
} // namespace

//===- Limits -------------------------------------------------------------------===//

void benchmark::copyStreaming(const float *from, float *to, int64_t count) {
  int64_t i = 0;
  for (; i + 16 <= count; i += 16)
    __builtin_nontemporal_store(*reinterpret_cast<const Line *>(from + i),
                                reinterpret_cast<Line *>(to + i));
  for (; i != count; ++i)
    to[i] = from[i];
}

float benchmark::readAll(const float *from, int64_t count) {
  Line sums[8] = {};
  int64_t i = 0;
  for (; i + 128 <= count; i += 128)
    for (int lane = 0; lane != 8; ++lane)
      sums[lane] += *reinterpret_cast<const Line *>(from + i + 16 * lane);
  float sum = 0;
  for (; i != count; ++i)
    sum += from[i];
  for (Line &line : sums)
    for (int lane = 0; lane != 16; ++lane)
      sum += line[lane];
  return sum;
}

//===- Elementwise --------------------------------------------------------------===//

/// Error below 1.5e-7.
static inline float fastErf(float x) {
  float a = std::fabs(x), t = 1.0f / (1.0f + 0.3275911f * a);
  float p = 1.061405429f;
  p = p * t - 1.453152027f;
  p = p * t + 1.421413741f;
  p = p * t - 0.284496736f;
  p = p * t + 0.254829592f;
  float y = 1.0f - p * t * fastExp(-a * a);
  return x < 0 ? -y : y;
}

void benchmark::geluTanhChain(const float *__restrict x, float a, float b, float *__restrict y,
                              int64_t count) {
  for (int64_t i = 0; i != count; ++i) {
    float z = a * x[i] + b;
    y[i] = z / (1.0f + fastExp(-1.5957691216f * z * (1.0f + 0.044715f * z * z)));
  }
}

void benchmark::geluErfChain(const float *__restrict x, float a, float b, float *__restrict y,
                             int64_t count) {
  for (int64_t i = 0; i != count; ++i) {
    float z = a * x[i] + b;
    y[i] = 0.5f * z * (1.0f + fastErf(z * 0.70710678f));
  }
}

//===- Rows ---------------------------------------------------------------------===//

void benchmark::softmaxRows(const float *__restrict x, float *__restrict y, int64_t rows,
                            int64_t columns) {
  for (int64_t i = 0; i != rows; ++i, x += columns, y += columns) {
    float max = -INFINITY, sum = 0;
    for (int64_t j = 0; j != columns; ++j)
      max = x[j] > max ? x[j] : max;
    for (int64_t j = 0; j != columns; ++j) {
#pragma clang fp reassociate(on)
      y[j] = fastExp(x[j] - max);
      sum += y[j];
    }
    float scale = 1 / sum;
    for (int64_t j = 0; j != columns; ++j)
      y[j] *= scale;
  }
}

void benchmark::layerNormRows(const float *__restrict x, float *__restrict y, int64_t rows,
                              int64_t columns) {
  for (int64_t i = 0; i != rows; ++i, x += columns, y += columns) {
#pragma clang fp reassociate(on)
    float sum = 0, squares = 0;
    for (int64_t j = 0; j != columns; ++j)
      sum += x[j];
    float mean = sum / float(columns);
    for (int64_t j = 0; j != columns; ++j)
      squares += (x[j] - mean) * (x[j] - mean);
    float scale = 1 / std::sqrt(squares / float(columns) + 1e-5f);
    for (int64_t j = 0; j != columns; ++j)
      y[j] = (x[j] - mean) * scale;
  }
}

void benchmark::rmsNormRows(const float *__restrict x, float *__restrict y, int64_t rows,
                            int64_t columns) {
  for (int64_t i = 0; i != rows; ++i, x += columns, y += columns) {
#pragma clang fp reassociate(on)
    float squares = 0;
    for (int64_t j = 0; j != columns; ++j)
      squares += x[j] * x[j];
    float scale = 1 / std::sqrt(squares / float(columns) + 1e-5f);
    for (int64_t j = 0; j != columns; ++j)
      y[j] = x[j] * scale;
  }
}

//===- Reductions ---------------------------------------------------------------===//

float benchmark::sumAll(const float *x, int64_t count) { return readAll(x, count); }

void benchmark::maxRows(const float *x, float *y, int64_t rows, int64_t columns) {
  for (int64_t i = 0; i != rows; ++i, x += columns) {
    float max = -INFINITY;
    for (int64_t j = 0; j != columns; ++j)
      max = x[j] > max ? x[j] : max;
    y[i] = max;
  }
}

void benchmark::maxColumns(const float *__restrict x, float *__restrict y, int64_t rows,
                           int64_t columns) {
  for (int64_t i = 0; i != rows; ++i, x += columns)
    for (int64_t j = 0; j != columns; ++j)
      y[j] = x[j] > y[j] ? x[j] : y[j];
}

/// Blocks by their maximum first, then the element in the best block.
int64_t benchmark::argMaxAll(const float *x, int64_t count) {
  constexpr int64_t block = 4096;
  int64_t best = 0;
  float max = -INFINITY;
  for (int64_t i = 0; i < count; i += block) {
    float own = -INFINITY;
    int64_t end = i + block < count ? i + block : count;
    for (int64_t j = i; j != end; ++j)
      own = x[j] > own ? x[j] : own;
    if (own > max) {
      max = own;
      best = i;
    }
  }
  while (x[best] != max)
    ++best;
  return best;
}

void benchmark::cumsumRows(const float *__restrict x, float *__restrict y, int64_t rows,
                           int64_t columns) {
  for (int64_t i = 0; i != rows; ++i, x += columns, y += columns) {
    float sum = 0;
    for (int64_t j = 0; j != columns; ++j)
      y[j] = sum += x[j];
  }
}
