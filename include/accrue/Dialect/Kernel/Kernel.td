//===- Kernel.td - Everything of the kernel dialect --------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the documentation.
//
//===----------------------------------------------------------------------===//

include "accrue/Dialect/Kernel/KernelDrawOps.td"
include "accrue/Dialect/Kernel/KernelOps.td"
