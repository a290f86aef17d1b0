//===- Format.h - The layout of CUDA text -----------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emitted text has the layout of this project's own sources.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_TARGET_CUDA_FORMAT_H
#define ACCRUE_LIB_TARGET_CUDA_FORMAT_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace accrue::cuda {

/// The project's .clang-format. CMake writes the definition.
extern const char *const kFormatStyle;

/// A C string literal of `text`.
std::string quote(llvm::StringRef text);

/// `text` as clang-format lays it out with the project's style, applied until
/// nothing changes. `file` is the name of the file, whose own header comes
/// first among the includes.
std::string formatText(llvm::StringRef text, llvm::StringRef file);

} // namespace accrue::cuda

#endif // ACCRUE_LIB_TARGET_CUDA_FORMAT_H
