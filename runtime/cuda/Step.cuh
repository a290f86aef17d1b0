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
// As a graph, a step or a part of it is one call for the host. Graphs come from
// capturing the calls that they replace.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_CUDA_STEP_CUH
#define ACCRUE_RUNTIME_CUDA_STEP_CUH

#include "runtime/cuda/Check.cuh"

#include <array>
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

  /// The copies that follow wait until all parts have been read: those of
  /// another entry have other sizes.
  int waitForParts();
  /// The copies that follow wait until `part` has been read.
  int beginFill(int64_t part);
  /// The calls that follow wait for the copies to `part`.
  int endFill(int64_t part);
  /// The calls until here have read `part`.
  int release(int64_t part);

  /// In a capture of `stream`, makes `copies` part of it.
  int fork();
  /// Ends what fork() began: all copies are part of `stream`.
  int join();
  /// Forgets what fork() began, where the capture has failed.
  void abandon() { isForked = false; }
  /// After a graph that contains copies: it has read all parts.
  int releaseAll();

  /// False: calls of graphs are made one by one, for measurements and
  /// debuggers.
  bool useGraphs = true;

private:
  static constexpr int kParts = 2;

  cudaEvent_t filled[kParts] = {};
  cudaEvent_t emptied[kParts] = {};
  cudaEvent_t forked = nullptr;
  cudaEvent_t joined = nullptr;
  /// Between fork() and join(), where only what was captured can be waited for.
  bool isForked = false;
  bool isReleased[kParts] = {};
};

inline int Streams::createStreams() {
  ACCRUE_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  ACCRUE_CHECK(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
  for (cudaEvent_t *event :
       {&filled[0], &filled[1], &emptied[0], &emptied[1], &forked, &joined})
    ACCRUE_CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
  return 0;
}

inline Streams::~Streams() {
  for (cudaEvent_t event :
       {filled[0], filled[1], emptied[0], emptied[1], forked, joined})
    if (event)
      cudaEventDestroy(event);
  if (copies)
    cudaStreamDestroy(copies);
  if (stream)
    cudaStreamDestroy(stream);
}

inline int Streams::waitForParts() {
  for (cudaEvent_t event : emptied)
    ACCRUE_CHECK(cudaStreamWaitEvent(copies, event, 0));
  return 0;
}

inline int Streams::beginFill(int64_t part) {
  // A graph starts when everything before it has ended, so a part that it has
  // not yet released is free.
  if (isForked && !isReleased[part])
    return 0;
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
  isReleased[part] = true;
  return 0;
}

inline int Streams::fork() {
  isForked = true;
  for (bool &flag : isReleased)
    flag = false;
  ACCRUE_CHECK(cudaEventRecord(forked, stream));
  ACCRUE_CHECK(cudaStreamWaitEvent(copies, forked, 0));
  return 0;
}

inline int Streams::join() {
  isForked = false;
  ACCRUE_CHECK(cudaEventRecord(joined, copies));
  ACCRUE_CHECK(cudaStreamWaitEvent(stream, joined, 0));
  return 0;
}

inline int Streams::releaseAll() {
  for (int part = 0; part < kParts; ++part)
    ACCRUE_CHECK(release(part));
  return 0;
}

/// A graph of calls, built when it is run for the first time. One that contains
/// copies knows the pointers of the `N` inputs that it was built with.
template <size_t N = 0>
class Graph {
public:
  Graph() = default;
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;
  ~Graph() {
    if (executable)
      cudaGraphExecDestroy(executable);
  }

  /// Runs what `calls` starts on the streams.
  template <class Calls, class... Inputs>
  int run(Streams &streams, Calls calls, const Inputs *...inputs) {
    static_assert(sizeof...(Inputs) == N, "one pointer for every input");
    if (!streams.useGraphs)
      return calls();
    const std::array<const void *, N> now = {{inputs...}};
    if (!executable || now != known) {
      ACCRUE_CHECK(build(streams, calls));
      known = now;
    }
    ACCRUE_CHECK(cudaGraphLaunch(executable, streams.stream));
    return N > 0 ? streams.releaseAll() : 0;
  }

private:
  template <class Calls>
  int build(Streams &streams, Calls calls) {
    cudaGraph_t graph = nullptr;
    int status = capture(streams, calls, &graph);
    if (status == 0)
      status = instantiate(graph);
    if (graph)
      cudaGraphDestroy(graph);
    return status;
  }

  template <class Calls>
  static int capture(Streams &streams, Calls calls, cudaGraph_t *graph) {
    // Other threads of the program may go on with CUDA as they like.
    ACCRUE_CHECK(cudaStreamBeginCapture(streams.stream,
                                        cudaStreamCaptureModeThreadLocal));
    int status = N > 0 ? streams.fork() : 0;
    if (status == 0)
      status = calls();
    if (status == 0 && N > 0)
      status = streams.join();
    // Ended in any case; the first error counts.
    const cudaError_t ended = cudaStreamEndCapture(streams.stream, graph);
    if (status != 0) {
      streams.abandon();
      cudaGetLastError();
      return status;
    }
    ACCRUE_CHECK(ended);
    return 0;
  }

  /// Makes `graph` executable: by an update where there is one already.
  int instantiate(cudaGraph_t graph) {
    if (executable) {
      cudaGraphExecUpdateResultInfo info;
      if (cudaGraphExecUpdate(executable, graph, &info) == cudaSuccess)
        return 0;
      // Not an error that a later call should report.
      cudaGetLastError();
      const cudaGraphExec_t old = executable;
      executable = nullptr;
      ACCRUE_CHECK(cudaGraphExecDestroy(old));
    }
    ACCRUE_CHECK(cudaGraphInstantiate(&executable, graph, 0));
    return 0;
  }

  cudaGraphExec_t executable = nullptr;
  std::array<const void *, N> known = {};
};

} // namespace accrue

#endif // ACCRUE_RUNTIME_CUDA_STEP_CUH
