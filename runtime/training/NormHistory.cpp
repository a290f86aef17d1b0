//===- NormHistory.cpp - What gradient norms are ordinary -----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/training/NormHistory.h"

#include <algorithm>

using namespace accrue;

NormHistory::NormHistory(std::vector<double> given) {
  for (double norm : given)
    add(norm);
}

std::optional<double> NormHistory::getMedian() const {
  if (norms.empty())
    return std::nullopt;
  std::vector<double> sorted = norms;
  std::sort(sorted.begin(), sorted.end());
  size_t middle = sorted.size() / 2;
  if (sorted.size() % 2 == 1)
    return sorted[middle];
  return (sorted[middle - 1] + sorted[middle]) / 2;
}

bool NormHistory::isSpike(double norm) const {
  return norms.size() >= kLeast && norm > kSpike * *getMedian();
}

void NormHistory::add(double norm) {
  if (norms.size() == kLength)
    norms.erase(norms.begin());
  norms.push_back(norm);
}
