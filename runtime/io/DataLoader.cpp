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

#include <cassert>

namespace accrue::io {
namespace {

/// The product of extents [begin, end).
int64_t product(const std::vector<int64_t> &shape, size_t begin, size_t end) {
  return elementCount({shape.begin() + begin, shape.begin() + end});
}

Status checkInput(const InputSpec &input, const NpyFile &file) {
  assert(input.batchDim >= 0 &&
         input.batchDim < static_cast<int64_t>(input.shape.size()));
  if (!findConversion(file.dtype(), input.dtype))
    return fail("{}: input '{}': expected {} or a type that converts to it, "
                "got {}",
                input.path, input.name, dtypeName(input.dtype),
                dtypeName(file.dtype()));
  std::vector<int64_t> expected = input.shape;
  expected[input.batchDim] = -1;
  bool matches = expected.size() == file.shape().size();
  for (size_t dim = 0; matches && dim < expected.size(); ++dim)
    matches = expected[dim] < 0 || expected[dim] == file.shape()[dim];
  if (!matches)
    return fail("{}: input '{}': expected shape {}, got {}", input.path,
                input.name, formatShape(expected), formatShape(file.shape()));
  return Status::success();
}

} // namespace

Result<DataLoader> DataLoader::open(std::vector<InputSpec> inputs,
                                    const SamplerOptions &options) {
  assert(!inputs.empty() && options.batch > 0);
  std::vector<NpyFile> files;
  int64_t count = -1;
  for (const InputSpec &input : inputs) {
    Result<NpyFile> file = NpyFile::open(input.path);
    if (!file)
      return file.status();
    if (Status status = checkInput(input, *file); !status)
      return status;
    int64_t samples = file->shape()[input.batchDim];
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
  const std::vector<int64_t> &shape = files[input].shape();
  size_t dim = specs[input].batchDim;
  return product(shape, 0, dim) * product(shape, dim + 1, shape.size()) *
         byteSize(specs[input].dtype);
}

Status DataLoader::gather(size_t input, const Batch &batch, int64_t begin,
                          int64_t end, void *to) const {
  assert(begin >= 0 && begin <= end && end <= batch.size());
  const NpyFile &file = files[input];
  size_t dim = specs[input].batchDim;
  DType wanted = specs[input].dtype;
  ConvertFn convert = findConversion(file.dtype(), wanted);
  int64_t outer = product(file.shape(), 0, dim);
  int64_t inner = product(file.shape(), dim + 1, file.shape().size());
  int64_t fileStride = inner * byteSize(file.dtype());
  int64_t runBytes = inner * byteSize(wanted);
  char *next = static_cast<char *>(to);
  for (int64_t slice = 0; slice < outer; ++slice) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t run = slice * count + batch.samples[i];
      int64_t bad = convert(file.data() + run * fileStride, next, inner);
      if (bad >= 0)
        return file.valueFailure(run * inner + bad, wanted);
      next += runBytes;
    }
  }
  return Status::success();
}

} // namespace accrue::io
