//===- Data.h - Initial values, input files, evaluation ---------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a run needs before it starts: files opened for the inputs of a model,
// values in its parameters; and the evaluation of all samples of a file.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_TRAINING_DATA_H
#define ACCRUE_RUNTIME_TRAINING_DATA_H

#include "runtime/io/DataLoader.h"
#include "runtime/training/Executable.h"

#include <utility>

namespace accrue {

/// Gives every parameter and declared state its initial values. Fails, naming
/// it, where a parameter has no initializer.
io::Status initializeParameters(Executable &executable,
                                io::ArrayView<ParameterInit> initializers,
                                uint64_t seed);

/// Gives the state that the model declares its initial values, and the key of
/// random numbers the seed; initializeParameters does so too.
io::Status initializeState(Executable &executable,
                           io::ArrayView<ParameterInit> initializers,
                           uint64_t seed);

/// Input names and files, as --data gives them.
using DataFiles = std::vector<std::pair<std::string, std::string>>;

/// Takes `text`, as `input=file`, into `files`; false if it is none.
bool parseDataFile(std::string_view text, DataFiles &files);

/// Opens the files of `files` for `inputs`; fails where an input has no file,
/// or a file no input.
io::Result<io::DataLoader> openData(io::ArrayView<InputInfo> inputs,
                                    const DataFiles &files,
                                    const io::SamplerOptions &options);

/// The same for held-out data: all samples in their order, in batches of
/// `batch` (the last one may be smaller), or in one batch where it is 0.
io::Result<io::DataLoader> openEvalData(io::ArrayView<InputInfo> inputs,
                                        const DataFiles &files,
                                        int64_t batch = 0);

/// Loss and metrics on all samples of `data`: over several batches, the means
/// of theirs, weighted by the number of samples. The executable has an
/// evaluation for every size of a batch.
io::Result<RunResults> evaluate(Executable &executable, io::DataLoader &data);

} // namespace accrue

#endif // ACCRUE_RUNTIME_TRAINING_DATA_H
