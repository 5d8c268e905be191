// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The programs of this directory as somebody would write them in C++ for speed: one pass over the
// rows, loops that the compiler vectorises, an exponential of its own since the one of the C
// library does not vectorise.
#include "../FastExp.h"

#include <cmath>
#include <cstdint>
#include <cstring>

static constexpr int64_t N = 4096;

extern "C" {

void gelu(const float *__restrict x, float a, float b, float *__restrict y) {
  for (int64_t i = 0; i != N * N; ++i) {
    float z = a * x[i] + b;
    y[i] = z / (1.0f + fastExp(-1.5957691216f * z * (1.0f + 0.044715f * z * z)));
  }
}

void softmax(const float *__restrict x, float *__restrict y) {
  for (int64_t i = 0; i != N; ++i, x += N, y += N) {
    float max = -INFINITY, sum = 0;
    for (int64_t j = 0; j != N; ++j)
      max = x[j] > max ? x[j] : max;
    for (int64_t j = 0; j != N; ++j) {
#pragma clang fp reassociate(on)
      y[j] = fastExp(x[j] - max);
      sum += y[j];
    }
    float scale = 1 / sum;
    for (int64_t j = 0; j != N; ++j)
      y[j] *= scale;
  }
}

void layer_norm(const float *__restrict x, const float *__restrict g, const float *__restrict b,
                float *__restrict y) {
  for (int64_t i = 0; i != N; ++i, x += N, y += N) {
    float sum = 0, squares = 0;
    for (int64_t j = 0; j != N; ++j) {
#pragma clang fp reassociate(on)
      sum += x[j];
    }
    float mean = sum / N;
    for (int64_t j = 0; j != N; ++j) {
#pragma clang fp reassociate(on)
      squares += (x[j] - mean) * (x[j] - mean);
    }
    float scale = 1 / std::sqrt(squares / N + 1.0e-5f);
    for (int64_t j = 0; j != N; ++j)
      y[j] = (x[j] - mean) * scale * g[j] + b[j];
  }
}

void rms_norm(const float *__restrict x, const float *__restrict g, float *__restrict y) {
  for (int64_t i = 0; i != N; ++i, x += N, y += N) {
    float squares = 0;
    for (int64_t j = 0; j != N; ++j) {
#pragma clang fp reassociate(on)
      squares += x[j] * x[j];
    }
    float scale = 1 / std::sqrt(squares / N + 1.0e-5f);
    for (int64_t j = 0; j != N; ++j)
      y[j] = x[j] * scale * g[j];
  }
}

void row_sum(const float *__restrict x, float *__restrict y) {
  for (int64_t i = 0; i != N; ++i, x += N) {
    float sum = 0;
    for (int64_t j = 0; j != N; ++j) {
#pragma clang fp reassociate(on)
      sum += x[j];
    }
    y[i] = sum;
  }
}

void row_max(const float *__restrict x, float *__restrict y) {
  for (int64_t i = 0; i != N; ++i, x += N) {
    float max = -INFINITY;
    for (int64_t j = 0; j != N; ++j)
      max = x[j] > max ? x[j] : max;
    y[i] = max;
  }
}

void transpose_add(const float *__restrict x, const float *__restrict w, float *__restrict y) {
  for (int64_t i = 0; i != N; i += 64)
    for (int64_t j = 0; j != N; j += 64)
      for (int64_t k = i; k != i + 64; ++k)
        for (int64_t l = j; l != j + 64; ++l)
          y[k * N + l] = x[k * N + l] + w[l * N + k];
}

void recurrence(const float *__restrict x, float a, float *__restrict y) {
  for (int64_t j = 0; j != N; ++j)
    y[j] = x[j];
  for (int64_t i = 1; i != N; ++i)
    for (int64_t j = 0; j != N; ++j)
      y[i * N + j] = a * y[(i - 1) * N + j] + x[i * N + j];
}

/// What the machine can do: a copy of the same bytes.
void copy(const float *__restrict x, float *__restrict y) {
  std::memcpy(y, x, N * N * sizeof(float));
}
}
