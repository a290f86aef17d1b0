//===- Driver.cpp - The main that trains ----------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table of what the model is: the program that reads it is in
// `runtime/training`, and the same for all models and for `accrue train`.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "Format.h"
#include "accrue/Dialect/CUDA/Identifiers.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "accrue/Target/CUDA/Export.h"
#include "llvm/ADT/StringExtras.h"
#include <fmt/format.h>

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

/// The enumerator of `dtype`.
static std::string getEnumerator(io::DType dtype) {
  if (dtype == io::DType::Bool)
    return "accrue::io::DType::Bool";
  return "accrue::io::DType::" + StringRef(io::dtypeName(dtype)).upper();
}

static std::string getInitializer(const ParameterInit &init) {
  if (!init.initializer)
    return "{}";
  const io::Initializer &value = *init.initializer;
  std::string call;
  switch (value.kind) {
  case io::Initializer::Kind::Constant:
    call = fmt::format("constant({})", value.center);
    break;
  case io::Initializer::Kind::Uniform:
    call = fmt::format("uniform({})", value.spread);
    break;
  case io::Initializer::Kind::Normal:
    call = fmt::format("normal({}, {})", value.center, value.spread);
    break;
  }
  return "accrue::io::Initializer::" + call;
}

/// The bounds of `input`, as a further initializer.
static std::string listBounds(const InputInfo &input) {
  if (input.bounds.empty())
    return "";
  SmallVector<std::string> bounds;
  for (const io::IndexBound &bound : input.bounds)
    bounds.push_back(fmt::format("{{{}, {}, {}, {}}}", bound.begin, bound.end,
                                 bound.bound, quote(bound.reader)));
  return ", {" + llvm::join(bounds, ", ") + "}";
}

/// The field of the results as a double.
static std::string readField(const Program::Tensor &result) {
  Type type = result.plan.getType().getElementType();
  std::string field = "from." + getIdentifier(result.plan.getName());
  if (type.isF16() || type.isBF16())
    return fmt::format(
        "accrue::readNumber({}, &{})",
        getEnumerator(type.isF16() ? io::DType::F16 : io::DType::BF16), field);
  return isa<FloatType>(type) ? field : "static_cast<double>(" + field + ")";
}

static train::ResultKindAttr getKind(const Program::Tensor &result) {
  DictionaryAttr attributes = result.plan.getAttributes();
  return attributes
             ? attributes.getAs<train::ResultKindAttr>(train::attrs::kResult)
             : nullptr;
}

/// The function that takes results of the C interface to the ones of the loop.
static void emitResults(Writer &writer, const Program &program) {
  SmallVector<std::string> metrics;
  writer.line();
  writer.open("static void readResults(const " + program.name +
              "_results &from, accrue::RunResults &to) {");
  for (const Program::Tensor &result : program.results) {
    train::ResultKindAttr kind = getKind(result);
    if (!kind)
      continue;
    switch (kind.getValue()) {
    case train::ResultKind::loss:
      writer.line("to.loss = " + readField(result) + ";");
      break;
    case train::ResultKind::norm:
      writer.line("to.gradNorm = " + readField(result) + ";");
      break;
    case train::ResultKind::finite:
      writer.line("to.finite = from." + getIdentifier(result.plan.getName()) +
                  " != 0;");
      break;
    case train::ResultKind::metric:
      metrics.push_back(readField(result));
      break;
    default:
      break;
    }
  }
  writer.line("to.metrics = {" + llvm::join(metrics, ", ") + "};");
  writer.close();
}

/// The names of the metrics, in the order of `emitResults`.
static std::string getMetrics(const Program &program) {
  SmallVector<std::string> names;
  for (const Program::Tensor &result : program.results)
    if (train::ResultKindAttr kind = getKind(result);
        kind && kind.getValue() == train::ResultKind::metric)
      names.push_back(quote(result.plan.getName()));
  return llvm::join(names, ", ");
}

