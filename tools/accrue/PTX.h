//===- PTX.h - CUDA C++ through nvcc ----------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TOOLS_ACCRUE_PTX_H
#define ACCRUE_TOOLS_ACCRUE_PTX_H

#include "accrue/Target/CUDA/Export.h"

#include <optional>
#include <string>

namespace accrue::tool {

/// Where nvcc is: in PATH, or where NVIDIA's packages put it.
std::optional<std::string> findNVCC();

/// The PTX that nvcc makes of the CUDA C++ of `planned`, for sm_80. Fails after
/// an error, also where there is no nvcc.
mlir::FailureOr<std::string> compileToPTX(mlir::ModuleOp planned,
                                          const cuda::ExportOptions &options);

} // namespace accrue::tool

#endif // ACCRUE_TOOLS_ACCRUE_PTX_H
