//===- EmulatorStreamTest.cpp - Memory, streams and graphs ----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatorTesting.h"

using namespace accrue::emulator;

namespace {

__global__ void set(int *x, int value) { *x = value; }
__global__ void multiply(int *x, int factor) { *x *= factor; }
__global__ void copyTo(int *to, const int *from) { *to = *from; }

struct Stream {
  Stream() { cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking); }
  ~Stream() { cudaStreamDestroy(stream); }
  operator cudaStream_t() const { return stream; }
  cudaStream_t stream = nullptr;
};

struct Event {
  Event() { cudaEventCreate(&event); }
  ~Event() { cudaEventDestroy(event); }
  operator cudaEvent_t() const { return event; }
  cudaEvent_t event = nullptr;
};

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST(EmulatorMemory, CopiesKnowTheirDirection) {
  DeviceArray<int> x(std::vector<int>{1});
  int host = 0;
  EXPECT_EQ(cudaMemcpy(&host, x.data, 4, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(x.data, &host, 4, cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(&host, x.data, 4, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(host, 1);
}

TEST(EmulatorMemory, Copies2D) {
  std::vector<int> from = {1, 2, 3, 4, 5, 6};
  DeviceArray<int> x(std::vector<int>(8, 0));
  ASSERT_EQ(
      cudaMemcpy2D(x.data, 16, from.data(), 12, 8, 2, cudaMemcpyHostToDevice),
      cudaSuccess);
  EXPECT_EQ(x.get(), (std::vector<int>{1, 2, 0, 0, 4, 5, 0, 0}));
}

TEST(EmulatorMemory, FreeOfUnknownMemory) {
  int host;
  EXPECT_EQ(cudaFree(&host), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemset(&host, 0, 4), cudaErrorInvalidValue);
}

TEST(EmulatorMemory, PointersHaveKinds) {
  DeviceArray<int> x(1);
  int host;
  void *pinned;
  ASSERT_EQ(cudaMallocHost(&pinned, 4), cudaSuccess);
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, x.data);
  EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
  cudaPointerGetAttributes(&attributes, pinned);
  EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
  cudaPointerGetAttributes(&attributes, &host);
  EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
  cudaFreeHost(pinned);
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

TEST(EmulatorStream, EventsOrderStreams) {
  Stream a, b;
  Event event;
  DeviceArray<int> x(1), y(1);
  launchOn(a, 1, 1, set, x.data, 7);
  ASSERT_EQ(cudaEventRecord(event, a), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(b, event), cudaSuccess);
  launchOn(b, 1, 1, copyTo, y.data, x.data);
  ASSERT_EQ(cudaStreamSynchronize(b), cudaSuccess);
  EXPECT_EQ(y.get()[0], 7);
  EXPECT_EQ(cudaStreamQuery(b), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event), cudaSuccess);
}

TEST(EmulatorStream, ElapsedTime) {
  Event start, end, noTiming;
  float elapsed = -1;
  EXPECT_EQ(cudaEventElapsedTime(&elapsed, start, end),
            cudaErrorInvalidResourceHandle);
  cudaEventRecord(start);
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  EXPECT_EQ(cudaEventElapsedTime(&elapsed, start, end), cudaSuccess);
  EXPECT_GE(elapsed, 0.0f);
}

TEST(EmulatorStream, DestroyedStreamsAreUnknown) {
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
}

//===----------------------------------------------------------------------===//
// Capture
//===----------------------------------------------------------------------===//

TEST(EmulatorGraph, CapturesForkAndJoin) {
  Stream a, b;
  Event forked, joined;
  DeviceArray<int> x(std::vector<int>{1}), y(std::vector<int>{1}),
      z(std::vector<int>{0});
  ASSERT_EQ(cudaStreamBeginCapture(a, cudaStreamCaptureModeThreadLocal),
            cudaSuccess);
  int factor = 3;
  launchOn(a, 1, 1, set, x.data, 5);
  cudaEventRecord(forked, a);
  ASSERT_EQ(cudaStreamWaitEvent(b, forked), cudaSuccess);
  launchOn(b, 1, 1, set, y.data, 6);
  launchOn(a, 1, 1, multiply, x.data, factor);
  cudaEventRecord(joined, b);
  ASSERT_EQ(cudaStreamWaitEvent(a, joined), cudaSuccess);
  cudaMemcpyAsync(z.data, y.data, 4, cudaMemcpyDeviceToDevice, a);
  cudaStreamCaptureStatus status;
  cudaStreamIsCapturing(b, &status);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  cudaGraph_t graph;
  ASSERT_EQ(cudaStreamEndCapture(a, &graph), cudaSuccess);
  cudaStreamIsCapturing(b, &status);
  EXPECT_EQ(status, cudaStreamCaptureStatusNone);
  // Nothing has run; arguments have been copied.
  factor = 100;
  EXPECT_EQ(x.get()[0], 1);
  size_t count = 0;
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 4u);
  cudaGraphExec_t exec;
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  cudaGraphDestroy(graph);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(cudaGraphLaunch(exec, a), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(a), cudaSuccess);
    EXPECT_EQ(x.get()[0], 15);
    EXPECT_EQ(z.get()[0], 6);
  }
  cudaGraphExecDestroy(exec);
}

TEST(EmulatorGraph, UnjoinedStream) {
  Stream a, b;
  Event forked;
  DeviceArray<int> x(std::vector<int>{1});
  cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
  cudaEventRecord(forked, a);
  cudaStreamWaitEvent(b, forked);
  launchOn(b, 1, 1, set, x.data, 5);
  cudaGraph_t graph;
  EXPECT_EQ(cudaStreamEndCapture(a, &graph), cudaErrorStreamCaptureUnjoined);
  EXPECT_EQ(graph, nullptr);
}

TEST(EmulatorGraph, WaitForUncapturedWork) {
  Stream a, b;
  Event event;
  cudaEventRecord(event, b);
  cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
  EXPECT_EQ(cudaStreamWaitEvent(a, event), cudaErrorStreamCaptureIsolation);
  cudaGraph_t graph;
  EXPECT_EQ(cudaStreamEndCapture(a, &graph), cudaErrorStreamCaptureInvalidated);
}

TEST(EmulatorGraph, IllegalCalls) {
  Stream a;
  Event event;
  DeviceArray<int> x(std::vector<int>{1});
  auto isIllegal = [&](auto call) {
    cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
    cudaError_t error = call();
    cudaGraph_t graph;
    return error != cudaSuccess &&
           cudaStreamEndCapture(a, &graph) == cudaErrorStreamCaptureInvalidated;
  };
  void *memory;
  EXPECT_TRUE(isIllegal([&] { return cudaMalloc(&memory, 4); }));
  EXPECT_TRUE(isIllegal([&] { return cudaFree(x.data); }));
  EXPECT_TRUE(isIllegal([&] { return cudaStreamSynchronize(a); }));
  EXPECT_TRUE(isIllegal([&] { return cudaStreamQuery(a); }));
  EXPECT_TRUE(isIllegal([&] { return cudaDeviceSynchronize(); }));
  EXPECT_TRUE(isIllegal([&] {
    cudaEventRecord(event, a);
    return cudaEventSynchronize(event);
  }));
}

TEST(EmulatorGraph, UpdateChecksTheTopology) {
  Stream a;
  DeviceArray<int> x(std::vector<int>{1}), y(std::vector<int>{1});
  auto capture = [&](int *to, int kernels) {
    cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
    for (int i = 0; i < kernels; ++i)
      launchOn(a, 1, 1, set, to, i + 5);
    cudaGraph_t graph;
    EXPECT_EQ(cudaStreamEndCapture(a, &graph), cudaSuccess);
    return graph;
  };
  cudaGraph_t first = capture(x.data, 2), same = capture(y.data, 2),
              longer = capture(y.data, 3);
  cudaGraphExec_t exec;
  cudaGraphExecUpdateResultInfo info;
  ASSERT_EQ(cudaGraphInstantiate(&exec, first), cudaSuccess);
  EXPECT_EQ(cudaGraphExecUpdate(exec, longer, &info),
            cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(info.result, cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(cudaGraphExecUpdate(exec, same, &info), cudaSuccess);
  cudaGraphLaunch(exec, a);
  cudaStreamSynchronize(a);
  EXPECT_EQ(x.get()[0], 1);
  EXPECT_EQ(y.get()[0], 6);
  for (cudaGraph_t graph : {first, same, longer})
    cudaGraphDestroy(graph);
  cudaGraphExecDestroy(exec);
}

} // namespace
