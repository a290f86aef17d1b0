//===- Error.cpp - Errors of programs -------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statuses with their names and texts, and the end of a faulty program.
//
//===----------------------------------------------------------------------===//

#include "runtime/emulator/Error.h"

#include "cublasLt.h"

#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <dlfcn.h>

using namespace accrue::emulator;

static thread_local cudaError_t lastError = cudaSuccess;

void accrue::emulator::fatal(const std::string &message) {
  std::fflush(nullptr);
  std::fprintf(stderr, "accrue emulator: error: %s\n", message.c_str());
  std::fflush(stderr);
  // No destructors: this may be in the middle of a kernel.
  std::_Exit(1);
}

std::string accrue::emulator::getFunctionName(const void *function) {
  Dl_info info;
  if (dladdr(function, &info) && info.dli_sname && info.dli_saddr == function) {
    int status = 0;
    char *text = abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status);
    std::string name = text ? text : info.dli_sname;
    std::free(text);
    // Without the types of its parameters.
    return name.substr(0, name.find('('));
  }
  char text[32];
  std::snprintf(text, sizeof text, "%p", function);
  return text;
}

cudaError_t accrue::emulator::keepError(cudaError_t error) {
  if (error != cudaSuccess)
    lastError = error;
  return error;
}

extern "C" cudaError_t cudaGetLastError(void) {
  cudaError_t error = lastError;
  lastError = cudaSuccess;
  return error;
}

extern "C" cudaError_t cudaPeekAtLastError(void) { return lastError; }

namespace {
struct ErrorText {
  cudaError_t error;
  const char *name;
  const char *text;
};
} // namespace

#define ERROR(name, text) {name, #name, text}
static const ErrorText errorTexts[] = {
    ERROR(cudaSuccess, "no error"),
    ERROR(cudaErrorInvalidValue, "invalid argument"),
    ERROR(cudaErrorMemoryAllocation, "out of memory"),
    ERROR(cudaErrorInitializationError, "initialization error"),
    ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    ERROR(cudaErrorIllegalState,
          "the operation cannot be performed in the present state"),
    ERROR(cudaErrorNotReady, "device not ready"),
    ERROR(cudaErrorLaunchOutOfResources,
          "too many resources requested for launch"),
    ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    ERROR(cudaErrorNotPermitted, "operation not permitted"),
    ERROR(cudaErrorNotSupported, "operation not supported"),
    ERROR(cudaErrorStreamCaptureUnsupported,
          "operation not permitted when stream is capturing"),
    ERROR(cudaErrorStreamCaptureInvalidated,
          "operation failed due to a previous error during capture"),
    ERROR(cudaErrorStreamCaptureMerge,
          "operation would result in a merge of separate capture sequences"),
    ERROR(cudaErrorStreamCaptureUnmatched,
          "capture was not ended in the same stream as it began"),
    ERROR(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    ERROR(cudaErrorStreamCaptureIsolation,
          "dependency created on uncaptured work in another stream"),
    ERROR(cudaErrorStreamCaptureImplicit,
          "operation would make the legacy stream depend on a capturing "
          "blocking stream"),
    ERROR(cudaErrorCapturedEvent,
          "operation not permitted on an event last recorded in a capturing "
          "stream"),
    ERROR(cudaErrorStreamCaptureWrongThread,
          "attempt to terminate a thread-local capture sequence from another "
          "thread"),
    ERROR(cudaErrorGraphExecUpdateFailure,
          "the graph update was not performed because it included changes "
          "which violated constraints specific to instantiated graph update"),
    ERROR(cudaErrorUnknown, "unknown error"),
};
#undef ERROR

static const ErrorText *findText(cudaError_t error) {
  for (const ErrorText &text : errorTexts)
    if (text.error == error)
      return &text;
  return nullptr;
}

extern "C" const char *cudaGetErrorName(cudaError_t error) {
  const ErrorText *text = findText(error);
  return text ? text->name : "unrecognized error code";
}

extern "C" const char *cudaGetErrorString(cudaError_t error) {
  const ErrorText *text = findText(error);
  return text ? text->text : "unrecognized error code";
}

extern "C" const char *cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define STATUS(name)                                                           \
  case name:                                                                   \
    return #name;
    STATUS(CUBLAS_STATUS_SUCCESS)
    STATUS(CUBLAS_STATUS_NOT_INITIALIZED)
    STATUS(CUBLAS_STATUS_ALLOC_FAILED)
    STATUS(CUBLAS_STATUS_INVALID_VALUE)
    STATUS(CUBLAS_STATUS_ARCH_MISMATCH)
    STATUS(CUBLAS_STATUS_MAPPING_ERROR)
    STATUS(CUBLAS_STATUS_EXECUTION_FAILED)
    STATUS(CUBLAS_STATUS_INTERNAL_ERROR)
    STATUS(CUBLAS_STATUS_NOT_SUPPORTED)
#undef STATUS
  }
  return "unknown status";
}

extern "C" const char *cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
  case CUBLAS_STATUS_SUCCESS:
    return "success";
  case CUBLAS_STATUS_NOT_INITIALIZED:
    return "the library was not initialized";
  case CUBLAS_STATUS_ALLOC_FAILED:
    return "the resource allocation failed";
  case CUBLAS_STATUS_INVALID_VALUE:
    return "an invalid value was used";
  case CUBLAS_STATUS_NOT_SUPPORTED:
    return "the functionality is not supported";
  default:
    return cublasGetStatusName(status);
  }
}

extern "C" const char *cublasLtGetStatusName(cublasStatus_t status) {
  return cublasGetStatusName(status);
}

extern "C" const char *cublasLtGetStatusString(cublasStatus_t status) {
  return cublasGetStatusString(status);
}
