//===- Types.h - What training knows of a model ----------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain descriptions of models and programs. Generated code includes this file:
// it needs nothing but the standard library.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_TRAINING_TYPES_H
#define ACCRUE_RUNTIME_TRAINING_TYPES_H

#include "runtime/io/DType.h"
#include "runtime/io/IndexBound.h"
#include "runtime/io/Init.h"

#include <functional>
#include <optional>

namespace accrue {

/// A tensor that lives across steps.
struct StateTensor {
  /// The parameter, as in the model file; of state without a parameter its own
  /// name (`step`).
  std::string name;
  /// The optimizer's slot of the parameter (`m`); empty for parameters and
  /// other state.
  std::string slot;
  io::DType dtype = io::DType::F32;
  std::vector<int64_t> shape;
  /// The elements in C order, on the host, to be read and written between runs
  /// (see Executable::fetchTensors). Zero at first. Stays valid as long as the
  /// executable.
  void *data = nullptr;

  int64_t bytes() const {
    return io::elementCount(shape) * io::byteSize(dtype);
  }
};

/// A batch input of the model.
struct InputInfo {
  std::string name;
  io::DType dtype = io::DType::F32;
  /// The extent of dimension `batchDim`, which enumerates samples, is -1.
  std::vector<int64_t> shape;
  int64_t batchDim = 0;
  /// Of labels and other indices: the valid values; see io::InputSpec.
  std::vector<io::IndexBound> bounds;
};

/// A parameter and what it starts from; nothing where the model does not say.
struct ParameterInit {
  std::string name;
  std::optional<io::Initializer> initializer;
};

/// The learning rate of the step after so many completed ones.
using LearningRate = std::function<double(int64_t)>;

/// How the learning rate moves, for people.
struct ScheduleInfo {
  /// "cosine"; empty where the model has none.
  std::string name;
  /// Steps over which it rises, and the step at which it stops to change; 0 for
  /// none.
  int64_t warmup = 0, last = 0;
  /// The learning rate that it is a part of, as in `LearningRate`.
  double rate = 0;
};

/// The model of a run.
struct RunModel {
  std::string name;
  /// Samples per optimizer step.
  int64_t batch = 0;
  /// Optimizer steps where the run does not say; 0 for not known.
  int64_t steps = 0;
  /// Hash of all that decides the bits of a step.
  std::string config;
  std::vector<InputInfo> inputs;
  std::vector<ParameterInit> initializers;
  LearningRate learningRate;
  ScheduleInfo schedule;
  /// Gradients of a larger global norm are scaled down to this one.
  std::optional<double> clipNorm;
  /// The type in which the step has the norm and what it multiplies gradients
  /// by: F64 or F32.
  io::DType normType = io::DType::F32;
};

/// What one run of a program yields, besides the new state.
struct RunResults {
  /// The loss of the logical batch.
  double loss = 0;
  /// The global norm of the gradients before clipping; 0 for an evaluation.
  double gradNorm = 0;
  /// Whether loss and gradients were finite. Where not, the run has changed
  /// nothing; always true for an evaluation.
  bool finite = true;
  /// In the order of `Executable::getMetricNames`.
  std::vector<double> metrics;
};

enum class ProgramKind {
  /// One optimizer step.
  Step,
  /// The gradients of a batch, without an update of the parameters.
  Gradients,
  /// Loss and metrics with the parameters as they are.
  Evaluation
};

/// A program of an executable.
struct ProgramInfo {
  ProgramKind kind = ProgramKind::Step;
  /// Samples in the logical batch.
  int64_t batch = 0;
};

} // namespace accrue

#endif // ACCRUE_RUNTIME_TRAINING_TYPES_H
