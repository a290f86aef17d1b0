//===- ReferenceTest.h - Modules for the tests ------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_UNITTESTS_REFERENCE_REFERENCETEST_H
#define ACCRUE_UNITTESTS_REFERENCE_REFERENCETEST_H

#include "accrue/Dialect/NN/NNOps.h"
#include "accrue/Dialect/Train/TrainOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <string>
#include <vector>

namespace accrue::reference {

/// Parses modules and collects what is said about them.
class ReferenceTest : public ::testing::Test {
protected:
  ReferenceTest()
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          messages.push_back(diagnostic.str());
          return mlir::success();
        }) {
    context.loadDialect<mlir::func::FuncDialect, nn::NNDialect,
                        train::TrainDialect>();
  }

  /// The first function of the module `text`; null where it does not parse.
  mlir::func::FuncOp parse(llvm::StringRef text) {
    modules.push_back(mlir::parseSourceString<mlir::ModuleOp>(text, &context));
    if (!modules.back())
      return {};
    return *modules.back()->getOps<mlir::func::FuncOp>().begin();
  }

  mlir::MLIRContext context;
  std::vector<std::string> messages;
  mlir::ScopedDiagnosticHandler handler;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
};

} // namespace accrue::reference

#endif // ACCRUE_UNITTESTS_REFERENCE_REFERENCETEST_H
