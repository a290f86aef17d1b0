//===- Executables.cpp - Programs for a target ----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executables.h"

#include "accrue/Target/CPU/CPUExecutable.h"
#include "accrue/Target/Describe.h"
#include "accrue/Target/Reference/ReferenceExecutable.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::tool;

bool tool::parseDataFiles(const llvm::cl::list<std::string> &option,
                          DataFiles &files) {
  for (const std::string &text : option) {
    if (parseDataFile(text, files))
      continue;
    usageError("expected --" + option.ArgStr + " input=file,..., got '" + text +
               "'");
    return false;
  }
  return true;
}

WeightOptions tool::getWeightOptions(const CommandLine &options) {
  WeightOptions weights;
  weights.prefix = options.initPrefix;
  weights.ignore.assign(options.initIgnore.begin(), options.initIgnore.end());
  weights.transpose.assign(options.initTranspose.begin(),
                           options.initTranspose.end());
  return weights;
}

int tool::checkWeights(const CommandLine &options, StringRef command) {
  if (options.load.empty() && options.init.empty())
    return usageError("expected --load or --init with " + command);
  if (!options.load.empty() && !options.init.empty())
    return usageError("expected one of --load and --init, got both");
  return kSuccess;
}

int tool::readWeights(const CommandLine &options, Executable &executable) {
  WeightOptions weights = getWeightOptions(options);
  weights.needsState = true;
  weights.useAverages = options.ema;
  const std::string &path = options.load.empty() ? options.init : options.load;
  io::Status status = loadWeights(path, weights, executable);
  return status ? kSuccess : reportError(status.message());
}

int tool::countSamples(const Session &session,
                       const llvm::cl::list<std::string> &option, bool shuffled,
                       int64_t &samples) {
  samples = 0;
  DataFiles files;
  if (!parseDataFiles(option, files))
    return kUsage;
  if (files.empty())
    return kSuccess;
  FailureOr<std::vector<InputInfo>> inputs =
      describeInputs(session.input->getFunction(), session.signature);
  if (failed(inputs))
    return kFailure;
  io::SamplerOptions sampler;
  sampler.shuffle = shuffled;
  io::Result<io::DataLoader> data = openData(*inputs, files, sampler);
  if (!data)
    return reportError(data.message());
  samples = data->samples();
  return kSuccess;
}

/// Compiles and loads one program per element of `options`.
static std::unique_ptr<Executable> build(Session &session,
                                         ArrayRef<PipelineOptions> options) {
  bool interpreted = session.options.target == "reference";
  SmallVector<OwningOpRef<ModuleOp>> modules;
  for (const PipelineOptions &program : options) {
    FailureOr<OwningOpRef<ModuleOp>> module =
        compileTo(interpreted ? Phase::Optimized : Phase::Planned,
                  session.input->getModule(), program);
    if (failed(module)) {
      if (!program.evaluation && session.batch.batch &&
          program.batch < *session.batch.batch)
        llvm::WithColor::note(llvm::errs())
            << "the last batch of an epoch has " << program.batch
            << " samples: --tail drop leaves it out\n";
      return nullptr;
    }
    modules.push_back(std::move(*module));
  }
  auto getKind = [](const PipelineOptions &program) {
    return program.evaluation ? ProgramKind::Evaluation : ProgramKind::Step;
  };
  if (interpreted) {
    std::vector<ReferenceProgram> programs;
    for (auto [program, module] : llvm::zip_equal(options, modules))
      programs.push_back(
          {{getKind(program), program.batch}, std::move(module)});
    return createReferenceExecutable(std::move(programs));
  }
  std::vector<cpu::Program> programs;
  for (auto [program, module] : llvm::zip_equal(options, modules))
    programs.push_back({*module, getKind(program)});
  FailureOr<std::unique_ptr<Executable>> executable =
      cpu::createExecutable(programs);
  return succeeded(executable) ? std::move(*executable) : nullptr;
}

std::unique_ptr<Executable>
tool::buildExecutable(Session &session, ArrayRef<ProgramInfo> programs) {
  return build(session,
               llvm::map_to_vector(programs, [&](const ProgramInfo &program) {
                 return session.getOptions(program);
               }));
}

std::unique_ptr<Executable>
tool::buildExecutable(Session &session, ArrayRef<PipelineOptions> variants) {
  return build(session, variants);
}
