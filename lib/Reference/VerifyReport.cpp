//===- VerifyReport.cpp - The table of a comparison -----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Reference/Verify.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

using namespace mlir;
using namespace accrue;
using namespace accrue::reference;

bool VerifyRow::passed(size_t variant) const {
  return f64Errors[variant].value_or(0) <= tolerance.f64 &&
         declaredErrors[variant] <= tolerance.declared;
}

bool VerifyRow::passed() const {
  return llvm::all_of(llvm::seq(declaredErrors.size()),
                      [&](size_t variant) { return passed(variant); });
}

bool VerifyReport::passed() const {
  auto passes = [](const auto &row) { return row.passed(); };
  auto agrees = [](const GradientCheckResult &check) { return check.passed; };
  return llvm::all_of(rows, passes) && llvm::all_of(gradients, agrees) &&
         llvm::all_of(splitGradients, agrees);
}

/// `512`, `4 x 128`, `5 x 100 + 12`.
static std::string formatSplit(int64_t batch, int64_t microBatch) {
  if (microBatch == batch)
    return fmt::format("{}", batch);
  std::string text = fmt::format("{} x {}", batch / microBatch, microBatch);
  if (batch % microBatch != 0)
    text += fmt::format(" + {}", batch % microBatch);
  return text;
}

static std::string formatError(std::optional<double> error) {
  if (!error)
    return "-";
  return *error == 0 ? "0" : fmt::format("{:.0e}", *error);
}

/// What the declared types are called in the table: their name if there is one.
static std::string getTypesName(const VerifyReport &report) {
  Type type = report.rows.empty() ? Type() : report.rows.front().elementType;
  for (const VerifyRow &row : report.rows)
    if (row.elementType != type)
      return "typed";
  std::string name;
  llvm::raw_string_ostream os(name);
  if (type)
    os << type;
  return name;
}

/// The comparison of the variants with or without recomputation.
static void printErrors(const VerifyReport &report, bool recompute,
                        size_t nameWidth, raw_ostream &os) {
  std::string types = getTypesName(report);
  SmallVector<size_t> columns;
  for (auto [i, variant] : llvm::enumerate(report.variants))
    if (variant.recompute == recompute)
      columns.push_back(i);
  if (columns.empty())
    return;
  os << (recompute ? "  with recomputation\n" : "");
  os << fmt::format("  {:{}}", "micro-batches", nameWidth);
  for (size_t column : columns)
    os << fmt::format(
        "  {:^15}",
        formatSplit(report.batch, report.variants[column].microBatch));
  os << fmt::format("\n  {:{}}", "", nameWidth);
  for (size_t column [[maybe_unused]] : columns)
    os << fmt::format("  {:>7} {:>7}", "f64", types);
  os << '\n';
  for (const VerifyRow &row : report.rows) {
    os << fmt::format("  {:{}}", row.name, nameWidth);
    bool ok = true;
    for (size_t column : columns) {
      os << fmt::format("  {:>7} {:>7}", formatError(row.f64Errors[column]),
                        formatError(row.declaredErrors[column]));
      ok &= row.passed(column);
    }
    os << (ok ? "  ok" : "  FAIL") << formatRounding(row.tolerance) << '\n';
  }
}

static void printGradients(ArrayRef<GradientCheckResult> gradients,
                           size_t nameWidth, raw_ostream &os) {
  for (const GradientCheckResult &check : gradients) {
    os << fmt::format("  {:{}}  {:>7}  {} probes", check.name, nameWidth,
                      formatError(check.error), check.probes);
    if (check.kinks > 0)
      os << fmt::format(", {} at a kink", check.kinks);
    os << (check.passed ? "  ok\n" : "  FAIL\n");
  }
}

void VerifyReport::print(raw_ostream &os) const {
  size_t nameWidth = StringRef("micro-batches").size();
  for (const VerifyRow &row : rows)
    nameWidth = std::max(nameWidth, row.name.size());
  os << fmt::format("{}: full batch of {} against micro-batches, error per "
                    "tensor\n",
                    model, batch);
  if (llvm::any_of(variants, [](const VerifyVariant &variant) {
        return variant.ownStatistics;
      }))
    os << "  normalized by the statistics of each micro-batch, a split step is "
          "not that of the full batch:\n  it is compared with itself, stored "
          "and in f64\n";
  printErrors(*this, /*recompute=*/false, nameWidth, os);
  printErrors(*this, /*recompute=*/true, nameWidth, os);
  if (contrast)
    os << fmt::format("  for contrast, {} without the weights: gradients "
                      "{:.1f} x as large\n",
                      formatSplit(batch, contrast->microBatch),
                      contrast->factor);
  if (!hasFiniteLoss)
    os << "the loss is not finite: gradients have no finite differences\n";
  if (!gradients.empty()) {
    os << "gradients against finite differences (f64), error per tensor\n";
    printGradients(gradients, nameWidth, os);
  }
  if (!splitGradients.empty()) {
    os << fmt::format("the same of the step in micro-batches: {}\n",
                      formatSplit(split.batch, split.microBatch));
    printGradients(splitGradients, nameWidth, os);
  }
}
