//===- RunOptions.cpp - The options of a run ------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `accrue` has its options from llvm::cl, which programs that it writes do not
// link. Names, spellings (`--steps 5`, `--steps=5`, one dash or two) and
// meanings are the same.
//
//===----------------------------------------------------------------------===//

#include "runtime/training/RunOptions.h"

#include <charconv>
#include <string_view>

using namespace accrue;

const char accrue::kRunOptions[] =
    "  --data input=file,...       the file of every batch input: .npy, or .bin"
    " tokens\n"
    "  --eval-data input=file,...  held-out data\n"
    "  --eval-every N              evaluate every so many steps; default: at "
    "the end\n"
    "  --init file                 weights to start from, with a new "
    "optimizer\n"
    "  --init-ignore pattern,...   tensors of that file to leave aside\n"
    "  --init-prefix text          what to take off its names\n"
    "  --init-transpose pattern,.. its matrices that are stored as [in, out]\n"
    "  --log file.jsonl            write one JSON line per optimizer step\n"
    "  --log-every N               off a terminal, print a line every so many "
    "steps\n"
    "  --resume file               saved state to continue from\n"
    "  --save file                 save weights and optimizer state at the "
    "end, "
    "and when stopped\n"
    "  --save-every N              save also every so many steps\n"
    "  --seed N                    seed of initial weights and data order; "
    "default 0\n"
    "  --steps N                   optimizer steps in all; default: until the "
    "schedule ends\n"
    "  --tail keep|drop            the epoch's last, smaller batch; default "
    "keep\n";

bool accrue::asksForHelp(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    if (argument == "--help" || argument == "-help" || argument == "-h")
      return true;
  }
  return false;
}

namespace {
/// Takes the value of one option into a request.
class RunOptions {
public:
  io::Status set(std::string_view name, std::string_view value);
  /// Whether there is an option of this name.
  bool isKnown(std::string_view name);

  RunRequest request;

private:
  DataFiles *findData(std::string_view name);
  std::string *findText(std::string_view name);
  std::vector<std::string> *findPatterns(std::string_view name);
  std::optional<int64_t> *findNumber(std::string_view name);
};
} // namespace

DataFiles *RunOptions::findData(std::string_view name) {
  return name == "data"        ? &request.data
         : name == "eval-data" ? &request.evalData
                               : nullptr;
}

std::vector<std::string> *RunOptions::findPatterns(std::string_view name) {
  return name == "init-ignore"      ? &request.weights.ignore
         : name == "init-transpose" ? &request.weights.transpose
                                    : nullptr;
}

std::string *RunOptions::findText(std::string_view name) {
  const std::pair<const char *, std::string *> texts[] = {
      {"init", &request.init},
      {"init-prefix", &request.weights.prefix},
      {"log", &request.log},
      {"resume", &request.resume},
      {"save", &request.save}};
  for (auto [option, text] : texts)
    if (name == option)
      return text;
  return nullptr;
}

std::optional<int64_t> *RunOptions::findNumber(std::string_view name) {
  const std::pair<const char *, std::optional<int64_t> *> numbers[] = {
      {"eval-every", &request.evalEvery},
      {"log-every", &request.logEvery},
      {"save-every", &request.saveEvery},
      {"seed", &request.seed},
      {"steps", &request.steps}};
  for (auto [option, number] : numbers)
    if (name == option)
      return number;
  return nullptr;
}

bool RunOptions::isKnown(std::string_view name) {
  return name == "tail" || findData(name) || findText(name) ||
         findPatterns(name) || findNumber(name);
}

io::Status RunOptions::set(std::string_view name, std::string_view value) {
  if (DataFiles *files = findData(name)) {
    while (true) {
      size_t comma = value.find(',');
      if (!parseDataFile(value.substr(0, comma), *files))
        return io::fail("expected --{} input=file,..., got '{}'", name,
                        value.substr(0, comma));
      if (comma == std::string_view::npos)
        return io::Status::success();
      value.remove_prefix(comma + 1);
    }
  }
  if (std::string *text = findText(name)) {
    *text = value;
    return io::Status::success();
  }
  if (std::vector<std::string> *patterns = findPatterns(name)) {
    while (true) {
      size_t comma = value.find(',');
      patterns->emplace_back(value.substr(0, comma));
      if (comma == std::string_view::npos)
        return io::Status::success();
      value.remove_prefix(comma + 1);
    }
  }
  if (std::optional<int64_t> *number = findNumber(name)) {
    int64_t parsed = 0;
    const char *end = value.data() + value.size();
    auto [rest, error] = std::from_chars(value.data(), end, parsed);
    if (error != std::errc() || rest != end)
      return io::fail("expected a number for '--{}', got '{}'", name, value);
    *number = parsed;
    return io::Status::success();
  }
  if (value != "keep" && value != "drop")
    return io::fail("unknown value '{}' of --tail: expected keep, drop", value);
  request.keepTail = value == "keep";
  return io::Status::success();
}

io::Result<RunRequest> accrue::parseRunOptions(int argc, char **argv) {
  RunOptions options;
  std::string_view program = argc > 0 ? argv[0] : "";
  options.request.program = program.substr(program.rfind('/') + 1);
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    std::string_view name = argument;
    if (name.size() < 2 || name.front() != '-')
      return io::fail("unexpected argument '{}' (see --help)", argument);
    name.remove_prefix(name[1] == '-' ? 2 : 1);
    size_t equals = name.find('=');
    name = name.substr(0, equals);
    if (!options.isKnown(name))
      return io::fail("unknown option '{}' (see --help)",
                      argument.substr(0, argument.find('=')));
    std::string_view value;
    if (equals != std::string_view::npos)
      value = argument.substr(argument.find('=') + 1);
    else if (i + 1 < argc)
      value = argv[++i];
    else
      return io::fail("expected a value for '--{}'", name);
    if (io::Status status = options.set(name, value); !status)
      return status;
  }
  if (options.request.data.empty())
    return io::fail("expected --data (see --help)");
  if (io::Status status = checkRequest(options.request); !status)
    return status;
  return std::move(options.request);
}
