//===- BufferizableOpInterfaceImpl.h - Kernel ops on buffers ----*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_KERNEL_BUFFERIZABLEOPINTERFACEIMPL_H
#define ACCRUE_DIALECT_KERNEL_BUFFERIZABLEOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace accrue::kernel {

/// The bufferization models of this dialect, and of the upstream dialects that
/// occur at the kernels level.
void registerBufferizableOpInterfaceExternalModels(
    mlir::DialectRegistry &registry);

} // namespace accrue::kernel

#endif // ACCRUE_DIALECT_KERNEL_BUFFERIZABLEOPINTERFACEIMPL_H
