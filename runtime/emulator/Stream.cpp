//===- Stream.cpp - Streams and events ------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Queues of work, and the order in which they are emptied.
//
//===----------------------------------------------------------------------===//

#include "runtime/emulator/Stream.h"

#include "runtime/emulator/Grid.h"
#include "runtime/emulator/Random.h"

#include <algorithm>

using namespace accrue::emulator;

using Lock = std::lock_guard<std::recursive_mutex>;

namespace {

/// All streams, the default one first.
struct Streams {
  Streams() { all.push_back(std::make_unique<CUstream_st>()); }
  CUstream_st &getDefault() { return *all.front(); }

  std::vector<std::unique_ptr<CUstream_st>> all;
};

class KernelWork final : public Work {
public:
  KernelWork(const cudaLaunchConfig_t &config, const void *kernel,
             std::unique_ptr<KernelCall> call)
      : Work(WorkKind::Kernel, kernel), grid(config.gridDim),
        block(config.blockDim), call(std::move(call)) {}
  void run() const override { runGrid({grid, block, function, call.get()}); }

private:
  dim3 grid;
  dim3 block;
  std::unique_ptr<KernelCall> call;
};

class HostWork final : public Work {
public:
  HostWork(cudaHostFn_t callee, void *data)
      : Work(WorkKind::Host, reinterpret_cast<const void *>(callee)),
        callee(callee), data(data) {}
  void run() const override { callee(data); }

private:
  cudaHostFn_t callee;
  void *data;
};

} // namespace

static Streams &getStreams() {
  // Never destroyed: models may be by a static destructor.
  static Streams &streams = *new Streams;
  return streams;
}

std::recursive_mutex &accrue::emulator::getMutex() {
  static std::recursive_mutex &mutex = *new std::recursive_mutex;
  return mutex;
}

CUstream_st *accrue::emulator::getStream(cudaStream_t handle) {
  Streams &streams = getStreams();
  if (!handle || handle == cudaStreamLegacy || handle == cudaStreamPerThread)
    return &streams.getDefault();
  for (const auto &stream : streams.all)
    if (stream.get() == handle)
      return handle;
  return nullptr;
}

