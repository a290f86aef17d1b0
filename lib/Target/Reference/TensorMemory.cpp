//===- TensorMemory.cpp - The interpreter's tensors in memory -------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Target/Reference/TensorMemory.h"

using namespace accrue;

/// The type in which the interpreter holds the elements of `tensor`.
static io::DType getWideType(const reference::Tensor &tensor) {
  return tensor.isFloat() ? io::DType::F64 : io::DType::I64;
}

void reference::readTensor(const void *from, io::DType dtype, Tensor &tensor) {
  void *to = tensor.isFloat()
                 ? static_cast<void *>(tensor.getMutableFloats().data())
                 : static_cast<void *>(tensor.getMutableInts().data());
  io::ConvertFn convert = io::findConversion(dtype, getWideType(tensor));
  [[maybe_unused]] int64_t misfit = convert(from, to, tensor.getNumElements());
  assert(misfit < 0 && "widening keeps every value");
}

void reference::writeTensor(const Tensor &tensor, io::DType dtype, void *to) {
  const void *from = tensor.isFloat()
                         ? static_cast<const void *>(tensor.getFloats().data())
                         : static_cast<const void *>(tensor.getInts().data());
  io::ConvertFn convert = io::findConversion(getWideType(tensor), dtype);
  [[maybe_unused]] int64_t misfit = convert(from, to, tensor.getNumElements());
  assert(misfit < 0 && "the interpreter rounds to the declared type");
}
