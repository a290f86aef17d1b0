//===- SampleFile.h - The samples of one input in a file --------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a data loader needs to know of a file, whatever its format: rows of a
// `.npy` array, or windows of a token file.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_IO_SAMPLEFILE_H
#define ACCRUE_RUNTIME_IO_SAMPLEFILE_H

#include "runtime/io/DType.h"
#include "runtime/io/IndexBound.h"
#include "runtime/io/Result.h"

#include <memory>

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
  /// Ordered and without overlap; only of i32 and i64.
  std::vector<IndexBound> bounds;

  /// Elements of one sample before and behind the batch dimension: a sample is
  /// `getOuter()` slices of `getInner()` elements.
  int64_t getOuter() const;
  int64_t getInner() const;
};

/// Which windows of a token file are samples.
struct WindowOptions {
  uint64_t seed = 0;
  /// Whether each epoch cuts the tokens at other places, see TokenSamples.
  bool shift = false;
};

/// Samples [0, samples()) of an input.
class SampleFile {
public:
  virtual ~SampleFile() = default;

  /// Maps the file of `input` and checks it against what is declared: the type
  /// converts (see findConversion) and the shape agrees outside the batch
  /// dimension.
  static Result<std::unique_ptr<SampleFile>> open(const InputSpec &input,
                                                  const WindowOptions &windows);

  virtual DType dtype() const = 0;
  virtual int64_t samples() const = 0;

  /// The first element of slice `slice` of a sample. They are not aligned.
  virtual const uint8_t *find(int64_t epoch, int64_t sample,
                              int64_t slice) const = 0;

  /// Where the sample is, for messages: "sample 3 of x.npy".
  virtual std::string describe(int64_t epoch, int64_t sample) const = 0;

  /// The failure for `element`, a place that `find` leads to, whose value does
  /// not fit `wanted`.
  virtual Status valueFailure(const uint8_t *element, DType wanted) const = 0;
};

} // namespace accrue::io

#endif // ACCRUE_RUNTIME_IO_SAMPLEFILE_H
