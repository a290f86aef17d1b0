//===- LLVMPatterns.cpp - Conversions of the planned level ----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pattern per op. What the optimizer needs to know is written down here:
// that indices do not wrap, that a kernel's buffers are aligned, large enough,
// and do not overlap.
//
//===----------------------------------------------------------------------===//

#include "LLVMPatterns.h"
#include "accrue/Dialect/Kernel/KernelOps.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace accrue;

static constexpr auto kNoWrap =
    LLVM::IntegerOverflowFlags::nsw | LLVM::IntegerOverflowFlags::nuw;

/// The symbol of kernel `name`: no C identifier, so that a kernel named `tanh`
/// is not taken for the function of the mathematical library.
static StringAttr getSymbol(MLIRContext *context, StringRef name) {
  return StringAttr::get(context, "kernel." + name);
}

static Value constant(OpBuilder &builder, Location loc, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), value);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The type in memory of elements of type `type` once converted: i1 takes a
/// byte.
static Type getStorageType(Type type) {
  return type.isInteger(1) ? IntegerType::get(type.getContext(), 8) : type;
}

/// Address of the element at `indices`.
static Value getElementPointer(OpBuilder &builder, Location loc,
                               MemRefType type, Type storage, Value base,
                               ValueRange indices) {
  Value offset;
  for (auto [extent, index] : llvm::zip(type.getShape(), indices)) {
    if (!offset) {
      offset = index;
      continue;
    }
    offset = LLVM::MulOp::create(builder, loc, offset,
                                 constant(builder, loc, extent), kNoWrap);
    offset = LLVM::AddOp::create(builder, loc, offset, index, kNoWrap);
  }
  if (!offset)
    return base;
  return LLVM::GEPOp::create(builder, loc, base.getType(), storage, base,
                             ValueRange(offset),
                             LLVM::GEPNoWrapFlags::inbounds);
}

namespace {
struct LoadPattern : ConvertOpToLLVMPattern<memref::LoadOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(memref::LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    Type storage = getStorageType(type);
    Value place =
        getElementPointer(rewriter, op.getLoc(), op.getMemRefType(), storage,
                          adaptor.getMemref(), adaptor.getIndices());
    Value value = LLVM::LoadOp::create(rewriter, op.getLoc(), storage, place);
    if (storage != type)
      value = LLVM::TruncOp::create(rewriter, op.getLoc(), type, value);
    rewriter.replaceOp(op, value);
    return success();
  }
};

struct StorePattern : ConvertOpToLLVMPattern<memref::StoreOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(memref::StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value value = adaptor.getValue();
    Type storage = getStorageType(value.getType());
    if (storage != value.getType())
      value = LLVM::ZExtOp::create(rewriter, op.getLoc(), storage, value);
    Value place =
        getElementPointer(rewriter, op.getLoc(), op.getMemRefType(), storage,
                          adaptor.getMemref(), adaptor.getIndices());
    rewriter.replaceOpWithNewOp<LLVM::StoreOp>(op, value, place);
    return success();
  }
};

/// Without gaps, a collapsed buffer is the buffer.
struct CollapsePattern : ConvertOpToLLVMPattern<memref::CollapseShapeOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(memref::CollapseShapeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getSrc());
    return success();
  }
};

/// A buffer of a kernel's own, in the frame of the function.
struct AllocaPattern : ConvertOpToLLVMPattern<memref::AllocaOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(memref::AllocaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto function = op->getParentOfType<FunctionOpInterface>();
    rewriter.setInsertionPointToStart(&function.getFunctionBody().front());
    Type type = getTypeConverter()->convertType(op.getType().getElementType());
    Value count =
        constant(rewriter, op.getLoc(), op.getType().getNumElements());
    rewriter.replaceOpWithNewOp<LLVM::AllocaOp>(
        op, LLVM::LLVMPointerType::get(op.getContext()), getStorageType(type),
        count, /*alignment=*/kernel::kBufferAlignment);
    return success();
  }
};

