//===- Matmul.cpp - Matrix products ---------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of the products of a program, one row per plan, and their calls.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

std::string accrue::cuda::getMatmulNamespace(StringRef program) {
  return (program + "_matmuls").str();
}

/// `CUDA_R_32F`.
static FailureOr<StringRef> getDataType(Type type, Location loc) {
  if (type.isF32())
    return StringRef("CUDA_R_32F");
  if (type.isF64())
    return StringRef("CUDA_R_64F");
  if (type.isF16())
    return StringRef("CUDA_R_16F");
  if (type.isBF16())
    return StringRef("CUDA_R_16BF");
  return emitError(loc, "cannot emit matrix products of type ") << type;
}

/// A value of `accrue::MatmulTypes`.
static FailureOr<std::string> getTypes(GemmPlanOp plan) {
  Type compute = plan.getComputeType();
  SmallVector<Type> types = {compute, plan.getAType(), plan.getBType(),
                             plan.getCType()};
  if (llvm::all_equal(types))
    return std::string(compute.isF64() ? "accrue::kF64" : "accrue::kF32");
  std::string text =
      compute.isF64() ? "{CUBLAS_COMPUTE_64F" : "{CUBLAS_COMPUTE_32F";
  for (Type type : types) {
    FailureOr<StringRef> name = getDataType(type, plan.getLoc());
    if (failed(name))
      return failure();
    text += (", " + *name).str();
  }
  return text + "}";
}

static StringRef getOperation(bool transposed) {
  return transposed ? "CUBLAS_OP_T" : "CUBLAS_OP_N";
}

/// The product as the model has it: `[4, 5] = [4, 3] [5, 3]^T`, or
/// `12 of [4, 5] = [4, 3] [5, 3]^T`.
static std::string describeProduct(GemmPlanOp plan) {
  auto describe = [](int64_t rows, int64_t cols, bool transposed) {
    if (transposed)
      std::swap(rows, cols);
    return llvm::formatv("[{0}, {1}]{2}", rows, cols, transposed ? "^T" : "")
        .str();
  };
  int64_t rows = plan.getN(), cols = plan.getM(), sums = plan.getK();
  std::string count =
      plan.getBatch() == 1 ? "" : std::to_string(plan.getBatch()) + " of ";
  return count + describe(rows, cols, false) + " = " +
         describe(rows, sums, plan.getTransposeB()) + " " +
         describe(sums, cols, plan.getTransposeA());
}

static LogicalResult emitPlan(Writer &writer, GemmPlanOp plan) {
  std::string comment = plan.getSymName().str() + ": " + describeProduct(plan);
  if (std::optional<uint64_t> flops = plan.getFlops())
    comment += ", " + std::to_string(*flops) + " FLOPs";
  if (ArrayAttr sources = plan.getSourcesAttr(); sources && !sources.empty())
    comment +=
        ", from " + llvm::join(sources.getAsValueRange<StringAttr>(), ", ");
  FailureOr<std::string> types = getTypes(plan);
  if (failed(types))
    return failure();
  writer.comment(comment);
  writer.line(llvm::formatv("{{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, "
                            "{9}, {10}},",
                            *types, getOperation(plan.getTransposeA()),
                            getOperation(plan.getTransposeB()), plan.getM(),
                            plan.getN(), plan.getK(), plan.getBatch(),
                            plan.getLda(), plan.getLdb(), plan.getLdc(),
                            plan.getWorkspace())
                  .str());
  return success();
}

LogicalResult accrue::cuda::emitMatmuls(Writer &writer,
                                        const Program &program) {
  writer.line();
  std::string name = getMatmulNamespace(program.name);
  writer.line("namespace " + name + " {");
  writer.line();
  writer.comment("The numbers of the plans, named after transposes, m, n and "
                 "k, and the number of products. cuBLASLt is column-major: its "
                 "A and B are B and A of the "
                 "row-major products that the comments show.");
  writer.open("enum : int {");
  for (GemmPlanOp plan : program.matmuls)
    writer.line(plan.getSymName() + ",");
  writer.line("count");
  writer.close("};");
  writer.line();
  writer.comment("Types; transposes; m, n, k; number of products; leading "
                 "dimensions; bytes of workspace.");
  writer.open("const accrue::MatmulShape shapes[count] = {");
  for (GemmPlanOp plan : program.matmuls)
    if (failed(emitPlan(writer, plan)))
      return failure();
  writer.close("};");
  writer.line();
  writer.line("} // namespace " + name);
  return success();
}

LogicalResult BodyEmitter::emitGemm(GemmOp gemm) {
  SmallVector<std::string> arguments = {"model->matmuls[" + matmulNamespace +
                                        "::" + gemm.getPlan().str() + "]"};
  auto append = [&](Value value, StringRef prefix) -> LogicalResult {
    if (!value) {
      arguments.push_back("nullptr");
      return success();
    }
    FailureOr<std::string> text = getText(value);
    if (failed(text))
      return failure();
    arguments.push_back((prefix + *text).str());
    return success();
  };
  for (Value scalar : {gemm.getAlpha(), gemm.getBeta()})
    if (getName(scalar).empty())
      return gemm.emitOpError("cannot be emitted without names");
  if (failed(append(gemm.getAlpha(), "&")) || failed(append(gemm.getA(), "")) ||
      failed(append(gemm.getB(), "")) || failed(append(gemm.getBeta(), "&")) ||
      failed(append(gemm.getC(), "")) ||
      failed(append(gemm.getWorkspace(), "")))
    return failure();
  arguments.push_back("model->stream");
  emitCheckedCall("accrue::matmul", arguments);
  return success();
}
