//===- Check.cuh - Statuses and launches ----------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every call of a step is checked: the first one that fails leaves its text,
// with file and line, and ends the function with its status.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_CUDA_CHECK_CUH
#define ACCRUE_RUNTIME_CUDA_CHECK_CUH

#include <cuda_runtime.h>

#include <cstdio>

namespace accrue {

/// The text of the last error of this thread.
inline char *lastError() {
  static thread_local char text[512] = "";
  return text;
}

/// Sets the text of the last error; the status of an error without a code.
inline int fail(const char *message, const char *subject = "") {
  std::snprintf(lastError(), 512, "%s%s", message, subject);
  return 1;
}

inline int report(int status, const char *reason, const char *call,
                  const char *file, int line) {
  std::snprintf(lastError(), 512, "%s:%d: %s: %s", file, line, reason, call);
  return status;
}

inline int check(cudaError_t status, const char *call, const char *file,
                 int line) {
  if (status == cudaSuccess)
    return 0;
  return report(static_cast<int>(status), cudaGetErrorString(status), call,
                file, line);
}

/// A status of this runtime, whose text is there already.
inline int check(int status, const char *, const char *, int) { return status; }

/// Starts `kernel` on `grid` blocks of `block` threads.
template <class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), unsigned grid, unsigned block,
                   cudaStream_t stream, Arguments... arguments) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(grid);
  config.blockDim = dim3(block);
  config.stream = stream;
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}

} // namespace accrue

/// Returns the status of `call` from the function around it unless it is 0.
#define ACCRUE_CHECK(call)                                                     \
  do {                                                                         \
    const int accrueStatus = accrue::check((call), #call, __FILE__, __LINE__); \
    if (accrueStatus != 0)                                                     \
      return accrueStatus;                                                     \
  } while (false)

#endif // ACCRUE_RUNTIME_CUDA_CHECK_CUH
