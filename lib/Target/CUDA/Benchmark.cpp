//===- Benchmark.cpp - A program that measures a model --------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions for the segments of `cuda-isolate-calls`, a table of them, and a
// `main` that hands them to `runtime/cuda/Benchmark.cuh`.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "Format.h"
#include "accrue/Target/CUDA/Export.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

static BenchmarkAttr getInfo(SegmentOp call) {
  return call->getAttrOfType<BenchmarkAttr>(attrs::kBenchmark);
}

/// The segment that fills what `call` reads.
static SegmentOp getFill(SegmentOp call) {
  return SymbolTable::lookupNearestSymbolFrom<SegmentOp>(
      call, getInfo(call).getFill());
}

/// `[](mlp *model) { return mlp_step_call_0(model, false, 0); }`: not the first
/// micro-batch, and the first part of the inputs.
static std::string getCaller(const Program &program, SegmentOp segment) {
  std::string text = "[](" + program.name + " *model) { return " +
                     program.entries.front().name + "_" +
                     segment.getLabel().str() + "(model";
  for (BlockArgument argument : segment.getArguments())
    if (!isa<MemRefType>(argument.getType()))
      text += argument.getType().isInteger(1) ? ", false" : ", 0";
  return text + "); }";
}

/// Small parameters, which keep losses finite.
static LogicalResult emitParameters(Writer &writer, const Program &program) {
  writer.line();
  writer.open("static int fill_parameters(" + program.name + " *model) {");
  for (const Program::Tensor &tensor : program.tensors) {
    kernel::BufferPlanAttr plan = tensor.plan;
    if (plan.getArena() != kernel::Arena::params)
      continue;
    FailureOr<StringRef> type =
        getTypeName(plan.getType().getElementType(),
                    program.entries.front().getFunction().getLoc());
    if (failed(type))
      return failure();
    writer.line("ACCRUE_CHECK(accrue::fill(accrue::at<" + *type +
                ">(model->params, " + Twine(plan.getOffset()) + "), " +
                Twine(plan.getType().getNumElements()) +
                ", model->stream, -0.02f, 0.04f));");
  }
  writer.line("return 0;");
  writer.close();
  return success();
}

static void emitTable(Writer &writer, const Program &program,
                      ArrayRef<SegmentOp> calls) {
  writer.line();
  writer.comment("Name, kind, sources; calls per step, bytes, FLOPs.");
  writer.open("static const accrue::BenchmarkCall<" + program.name +
              "> calls[] = {");
  for (SegmentOp call : calls) {
    BenchmarkAttr info = getInfo(call);
    std::string sources =
        llvm::join(info.getSources().getAsValueRange<StringAttr>(), ", ");
    writer.line("{" + quote(info.getName()) + ", " + quote(info.getKind()) +
                ", " + quote(sources) + ", " + Twine(info.getCalls()) + ", " +
                Twine(info.getBytes()) + ", " + Twine(info.getFlops()) + ", " +
                getCaller(program, getFill(call)) + ", " +
                getCaller(program, call) + "},");
  }
  writer.close("};");
}

static LogicalResult emitMain(Writer &writer, const Program &program,
                              int64_t microBatch) {
  const Program::Entry &entry = program.entries.front();
  writer.line();
  writer.open("int main(int argc, char **argv) {");
  std::string arguments;
  SmallVector<std::string> created;
  for (auto [i, input] : llvm::enumerate(entry.plan.getInputs())) {
    FailureOr<StringRef> type = getHostTypeName(
        input.getType().getElementType(), entry.getFunction().getLoc());
    if (failed(type))
      return failure();
    std::string name = "input_" + std::to_string(i);
    writer.line("accrue::HostArray<" + *type + "> " + name + "(" +
                Twine(input.getType().getNumElements()) + ");");
    arguments += ", " + name + ".data";
    created.push_back(name);
  }
  writer.open("const auto prepare = [&] {");
  for (const std::string &name : created)
    writer.line("ACCRUE_CHECK(" + name + ".create());");
  writer.line("return 0;");
  writer.close("};");
  writer.open("const auto step = [&](" + program.name + " *model) {");
  writer.line("return " + entry.name + "(model" + arguments + ");");
  writer.close("};");
  writer.open("accrue::Benchmark<" + program.name + "> benchmark = {");
  writer.line("\"" + program.name + "\", " + Twine(entry.batch) + ", " +
              Twine(microBatch) + ", " + program.name + "_create, " +
              program.name +
              "_destroy, fill_parameters, {std::begin(calls), "
              "std::end(calls)}");
  writer.close("};");
  writer.line("return accrue::runBenchmark(argc, argv, benchmark, prepare, "
              "step);");
  writer.close();
  return success();
}

LogicalResult accrue::cuda::emitBenchmark(Writer &writer, BodyEmitter &body,
                                          const Program &program,
                                          ModuleOp module, int64_t microBatch) {
  SmallVector<SegmentOp> calls;
  for (auto segment : module.getOps<SegmentOp>())
    if (segment->hasAttr(attrs::kBenchmark))
      calls.push_back(segment);
  const Program::Entry &entry = program.entries.front();
  for (SegmentOp call : calls) {
    for (SegmentOp segment : {getFill(call), call})
      if (failed(body.emitSegment(program, entry, segment)))
        return failure();
  }
  if (failed(emitParameters(writer, program)))
    return failure();
  emitTable(writer, program, calls);
  return emitMain(writer, program, microBatch);
}
