//===- Phases.cpp - The stations of a compilation -------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Pipelines/Phases.h"
#include "llvm/Support/ErrorHandling.h"

using namespace accrue;

static constexpr PhaseInfo kPhases[] = {
    {Phase::NN, "nn", "the model, of a symbolic batch"},
    {Phase::Step, "step", "the differentiated step of the full batch"},
    {Phase::Accumulated, "accumulated",
     "the step as a loop over micro-batches and one update"},
    {Phase::Rematerialized, "rematerialized",
     "with the activations that the backward pass computes again"},
    {Phase::Optimized, "optimized",
     "without what nobody reads after rematerialization"},
    {Phase::Linalg, "linalg", "grouped into kernels of linalg ops on tensors"},
    {Phase::Kernels, "kernels", "kernels as loops on buffers"},
    {Phase::Planned, "planned", "every buffer at its place in an arena"},
    {Phase::LLVM, "llvm", "LLVM IR for this processor", "cpu"},
    {Phase::Object, "object", "machine code for this processor", "cpu"},
    {Phase::CUDA, "cuda", "CUDA C++; with -o MODEL.cu also the header MODEL.h",
     "cuda"},
    {Phase::CUDADriver, "cuda-driver",
     "CUDA C++ with a main that trains; with -o MODEL.cu also MODEL.h and "
     "MODEL_main.cpp",
     "cuda"},
    {Phase::PTX, "ptx", "the CUDA C++ as nvcc compiles it", "cuda"},
};

llvm::ArrayRef<PhaseInfo> accrue::getPhases() { return kPhases; }

const PhaseInfo &accrue::getInfo(Phase phase) {
  for (const PhaseInfo &info : kPhases)
    if (info.phase == phase)
      return info;
  llvm_unreachable("phase without a description");
}