struct GlobalPattern : ConvertOpToLLVMPattern<memref::GlobalOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(memref::GlobalOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MemRefType type = op.getType();
    auto array = LLVM::LLVMArrayType::get(
        getTypeConverter()->convertType(type.getElementType()),
        type.getNumElements());
    rewriter.replaceOpWithNewOp<LLVM::GlobalOp>(
        op, array, /*isConstant=*/op.getConstant(), LLVM::Linkage::Internal,
        op.getSymName(), op.getInitialValueAttr());
    return success();
  }
};

struct GetGlobalPattern : ConvertOpToLLVMPattern<memref::GetGlobalOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(memref::GetGlobalOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::AddressOfOp>(
        op, LLVM::LLVMPointerType::get(op.getContext()), op.getName());
    return success();
  }
};

struct BufferPattern : ConvertOpToLLVMPattern<kernel::BufferOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(kernel::BufferOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::GEPOp>(
        op, adaptor.getArena().getType(), rewriter.getI8Type(),
        adaptor.getArena(),
        ValueRange(
            constant(rewriter, op.getLoc(), op.getOffsetAttr().getInt())),
        LLVM::GEPNoWrapFlags::inbounds);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

struct FuncPattern : ConvertOpToLLVMPattern<kernel::FuncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(kernel::FuncOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    SmallVector<DictionaryAttr> attributes;
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    for (auto [i, type] : llvm::enumerate(op.getArgumentTypes())) {
      Type converted = getTypeConverter()->convertType(type);
      if (!converted)
        return rewriter.notifyMatchFailure(op, "unsupported argument type");
      types.push_back(converted);
      signature.addInputs(i, converted);
      attributes.push_back(getArgumentAttributes(rewriter, type));
    }
    auto function = LLVM::LLVMFuncOp::create(
        rewriter, op.getLoc(), getSymbol(op.getContext(), op.getSymName()),
        LLVM::LLVMFunctionType::get(getVoidType(), types),
        LLVM::Linkage::Internal, /*dsoLocal=*/false, LLVM::CConv::C,
        /*comdat=*/{}, /*attrs=*/{}, attributes);
    // A step with hundreds of launches would grow by as many copies.
    function.setNoInline(true);
    rewriter.inlineRegionBefore(op.getBody(), function.getBody(),
                                function.getBody().end());
    if (failed(rewriter.convertRegionTypes(&function.getBody(),
                                           *getTypeConverter(), &signature)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }

  /// No two buffers of a kernel overlap.
  static DictionaryAttr getArgumentAttributes(Builder &builder, Type type) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref)
      return builder.getDictionaryAttr({});
    using LLVM::LLVMDialect;
    return builder.getDictionaryAttr(
        {builder.getNamedAttr(
             LLVMDialect::getAlignAttrName(),
             builder.getI64IntegerAttr(kernel::kBufferAlignment)),
         builder.getNamedAttr(
             LLVMDialect::getDereferenceableAttrName(),
             builder.getI64IntegerAttr(kernel::getByteSize(memref))),
         builder.getNamedAttr(LLVMDialect::getNoAliasAttrName(),
                              builder.getUnitAttr())});
  }
};

struct ReturnPattern : ConvertOpToLLVMPattern<kernel::ReturnOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(kernel::ReturnOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, ValueRange());
    return success();
  }
};

struct LaunchPattern : ConvertOpToLLVMPattern<kernel::LaunchOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(kernel::LaunchOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::CallOp>(
        op, TypeRange(), getSymbol(op.getContext(), op.getCallee()),
        adaptor.getOperands());
    return success();
  }
};

