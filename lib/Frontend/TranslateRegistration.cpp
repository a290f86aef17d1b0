//===- TranslateRegistration.cpp - accrue-translate --import-acr ----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The front end as a translation, for tests and for people who look at the IR.
//
//===----------------------------------------------------------------------===//

#include "accrue/Frontend/Frontend.h"

#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace accrue {

void registerFromAcrTranslation() {
  static llvm::cl::list<std::string> overrides(
      "set", llvm::cl::value_desc("name=value"),
      llvm::cl::desc("Replaces a config value of a model file"));
  static llvm::cl::opt<std::string> model(
      "model", llvm::cl::value_desc("name"),
      llvm::cl::desc("The model to import where the file has several"));
  static TranslateToMLIRRegistration registration(
      "import-acr", "imports a model file (.acr)",
      [](llvm::SourceMgr &sourceMgr, MLIRContext *context) {
        FrontendOptions options;
        options.model = model;
        for (StringRef text : overrides) {
          auto [name, value] = text.split('=');
          options.configOverrides.emplace_back(name, value);
        }
        return parseModelFile(sourceMgr, context, options);
      });
}

} // namespace accrue
