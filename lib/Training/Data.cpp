//===- Data.cpp - Initial values, input files, evaluation -----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoaderInput.h"
#include "accrue/Training/Training.h"
#include "runtime/io/Init.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace accrue;

/// The distribution that an initializer attribute stands for.
static std::optional<io::Initializer> getInitializer(mlir::Attribute init) {
  return llvm::TypeSwitch<mlir::Attribute, std::optional<io::Initializer>>(init)
      .Case([](train::FillAttr fill) {
        return io::Initializer::constant(fill.getValue().convertToDouble());
      })
      .Case([](train::UniformAttr uniform) {
        return io::Initializer::uniform(uniform.getBound().convertToDouble());
      })
      .Case([](train::NormalAttr normal) {
        return io::Initializer::normal(normal.getMean().convertToDouble(),
                                       normal.getStd().convertToDouble());
      })
      .Default([](mlir::Attribute) -> std::optional<io::Initializer> {
        return std::nullopt;
      });
}

io::Status accrue::initializeParameters(Executable &executable,
                                        const train::Signature &signature,
                                        uint64_t seed) {
  for (const StateTensor &tensor : executable.getParameters()) {
    const train::Signature::Parameter &parameter =
        *llvm::find_if(signature.parameters, [&](const auto &candidate) {
          return candidate.name == tensor.name;
        });
    std::optional<io::Initializer> initializer =
        parameter.init ? getInitializer(parameter.init) : std::nullopt;
    if (!initializer)
      return io::fail("parameter '{}' has no initializer: give weights by "
                      "--init",
                      tensor.name);
    std::vector<double> values(io::elementCount(tensor.shape));
    io::initialize(*initializer, seed, tensor.name, values.data(),
                   values.size());
    io::ConvertFn convert = io::findConversion(io::DType::F64, tensor.dtype);
    if (!convert || convert(values.data(), tensor.data, values.size()) >= 0)
      return io::fail("parameter '{}' of type {} cannot hold its initial "
                      "values",
                      tensor.name, io::dtypeName(tensor.dtype));
  }
  return io::Status::success();
}

io::Result<io::DataLoader>
accrue::openData(llvm::ArrayRef<InputInfo> inputs,
                 llvm::ArrayRef<std::pair<std::string, std::string>> files,
                 const io::SamplerOptions &options) {
  std::vector<io::InputSpec> specs;
  for (const InputInfo &input : inputs) {
    const auto *file = llvm::find_if(
        files, [&](const auto &entry) { return entry.first == input.name; });
    if (file == files.end())
      return io::fail("expected a file for the batch input '{}' ({} {})",
                      input.name, io::dtypeName(input.dtype),
                      io::formatShape(input.shape));
    specs.push_back(
        {input.name, file->second, input.dtype, input.shape, input.batchDim});
  }
  for (const auto &[name, path] : files)
    if (llvm::none_of(specs, [&, &name = name](const io::InputSpec &spec) {
          return spec.name == name;
        }))
      return io::fail("the model has no batch input '{}' for {}", name, path);
  return io::DataLoader::open(std::move(specs), options);
}

io::Result<io::DataLoader> accrue::openEvalData(
    llvm::ArrayRef<InputInfo> inputs,
    llvm::ArrayRef<std::pair<std::string, std::string>> files) {
  // The number of samples is known only once the files are open.
  io::SamplerOptions sampler;
  sampler.shuffle = false;
  io::Result<io::DataLoader> counted = openData(inputs, files, sampler);
  if (!counted)
    return counted;
  sampler.batch = counted->samples();
  return openData(inputs, files, sampler);
}

std::optional<unsigned> accrue::findProgram(const Executable &executable,
                                            ProgramKind kind, int64_t batch) {
  for (auto [i, program] : llvm::enumerate(executable.getPrograms()))
    if (program.kind == kind && program.batch == batch)
      return i;
  return std::nullopt;
}

io::Result<RunResults> accrue::evaluate(Executable &executable,
                                        io::DataLoader &data) {
  LoaderInput input(executable, data, data.batchAt(0));
  std::optional<unsigned> program =
      findProgram(executable, ProgramKind::Evaluation, input.getBatch().size());
  assert(program && "compiled for the samples of the data");
  RunResults results;
  if (io::Status status = executable.run(*program, input, results); !status)
    return status;
  return results;
}