/// A loop around one launch: the arguments of the launch go into a structure
/// on the stack, from which a function that the runtime calls per chunk takes
/// them.
struct ParallelPattern : ConvertOpToLLVMPattern<scf::ParallelOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(scf::ParallelOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto launch = dyn_cast<kernel::LaunchOp>(op.getBody()->front());
    if (!launch || op.getBody()->getOperations().size() != 2)
      return op.emitOpError("expected a loop around one launch");
    Location loc = op.getLoc();
    auto pointer = LLVM::LLVMPointerType::get(op.getContext());
    Type i64 = rewriter.getI64Type();
    SmallVector<Value> captured;
    if (failed(rewriter.getRemappedValues(launch.getOperands().drop_front(),
                                          captured)))
      return failure();
    auto closureType = LLVM::LLVMStructType::getLiteral(
        op.getContext(), llvm::to_vector(ValueRange(captured).getTypes()));
    auto parent = op->getParentOfType<FunctionOpInterface>();
    auto module = op->getParentOfType<ModuleOp>();

    StringAttr callee = getSymbol(op.getContext(), launch.getCallee());
    LLVM::LLVMFuncOp entry;
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(parent);
      entry = LLVM::LLVMFuncOp::create(
          rewriter, loc, (callee.getValue() + "_entry").str(),
          LLVM::LLVMFunctionType::get(getVoidType(), {pointer, i64}),
          LLVM::Linkage::Internal);
      Block *block = entry.addEntryBlock(rewriter);
      rewriter.setInsertionPointToStart(block);
      SmallVector<Value> arguments = {block->getArgument(1)};
      for (auto [i, type] : llvm::enumerate(closureType.getBody()))
        arguments.push_back(LLVM::LoadOp::create(
            rewriter, loc, type,
            getField(rewriter, loc, closureType, block->getArgument(0), i)));
      LLVM::CallOp::create(rewriter, loc, TypeRange(), callee, arguments);
      LLVM::ReturnOp::create(rewriter, loc, ValueRange());
    }

    Value closure;
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(&parent.getFunctionBody().front());
      closure = LLVM::AllocaOp::create(rewriter, loc, pointer, closureType,
                                       constant(rewriter, loc, 1));
    }
    for (auto [i, value] : llvm::enumerate(captured))
      LLVM::StoreOp::create(rewriter, loc, value,
                            getField(rewriter, loc, closureType, closure, i));
    FailureOr<LLVM::LLVMFuncOp> runtime =
        LLVM::lookupOrCreateFn(rewriter, module, "accrue_parallel_for",
                               {pointer, pointer, i64}, getVoidType());
    if (failed(runtime))
      return failure();
    Value function = LLVM::AddressOfOp::create(rewriter, loc, entry);
    LLVM::CallOp::create(
        rewriter, loc, *runtime,
        ValueRange{function, closure, adaptor.getUpperBound().front()});
    rewriter.eraseOp(op);
    return success();
  }

  static Value getField(OpBuilder &builder, Location loc, Type structure,
                        Value base, int32_t index) {
    return LLVM::GEPOp::create(builder, loc, base.getType(), structure, base,
                               ArrayRef<LLVM::GEPArg>{0, index},
                               LLVM::GEPNoWrapFlags::inbounds);
  }
};

//===----------------------------------------------------------------------===//
// Calls of the runtime
//===----------------------------------------------------------------------===//

struct GemmPattern : ConvertOpToLLVMPattern<kernel::GemmOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(kernel::GemmOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto getRowLength = [](Value value) {
      return cast<ShapedType>(value.getType()).getShape().back();
    };
    auto flag = [&](bool value) -> Value {
      return LLVM::ConstantOp::create(rewriter, loc,
                                      rewriter.getBoolAttr(value));
    };
    auto number = [&](int64_t value) { return constant(rewriter, loc, value); };
    SmallVector<Value> arguments = {flag(op.getTransposeA()),
                                    flag(op.getTransposeB()),
                                    number(op.getM()),
                                    number(op.getN()),
                                    number(op.getK()),
                                    adaptor.getAlpha(),
                                    adaptor.getA(),
                                    number(getRowLength(op.getA())),
                                    adaptor.getB(),
                                    number(getRowLength(op.getB())),
                                    adaptor.getBeta(),
                                    adaptor.getC(),
                                    number(getRowLength(op.getC()))};
    bool isBatch = op.getBatch() != 1;
    if (isBatch)
      arguments.insert(arguments.begin() + 2, number(op.getBatch()));
    bool isF32 = op.getAlpha().getType().isF32();
    FailureOr<LLVM::LLVMFuncOp> runtime = LLVM::lookupOrCreateFn(
        rewriter, op->getParentOfType<ModuleOp>(),
        isBatch ? (isF32 ? "accrue_sgemm_batch" : "accrue_dgemm_batch")
                : (isF32 ? "accrue_sgemm" : "accrue_dgemm"),
        SmallVector<Type>(ValueRange(arguments).getTypes()), getVoidType());
    if (failed(runtime))
      return failure();
    auto call = LLVM::CallOp::create(rewriter, loc, *runtime, arguments);
    // bool is a byte that is 0 or 1: without the attribute the other bits of
    // the register are undefined.
    for (unsigned i : {0, 1})
      runtime->setArgAttr(i, LLVM::LLVMDialect::getZExtAttrName(),
                          rewriter.getUnitAttr());
    call.setArgAttrsAttr(runtime->getArgAttrsAttr());
    rewriter.eraseOp(op);
    return success();
  }
};

