//===- Weights.cpp - Weights from files -----------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/training/Weights.h"

#include "runtime/io/Safetensors.h"

#include <algorithm>
#include <cstring>
#include <fnmatch.h>
#include <map>

using namespace accrue;

/// Tensors of a kind that a message lists.
static constexpr size_t kListed = 8;

/// State that runs have, not models.
static bool isRunState(const std::string &name) {
  return name == "step" || name == "random_key";
}

static bool matches(const std::string &pattern, const std::string &name) {
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

static bool startsWith(const std::string &text, const std::string &prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

static bool isFloat(io::DType dtype) { return dtype >= io::DType::F16; }

/// The number of characters to insert, remove or replace.
static size_t getDistance(const std::string &a, const std::string &b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

namespace {
/// A tensor of the file.
struct Source {
  const io::TensorView *view = nullptr;
  bool isTransposed = false;
  bool isUsed = false;
};

class WeightLoader {
public:
  WeightLoader(const io::SafetensorsFile &file, const WeightOptions &options)
      : file(file), options(options) {}

  io::Status load(Executable &executable);

private:
  io::Status readNames();
  io::Status applyPatterns();
  io::Status expectMatch(const char *option, const std::string &pattern,
                         size_t count) const;
  void match(const StateTensor &tensor, const std::string &name);
  io::Status checkAll() const;
  std::string describeWaysOut() const;
  std::string describeNearest(const std::string &name) const;
  io::Status copy(const Source &source, const StateTensor &tensor) const;
  io::Status applyAverages(const Executable &executable) const;

  const io::SafetensorsFile &file;
  const WeightOptions &options;
  /// By the name without prefix.
  std::map<std::string, Source> sources;
  std::vector<std::pair<Source *, const StateTensor *>> matched;
  std::vector<const StateTensor *> missing;
  std::vector<std::string> misfits;
  bool isTransposeMissing = false;
};
} // namespace

static std::string describe(io::DType dtype,
                            const std::vector<int64_t> &shape) {
  return fmt::format("{} {}", io::dtypeName(dtype), io::formatShape(shape));
}

io::Status WeightLoader::readNames() {
  bool hasPrefix = options.prefix.empty();
  for (const io::TensorView &view : file.tensors()) {
    // What a checkpoint holds besides weights and declared state.
    bool isState = startsWith(view.name, "state/");
    if (startsWith(view.name, "optimizer/") ||
        (isState && isRunState(view.name.substr(6))))
      continue;
    std::string name = view.name;
    if (!options.prefix.empty() && startsWith(name, options.prefix)) {
      hasPrefix = true;
      name.erase(0, options.prefix.size());
    }
    auto [it, isNew] = sources.try_emplace(name);
    if (!isNew)
      return io::fail("{}: without the prefix '{}', '{}' and '{}' have the "
                      "same name",
                      file.path(), options.prefix, it->second.view->name,
                      view.name);
    it->second.view = &view;
  }
  if (!hasPrefix)
    return io::fail("{}: no tensor has the prefix '{}' of --init-prefix",
                    file.path(), options.prefix);
  return io::Status::success();
}

io::Status WeightLoader::expectMatch(const char *option,
                                     const std::string &pattern,
                                     size_t count) const {
  if (count > 0)
    return io::Status::success();
  for (const auto &[name, source] : sources)
    if (matches("*." + pattern, name))
      return io::fail("{}: '{}' of {} matches no tensor, did you mean "
                      "'*.{}'? (patterns match whole names)",
                      file.path(), pattern, option, pattern);
  return io::fail("{}: '{}' of {} matches no tensor", file.path(), pattern,
                  option);
}

io::Status WeightLoader::applyPatterns() {
  for (const std::string &pattern : options.transpose) {
    size_t count = 0;
    for (auto &[name, source] : sources) {
      if (!matches(pattern, name))
        continue;
      if (source.view->shape.size() != 2)
        return io::fail("{}: '{}' of --init-transpose matches '{}': expected "
                        "a matrix, got {}",
                        file.path(), pattern, name,
                        io::formatShape(source.view->shape));
      source.isTransposed = true;
      ++count;
    }
    if (io::Status status = expectMatch("--init-transpose", pattern, count);
        !status)
      return status;
  }
  // Two patterns may match the same tensor.
  std::vector<std::string> ignored;
  for (const std::string &pattern : options.ignore) {
    size_t count = 0;
    for (const auto &[name, source] : sources)
      if (matches(pattern, name)) {
        ignored.push_back(name);
        ++count;
      }
    if (io::Status status = expectMatch("--init-ignore", pattern, count);
        !status)
      return status;
  }
  for (const std::string &name : ignored)
    sources.erase(name);
  return io::Status::success();
}

/// Finds the tensor called `name` for `tensor`, and notes what is wrong.
void WeightLoader::match(const StateTensor &tensor, const std::string &name) {
  Source &source = sources.at(name);
  source.isUsed = true;
  const io::TensorView &view = *source.view;
  std::vector<int64_t> shape = view.shape;
  if (source.isTransposed)
    std::swap(shape[0], shape[1]);
  if (shape != tensor.shape) {
    std::vector<int64_t> swapped(shape.rbegin(), shape.rend());
    isTransposeMissing |= shape.size() == 2 && swapped == tensor.shape;
    misfits.push_back(fmt::format(
        "'{}': expected {}, got {}{}", name, io::formatShape(tensor.shape),
        io::formatShape(shape), source.isTransposed ? " transposed" : ""));
  } else if (isFloat(view.dtype) != isFloat(tensor.dtype) ||
             !io::findConversion(view.dtype, tensor.dtype)) {
    misfits.push_back(fmt::format(
        "'{}': expected {} or a type that converts to it, got {}", name,
        io::dtypeName(tensor.dtype), io::dtypeName(view.dtype)));
  } else {
    matched.emplace_back(&source, &tensor);
  }
}

/// What the file may mean by the missing tensor `name`.
std::string WeightLoader::describeNearest(const std::string &name) const {
  const std::string *nearest = nullptr;
  size_t distance = name.size() / 3 + 1;
  for (const auto &[candidate, source] : sources) {
    if (source.isUsed)
      continue;
    size_t other = getDistance(name, candidate);
    if (other < distance) {
      distance = other;
      nearest = &candidate;
    }
  }
  return nearest ? fmt::format("; the file has '{}'", *nearest) : "";
}

std::string WeightLoader::describeWaysOut() const {
  std::vector<std::string> ways;
  std::string prefix;
  bool isUnexpected = false;
  for (const auto &[name, source] : sources) {
    if (source.isUsed)
      continue;
    isUnexpected = true;
    for (const StateTensor *tensor : missing)
      if (size_t length = tensor->name.size();
          prefix.empty() && name.size() > length &&
          name.compare(name.size() - length, length, tensor->name) == 0 &&
          name[name.size() - length - 1] == '.')
        prefix = name.substr(0, name.size() - length);
  }
  if (!prefix.empty())
    ways.push_back(fmt::format("--init-prefix {} takes a prefix off the names "
                               "of the file",
                               prefix));
  if (isUnexpected)
    ways.push_back("--init-ignore 'PATTERN,...' leaves tensors aside");
  if (isTransposeMissing)
    ways.push_back(
        "--init-transpose 'PATTERN,...' reads matrices as [in, out]");
  return ways.empty() ? "" : fmt::format("\n  {}", fmt::join(ways, "\n  "));
}

io::Status WeightLoader::checkAll() const {
  std::vector<std::string> lines;
  auto list = [&](const char *what, const std::vector<std::string> &entries) {
    for (size_t i = 0; i < std::min(entries.size(), kListed); ++i)
      lines.push_back(fmt::format("{} {}", what, entries[i]));
    if (entries.size() > kListed)
      lines.push_back(
          fmt::format("{} {} more", what, entries.size() - kListed));
  };
  std::vector<std::string> absent, unexpected;
  for (const StateTensor *tensor : missing)
    absent.push_back(fmt::format(
        "'{}' ({}){}", tensor->name, describe(tensor->dtype, tensor->shape),
        absent.size() < kListed ? describeNearest(tensor->name) : ""));
  for (const auto &[name, source] : sources)
    if (!source.isUsed)
      unexpected.push_back(fmt::format(
          "'{}' ({})", name, describe(source.view->dtype, source.view->shape)));
  list("missing", absent);
  list("unexpected", unexpected);
  list("not as the model has it:", misfits);
  if (lines.empty())
    return io::Status::success();
  return io::fail("{}: the tensors are not those of the model:\n  {}{}",
                  file.path(), fmt::join(lines, "\n  "), describeWaysOut());
}

io::Status WeightLoader::copy(const Source &source,
                              const StateTensor &tensor) const {
  const io::TensorView &view = *source.view;
  io::ConvertFn convert = io::findConversion(view.dtype, tensor.dtype);
  std::vector<uint8_t> staging(source.isTransposed ? tensor.bytes() : 0);
  void *to = source.isTransposed ? staging.data() : tensor.data;
  int64_t bad = convert(view.data, to, io::elementCount(view.shape));
  if (bad >= 0)
    return io::fail(
        "{}: tensor '{}': value {} does not fit {}", file.path(), view.name,
        io::formatElement(view.dtype, static_cast<const char *>(view.data) +
                                          bad * io::byteSize(view.dtype)),
        io::dtypeName(tensor.dtype));
  if (!source.isTransposed)
    return io::Status::success();
  int64_t rows = tensor.shape[0], columns = tensor.shape[1];
  int64_t bytes = io::byteSize(tensor.dtype);
  auto *next = static_cast<uint8_t *>(tensor.data);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column, next += bytes)
      std::memcpy(next, staging.data() + (column * rows + row) * bytes, bytes);
  return io::Status::success();
}

/// Parameters without an average (frozen ones) are their own.
io::Status WeightLoader::applyAverages(const Executable &executable) const {
  bool isFound = false;
  for (const StateTensor &tensor : executable.getParameters()) {
    std::string name =
        fmt::format("optimizer/{}/{}", tensor.name, kAverageSlot);
    const io::TensorView *view = file.find(name);
    if (!view)
      continue;
    isFound = true;
    io::ConvertFn widen = io::findConversion(tensor.dtype, io::DType::F64);
    io::ConvertFn widenView = io::findConversion(view->dtype, io::DType::F64);
    if (view->shape != tensor.shape || !isFloat(view->dtype))
      return io::fail("{}: '{}': expected {}, as the parameter is, got {}",
                      file.path(), name, describe(tensor.dtype, tensor.shape),
                      describe(view->dtype, view->shape));
    int64_t count = io::elementCount(tensor.shape);
    std::vector<double> values(count), differences(count);
    widen(tensor.data, values.data(), count);
    widenView(view->data, differences.data(), count);
    for (int64_t i = 0; i < count; ++i)
      values[i] += differences[i];
    io::findConversion(io::DType::F64, tensor.dtype)(values.data(), tensor.data,
                                                     count);
  }
  if (!isFound)
    return io::fail("{}: no averages of the parameters in this file: a "
                    "checkpoint has them where the train block has 'ema'",
                    file.path());
  return io::Status::success();
}

io::Status WeightLoader::load(Executable &executable) {
  if (io::Status status = readNames(); !status)
    return status;
  if (io::Status status = applyPatterns(); !status)
    return status;
  for (const StateTensor &tensor : executable.getParameters()) {
    if (sources.count(tensor.name))
      match(tensor, tensor.name);
    else
      missing.push_back(&tensor);
  }
  for (const StateTensor &tensor : executable.getState()) {
    if (isRunState(tensor.name))
      continue;
    // Checkpoints of Accrue keep state apart from parameters.
    std::string saved = "state/" + tensor.name;
    if (sources.count(saved))
      match(tensor, saved);
    else if (sources.count(tensor.name))
      match(tensor, tensor.name);
    else if (options.needsState)
      missing.push_back(&tensor);
  }
  if (io::Status status = checkAll(); !status)
    return status;
  for (auto [source, tensor] : matched)
    if (io::Status status = copy(*source, *tensor); !status)
      return status;
  if (options.useAverages)
    if (io::Status status = applyAverages(executable); !status)
      return status;
  return executable.storeTensors();
}

io::Status accrue::loadWeights(const std::string &path,
                               const WeightOptions &options,
                               Executable &executable) {
  io::Result<io::SafetensorsFile> file = io::SafetensorsFile::open(path);
  if (!file)
    return file.status();
  return WeightLoader(*file, options).load(executable);
}
