//===- MemorySearch.cpp - The largest micro-batch that fits ---------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Planner/MemorySearch.h"

#include <map>

using namespace llvm;
using namespace accrue;
using train::RematPolicy;

/// How many sizes above the one that halving found are tried.
static constexpr int64_t kNeighbours = 4;

namespace {
/// The plans of one policy, each made once.
class PolicySearch {
public:
  PolicySearch(int64_t batch, int64_t limit, RematPolicy policy,
               MakePlanFn makePlan)
      : batch(batch), limit(limit), policy(policy), makePlan(makePlan) {}

  FailureOr<std::optional<MemoryCandidate>> run();
  /// The smallest plan that was made.
  MemoryCandidate getSmallest() const;

private:
  FailureOr<bool> fits(int64_t microBatch);

  int64_t batch, limit;
  RematPolicy policy;
  MakePlanFn makePlan;
  std::map<int64_t, int64_t> made;
};
} // namespace

FailureOr<bool> PolicySearch::fits(int64_t microBatch) {
  auto it = made.find(microBatch);
  if (it == made.end()) {
    FailureOr<int64_t> bytes = makePlan(microBatch, policy);
    if (failed(bytes))
      return failure();
    it = made.emplace(microBatch, *bytes).first;
  }
  return it->second <= limit;
}

FailureOr<std::optional<MemoryCandidate>> PolicySearch::run() {
  // `low` fits unless it is 0; `high` does not.
  int64_t low = 0, high = batch + 1;
  while (high - low > 1) {
    // The whole batch first: it often fits.
    int64_t middle = high == batch + 1 ? batch : low + (high - low) / 2;
    FailureOr<bool> fit = fits(middle);
    if (failed(fit))
      return failure();
    (*fit ? low : high) = middle;
  }
  for (int64_t size = low + 1; size <= std::min(batch, low + kNeighbours);
       ++size) {
    FailureOr<bool> fit = fits(size);
    if (failed(fit))
      return failure();
    if (*fit)
      low = size;
  }
  if (low == 0)
    return std::optional<MemoryCandidate>();
  return std::optional<MemoryCandidate>({low, policy, made.at(low)});
}

MemoryCandidate PolicySearch::getSmallest() const {
  auto it = std::min_element(
      made.begin(), made.end(),
      [](const auto &a, const auto &b) { return a.second < b.second; });
  return {it->first, policy, it->second};
}

FailureOr<MemorySearchResult>
accrue::searchMemory(int64_t batch, int64_t limit,
                     ArrayRef<RematPolicy> policies, MakePlanFn makePlan) {
  MemorySearchResult result;
  for (RematPolicy policy : policies) {
    PolicySearch search(batch, limit, policy, makePlan);
    FailureOr<std::optional<MemoryCandidate>> found = search.run();
    if (failed(found))
      return failure();
    if (*found) {
      result.best = **found;
      return result;
    }
    MemoryCandidate smallest = search.getSmallest();
    if (result.floor.microBatch == 0 || smallest.bytes < result.floor.bytes)
      result.floor = smallest;
  }
  return result;
}
