//===- MapGemm.cpp - Matrix products as plans and calls -------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuBLASLt is column-major: a row-major matrix is there its transpose. So
// C = op(A) op(B) is asked for as C^T = op(B)^T op(A)^T, with the same
// transposes and the rows' lengths as leading dimensions. Products of all steps
// that are alike share a plan, which is called after its transposes and sizes.
//
//===----------------------------------------------------------------------===//

#include "Mapping.h"
#include "accrue/Analysis/KernelCost.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

static MemRefType getMatrix(Value value) {
  return cast<MemRefType>(value.getType());
}

/// `tn_128x512x64`, after the types where they are not all f32, and before the
/// number of products where it is not one.
static std::string getPlanName(GemmPlanOp plan) {
  std::string name;
  llvm::raw_string_ostream os(name);
  Type a = plan.getAType(), b = plan.getBType(), c = plan.getCType();
  if (!a.isF32() || !b.isF32() || !c.isF32()) {
    os << a << '_';
    if (b != a || c != a)
      os << b << '_' << c << '_';
  }
  os << (plan.getTransposeA() ? 't' : 'n') << (plan.getTransposeB() ? 't' : 'n')
     << '_' << plan.getM() << 'x' << plan.getN() << 'x' << plan.getK();
  if (plan.getBatch() != 1)
    os << "_batch" << plan.getBatch();
  return name;
}

/// What distinguishes plans.
static DictionaryAttr getKey(GemmPlanOp plan) {
  NamedAttrList key(plan->getPropertiesAsAttribute()
                        ? cast<DictionaryAttr>(plan->getPropertiesAsAttribute())
                        : DictionaryAttr::get(plan.getContext()));
  key.erase(plan.getSymNameAttrName());
  key.erase(plan.getSourcesAttrName());
  key.erase(plan.getFlopsAttrName());
  return key.getDictionary(plan.getContext());
}

/// The plan of `gemm`: one that is there, else a new one before `step`.
static GemmPlanOp getPlan(kernel::GemmOp gemm, func::FuncOp step,
                          SymbolTable &symbols) {
  OpBuilder builder(step.getContext());
  MemRefType a = getMatrix(gemm.getA()), b = getMatrix(gemm.getB()),
             c = getMatrix(gemm.getC());
  auto getRowLength = [](MemRefType type) { return type.getShape().back(); };
  Value workspace = gemm.getWorkspace();
  auto plan = GemmPlanOp::create(
      builder, gemm.getLoc(), /*sym_name=*/"gemm", /*m=*/gemm.getN(),
      /*n=*/gemm.getM(), /*k=*/gemm.getK(), gemm.getBatch(),
      gemm.getAlpha().getType(), b.getElementType(), gemm.getTransposeB(),
      /*lda=*/getRowLength(b), a.getElementType(), gemm.getTransposeA(),
      /*ldb=*/getRowLength(a), c.getElementType(), /*ldc=*/getRowLength(c),
      workspace ? getMatrix(workspace).getNumElements() : 0,
      getSources(gemm.getLoc()),
      builder.getI64IntegerAttr(getKernelCost(gemm).flops));
  DictionaryAttr key = getKey(plan);
  for (auto known : step->getParentOfType<ModuleOp>().getOps<GemmPlanOp>()) {
    if (getKey(known) != key)
      continue;
    // Lines of all products that share it.
    SmallVector<Attribute> sources(known.getSourcesAttr().getValue());
    for (Attribute source : plan.getSourcesAttr())
      if (!llvm::is_contained(sources, source))
        sources.push_back(source);
    known.setSourcesAttr(builder.getArrayAttr(sources));
    plan.erase();
    return known;
  }
  plan.setSymName(getPlanName(plan));
  symbols.insert(plan, step->getIterator());
  return plan;
}

void accrue::cuda::mapGemm(kernel::GemmOp gemm, SymbolTable &symbols) {
  GemmPlanOp plan =
      getPlan(gemm, gemm->getParentOfType<func::FuncOp>(), symbols);
  OpBuilder builder(gemm);
  GemmOp::create(builder, gemm.getLoc(), plan.getSymName(), gemm.getAlpha(),
                 gemm.getB(), gemm.getA(), gemm.getBeta(), gemm.getC(),
                 gemm.getWorkspace());
  gemm.erase();
}
