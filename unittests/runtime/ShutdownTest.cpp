//===- ShutdownTest.cpp - Unit tests of the orderly stop ------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first signal is noted, the second one kills. Each test runs in a process
// of its own.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/Shutdown.h"

#include "gtest/gtest.h"

#include <csignal>
#include <cstdlib>

using namespace accrue::io;

namespace {

TEST(Shutdown, FirstSignalIsNoted) {
  for (int signal : {SIGINT, SIGTERM}) {
    auto stopInOrder = [&] {
      installShutdownHandler();
      bool before = shutdownRequested();
      std::raise(signal);
      std::exit(!before && shutdownSignal() == signal ? 42 : 1);
    };
    EXPECT_EXIT(stopInOrder(), ::testing::ExitedWithCode(42), "");
  }
}

TEST(Shutdown, SecondSignalKills) {
  for (int second : {SIGINT, SIGTERM}) {
    auto insist = [&] {
      installShutdownHandler();
      std::raise(SIGINT);
      std::raise(second);
      std::exit(0);
    };
    EXPECT_EXIT(insist(), ::testing::KilledBySignal(second), "");
  }
}

} // namespace
