// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled for the machine that it runs on, without MLIR.
#include "MatmulPeers.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <memory>

#ifdef PYPTO_HAVE_EIGEN
#include <Eigen/Core>
#endif
#ifdef PYPTO_HAVE_DNNL
#include <dnnl.hpp>
#endif
#ifdef _OPENMP
#include <omp.h>
#endif

using namespace pypto::benchmark;

static void addOpenBlas(std::vector<Peer> &peers, unsigned numThreads) {
  // Without this the library does not know some CPUs, and takes kernels of long ago.
  setenv("OPENBLAS_CORETYPE", "SKYLAKEX", 1);
  void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return;
  using Gemm = void (*)(int, int, int, int, int, int, float, const float *, int, const float *, int,
                        float, float *, int);
  using SetThreads = void (*)(int);
  auto gemm = reinterpret_cast<Gemm>(dlsym(library, "cblas_sgemm"));
  auto setThreads = reinterpret_cast<SetThreads>(dlsym(library, "openblas_set_num_threads"));
  if (!gemm || !setThreads)
    return;
  setThreads(int(numThreads));
  peers.push_back({"OpenBLAS", [gemm](const Operands &o) {
                     int m = int(o.shape.m), n = int(o.shape.n), k = int(o.shape.k);
                     gemm(101, 111, 111, m, n, k, 1.0f, static_cast<const float *>(o.a), k,
                          static_cast<const float *>(o.b), n, 0.0f, o.c, n);
                   }});
}

#ifdef PYPTO_HAVE_DNNL
static void addDnnl(std::vector<Peer> &peers, const Shape &shape, bool isBF16) {
  struct State {
    dnnl::engine engine{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream{engine};
    dnnl::matmul matmul;
    dnnl::memory a, b, c;
  };
  auto state = std::make_shared<State>();
  using dnnl::memory;
  auto describe = [](int64_t rows, int64_t columns, memory::data_type type) {
    return memory::desc({rows, columns}, type, memory::format_tag::ab);
  };
  memory::data_type factor = isBF16 ? memory::data_type::bf16 : memory::data_type::f32;
  memory::desc a = describe(shape.m, shape.k, factor), b = describe(shape.k, shape.n, factor),
               c = describe(shape.m, shape.n, memory::data_type::f32);
  state->matmul = dnnl::matmul({{a, b, c}, state->engine});
  state->a = memory(a, state->engine, nullptr);
  state->b = memory(b, state->engine, nullptr);
  state->c = memory(c, state->engine, nullptr);
  peers.push_back({"oneDNN", [state](const Operands &o) {
                     state->a.set_data_handle(const_cast<void *>(o.a));
                     state->b.set_data_handle(const_cast<void *>(o.b));
                     state->c.set_data_handle(o.c);
                     state->matmul.execute(state->stream, {{DNNL_ARG_SRC, state->a},
                                                           {DNNL_ARG_WEIGHTS, state->b},
                                                           {DNNL_ARG_DST, state->c}});
                     state->stream.wait();
                   }});
}
#endif

#ifdef PYPTO_HAVE_EIGEN
static void addEigen(std::vector<Peer> &peers, unsigned numThreads) {
  Eigen::setNbThreads(int(numThreads));
  peers.push_back(
      {"Eigen", [](const Operands &o) {
         using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
         Eigen::Map<const Matrix> a(static_cast<const float *>(o.a), o.shape.m, o.shape.k),
             b(static_cast<const float *>(o.b), o.shape.k, o.shape.n);
         Eigen::Map<Matrix>(o.c, o.shape.m, o.shape.n).noalias() = a * b;
       }});
}
#endif

//===- Loops by hand --------------------------------------------------------===//

#ifdef __AVX512F__
/// What a programmer writes: blocks of both factors are packed, 14 rows of 32 columns of the output
/// stay in registers.
namespace byhand {
using Sums = float __attribute__((vector_size(64)));
typedef Sums Row __attribute__((aligned(4)));
constexpr int64_t kRows = 14, kColumns = 32, kDepth = 384, kHeight = 336;

void multiplyTile(const float *a, const float *b, int64_t depth, float *c, int64_t stride,
                  int64_t rows, int64_t columns, bool isFirst) {
  Sums sums[kRows][2] = {};
  for (int64_t k = 0; k != depth; ++k) {
    Sums left = *reinterpret_cast<const Row *>(b + k * kColumns),
         right = *reinterpret_cast<const Row *>(b + k * kColumns + 16);
#pragma clang loop unroll(full)
    for (int64_t i = 0; i != kRows; ++i) {
      sums[i][0] += a[k * kRows + i] * left;
      sums[i][1] += a[k * kRows + i] * right;
    }
  }
  if (rows == kRows && columns == kColumns) {
#pragma clang loop unroll(full)
    for (int64_t i = 0; i != kRows; ++i)
#pragma clang loop unroll(full)
      for (int64_t j = 0; j != 2; ++j) {
        Row *to = reinterpret_cast<Row *>(c + i * stride + 16 * j);
        *to = isFirst ? sums[i][j] : *to + sums[i][j];
      }
    return;
  }
  float parts[kRows * kColumns];
#pragma clang loop unroll(full)
  for (int64_t i = 0; i != kRows; ++i)
#pragma clang loop unroll(full)
    for (int64_t j = 0; j != 2; ++j)
      *reinterpret_cast<Row *>(parts + i * kColumns + 16 * j) = sums[i][j];
  for (int64_t i = 0; i != rows; ++i)
    for (int64_t j = 0; j != columns; ++j)
      c[i * stride + j] = parts[i * kColumns + j] + (isFirst ? 0 : c[i * stride + j]);
}

void packRight(const Operands &o, int64_t k0, int64_t depth, float *to) {
  auto *b = static_cast<const float *>(o.b);
  for (int64_t j0 = 0; j0 < o.shape.n; j0 += kColumns)
    for (int64_t k = 0; k != depth; ++k, to += kColumns)
      for (int64_t j = 0; j != kColumns; ++j)
        to[j] = j0 + j < o.shape.n ? b[(k0 + k) * o.shape.n + j0 + j] : 0;
}

void multiplyRows(const Operands &o, int64_t i0, int64_t height, int64_t k0, int64_t depth,
                  const float *packed) {
  thread_local std::vector<float> left(kHeight * kDepth);
  auto *a = static_cast<const float *>(o.a);
  for (int64_t i = 0; i < height; i += kRows)
    for (int64_t k = 0; k != depth; ++k)
      for (int64_t r = 0; r != kRows; ++r)
        left[i * depth + k * kRows + r] = i + r < height ? a[(i0 + i + r) * o.shape.k + k0 + k] : 0;
  for (int64_t j = 0; j < o.shape.n; j += kColumns)
    for (int64_t i = 0; i < height; i += kRows)
      multiplyTile(left.data() + i * depth, packed + j * depth, depth,
                   o.c + (i0 + i) * o.shape.n + j, o.shape.n, std::min(kRows, height - i),
                   std::min(kColumns, o.shape.n - j), k0 == 0);
}

void multiply(const Operands &o) {
  static std::vector<float> packed;
  packed.resize((o.shape.n + kColumns) * kDepth);
  for (int64_t k0 = 0; k0 < o.shape.k; k0 += kDepth) {
    int64_t depth = std::min(kDepth, o.shape.k - k0);
    packRight(o, k0, depth, packed.data());
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic)
#endif
    for (int64_t i0 = 0; i0 < o.shape.m; i0 += kHeight)
      multiplyRows(o, i0, std::min(kHeight, o.shape.m - i0), k0, depth, packed.data());
  }
}
} // namespace byhand
#endif

