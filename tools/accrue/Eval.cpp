//===- Eval.cpp - accrue eval ---------------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executables.h"

#include "accrue/Target/Describe.h"
#include "accrue/Training/Training.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::tool;

int tool::runEval(const CommandLine &options) {
  if (options.load.empty() || options.data.empty())
    return usageError("expected --load and --data with eval");
  DataFiles files;
  if (!checkTarget(options) || !parseDataFiles(options.data, files))
    return kUsage;
  Session session(options);
  if (int status = session.start())
    return status;
  FailureOr<std::vector<InputInfo>> inputs =
      describeInputs(session.input->getFunction(), session.signature);
  if (failed(inputs))
    return kFailure;
  io::Result<io::DataLoader> data = openEvalData(*inputs, files);
  if (!data)
    return reportError(data.message());
  std::unique_ptr<Executable> executable = buildExecutable(
      session, ProgramInfo{ProgramKind::Evaluation, data->samples()});
  if (!executable)
    return kFailure;
  if (io::Status status = loadWeights(options.load, *executable); !status)
    return reportError(status.message());
  io::Result<RunResults> results = evaluate(*executable, *data);
  if (!results)
    return reportError(results.message());
  llvm::outs() << llvm::formatv("samples  {0}\nloss     {1:F6}\n",
                                data->samples(), results->loss);
  for (auto [name, value] :
       llvm::zip_equal(executable->getMetricNames(), results->metrics))
    llvm::outs() << llvm::formatv("{0,-8} {1:F6}\n", name, value);
  return kSuccess;
}
