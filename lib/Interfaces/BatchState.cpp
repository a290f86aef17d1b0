//===- BatchState.cpp - States of values with respect to the batch --------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Interfaces/BatchState.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace accrue;

llvm::raw_ostream &accrue::operator<<(llvm::raw_ostream &os,
                                      const MappedMode &mode) {
  os << "mapped(" << mode.dim << ", " << mode.outer << ", " << mode.inner;
  if (mode.innerDenominator != 1)
    os << "/" << mode.innerDenominator;
  return os << ")";
}

static llvm::StringRef getReducerName(ReducerKind reducer) {
  switch (reducer) {
  case ReducerKind::Sum:
    return "sum";
  case ReducerKind::Max:
    return "max";
  case ReducerKind::Min:
    return "min";
  case ReducerKind::ArgMax:
    return "argmax";
  case ReducerKind::Moments:
    return "moments";
  case ReducerKind::LogSumExp:
    return "logsumexp";
  case ReducerKind::Concat:
    return "concat";
  }
  llvm_unreachable("unknown reducer");
}

llvm::raw_ostream &accrue::operator<<(llvm::raw_ostream &os,
                                      const BatchState &state) {
  switch (state.kind) {
  case BatchState::Kind::Once:
    return os << "once";
  case BatchState::Kind::Mapped:
    return os << state.mode;
  case BatchState::Kind::Partial:
    return os << "partial(" << getReducerName(state.reducer) << ")";
  }
  llvm_unreachable("unknown state");
}

std::string BatchState::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << *this;
  return text;
}
