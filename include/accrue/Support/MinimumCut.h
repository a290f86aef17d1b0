//===- MinimumCut.h - Cheapest separation of a graph ------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_SUPPORT_MINIMUMCUT_H
#define ACCRUE_SUPPORT_MINIMUMCUT_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace accrue {

/// A directed graph with capacities, and its minimum cut between vertex 0 (the
/// source) and vertex 1 (the sink), by Dinic's method (E. A. Dinic, Algorithm
/// for solution of a problem of maximum flow in networks with power estimation,
/// 1970): O(V^2 E), in practice close to linear on graphs of programs.
class FlowGraph {
public:
  /// More than any sum of capacities of values that are to be cut.
  static constexpr int64_t kUnbounded = int64_t(1) << 50;
  static constexpr unsigned kSource = 0, kSink = 1;

  FlowGraph() : edgesFrom(2) {}

  /// Adds a vertex and returns its number.
  unsigned addVertex();
  /// Adds an edge of `capacity`, which is not negative.
  void addEdge(unsigned from, unsigned to, int64_t capacity);

  /// The vertices on the side of the sink of the minimum cut that is closest to
  /// the sink. Changes the graph: call it once.
  llvm::BitVector findSinkSide();

private:
  struct Edge {
    unsigned to;
    /// What can still flow.
    int64_t capacity;
  };

  bool computeDistances();
  int64_t push(unsigned vertex, int64_t limit);

  /// An edge and its reverse are neighbours: 2 i and 2 i + 1.
  std::vector<Edge> edges;
  std::vector<llvm::SmallVector<unsigned, 4>> edgesFrom;
  std::vector<unsigned> distance, next;
};

} // namespace accrue

#endif // ACCRUE_SUPPORT_MINIMUMCUT_H
