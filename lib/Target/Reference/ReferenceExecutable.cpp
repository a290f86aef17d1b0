//===- ReferenceExecutable.cpp - Steps run by the interpreter -------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters and state are kept in their declared types, as every target keeps
// them, and become tensors of the interpreter for one run. That is exact: the
// interpreter holds values of the declared types in wider ones.
//
//===----------------------------------------------------------------------===//

#include "accrue/Target/Reference/ReferenceExecutable.h"

#include "accrue/Reference/Interpreter.h"
#include "accrue/Target/Describe.h"
#include "accrue/Target/Reference/TensorMemory.h"

using namespace mlir;
using namespace accrue;
using reference::Tensor;
using train::Signature;

namespace {
class ReferenceExecutable final : public Executable {
public:
  LogicalResult initialize(std::vector<ReferenceProgram> given);

  io::ArrayView<StateTensor> getParameters() const override {
    return parameters;
  }
  io::ArrayView<StateTensor> getSlots() const override { return slots; }
  io::ArrayView<StateTensor> getState() const override { return state; }
  io::ArrayView<StateTensor> getOutputs(unsigned program) const override {
    return programs[program].outputs;
  }
  io::ArrayView<InputInfo> getInputs() const override { return inputs; }
  io::ArrayView<std::string> getMetricNames() const override { return metrics; }
  io::ArrayView<ProgramInfo> getPrograms() const override { return infos; }
  io::ArrayView<ArenaUsage> getArenas() const override { return {}; }
  io::Status run(unsigned program, InputProvider &provider,
                 RunResults &results) override;

private:
  struct Program {
    OwningOpRef<ModuleOp> module;
    func::FuncOp function;
    Signature signature;
    std::vector<StateTensor> outputs;
  };

  LogicalResult addState(func::FuncOp function,
                         const Signature::Argument &argument, StringRef slot,
                         std::vector<StateTensor> &list);
  /// The stored tensor behind an argument.
  StateTensor &find(StringRef name, StringRef slot);
  /// Makes room for the outputs of `program`.
  LogicalResult addOutputs(Program &program);
  void collectResults(const Program &program, ArrayRef<Tensor> values,
                      RunResults &results);

  std::vector<Program> programs;
  std::vector<ProgramInfo> infos;
  std::vector<StateTensor> parameters, slots, state;
  std::vector<InputInfo> inputs;
  std::vector<std::string> metrics;
  std::vector<std::vector<uint8_t>> storage;
};
} // namespace

LogicalResult ReferenceExecutable::addState(func::FuncOp function,
                                            const Signature::Argument &argument,
                                            StringRef slot,
                                            std::vector<StateTensor> &list) {
  std::optional<io::DType> dtype = getDType(argument.type.getElementType());
  if (!dtype)
    return emitError(function.getArgument(argument.number).getLoc())
           << "values of type " << argument.type.getElementType()
           << " cannot be stored";
  StateTensor &tensor = list.emplace_back();
  tensor.name = argument.name;
  tensor.slot = slot.str();
  tensor.dtype = *dtype;
  tensor.shape = argument.type.getShape().vec();
  storage.emplace_back(tensor.bytes());
  tensor.data = storage.back().data();
  return success();
}

LogicalResult
ReferenceExecutable::initialize(std::vector<ReferenceProgram> given) {
  for (ReferenceProgram &program : given) {
    auto functions = program.module->getOps<func::FuncOp>();
    assert(llvm::hasSingleElement(functions) && "one function per program");
    func::FuncOp function = *functions.begin();
    FailureOr<Signature> signature = train::readSignature(function);
    if (failed(signature))
      return failure();
    programs.push_back(
        {std::move(program.module), function, std::move(*signature)});
    infos.push_back(program.info);
  }
  for (Program &program : programs)
    if (failed(addOutputs(program)))
      return failure();
  Program &first = programs.front();
  for (const Signature::Parameter &parameter : first.signature.parameters)
    if (failed(addState(first.function, parameter, "", parameters)))
      return failure();
  for (const Signature::State &item : first.signature.states)
    if (failed(addState(first.function, item, item.slot,
                        item.slot.empty() ? state : slots)))
      return failure();
  FailureOr<std::vector<InputInfo>> described =
      describeInputs(first.function, first.signature);
  if (failed(described))
    return failure();
  inputs = std::move(*described);
  metrics = describeMetrics(first.signature);
  return success();
}

