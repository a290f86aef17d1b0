//===- SampleFile.cpp - The samples of one input in a file ----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A window of a token file has as many tokens as a sample has elements. Windows
// follow each other without overlap, so that an epoch reads every token once.
// In training every epoch starts to cut at another token, so that each token
// comes to stand at every place of a window; that takes up to a window from the
// file, which leaves one window less.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/SampleFile.h"

#include "runtime/io/Npy.h"
#include "runtime/io/Philox.h"
#include "runtime/io/TokenFile.h"

#include <algorithm>
#include <cassert>

namespace accrue::io {
namespace {

/// Rows of an array.
class NpySamples final : public SampleFile {
public:
  NpySamples(NpyFile file, const InputSpec &input)
      : file(std::move(file)), batchDim(input.batchDim),
        sliceBytes(input.getInner() * byteSize(this->file.dtype())) {}

  DType dtype() const override { return file.dtype(); }
  int64_t samples() const override { return file.shape()[batchDim]; }
  const uint8_t *find(int64_t, int64_t sample, int64_t slice) const override {
    return file.data() + (slice * samples() + sample) * sliceBytes;
  }
  std::string describe(int64_t, int64_t sample) const override {
    return fmt::format("sample {} of {}", sample, file.path());
  }
  Status valueFailure(const uint8_t *element, DType wanted) const override {
    return file.valueFailure((element - file.data()) / byteSize(file.dtype()),
                             wanted);
  }

private:
  NpyFile file;
  int64_t batchDim;
  int64_t sliceBytes;
};

/// Windows of tokens.
class TokenSamples final : public SampleFile {
public:
  TokenSamples(TokenFile file, const InputSpec &input,
               const WindowOptions &options)
      : file(std::move(file)), inner(input.getInner()),
        window(inner * input.getOuter()), options(options) {
    int64_t tokens = this->file.size();
    // The last window ends in the file wherever the first one begins.
    count = options.shift
                ? std::max<int64_t>((tokens + 1) / window - 1, tokens >= window)
                : tokens / window;
  }

  DType dtype() const override { return file.dtype(); }
  int64_t samples() const override { return count; }
  const uint8_t *find(int64_t epoch, int64_t sample,
                      int64_t slice) const override {
    return file.data() +
           (getFirst(epoch, sample) + slice * inner) * byteSize(file.dtype());
  }
  std::string describe(int64_t epoch, int64_t sample) const override {
    return fmt::format("the window at token {} of {}", getFirst(epoch, sample),
                       file.path());
  }
  Status valueFailure(const uint8_t *element, DType wanted) const override {
    return fail("{}: token {} is {}, which does not fit {}", file.path(),
                (element - file.data()) / byteSize(file.dtype()),
                formatElement(file.dtype(), element), dtypeName(wanted));
  }

private:
  /// The first token of a window.
  int64_t getFirst(int64_t epoch, int64_t sample) const {
    return sample * window + (options.shift ? getShift(epoch) : 0);
  }
  /// Where an epoch begins.
  int64_t getShift(int64_t epoch) const {
    int64_t choices = std::min(window, file.size() - count * window + 1);
    uint64_t stream = hashName("token offset") + static_cast<uint64_t>(epoch);
    return static_cast<int64_t>(
        static_cast<unsigned __int128>(
            philoxWords(options.seed, stream, 0).first) *
            choices >>
        64);
  }

  TokenFile file;
  int64_t inner;
  /// Tokens of a sample.
  int64_t window;
  WindowOptions options;
  int64_t count;
};

Status checkType(const InputSpec &input, std::string_view path, DType got) {
  if (findConversion(got, input.dtype))
    return Status::success();
  return fail("{}: input '{}': expected {} or a type that converts to it, got "
              "{}",
              path, input.name, dtypeName(input.dtype), dtypeName(got));
}

Result<std::unique_ptr<SampleFile>> openArray(const InputSpec &input) {
  Result<NpyFile> file = NpyFile::open(input.path);
  if (!file)
    return file.status();
  if (Status status = checkType(input, input.path, file->dtype()); !status)
    return status;
  std::vector<int64_t> expected = input.shape;
  expected[input.batchDim] = -1;
  bool matches = expected.size() == file->shape().size();
  for (size_t dim = 0; matches && dim < expected.size(); ++dim)
    matches = expected[dim] < 0 || expected[dim] == file->shape()[dim];
  if (!matches)
    return fail("{}: input '{}': expected shape {}, got {}", input.path,
                input.name, formatShape(expected), formatShape(file->shape()));
  return std::unique_ptr<SampleFile>(
      std::make_unique<NpySamples>(std::move(*file), input));
}

Result<std::unique_ptr<SampleFile>> openTokens(const InputSpec &input,
                                               const WindowOptions &options) {
  Result<TokenFile> file = TokenFile::open(input.path);
  if (!file)
    return file.status();
  if (input.dtype != DType::I32 && input.dtype != DType::I64)
    return fail("{}: input '{}': tokens are read as i32 or i64, got {}",
                file->path(), input.name, dtypeName(input.dtype));
  int64_t window = input.getOuter() * input.getInner();
  if (window == 0 || file->size() < window)
    return fail("{}: input '{}': expected at least the {} token{} of one "
                "sample, got {}",
                file->path(), input.name, window, window == 1 ? "" : "s",
                file->size());
  return std::unique_ptr<SampleFile>(
      std::make_unique<TokenSamples>(std::move(*file), input, options));
}

} // namespace

int64_t InputSpec::getOuter() const {
  return elementCount({shape.begin(), shape.begin() + batchDim});
}

int64_t InputSpec::getInner() const {
  return elementCount({shape.begin() + batchDim + 1, shape.end()});
}

Result<std::unique_ptr<SampleFile>>
SampleFile::open(const InputSpec &input, const WindowOptions &options) {
  assert(input.batchDim >= 0 &&
         input.batchDim < static_cast<int64_t>(input.shape.size()));
  return isTokenFile(input.path) ? openTokens(input, options)
                                 : openArray(input);
}

} // namespace accrue::io
