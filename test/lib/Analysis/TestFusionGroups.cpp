//===- TestFusionGroups.cpp - Prints the fusion analysis ------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/FusionGroups.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace accrue;

namespace {
/// Prints the groups of the body of every function, in their order of
/// execution; ops whose results are stored have an asterisk.
struct TestFusionGroups
    : public PassWrapper<TestFusionGroups, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestFusionGroups)

  StringRef getArgument() const final { return "test-fusion-groups"; }
  StringRef getDescription() const final { return "print the fusion analysis"; }

  void runOnOperation() override {
    llvm::outs() << getOperation().getName() << ":\n";
    FusionGroups(getOperation().front()).print(llvm::outs());
  }
};
} // namespace

namespace accrue::test {
void registerTestFusionGroups() { PassRegistration<TestFusionGroups>(); }
} // namespace accrue::test
