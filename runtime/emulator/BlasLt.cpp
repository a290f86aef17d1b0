//===- BlasLt.cpp - cuBLASLt ----------------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Descriptors, a heuristic with one answer, and the product.
//
//===----------------------------------------------------------------------===//

#include "cublasLt.h"

#include "runtime/emulator/Matmul.h"

#include <algorithm>
#include <cstring>

using namespace accrue::emulator;

using Lock = std::lock_guard<std::recursive_mutex>;

struct cublasLtContext {};

struct cublasLtMatmulDescOpaque {
  int32_t computeType = CUBLAS_COMPUTE_32F;
  int32_t scaleType = CUDA_R_32F;
  int32_t pointerMode = CUBLASLT_POINTER_MODE_HOST;
  int32_t transA = CUBLAS_OP_N;
  int32_t transB = CUBLAS_OP_N;
  uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void *bias = nullptr;
  int64_t biasStride = 0;
  int32_t biasType = -1;

  void *find(cublasLtMatmulDescAttributes_t attribute, size_t &bytes);
};

struct cublasLtMatrixLayoutOpaque {
  uint32_t type = CUDA_R_32F;
  int32_t order = CUBLASLT_ORDER_COL;
  uint64_t rows = 0;
  uint64_t columns = 0;
  int64_t leading = 0;
  int32_t batch = 1;
  int64_t stride = 0;

  void *find(cublasLtMatrixLayoutAttribute_t attribute, size_t &bytes);
  Matrix get() const {
    return {static_cast<cudaDataType>(type), static_cast<int64_t>(rows),
            static_cast<int64_t>(columns), leading, stride};
  }
};

struct cublasLtMatmulPreferenceOpaque {
  uint64_t maxWorkspace = 0;
  uint32_t searchMode = 0;
  uint32_t reductionSchemes = CUBLASLT_REDUCTION_SCHEME_MASK;
  uint32_t alignments[4] = {256, 256, 256, 256};
};

/// Marks algorithms that the heuristic made.
static constexpr uint64_t algorithmMark = 0x6163637275650001;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

#define ATTRIBUTE(name, member)                                                \
  case name:                                                                   \
    bytes = sizeof member;                                                     \
    return &member;

void *cublasLtMatmulDescOpaque::find(cublasLtMatmulDescAttributes_t attribute,
                                     size_t &bytes) {
  switch (attribute) {
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, computeType)
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_SCALE_TYPE, scaleType)
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_POINTER_MODE, pointerMode)
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_TRANSA, transA)
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_TRANSB, transB)
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue)
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias)
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, biasStride)
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, biasType)
  }
  return nullptr;
}

void *
cublasLtMatrixLayoutOpaque::find(cublasLtMatrixLayoutAttribute_t attribute,
                                 size_t &bytes) {
  switch (attribute) {
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_TYPE, type)
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_ORDER, order)
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_ROWS, rows)
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_COLS, columns)
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_LD, leading)
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, batch)
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, stride)
  }
  return nullptr;
}

#undef ATTRIBUTE

template <class Descriptor, class Attribute>
static cublasStatus_t set(Descriptor *descriptor, Attribute attribute,
                          const void *value, size_t bytes) {
  if (!descriptor || !value)
    return CUBLAS_STATUS_INVALID_VALUE;
  size_t expected = 0;
  void *member = descriptor->find(attribute, expected);
  if (!member)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (bytes != expected)
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(member, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

template <class Descriptor, class Attribute>
static cublasStatus_t get(Descriptor *descriptor, Attribute attribute,
                          void *value, size_t bytes, size_t *written) {
  if (!descriptor)
    return CUBLAS_STATUS_INVALID_VALUE;
  size_t expected = 0;
  const void *member = descriptor->find(attribute, expected);
  if (!member)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (written)
    *written = expected;
  if (bytes == 0 && written)
    return CUBLAS_STATUS_SUCCESS;
  if (!value || bytes != expected)
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(value, member, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

template <class Object>
static cublasStatus_t destroy(Object *object) {
  delete object;
  return CUBLAS_STATUS_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Handles and descriptors
//===----------------------------------------------------------------------===//

extern "C" size_t cublasLtGetVersion(void) { return 130000; }

extern "C" cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  if (!handle)
    return CUBLAS_STATUS_INVALID_VALUE;
  *handle = new cublasLtContext;
  return CUBLAS_STATUS_SUCCESS;
}
extern "C" cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return handle ? destroy(handle) : CUBLAS_STATUS_NOT_INITIALIZED;
}

extern "C" cublasStatus_t
cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *desc,
                         cublasComputeType_t computeType,
                         cudaDataType scaleType) {
  if (!desc)
    return CUBLAS_STATUS_INVALID_VALUE;
  *desc = new cublasLtMatmulDescOpaque;
  (*desc)->computeType = computeType;
  (*desc)->scaleType = scaleType;
  return CUBLAS_STATUS_SUCCESS;
}
extern "C" cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc) {
  return destroy(desc);
}
extern "C" cublasStatus_t
cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc,
                               cublasLtMatmulDescAttributes_t attribute,
                               const void *value, size_t bytes) {
  return set(desc, attribute, value, bytes);
}
extern "C" cublasStatus_t
cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t desc,
                               cublasLtMatmulDescAttributes_t attribute,
                               void *value, size_t bytes, size_t *written) {
  return get(desc, attribute, value, bytes, written);
}

