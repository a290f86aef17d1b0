//===- Graph.cpp - Capture and graphs -------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nodes are in the order of capture, which is a topological one. A graph that
// is launched runs in that order with seed 0, and in any that its edges allow
// with another seed.
//
//===----------------------------------------------------------------------===//

#include "runtime/emulator/Random.h"
#include "runtime/emulator/Stream.h"

#include "cuda_runtime.h"

#include <algorithm>

using namespace accrue::emulator;

using Lock = std::lock_guard<std::recursive_mutex>;

namespace {

using Nodes = std::vector<CUgraphNode_st>;

class GraphWork final : public Work {
public:
  explicit GraphWork(std::shared_ptr<const Nodes> nodes);
  void run() const override;

private:
  void runNode(size_t node, std::vector<char> &done) const;

  std::shared_ptr<const Nodes> nodes;
  /// Nodes of one lane run one after another.
  std::vector<size_t> lanes;
};

} // namespace

struct CUgraphExec_st {
  /// Shared with launches that have not run, which an update leaves alone.
  std::shared_ptr<const Nodes> nodes;
};

/// The lanes of all graphs.
static Lane &getLane(size_t index) {
  static auto &lanes = *new std::vector<std::unique_ptr<Lane>>;
  while (lanes.size() <= index)
    lanes.push_back(std::make_unique<Lane>());
  return *lanes[index];
}

GraphWork::GraphWork(std::shared_ptr<const Nodes> given)
    : Work(WorkKind::Graph), nodes(std::move(given)) {
  // A node continues the lane that one of its dependencies ends, if any.
  std::vector<size_t> last;
  for (size_t i = 0; i < nodes->size(); ++i) {
    size_t lane = last.size();
    for (size_t dependency : (*nodes)[i].dependencies)
      if (last[lanes[dependency]] == dependency)
        lane = lanes[dependency];
    if (lane == last.size())
      last.push_back(i);
    last[lane] = i;
    lanes.push_back(lane);
  }
}

/// Runs a node; bytes of `done` stand for the ends of nodes, the last one for
/// the start of the graph.
void GraphWork::runNode(size_t index, std::vector<char> &done) const {
  getLane(lanes[index]).run([&] {
    const CUgraphNode_st &node = (*nodes)[index];
    acquire(&done.back());
    for (size_t dependency : node.dependencies)
      acquire(&done[dependency]);
    runWork(*node.work);
    release(&done[index]);
  });
}

void GraphWork::run() const {
  std::vector<char> done(nodes->size() + 1);
  release(&done.back());
  std::vector<size_t> missing(nodes->size());
  std::vector<std::vector<size_t>> users(nodes->size());
  std::vector<size_t> ready;
  for (size_t i = 0; i < nodes->size(); ++i) {
    missing[i] = (*nodes)[i].dependencies.size();
    for (size_t dependency : (*nodes)[i].dependencies)
      users[dependency].push_back(i);
    if (missing[i] == 0)
      ready.push_back(i);
  }
  while (!ready.empty()) {
    auto next = getSeed() ? ready.begin() + static_cast<std::ptrdiff_t>(
                                                getRandom() % ready.size())
                          : std::min_element(ready.begin(), ready.end());
    size_t node = *next;
    ready.erase(next);
    runNode(node, done);
    for (size_t user : users[node])
      if (--missing[user] == 0)
        ready.push_back(user);
  }
  for (char &end : done)
    acquire(&end);
}

//===----------------------------------------------------------------------===//
// Capture
//===----------------------------------------------------------------------===//

extern "C" cudaError_t cudaStreamBeginCapture(cudaStream_t handle,
                                              cudaStreamCaptureMode mode) {
  Lock lock(getMutex());
  CUstream_st *stream = getStream(handle);
  if (!stream)
    return keepError(cudaErrorInvalidResourceHandle);
  if (stream == getStream(nullptr))
    return keepError(cudaErrorStreamCaptureUnsupported);
  if (stream->capture)
    return keepError(cudaErrorIllegalState);
  stream->capture = std::make_shared<Capture>();
  stream->capture->origin = stream;
  stream->capture->mode = mode;
  stream->capture->graph = std::make_unique<CUgraph_st>();
  stream->tail.clear();
  return cudaSuccess;
}

/// Whether the origin waits, directly or not, for all work of the capture.
static bool isJoined(const Capture &capture,
                     const std::vector<CUstream_st *> &streams) {
  const auto &nodes = capture.graph->nodes;
  std::vector<bool> isBefore(nodes.size());
  for (size_t node : capture.origin->tail)
    isBefore[node] = true;
  for (size_t i = nodes.size(); i-- > 0;)
    if (isBefore[i])
      for (size_t dependency : nodes[i]->dependencies)
        isBefore[dependency] = true;
  return std::all_of(streams.begin(), streams.end(), [&](CUstream_st *stream) {
    return std::all_of(stream->tail.begin(), stream->tail.end(),
                       [&](size_t node) { return isBefore[node]; });
  });
}

