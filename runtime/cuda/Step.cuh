//===- Step.cuh - Streams, staging and graphs of steps --------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A step computes on one stream and copies its inputs on another one, into the
// parts of the arena of the inputs in turn: while one part is read, the next
// one is filled. Events order the two; the host never waits.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_CUDA_STEP_CUH
#define ACCRUE_RUNTIME_CUDA_STEP_CUH

#include "runtime/cuda/Check.cuh"

#include <cstdint>

namespace accrue {

/// The streams of a model and the events between them.
struct Streams {
  /// Where kernels and matrix products run.
  cudaStream_t stream = nullptr;
  /// Where inputs are copied.
  cudaStream_t copies = nullptr;

  Streams() = default;
  Streams(const Streams &) = delete;
  Streams &operator=(const Streams &) = delete;
  ~Streams();

  int createStreams();

  /// The copies that follow wait until `part` has been read.
  int beginFill(int64_t part);
  /// The calls that follow wait for the copies to `part`.
  int endFill(int64_t part);
  /// The calls until here have read `part`.
  int release(int64_t part);

private:
  static constexpr int kParts = 2;

  cudaEvent_t filled[kParts] = {};
  cudaEvent_t emptied[kParts] = {};
};

inline int Streams::createStreams() {
  ACCRUE_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  ACCRUE_CHECK(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
  for (int part = 0; part < kParts; ++part) {
    ACCRUE_CHECK(
        cudaEventCreateWithFlags(&filled[part], cudaEventDisableTiming));
    ACCRUE_CHECK(
        cudaEventCreateWithFlags(&emptied[part], cudaEventDisableTiming));
  }
  return 0;
}

inline Streams::~Streams() {
  for (int part = 0; part < kParts; ++part) {
    if (filled[part])
      cudaEventDestroy(filled[part]);
    if (emptied[part])
      cudaEventDestroy(emptied[part]);
  }
  if (copies)
    cudaStreamDestroy(copies);
  if (stream)
    cudaStreamDestroy(stream);
}

inline int Streams::beginFill(int64_t part) {
  // An event that was never recorded is not waited for.
  ACCRUE_CHECK(cudaStreamWaitEvent(copies, emptied[part], 0));
  return 0;
}

inline int Streams::endFill(int64_t part) {
  ACCRUE_CHECK(cudaEventRecord(filled[part], copies));
  ACCRUE_CHECK(cudaStreamWaitEvent(stream, filled[part], 0));
  return 0;
}

inline int Streams::release(int64_t part) {
  ACCRUE_CHECK(cudaEventRecord(emptied[part], stream));
  return 0;
}

} // namespace accrue

#endif // ACCRUE_RUNTIME_CUDA_STEP_CUH
