//===- DataLoader.h - Batches from files ------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Joins the named inputs of a model with the files that hold them, and
// gathers the samples of a batch, or of one micro-batch of it, into the buffers
// of the compiled step.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_IO_DATALOADER_H
#define ACCRUE_RUNTIME_IO_DATALOADER_H

#include "runtime/io/SampleFile.h"
#include "runtime/io/Sampler.h"

namespace accrue::io {

class DataLoader {
public:
  /// Maps every file and checks it against its input (see SampleFile::open):
  /// all files have the same number of samples, enough for one batch. Where a
  /// token file is alone and samples are shuffled, each epoch cuts it at other
  /// places; several files correspond sample by sample, and are never shifted.
  static Result<DataLoader> open(std::vector<InputSpec> inputs,
                                 const SamplerOptions &options);

  /// Samples in the files.
  int64_t samples() const { return count; }
  int64_t batchesPerEpoch() const { return sampler.batchesPerEpoch(); }
  int64_t tailSize() const { return sampler.tailSize(); }
  const std::vector<InputSpec> &inputs() const { return specs; }

  /// See Sampler::batchAt.
  Batch batchAt(int64_t index) { return sampler.batchAt(index); }

  /// Bytes of one sample of input `input` in its declared type.
  int64_t sampleBytes(size_t input) const;

  /// Writes samples [begin, end) of the batch into `to`, in the input's
  /// declared type and shape with end - begin in place of the batch. Fails on
  /// a value that the type cannot hold or that is out of its bounds, naming it.
  Status gather(size_t input, const Batch &batch, int64_t begin, int64_t end,
                void *to) const;

private:
  DataLoader(std::vector<InputSpec> specs,
             std::vector<std::unique_ptr<SampleFile>> files, int64_t count,
             const SamplerOptions &options)
      : specs(std::move(specs)), files(std::move(files)), count(count),
        sampler(count, options) {}

  Status checkBounds(size_t input, const Batch &batch, int64_t sample,
                     int64_t slice, const void *values) const;

  std::vector<InputSpec> specs;
  std::vector<std::unique_ptr<SampleFile>> files;
  int64_t count;
  Sampler sampler;
};

} // namespace accrue::io

#endif // ACCRUE_RUNTIME_IO_DATALOADER_H
