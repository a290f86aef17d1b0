//===- Data.cpp - Initial values, input files, evaluation -----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/training/Data.h"

#include "runtime/training/LoaderInput.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace accrue;

/// The state that random numbers follow from: the seed and the index of the
/// logical batch, i64. Models that draw none have no such state.
static constexpr char kRandomKeyName[] = "random_key";

/// The initializer of `tensor`; null where the model has none.
static const io::Initializer *
findInitializer(const StateTensor &tensor,
                io::ArrayView<ParameterInit> initializers) {
  for (const ParameterInit &init : initializers)
    if (init.name == tensor.name)
      return init.initializer ? &*init.initializer : nullptr;
  return nullptr;
}

/// Writes `values` to `tensor`; false where its type does not hold them.
static bool store(const std::vector<double> &values,
                  const StateTensor &tensor) {
  auto fill = [&](auto zero) {
    auto *data = static_cast<decltype(zero) *>(tensor.data);
    double end = std::ldexp(1.0, std::numeric_limits<decltype(zero)>::digits);
    for (double value : values) {
      if (value != std::trunc(value) || !(std::fabs(value) < end))
        return false;
      *data++ = static_cast<decltype(zero)>(value);
    }
    return true;
  };
  // Of state: counters and flags.
  switch (tensor.dtype) {
  case io::DType::I64:
    return fill(int64_t());
  case io::DType::I32:
    return fill(int32_t());
  case io::DType::Bool:
    return fill(uint8_t());
  default:
    break;
  }
  io::ConvertFn convert = io::findConversion(io::DType::F64, tensor.dtype);
  return convert && convert(values.data(), tensor.data, values.size()) < 0;
}

static io::Status initialize(const StateTensor &tensor,
                             const io::Initializer &initializer,
                             uint64_t seed) {
  std::vector<double> values(io::elementCount(tensor.shape));
  io::initialize(initializer, seed, tensor.name, values.data(), values.size());
  if (store(values, tensor))
    return io::Status::success();
  return io::fail("'{}' of type {} cannot hold its initial values", tensor.name,
                  io::dtypeName(tensor.dtype));
}

io::Status accrue::initializeState(Executable &executable,
                                   io::ArrayView<ParameterInit> initializers,
                                   uint64_t seed) {
  for (const StateTensor &tensor : executable.getState()) {
    if (tensor.name == kRandomKeyName) {
      // The seed, and the index of the logical batch.
      auto *key = static_cast<int64_t *>(tensor.data);
      key[0] = static_cast<int64_t>(seed);
      key[1] = 0;
      continue;
    }
    if (const io::Initializer *init = findInitializer(tensor, initializers))
      if (io::Status status = initialize(tensor, *init, seed); !status)
        return status;
  }
  return executable.storeTensors();
}

io::Status
accrue::initializeParameters(Executable &executable,
                             io::ArrayView<ParameterInit> initializers,
                             uint64_t seed) {
  for (const StateTensor &tensor : executable.getParameters()) {
    const io::Initializer *init = findInitializer(tensor, initializers);
    if (!init)
      return io::fail("parameter '{}' has no initializer: give weights by "
                      "--init",
                      tensor.name);
    if (io::Status status = initialize(tensor, *init, seed); !status)
      return status;
  }
  return initializeState(executable, initializers, seed);
}

bool accrue::parseDataFile(std::string_view text, DataFiles &files) {
  size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    return false;
  std::string_view name = text.substr(0, equals);
  while (!name.empty() && name.front() == ' ')
    name.remove_prefix(1);
  while (!name.empty() && name.back() == ' ')
    name.remove_suffix(1);
  std::string_view path = text.substr(equals + 1);
  if (name.empty() || path.empty())
    return false;
  files.emplace_back(name, path);
  return true;
}

io::Result<io::DataLoader> accrue::openData(io::ArrayView<InputInfo> inputs,
                                            const DataFiles &files,
                                            const io::SamplerOptions &options) {
  std::vector<io::InputSpec> specs;
  for (const InputInfo &input : inputs) {
    auto file =
        std::find_if(files.begin(), files.end(), [&](const auto &entry) {
          return entry.first == input.name;
        });
    if (file == files.end())
      return io::fail("expected a file for the batch input '{}' ({} {})",
                      input.name, io::dtypeName(input.dtype),
                      io::formatShape(input.shape));
    specs.push_back({input.name, file->second, input.dtype, input.shape,
                     input.batchDim, input.bounds});
  }
  for (const auto &[name, path] : files)
    if (std::none_of(specs.begin(), specs.end(),
                     [&, &name = name](const io::InputSpec &spec) {
                       return spec.name == name;
                     }))
      return io::fail("the model has no batch input '{}' for {}", name, path);
  return io::DataLoader::open(std::move(specs), options);
}

io::Result<io::DataLoader> accrue::openEvalData(io::ArrayView<InputInfo> inputs,
                                                const DataFiles &files,
                                                int64_t batch) {
  io::SamplerOptions sampler;
  sampler.shuffle = false;
  sampler.batch = std::max<int64_t>(batch, 1);
  io::Result<io::DataLoader> data = openData(inputs, files, sampler);
  if (!data || batch > 0)
    return data;
  // The number of samples is known only once the files are open.
  sampler.batch = data->samples();
  return openData(inputs, files, sampler);
}

std::optional<unsigned> accrue::findProgram(const Executable &executable,
                                            ProgramKind kind, int64_t batch) {
  io::ArrayView<ProgramInfo> programs = executable.getPrograms();
  for (size_t i = 0; i < programs.size(); ++i)
    if (programs[i].kind == kind && programs[i].batch == batch)
      return i;
  return std::nullopt;
}

io::Result<RunResults> accrue::evaluate(Executable &executable,
                                        io::DataLoader &data) {
  RunResults total;
  int64_t batches = data.batchesPerEpoch();
  for (int64_t i = 0; i < batches; ++i) {
    LoaderInput input(executable, data, data.batchAt(i));
    std::optional<unsigned> program = findProgram(
        executable, ProgramKind::Evaluation, input.getBatch().size());
    assert(program && "compiled for every size of a batch");
    RunResults results;
    if (io::Status status = executable.run(*program, input, results); !status)
      return status;
    // As it is, to the last bit.
    if (batches == 1)
      return results;
    double weight =
        static_cast<double>(input.getBatch().size()) / data.samples();
    total.loss += weight * results.loss;
    total.metrics.resize(results.metrics.size());
    for (size_t j = 0; j < results.metrics.size(); ++j)
      total.metrics[j] += weight * results.metrics[j];
  }
  return total;
}
