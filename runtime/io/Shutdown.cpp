//===- Shutdown.cpp - Orderly stop on a signal ----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The handlers are installed with SA_RESETHAND, so the default action is back
// by the time that a second signal of the same kind comes; the other kind is
// reset by hand.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/Shutdown.h"

#include <csignal>

namespace accrue::io {

static volatile std::sig_atomic_t received = 0;

extern "C" {
static void noteSignal(int signal) {
  received = signal;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}
}

void installShutdownHandler() {
  struct sigaction action = {};
  action.sa_handler = noteSignal;
  // Interrupted reads and writes go on by themselves.
  action.sa_flags = SA_RESTART | SA_RESETHAND;
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGINT);
  sigaddset(&action.sa_mask, SIGTERM);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
}

int shutdownSignal() { return received; }

} // namespace accrue::io
