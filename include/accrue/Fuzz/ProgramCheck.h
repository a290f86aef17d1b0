//===- ProgramCheck.h - The full batch against micro-batches ----*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares every result of the step of a model with the same step split in
// many ways, in f64 by the reference interpreter. Unlike `accrue verify` it
// keeps its pass pipelines from one model to the next, tells a refusal from
// broken IR, and a wrong split from a model whose results no order of summation
// determines.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_FUZZ_PROGRAMCHECK_H
#define ACCRUE_FUZZ_PROGRAMCHECK_H

#include "accrue/Reference/Tensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include <map>
#include <memory>
#include <string>

namespace accrue::fuzz {

/// What came out of one split of one model, from good to bad.
enum class Outcome {
  /// All results are equal up to rounding.
  Equal,
  /// A pass refused the split with an error.
  Refused,
  /// Results differ, and those of the full batch move by more than the limit
  /// when its samples are permuted or its sums are rounded in another way.
  Unstable,
  /// Results differ.
  Different,
  /// A pass failed without an error, made invalid IR, or the interpreter
  /// rejects what it made.
  Broken,
};

llvm::StringRef toString(Outcome outcome);

/// How the step is split, and what is done to it then.
enum class Mode {
  /// What later loops read is computed again; cleaned up, as compiled programs
  /// are.
  Recompute,
  /// What later loops read is stored.
  Store,
  /// All linear functions of sums stay in the loop; not rewritten to need fewer
  /// loops, and not cleaned up.
  NoSink,
  /// All sums are finished where they are read; otherwise as `NoSink`.
  NoFold,
  /// As `Store`, and the backward pass computes all activations again.
  Rematerialize,
  /// As `Recompute`, with all rewrites that save loops.
  Rewritten,
};

/// One way to run a step: so many micro-batches, or micro-batches of so many
/// samples.
struct Variant {
  int64_t accumulate = 0;
  int64_t microBatch = 0;
  Mode mode = Mode::Recompute;

  /// "accumulate=3 no-sink".
  std::string str() const;
  bool operator<(const Variant &other) const {
    return std::tie(accumulate, microBatch, mode) <
           std::tie(other.accumulate, other.microBatch, other.mode);
  }
};

struct VariantResult {
  Variant variant;
  Outcome outcome = Outcome::Equal;
  /// The largest error of a result, by `reference::getError`.
  double error = 0;
  /// Why it was refused or is broken: the first error, with numbers and names
  /// replaced; or which result differs.
  std::string reason;
  /// Loops over the batch, if it was split.
  int64_t loops = 0;
};

struct CheckResult {
  /// The worst of all variants.
  Outcome outcome = Outcome::Equal;
  llvm::SmallVector<VariantResult> variants;
};

struct CheckOptions {
  /// The largest error that is taken as another order of summation.
  double limit = 1e-10;
  /// Every split in every mode, instead of one mode per split that changes
  /// from model to model.
  bool allModes = false;
  /// Leave out the weights of micro-batches: nearly every model is then
  /// different.
  bool omitWeights = false;
  /// A wrong rule that the analysis follows, by its name; see `AnalysisFault`.
  std::string plantFault;
};

class ProgramChecker {
public:
  /// `context` has the dialects of models loaded.
  ProgramChecker(mlir::MLIRContext &context, CheckOptions options);

  /// Checks a function with `train.model`, `train.batch` and, for its
  /// arguments, `fuzz.seed` (0 where it is missing).
  CheckResult check(mlir::func::FuncOp model);

private:
  /// A step that is compared with its splits.
  struct Baseline;

  /// Runs the pipeline called `name`, which `build` makes the first time, and
  /// verifies. Returns false and sets `reason` after an error; with
  /// `mayRefuse`, a pass that fails with an error makes `refused` true.
  bool runPasses(const std::string &name, mlir::ModuleOp module,
                 llvm::function_ref<void(mlir::OpPassManager &)> build,
                 std::string &reason, bool *refused = nullptr);
  VariantResult checkVariant(const Baseline &baseline, Variant variant);
  /// Whether the results `indices` of the full batch are not determined up to
  /// the limit.
  bool isUnstable(const Baseline &baseline, llvm::ArrayRef<unsigned> indices);

  mlir::MLIRContext &context;
  CheckOptions options;
  std::map<std::string, std::unique_ptr<mlir::PassManager>> pipelines;
};

} // namespace accrue::fuzz

#endif // ACCRUE_FUZZ_PROGRAMCHECK_H
