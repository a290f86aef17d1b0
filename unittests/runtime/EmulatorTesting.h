//===- EmulatorTesting.h - Launches and memory for tests ------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_UNITTESTS_RUNTIME_EMULATORTESTING_H
#define ACCRUE_UNITTESTS_RUNTIME_EMULATORTESTING_H

#include "cuda_runtime.h"

#include "gtest/gtest.h"

#include <vector>

namespace accrue::emulator {

/// An array on the device, as long as it lives.
template <class T>
struct DeviceArray {
  explicit DeviceArray(const std::vector<T> &values)
      : DeviceArray(values.size()) {
    EXPECT_EQ(cudaMemcpy(data, values.data(), size * sizeof(T),
                         cudaMemcpyHostToDevice),
              cudaSuccess);
  }
  /// Not written.
  explicit DeviceArray(size_t size) : size(size) {
    EXPECT_EQ(cudaMalloc(&data, size * sizeof(T)), cudaSuccess);
  }
  ~DeviceArray() { cudaFree(data); }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;

  std::vector<T> get() const {
    std::vector<T> values(size);
    EXPECT_EQ(cudaMemcpy(values.data(), data, size * sizeof(T),
                         cudaMemcpyDeviceToHost),
              cudaSuccess);
    return values;
  }

  T *data = nullptr;
  size_t size;
};

template <class... Parameters, class... Arguments>
cudaError_t launchOn(cudaStream_t stream, dim3 grid, dim3 block,
                     void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.stream = stream;
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}

} // namespace accrue::emulator

#endif // ACCRUE_UNITTESTS_RUNTIME_EMULATORTESTING_H
