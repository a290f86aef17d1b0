//===- cublas_v2.h - cuBLAS on the host -----------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Column-major matrix products with scalars in host memory.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_EMULATOR_CUBLAS_V2_H
#define ACCRUE_RUNTIME_EMULATOR_CUBLAS_V2_H

#include "cuda_runtime.h"
#include "emulator/Blas.h"

#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasSetStream cublasSetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasSetWorkspace cublasSetWorkspace_v2
#define cublasSgemm cublasSgemm_v2
#define cublasDgemm cublasDgemm_v2

#endif // ACCRUE_RUNTIME_EMULATOR_CUBLAS_V2_H
