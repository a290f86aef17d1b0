//===- CUDAOps.cpp - Ops of the cuda dialect ------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/CUDA/CUDAOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

#define GET_OP_CLASSES
#include "accrue/Dialect/CUDA/CUDAOps.cpp.inc"

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void KernelOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                     TypeRange arguments, ArrayAttr argAttrs) {
  auto &properties = state.getOrAddProperties<Properties>();
  properties.sym_name = builder.getStringAttr(name);
  properties.function_type =
      TypeAttr::get(builder.getFunctionType(arguments, {}));
  properties.grid = builder.getI64IntegerAttr(1);
  properties.block = builder.getI64IntegerAttr(1);
  properties.index_bits = builder.getI64IntegerAttr(32);
  properties.arg_attrs = argAttrs;
  Block &entry = state.addRegion()->emplaceBlock();
  entry.addArguments(arguments,
                     SmallVector<Location>(arguments.size(), state.location));
}

template <typename OpTy>
static ParseResult parseFunction(OpAsmParser &parser, OperationState &result) {
  auto buildFunctionType =
      [](Builder &builder, ArrayRef<Type> arguments, ArrayRef<Type> results,
         function_interface_impl::VariadicFlag,
         std::string &) { return builder.getFunctionType(arguments, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      OpTy::getFunctionTypeAttrName(result.name), buildFunctionType,
      OpTy::getArgAttrsAttrName(result.name),
      OpTy::getResAttrsAttrName(result.name));
}

template <typename OpTy>
static void printFunction(OpAsmPrinter &printer, OpTy op) {
  function_interface_impl::printFunctionOp(
      printer, op, /*isVariadic=*/false, op.getFunctionTypeAttrName(),
      op.getArgAttrsAttrName(), op.getResAttrsAttrName());
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunction<KernelOp>(parser, result);
}

void KernelOp::print(OpAsmPrinter &printer) { printFunction(printer, *this); }

/// Widths that `index` can have.
static LogicalResult verifyIndexBits(Operation *op, int64_t bits) {
  if (bits == 32 || bits == 64)
    return success();
  return op->emitOpError("expected 'index_bits' to be 32 or 64, got ") << bits;
}

LogicalResult KernelOp::verify() {
  if (!getResultTypes().empty())
    return emitOpError("expected no results, got ") << getResultTypes().size();
  if (getBlock() > 1024)
    return emitOpError("expected at most 1024 threads a block, got ")
           << getBlock();
  if (getGrid() > std::numeric_limits<int32_t>::max())
    return emitOpError("expected at most 2147483647 blocks, got ") << getGrid();
  for (auto [i, type] : llvm::enumerate(getArgumentTypes()))
    if (!type.isIntOrIndexOrFloat() && !isa<MemRefType>(type))
      return emitOpError("expected argument ")
             << i << " to be a scalar or a memref, got " << type;
  return verifyIndexBits(*this, getIndexBits());
}

bool KernelOp::isWritten(unsigned index) {
  return llvm::any_of(getArgument(index).getUsers(), [](Operation *user) {
    return !isa<memref::LoadOp>(user);
  });
}

bool KernelOp::isRead(unsigned index) {
  return llvm::any_of(getArgument(index).getUsers(), [](Operation *user) {
    return !isa<memref::StoreOp>(user);
  });
}

LogicalResult RangesOp::verify() {
  int64_t end = 0;
  for (Attribute attr : getRanges()) {
    auto range = cast<kernel::RangeAttr>(attr);
    if (range.getOffset() < end)
      return emitOpError("expected ranges in ascending order, got ") << range;
    end = range.getOffset() + range.getCount();
  }
  return verifyIndexBits(*this, getIndexBits());
}

LogicalResult
RangeRuleOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  if (symbolTable.lookupNearestSymbolFrom<RangesOp>(*this, getTableAttr()))
    return success();
  return emitOpError("expected '")
         << getTable() << "' to be a table of ranges of this module";
}

//===----------------------------------------------------------------------===//
// Segments and staging
//===----------------------------------------------------------------------===//

void SegmentOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                      func::FuncOp step, StringRef label, TypeRange arguments) {
  auto &properties = state.getOrAddProperties<Properties>();
  properties.sym_name = builder.getStringAttr(name);
  properties.step = FlatSymbolRefAttr::get(step);
  properties.label = builder.getStringAttr(label);
  properties.function_type =
      TypeAttr::get(builder.getFunctionType(arguments, {}));
  Block &entry = state.addRegion()->emplaceBlock();
  entry.addArguments(arguments,
                     SmallVector<Location>(arguments.size(), state.location));
}

ParseResult SegmentOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunction<SegmentOp>(parser, result);
}

void SegmentOp::print(OpAsmPrinter &printer) { printFunction(printer, *this); }

/// The number of the only argument of `segment` of a type that `isOfType`.
template <typename Predicate>
static std::optional<unsigned> findArgument(SegmentOp segment,
                                            Predicate isOfType) {
  for (auto [i, type] : llvm::enumerate(segment.getArgumentTypes()))
    if (isOfType(type))
      return i;
  return std::nullopt;
}

std::optional<unsigned> SegmentOp::getFirst() {
  return findArgument(*this, [](Type type) { return type.isInteger(1); });
}

std::optional<unsigned> SegmentOp::getPart() {
  return findArgument(*this, [](Type type) { return type.isIndex(); });
}

LogicalResult SegmentOp::verify() {
  if (!getResultTypes().empty())
    return emitOpError("expected no results, got ") << getResultTypes().size();
  ArrayRef<Type> types = getArgumentTypes();
  unsigned i = 0;
  while (i != types.size() &&
         getArgAttrOfType<kernel::ArenaAttr>(i, kernel::attrs::kArena))
    ++i;
  if (i != types.size() && types[i].isInteger(1))
    ++i;
  if (i != types.size() && types[i].isIndex())
    ++i;
  if (i == types.size())
    return success();
  return emitOpError("expected arenas, then at most an 'i1' and an 'index', "
                     "got argument ")
         << i << " of type " << types[i];
}

LogicalResult SegmentOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto function =
      symbolTable.lookupNearestSymbolFrom<func::FuncOp>(*this, getStepAttr());
  if (function && function->hasAttr(kernel::attrs::kPlan))
    return success();
  return emitOpError("expected '")
         << getStep() << "' to be a step function of this module";
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto callee =
      symbolTable.lookupNearestSymbolFrom<SegmentOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError("expected '")
           << getCallee() << "' to be a segment of this module";
  if (TypeRange(getOperandTypes()) == TypeRange(callee.getArgumentTypes()))
    return success();
  InFlightDiagnostic diag = emitOpError("expected operands of the types of '")
                            << getCallee() << "'";
  diag.attachNote(callee.getLoc()) << "declared here";
  return diag;
}

void CallOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

//===----------------------------------------------------------------------===//
// Calls of a step
//===----------------------------------------------------------------------===//

void MemcpyOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getDestinationMutable());
}

void Memcpy2DOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getDestinationMutable());
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto callee =
      symbolTable.lookupNearestSymbolFrom<KernelOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError("expected '")
           << getCallee() << "' to be a kernel of this module";
  if (TypeRange(getOperandTypes()) == TypeRange(callee.getArgumentTypes()))
    return success();
  InFlightDiagnostic diag = emitOpError("expected operands of the types of '")
                            << getCallee() << "'";
  diag.attachNote(callee.getLoc()) << "declared here";
  return diag;
}

void LaunchOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}
