//===- Indices.cuh - Valid values of integer inputs -----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Labels and tokens are checked on the host, before a step begins: an index out
// of range is an error with a name, and nothing has changed.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_CUDA_INDICES_CUH
#define ACCRUE_RUNTIME_CUDA_INDICES_CUH

#include "runtime/cuda/Check.cuh"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <initializer_list>

namespace accrue {

/// Elements [begin, end) of every sample, in C order without the batch
/// dimension, have to be in [0, bound), as `reader` reads them.
struct IndexBound {
  int64_t begin, end, bound;
  const char *reader;
};

/// Whether the host can read what `pointer` points to.
inline bool isHostReadable(const void *pointer) {
  cudaPointerAttributes attributes = {};
  if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess) {
    // Ordinary memory is an error to old drivers, which must not stay.
    cudaGetLastError();
    return true;
  }
  return attributes.type != cudaMemoryTypeDevice;
}

/// Says what is wrong with element `element` of sample `sample`.
inline int failIndex(const char *name, std::initializer_list<int64_t> shape,
                     size_t batchDim, int64_t sample, int64_t element,
                     long long value, const IndexBound &bound) {
  char position[128] = "";
  size_t dim = shape.size();
  // From the last extent to the first.
  for (const int64_t *extent = shape.end(); extent-- != shape.begin();) {
    int64_t index = sample;
    if (--dim != batchDim) {
      index = element % *extent;
      element /= *extent;
    }
    char text[160];
    std::snprintf(text, sizeof text, "%lld%s%s", static_cast<long long>(index),
                  *position ? ", " : "", position);
    std::snprintf(position, sizeof position, "%.*s",
                  static_cast<int>(sizeof position) - 1, text);
  }
  std::snprintf(lastError(), 512,
                "%s[%s] = %lld: expected a value in [0, %lld), as %s reads it",
                name, position, value, static_cast<long long>(bound.bound),
                bound.reader);
  return 1;
}

/// Checks input `name` of this shape, whose dimension `batchDim` enumerates the
/// samples. Inputs on the device are left to the kernels.
template <class T>
int checkIndices(const char *name, const T *values,
                 std::initializer_list<int64_t> shape, size_t batchDim,
                 std::initializer_list<IndexBound> bounds) {
  if (!isHostReadable(values))
    return 0;
  int64_t samples = shape.begin()[batchDim], inner = 1;
  for (size_t dim = batchDim + 1; dim < shape.size(); ++dim)
    inner *= shape.begin()[dim];
  for (int64_t sample = 0; sample < samples; ++sample)
    for (const IndexBound &bound : bounds)
      for (int64_t i = bound.begin; i < bound.end; ++i) {
        const T value =
            values[(i / inner * samples + sample) * inner + i % inner];
        if (value < 0 || value >= bound.bound)
          return failIndex(name, shape, batchDim, sample, i, value, bound);
      }
  return 0;
}

} // namespace accrue

#endif // ACCRUE_RUNTIME_CUDA_INDICES_CUH
