//===- Model.cuh - Memory and tensors of a model --------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arenas on the device, and copies from and to the tensors in them by name.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_CUDA_MODEL_CUH
#define ACCRUE_RUNTIME_CUDA_MODEL_CUH

#include "runtime/cuda/Check.cuh"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <new>

namespace accrue {

/// The buffer at byte `offset` of an arena.
template <class T>
T *at(void *arena, size_t offset) {
  return reinterpret_cast<T *>(static_cast<char *>(arena) + offset);
}

/// Allocates an arena of `bytes`, of unknown contents; nothing for an empty
/// one.
inline int allocate(void **arena, size_t bytes) {
  if (bytes == 0)
    return 0;
  ACCRUE_CHECK(cudaMalloc(arena, bytes));
  return 0;
}

/// Allocates an arena of `bytes` zeros; nothing for an empty one.
inline int allocateZeros(void **arena, size_t bytes, cudaStream_t stream) {
  if (bytes == 0)
    return 0;
  ACCRUE_CHECK(allocate(arena, bytes));
  ACCRUE_CHECK(cudaMemsetAsync(*arena, 0, bytes, stream));
  return 0;
}

/// Copies between host and device, in any direction, and waits.
inline int copy(void *to, const void *from, size_t bytes, cudaStream_t stream) {
  ACCRUE_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream));
  ACCRUE_CHECK(cudaStreamSynchronize(stream));
  return 0;
}

/// Starts a copy of the scalar at byte `offset` of `arena` to the host.
template <class T>
cudaError_t copyAsync(T *to, void *arena, size_t offset, cudaStream_t stream) {
  return cudaMemcpyAsync(to, at<char>(arena, offset), sizeof(T),
                         cudaMemcpyDeviceToHost, stream);
}

inline bool isSame(const char *a, const char *b) {
  return std::strcmp(a, b) == 0;
}

inline const char *orEmpty(const char *text) { return text ? text : ""; }

/// The arena of optimizer slots, or of state without a parameter.
inline const char *stateArena(const char *slot) {
  return *orEmpty(slot) ? "slots" : "state";
}

/// Fails where `pointer` is null.
inline int expect(const void *pointer, const char *what) {
  if (pointer)
    return 0;
  std::snprintf(lastError(), 512, "expected %s, got null", what);
  return 1;
}

/// Begins entry number `entry` of `model` with the given inputs.
template <class Model>
int begin(Model *model, unsigned entry,
          std::initializer_list<const void *> inputs) {
  ACCRUE_CHECK(expect(model, "a model"));
  for (const void *input : inputs)
    ACCRUE_CHECK(expect(input, "an array per input"));
  if (model->ran != 1u << entry)
    ACCRUE_CHECK(model->waitForParts());
  model->ran = 1u << entry;
  return 0;
}

/// Fails unless an entry of `model` has run.
template <class Model>
int expectRun(const Model *model, const void *results) {
  ACCRUE_CHECK(expect(model, "a model"));
  ACCRUE_CHECK(expect(results, "a place for results"));
  return model->ran != 0 ? 0 : fail("expected a step or evaluation before");
}

/// Finds a tensor of the table `tensors`; of outputs, one of the entry that ran
/// last.
template <class Model, class Tensor, size_t N>
int find(const Model *model, const Tensor (&tensors)[N], const char *arena,
         const char *name, const char *slot, const Tensor **found) {
  ACCRUE_CHECK(expect(model, "a model"));
  ACCRUE_CHECK(expect(arena, "an arena"));
  ACCRUE_CHECK(expect(name, "a name"));
  bool isOutput = isSame(arena, "outputs");
  if (isOutput)
    ACCRUE_CHECK(expectRun(model, name));
  for (const Tensor &tensor : tensors) {
    if (!isSame(tensor.arena, arena) || !isSame(tensor.name, name) ||
        !isSame(tensor.slot, orEmpty(slot)) ||
        (isOutput && (tensor.entries & model->ran) == 0))
      continue;
    *found = &tensor;
    return 0;
  }
  std::snprintf(lastError(), 512, "no tensor '%s%s%s' in %s", name,
                *orEmpty(slot) ? ":" : "", orEmpty(slot), arena);
  return 1;
}

/// Checks what is copied from or to `tensor`.
template <class Tensor>
int checkCopy(const Tensor *tensor, const void *data, size_t bytes) {
  if (tensor->bytes == bytes)
    return expect(data, "data");
  std::snprintf(lastError(), 512, "expected %zu bytes for '%s', got %zu",
                tensor->bytes, tensor->name, bytes);
  return 1;
}

/// Copies `data` to a tensor of the table.
template <class Model, class Tensor, size_t N>
int setTensor(Model *model, const Tensor (&tensors)[N],
              void *(*address)(const Model *, const Tensor *),
              const char *arena, const char *name, const char *slot,
              const void *data, size_t bytes) {
  const Tensor *tensor = nullptr;
  ACCRUE_CHECK(find(model, tensors, arena, name, slot, &tensor));
  ACCRUE_CHECK(checkCopy(tensor, data, bytes));
  return copy(address(model, tensor), data, bytes, model->stream);
}

/// Copies a tensor of the table to `data`.
template <class Model, class Tensor, size_t N>
int getTensor(Model *model, const Tensor (&tensors)[N],
              void *(*address)(const Model *, const Tensor *),
              const char *arena, const char *name, const char *slot, void *data,
              size_t bytes) {
  const Tensor *tensor = nullptr;
  ACCRUE_CHECK(find(model, tensors, arena, name, slot, &tensor));
  ACCRUE_CHECK(checkCopy(tensor, data, bytes));
  return copy(data, address(model, tensor), bytes, model->stream);
}

} // namespace accrue

#endif // ACCRUE_RUNTIME_CUDA_MODEL_CUH
