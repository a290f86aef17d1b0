//===- MinimumCut.cpp - Cheapest separation of a graph --------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Support/MinimumCut.h"
#include <algorithm>
#include <limits>

using namespace accrue;

static constexpr unsigned kUnreached = std::numeric_limits<unsigned>::max();

unsigned FlowGraph::addVertex() {
  edgesFrom.emplace_back();
  return edgesFrom.size() - 1;
}

void FlowGraph::addEdge(unsigned from, unsigned to, int64_t capacity) {
  edgesFrom[from].push_back(edges.size());
  edges.push_back({to, capacity});
  edgesFrom[to].push_back(edges.size());
  edges.push_back({from, 0});
}

/// Distances from the source along edges with capacity left; false when the
/// sink is out of reach.
bool FlowGraph::computeDistances() {
  distance.assign(edgesFrom.size(), kUnreached);
  distance[kSource] = 0;
  std::vector<unsigned> queue = {kSource};
  for (size_t i = 0; i < queue.size(); ++i)
    for (unsigned index : edgesFrom[queue[i]]) {
      const Edge &edge = edges[index];
      if (edge.capacity == 0 || distance[edge.to] != kUnreached)
        continue;
      distance[edge.to] = distance[queue[i]] + 1;
      queue.push_back(edge.to);
    }
  return distance[kSink] != kUnreached;
}

/// Sends up to `limit` from `vertex` to the sink along shortest paths.
int64_t FlowGraph::push(unsigned vertex, int64_t limit) {
  if (vertex == kSink)
    return limit;
  for (; next[vertex] < edgesFrom[vertex].size(); ++next[vertex]) {
    unsigned index = edgesFrom[vertex][next[vertex]];
    Edge edge = edges[index];
    if (edge.capacity == 0 || distance[edge.to] != distance[vertex] + 1)
      continue;
    int64_t sent = push(edge.to, std::min(limit, edge.capacity));
    if (sent == 0)
      continue;
    edges[index].capacity -= sent;
    edges[index ^ 1].capacity += sent;
    return sent;
  }
  return 0;
}

llvm::BitVector FlowGraph::findSinkSide() {
  while (computeDistances()) {
    next.assign(edgesFrom.size(), 0);
    while (push(kSource, std::numeric_limits<int64_t>::max()) > 0)
      ;
  }
  // What still reaches the sink, backwards.
  llvm::BitVector side(edgesFrom.size());
  std::vector<unsigned> queue = {kSink};
  side.set(kSink);
  for (size_t i = 0; i < queue.size(); ++i)
    for (unsigned index : edgesFrom[queue[i]]) {
      unsigned from = edges[index].to;
      if (edges[index ^ 1].capacity == 0 || side.test(from))
        continue;
      side.set(from);
      queue.push_back(from);
    }
  return side;
}
