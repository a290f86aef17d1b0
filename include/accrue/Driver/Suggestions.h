//===- Suggestions.h - What an unknown word was meant to be -----*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DRIVER_SUGGESTIONS_H
#define ACCRUE_DRIVER_SUGGESTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace accrue {

/// Advice for the unknown option `name` (without dashes), such as `did you mean
/// '--accumulate'?`: what other training systems call by that name, else the
/// nearest of `options`. Empty where nothing comes near.
std::string suggestOption(llvm::StringRef name,
                          llvm::ArrayRef<llvm::StringRef> options);

/// The word of `words` nearest to `word`, or empty.
llvm::StringRef suggestWord(llvm::StringRef word,
                            llvm::ArrayRef<llvm::StringRef> words);

} // namespace accrue

#endif // ACCRUE_DRIVER_SUGGESTIONS_H