/// Calls the function that the step was given, for every run of samples, and
/// leaves the step when it fails.
struct LoadInputPattern : ConvertOpToLLVMPattern<kernel::LoadInputOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(kernel::LoadInputOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto step = op->getParentOfType<LLVM::LLVMFuncOp>();
    if (!step)
      return op.emitOpError("expected to be in a step function");
    Value load = step.getArgument(1), context = step.getArgument(2);
    Type i32 = rewriter.getI32Type(), i64 = rewriter.getI64Type();
    auto type =
        LLVM::LLVMFunctionType::get(i32, {context.getType(), i64, i64, i64,
                                          adaptor.getDestination().getType()});
    auto number = [&](int64_t value) { return constant(rewriter, loc, value); };
    // Run r holds samples [offset / runs, ...) of the r-th part of the batch.
    int64_t runs = op.getMode().getOuter();
    int64_t count = op.getSizeAttr().getInt() / runs;
    auto destination = cast<MemRefType>(op.getDestination().getType());
    int64_t elements = destination.getNumElements() / runs;
    Value first = adaptor.getOffset();
    if (runs != 1)
      first = LLVM::UDivOp::create(rewriter, loc, first, number(runs));
    Value zero = LLVM::ConstantOp::create(rewriter, loc, i32, 0);
    for (int64_t run = 0; run < runs; ++run) {
      Value start = first, to = adaptor.getDestination();
      if (run != 0) {
        start =
            LLVM::AddOp::create(rewriter, loc, first,
                                number(run * (op.getOfAttr().getInt() / runs)));
        to = LLVM::GEPOp::create(
            rewriter, loc, to.getType(),
            getTypeConverter()->convertType(destination.getElementType()), to,
            ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(run * elements)});
      }
      auto call = LLVM::CallOp::create(rewriter, loc, type,
                                       {load, context,
                                        number(op.getInputAttr().getInt()),
                                        start, number(count), to});
      Value failed = LLVM::ICmpOp::create(
          rewriter, loc, LLVM::ICmpPredicate::ne, call.getResult(), zero);
      Block *block = rewriter.getInsertionBlock();
      Block *next = rewriter.splitBlock(block, rewriter.getInsertionPoint());
      Block *leave = rewriter.createBlock(next);
      LLVM::ReturnOp::create(rewriter, loc, call.getResult());
      rewriter.setInsertionPointToEnd(block);
      LLVM::CondBrOp::create(rewriter, loc, failed, leave, next);
      rewriter.setInsertionPointToStart(next);
    }
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void cpu::populateKernelToLLVMPatterns(LLVMTypeConverter &converter,
                                       RewritePatternSet &patterns) {
  patterns.add<AllocaPattern, BufferPattern, CollapsePattern, FuncPattern,
               GemmPattern, GetGlobalPattern, GlobalPattern, LaunchPattern,
               LoadInputPattern, LoadPattern, ParallelPattern, ReturnPattern,
               StorePattern>(converter);
}