extern "C" cudaError_t cudaStreamEndCapture(cudaStream_t handle,
                                            cudaGraph_t *graph) {
  Lock lock(getMutex());
  CUstream_st *stream = getStream(handle);
  if (!stream || !graph)
    return keepError(stream ? cudaErrorInvalidValue
                            : cudaErrorInvalidResourceHandle);
  *graph = nullptr;
  std::shared_ptr<Capture> capture = stream->capture;
  if (!capture)
    return keepError(cudaErrorIllegalState);
  if (capture->origin != stream) {
    capture->isInvalid = true;
    return keepError(cudaErrorStreamCaptureUnmatched);
  }
  std::vector<CUstream_st *> streams = getCapturedStreams(*capture);
  cudaError_t error = cudaSuccess;
  if (capture->isInvalid)
    error = cudaErrorStreamCaptureInvalidated;
  else if (!isJoined(*capture, streams))
    error = cudaErrorStreamCaptureUnjoined;
  else
    *graph = capture->graph.release();
  capture->graph = nullptr;
  for (CUstream_st *member : streams) {
    member->capture = nullptr;
    member->tail.clear();
  }
  return keepError(error);
}

extern "C" cudaError_t cudaStreamIsCapturing(cudaStream_t handle,
                                             cudaStreamCaptureStatus *status) {
  Lock lock(getMutex());
  CUstream_st *stream = getStream(handle);
  if (!stream || !status)
    return keepError(cudaErrorInvalidValue);
  *status = !stream->capture             ? cudaStreamCaptureStatusNone
            : stream->capture->isInvalid ? cudaStreamCaptureStatusInvalidated
                                         : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

static std::shared_ptr<const Nodes> copyNodes(const CUgraph_st &graph) {
  auto nodes = std::make_shared<Nodes>();
  for (const auto &node : graph.nodes)
    nodes->push_back(*node);
  return nodes;
}

extern "C" cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  Lock lock(getMutex());
  if (!graph)
    return keepError(cudaErrorInvalidValue);
  delete graph;
  return cudaSuccess;
}

extern "C" cudaError_t
cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  Lock lock(getMutex());
  if (!graph || !count)
    return keepError(cudaErrorInvalidValue);
  if (!nodes) {
    *count = graph->nodes.size();
    return cudaSuccess;
  }
  // As many as there is room for; null for the rest of it.
  for (size_t i = 0; i < *count; ++i)
    nodes[i] = i < graph->nodes.size() ? graph->nodes[i].get() : nullptr;
  *count = std::min(*count, graph->nodes.size());
  return cudaSuccess;
}

extern "C" cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec,
                                            cudaGraph_t graph,
                                            unsigned long long flags) {
  Lock lock(getMutex());
  if (!exec || !graph || flags != 0)
    return keepError(cudaErrorInvalidValue);
  *exec = new CUgraphExec_st{copyNodes(*graph)};
  return cudaSuccess;
}

extern "C" cudaError_t
cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                    cudaGraphExecUpdateResultInfo *info) {
  Lock lock(getMutex());
  if (!exec || !graph || !info)
    return keepError(cudaErrorInvalidValue);
  *info = {};
  auto refuse = [&](cudaGraphExecUpdateResult result, cudaGraphNode_t node) {
    info->result = result;
    info->errorNode = node;
    return keepError(cudaErrorGraphExecUpdateFailure);
  };
  const Nodes &nodes = *exec->nodes;
  if (nodes.size() != graph->nodes.size())
    return refuse(cudaGraphExecUpdateErrorTopologyChanged, nullptr);
  for (size_t i = 0; i < nodes.size(); ++i) {
    CUgraphNode_st *node = graph->nodes[i].get();
    if (node->dependencies != nodes[i].dependencies)
      return refuse(cudaGraphExecUpdateErrorTopologyChanged, node);
    if (node->work->kind != nodes[i].work->kind)
      return refuse(cudaGraphExecUpdateErrorNodeTypeChanged, node);
  }
  exec->nodes = copyNodes(*graph);
  return cudaSuccess;
}

extern "C" cudaError_t cudaGraphUpload(cudaGraphExec_t exec,
                                       cudaStream_t stream) {
  Lock lock(getMutex());
  if (!exec || !getStream(stream))
    return keepError(cudaErrorInvalidResourceHandle);
  return cudaSuccess;
}

extern "C" cudaError_t cudaGraphLaunch(cudaGraphExec_t exec,
                                       cudaStream_t stream) {
  Lock lock(getMutex());
  if (!exec)
    return keepError(cudaErrorInvalidValue);
  return keepError(submit(stream, makeWork<GraphWork>(exec->nodes)));
}

extern "C" cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  Lock lock(getMutex());
  if (!exec)
    return keepError(cudaErrorInvalidValue);
  delete exec;
  return cudaSuccess;
}
