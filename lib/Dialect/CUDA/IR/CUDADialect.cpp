//===- CUDADialect.cpp - The exit level of the CUDA target ----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/CUDA/CUDAOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

#include "accrue/Dialect/CUDA/CUDADialect.cpp.inc"

#include "accrue/Dialect/CUDA/CUDAEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "accrue/Dialect/CUDA/CUDAAttributes.cpp.inc"

void CUDADialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "accrue/Dialect/CUDA/CUDAOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "accrue/Dialect/CUDA/CUDAAttributes.cpp.inc"
      >();
}

/// Number of values that `cuda.names` of `op` has to name.
static size_t getNumNames(Operation *op) {
  if (auto plan = op->getAttrOfType<kernel::PlanAttr>(kernel::attrs::kPlan))
    return plan.getInputs().size();
  return op->getNumResults() + (isa<scf::ForOp>(op) ? 1 : 0);
}

LogicalResult CUDADialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (name == attrs::kGraphs) {
    auto mode = dyn_cast<GraphModeAttr>(attribute.getValue());
    if (mode && mode.getValue() != GraphMode::automatic)
      return success();
    return op->emitError() << "expected '" << name
                           << "' to be a decided '#cuda.graphs'";
  }
  if (name == attrs::kBenchmark) {
    if (isa<SegmentOp>(op) && isa<BenchmarkAttr>(attribute.getValue()))
      return success();
    return op->emitError() << "expected '" << name
                           << "' to be a '#cuda.benchmark' of a segment";
  }
  if (name != attrs::kNames)
    return op->emitError() << "unknown attribute '" << name << "'";
  auto names = dyn_cast<ArrayAttr>(attribute.getValue());
  if (!names || !llvm::all_of(names, llvm::IsaPred<StringAttr>))
    return op->emitError() << "expected '" << name
                           << "' to be a list of strings";
  if (names.size() != getNumNames(op))
    return op->emitError() << "expected '" << name << "' to have "
                           << getNumNames(op) << " names, got " << names.size();
  return success();
}

LogicalResult CUDADialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                    unsigned,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (name != attrs::kName)
    return op->emitError() << "unknown argument attribute '" << name << "'";
  if (!isa<StringAttr>(attribute.getValue()))
    return op->emitError() << "expected '" << name << "' to be a string";
  return success();
}
