//===- TrainDialect.cpp - The train dialect -------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Train/TrainDialect.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "accrue/Dialect/Train/TrainOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

#include "accrue/Dialect/Train/TrainDialect.cpp.inc"

#include "accrue/Dialect/Train/TrainEnums.cpp.inc"

#include "accrue/Dialect/Train/TrainAttrInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "accrue/Dialect/Train/TrainAttributes.cpp.inc"

void TrainDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "accrue/Dialect/Train/TrainOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "accrue/Dialect/Train/TrainAttributes.cpp.inc"
      >();
}

Operation *TrainDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             Location loc) {
  return builder.getContext()
      ->getLoadedDialect<nn::NNDialect>()
      ->materializeConstant(builder, value, type, loc);
}

/// Fails unless the attribute `name` of `value` has the type `AttrTy`.
template <typename AttrTy>
static LogicalResult expectAttr(Operation *op, NamedAttribute attribute,
                                StringRef expected) {
  if (isa<AttrTy>(attribute.getValue()))
    return success();
  return op->emitError() << "expected '" << attribute.getName().getValue()
                         << "' to be " << expected << ", got "
                         << attribute.getValue();
}

LogicalResult TrainDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (name == attrs::kModel || name == attrs::kStep) {
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function)
      return op->emitError() << "expected '" << name << "' on a function";
    for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i)
      if (!function.getArgAttr(i, attrs::kRole))
        return op->emitError() << "expected argument " << i
                               << " to have the attribute 'train.role'";
    return success();
  }
  if (name == attrs::kProgram) {
    if (!isa<FunctionOpInterface>(op))
      return op->emitError() << "expected '" << name << "' on a function";
    return expectAttr<ProgramKindAttr>(op, attribute, "a kind of program");
  }
  if (name == attrs::kBatch)
    return expectAttr<IntegerAttr>(op, attribute, "an integer");
  if (name == attrs::kSchedule)
    return expectAttr<Schedule>(op, attribute, "a schedule");
  if (name == attrs::kClipNorm || name == attrs::kLossScale)
    return expectAttr<FloatAttr>(op, attribute, "a float");
  if (name == attrs::kBackward || name == attrs::kRecompute)
    return expectAttr<UnitAttr>(op, attribute, "a unit attribute");
  return op->emitError() << "unknown attribute '" << name << "'";
}

LogicalResult TrainDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                     unsigned index,
                                                     NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (name == attrs::kRole)
    return expectAttr<RoleAttr>(op, attribute, "a role");
  if (name == attrs::kName || name == attrs::kSlot)
    return expectAttr<StringAttr>(op, attribute, "a string");
  if (name == attrs::kRule)
    return expectAttr<OptimizerRule>(op, attribute, "an optimizer rule");
  if (name == attrs::kInit) {
    if (isa<FillAttr, UniformAttr, NormalAttr>(attribute.getValue()))
      return success();
    return op->emitError() << "expected 'train.init' to be an initializer, got "
                           << attribute.getValue();
  }
  if (name == attrs::kIndexBounds) {
    auto bounds = dyn_cast<ArrayAttr>(attribute.getValue());
    if (bounds && llvm::all_of(bounds, llvm::IsaPred<IndexBoundAttr>))
      return success();
    return op->emitError() << "expected '" << name
                           << "' to be a list of index bounds, got "
                           << attribute.getValue();
  }
  if (name == attrs::kBatchDim) {
    auto dim = dyn_cast<IntegerAttr>(attribute.getValue());
    auto type = dyn_cast<RankedTensorType>(
        cast<FunctionOpInterface>(op).getArgumentTypes()[index]);
    if (!dim || !type || dim.getInt() < 0 || dim.getInt() >= type.getRank())
      return op->emitError()
             << "expected 'train.batch_dim' of argument " << index
             << " to be one of its dimensions, got " << attribute.getValue();
    return success();
  }
  return op->emitError() << "unknown argument attribute '" << name << "'";
}

LogicalResult
TrainDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned,
                                          NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (name == attrs::kResult)
    return expectAttr<ResultKindAttr>(op, attribute, "a kind of result");
  if (name == attrs::kOnDemand)
    return expectAttr<UnitAttr>(op, attribute, "a unit attribute");
  if (name == attrs::kName)
    return expectAttr<StringAttr>(op, attribute, "a string");
  if (name == attrs::kUpdates) {
    auto index = dyn_cast<IntegerAttr>(attribute.getValue());
    auto function = cast<FunctionOpInterface>(op);
    if (!index || index.getInt() < 0 ||
        index.getInt() >= static_cast<int64_t>(function.getNumArguments()))
      return op->emitError() << "expected 'train.updates' to be the index of "
                                "an argument, got "
                             << attribute.getValue();
    return success();
  }
  return op->emitError() << "unknown result attribute '" << name << "'";
}

MappedAttr train::getMappedAttr(MLIRContext *context, const MappedMode &mode) {
  return MappedAttr::get(context, mode.dim, mode.outer, mode.inner,
                         mode.innerDenominator);
}

MappedMode train::getMappedMode(MappedAttr attr) {
  return {attr.getDim(), attr.getOuter(), attr.getInner(), attr.getGroup()};
}
