//===- EmittedModel.h - Programs behind C functions -------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a generated `main` says of its model: facts, and the functions of the
// generated C interface. Everything else that training takes is in this folder.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_TRAINING_EMITTEDMODEL_H
#define ACCRUE_RUNTIME_TRAINING_EMITTEDMODEL_H

#include "runtime/training/Schedules.h"
#include "runtime/training/Types.h"

#include <cstddef>
#include <utility>

namespace accrue {

/// A tensor as the generated table has it.
struct EmittedTensor {
  std::string arena, name, slot, type;
  std::vector<int64_t> shape;
  size_t bytes = 0;
};

/// One entry point. `run` takes a created model and its inputs, whole batches
/// in the order of `RunModel::inputs`.
struct EmittedProgram {
  ProgramKind kind = ProgramKind::Step;
  int64_t batch = 0;
  std::function<int(void *, const void *const *)> run;
};

/// Functions that return int return 0, or an error that `lastError` explains.
struct EmittedModel : RunModel {
  /// Where it runs, for people: "cuda".
  std::string target;
  /// "9,610 parameters" and "512 samples per optimizer step = 4 x 128".
  std::string size, split;
  /// In the order of `RunResults::metrics`.
  std::vector<std::string> metrics;
  std::vector<EmittedProgram> programs;

  /// Results of the program that ran last.
  std::function<int(void *, RunResults &)> getResults;
  std::function<int(void **)> create;
  std::function<void(void *)> destroy;
  std::function<int(void *, const char *, const void *, size_t)> setParameter;
  std::function<int(void *, const char *, void *, size_t)> getParameter;
  /// The name of a parameter and of a slot, or of other state and "".
  std::function<int(void *, const char *, const char *, const void *, size_t)>
      setState;
  std::function<int(void *, const char *, const char *, void *, size_t)>
      getState;
  /// False behind the last one.
  std::function<bool(size_t, EmittedTensor &)> getTensor;
  std::function<const char *()> lastError;

  /// Takes the generated functions `NAME_create` and so on.
  template <class Model, class Tensor>
  void setFunctions(
      int (*create)(Model **), void (*destroy)(Model *),
      int (*setParameter)(Model *, const char *, const void *, size_t),
      int (*getParameter)(Model *, const char *, void *, size_t),
      int (*setState)(Model *, const char *, const char *, const void *,
                      size_t),
      int (*getState)(Model *, const char *, const char *, void *, size_t),
      const Tensor *(*getTensor)(size_t), const char *(*lastError)());

  /// Takes `NAME_get_results`; `read` says which of the fields is what.
  template <class Model, class Results>
  void setResults(int (*getResults)(Model *, Results *),
                  void (*read)(const Results &, RunResults &));

  /// Adds an entry point, `NAME_step` or another.
  template <class Model, class... Inputs>
  void addProgram(ProgramKind kind, int64_t batch,
                  int (*run)(Model *, const Inputs *...)) {
    programs.push_back(
        {kind, batch, bind(run, std::index_sequence_for<Inputs...>())});
  }

private:
  template <class Model, class... Inputs, size_t... numbers>
  static std::function<int(void *, const void *const *)>
  bind(int (*run)(Model *, const Inputs *...),
       std::index_sequence<numbers...>) {
    return [run](void *model, const void *const *inputs) {
      return run(static_cast<Model *>(model),
                 static_cast<const Inputs *>(inputs[numbers])...);
    };
  }
};

template <class Model, class Tensor>
void EmittedModel::setFunctions(
    int (*create)(Model **), void (*destroy)(Model *),
    int (*setParameter)(Model *, const char *, const void *, size_t),
    int (*getParameter)(Model *, const char *, void *, size_t),
    int (*setState)(Model *, const char *, const char *, const void *, size_t),
    int (*getState)(Model *, const char *, const char *, void *, size_t),
    const Tensor *(*getTensor)(size_t), const char *(*lastError)()) {
  this->create = [create](void **model) {
    Model *created = nullptr;
    int status = create(&created);
    *model = created;
    return status;
  };
  this->destroy = [destroy](void *model) {
    destroy(static_cast<Model *>(model));
  };
  this->setParameter = [setParameter](void *model, const char *name,
                                      const void *data, size_t bytes) {
    return setParameter(static_cast<Model *>(model), name, data, bytes);
  };
  this->getParameter = [getParameter](void *model, const char *name, void *data,
                                      size_t bytes) {
    return getParameter(static_cast<Model *>(model), name, data, bytes);
  };
  this->setState = [setState](void *model, const char *name, const char *slot,
                              const void *data, size_t bytes) {
    return setState(static_cast<Model *>(model), name, slot, data, bytes);
  };
  this->getState = [getState](void *model, const char *name, const char *slot,
                              void *data, size_t bytes) {
    return getState(static_cast<Model *>(model), name, slot, data, bytes);
  };
  this->getTensor = [getTensor](size_t index, EmittedTensor &to) {
    const Tensor *from = getTensor(index);
    if (!from)
      return false;
    to = {from->arena, from->name, from->slot, from->type, {}, from->bytes};
    to.shape.assign(from->shape, from->shape + from->rank);
    return true;
  };
  this->lastError = lastError;
}

template <class Model, class Results>
void EmittedModel::setResults(int (*getResults)(Model *, Results *),
                              void (*read)(const Results &, RunResults &)) {
  this->getResults = [getResults, read](void *model, RunResults &to) {
    Results results;
    int status = getResults(static_cast<Model *>(model), &results);
    if (status == 0)
      read(results, to);
    return status;
  };
}

/// The number at `data`, for element types that C++ does not have.
double readNumber(io::DType dtype, const void *data);

/// The `main` of a program that trains `model`, with the options of
/// `accrue train`. Returns the exit status.
int trainEmittedModel(int argc, char **argv, const EmittedModel &model);

} // namespace accrue

#endif // ACCRUE_RUNTIME_TRAINING_EMITTEDMODEL_H
