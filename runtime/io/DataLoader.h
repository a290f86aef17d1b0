//===- DataLoader.h - Batches from .npy files -------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Joins the named inputs of a model with the .npy files that hold them, and
// gathers the samples of a batch, or of one micro-batch of it, into the buffers
// of the compiled step.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_IO_DATALOADER_H
#define ACCRUE_RUNTIME_IO_DATALOADER_H

#include "runtime/io/Npy.h"
#include "runtime/io/Sampler.h"

namespace accrue::io {

/// One batch input as the model declares it, and the file given for it.
struct InputSpec {
  std::string name;
  std::string path;
  DType dtype = DType::F32;
  /// The declared shape; the extent of the batch dimension is ignored.
  std::vector<int64_t> shape;
  /// The dimension that enumerates samples.
  int64_t batchDim = 0;
};

class DataLoader {
public:
  /// Maps every file and checks it against its input: the type converts (see
  /// findConversion), the shape agrees outside the batch dimension, and all
  /// files have the same number of samples, enough for one batch.
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
  /// a value that the type cannot hold, naming it.
  Status gather(size_t input, const Batch &batch, int64_t begin, int64_t end,
                void *to) const;

private:
  DataLoader(std::vector<InputSpec> specs, std::vector<NpyFile> files,
             int64_t count, const SamplerOptions &options)
      : specs(std::move(specs)), files(std::move(files)), count(count),
        sampler(count, options) {}

  std::vector<InputSpec> specs;
  std::vector<NpyFile> files;
  int64_t count;
  Sampler sampler;
};

} // namespace accrue::io

#endif // ACCRUE_RUNTIME_IO_DATALOADER_H
