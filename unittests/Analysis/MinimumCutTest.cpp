//===- MinimumCutTest.cpp - Tests of minimum cuts -------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Support/MinimumCut.h"
#include "gtest/gtest.h"
#include <random>

using namespace accrue;

namespace {

struct Edge {
  unsigned from, to;
  int64_t capacity;
};

/// The least capacity between sets with the source and with the sink, by trying
/// all of them.
int64_t findLeastCut(unsigned vertices, const std::vector<Edge> &edges) {
  int64_t least = FlowGraph::kUnbounded;
  for (unsigned set = 0; set < (1u << vertices); ++set) {
    if (!(set & 1) || (set & 2))
      continue;
    int64_t sum = 0;
    for (const Edge &edge : edges)
      if ((set >> edge.from & 1) && !(set >> edge.to & 1))
        sum += edge.capacity;
    least = std::min(least, sum);
  }
  return least;
}

TEST(MinimumCutTest, CutsAsLittleAsPossible) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    unsigned vertices = 2 + random() % 7;
    FlowGraph graph;
    for (unsigned i = 2; i < vertices; ++i)
      graph.addVertex();
    std::vector<Edge> edges;
    for (unsigned i = 0, e = random() % 20; i < e; ++i) {
      Edge edge{static_cast<unsigned>(random() % vertices),
                static_cast<unsigned>(random() % vertices),
                static_cast<int64_t>(random() % 9)};
      edges.push_back(edge);
      graph.addEdge(edge.from, edge.to, edge.capacity);
    }
    llvm::BitVector sinkSide = graph.findSinkSide();
    ASSERT_FALSE(sinkSide.test(FlowGraph::kSource));
    ASSERT_TRUE(sinkSide.test(FlowGraph::kSink));
    int64_t cut = 0;
    for (const Edge &edge : edges)
      if (!sinkSide.test(edge.from) && sinkSide.test(edge.to))
        cut += edge.capacity;
    EXPECT_EQ(cut, findLeastCut(vertices, edges));
  }
}

TEST(MinimumCutTest, PrefersTheCutClosestToTheSink) {
  FlowGraph graph;
  unsigned first = graph.addVertex(), second = graph.addVertex();
  graph.addEdge(FlowGraph::kSource, first, 4);
  graph.addEdge(first, second, 4);
  graph.addEdge(second, FlowGraph::kSink, 4);
  llvm::BitVector sinkSide = graph.findSinkSide();
  EXPECT_FALSE(sinkSide.test(first));
  EXPECT_FALSE(sinkSide.test(second));
}

} // namespace
