//===- Checkpoint.cpp - Weights and state in files ------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/training/Checkpoint.h"

#include "runtime/io/Safetensors.h"

#include <algorithm>
#include <charconv>
#include <cstring>

using namespace accrue;

/// The name of a tensor in the file.
static std::string getFileName(const StateTensor &tensor, bool isParameter) {
  if (isParameter)
    return tensor.name;
  if (tensor.slot.empty())
    return "state/" + tensor.name;
  return "optimizer/" + tensor.name + "/" + tensor.slot;
}

namespace {
/// A stored tensor with its name in the file.
struct Entry {
  std::string name;
  const StateTensor *tensor;
};
} // namespace

static std::vector<Entry> getEntries(const Executable &executable) {
  std::vector<Entry> entries;
  for (const StateTensor &tensor : executable.getParameters())
    entries.push_back({getFileName(tensor, /*isParameter=*/true), &tensor});
  for (const StateTensor &tensor : executable.getSlots())
    entries.push_back({getFileName(tensor, /*isParameter=*/false), &tensor});
  for (const StateTensor &tensor : executable.getState())
    entries.push_back({getFileName(tensor, /*isParameter=*/false), &tensor});
  return entries;
}

/// Finds the data of every entry in `file`.
static io::Status findData(const io::SafetensorsFile &file,
                           const std::vector<Entry> &entries,
                           std::vector<const void *> &data) {
  for (const Entry &entry : entries) {
    const StateTensor &tensor = *entry.tensor;
    if (!file.find(entry.name))
      return io::fail("{}: expected a tensor '{}' of {} {}, as the model has; "
                      "the file has none of this name",
                      file.path(), entry.name, io::dtypeName(tensor.dtype),
                      io::formatShape(tensor.shape));
    io::Result<const void *> found =
        file.get(entry.name, tensor.dtype, tensor.shape);
    if (!found)
      return found.status();
    data.push_back(*found);
  }
  return io::Status::success();
}

static void copyData(const std::vector<Entry> &entries,
                     const std::vector<const void *> &data) {
  for (size_t i = 0; i < entries.size(); ++i)
    std::memcpy(entries[i].tensor->data, data[i], entries[i].tensor->bytes());
}

io::Status accrue::saveCheckpoint(const std::string &path,
                                  Executable &executable,
                                  const RunState &state) {
  if (io::Status status = executable.fetchTensors(); !status)
    return status;
  std::vector<io::TensorView> views;
  int64_t step = 0;
  for (const Entry &entry : getEntries(executable)) {
    const StateTensor &tensor = *entry.tensor;
    views.push_back({entry.name, tensor.dtype, tensor.shape, tensor.data});
    if (entry.name == "state/step")
      std::memcpy(&step, tensor.data, sizeof(step));
  }
  // Digits enough to be the same numbers again.
  const std::vector<double> &norms = state.norms.getNorms();
  return io::writeSafetensors(
      path, views,
      {{"format", "accrue"},
       {"accrue.version", ACCRUE_VERSION},
       {"accrue.model", state.model},
       {"accrue.step", std::to_string(step)},
       {"accrue.batch_index", std::to_string(state.batchIndex)},
       {"accrue.batch", std::to_string(state.batch)},
       {"accrue.seed", std::to_string(state.seed)},
       {"accrue.samples", std::to_string(state.samples)},
       {"accrue.tail", state.keepTail ? "keep" : "drop"},
       {"accrue.config", state.config},
       {"accrue.grad_norms", fmt::format("{}", fmt::join(norms, " "))},
       {"accrue.skipped_in_a_row", std::to_string(state.skippedInARow)}});
}

/// Reads `text`, found under `key` of the metadata, as a number.
template <typename T>
static io::Status parseNumber(const io::SafetensorsFile &file,
                              const std::string &key, std::string_view text,
                              T &value) {
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end)
    return io::fail("{}: expected a number under '{}', got '{}'", file.path(),
                    key, text);
  return io::Status::success();
}

/// Reads the number under `key` of the metadata.
template <typename T>
static io::Status readNumber(const io::SafetensorsFile &file,
                             const std::string &key, T &value) {
  io::Result<std::string> text = file.getMetadata(key);
  if (!text)
    return text.status();
  return parseNumber(file, key, *text, value);
}

