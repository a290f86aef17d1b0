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
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

static SegmentOp getSegment(CallOp call) {
  return SymbolTable::lookupNearestSymbolFrom<SegmentOp>(call,
                                                         call.getCalleeAttr());
}

/// The function of `segment`: called after the entry that had it first.
static std::string getSegmentName(const Program &program, SegmentOp segment) {
  const auto *owner = llvm::find_if(program.entries, [&](const auto &entry) {
    return entry.getFunction().getSymName() == segment.getStep();
  });
  return owner->name + "_" + segment.getLabel().str();
}

/// The member of the model that is the graph of `function`.
static std::string getGraphName(const Program &program, StringRef function) {
  function.consume_front(program.name + "_");
  return (function + "_graph").str();
}

/// The graphs of the steps: one per step, or one per segment and value of its
/// arguments.
static void emitGraphs(Writer &writer, const Program &program) {
  llvm::SetVector<SegmentOp> segments;
  for (const Program::Entry &entry : program.entries) {
    if (entry.graphs == GraphMode::merged)
      writer.line("accrue::Graph<" + Twine(entry.plan.getInputs().size()) +
                  "> " + getGraphName(program, entry.name) + ";");
    if (entry.graphs == GraphMode::segments)
      entry.getFunction().walk(
          [&](CallOp call) { segments.insert(getSegment(call)); });
  }
  for (SegmentOp segment : segments) {
    std::string text = getGraphName(program, getSegmentName(program, segment));
    for (Type type : segment.getArgumentTypes())
      if (!isa<MemRefType>(type))
        text += type.isInteger(1)
                    ? "[2]"
                    : "[" + std::to_string(program.getStaging()) + "]";
    writer.line("accrue::Graph<> " + text + ";");
  }
}

void accrue::cuda::emitModel(Writer &writer, const Program &program) {
  writer.line();
  writer.open("struct " + program.name + " : accrue::Streams {");
  if (!program.matmuls.empty())
    writer.line("accrue::Matmuls<" + getMatmulNamespace(program.name) +
                "::count> matmuls;");
  for (auto [arena, bytes] : program.arenas)
    writer.line("void *" + stringifyArena(arena) + ";");
  emitGraphs(writer, program);
  writer.line("unsigned ran; // the last entry that ran, as a bit");
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
  // The model knows its arenas.
  SmallVector<std::string> arguments = {"model"};
  for (Value operand : call.getOperands()) {
    if (isa<MemRefType>(operand.getType()))
      continue;
    FailureOr<std::string> text = getText(operand);
    if (failed(text))
      return failure();
    arguments.push_back(*text);
  }
  std::string callee = getSegmentName(*program, getSegment(call));
  if (entry->graphs != GraphMode::segments) {
    emitCheckedCall(callee, arguments);
    return success();
  }
  std::string graph = getGraphName(*program, callee);
  for (StringRef argument : llvm::drop_begin(arguments))
    graph += ("[" + argument + "]").str();
  emitCheckedCall("model->" + graph + ".run",
                  {"*model", "[=] { return " + callee + "(" +
                                 llvm::join(arguments, ", ") + "); }"});
  return success();
}

LogicalResult BodyEmitter::emitStaging(StringRef function, Value part) {
  FailureOr<std::string> text = getText(part);
  if (failed(text))
    return failure();
  emitCheckedCall("model->" + function.str(), {*text});
  return success();
}

LogicalResult BodyEmitter::emitSegment(SegmentOp segment) {
  std::string parameters = program->name + " *model";
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
  writer.open("static int " + getSegmentName(*program, segment) + "(" +
              parameters + ") {");
  if (failed(emitBlock(segment.getBody().front())))
    return failure();
  writer.line("return 0;");
  writer.close();
  return success();
}

LogicalResult BodyEmitter::emitEntry() {
  FailureOr<std::string> parameters = getParameters(*program, *entry);
  if (failed(parameters))
    return failure();
  bool isMerged = entry->graphs == GraphMode::merged;
  std::string calls = entry->name + "_calls";
  writer.line();
  writer.open(
      (isMerged ? "static int " + calls : "extern \"C\" int " + entry->name) +
      "(" + *parameters + ") {");
  if (!isMerged)
    emitBegin(writer, *program, *entry);
  if (failed(emitBlock(entry->getFunction().getBody().front())))
    return failure();
  writer.line("return 0;");
  writer.close();
  if (!isMerged)
    return success();
  std::string inputs;
  if (auto names =
          entry->getFunction()->getAttrOfType<ArrayAttr>(attrs::kNames))
    for (Attribute name : names)
      inputs += ", " + cast<StringAttr>(name).str();
  writer.line();
  writer.open("extern \"C\" int " + entry->name + "(" + *parameters + ") {");
  emitBegin(writer, *program, *entry);
  writer.line("return model->" + getGraphName(*program, entry->name) +
              ".run(*model, [=] { return " + calls + "(model" + inputs +
              "); }" + inputs + ");");
  writer.close();
  return success();
}

LogicalResult BodyEmitter::emitSegment(const Program &program,
                                       const Program::Entry &entry,
                                       SegmentOp segment) {
  indexBits = 64;
  matmulNamespace = getMatmulNamespace(program.name);
  this->program = &program;
  this->entry = &entry;
  return emitSegment(segment);
}

LogicalResult BodyEmitter::emitStep(const Program &program,
                                    const Program::Entry &entry) {
  indexBits = 64;
  matmulNamespace = getMatmulNamespace(program.name);
  this->program = &program;
  this->entry = &entry;
  llvm::SetVector<SegmentOp> segments;
  entry.getFunction().walk([&](CallOp call) {
    SegmentOp segment = getSegment(call);
    // Another entry may have had it before.
    if (segment.getStep() == entry.getFunction().getSymName())
      segments.insert(segment);
  });
  for (SegmentOp segment : segments)
    if (failed(emitSegment(segment)))
      return failure();
  return emitEntry();
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
    // The rest is written before it is read, but for the padding of gradients,
    // which the norm reads.
    if (isPersistent(arena) || arena == kernel::Arena::gradients)
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
  writer.line(
      "ACCRUE_CHECK(accrue::expect(result, \"a place for the model\"));");
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
