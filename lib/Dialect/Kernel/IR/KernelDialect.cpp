//===- KernelDialect.cpp - The kernel dialect -----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Kernel/KernelDialect.h"
#include "accrue/Dialect/Kernel/KernelDrawOps.h"
#include "accrue/Dialect/Kernel/KernelOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::kernel;

#include "accrue/Dialect/Kernel/KernelDialect.cpp.inc"

#include "accrue/Dialect/Kernel/KernelEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "accrue/Dialect/Kernel/KernelAttributes.cpp.inc"

void KernelDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "accrue/Dialect/Kernel/KernelOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "accrue/Dialect/Kernel/KernelDrawOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "accrue/Dialect/Kernel/KernelAttributes.cpp.inc"
      >();
}

LogicalResult
KernelDialect::verifyOperationAttribute(Operation *op,
                                        NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (name == attrs::kInputs) {
    if (isa<ArrayAttr>(attribute.getValue()))
      return success();
    return op->emitError() << "expected '" << name << "' to be a list";
  }
  if (name == attrs::kBackward) {
    if (isa<UnitAttr>(attribute.getValue()))
      return success();
    return op->emitError() << "expected '" << name
                           << "' to be a unit attribute";
  }
  if (name == attrs::kRecompute) {
    if (isa<IntegerAttr>(attribute.getValue()))
      return success();
    return op->emitError() << "expected '" << name << "' to be an integer";
  }
  if (name != attrs::kPlan)
    return op->emitError() << "unknown attribute '" << name << "'";
  auto plan = dyn_cast<PlanAttr>(attribute.getValue());
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!plan || !function)
    return op->emitError() << "expected '" << name
                           << "' to be a plan on a function";
  if (plan.getArenas().size() != function.getNumArguments())
    return op->emitError() << "expected one arena of the plan per argument ("
                           << function.getNumArguments() << "), got "
                           << plan.getArenas().size();
  for (auto [i, arena] : llvm::enumerate(plan.getArenas())) {
    auto mark = function.getArgAttrOfType<ArenaAttr>(i, attrs::kArena);
    if (!mark || mark.getValue() != arena.getArena())
      return op->emitError() << "expected argument " << i << " to be arena '"
                             << stringifyArena(arena.getArena()) << "'";
    auto type = dyn_cast<MemRefType>(function.getArgumentTypes()[i]);
    if (!type || type.getRank() != 1 || !type.getElementType().isInteger(8) ||
        type.getDimSize(0) != arena.getBytes())
      return op->emitError()
             << "expected arena '" << stringifyArena(arena.getArena())
             << "' to have " << arena.getBytes() << " bytes, got "
             << function.getArgumentTypes()[i];
  }
  for (ArenaPlanAttr arena : plan.getArenas())
    if (arena.getArena() == Arena::inputs &&
        (plan.getStaging() < 1 || arena.getBytes() % plan.getStaging() != 0))
      return op->emitError() << "expected " << arena.getBytes()
                             << " bytes of arena 'inputs' to be "
                             << plan.getStaging() << " equal parts";
  for (BufferPlanAttr buffer : plan.getBuffers()) {
    const ArenaPlanAttr *arena =
        llvm::find_if(plan.getArenas(), [&](ArenaPlanAttr candidate) {
          return candidate.getArena() == buffer.getArena();
        });
    // Those of the inputs lie in the first part.
    bool isStaged = buffer.getArena() == Arena::inputs;
    if (arena == plan.getArenas().end() ||
        buffer.getOffset() + buffer.getBytes() >
            arena->getBytes() / (isStaged ? plan.getStaging() : 1))
      return op->emitError() << "expected buffer \"" << buffer.getName()
                             << "\" to lie within its arena";
  }
  return success();
}

LogicalResult
KernelDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned,
                                        NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (name == attrs::kArena) {
    if (isa<ArenaAttr>(attribute.getValue()))
      return success();
    return op->emitError() << "expected '" << name << "' to be an arena";
  }
  if (name == attrs::kName) {
    if (isa<StringAttr>(attribute.getValue()))
      return success();
    return op->emitError() << "expected '" << name << "' to be a string";
  }
  return op->emitError() << "unknown argument attribute '" << name << "'";
}

int64_t kernel::getByteSize(ShapedType type) {
  return type.getNumElements() *
         llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}
