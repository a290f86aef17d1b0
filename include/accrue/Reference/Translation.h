//===- Translation.h - The interpreter as a translation ---------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_REFERENCE_TRANSLATION_H
#define ACCRUE_REFERENCE_TRANSLATION_H

namespace accrue::reference {

/// Registers `--interpret` with `accrue-translate`: runs the functions of a
/// module and prints their results. The value of an argument is its attribute
/// `reference.value`; states without one are zero.
void registerInterpretTranslation();

} // namespace accrue::reference

#endif // ACCRUE_REFERENCE_TRANSLATION_H
