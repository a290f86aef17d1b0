//===- DataLoader.cpp - Batches from .npy files ---------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An array is seen as [outer, samples, inner] around the batch dimension.
// Gathering copies runs of `inner` elements, which is a whole sample when the
// batch comes first.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/DataLoader.h"

#include <algorithm>
#include <cassert>

namespace accrue::io {
Result<DataLoader> DataLoader::open(std::vector<InputSpec> inputs,
                                    const SamplerOptions &options) {
  assert(!inputs.empty() && options.batch > 0);
  WindowOptions windows;
  windows.seed = options.seed;
  windows.shift = options.shuffle && inputs.size() == 1;
  std::vector<std::unique_ptr<SampleFile>> files;
  int64_t count = -1;
  for (const InputSpec &input : inputs) {
    Result<std::unique_ptr<SampleFile>> file = SampleFile::open(input, windows);
    if (!file)
      return file.status();
    int64_t samples = (*file)->samples();
    if (count >= 0 && samples != count)
      return fail("{}: input '{}': expected {} samples as in {}, got {}",
                  input.path, input.name, count, inputs.front().path, samples);
    count = samples;
    files.push_back(std::move(*file));
  }
  int64_t needed = options.keepTail ? 1 : options.batch;
  if (count < needed)
    return fail("{}: expected at least {} sample{}, got {}",
                inputs.front().path, needed, needed == 1 ? "" : "s", count);
  return DataLoader(std::move(inputs), std::move(files), count, options);
}

int64_t DataLoader::sampleBytes(size_t input) const {
  const InputSpec &spec = specs[input];
  return spec.getOuter() * spec.getInner() * byteSize(spec.dtype);
}

/// An element of type I32 or I64.
static int64_t readIndex(DType dtype, const void *values, int64_t element) {
  if (dtype == DType::I32)
    return static_cast<const int32_t *>(values)[element];
  assert(dtype == DType::I64 && "bounds are of indices");
  return static_cast<const int64_t *>(values)[element];
}

/// Checks the elements of slice `slice` of sample number `sample` of the batch.
Status DataLoader::checkBounds(size_t input, const Batch &batch, int64_t sample,
                               int64_t slice, const void *values) const {
  const InputSpec &spec = specs[input];
  int64_t inner = spec.getInner();
  int64_t first = slice * inner;
  for (const IndexBound &bound : spec.bounds) {
    int64_t end = std::min(bound.end, first + inner);
    for (int64_t i = std::max(bound.begin, first); i < end; ++i) {
      int64_t value = readIndex(spec.dtype, values, i - first);
      if (value >= 0 && value < bound.bound)
        continue;
      std::vector<int64_t> position(spec.shape.size());
      int64_t rest = i;
      for (size_t dim = position.size(); dim-- > 0;) {
        if (static_cast<int64_t>(dim) == spec.batchDim) {
          position[dim] = sample;
          continue;
        }
        position[dim] = rest % spec.shape[dim];
        rest /= spec.shape[dim];
      }
      return fail(
          "{}{} = {} of batch {} ({}): expected a value in [0, {}), as {} "
          "reads it",
          spec.name, formatShape(position), value, batch.index + 1,
          files[input]->describe(batch.epoch, batch.samples[sample]),
          bound.bound, bound.reader);
    }
  }
  return Status::success();
}

Status DataLoader::gather(size_t input, const Batch &batch, int64_t begin,
                          int64_t end, void *to) const {
  assert(begin >= 0 && begin <= end && end <= batch.size());
  const InputSpec &spec = specs[input];
  const SampleFile &file = *files[input];
  ConvertFn convert = findConversion(file.dtype(), spec.dtype);
  int64_t outer = spec.getOuter(), inner = spec.getInner();
  char *next = static_cast<char *>(to);
  for (int64_t slice = 0; slice < outer; ++slice) {
    for (int64_t i = begin; i < end; ++i) {
      const uint8_t *from = file.find(batch.epoch, batch.samples[i], slice);
      int64_t bad = convert(from, next, inner);
      if (bad >= 0)
        return file.valueFailure(from + bad * byteSize(file.dtype()),
                                 spec.dtype);
      if (Status status = checkBounds(input, batch, i, slice, next); !status)
        return status;
      next += inner * byteSize(spec.dtype);
    }
  }
  return Status::success();
}

} // namespace accrue::io
