//===- Steps.cpp - The model and its steps --------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The struct of a model, a function for every segment, the entries that call
// them, and the functions that create and destroy a model.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

void accrue::cuda::emitModel(Writer &writer, const Program &program) {
  writer.line();
  writer.open("struct " + program.name + " : accrue::Streams {");
  if (!program.matmuls.empty())
    writer.line("accrue::Matmuls<" + getMatmulNamespace(program.name) +
                "::count> matmuls;");
  for (auto [arena, bytes] : program.arenas)
    writer.line("void *" + stringifyArena(arena) + ";");
  writer.close("};");
}

//===----------------------------------------------------------------------===//
// Segments and entries
//===----------------------------------------------------------------------===//

static FailureOr<std::string> getParameters(const Program &program,
                                            const Program::Entry &entry) {
  std::string text = program.name + " *model";
  Location loc = entry.getFunction().getLoc();
  auto names = entry.function->getAttrOfType<ArrayAttr>(attrs::kNames);
  if (!names && !entry.plan.getInputs().empty())
    return entry.getFunction().emitOpError("cannot be emitted without names");
  for (auto [i, input] : llvm::enumerate(entry.plan.getInputs())) {
    FailureOr<StringRef> type =
        getHostTypeName(input.getType().getElementType(), loc);
    if (failed(type))
      return failure();
    text += ", const " + type->str() + " *" +
            cast<StringAttr>(names[i]).getValue().str();
  }
  return text;
}

FailureOr<std::string>
accrue::cuda::getDeclaration(const Program &program,
                             const Program::Entry &entry) {
  FailureOr<std::string> parameters = getParameters(program, entry);
  if (failed(parameters))
    return failure();
  return "int " + entry.name + "(" + *parameters + ")";
}

LogicalResult BodyEmitter::emitCall(CallOp call) {
  auto segment = SymbolTable::lookupNearestSymbolFrom<SegmentOp>(
      call, call.getCalleeAttr());
  SmallVector<std::string> arguments = {"model"};
  // The model knows its arenas.
  for (Value operand : call.getOperands()) {
    if (isa<MemRefType>(operand.getType()))
      continue;
    FailureOr<std::string> text = getText(operand);
    if (failed(text))
      return failure();
    arguments.push_back(*text);
  }
  emitCheckedCall(stepName + "_" + segment.getLabel().str(), arguments);
  return success();
}

LogicalResult BodyEmitter::emitStaging(StringRef function, Value part) {
  FailureOr<std::string> text = getText(part);
  if (failed(text))
    return failure();
  emitCheckedCall("model->" + function.str(), {*text});
  return success();
}

LogicalResult BodyEmitter::emitSegment(StringRef modelName, SegmentOp segment) {
  indexBits = 64;
  std::string parameters = modelName.str() + " *model";
  for (auto [i, argument] : llvm::enumerate(segment.getArguments())) {
    if (isa<MemRefType>(argument.getType()))
      continue;
    FailureOr<StringRef> type =
        getTypeName(argument.getType(), segment.getLoc());
    if (failed(type))
      return failure();
    if (getName(argument).empty())
      return segment.emitOpError("cannot be emitted without names");
    parameters += (", " + *type + " " + getName(argument)).str();
  }
  writer.line();
  writer.open("static int " + stepName + "_" + segment.getLabel() + "(" +
              parameters + ") {");
  if (failed(emitBlock(segment.getBody().front())))
    return failure();
  writer.line("return 0;");
  writer.close();
  return success();
}

LogicalResult BodyEmitter::emitStep(const Program &program,
                                    const Program::Entry &entry) {
  indexBits = 64;
  stepName = entry.name;
  matmulNamespace = getMatmulNamespace(program.name);
  func::FuncOp function = entry.function;
  WalkResult segments = function.walk([&](CallOp call) {
    auto segment = SymbolTable::lookupNearestSymbolFrom<SegmentOp>(
        call, call.getCalleeAttr());
    return WalkResult(emitSegment(program.name, segment));
  });
  FailureOr<std::string> declaration = getDeclaration(program, entry);
  if (segments.wasInterrupted() || failed(declaration))
    return failure();
  writer.line();
  writer.open("extern \"C\" " + *declaration + " {");
  if (failed(emitBlock(function.getBody().front())))
    return failure();
  writer.line("return 0;");
  writer.close();
  return success();
}

//===----------------------------------------------------------------------===//
// Life of a model
//===----------------------------------------------------------------------===//

void accrue::cuda::emitLifetime(Writer &writer, const Program &program) {
  const std::string &name = program.name;
  writer.line();
  writer.open("static int allocate(" + name + " *model) {");
  writer.line("ACCRUE_CHECK(model->createStreams());");
  if (!program.matmuls.empty())
    writer.line("ACCRUE_CHECK(model->matmuls.create(" +
                getMatmulNamespace(name) + "::shapes));");
  for (auto [arena, bytes] : program.arenas) {
    std::string place =
        "&model->" + stringifyArena(arena).str() + ", " + std::to_string(bytes);
    // The rest is written before it is read.
    if (isPersistent(arena))
      writer.line("ACCRUE_CHECK(accrue::allocateZeros(" + place +
                  ", model->stream));");
    else
      writer.line("ACCRUE_CHECK(accrue::allocate(" + place + "));");
  }
  writer.line("ACCRUE_CHECK(cudaStreamSynchronize(model->stream));");
  writer.line("return 0;");
  writer.close();
  writer.line();
  writer.open("extern \"C\" int " + name + "_create(" + name + " **result) {");
  writer.line("*result = nullptr;");
  writer.line(name + " *model = new (std::nothrow) " + name + "();");
  writer.line("if (!model)");
  writer.line("  return accrue::fail(\"out of host memory\");");
  writer.open("if (const int status = allocate(model)) {");
  writer.line(name + "_destroy(model);");
  writer.line("return status;");
  writer.close();
  writer.line("*result = model;");
  writer.line("return 0;");
  writer.close();
  writer.line();
  writer.open("extern \"C\" void " + name + "_destroy(" + name + " *model) {");
  writer.line("if (!model)");
  writer.line("  return;");
  for (auto [arena, bytes] : llvm::reverse(program.arenas))
    writer.line("cudaFree(model->" + stringifyArena(arena) + ");");
  writer.line("delete model;");
  writer.close();
}
