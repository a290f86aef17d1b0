//===- EmitLosses.cpp - Losses --------------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cross-entropy with PyTorch's options. nn.cross_entropy gives one loss per
// row; class weights, ignored labels and smoothing are composed around it. The
// losses that are plain compositions are in Standard/losses.acr.
//
//===----------------------------------------------------------------------===//

#include "Builtins.h"

using namespace mlir;

namespace accrue::frontend {

namespace {

/// The evaluated arguments of cross_entropy.
struct CrossEntropy {
  Value logits, label;
  StringRef reduction;
  /// Null without the option.
  Value weight;
  std::optional<int64_t> ignored;
  double smoothing = 0;

  nn::Extent getClasses() const {
    return nn::getExtents(getTensorType(logits)).back();
  }
};

} // namespace

enum CrossEntropyArgument {
  Logits,
  Label,
  Reduction,
  Weight,
  Ignore,
  Smoothing
};

static bool checkRows(BuiltinCall &call, Value logits, Value label) {
  RankedTensorType logitsType = getTensorType(logits);
  RankedTensorType labelType = getTensorType(label);
  Type labelElement = labelType.getElementType();
  SmallVector<nn::Extent> rows = nn::getExtents(logitsType);
  if (!rows.empty())
    rows.pop_back();
  if (logitsType.getRank() != 0 && nn::getExtents(labelType) == rows &&
      (labelElement.isInteger(32) || labelElement.isInteger(64)))
    return true;
  InFlightDiagnostic diag = call.emitError();
  diag << "expected logits [..., classes] and an i32 or i64 label for each "
          "row, got "
       << formatType(logitsType) << " and " << formatType(labelType);
  call.getEmitter().noteOperands(diag, call.getArguments().take_front(2));
  return false;
}

static std::optional<CrossEntropy> getCrossEntropy(BuiltinCall &call) {
  CrossEntropy result;
  result.logits = call.getFloatTensor(Logits);
  result.label = result.logits ? call.getTensor(Label) : Value();
  if (!result.label)
    return std::nullopt;
  std::optional<StringRef> reduction =
      call.getChoice(Reduction, {"mean", "sum", "none"});
  if (!reduction || !checkRows(call, result.logits, result.label))
    return std::nullopt;
  result.reduction = *reduction;

  if (call.has(Weight)) {
    result.weight = call.getFloatTensorOfRank(Weight, 1, "[classes]");
    if (!result.weight)
      return std::nullopt;
    RankedTensorType expected = nn::getTensorType(
        {result.getClasses()}, getTensorType(result.logits).getElementType());
    if (result.weight.getType() != expected) {
      call.reportUnexpected(Weight,
                            "a weight for each class, " + formatType(expected));
      return std::nullopt;
    }
  }
  if (call.has(Ignore)) {
    const StaticValue *value = call[Ignore].term.getStatic();
    result.ignored = value ? value->asInteger() : std::nullopt;
    Type type = getTensorType(result.label).getElementType();
    if (!result.ignored ||
        !llvm::isIntN(type.getIntOrFloatBitWidth(), *result.ignored)) {
      call.emitError(Ignore)
          << "expected an ignore_index of the label's type " << type << ", got "
          << call[Ignore].term.describe();
      return std::nullopt;
    }
  }
  std::optional<double> smoothing = call.getNumber(Smoothing, 0);
  if (!smoothing)
    return std::nullopt;
  if (*smoothing < 0 || *smoothing > 1) {
    call.emitError(Smoothing) << "expected a label_smoothing from 0 to 1, got "
                              << formatNumber(*smoothing);
    return std::nullopt;
  }
  result.smoothing = *smoothing;
  return result;
}

/// Builds one loss per row and the weight of each row in the mean.
class CrossEntropyBuilder {
public:
  CrossEntropyBuilder(BuiltinCall &call, const CrossEntropy &arguments)
      : call(call), arguments(arguments), label(arguments.label) {}

