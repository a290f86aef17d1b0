//===- TestPrograms.h - Planned programs for tests --------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_UNITTESTS_TARGET_CPU_TESTPROGRAMS_H
#define ACCRUE_UNITTESTS_TARGET_CPU_TESTPROGRAMS_H

#include "accrue/Dialect/Kernel/KernelDialect.h"
#include "accrue/Target/CPU/CPUExecutable.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace accrue::cpu {

/// A context with what programs of the planned level are made of.
inline std::unique_ptr<mlir::MLIRContext> createContext() {
  mlir::DialectRegistry registry;
  registry.insert<kernel::KernelDialect, mlir::func::FuncDialect,
                  mlir::math::MathDialect>();
  return std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
}

/// Inputs in memory: `values[i]` are all samples of input i.
struct MemoryInputs : InputProvider {
  struct Input {
    const void *data;
    int64_t bytesPerSample;
  };
  std::vector<Input> values;
  /// The sample from which on reading fails.
  int64_t failFrom = INT64_MAX;

  io::Status fill(unsigned input, int64_t first, int64_t count,
                  void *to) override {
    if (first + count > failFrom)
      return io::fail("sample {} is missing", failFrom);
    const Input &source = values[input];
    std::memcpy(to,
                static_cast<const char *>(source.data) +
                    first * source.bytesPerSample,
                count * source.bytesPerSample);
    return io::Status::success();
  }
};

/// The bytes of all parameters, slots and state.
inline std::string getStateBytes(const Executable &executable) {
  std::string bytes;
  for (auto tensors : {executable.getParameters(), executable.getSlots(),
                       executable.getState()})
    for (const StateTensor &tensor : tensors)
      bytes.append(static_cast<const char *>(tensor.data), tensor.bytes());
  return bytes;
}

} // namespace accrue::cpu

#endif // ACCRUE_UNITTESTS_TARGET_CPU_TESTPROGRAMS_H
