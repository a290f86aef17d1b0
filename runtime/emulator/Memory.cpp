//===- Memory.cpp - Memory of the device ----------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocations, copies and fills. A copy from pageable memory of the host is
// over with that memory when the call returns, as with CUDA.
//
//===----------------------------------------------------------------------===//

#include "runtime/emulator/Memory.h"

#include "cuda_runtime.h"
#include "runtime/emulator/Random.h"
#include "runtime/emulator/Stream.h"

#include <cstdlib>
#include <map>

using namespace accrue::emulator;

using Lock = std::lock_guard<std::recursive_mutex>;

/// By their last byte, so that a lower bound finds what holds an address.
static std::map<const char *, Allocation> &getAllocations() {
  static auto &allocations = *new std::map<const char *, Allocation>;
  return allocations;
}

const Allocation *accrue::emulator::findAllocation(const void *pointer) {
  const char *address = static_cast<const char *>(pointer);
  auto &allocations = getAllocations();
  auto it = allocations.lower_bound(address);
  if (it == allocations.end() || address < it->second.begin)
    return nullptr;
  return &it->second;
}

static void addAllocation(const Allocation &allocation) {
  getAllocations().emplace(allocation.begin + allocation.bytes - 1, allocation);
}

void Allocation::poisonGaps() const {
  for (const Range &gap : gaps)
    poison(begin + gap.begin, gap.end - gap.begin);
}

void Allocation::unpoisonGaps() const {
  for (const Range &gap : gaps)
    unpoison(begin + gap.begin, gap.end - gap.begin);
}

/// A program that writes all of an arena at once owns what lies between its
/// buffers as well.
static void noteWholeAccess(const void *begin, size_t bytes) {
  const Allocation *allocation = findAllocation(begin);
  if (allocation && allocation->begin == begin && allocation->bytes == bytes)
    allocation->unpoisonGaps();
}

static bool isDevice(const void *pointer) {
  const Allocation *allocation = findAllocation(pointer);
  return allocation && allocation->kind == Allocation::Kind::Device;
}

static bool isPageable(const void *pointer) { return !findAllocation(pointer); }

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

/// Fills a range that begins at a multiple of 4.
static void fill(char *memory, const Range &range, uint32_t pattern) {
  for (size_t i = range.begin; i < range.end; ++i)
    memory[i] = static_cast<char>(pattern >> (i % 4 * 8));
}

static cudaError_t allocate(void **pointer, size_t bytes,
                            Allocation::Kind kind) {
  Lock lock(getMutex());
  if (!pointer)
    return keepError(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (cudaError_t error = checkUnsafeCall())
    return keepError(error);
  if (bytes == 0)
    return cudaSuccess;
  // CUDA's alignment; AddressSanitizer puts its red zones around.
  void *memory = nullptr;
  if (posix_memalign(&memory, 256, bytes) != 0)
    return keepError(cudaErrorMemoryAllocation);
  auto *begin = static_cast<char *>(memory);
  Allocation allocation;
  allocation.begin = begin;
  allocation.bytes = bytes;
  allocation.kind = kind;
  if (kind == Allocation::Kind::Device) {
    fill(begin, {0, bytes}, unwrittenWord);
    if (const Arena *arena = findArena(bytes)) {
      for (const Range &range : arena->doubles)
        fill(begin, range, unwrittenDoubleWord);
      allocation.gaps = arena->getGaps();
      allocation.poisonGaps();
    }
    markUnwritten(begin, bytes);
  }
  addAllocation(allocation);
  *pointer = memory;
  return cudaSuccess;
}

static cudaError_t release(void *pointer, Allocation::Kind kind, bool isOwned) {
  Lock lock(getMutex());
  if (!pointer && isOwned)
    return cudaSuccess;
  const Allocation *allocation = findAllocation(pointer);
  if (!allocation || allocation->begin != pointer || allocation->kind != kind ||
      allocation->isOwned != isOwned)
    return keepError(cudaErrorInvalidValue);
  if (cudaError_t error = checkUnsafeCall())
    return keepError(error);
  runAll();
  allocation->unpoisonGaps();
  getAllocations().erase(allocation->begin + allocation->bytes - 1);
  if (isOwned)
    std::free(pointer);
  return cudaSuccess;
}

extern "C" cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  return allocate(pointer, bytes, Allocation::Kind::Device);
}
extern "C" cudaError_t cudaFree(void *pointer) {
  return release(pointer, Allocation::Kind::Device, /*isOwned=*/true);
}
extern "C" cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
  return allocate(pointer, bytes, Allocation::Kind::Pinned);
}
extern "C" cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned) {
  return allocate(pointer, bytes, Allocation::Kind::Pinned);
}
extern "C" cudaError_t cudaFreeHost(void *pointer) {
  return release(pointer, Allocation::Kind::Pinned, /*isOwned=*/true);
}

extern "C" cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned) {
  Lock lock(getMutex());
  if (!pointer || bytes == 0 || findAllocation(pointer))
    return keepError(cudaErrorInvalidValue);
  Allocation allocation;
  allocation.begin = static_cast<char *>(pointer);
  allocation.bytes = bytes;
  allocation.kind = Allocation::Kind::Pinned;
  allocation.isOwned = false;
  addAllocation(allocation);
  return cudaSuccess;
}

extern "C" cudaError_t cudaHostUnregister(void *pointer) {
  return release(pointer, Allocation::Kind::Pinned, /*isOwned=*/false);
}

