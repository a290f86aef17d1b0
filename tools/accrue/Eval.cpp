//===- Eval.cpp - accrue eval ---------------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executables.h"

#include "accrue/Target/Describe.h"
#include "accrue/Training/Training.h"
#include "runtime/training/Results.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::tool;

/// The options of the command; returns kSuccess or kUsage.
static int checkOptions(const CommandLine &options) {
  if (options.data.empty())
    return usageError("expected --data with eval");
  if (int status = checkWeights(options, "eval"))
    return status;
  if (options.batch.size() > 1)
    return usageError("expected one size of --batch with eval");
  return checkTarget(options) ? kSuccess : kUsage;
}

/// An evaluation for every size of a batch.
static SmallVector<ProgramInfo> getPrograms(const io::DataLoader &data,
                                            int64_t batch) {
  SmallVector<ProgramInfo> programs;
  if (data.samples() >= batch)
    programs.push_back({ProgramKind::Evaluation, batch});
  if (int64_t tail = data.tailSize())
    programs.push_back({ProgramKind::Evaluation, tail});
  return programs;
}

static void printResults(const Executable &executable, int64_t samples,
                         const RunResults &results) {
  llvm::outs() << llvm::formatv("samples  {0}\nloss     {1:F6}\n", samples,
                                results.loss);
  for (auto [name, value] :
       llvm::zip_equal(executable.getMetricNames(), results.metrics))
    llvm::outs() << llvm::formatv("{0,-8} {1:F6}\n", name, value);
}

static void printJson(const Executable &executable, int64_t samples,
                      const RunResults &results) {
  io::JsonLine line;
  line.add("samples", samples);
  addNumber(line, "loss", results.loss)
      .add("metrics", formatMetrics(executable, results));
  llvm::outs() << line.text() << '\n';
}

int tool::runEval(const CommandLine &options) {
  if (int status = checkOptions(options))
    return status;
  DataFiles files;
  if (!parseDataFiles(options.data, files))
    return kUsage;
  Session session(options);
  if (int status = session.start())
    return status;
  FailureOr<std::vector<InputInfo>> inputs =
      describeInputs(session.input->getFunction(), session.signature);
  if (failed(inputs))
    return kFailure;
  int64_t batch = options.batch.empty() ? 0 : options.batch.front();
  io::Result<io::DataLoader> data = openEvalData(*inputs, files, batch);
  if (!data)
    return reportError(data.message());
  std::unique_ptr<Executable> executable = buildExecutable(
      session, getPrograms(*data, batch > 0 ? batch : data->samples()));
  if (!executable)
    return kFailure;
  if (int status = readWeights(options, *executable))
    return status;
  io::Result<RunResults> results = evaluate(*executable, *data);
  if (!results)
    return reportError(results.message());
  (options.json ? printJson : printResults)(*executable, data->samples(),
                                            *results);
  return kSuccess;
}
