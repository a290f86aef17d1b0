//===- Calls.cpp - The calls of a step ------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One checked call of CUDA or cuBLAS per op.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "accrue/Dialect/Kernel/KernelOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

LogicalResult BodyEmitter::emitBuffer(Operation *op) {
  auto buffer = cast<kernel::BufferOp>(op);
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getRank() != 1)
    return op->emitOpError("cannot emit type ") << type;
  FailureOr<StringRef> element =
      getTypeName(type.getElementType(), op->getLoc());
  FailureOr<std::string> arena = getText(buffer.getArena());
  if (failed(element) || failed(arena))
    return failure();
  std::string name = getName(buffer.getResult());
  if (name.empty())
    return op->emitOpError("cannot be emitted without names");
  writer.line(*element + " *const " + name + " = accrue::at<" + *element +
              ">(" + *arena + ", " + Twine(buffer.getOffset()) + ");");
  return success();
}

LogicalResult BodyEmitter::emitPart(PartOp op) {
  FailureOr<std::string> arena = getText(op.getArena());
  FailureOr<std::string> part =
      getOperand(op.getPart(), Precedence::Multiplicative);
  if (failed(arena) || failed(part))
    return failure();
  std::string name = getName(op.getResult());
  if (name.empty())
    return op.emitOpError("cannot be emitted without names");
  writer.line("char *const " + name + " = accrue::at<char>(" + *arena + ", " +
              *part + " * " + Twine(op.getStride()) + ");");
  return success();
}

void BodyEmitter::emitCheckedCall(StringRef callee,
                                  ArrayRef<std::string> arguments) {
  writer.line("ACCRUE_CHECK(" + callee + "(" + llvm::join(arguments, ", ") +
              "));");
}

/// Texts of `values`, appended to `texts`.
static LogicalResult append(SmallVectorImpl<std::string> &texts,
                            FailureOr<std::string> text) {
  if (failed(text))
    return failure();
  texts.push_back(*text);
  return success();
}

LogicalResult BodyEmitter::emitLaunch(LaunchOp launch) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<KernelOp>(
      launch, launch.getCalleeAttr());
  SmallVector<std::string> arguments = {
      (kernelNamespace + "::" + launch.getCallee()).str(),
      std::to_string(kernel.getGrid()), std::to_string(kernel.getBlock()),
      "model->stream"};
  for (Value operand : launch.getOperands())
    if (failed(append(arguments, getText(operand))))
      return failure();
  emitCheckedCall("accrue::launch", arguments);
  return success();
}

LogicalResult BodyEmitter::emitFill(FillOp fill) {
  FailureOr<std::string> buffer = getText(fill.getBuffer());
  if (failed(buffer))
    return failure();
  int64_t count = cast<MemRefType>(fill.getBuffer().getType()).getNumElements();
  emitCheckedCall("accrue::fill",
                  {*buffer, std::to_string(count), "model->stream"});
  return success();
}

/// `source + offset`.
static std::string addOffset(const std::string &source,
                             const std::string &offset) {
  return offset == "0" ? source : source + " + " + offset;
}

LogicalResult BodyEmitter::emitMemcpy(MemcpyOp copy) {
  FailureOr<std::string> to = getText(copy.getDestination());
  FailureOr<std::string> from = getText(copy.getSource());
  FailureOr<std::string> offset =
      getOperand(copy.getOffset(), Precedence::Multiplicative);
  FailureOr<StringRef> type =
      getTypeName(cast<MemRefType>(copy.getSource().getType()).getElementType(),
                  copy.getLoc());
  if (failed(to) || failed(from) || failed(offset) || failed(type))
    return failure();
  emitCheckedCall("cudaMemcpyAsync", {*to, addOffset(*from, *offset),
                                      std::to_string(copy.getCount()) +
                                          " * sizeof(" + type->str() + ")",
                                      "cudaMemcpyDefault", "model->copies"});
  return success();
}

LogicalResult BodyEmitter::emitMemcpy2D(Memcpy2DOp copy) {
  FailureOr<std::string> to = getText(copy.getDestination());
  FailureOr<std::string> from = getText(copy.getSource());
  FailureOr<std::string> offset =
      getOperand(copy.getOffset(), Precedence::Multiplicative);
  FailureOr<StringRef> type =
      getTypeName(cast<MemRefType>(copy.getSource().getType()).getElementType(),
                  copy.getLoc());
  if (failed(to) || failed(from) || failed(offset) || failed(type))
    return failure();
  auto bytes = [&](uint64_t count) {
    return std::to_string(count) + " * sizeof(" + type->str() + ")";
  };
  emitCheckedCall("cudaMemcpy2DAsync",
                  {*to, bytes(copy.getWidth()), addOffset(*from, *offset),
                   bytes(copy.getPitch()), bytes(copy.getWidth()),
                   std::to_string(copy.getHeight()), "cudaMemcpyDefault",
                   "model->copies"});
  return success();
}