extern "C" cublasStatus_t
cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType type,
                           uint64_t rows, uint64_t columns, int64_t leading) {
  if (!layout)
    return CUBLAS_STATUS_INVALID_VALUE;
  *layout = new cublasLtMatrixLayoutOpaque;
  (*layout)->type = type;
  (*layout)->rows = rows;
  (*layout)->columns = columns;
  (*layout)->leading = leading;
  return CUBLAS_STATUS_SUCCESS;
}
extern "C" cublasStatus_t
cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  return destroy(layout);
}
extern "C" cublasStatus_t
cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                 cublasLtMatrixLayoutAttribute_t attribute,
                                 const void *value, size_t bytes) {
  return set(layout, attribute, value, bytes);
}
extern "C" cublasStatus_t
cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout,
                                 cublasLtMatrixLayoutAttribute_t attribute,
                                 void *value, size_t bytes, size_t *written) {
  return get(layout, attribute, value, bytes, written);
}

extern "C" cublasStatus_t
cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference) {
  if (!preference)
    return CUBLAS_STATUS_INVALID_VALUE;
  *preference = new cublasLtMatmulPreferenceOpaque;
  return CUBLAS_STATUS_SUCCESS;
}
extern "C" cublasStatus_t
cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  return destroy(preference);
}
extern "C" cublasStatus_t cublasLtMatmulPreferenceSetAttribute(
    cublasLtMatmulPreference_t preference,
    cublasLtMatmulPreferenceAttributes_t attribute, const void *value,
    size_t bytes) {
  if (!preference || !value)
    return CUBLAS_STATUS_INVALID_VALUE;
  void *member = nullptr;
  size_t expected = sizeof(uint32_t);
  switch (attribute) {
  case CUBLASLT_MATMUL_PREF_SEARCH_MODE:
    member = &preference->searchMode;
    break;
  case CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK:
    member = &preference->reductionSchemes;
    break;
  case CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES:
    member = &preference->maxWorkspace;
    expected = sizeof(uint64_t);
    break;
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES:
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES:
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES:
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES:
    member =
        &preference->alignments[attribute -
                                CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES];
    break;
  }
  if (!member || bytes != expected)
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(member, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// What of a call is not about its data.
static cublasStatus_t describe(const cublasLtMatmulDescOpaque &desc,
                               const cublasLtMatrixLayoutOpaque &a,
                               const cublasLtMatrixLayoutOpaque &b,
                               const cublasLtMatrixLayoutOpaque &c,
                               const cublasLtMatrixLayoutOpaque &d,
                               Matmul &matmul) {
  matmul.name = "cublasLtMatmul";
  matmul.isDouble = desc.computeType == CUBLAS_COMPUTE_64F ||
                    desc.computeType == CUBLAS_COMPUTE_64F_PEDANTIC;
  if (!matmul.isDouble && desc.computeType != CUBLAS_COMPUTE_32F &&
      desc.computeType != CUBLAS_COMPUTE_32F_PEDANTIC &&
      desc.computeType != CUBLAS_COMPUTE_32F_FAST_TF32)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (desc.scaleType != (matmul.isDouble ? CUDA_R_64F : CUDA_R_32F) ||
      desc.pointerMode != CUBLASLT_POINTER_MODE_HOST)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  matmul.a = a.get();
  matmul.b = b.get();
  matmul.c = c.get();
  matmul.d = d.get();
  matmul.batch = d.batch;
  for (const cublasLtMatrixLayoutOpaque *layout : {&a, &b, &c, &d}) {
    if (layout->order != CUBLASLT_ORDER_COL)
      return CUBLAS_STATUS_NOT_SUPPORTED;
    if (matmul.isDouble != (layout->type == CUDA_R_64F) ||
        (layout->type != CUDA_R_64F && layout->type != CUDA_R_32F &&
         layout->type != CUDA_R_16F && layout->type != CUDA_R_16BF))
      return CUBLAS_STATUS_NOT_SUPPORTED;
    if (layout->leading < static_cast<int64_t>(layout->rows) ||
        layout->batch != d.batch)
      return CUBLAS_STATUS_INVALID_VALUE;
  }
  // A and B have one type, C and D another, not narrower than theirs.
  if (a.type != b.type || c.type != d.type ||
      (d.type != a.type && d.type != CUDA_R_32F))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  matmul.transposeA = desc.transA != CUBLAS_OP_N;
  matmul.transposeB = desc.transB != CUBLAS_OP_N;
  if ((matmul.transposeA ? a.columns : a.rows) != d.rows ||
      (matmul.transposeB ? b.rows : b.columns) != d.columns ||
      (matmul.transposeA ? a.rows : a.columns) !=
          (matmul.transposeB ? b.columns : b.rows) ||
      c.rows != d.rows || c.columns != d.columns)
    return CUBLAS_STATUS_INVALID_VALUE;
  uint32_t rest = desc.epilogue;
  if (rest & CUBLASLT_EPILOGUE_BIAS) {
    if (!desc.bias)
      return CUBLAS_STATUS_INVALID_VALUE;
    if (desc.biasType != -1 && desc.biasType != static_cast<int32_t>(d.type))
      return CUBLAS_STATUS_NOT_SUPPORTED;
    matmul.bias = desc.bias;
    matmul.biasStride = desc.biasStride;
    rest &= ~static_cast<uint32_t>(CUBLASLT_EPILOGUE_BIAS);
  }
  switch (rest) {
  case 0:
  case CUBLASLT_EPILOGUE_DEFAULT:
    return CUBLAS_STATUS_SUCCESS;
  case CUBLASLT_EPILOGUE_RELU:
    matmul.activation = Activation::Relu;
    return CUBLAS_STATUS_SUCCESS;
  case CUBLASLT_EPILOGUE_GELU:
    matmul.activation = Activation::Gelu;
    return CUBLAS_STATUS_SUCCESS;
  default:
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

extern "C" cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
    cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
    cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
    cublasLtMatmulPreference_t preference, int requested,
    cublasLtMatmulHeuristicResult_t results[], int *found) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!desc || !a || !b || !c || !d || !preference || requested < 1 ||
      !results || !found)
    return CUBLAS_STATUS_INVALID_VALUE;
  *found = 0;
  Matmul matmul;
  if (cublasStatus_t status = describe(*desc, *a, *b, *c, *d, matmul))
    return status;
  results[0] = {};
  results[0].workspaceSize = preference->maxWorkspace;
  results[0].state = CUBLAS_STATUS_SUCCESS;
  results[0].wavesCount = 1;
  results[0].algo.data[0] = algorithmMark;
  results[0].algo.data[1] = preference->maxWorkspace;
  for (int i = 0; i < 4; ++i)
    results[0].algo.data[2 + i] = preference->alignments[i];
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}

static bool isAligned(const void *pointer, uint64_t alignment) {
  return alignment == 0 ||
         reinterpret_cast<uintptr_t>(pointer) % alignment == 0;
}

extern "C" cublasStatus_t
cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
               const void *alpha, const void *aData, cublasLtMatrixLayout_t a,
               const void *bData, cublasLtMatrixLayout_t b, const void *beta,
               const void *cData, cublasLtMatrixLayout_t c, void *dData,
               cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t *algo,
               void *workspace, size_t workspaceBytes, cudaStream_t stream) {
  Lock lock(getMutex());
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!desc || !alpha || !beta || !aData || !a || !bData || !b || !c ||
      !dData || !d)
    return CUBLAS_STATUS_INVALID_VALUE;
  Matmul matmul;
  if (cublasStatus_t status = describe(*desc, *a, *b, *c, *d, matmul))
    return status;
  matmul.alpha = matmul.isDouble ? *static_cast<const double *>(alpha)
                                 : *static_cast<const float *>(alpha);
  matmul.beta = matmul.isDouble ? *static_cast<const double *>(beta)
                                : *static_cast<const float *>(beta);
  if (!cData && matmul.beta != 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  matmul.aData = aData;
  matmul.bData = bData;
  matmul.cData = cData;
  matmul.dData = dData;
  if (algo) {
    // The algorithm holds what it was promised.
    if (algo->data[0] != algorithmMark || workspaceBytes < algo->data[1] ||
        (algo->data[1] && !workspace))
      return CUBLAS_STATUS_INVALID_VALUE;
    const void *pointers[] = {aData, bData, cData, dData};
    for (int i = 0; i < 4; ++i)
      if (!isAligned(pointers[i], algo->data[2 + i]))
        return CUBLAS_STATUS_INVALID_VALUE;
    matmul.workspace = workspace;
    matmul.workspaceBytes = algo->data[1];
    if (!isAligned(workspace, 256))
      return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (matmul.getM() == 0 || matmul.getN() == 0)
    return CUBLAS_STATUS_SUCCESS;
  return submit(stream, makeWork<MatmulWork>(matmul))
             ? CUBLAS_STATUS_EXECUTION_FAILED
             : CUBLAS_STATUS_SUCCESS;
}
