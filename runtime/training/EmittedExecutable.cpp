//===- EmittedExecutable.cpp - An emitted model to train ------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/training/EmittedExecutable.h"

#include <algorithm>

using namespace accrue;

namespace {
class EmittedExecutable final : public Executable {
public:
  explicit EmittedExecutable(const EmittedModel &model) : model(model) {
    for (const EmittedProgram &program : model.programs)
      infos.push_back({program.kind, program.batch});
  }
  ~EmittedExecutable() override { model.destroy(handle); }

  io::Status create();

  io::ArrayView<StateTensor> getParameters() const override {
    return parameters;
  }
  io::ArrayView<StateTensor> getSlots() const override { return slots; }
  io::ArrayView<StateTensor> getState() const override { return state; }
  io::ArrayView<InputInfo> getInputs() const override { return model.inputs; }
  io::ArrayView<std::string> getMetricNames() const override {
    return model.metrics;
  }
  io::ArrayView<ProgramInfo> getPrograms() const override { return infos; }
  io::ArrayView<ArenaUsage> getArenas() const override { return {}; }

  io::Status fetchTensors() override;
  io::Status storeTensors() override;
  io::Status run(unsigned program, InputProvider &provider,
                 RunResults &results) override;

private:
  io::Status addTensor(const EmittedTensor &tensor);
  /// The place of the parameter `name` in the model.
  size_t getNumber(const std::string &name) const;
  /// The status of a call of the model.
  io::Status check(int status) const {
    return status == 0 ? io::Status::success()
                       : io::fail("{}", model.lastError());
  }

  const EmittedModel &model;
  void *handle = nullptr;
  std::vector<ProgramInfo> infos;
  std::vector<StateTensor> parameters, slots, state;
  std::vector<std::vector<uint8_t>> storage;
  /// One whole batch of every input.
  std::vector<std::vector<uint8_t>> batch;
};
} // namespace

size_t EmittedExecutable::getNumber(const std::string &name) const {
  auto it = std::find_if(
      model.initializers.begin(), model.initializers.end(),
      [&](const ParameterInit &init) { return init.name == name; });
  return it - model.initializers.begin();
}

io::Status EmittedExecutable::addTensor(const EmittedTensor &tensor) {
  std::vector<StateTensor> *list = nullptr;
  if (tensor.arena == "params")
    list = &parameters;
  else if (tensor.arena == "slots")
    list = &slots;
  else if (tensor.arena == "state")
    list = &state;
  else
    return io::Status::success();
  StateTensor added;
  added.name = tensor.name;
  added.slot = tensor.slot;
  added.shape = tensor.shape;
  if (!io::parseDType(tensor.type, added.dtype) ||
      added.bytes() != static_cast<int64_t>(tensor.bytes))
    return io::fail("'{}' of type {} cannot be stored", tensor.name,
                    tensor.type);
  storage.emplace_back(tensor.bytes);
  added.data = storage.back().data();
  list->push_back(std::move(added));
  return io::Status::success();
}

io::Status EmittedExecutable::create() {
  if (io::Status status = check(model.create(&handle)); !status)
    return status;
  EmittedTensor tensor;
  for (size_t i = 0; model.getTensor(i, tensor); ++i)
    if (io::Status status = addTensor(tensor); !status)
      return status;
  // The table is in the order of memory, not of the model.
  auto isBefore = [this](const StateTensor &a, const StateTensor &b) {
    return getNumber(a.name) < getNumber(b.name);
  };
  std::stable_sort(parameters.begin(), parameters.end(), isBefore);
  std::stable_sort(slots.begin(), slots.end(), isBefore);
  for (const InputInfo &input : model.inputs) {
    int64_t largest = 0;
    for (const ProgramInfo &info : infos)
      largest = std::max(largest, info.batch);
    std::vector<int64_t> shape = input.shape;
    shape[input.batchDim] = largest;
    batch.emplace_back(io::elementCount(shape) * io::byteSize(input.dtype));
  }
  return io::Status::success();
}

io::Status EmittedExecutable::fetchTensors() {
  for (const StateTensor &tensor : parameters)
    if (io::Status status = check(model.getParameter(
            handle, tensor.name.c_str(), tensor.data, tensor.bytes()));
        !status)
      return status;
  for (const auto *list : {&slots, &state})
    for (const StateTensor &tensor : *list)
      if (io::Status status = check(
              model.getState(handle, tensor.name.c_str(), tensor.slot.c_str(),
                             tensor.data, tensor.bytes()));
          !status)
        return status;
  return io::Status::success();
}

io::Status EmittedExecutable::storeTensors() {
  for (const StateTensor &tensor : parameters)
    if (io::Status status = check(model.setParameter(
            handle, tensor.name.c_str(), tensor.data, tensor.bytes()));
        !status)
      return status;
  for (const auto *list : {&slots, &state})
    for (const StateTensor &tensor : *list)
      if (io::Status status = check(
              model.setState(handle, tensor.name.c_str(), tensor.slot.c_str(),
                             tensor.data, tensor.bytes()));
          !status)
        return status;
  return io::Status::success();
}

io::Status EmittedExecutable::run(unsigned number, InputProvider &provider,
                                  RunResults &results) {
  const EmittedProgram &program = model.programs[number];
  std::vector<const void *> inputs;
  for (size_t i = 0; i < batch.size(); ++i) {
    if (io::Status status = provider.fill(i, 0, program.batch, batch[i].data());
        !status)
      return status;
    inputs.push_back(batch[i].data());
  }
  if (io::Status status = check(program.run(handle, inputs.data())); !status)
    return status;
  // Waits, so that the inputs may be overwritten.
  if (io::Status status = check(model.getResults(handle, results)); !status)
    return status;
  if (program.kind == ProgramKind::Evaluation) {
    results.gradNorm = 0;
    results.finite = true;
  }
  return io::Status::success();
}

io::Result<std::unique_ptr<Executable>>
accrue::createExecutable(const EmittedModel &model) {
  auto executable = std::make_unique<EmittedExecutable>(model);
  if (io::Status status = executable->create(); !status)
    return status;
  return std::unique_ptr<Executable>(std::move(executable));
}
