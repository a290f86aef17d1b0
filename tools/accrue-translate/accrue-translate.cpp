//===- accrue-translate.cpp - Translations from and to MLIR ---------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Frontend/Frontend.h"
#include "accrue/Reference/Translation.h"
#include "accrue/Target/CUDA/Export.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int main(int argc, char **argv) {
  accrue::registerFromAcrTranslation();
  accrue::cuda::registerCUDATranslations();
  accrue::reference::registerInterpretTranslation();
  return mlir::failed(
      mlir::mlirTranslateMain(argc, argv, "Accrue translation driver"));
}
