//===- TestStepCalls.cpp - Prints the calls of steps ----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/StepCalls.h"
#include "accrue/Dialect/Kernel/IsolateCall.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace accrue;

namespace {
/// Prints what every step runs, and each call as a program of its own.
struct TestStepCalls
    : public PassWrapper<TestStepCalls, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestStepCalls)

  StringRef getArgument() const final { return "test-step-calls"; }
  StringRef getDescription() const final { return "print the calls of steps"; }

  void runOnOperation() override {
    for (auto step : getOperation().getOps<func::FuncOp>()) {
      FailureOr<SmallVector<StepCall>> calls = listStepCalls(step);
      if (failed(calls))
        return signalPassFailure();
      for (const StepCall &call : *calls) {
        llvm::outs() << call.kind << ' ' << call.name << ": "
                     << call.callsPerStep << " calls of " << call.cost.bytes
                     << " bytes, " << call.cost.flops << " flops, from "
                     << llvm::join(call.sources, ", ") << '\n';
        OwningOpRef<ModuleOp> program = kernel::isolateCall(call.op, 3);
        if (failed(program->verify()))
          return signalPassFailure();
        program->print(llvm::outs());
        llvm::outs() << '\n';
      }
    }
  }
};
} // namespace

namespace accrue::test {
void registerTestStepCalls() { PassRegistration<TestStepCalls>(); }
} // namespace accrue::test