/// Reads the numbers under `key`, with spaces between them.
static io::Status readNumbers(const io::SafetensorsFile &file,
                              const std::string &key,
                              std::vector<double> &values) {
  io::Result<std::string> text = file.getMetadata(key);
  if (!text)
    return text.status();
  for (std::string_view rest = *text; !rest.empty();) {
    size_t end = std::min(rest.find(' '), rest.size());
    if (io::Status status =
            parseNumber(file, key, rest.substr(0, end), values.emplace_back());
        !status)
      return status;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return io::Status::success();
}

static io::Status readState(const io::SafetensorsFile &file, RunState &state) {
  io::Result<std::string> format = file.getMetadata("format");
  if (!format || *format != "accrue")
    return io::fail("{}: no checkpoint of accrue: it has weights only, or "
                    "comes from elsewhere; --init starts from its weights",
                    file.path());
  io::Result<std::string> model = file.getMetadata("accrue.model");
  if (!model)
    return model.status();
  state.model = *model;
  for (auto [key, number] : {std::pair<const char *, int64_t *>{
                                 "accrue.batch_index", &state.batchIndex},
                             {"accrue.batch", &state.batch}})
    if (io::Status status = readNumber(file, key, *number); !status)
      return status;
  state.hasData = bool(file.getMetadata("accrue.samples"));
  if (!state.hasData)
    return io::Status::success();
  io::Result<std::string> config = file.getMetadata("accrue.config");
  if (!config)
    return config.status();
  state.config = *config;
  if (io::Status status = readNumber(file, "accrue.samples", state.samples);
      !status)
    return status;
  if (io::Status status = readNumber(file, "accrue.seed", state.seed); !status)
    return status;
  io::Result<std::string> tail = file.getMetadata("accrue.tail");
  if (!tail)
    return tail.status();
  state.keepTail = *tail == "keep";
  // Files of older versions begin a new history.
  if (!file.getMetadata("accrue.grad_norms"))
    return io::Status::success();
  std::vector<double> norms;
  if (io::Status status = readNumbers(file, "accrue.grad_norms", norms);
      !status)
    return status;
  state.norms = NormHistory(std::move(norms));
  return readNumber(file, "accrue.skipped_in_a_row", state.skippedInARow);
}

io::Result<RunState> accrue::readRunState(const std::string &path) {
  io::Result<io::SafetensorsFile> file = io::SafetensorsFile::open(path);
  if (!file)
    return file.status();
  RunState state;
  if (io::Status status = readState(*file, state); !status)
    return status;
  return state;
}

io::Result<RunState> accrue::loadCheckpoint(const std::string &path,
                                            Executable &executable) {
  io::Result<io::SafetensorsFile> file = io::SafetensorsFile::open(path);
  if (!file)
    return file.status();
  RunState state;
  if (io::Status status = readState(*file, state); !status)
    return status;
  std::vector<Entry> entries = getEntries(executable);
  std::vector<const void *> data;
  if (io::Status status = findData(*file, entries, data); !status)
    return status;
  for (const io::TensorView &view : file->tensors())
    if (std::none_of(entries.begin(), entries.end(),
                     [&](const Entry &e) { return e.name == view.name; }))
      return io::fail("{}: the model has no tensor '{}' that the file has",
                      path, view.name);
  copyData(entries, data);
  if (io::Status status = executable.storeTensors(); !status)
    return status;
  return state;
}

io::Status accrue::checkResumable(const std::string &path,
                                  const RunState &saved,
                                  const RunState &wanted) {
  auto differ = [&](const char *what, const auto &was, const auto &is) {
    return io::fail("{}: saved with {} {}, but this run has {}; the data that "
                    "follow would be others",
                    path, what, was, is);
  };
  if (saved.model != wanted.model)
    return io::fail("{}: saved from the model '{}', not '{}'", path,
                    saved.model, wanted.model);
  if (saved.batch != wanted.batch)
    return differ("a batch of", saved.batch, wanted.batch);
  if (!saved.hasData)
    return io::Status::success();
  if (saved.seed != wanted.seed)
    return differ("the seed", saved.seed, wanted.seed);
  if (saved.samples != wanted.samples)
    return differ("training samples:", saved.samples, wanted.samples);
  if (saved.keepTail != wanted.keepTail)
    return differ("--tail", saved.keepTail ? "keep" : "drop",
                  wanted.keepTail ? "keep" : "drop");
  return io::Status::success();
}