/// What a run needs to know of the model.
static void emitDescription(Writer &writer, const Program &program,
                            const DriverOptions &options) {
  const RunModel &model = options.model;
  writer.line("model.name = " + quote(model.name) + ";");
  writer.line("model.target = \"cuda\";");
  writer.line("model.size = " + quote(options.size) + ";");
  writer.line("model.split = " + quote(options.split) + ";");
  writer.line("model.batch = " + Twine(model.batch) + ";");
  writer.line("model.steps = " + Twine(model.steps) + ";");
  writer.line("model.config = " + quote(model.config) + ";");
  writer.line("model.inputs = {");
  for (const InputInfo &input : model.inputs)
    writer.line(fmt::format("{{{}, {}, {{{}}}, {}{}}},", quote(input.name),
                            getEnumerator(input.dtype),
                            fmt::join(input.shape, ", "), input.batchDim,
                            listBounds(input)));
  writer.line("};");
  writer.line("model.initializers = {");
  for (const ParameterInit &init : model.initializers)
    writer.line("{" + quote(init.name) + ", " + getInitializer(init) + "},");
  writer.line("};");
  writer.line("model.metrics = {" + getMetrics(program) + "};");
  writer.line("model.learningRate = getLearningRate;");
  const ScheduleInfo &schedule = model.schedule;
  writer.line(fmt::format("model.schedule = {{{}, {}, {}, {}}};",
                          quote(schedule.name), schedule.warmup, schedule.last,
                          schedule.rate));
  if (model.clipNorm) {
    writer.line(fmt::format("model.clipNorm = {};", *model.clipNorm));
    writer.line("model.normType = " + getEnumerator(model.normType) + ";");
  }
}

/// The functions of the C interface.
static void emitFunctions(Writer &writer, const Program &program) {
  const std::string &name = program.name;
  SmallVector<std::string> functions;
  for (StringRef function :
       {"create", "destroy", "set_parameter", "get_parameter", "set_state",
        "get_state", "get_tensor", "last_error"})
    functions.push_back(name + "_" + function.str());
  writer.line("model.setFunctions(" + llvm::join(functions, ", ") + ");");
  writer.line("model.setResults(" + name + "_get_results, readResults);");
  for (const Program::Entry &entry : program.entries) {
    // Nothing trains by gradients alone.
    if (entry.kind == train::ProgramKind::gradients)
      continue;
    StringRef kind =
        entry.kind == train::ProgramKind::evaluation ? "Evaluation" : "Step";
    writer.line("model.addProgram(accrue::ProgramKind::" + kind + ", " +
                Twine(entry.batch) + ", " + entry.name + ");");
  }
}

LogicalResult accrue::cuda::exportDriver(ModuleOp module,
                                         const ExportOptions &options,
                                         const DriverOptions &driver,
                                         llvm::raw_ostream &os) {
  FailureOr<Program> program = Program::get(module, options.name);
  if (failed(program))
    return failure();
  std::string header =
      options.headerName.empty() ? program->name + ".h" : options.headerName;
  std::string file = StringRef(header).drop_back(2).str() + "_main.cpp";
  std::string text;
  llvm::raw_string_ostream stream(text);
  Writer writer(stream);
  emitBanner(writer, file, "training from files");
  writer.verbatim("//");
  writer.verbatim("// Generated by accrue " ACCRUE_VERSION ".");
  for (const std::string &note : options.notes)
    writer.comment(note);
  writer.verbatim("//");
  writer.comment("Trains " + driver.model.name +
                 " with the options of 'accrue train'. Here is what the model "
                 "is; the program is in runtime/training.");
  writer.verbatim("//");
  writer.verbatim("//===" + std::string(70, '-') + "===//");
  writer.line();
  writer.line("#include \"" + header + "\"");
  writer.line("#include \"runtime/training/EmittedModel.h\"");
  writer.line();
  writer.comment("The learning rate of the step after `completed` ones.");
  writer.open("static double getLearningRate(int64_t completed) {");
  // A constant rate does not look at it.
  if (driver.learningRate.find("completed") == std::string::npos)
    writer.line("(void)completed;");
  writer.line("return " + driver.learningRate + ";");
  writer.close();
  emitResults(writer, *program);
  writer.line();
  writer.open("int main(int argc, char **argv) {");
  writer.line("accrue::EmittedModel model;");
  emitDescription(writer, *program, driver);
  emitFunctions(writer, *program);
  writer.line("return accrue::trainEmittedModel(argc, argv, model);");
  writer.close();
  os << formatText(text, file);
  return success();
}
