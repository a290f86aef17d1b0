//===- CUDAGemmOps.cpp - Matrix products of the cuda dialect --------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/CUDA/CUDAOps.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

/// Rows of a matrix that is rows x cols, or its transpose.
static int64_t getRows(int64_t rows, int64_t cols, bool transposed) {
  return transposed ? cols : rows;
}

LogicalResult GemmPlanOp::verify() {
  for (Type type : {getAType(), getBType(), getCType(), getComputeType()})
    if (!isa<FloatType>(type))
      return emitOpError("expected types of floats, got ") << type;
  if (!getComputeType().isF32() && !getComputeType().isF64())
    return emitOpError("expected sums of type f32 or f64, got ")
           << getComputeType();
  struct Matrix {
    StringRef name;
    int64_t rows, ld;
  };
  int64_t m = getMAttr().getInt(), n = getNAttr().getInt(),
          k = getKAttr().getInt();
  for (Matrix matrix :
       {Matrix{"a", getRows(m, k, getTransposeA()), getLdaAttr().getInt()},
        Matrix{"b", getRows(k, n, getTransposeB()), getLdbAttr().getInt()},
        Matrix{"c", m, getLdcAttr().getInt()}})
    if (matrix.ld < matrix.rows)
      return emitOpError("expected columns of '")
             << matrix.name << "' at least " << matrix.rows
             << " elements apart, got " << matrix.ld;
  return success();
}

/// Elements of `type`, or -1.
static int64_t getSize(Value value) {
  auto type = cast<MemRefType>(value.getType());
  return type.hasStaticShape() ? type.getNumElements() : -1;
}

LogicalResult GemmOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto plan =
      symbolTable.lookupNearestSymbolFrom<GemmPlanOp>(*this, getPlanAttr());
  if (!plan)
    return emitOpError("expected '")
           << getPlan() << "' to be the plan of a product of this module";
  auto refuse = [&](const Twine &message) -> InFlightDiagnostic {
    InFlightDiagnostic diag = emitOpError("expected ") << message;
    diag.attachNote(plan.getLoc()) << "planned here";
    return diag;
  };
  if (getAlpha().getType() != plan.getComputeType())
    return refuse("'alpha' and 'beta' of the type of the sums");
  for (auto [value, type] : {std::pair<Value, Type>{getA(), plan.getAType()},
                             std::pair<Value, Type>{getB(), plan.getBType()},
                             std::pair<Value, Type>{getC(), plan.getCType()}})
    if (cast<MemRefType>(value.getType()).getElementType() != type)
      return refuse("matrices of the types of the plan");
  int64_t needed = plan.getWorkspaceAttr().getInt();
  if (needed > 0 && (!getWorkspace() || getSize(getWorkspace()) < needed))
    return refuse("a workspace of " + Twine(needed) + " bytes");
  return success();
}

void GemmOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getAMutable());
  effects.emplace_back(MemoryEffects::Read::get(), &getBMutable());
  effects.emplace_back(MemoryEffects::Read::get(), &getCMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getCMutable());
  for (OpOperand &workspace : getWorkspaceMutable()) {
    effects.emplace_back(MemoryEffects::Read::get(), &workspace);
    effects.emplace_back(MemoryEffects::Write::get(), &workspace);
  }
}
