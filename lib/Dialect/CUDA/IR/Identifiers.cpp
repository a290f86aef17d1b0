//===- Identifiers.cpp - C identifiers ------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/CUDA/Identifiers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace accrue::cuda;

/// Keywords of C and C++, what CUDA headers and emitted programs define, and
/// functions that emitted code calls.
static constexpr StringLiteral kReserved[] = {
    "accrue", "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand",
    "bitor", "blockDim", "blockIdx", "bool", "break", "case", "catch", "char",
    "char16_t", "char32_t", "class", "compl", "const", "const_cast",
    "constexpr", "continue", "decltype", "default", "delete", "do", "double",
    "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false",
    "float", "for", "friend", "goto", "gridDim", "half", "half2", "if",
    "inline", "int", "int16_t", "int32_t", "int64_t", "int8_t", "long", "model",
    "mutable", "nv_bfloat16", "nv_bfloat162", "namespace", "new", "noexcept",
    "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private",
    "protected", "public", "register", "reinterpret_cast", "restrict", "return",
    "short", "signed", "size_t", "sizeof", "static", "static_assert",
    "static_cast", "struct", "switch", "template", "this", "thread_local",
    "threadIdx", "throw", "true", "try", "typedef", "typeid", "typename",
    "uint16_t", "uint32_t", "uint64_t", "uint8_t", "union", "unsigned", "using",
    "virtual", "void", "volatile", "warpSize", "wchar_t", "while", "xor",
    "xor_eq",
    // Functions.
    "abs", "acos", "acosf", "asin", "asinf", "atan", "atan2", "atan2f", "atanf",
    "cbrt", "cbrtf", "ceil", "ceilf", "copysign", "copysignf", "cos", "cosf",
    "cosh", "coshf", "erf", "erfc", "erfcf", "erff", "exp", "exp2", "exp2f",
    "expf", "expm1", "expm1f", "fabs", "fabsf", "floor", "floorf", "fma",
    "fmaf", "fmax", "fmaxf", "fmin", "fminf", "fmod", "fmodf", "isfinite",
    "isinf", "isnan", "log", "log10", "log10f", "log1p", "log1pf", "log2",
    "log2f", "logf", "max", "min", "pow", "powf", "rint", "rintf", "round",
    "roundf", "rsqrt", "rsqrtf", "sin", "sinf", "sinh", "sinhf", "sqrt",
    "sqrtf", "tan", "tanf", "tanh", "tanhf", "trunc", "truncf"};

std::string accrue::cuda::getIdentifier(StringRef name) {
  static const StringSet<> reserved = [] {
    StringSet<> set;
    for (StringRef word : kReserved)
      set.insert(word);
    return set;
  }();
  std::string identifier;
  for (char c : name) {
    // Two underscores in a row are the implementation's.
    char next = isAlnum(c) ? c : '_';
    if (next == '_' && (identifier.empty() || identifier.back() == '_'))
      continue;
    if (identifier.empty() && isDigit(c))
      identifier = "n";
    identifier += next;
  }
  while (!identifier.empty() && identifier.back() == '_')
    identifier.pop_back();
  if (identifier.empty())
    return "value";
  if (reserved.contains(identifier))
    identifier += '_';
  return identifier;
}

std::string NameScopes::add(StringRef base) {
  std::string identifier = getIdentifier(base);
  std::string name = identifier;
  for (unsigned number = 2; !inUse.insert(name).second; ++number) {
    name = identifier;
    if (name.back() != '_')
      name += '_';
    name += std::to_string(number);
  }
  taken.push_back(name);
  return name;
}

std::string NameScopes::addIndex() {
  for (StringRef letter : {"i", "j", "k", "l"})
    if (!inUse.contains(letter))
      return add(letter);
  return add("i");
}

void NameScopes::popTo(size_t mark) {
  for (; taken.size() > mark; taken.pop_back())
    inUse.erase(taken.back());
}
