//===- StepArguments.cpp - What a step of a run reads ---------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepArguments.h"

#include "accrue/Dialect/Train/RunState.h"
#include "accrue/Dialect/Train/Signature.h"
#include "accrue/Target/Describe.h"
#include "accrue/Target/Reference/TensorMemory.h"

using namespace mlir;
using namespace accrue;
using reference::Tensor;
using train::Signature;

/// A parameter or declared state of the executable.
static Tensor readStored(const Executable &executable,
                         const Signature::Argument &argument) {
  Tensor tensor(argument.type);
  for (io::ArrayView<StateTensor> list :
       {executable.getParameters(), executable.getState()})
    for (const StateTensor &stored : list)
      if (stored.name == argument.name && stored.slot.empty())
        reference::readTensor(stored.data, stored.dtype, tensor);
  return tensor;
}

io::Result<SmallVector<Tensor>>
tool::readArguments(func::FuncOp function, Executable &executable,
                    InputProvider &inputs, const io::Batch &batch,
                    uint64_t seed, int64_t first, int64_t count) {
  FailureOr<Signature> signature = train::readSignature(function);
  if (failed(signature))
    return io::fail("the step cannot be interpreted");
  if (io::Status status = executable.fetchTensors(); !status)
    return status;
  SmallVector<Tensor> arguments(function.getNumArguments());
  for (const Signature::Parameter &parameter : signature->parameters)
    arguments[parameter.number] = readStored(executable, parameter);
  for (const Signature::State &state : signature->states) {
    Tensor tensor = readStored(executable, state);
    // The stored key may be that of the next batch already.
    if (state.name == train::kRandomKeyName) {
      tensor.getMutableInts()[0] = static_cast<int64_t>(seed);
      tensor.getMutableInts()[1] = batch.index;
    }
    arguments[state.number] = std::move(tensor);
  }
  for (const Signature::Input &input : signature->inputs) {
    io::ArrayView<InputInfo> infos = executable.getInputs();
    const InputInfo *info = llvm::find_if(
        infos, [&](const InputInfo &info) { return info.name == input.name; });
    SmallVector<int64_t> shape(info->shape.begin(), info->shape.end());
    shape[info->batchDim] = count;
    Tensor tensor(RankedTensorType::get(shape, input.type.getElementType()));
    std::vector<uint8_t> staging(tensor.getNumElements() *
                                 io::byteSize(info->dtype));
    io::Status status =
        inputs.fill(info - infos.begin(), first, count, staging.data());
    if (!status)
      return status;
    reference::readTensor(staging.data(), info->dtype, tensor);
    arguments[input.number] = std::move(tensor);
  }
  return arguments;
}
