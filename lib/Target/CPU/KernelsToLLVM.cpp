//===- KernelsToLLVM.cpp - Steps and kernels in the LLVM dialect ----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers have static shapes and no gaps, so a memref is a pointer: MLIR's
// conversions serve for scalars and control flow, the few ops on memory have
// patterns of their own.
//
//===----------------------------------------------------------------------===//

#include "LLVMPatterns.h"
#include "accrue/Target/CPU/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"

namespace accrue::cpu {
#define GEN_PASS_DEF_KERNELSTOLLVM
#include "accrue/Target/CPU/Passes.h.inc"
} // namespace accrue::cpu

using namespace mlir;
using namespace accrue;
using namespace accrue::cpu;

//===----------------------------------------------------------------------===//
// What is accepted
//===----------------------------------------------------------------------===//

static bool isSupported(Operation *op) {
  if (isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
    return true;
  if (isa<scf::ForOp, scf::IfOp, scf::YieldOp>(op))
    return true;
  if (op->getParentOfType<func::FuncOp>())
    return isa<kernel::BufferOp, kernel::LoadInputOp, kernel::GemmOp,
               kernel::LaunchOp, func::ReturnOp>(op);
  return isa<memref::AllocaOp, memref::LoadOp, memref::StoreOp,
             memref::CollapseShapeOp, memref::GetGlobalOp, scf::ParallelOp,
             scf::ReduceOp, kernel::LaunchOp, kernel::ReturnOp>(op);
}

static bool isSupported(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return memref.hasStaticShape() && memref.getLayout().isIdentity() &&
           isSupported(memref.getElementType());
  return isa<IndexType, Float16Type, BFloat16Type, Float32Type, Float64Type>(
             type) ||
         type.isSignlessInteger(1) || type.isSignlessInteger(8) ||
         type.isSignlessInteger(32) || type.isSignlessInteger(64);
}

static LogicalResult verifyOp(Operation *op) {
  if (!isSupported(op))
    return op->emitOpError("is not supported by the CPU target");
  for (Type type : llvm::concat<Type>(SmallVector<Type>(op->getOperandTypes()),
                                      SmallVector<Type>(op->getResultTypes())))
    if (!isSupported(type))
      return op->emitOpError("has type ")
             << type << ", which is not supported by the CPU target";
  if (auto buffer = dyn_cast<kernel::BufferOp>(op);
      buffer && buffer.getOffset() % kernel::kBufferAlignment != 0)
    return op->emitOpError("expected an offset that is a multiple of ")
           << kernel::kBufferAlignment << ", got " << buffer.getOffset();
  if (auto load = dyn_cast<kernel::LoadInputOp>(op)) {
    MappedMode mode = train::getMappedMode(load.getMode());
    bool hasRuns = mode.dim == 0 && mode.outer == mode.innerDenominator;
    if (mode.inner != 1 || (mode.outer != 1 && !hasRuns) ||
        (mode.innerDenominator != 1 && !hasRuns))
      return op->emitOpError("expected an input with one index per sample, in "
                             "equal runs of its first dimension, got ")
             << load.getMode();
  }
  return success();
}

static LogicalResult verifyInput(ModuleOp module) {
  bool failed = false;
  for (Operation &op : *module.getBody()) {
    if (auto step = dyn_cast<func::FuncOp>(op);
        step && (!step->hasAttr(kernel::attrs::kPlan) || step.isExternal())) {
      step.emitOpError("expected a step function with a '")
          << kernel::attrs::kPlan << "'";
      failed = true;
    } else if (isa<func::FuncOp, kernel::FuncOp>(op)) {
      op.walk([&](Operation *inner) {
        failed |= inner != &op && mlir::failed(verifyOp(inner));
      });
    } else if (!isa<memref::GlobalOp>(op)) {
      op.emitOpError("is not supported by the CPU target");
      failed = true;
    }
  }
  return failure(failed);
}

//===----------------------------------------------------------------------===//
// Step functions
//===----------------------------------------------------------------------===//

std::string cpu::getStepSymbol(StringRef name) {
  return (name + "_step").str();
}

/// Gives a step function the type `accrue_step_fn`. Its body still uses arenas
/// as memrefs.
static void convertStep(func::FuncOp step) {
  OpBuilder builder(step);
  Location loc = step.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(step.getContext());
  Type i32 = builder.getI32Type();
  auto function = LLVM::LLVMFuncOp::create(
      builder, loc, getStepSymbol(step.getSymName()),
      LLVM::LLVMFunctionType::get(i32, {pointer, pointer, pointer}));
  Region &body = function.getBody();
  body.takeBody(step.getBody());

  Block &entry = body.front();
  builder.setInsertionPointToStart(&entry);
  unsigned count = entry.getNumArguments();
  Value arenas = entry.addArgument(pointer, loc);
  entry.addArguments({pointer, pointer}, {loc, loc});
  for (unsigned i = 0; i < count; ++i) {
    Value place = LLVM::GEPOp::create(builder, loc, pointer, pointer, arenas,
                                      ArrayRef<LLVM::GEPArg>{int32_t(i)});
    Value arena = LLVM::LoadOp::create(builder, loc, pointer, place);
    Value memref = UnrealizedConversionCastOp::create(
                       builder, loc, entry.getArgument(i).getType(), arena)
                       .getResult(0);
    entry.getArgument(i).replaceAllUsesWith(memref);
  }
  entry.eraseArguments(0, count);
  for (Block &block : body)
    if (auto ret = dyn_cast<func::ReturnOp>(block.getTerminator())) {
      builder.setInsertionPoint(ret);
      Value zero = LLVM::ConstantOp::create(builder, loc, i32, 0);
      LLVM::ReturnOp::create(builder, loc, zero);
      ret.erase();
    }
  step.erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct KernelsToLLVM : cpu::impl::KernelsToLLVMBase<KernelsToLLVM> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    MLIRContext *context = &getContext();
    if (failed(verifyInput(module)))
      return signalPassFailure();

    // Loops first: their bodies then can be left where an input fails.
    RewritePatternSet loops(context);
    populateSCFToControlFlowConversionPatterns(loops);
    ConversionTarget withoutLoops(*context);
    withoutLoops.markUnknownOpDynamicallyLegal(
        [](Operation *) { return true; });
    withoutLoops.addIllegalOp<scf::ForOp, scf::IfOp>();
    if (failed(applyPartialConversion(module, withoutLoops, std::move(loops))))
      return signalPassFailure();
    for (auto step : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      convertStep(step);

    LLVMTypeConverter converter(context);
    converter.addConversion([](MemRefType type) -> Type {
      return LLVM::LLVMPointerType::get(type.getContext());
    });
    RewritePatternSet patterns(context);
    populateKernelToLLVMPatterns(converter, patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns);
    populateLibraryCallPatterns(converter, patterns);
    ConversionTarget target(*context);
    target.addLegalDialect<LLVM::LLVMDialect>();
    target.addLegalOp<ModuleOp, UnrealizedConversionCastOp>();
    if (failed(applyFullConversion(module, target, std::move(patterns))))
      return signalPassFailure();
    SmallVector<UnrealizedConversionCastOp> casts;
    module.walk(
        [&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
    reconcileUnrealizedCasts(casts);
  }
};
} // namespace