  Value build();

private:
  /// A constant of the shape of `like`.
  Value constant(double value, Value like) {
    RankedTensorType type = getTensorType(like);
    Value scalar = call.getBuilder().createConstant(call.getLoc(), value,
                                                    type.getElementType());
    return call.getBuilder().createBroadcast(call.getLoc(), scalar,
                                             nn::getExtents(type));
  }
  Value scale(Value x, double factor) {
    return call.create<nn::MulOp>(x, constant(factor, x));
  }
  /// `rows`, and 0 where the label is ignored.
  Value mask(Value rows) {
    return kept ? call.create<nn::SelectOp>(kept, rows, constant(0, rows))
                : rows;
  }
  /// The mean of log_softmax(logits) over the classes, with their weights.
  Value buildMeanLog();
  Value reduce(Value losses);

  BuiltinCall &call;
  const CrossEntropy &arguments;
  /// The labels, with 0 for those that are ignored.
  Value label;
  /// i1, null where no label is ignored.
  Value kept;
  /// The weight of each row's class; null without weights.
  Value rowWeight;
};

Value CrossEntropyBuilder::buildMeanLog() {
  Value logs = call.create<nn::LogSoftmaxOp>(
      arguments.logits, getTensorType(arguments.logits).getRank() - 1);
  RankedTensorType type = getTensorType(logs);
  if (arguments.weight)
    logs = call.create<nn::MulOp>(
        logs, call.getBuilder().createBroadcast(call.getLoc(), arguments.weight,
                                                nn::getExtents(type)));
  return call.create<nn::MeanOp>(logs, ArrayRef<int64_t>(type.getRank() - 1));
}

Value CrossEntropyBuilder::reduce(Value losses) {
  auto dims =
      llvm::to_vector(llvm::seq<int64_t>(0, getTensorType(losses).getRank()));
  if (arguments.reduction == "none")
    return losses;
  if (arguments.reduction == "mean" && !kept && !rowWeight)
    return dims.empty() ? losses : call.create<nn::MeanOp>(losses, dims);
  Value total = dims.empty() ? losses : call.create<nn::SumOp>(losses, dims);
  if (arguments.reduction == "sum")
    return total;
  // Each row has the weight of its class in the mean, an ignored one none.
  Value weights = mask(rowWeight ? rowWeight : constant(1, losses));
  if (!dims.empty())
    weights = call.create<nn::SumOp>(weights, dims);
  return call.create<nn::DivOp>(total, weights);
}

Value CrossEntropyBuilder::build() {
  if (arguments.ignored) {
    Value ignored = constant(*arguments.ignored, label);
    kept = call.create<nn::CompareOp>(nn::ComparePredicate::ne, label, ignored);
    label = call.create<nn::SelectOp>(kept, label, constant(0, label));
  }
  if (arguments.weight)
    rowWeight = call.create<nn::GatherOp>(arguments.weight, label, 0);
  Value losses = call.create<nn::CrossEntropyOp>(arguments.logits, label);
  if (rowWeight)
    losses = call.create<nn::MulOp>(losses, rowWeight);
  if (arguments.smoothing != 0) {
    losses = scale(losses, 1 - arguments.smoothing);
    // Against equal probabilities of all classes.
    Value uniform = scale(buildMeanLog(), -arguments.smoothing);
    losses = call.create<nn::AddOp>(losses, uniform);
  }
  return reduce(mask(losses));
}

static Term emitCrossEntropy(BuiltinCall &call) {
  std::optional<CrossEntropy> arguments = getCrossEntropy(call);
  return arguments ? CrossEntropyBuilder(call, *arguments).build() : Value();
}

/// The mean or sum of all elements, or the elements as they are.
static Term emitReduce(BuiltinCall &call) {
  Value x = call.getFloatTensor(0);
  std::optional<StringRef> reduction =
      call.getChoice(1, {"mean", "sum", "none"});
  if (!x || !reduction)
    return {};
  auto dims =
      llvm::to_vector(llvm::seq<int64_t>(0, getTensorType(x).getRank()));
  if (*reduction == "none")
    return x;
  if (*reduction == "mean")
    return call.create<nn::MeanOp>(x, dims);
  return call.create<nn::SumOp>(x, dims);
}

ArrayRef<Builtin> getLossBuiltins() {
  static const SmallVector<Builtin> builtins = {
      {"cross_entropy",
       {{"logits"},
        {"label"},
        {"reduction", false},
        {"weight", false},
        {"ignore_index", false},
        {"label_smoothing", false}},
       emitCrossEntropy},
      {"reduce", {{"x"}, {"reduction", false}}, emitReduce},
  };
  return builtins;
}

} // namespace accrue::frontend
