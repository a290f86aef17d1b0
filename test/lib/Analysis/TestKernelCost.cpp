//===- TestKernelCost.cpp - Prints what kernels cost ----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/KernelCost.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace accrue;

namespace {
/// Prints bytes and operations of every kernel, matrix product and update.
struct TestKernelCost
    : public PassWrapper<TestKernelCost, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestKernelCost)

  StringRef getArgument() const final { return "test-kernel-cost"; }
  StringRef getDescription() const final { return "print costs of kernels"; }

  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      llvm::TypeSwitch<Operation *>(op)
          .Case([](kernel::FuncOp kernel) {
            print(kernel.getSymName(), getKernelCost(kernel));
          })
          .Case<kernel::GemmOp, kernel::FlatUpdateOp>([](auto call) {
            print(call->getName().getStringRef(), getKernelCost(call));
          });
    });
  }

  static void print(StringRef name, KernelCost cost) {
    llvm::outs() << name << ": " << cost.bytes << " bytes, " << cost.flops
                 << " flops\n";
  }
};
} // namespace

namespace accrue::test {
void registerTestKernelCost() { PassRegistration<TestKernelCost>(); }
} // namespace accrue::test
