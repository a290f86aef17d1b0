//===- accrue.cpp - The training-step compiler ----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program that users run: one command per purpose, see CommandLine.cpp.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"

using namespace accrue::tool;

int main(int argc, char **argv) {
  llvm::setBugReportMsg("This is a fault of accrue. Please report it with the "
                        "command and the model file.\n");
  llvm::InitLLVM initialize(argc, argv);
  CommandLine options;
  if (!options.parse(argc, argv))
    return kUsage;
  if (options.train)
    return runTrain(options);
  if (options.eval)
    return runEval(options);
  if (options.generate)
    return runGenerate(options);
  if (options.verify)
    return runVerify(options);
  if (options.build)
    return runBuild(options);
  if (options.bench)
    return runBench(options);
  return runCompile(options);
}