//===- Limits ---------------------------------------------------------------===//

static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

#ifdef __AVX512F__
using Vector = float __attribute__((vector_size(64)));
#else
using Vector = float __attribute__((vector_size(32)));
#endif
static constexpr int kLanes = sizeof(Vector) / sizeof(float), kSums = kLanes == 16 ? 24 : 12;

static double measureGigaflops() {
  Vector sums[kSums] = {}, factor = Vector{} + 0.999f;
  asm volatile("" : "+v"(factor));
  double best = 1e30;
  for (int repeat = 0; repeat != 5; ++repeat) {
    double start = now();
    for (int i = 0; i != 20000; ++i)
#pragma clang loop unroll(full)
      for (int j = 0; j != kSums; ++j)
        sums[j] = __builtin_elementwise_fma(sums[j], factor, factor);
    best = std::min(best, now() - start);
  }
  for (Vector &sum : sums)
    asm volatile("" ::"v"(sum));
  return 20000.0 * kSums * kLanes * 2 / best / 1e9;
}

static double measureGigabytes() {
  static std::vector<Vector> from((32 << 20) / sizeof(Vector)), to(from.size());
  double best = 1e30;
  for (int repeat = 0; repeat != 4; ++repeat) {
    double start = now();
    for (size_t i = 0; i != from.size(); ++i)
      __builtin_nontemporal_store(from[i], &to[i]);
    best = std::min(best, now() - start);
  }
  return 2.0 * double(from.size() * sizeof(Vector)) / best / 1e9;
}

Limits pypto::benchmark::measureLimits() { return {measureGigaflops(), measureGigabytes()}; }

std::vector<Peer> pypto::benchmark::makePeers(const Shape &shape, unsigned numThreads,
                                              bool isBF16) {
#ifdef _OPENMP
  omp_set_num_threads(int(numThreads));
#endif
  std::vector<Peer> peers;
#ifdef PYPTO_HAVE_DNNL
  addDnnl(peers, shape, isBF16);
#endif
  if (isBF16)
    return peers;
  addOpenBlas(peers, numThreads);
#ifdef PYPTO_HAVE_EIGEN
  addEigen(peers, numThreads);
#endif
#ifdef __AVX512F__
  peers.push_back({"by hand", byhand::multiply});
#endif
  return peers;
}
