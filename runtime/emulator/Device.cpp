//===- Device.cpp - The device --------------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One device without anything that a program could tune itself to.
//
//===----------------------------------------------------------------------===//

#include "runtime/emulator/Error.h"

#include "cuda_runtime.h"

#include <cstring>

using namespace accrue::emulator;

static constexpr size_t memoryBytes = size_t(8) << 30;

extern "C" cudaError_t cudaGetDeviceCount(int *count) {
  *count = 1;
  return cudaSuccess;
}

extern "C" cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}

extern "C" cudaError_t cudaSetDevice(int device) {
  return keepError(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

extern "C" cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties,
                                               int device) {
  if (device != 0)
    return keepError(cudaErrorInvalidDevice);
  *properties = {};
  std::strcpy(properties->name, "accrue emulator");
  properties->totalGlobalMem = memoryBytes;
  properties->sharedMemPerBlock = 48 << 10;
  properties->regsPerBlock = 65536;
  properties->warpSize = warpSize;
  properties->maxThreadsPerBlock = 1024;
  properties->maxThreadsDim[0] = properties->maxThreadsDim[1] = 1024;
  properties->maxThreadsDim[2] = 64;
  properties->maxGridSize[0] = 2147483647;
  properties->maxGridSize[1] = properties->maxGridSize[2] = 65535;
  properties->totalConstMem = 64 << 10;
  properties->major = 9;
  properties->multiProcessorCount = 1;
  properties->maxThreadsPerMultiProcessor = 2048;
  return cudaSuccess;
}

extern "C" cudaError_t
cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  if (device != 0)
    return keepError(cudaErrorInvalidDevice);
  switch (attribute) {
  case cudaDevAttrMaxThreadsPerBlock:
    *value = 1024;
    return cudaSuccess;
  case cudaDevAttrWarpSize:
    *value = warpSize;
    return cudaSuccess;
  case cudaDevAttrMultiProcessorCount:
    *value = 1;
    return cudaSuccess;
  case cudaDevAttrComputeCapabilityMajor:
    *value = 9;
    return cudaSuccess;
  case cudaDevAttrClockRate:
  case cudaDevAttrMemoryClockRate:
  case cudaDevAttrGlobalMemoryBusWidth:
  case cudaDevAttrL2CacheSize:
  case cudaDevAttrComputeCapabilityMinor:
    *value = 0;
    return cudaSuccess;
  }
  return keepError(cudaErrorInvalidValue);
}

extern "C" cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  *free = *total = memoryBytes;
  return cudaSuccess;
}

extern "C" cudaError_t cudaRuntimeGetVersion(int *version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

extern "C" cudaError_t cudaDriverGetVersion(int *version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

extern "C" cudaError_t cudaDeviceReset(void) { return cudaDeviceSynchronize(); }
