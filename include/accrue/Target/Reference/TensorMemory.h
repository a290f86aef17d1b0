//===- TensorMemory.h - The interpreter's tensors in memory -----*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between tensors of the interpreter, which hold wide elements, and memory in
// the declared types, as targets and files have it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TARGET_REFERENCE_TENSORMEMORY_H
#define ACCRUE_TARGET_REFERENCE_TENSORMEMORY_H

#include "accrue/Reference/Tensor.h"
#include "runtime/io/DType.h"

namespace accrue::reference {

/// Reads all elements of `tensor` from `from`, in C order, of type `dtype`.
void readTensor(const void *from, io::DType dtype, Tensor &tensor);

/// The inverse. Elements must be values of `dtype`.
void writeTensor(const Tensor &tensor, io::DType dtype, void *to);

} // namespace accrue::reference

#endif // ACCRUE_TARGET_REFERENCE_TENSORMEMORY_H
