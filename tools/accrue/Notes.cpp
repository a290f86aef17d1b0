//===- Notes.cpp - How an emitted program came about ----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The choices that a program depends on, whether they were made by an option or
// by the search for one that fits into memory.
//
//===----------------------------------------------------------------------===//

#include "Notes.h"
#include "accrue/Driver/ByteSize.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace accrue;
using namespace accrue::tool;
using llvm::formatv;

std::vector<std::string> tool::describeBuild(const Session &session) {
  const CommandLine &options = session.options;
  std::vector<std::string> notes;
  notes.push_back(formatv("compiled from {0}",
                          llvm::sys::path::filename(options.model.getValue())));
  if (!options.overrides.empty())
    notes.back() += " with " + llvm::join(options.overrides, ", ");
  for (int64_t batch : session.batches) {
    PipelineOptions program = session.getOptions({ProgramKind::Step, batch});
    std::string error;
    auto spans =
        cutBatch(program.batch, program.microBatch, program.accumulate, error);
    if (succeeded(spans))
      notes.push_back(formatv("{0} samples per optimizer step = {1}", batch,
                              formatSpans(*spans)));
  }
  if (session.batch.memoryLimit)
    notes.push_back(formatv("the largest micro-batch that fits into {0}",
                            formatByteSize(*session.batch.memoryLimit)));
  notes.push_back(session.pipeline.remat == train::RematPolicy::Full
                      ? "activations are computed again in the backward pass"
                      : "activations are kept for the backward pass");
  notes.push_back(options.noGraph ? "steps run as plain launches"
                                  : "steps run as CUDA graphs");
  return notes;
}
