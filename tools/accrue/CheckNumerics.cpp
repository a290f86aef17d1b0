//===- CheckNumerics.cpp - Why a step was not finite ----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interpreter runs the step unsplit, so that the report does not depend on
// the micro-batches. Which sample an element belongs to is what the analysis of
// the batch found out.
//
//===----------------------------------------------------------------------===//

#include "CheckNumerics.h"

#include "StepArguments.h"
#include "accrue/Reference/NonFinite.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/WithColor.h"
#include <cmath>
#include <fmt/format.h>

using namespace mlir;
using namespace accrue;
using namespace accrue::tool;
using reference::NonFinite;
using reference::Tensor;

namespace {
class NumericsCheck {
public:
  NumericsCheck(const AnalyzedStep &step, Executable &executable,
                InputProvider &inputs, const io::Batch &batch, uint64_t seed)
      : function(step.function), plan(step.plan), executable(executable),
        inputs(inputs), batch(batch), seed(seed) {}

  io::Status run();

private:
  void collectModes();
  std::string describePlace(const NonFinite &item) const;
  void report(const NonFinite &item, const NonFinite *next) const;

  func::FuncOp function;
  const BatchPlan &plan;
  Executable &executable;
  InputProvider &inputs;
  const io::Batch &batch;
  uint64_t seed;
  /// How the values of the step enumerate samples; without those that do not.
  DenseMap<Value, MappedMode> modes;
  /// Of how many equal runs of samples the inputs are read; see MappedMode.
  int64_t runs = 1;
};
} // namespace

void NumericsCheck::collectModes() {
  for (const std::unique_ptr<PlanNode> &node : plan.graph.getNodes()) {
    if (!node->perMicroBatch)
      continue;
    if (node->kind == PlanNode::Kind::Op) {
      for (auto [value, mode] : llvm::zip(node->op->getResults(), node->modes))
        if (mode)
          modes.try_emplace(value, *mode);
    } else if (node->source && node->modes.front()) {
      modes.try_emplace(node->source, *node->modes.front());
      if (isa<BlockArgument>(node->source) &&
          node->modes.front()->innerDenominator > 1)
        runs = node->modes.front()->outer;
    }
  }
}

/// " at sample 37 (index [37, 2])".
std::string NumericsCheck::describePlace(const NonFinite &item) const {
  std::string index = fmt::format("index [{}]", fmt::join(item.index, ", "));
  auto mode = modes.find(item.value);
  if (mode == modes.end()) {
    std::string place = item.index.empty() ? "" : " at " + index;
    bool isComputed = item.value.getDefiningOp() != nullptr;
    return place + (isComputed ? ", in a value that belongs to no sample" : "");
  }
  // The dimension is (outer, group of samples, inner).
  const MappedMode &mapped = mode->second;
  int64_t groups = batch.size() / mapped.innerDenominator;
  int64_t position = item.index[mapped.dim] / mapped.inner;
  int64_t group = position % groups, outer = position / groups;
  int64_t sample = group;
  if (mapped.innerDenominator > 1) {
    if (runs == 1)
      return fmt::format(" at one of the samples {} to {} ({})",
                         group * mapped.innerDenominator,
                         (group + 1) * mapped.innerDenominator - 1, index);
    // A group has a sample of each run.
    if (mapped.outer % runs != 0)
      return fmt::format(" at one of the samples {}, {}, ... ({})", group,
                         group + groups, index);
    sample = outer % runs * groups + group;
  }
  return fmt::format(" at sample {} ({}), which is sample {} of the data",
                     sample, index, batch.samples[sample]);
}

static StringRef getKindName(const NonFinite &item) {
  return item.isNaN() ? "NaN" : "infinity";
}

/// "op 'nn.log' of the backward pass", or "input 'x'".
static std::string describeValue(Value value) {
  if (Operation *op = value.getDefiningOp())
    return "op '" + op->getName().getStringRef().str() + "'" +
           (op->hasAttr(train::attrs::kBackward) ? " of the backward pass"
                                                 : "");
  auto argument = cast<BlockArgument>(value);
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  unsigned number = argument.getArgNumber();
  auto role =
      function.getArgAttrOfType<train::RoleAttr>(number, train::attrs::kRole);
  auto name =
      function.getArgAttrOfType<StringAttr>(number, train::attrs::kName);
  StringRef kind = role.getValue() == train::Role::batch   ? "input"
                   : role.getValue() == train::Role::param ? "parameter"
                                                           : "state";
  return (kind + " '" + name.getValue() + "'").str();
}

void NumericsCheck::report(const NonFinite &item, const NonFinite *next) const {
  InFlightDiagnostic diag = emitError(item.value.getLoc());
  diag << describeValue(item.value) << ": first " << getKindName(item)
       << " of batch " << (batch.index + 1) << describePlace(item);
  SmallVector<std::string> operands;
  for (auto [i, element] : llvm::enumerate(item.operands))
    if (element)
      operands.push_back(fmt::format("operand {} is {}", i, *element));
  if (!operands.empty())
    diag.attachNote() << "there, " << llvm::join(operands, ", ");
  if (next)
    diag.attachNote(next->value.getLoc())
        << describeValue(next->value) << ": first " << getKindName(*next)
        << describePlace(*next);
}

io::Status NumericsCheck::run() {
  io::Result<SmallVector<Tensor>> arguments =
      readArguments(function, executable, inputs, batch, seed, 0, batch.size());
  if (!arguments)
    return arguments.status();
  collectModes();
  reference::InterpreterOptions options;
  options.batch = batch.size();
  options.precision = reference::Precision::Declared;
  FailureOr<SmallVector<NonFinite, 2>> found =
      reference::findNonFinite(function, *arguments, options);
  // A value out of its range is an explanation too.
  if (failed(found))
    return io::Status::success();
  if (found->empty()) {
    llvm::WithColor::warning(llvm::errs(), "accrue")
        << "all values are finite where the step is interpreted: the target "
           "rounds otherwise, close to the largest number of a type\n";
    return io::Status::success();
  }
  report(found->front(), found->size() > 1 ? &found->back() : nullptr);
  return io::Status::success();
}

InspectStep tool::explainWithInterpreter(const AnalyzedStep &step) {
  return [&step](Executable &executable, InputProvider &inputs,
                 const io::Batch &batch, uint64_t seed) {
    return NumericsCheck(step, executable, inputs, batch, seed).run();
  };
}
