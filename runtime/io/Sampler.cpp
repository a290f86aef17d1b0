//===- Sampler.cpp - Which samples make up which batch --------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An epoch's order is a Fisher-Yates shuffle whose swap i draws word i of the
// Philox stream of that epoch.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/Sampler.h"

#include "runtime/io/Philox.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace accrue::io {

Sampler::Sampler(int64_t samples, const SamplerOptions &options)
    : samples(samples), options(options) {
  assert(samples > 0 && options.batch > 0 && batchesPerEpoch() > 0);
}

int64_t Sampler::batchesPerEpoch() const {
  return samples / options.batch + (tailSize() > 0);
}

int64_t Sampler::tailSize() const {
  return options.keepTail ? samples % options.batch : 0;
}

void Sampler::order(int64_t epoch) {
  if (epoch == orderedEpoch)
    return;
  permutation.resize(samples);
  std::iota(permutation.begin(), permutation.end(), 0);
  orderedEpoch = epoch;
  if (!options.shuffle)
    return;
  uint64_t stream = hashName("data order") + static_cast<uint64_t>(epoch);
  for (int64_t last = samples - 1; last > 0; --last) {
    // A 64-bit word scaled to [0, last]; the bias is below samples / 2^64.
    uint64_t word = philoxWords(options.seed, stream, last).first;
    auto other = static_cast<int64_t>(
        static_cast<unsigned __int128>(word) * (last + 1) >> 64);
    std::swap(permutation[last], permutation[other]);
  }
}

Batch Sampler::batchAt(int64_t index) {
  Batch batch;
  batch.index = index;
  batch.epoch = index / batchesPerEpoch();
  order(batch.epoch);
  int64_t begin = index % batchesPerEpoch() * options.batch;
  int64_t end = std::min(begin + options.batch, samples);
  batch.samples.assign(permutation.begin() + begin, permutation.begin() + end);
  return batch;
}

} // namespace accrue::io
