//===- Format.cpp - The layout of CUDA text -------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang's library for layouts, which `clang-format` is the command line of: the
// printer writes lines as they come.
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "clang/Format/Format.h"
#include "clang/Tooling/Core/Replacement.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

/// More than clang-format needs to settle.
static constexpr unsigned kMaxRounds = 8;

static const format::FormatStyle &getStyle() {
  static const format::FormatStyle style = [] {
    format::FormatStyle result = format::getLLVMStyle();
    if (format::parseConfiguration(accrue::cuda::kFormatStyle, &result))
      llvm::report_fatal_error("the project's .clang-format cannot be read");
    return result;
  }();
  return style;
}

/// Applies `changes` to `text`; whether there are any.
static bool applyChanges(std::string &text,
                         const tooling::Replacements &changes) {
  if (changes.empty())
    return false;
  text = llvm::cantFail(tooling::applyAllReplacements(text, changes));
  return true;
}

std::string accrue::cuda::quote(llvm::StringRef text) {
  std::string quoted = "\"";
  llvm::raw_string_ostream os(quoted);
  os.write_escaped(text, /*UseHexEscapes=*/false);
  return quoted + "\"";
}

std::string accrue::cuda::formatText(llvm::StringRef text,
                                     llvm::StringRef file) {
  std::string result = text.str();
  for (unsigned round = 0; round < kMaxRounds; ++round) {
    auto all = [&] { return tooling::Range(0, result.size()); };
    bool isChanged = applyChanges(
        result, format::sortIncludes(getStyle(), result, all(), file));
    isChanged |=
        applyChanges(result, format::reformat(getStyle(), result, all(), file));
    if (!isChanged)
      break;
  }
  return result;
}