extern "C" cudaError_t
cudaPointerGetAttributes(cudaPointerAttributes *attributes,
                         const void *pointer) {
  Lock lock(getMutex());
  if (!attributes)
    return keepError(cudaErrorInvalidValue);
  *attributes = {};
  void *address = const_cast<void *>(pointer);
  if (isPageable(pointer)) {
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->device = -2;
    attributes->hostPointer = address;
    return cudaSuccess;
  }
  attributes->devicePointer = address;
  attributes->type = cudaMemoryTypeDevice;
  if (!isDevice(pointer)) {
    attributes->type = cudaMemoryTypeHost;
    attributes->hostPointer = address;
  }
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Copies and fills
//===----------------------------------------------------------------------===//

namespace {

/// Rows of bytes; one of them for a plain copy.
struct CopyShape {
  size_t toPitch;
  size_t fromPitch;
  size_t width;
  size_t height;
};

class CopyWork final : public Work {
public:
  CopyWork(void *to, const void *from, const CopyShape &shape)
      : Work(WorkKind::Copy), to(static_cast<char *>(to)),
        from(static_cast<const char *>(from)), shape(shape) {}

  /// Keeps the source, which its owner may change after the call.
  void keepSource() {
    kept.assign(from,
                from + shape.fromPitch * (shape.height - 1) + shape.width);
    from = kept.data();
  }

  void run() const override {
    noteWholeAccess(to, shape.width);
    noteWholeAccess(from, shape.width);
    for (size_t row = 0; row < shape.height; ++row)
      std::memcpy(to + row * shape.toPitch, from + row * shape.fromPitch,
                  shape.width);
  }

private:
  char *to;
  const char *from;
  CopyShape shape;
  std::vector<char> kept;
};

class SetWork final : public Work {
public:
  SetWork(void *to, int value, size_t bytes)
      : Work(WorkKind::Set), to(to), value(value), bytes(bytes) {}
  void run() const override {
    noteWholeAccess(to, bytes);
    std::memset(to, value, bytes);
  }

private:
  void *to;
  int value;
  size_t bytes;
};

} // namespace

/// Checks where the two ends of a copy lie.
static cudaError_t checkDirection(const void *to, const void *from,
                                  cudaMemcpyKind kind) {
  switch (kind) {
  case cudaMemcpyHostToHost:
    return isDevice(to) || isDevice(from) ? cudaErrorInvalidValue : cudaSuccess;
  case cudaMemcpyHostToDevice:
    return !isDevice(to) || isDevice(from) ? cudaErrorInvalidValue
                                           : cudaSuccess;
  case cudaMemcpyDeviceToHost:
    return isDevice(to) || !isDevice(from) ? cudaErrorInvalidValue
                                           : cudaSuccess;
  case cudaMemcpyDeviceToDevice:
    return !isDevice(to) || !isDevice(from) ? cudaErrorInvalidValue
                                            : cudaSuccess;
  case cudaMemcpyDefault:
    return cudaSuccess;
  }
  return cudaErrorInvalidMemcpyDirection;
}

static cudaError_t copy(void *to, const void *from, const CopyShape &shape,
                        cudaMemcpyKind kind, cudaStream_t handle) {
  CUstream_st *stream = getStream(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (shape.width == 0 || shape.height == 0)
    return cudaSuccess;
  if (!to || !from)
    return cudaErrorInvalidValue;
  if (shape.width > shape.toPitch || shape.width > shape.fromPitch)
    return cudaErrorInvalidPitchValue;
  if (cudaError_t error = checkDirection(to, from, kind))
    return error;
  auto work = makeWork<CopyWork>(to, from, shape);
  // Graphs read the host's memory when they are launched.
  if (stream->capture)
    return submit(handle, work);
  if ((getSeed() || isThreadSanitizer) && isPageable(from))
    work->keepSource();
  if (cudaError_t error = submit(handle, work))
    return error;
  if (isPageable(to))
    runStream(*stream);
  return cudaSuccess;
}

extern "C" cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                       cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  Lock lock(getMutex());
  return keepError(copy(to, from, {bytes, bytes, bytes, 1}, kind, stream));
}

extern "C" cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch,
                                         const void *from, size_t fromPitch,
                                         size_t width, size_t height,
                                         cudaMemcpyKind kind,
                                         cudaStream_t stream) {
  Lock lock(getMutex());
  return keepError(
      copy(to, from, {toPitch, fromPitch, width, height}, kind, stream));
}

extern "C" cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes,
                                       cudaStream_t stream) {
  Lock lock(getMutex());
  if (bytes == 0)
    return cudaSuccess;
  if (!isDevice(pointer))
    return keepError(cudaErrorInvalidValue);
  return keepError(submit(stream, makeWork<SetWork>(pointer, value, bytes)));
}

/// Waits for the default stream after what was started in it.
static cudaError_t waitAfter(cudaError_t error) {
  return error ? error : cudaStreamSynchronize(nullptr);
}

extern "C" cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                                  cudaMemcpyKind kind) {
  return waitAfter(cudaMemcpyAsync(to, from, bytes, kind, nullptr));
}

extern "C" cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from,
                                    size_t fromPitch, size_t width,
                                    size_t height, cudaMemcpyKind kind) {
  return waitAfter(cudaMemcpy2DAsync(to, toPitch, from, fromPitch, width,
                                     height, kind, nullptr));
}

extern "C" cudaError_t cudaMemset(void *pointer, int value, size_t bytes) {
  return cudaMemsetAsync(pointer, value, bytes, nullptr);
}

extern "C" cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from,
                                          size_t bytes, size_t offset,
                                          cudaMemcpyKind) {
  if (!symbol)
    return keepError(cudaErrorInvalidSymbol);
  char *to = static_cast<char *>(const_cast<void *>(symbol)) + offset;
  return waitAfter(
      cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, nullptr));
}
