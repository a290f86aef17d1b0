//===- TestBatchAnalysis.cpp - Prints the batch analysis ------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/Explain.h"
#include "accrue/Analysis/Phases.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace accrue;

namespace {
/// Prints the plan of every function, its scaling and its states; changes
/// nothing. Functions that the analysis refuses get its errors.
struct TestBatchAnalysis
    : public PassWrapper<TestBatchAnalysis, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestBatchAnalysis)

  TestBatchAnalysis() = default;
  TestBatchAnalysis(const TestBatchAnalysis &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "test-batch-analysis"; }
  StringRef getDescription() const final { return "print the batch analysis"; }

  Option<bool> fold{*this, "fold", llvm::cl::init(true),
                    llvm::cl::desc("keep linear functions of sums partial")};
  Option<bool> sink{*this, "sink", llvm::cl::init(true),
                    llvm::cl::desc("apply linear functions after the loop")};
  Option<bool> micro{*this, "micro", llvm::cl::init(false),
                     llvm::cl::desc("statistics of micro-batches")};
  Option<bool> store{*this, "store", llvm::cl::init(false),
                     llvm::cl::desc("store what crosses loops")};
  Option<bool> explain{*this, "explain", llvm::cl::init(false),
                       llvm::cl::desc("print scaling and states instead")};

  Option<Rewrites> rewrites{
      *this, "rewrites", llvm::cl::init(Rewrites::Auto),
      llvm::cl::desc("rewrite the step to need fewer loops"),
      llvm::cl::values(clEnumValN(Rewrites::Auto, "auto", "where cheaper"),
                       clEnumValN(Rewrites::Never, "never", "never"),
                       clEnumValN(Rewrites::Always, "always", "if possible"))};

  void runOnOperation() override {
    BatchPlanOptions options;
    options.analysis.batch = 960;
    options.coupled = store ? Coupled::Store : Coupled::Recompute;
    options.rewrites = rewrites;
    options.analysis.fold = fold;
    options.analysis.sink = sink;
    options.analysis.microStatistics = micro;
    FailureOr<BatchPlan> plan = planBatch(getOperation(), options);
    if (failed(plan))
      return signalPassFailure();
    llvm::outs() << getOperation().getName() << ": ";
    if (!explain)
      return printPlan(*plan, llvm::outs());
    std::string error;
    auto spans = cutBatch(1000, 64, 0, error);
    printScaling(explainScaling(getOperation(), *plan), *spans, 1000,
                 llvm::outs());
    printBatchStates(getOperation(), *plan, 1000, llvm::outs());
  }
};
} // namespace

namespace accrue::test {
void registerTestBatchAnalysis() { PassRegistration<TestBatchAnalysis>(); }
} // namespace accrue::test