StateTensor &ReferenceExecutable::find(StringRef name, StringRef slot) {
  for (std::vector<StateTensor> *list : {&parameters, &slots, &state})
    for (StateTensor &tensor : *list)
      if (tensor.name == name && tensor.slot == slot)
        return tensor;
  llvm_unreachable("programs of one model have the same parameters and state");
}

LogicalResult ReferenceExecutable::addOutputs(Program &program) {
  for (const Signature::Result &result : program.signature.results) {
    if (result.kind != train::ResultKind::output)
      continue;
    auto type = cast<RankedTensorType>(
        program.function.getResultTypes()[result.number]);
    Signature::Argument described{0, result.name, type};
    if (failed(addState(program.function, described, "", program.outputs)))
      return failure();
  }
  return success();
}

void ReferenceExecutable::collectResults(const Program &program,
                                         ArrayRef<Tensor> values,
                                         RunResults &results) {
  results = RunResults();
  size_t outputs = 0;
  for (const Signature::Result &result : program.signature.results) {
    const Tensor &value = values[result.number];
    switch (result.kind) {
    case train::ResultKind::loss:
      results.loss = value.getFloats().front();
      break;
    case train::ResultKind::norm:
      results.gradNorm = value.getFloats().front();
      break;
    case train::ResultKind::finite:
      results.finite = value.getInts().front() != 0;
      break;
    case train::ResultKind::metric:
      results.metrics.push_back(value.isFloat() ? value.getFloats().front()
                                                : value.getInts().front());
      break;
    case train::ResultKind::output: {
      const StateTensor &stored = program.outputs[outputs++];
      reference::writeTensor(value, stored.dtype, stored.data);
      break;
    }
    case train::ResultKind::gradient:
    case train::ResultKind::rate:
      break;
    }
  }
}

io::Status ReferenceExecutable::run(unsigned index, InputProvider &provider,
                                    RunResults &results) {
  Program &program = programs[index];
  SmallVector<Tensor> arguments(program.function.getNumArguments());
  auto load = [&](const Signature::Argument &argument, StringRef slot) {
    const StateTensor &stored = find(argument.name, slot);
    Tensor tensor(argument.type);
    reference::readTensor(stored.data, stored.dtype, tensor);
    arguments[argument.number] = std::move(tensor);
  };
  for (const Signature::Parameter &parameter : program.signature.parameters)
    load(parameter, "");
  for (const Signature::State &item : program.signature.states)
    load(item, item.slot);
  for (auto [i, input] : llvm::enumerate(program.signature.inputs)) {
    Tensor tensor(input.type);
    std::vector<uint8_t> staging(tensor.getNumElements() *
                                 io::byteSize(inputs[i].dtype));
    io::Status status = provider.fill(i, 0, infos[index].batch, staging.data());
    if (!status)
      return status;
    reference::readTensor(staging.data(), inputs[i].dtype, tensor);
    arguments[input.number] = std::move(tensor);
  }

  reference::InterpreterOptions options;
  options.batch = infos[index].batch;
  options.precision = reference::Precision::Declared;
  FailureOr<SmallVector<Tensor>> values =
      reference::interpret(program.function, arguments, options);
  if (failed(values))
    return io::fail("the step cannot be interpreted");

  auto store = [&](const Signature::Argument &argument, StringRef slot,
                   std::optional<unsigned> update) {
    if (!update)
      return;
    const StateTensor &stored = find(argument.name, slot);
    reference::writeTensor((*values)[*update], stored.dtype, stored.data);
  };
  for (const Signature::Parameter &parameter : program.signature.parameters)
    store(parameter, "", parameter.update);
  for (const Signature::State &item : program.signature.states)
    store(item, item.slot, item.update);
  collectResults(program, *values, results);
  return io::Status::success();
}

std::unique_ptr<Executable>
accrue::createReferenceExecutable(std::vector<ReferenceProgram> programs) {
  assert(!programs.empty() && "an executable has a program");
  auto executable = std::make_unique<ReferenceExecutable>();
  if (failed(executable->initialize(std::move(programs))))
    return nullptr;
  return executable;
}
