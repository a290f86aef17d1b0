//===- MergePrograms.h - Several programs in one module ---------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_TARGET_CUDA_MERGEPROGRAMS_H
#define ACCRUE_LIB_TARGET_CUDA_MERGEPROGRAMS_H

#include "accrue/Target/CUDA/Export.h"
#include "mlir/IR/OwningOpRef.h"

namespace accrue::cuda {

/// One module of the planned level with the step functions of all `programs`,
/// in their order, and their kernels, equal ones once.
mlir::OwningOpRef<mlir::ModuleOp>
mergePrograms(llvm::ArrayRef<StepProgram> programs);

} // namespace accrue::cuda

#endif // ACCRUE_LIB_TARGET_CUDA_MERGEPROGRAMS_H
