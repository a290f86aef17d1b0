//===- RandomProgramTest.cpp - Random models, split and differentiated ----===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every random model is either refused with an error or split, recomputed and
// differentiated equally. ACCRUE_RANDOM_PROGRAMS sets how many are tried.
//
//===----------------------------------------------------------------------===//

#include "ProgramGenerator.h"
#include "ReferenceTest.h"
#include "accrue/Reference/Verify.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace mlir;
using namespace accrue;
using namespace accrue::reference;

namespace {
class RandomProgramTest : public ReferenceTest {};

/// Whether all results are equal. Terms may cancel, so that rounding weighs
/// more than `passed` allows; a wrong factor weighs far more than this.
bool isEqual(const VerifyReport &report) {
  auto isSmall = [](std::optional<double> error) {
    return error.value_or(0) <= 1e-8;
  };
  return llvm::all_of(report.rows, [&](const VerifyRow &row) {
    return llvm::all_of(row.f64Errors, isSmall);
  });
}
} // namespace

TEST_F(RandomProgramTest, SplitEqually) {
  const char *number = std::getenv("ACCRUE_RANDOM_PROGRAMS");
  int64_t count = number ? std::atoll(number) : 100, accepted = 0;
  for (int64_t seed = 0; seed < count; ++seed) {
    messages.clear();
    OwningOpRef<ModuleOp> module =
        generateProgram(context, seed, /*size=*/4 + seed % 24, /*batch=*/12);
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "seed " << seed << '\n' << *module;
    ASSERT_TRUE(succeeded(mlir::verify(*module))) << text;
    auto report = verify(*module->getOps<func::FuncOp>().begin(),
                         {/*batch=*/0, /*microBatches=*/{}, /*recompute=*/true,
                          /*differences=*/true, /*seed=*/uint64_t(seed)});
    if (failed(report)) {
      ASSERT_FALSE(messages.empty()) << text;
      EXPECT_NE(messages.front().find("couples samples"), std::string::npos)
          << messages.front() << '\n'
          << text;
      continue;
    }
    ++accepted;
    report->print(os);
    EXPECT_TRUE(isEqual(*report)) << text;
    for (const GradientCheckResult &check : report->gradients)
      EXPECT_TRUE(check.passed) << text;
    if (HasFailure())
      return;
  }
  RecordProperty("accepted", accepted);
  EXPECT_GE(accepted, count / 2);
}
