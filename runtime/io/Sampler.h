//===- Sampler.h - Which samples make up which batch ------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Maps a logical batch index to the samples of that batch. The answer is a pure
// function of (seed, index), which is why a resumed run sees the data of the
// run that was not interrupted.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_IO_SAMPLER_H
#define ACCRUE_RUNTIME_IO_SAMPLER_H

#include <cstdint>
#include <vector>

namespace accrue::io {

struct SamplerOptions {
  /// Samples per logical batch, B.
  int64_t batch = 1;
  /// Whether the last samples % B of an epoch make a smaller batch of their
  /// own, or are left out of that epoch.
  bool keepTail = true;
  /// Whether each epoch visits the samples in a new random order.
  bool shuffle = true;
  uint64_t seed = 0;
};

/// The samples of one logical batch.
struct Batch {
  int64_t index = 0;
  int64_t epoch = 0;
  /// Sample numbers, in the order in which they enter the batch.
  std::vector<int64_t> samples;

  int64_t size() const { return static_cast<int64_t>(samples.size()); }
};

class Sampler {
public:
  /// Needs at least one sample, and at least one batch per epoch.
  Sampler(int64_t samples, const SamplerOptions &options);

  int64_t batchesPerEpoch() const;
  /// The size of an epoch's last batch if it is smaller than B, else 0.
  int64_t tailSize() const;

  /// The batch with this index, counted from 0 over all epochs. Remembers the
  /// order of the last epoch asked for, so going forward is cheap.
  Batch batchAt(int64_t index);

private:
  void order(int64_t epoch);

  int64_t samples;
  SamplerOptions options;
  int64_t orderedEpoch = -1;
  std::vector<int64_t> permutation;
};

} // namespace accrue::io

#endif // ACCRUE_RUNTIME_IO_SAMPLER_H