std::vector<CUstream_st *>
accrue::emulator::getCapturedStreams(const Capture &capture) {
  std::vector<CUstream_st *> streams;
  for (const auto &stream : getStreams().all)
    if (stream->capture.get() == &capture)
      streams.push_back(stream.get());
  return streams;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static bool canRun(const CUstream_st &stream) {
  return !stream.queue.empty() &&
         (!stream.queue.front().waitFor || stream.queue.front().waitFor->isSet);
}

static void runFirst(CUstream_st &stream) {
  CUstream_st::Entry entry = std::move(stream.queue.front());
  stream.queue.pop_front();
  stream.lane.run([&] {
    acquire(entry.done.get());
    acquire(entry.waitFor.get());
    if (entry.work)
      runWork(*entry.work);
    entry.work = nullptr;
    entry.done->time = std::chrono::steady_clock::now();
    entry.done->isSet = true;
    release(entry.done.get());
  });
}

/// Runs work of any stream that can go on until `signal` is set.
static void runUntil(Signal &signal) {
  while (!signal.isSet) {
    std::vector<CUstream_st *> candidates;
    for (const auto &stream : getStreams().all)
      if (canRun(*stream))
        candidates.push_back(stream.get());
    if (candidates.empty())
      fatal("streams wait for each other");
    size_t choice = getSeed() ? getRandom() % candidates.size() : 0;
    runFirst(*candidates[choice]);
  }
}

/// The same, for the caller, who may rely on what happened before.
static void waitUntil(Signal &signal) {
  runUntil(signal);
  acquire(&signal);
}

void accrue::emulator::runStream(CUstream_st &stream) {
  if (std::shared_ptr<Signal> last = stream.last)
    waitUntil(*last);
}

void accrue::emulator::runAll() {
  for (size_t i = 0; i < getStreams().all.size(); ++i)
    runStream(*getStreams().all[i]);
}

static std::shared_ptr<Signal> push(CUstream_st &stream,
                                    std::shared_ptr<const Work> work,
                                    std::shared_ptr<Signal> waitFor) {
  auto done = std::make_shared<Signal>();
  release(done.get());
  stream.queue.push_back({std::move(work), std::move(waitFor), done});
  stream.last = done;
  return done;
}

/// Puts an entry into the queue of a stream that is not captured.
static std::shared_ptr<Signal> append(CUstream_st &stream,
                                      std::shared_ptr<const Work> work,
                                      std::shared_ptr<Signal> waitFor) {
  CUstream_st &defaultStream = getStreams().getDefault();
  // The default stream and the blocking ones wait for each other.
  if (&stream == &defaultStream) {
    for (const auto &other : getStreams().all)
      if (other.get() != &stream && other->isBlocking && other->last)
        push(stream, nullptr, other->last);
  } else if (stream.isBlocking && defaultStream.last) {
    push(stream, nullptr, defaultStream.last);
  }
  std::shared_ptr<Signal> done =
      push(stream, std::move(work), std::move(waitFor));
  if (getSeed() == 0)
    runUntil(*done);
  return done;
}

cudaError_t accrue::emulator::submit(cudaStream_t handle,
                                     std::shared_ptr<const Work> work) {
  CUstream_st *stream = getStream(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (Capture *capture = stream->capture.get()) {
    if (capture->isInvalid)
      return cudaErrorStreamCaptureInvalidated;
    auto node = std::make_unique<CUgraphNode_st>();
    node->work = std::move(work);
    node->dependencies = std::move(stream->tail);
    stream->tail = {capture->graph->nodes.size()};
    capture->graph->nodes.push_back(std::move(node));
    return cudaSuccess;
  }
  // Work of the default stream would have to wait for what is captured.
  if (stream == &getStreams().getDefault())
    for (const auto &other : getStreams().all)
      if (other->capture && other->isBlocking) {
        other->capture->isInvalid = true;
        return cudaErrorStreamCaptureImplicit;
      }
  append(*stream, std::move(work), nullptr);
  return cudaSuccess;
}

cudaError_t accrue::emulator::checkUnsafeCall() {
  cudaError_t error = cudaSuccess;
  for (const auto &stream : getStreams().all)
    if (stream->capture &&
        stream->capture->mode != cudaStreamCaptureModeRelaxed) {
      stream->capture->isInvalid = true;
      error = cudaErrorStreamCaptureUnsupported;
    }
  return error;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

cudaError_t accrue::emulator::launch(const cudaLaunchConfig_t &config,
                                     const void *kernel, KernelCall *call) {
  Lock lock(getMutex());
  std::unique_ptr<KernelCall> owned(call);
  const dim3 &grid = config.gridDim;
  const dim3 &block = config.blockDim;
  if (!kernel)
    return keepError(cudaErrorInvalidValue);
  if (grid.x == 0 || grid.x > 2147483647u || grid.y == 0 || grid.y > 65535 ||
      grid.z == 0 || grid.z > 65535 || block.x == 0 || block.x > 1024 ||
      block.y == 0 || block.y > 1024 || block.z == 0 || block.z > 64 ||
      block.x * block.y * block.z > 1024)
    return keepError(cudaErrorInvalidConfiguration);
  return keepError(submit(
      config.stream, makeWork<KernelWork>(config, kernel, std::move(owned))));
}

extern "C" cudaError_t cudaLaunchHostFunc(cudaStream_t stream,
                                          cudaHostFn_t function, void *data) {
  Lock lock(getMutex());
  if (!function)
    return keepError(cudaErrorInvalidValue);
  return keepError(submit(stream, makeWork<HostWork>(function, data)));
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

extern "C" cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream,
                                                 unsigned flags) {
  Lock lock(getMutex());
  if (!stream || flags & ~static_cast<unsigned>(cudaStreamNonBlocking))
    return keepError(cudaErrorInvalidValue);
  getStreams().all.push_back(std::make_unique<CUstream_st>());
  *stream = getStreams().all.back().get();
  (*stream)->isBlocking = !(flags & cudaStreamNonBlocking);
  return cudaSuccess;
}

extern "C" cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

extern "C" cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream,
                                                    unsigned flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}

extern "C" cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  Lock lock(getMutex());
  CUstream_st *stream = getStream(handle);
  if (!stream || stream == &getStreams().getDefault())
    return keepError(cudaErrorInvalidResourceHandle);
  if (stream->capture)
    stream->capture->isInvalid = true;
  else
    runStream(*stream);
  auto &all = getStreams().all;
  all.erase(std::find_if(all.begin(), all.end(), [&](const auto &other) {
    return other.get() == stream;
  }));
  return cudaSuccess;
}

extern "C" cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  Lock lock(getMutex());
  CUstream_st *stream = getStream(handle);
  if (!stream)
    return keepError(cudaErrorInvalidResourceHandle);
  if (stream->capture) {
    stream->capture->isInvalid = true;
    return keepError(cudaErrorStreamCaptureUnsupported);
  }
  runStream(*stream);
  return cudaSuccess;
}

extern "C" cudaError_t cudaStreamQuery(cudaStream_t handle) {
  Lock lock(getMutex());
  CUstream_st *stream = getStream(handle);
  if (!stream)
    return keepError(cudaErrorInvalidResourceHandle);
  if (stream->capture) {
    stream->capture->isInvalid = true;
    return keepError(cudaErrorStreamCaptureUnsupported);
  }
  // Programs that ask until the answer is yes have to get it one day.
  if (canRun(*stream))
    runFirst(*stream);
  return stream->last && !stream->last->isSet ? cudaErrorNotReady : cudaSuccess;
}

