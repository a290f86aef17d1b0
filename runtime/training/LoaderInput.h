//===- LoaderInput.h - Batches of a data loader -----------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_TRAINING_LOADERINPUT_H
#define ACCRUE_RUNTIME_TRAINING_LOADERINPUT_H

#include "runtime/io/DataLoader.h"
#include "runtime/training/Executable.h"

#include <optional>

namespace accrue {

/// One batch of a loader, whose inputs are found by name.
class LoaderInput final : public InputProvider {
public:
  LoaderInput(const Executable &executable, const io::DataLoader &loader,
              io::Batch batch)
      : loader(loader), batch(std::move(batch)) {
    for (const InputInfo &input : executable.getInputs())
      for (size_t i = 0; i < loader.inputs().size(); ++i)
        if (loader.inputs()[i].name == input.name)
          numbers.push_back(i);
    assert(numbers.size() == executable.getInputs().size() &&
           "a file for every input");
  }

  const io::Batch &getBatch() const { return batch; }
  io::Status fill(unsigned input, int64_t first, int64_t count,
                  void *to) override {
    return loader.gather(numbers[input], batch, first, first + count, to);
  }

private:
  const io::DataLoader &loader;
  io::Batch batch;
  /// The loader's number of every input of the executable.
  std::vector<size_t> numbers;
};

/// The number of the program of `kind` for `batch` samples.
std::optional<unsigned> findProgram(const Executable &executable,
                                    ProgramKind kind, int64_t batch);

} // namespace accrue

#endif // ACCRUE_RUNTIME_TRAINING_LOADERINPUT_H
