//===- Traps.cpp - Reads of memory that nothing wrote ---------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An invalid operation may also be infinity minus infinity. It is about fresh
// memory if an operand of the instruction is its pattern, bit by bit; otherwise
// the exception is masked and the thread goes on as on a device.
//
//===----------------------------------------------------------------------===//

#include "runtime/emulator/Traps.h"

#include "runtime/emulator/Memory.h"

using namespace accrue::emulator;

#if defined(__x86_64__) && defined(__linux__)

#include <cfenv>
#include <csignal>
#include <cstring>
#include <ucontext.h>
#include <xmmintrin.h>

namespace {

constexpr unsigned invalidFlag = 1u << 0;
constexpr unsigned invalidMask = 1u << 7;

/// Set while kernels run.
void (*reportUnwritten)();

/// The operands of an SSE instruction.
class Operands {
public:
  explicit Operands(const ucontext_t &context) : context(context) { decode(); }

  bool haveUnwritten() const {
    if (!isKnown) {
      for (unsigned i = 0; i < 16; ++i)
        if (hasUnwritten(&context.uc_mcontext.fpregs->_xmm[i], 4))
          return true;
      return false;
    }
    return hasUnwritten(&context.uc_mcontext.fpregs->_xmm[first], lanes) ||
           hasUnwritten(second, lanes);
  }

private:
  static bool hasUnwritten(const void *words, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      uint32_t word;
      std::memcpy(&word, static_cast<const char *>(words) + 4 * i, 4);
      if (word == unwrittenWord || word == unwrittenDoubleWord)
        return true;
    }
    return false;
  }

  uint64_t getRegister(unsigned number) const {
    static const int places[] = {
        REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
        REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    return static_cast<uint64_t>(
        context.uc_mcontext.gregs[places[number & 15]]);
  }

  template <class T>
  static int64_t read(const uint8_t *&code) {
    T value;
    std::memcpy(&value, code, sizeof value);
    code += sizeof value;
    return value;
  }

  void decode();
  const void *getAddress(const uint8_t *code, unsigned rex, unsigned modrm,
                         unsigned immediateBytes) const;

  const ucontext_t &context;
  bool isKnown = false;
  unsigned first = 0;
  const void *second = nullptr;
  unsigned lanes = 4;
};

} // namespace

/// Of the form [prefix] [REX] 0F opcode ModRM ..., which is what compilers emit
/// for x86-64 without AVX.
void Operands::decode() {
  auto *code =
      reinterpret_cast<const uint8_t *>(context.uc_mcontext.gregs[REG_RIP]);
  bool isScalar = false;
  while (*code == 0x66 || *code == 0xf2 || *code == 0xf3)
    isScalar |= *code++ != 0x66;
  unsigned rex = (*code & 0xf0) == 0x40 ? *code++ : 0;
  if (*code++ != 0x0f)
    return;
  unsigned opcode = *code++;
  // Comparisons that set flags are scalar without a prefix.
  isScalar |= opcode == 0x2e || opcode == 0x2f;
  unsigned immediateBytes = opcode == 0xc2 || opcode == 0xc6;
  unsigned modrm = *code++;
  first = (modrm >> 3 & 7) | (rex & 4) << 1;
  lanes = isScalar ? 1 : 4;
  second = modrm >> 6 == 3
               ? &context.uc_mcontext.fpregs->_xmm[(modrm & 7) | (rex & 1) << 3]
               : getAddress(code, rex, modrm, immediateBytes);
  isKnown = true;
}

const void *Operands::getAddress(const uint8_t *code, unsigned rex,
                                 unsigned modrm,
                                 unsigned immediateBytes) const {
  unsigned mode = modrm >> 6;
  unsigned base = modrm & 7;
  uint64_t address = 0;
  if (base == 4) {
    unsigned sib = *code++;
    unsigned index = (sib >> 3 & 7) | (rex & 2) << 2;
    if (index != 4)
      address += getRegister(index) << (sib >> 6);
    base = sib & 7;
    if (base == 5 && mode == 0)
      address += static_cast<uint64_t>(read<int32_t>(code));
    else
      address += getRegister(base | (rex & 1) << 3);
  } else if (base == 5 && mode == 0) {
    int64_t displacement = read<int32_t>(code);
    // Relative to the instruction that follows.
    return code + displacement + immediateBytes;
  } else {
    address += getRegister(base | (rex & 1) << 3);
  }
  if (mode == 1)
    address += static_cast<uint64_t>(read<int8_t>(code));
  else if (mode == 2)
    address += static_cast<uint64_t>(read<int32_t>(code));
  return reinterpret_cast<const void *>(address);
}

static void handleInvalid(int signal, siginfo_t *, void *data) {
  auto &context = *static_cast<ucontext_t *>(data);
  if (!reportUnwritten) {
    // Not ours, an integer division by zero perhaps.
    std::signal(signal, SIG_DFL);
    return;
  }
  auto &registers = *context.uc_mcontext.fpregs;
  if (!(registers.mxcsr & invalidFlag) && !(registers.swd & invalidFlag)) {
    std::signal(signal, SIG_DFL);
    return;
  }
  if (Operands(context).haveUnwritten()) {
    // Instead of the instruction, a call: it may do what a handler must not.
    auto &general = context.uc_mcontext.gregs;
    general[REG_RSP] = ((general[REG_RSP] - 256) & ~15) - 8;
    general[REG_RIP] = reinterpret_cast<greg_t>(reportUnwritten);
  }
  registers.mxcsr = (registers.mxcsr & ~invalidFlag) | invalidMask;
  registers.cwd |= invalidFlag;
  registers.swd &= static_cast<uint16_t>(~invalidFlag);
}

TrapScope::TrapScope(void (*report)()) {
  static const bool isInstalled = [] {
    struct sigaction action = {};
    action.sa_sigaction = handleInvalid;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    return sigaction(SIGFPE, &action, nullptr) == 0;
  }();
  (void)isInstalled;
  reportUnwritten = report;
  std::feclearexcept(FE_INVALID);
  feenableexcept(FE_INVALID);
}

TrapScope::~TrapScope() {
  std::feclearexcept(FE_INVALID);
  fedisableexcept(FE_INVALID);
  reportUnwritten = nullptr;
}

void accrue::emulator::rearmTraps() {
  unsigned control = _mm_getcsr();
  if (control & (invalidMask | invalidFlag))
    _mm_setcsr(control & ~(invalidMask | invalidFlag));
}

#else

TrapScope::TrapScope(void (*)()) {}
TrapScope::~TrapScope() = default;
void accrue::emulator::rearmTraps() {}

#endif