extern "C" cudaError_t cudaDeviceSynchronize(void) {
  Lock lock(getMutex());
  if (cudaError_t error = checkUnsafeCall())
    return keepError(error);
  runAll();
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

extern "C" cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event,
                                                unsigned flags) {
  Lock lock(getMutex());
  if (!event || flags & ~static_cast<unsigned>(cudaEventBlockingSync |
                                               cudaEventDisableTiming))
    return keepError(cudaErrorInvalidValue);
  *event = new CUevent_st;
  (*event)->hasTiming = !(flags & cudaEventDisableTiming);
  return cudaSuccess;
}

extern "C" cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

extern "C" cudaError_t cudaEventDestroy(cudaEvent_t event) {
  Lock lock(getMutex());
  if (!event)
    return keepError(cudaErrorInvalidResourceHandle);
  delete event;
  return cudaSuccess;
}

extern "C" cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t handle) {
  Lock lock(getMutex());
  CUstream_st *stream = getStream(handle);
  if (!event || !stream)
    return keepError(cudaErrorInvalidResourceHandle);
  if (stream->capture) {
    if (stream->capture->isInvalid)
      return keepError(cudaErrorStreamCaptureInvalidated);
    event->signal = nullptr;
    event->capture = stream->capture;
    event->nodes = stream->tail;
    return cudaSuccess;
  }
  event->capture = nullptr;
  event->nodes.clear();
  event->signal = append(*stream, nullptr, nullptr);
  return cudaSuccess;
}

extern "C" cudaError_t cudaStreamWaitEvent(cudaStream_t handle,
                                           cudaEvent_t event, unsigned) {
  Lock lock(getMutex());
  CUstream_st *stream = getStream(handle);
  if (!event || !stream)
    return keepError(cudaErrorInvalidResourceHandle);
  if (Capture *capture = stream->capture.get()) {
    if (capture->isInvalid)
      return keepError(cudaErrorStreamCaptureInvalidated);
    if (event->capture != stream->capture) {
      capture->isInvalid = true;
      if (!event->capture || !event->capture->graph)
        return keepError(cudaErrorStreamCaptureIsolation);
      event->capture->isInvalid = true;
      return keepError(cudaErrorStreamCaptureMerge);
    }
    for (size_t node : event->nodes)
      if (std::find(stream->tail.begin(), stream->tail.end(), node) ==
          stream->tail.end())
        stream->tail.push_back(node);
    return cudaSuccess;
  }
  if (event->capture) {
    // The stream joins the capture, unless that has ended.
    if (!event->capture->graph)
      return keepError(cudaErrorCapturedEvent);
    if (event->capture->isInvalid)
      return keepError(cudaErrorStreamCaptureInvalidated);
    if (stream == &getStreams().getDefault()) {
      event->capture->isInvalid = true;
      return keepError(cudaErrorStreamCaptureImplicit);
    }
    stream->capture = event->capture;
    stream->tail = event->nodes;
    return cudaSuccess;
  }
  // An event that was never recorded has nothing to wait for.
  if (event->signal)
    append(*stream, nullptr, event->signal);
  return cudaSuccess;
}

/// An error for an event of a capture, which cannot be waited for.
static cudaError_t checkNotCaptured(CUevent_st *event) {
  if (!event)
    return cudaErrorInvalidResourceHandle;
  if (!event->capture)
    return cudaSuccess;
  event->capture->isInvalid = true;
  return cudaErrorCapturedEvent;
}

extern "C" cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  Lock lock(getMutex());
  if (cudaError_t error = checkNotCaptured(event))
    return keepError(error);
  if (std::shared_ptr<Signal> signal = event->signal)
    waitUntil(*signal);
  return cudaSuccess;
}

extern "C" cudaError_t cudaEventQuery(cudaEvent_t event) {
  Lock lock(getMutex());
  if (cudaError_t error = checkNotCaptured(event))
    return keepError(error);
  if (!event->signal)
    return cudaSuccess;
  for (const auto &stream : getStreams().all)
    if (!event->signal->isSet && canRun(*stream))
      runFirst(*stream);
  if (!event->signal->isSet)
    return cudaErrorNotReady;
  acquire(event->signal.get());
  return cudaSuccess;
}

extern "C" cudaError_t
cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  Lock lock(getMutex());
  for (CUevent_st *event : {start, end}) {
    if (cudaError_t error = checkNotCaptured(event))
      return keepError(error);
    if (!event->hasTiming || !event->signal)
      return keepError(cudaErrorInvalidResourceHandle);
    if (!event->signal->isSet)
      return keepError(cudaErrorNotReady);
  }
  std::chrono::duration<float, std::milli> elapsed =
      end->signal->time - start->signal->time;
  *milliseconds = elapsed.count();
  return cudaSuccess;
}
