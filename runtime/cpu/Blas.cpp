//===- Blas.cpp - Matrix products of generated code -----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library is looked up once. The cases that CBLAS leaves to interpretation,
// products over an empty dimension and scaling by zero, are settled here.
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/Blas.h"

#include "runtime/cpu/Parallel.h"

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <omp.h>
#include <type_traits>
#include <vector>

namespace accrue::cpu {
namespace {

// The values of the CBLAS interface.
enum Layout : int { RowMajor = 101 };
enum Transpose : int { NoTrans = 111, Trans = 112 };

template <typename T>
using GemmFn = void (*)(Layout, Transpose, Transpose, int m, int n, int k,
                        T alpha, const T *a, int lda, const T *b, int ldb,
                        T beta, T *c, int ldc);

struct Library {
  GemmFn<float> sgemm = nullptr;
  GemmFn<double> dgemm = nullptr;
  const char *core = "";
  std::string error;
};

template <typename Fn>
bool lookUp(void *handle, const char *name, Fn &fn) {
  fn = reinterpret_cast<Fn>(::dlsym(handle, name));
  return fn != nullptr;
}

Library loadLibrary() {
  Library library;
  std::vector<const char *> candidates = {ACCRUE_OPENBLAS_PATH,
                                          "libopenblas.so.0"};
  if (const char *chosen = std::getenv("ACCRUE_BLAS"))
    candidates = {chosen};
  void *handle = nullptr;
  std::string reasons;
  for (const char *candidate : candidates) {
    handle = ::dlopen(candidate, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
      const char *reason = ::dlerror();
      reasons += (reasons.empty() ? "" : "; ");
      reasons += reason ? reason : candidate;
      continue;
    }
    if (lookUp(handle, "cblas_sgemm", library.sgemm) &&
        lookUp(handle, "cblas_dgemm", library.dgemm))
      break;
    library.error =
        fmt::format("{}: expected a library with cblas_sgemm", candidate);
    return library;
  }
  if (!handle) {
    library.error = fmt::format("cannot load OpenBLAS ({}); install "
                                "libopenblas0-openmp or set ACCRUE_BLAS to "
                                "its path",
                                reasons);
    return library;
  }
  const char *(*coreName)() = nullptr;
  if (lookUp(handle, "openblas_get_corename", coreName))
    library.core = coreName();
  return library;
}

const Library &getLibrary() {
  static const Library library = loadLibrary();
  return library;
}

[[noreturn]] void die(const std::string &message) {
  fmt::print(stderr, "error: {}\n", message);
  std::exit(1);
}

int toInt(int64_t value) {
  if (value > INT_MAX)
    die(fmt::format("matrix extent {} is beyond what this BLAS can index",
                    value));
  return static_cast<int>(value);
}

/// C = beta C, the product being empty.
template <typename T>
void scale(int64_t m, int64_t n, T beta, T *c, int64_t ldc) {
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      c[i * ldc + j] = beta == 0 ? T(0) : beta * c[i * ldc + j];
}

/// Operations below which a product runs on the calling thread: it takes some
/// tens of microseconds, and waiting for another thread may take longer.
constexpr double leastParallelWork = 8e6;

/// Lets BLAS use one thread as long as it lives, if the work is small.
class ThreadScope {
public:
  explicit ThreadScope(double work) {
    if (work >= leastParallelWork)
      return;
    previous = omp_get_max_threads();
    omp_set_num_threads(1);
  }
  ~ThreadScope() {
    if (previous)
      omp_set_num_threads(previous);
  }
  ThreadScope(const ThreadScope &) = delete;
  ThreadScope &operator=(const ThreadScope &) = delete;

private:
  int previous = 0;
};

template <typename T>
void gemm(bool transA, bool transB, int64_t m, int64_t n, int64_t k, T alpha,
          const T *a, int64_t lda, const T *b, int64_t ldb, T beta, T *c,
          int64_t ldc) {
  if (m == 0 || n == 0)
    return;
  if (k == 0)
    return scale(m, n, beta, c, ldc);
  const Library &library = getLibrary();
  if (!library.error.empty())
    die(library.error);
  GemmFn<T> fn;
  if constexpr (std::is_same_v<T, float>)
    fn = library.sgemm;
  else
    fn = library.dgemm;
  ThreadScope threads(2.0 * m * n * k);
  fn(RowMajor, transA ? Trans : NoTrans, transB ? Trans : NoTrans, toInt(m),
     toInt(n), toInt(k), alpha, a, toInt(lda), b, toInt(ldb), beta, c,
     toInt(ldc));
}

template <typename T>
void gemmBatch(bool transA, bool transB, int64_t batch, int64_t m, int64_t n,
               int64_t k, T alpha, const T *a, int64_t lda, const T *b,
               int64_t ldb, T beta, T *c, int64_t ldc) {
  auto multiply = [&](int64_t i) {
    gemm(transA, transB, m, n, k, alpha, a + i * lda * (transA ? k : m), lda,
         b + i * ldb * (transB ? n : k), ldb, beta, c + i * ldc * m, ldc);
  };
  const double work = 2.0 * m * n * k;
  if (work >= leastParallelWork || batch * work < leastParallelWork) {
    for (int64_t i = 0; i < batch; ++i)
      multiply(i);
    return;
  }
  // One thread per product: inside a parallel loop BLAS does not use others.
  accrue_parallel_for(
      [](void *ctx, int64_t i) { (*static_cast<decltype(&multiply)>(ctx))(i); },
      &multiply, batch);
}

} // namespace

io::Status loadBlas() {
  const std::string &error = getLibrary().error;
  return error.empty() ? io::Status::success() : io::Status::failure(error);
}

} // namespace accrue::cpu

using namespace accrue::cpu;

extern "C" void accrue_sgemm(bool transA, bool transB, int64_t m, int64_t n,
                             int64_t k, float alpha, const float *a,
                             int64_t lda, const float *b, int64_t ldb,
                             float beta, float *c, int64_t ldc) {
  gemm(transA, transB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

extern "C" void accrue_dgemm(bool transA, bool transB, int64_t m, int64_t n,
                             int64_t k, double alpha, const double *a,
                             int64_t lda, const double *b, int64_t ldb,
                             double beta, double *c, int64_t ldc) {
  gemm(transA, transB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

extern "C" void accrue_sgemm_batch(bool transA, bool transB, int64_t batch,
                                   int64_t m, int64_t n, int64_t k, float alpha,
                                   const float *a, int64_t lda, const float *b,
                                   int64_t ldb, float beta, float *c,
                                   int64_t ldc) {
  gemmBatch(transA, transB, batch, m, n, k, alpha, a, lda, b, ldb, beta, c,
            ldc);
}

extern "C" void accrue_dgemm_batch(bool transA, bool transB, int64_t batch,
                                   int64_t m, int64_t n, int64_t k,
                                   double alpha, const double *a, int64_t lda,
                                   const double *b, int64_t ldb, double beta,
                                   double *c, int64_t ldc) {
  gemmBatch(transA, transB, batch, m, n, k, alpha, a, lda, b, ldb, beta, c,
            ldc);
}

extern "C" const char *accrue_blas_core(void) { return getLibrary().core; }
