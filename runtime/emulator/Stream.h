//===- Stream.h - Work, streams, events and graphs ------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that a stream does is a piece of work that owns copies of its
// arguments; a capture puts the same work into a graph. With seed 0 work runs
// when it is submitted; with another seed it runs when somebody waits for it,
// in an order that the seed chooses among those that streams and events allow.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_EMULATOR_STREAM_H
#define ACCRUE_RUNTIME_EMULATOR_STREAM_H

#include "runtime/emulator/Error.h"
#include "runtime/emulator/Fiber.h"
#include "runtime/emulator/Sanitizers.h"

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace accrue::emulator {

enum class WorkKind { Kernel, Copy, Set, Matmul, Host, Graph };

/// What a stream or a node of a graph does.
class Work {
public:
  Work(WorkKind kind, const void *function = nullptr)
      : kind(kind), function(function) {}
  virtual ~Work() = default;
  virtual void run() const = 0;

  const WorkKind kind;
  /// The kernel or the host's function.
  const void *const function;
};

/// Makes work. Whoever frees its arguments does so after it has read them.
template <class T, class... Arguments>
std::shared_ptr<T> makeWork(Arguments &&...arguments) {
  return std::shared_ptr<T>(new T(std::forward<Arguments>(arguments)...),
                            [](T *work) {
                              acquire(work);
                              delete work;
                            });
}

inline void runWork(const Work &work) {
  work.run();
  release(const_cast<Work *>(&work));
}

/// A point in a stream that has been reached or not.
struct Signal {
  bool isSet = false;
  std::chrono::steady_clock::time_point time;
};

struct Capture;

/// Held by every call of the runtime.
std::recursive_mutex &getMutex();

/// Runs the work at the end of `stream`, or captures it.
cudaError_t submit(cudaStream_t stream, std::shared_ptr<const Work> work);

/// The stream behind a handle; null for one that does not exist.
CUstream_st *getStream(cudaStream_t handle);

/// Runs everything that was submitted.
void runAll();
/// Runs what was submitted to `stream`.
void runStream(CUstream_st &stream);

/// An error, after which the captures that are going on are void, if one of
/// them forbids calls that wait or allocate.
cudaError_t checkUnsafeCall();

} // namespace accrue::emulator

struct CUgraphNode_st {
  std::shared_ptr<const accrue::emulator::Work> work;
  /// Positions of earlier nodes of the graph.
  std::vector<size_t> dependencies;
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
};

namespace accrue::emulator {

/// A capture that is going on.
struct Capture {
  CUstream_st *origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  bool isInvalid = false;
  /// Null when the capture has ended.
  std::unique_ptr<CUgraph_st> graph;
};

/// The streams that take part in a capture.
std::vector<CUstream_st *> getCapturedStreams(const Capture &capture);

} // namespace accrue::emulator

struct CUstream_st {
  /// Work and what has to happen before it; an event has no work.
  struct Entry {
    std::shared_ptr<const accrue::emulator::Work> work;
    std::shared_ptr<accrue::emulator::Signal> waitFor;
    std::shared_ptr<accrue::emulator::Signal> done;
  };
  /// Whether it and the default stream wait for each other.
  bool isBlocking = true;
  std::deque<Entry> queue;
  /// What runs its work.
  accrue::emulator::Lane lane;
  /// The signal of what was submitted last.
  std::shared_ptr<accrue::emulator::Signal> last;

  std::shared_ptr<accrue::emulator::Capture> capture;
  /// Nodes that the next captured node depends on.
  std::vector<size_t> tail;
};

struct CUevent_st {
  bool hasTiming = true;
  /// Set when it was last recorded outside of a capture.
  std::shared_ptr<accrue::emulator::Signal> signal;
  /// Set when it was last recorded in a capture, with the nodes before it.
  std::shared_ptr<accrue::emulator::Capture> capture;
  std::vector<size_t> nodes;
};

#endif // ACCRUE_RUNTIME_EMULATOR_STREAM_H
