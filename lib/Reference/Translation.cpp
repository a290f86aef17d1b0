//===- Translation.cpp - The interpreter as a translation -----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `accrue-translate --interpret`: numeric tests write the arguments of a
// function as attributes and check the printed results.
//
//===----------------------------------------------------------------------===//

#include "accrue/Reference/Translation.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "accrue/Dialect/Train/TrainOps.h"
#include "accrue/Reference/Interpreter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::reference;

static llvm::cl::opt<std::string>
    entryOption("interpret-entry",
                llvm::cl::desc("Function to run (default: every function)"),
                llvm::cl::value_desc("name"));
static llvm::cl::opt<int64_t> batchOption(
    "interpret-batch",
    llvm::cl::desc("Samples in the logical batch (default: 'train.batch')"),
    llvm::cl::init(0));
static llvm::cl::opt<Precision> precisionOption(
    "interpret-precision", llvm::cl::desc("How floats are computed"),
    llvm::cl::values(
        clEnumValN(Precision::F64, "f64", "in double"),
        clEnumValN(Precision::Declared, "declared",
                   "rounded to the declared types after every operation")),
    llvm::cl::init(Precision::F64));
static llvm::cl::opt<unsigned> digitsOption(
    "interpret-digits",
    llvm::cl::desc("Significant digits (default: the fewest that read back)"),
    llvm::cl::init(0));

/// The value of argument `index`: its attribute, or zero for a state.
static FailureOr<Tensor> getArgument(func::FuncOp function, unsigned index,
                                     int64_t batch) {
  constexpr llvm::StringLiteral name = "reference.value";
  Attribute value = function.getArgAttr(index, name);
  if (auto elements = dyn_cast_if_present<ElementsAttr>(value))
    if (std::optional<Tensor> tensor = Tensor::get(elements))
      return *tensor;
  auto role =
      function.getArgAttrOfType<train::RoleAttr>(index, train::attrs::kRole);
  if (!value && role && role.getValue() == train::Role::state)
    if (auto type =
            dyn_cast<RankedTensorType>(function.getArgumentTypes()[index]))
      if (RankedTensorType resolved = nn::getTypeForBatch(type, batch))
        return Tensor(resolved);
  function.emitOpError("expected argument ")
      << index << " to have a value in '" << name << "'";
  return failure();
}

/// What result `index` is called, or an empty string.
static std::string getResultName(func::FuncOp function, unsigned index) {
  if (auto name =
          function.getResultAttrOfType<StringAttr>(index, train::attrs::kName))
    return name.str();
  auto updated =
      function.getResultAttrOfType<IntegerAttr>(index, train::attrs::kUpdates);
  if (!updated)
    return "";
  auto name = function.getArgAttrOfType<StringAttr>(updated.getInt(),
                                                    train::attrs::kName);
  auto slot = function.getArgAttrOfType<StringAttr>(updated.getInt(),
                                                    train::attrs::kSlot);
  if (!name)
    return "";
  return slot ? (name.getValue() + "." + slot.getValue()).str() : name.str();
}

static LogicalResult interpretAndPrint(func::FuncOp function,
                                       llvm::raw_ostream &os) {
  InterpreterOptions options{batchOption, precisionOption};
  SmallVector<Tensor> arguments;
  for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i) {
    FailureOr<Tensor> argument =
        getArgument(function, i, getLogicalBatch(function, options));
    if (failed(argument))
      return failure();
    arguments.push_back(std::move(*argument));
  }
  FailureOr<SmallVector<Tensor>> results =
      interpret(function, arguments, options);
  if (failed(results))
    return failure();
  std::optional<unsigned> digits;
  if (digitsOption > 0)
    digits = digitsOption;
  os << '@' << function.getName() << '\n';
  for (auto [i, result] : llvm::enumerate(*results)) {
    std::string name = getResultName(function, i);
    os << "  #" << i << (name.empty() ? "" : " ") << name << ": ";
    result.print(os, digits);
    os << " : " << result.getType() << '\n';
  }
  return success();
}

static LogicalResult interpretModule(Operation *op, llvm::raw_ostream &os) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    return op->emitOpError("expected a module");
  if (!entryOption.empty()) {
    auto function = module.lookupSymbol<func::FuncOp>(entryOption);
    if (!function)
      return module.emitError("expected a function '") << entryOption << "'";
    return interpretAndPrint(function, os);
  }
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(interpretAndPrint(function, os)))
      return failure();
  return success();
}

void reference::registerInterpretTranslation() {
  TranslateFromMLIRRegistration(
      "interpret", "run functions by the reference interpreter",
      interpretModule, [](DialectRegistry &registry) {
        registry
            .insert<func::FuncDialect, nn::NNDialect, train::TrainDialect>();
      });
}
