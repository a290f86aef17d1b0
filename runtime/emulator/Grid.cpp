//===- Grid.cpp - The threads of a launch ---------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fiber takes threads that have not started and calls the kernel for each; a
// thread that waits keeps its fiber, and another one goes on. When nothing can
// go on and not every thread has ended, threads have diverged.
//
//===----------------------------------------------------------------------===//

#include "runtime/emulator/Grid.h"

#include "runtime/emulator/Error.h"
#include "runtime/emulator/Fiber.h"
#include "runtime/emulator/HostThread.h"
#include "runtime/emulator/Random.h"
#include "runtime/emulator/Sanitizers.h"
#include "runtime/emulator/Traps.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <vector>

uint3 threadIdx;
uint3 blockIdx;
dim3 blockDim;
dim3 gridDim;

using namespace accrue::emulator;

namespace {

constexpr unsigned warpThreads = 32;

enum class State { Unstarted, Ready, AtBarrier, AtCollective, Ended };

struct Thread {
  uint3 index;
  State state = State::Unstarted;
  Fiber *fiber = nullptr;
  /// Where it waits.
  const char *file = nullptr;
  int line = 0;
  /// What it brought to a collective, and what it got.
  Collective collective = Collective::SyncWarp;
  unsigned mask = 0;
  uint64_t bits = 0;
  unsigned operand = 0;
  int width = 32;
  uint64_t result = 0;
};

/// What the sanitizer takes two successive barriers for. There are two since a
/// thread may reach the next one before another has left this one.
struct Order {
  char ends[2];
  size_t count = 0;
  char *get() { return &ends[count % 2]; }
  char *getPrevious() { return &ends[(count + 1) % 2]; }
};

class BlockRunner {
public:
  void run(const Launch &launch, uint3 block);
  /// Orders what the caller does next after the blocks that have run.
  void acquireBlocks() { acquire(blocks.getPrevious()); }

  void waitForBlock(const char *file, int line);
  uint64_t waitForWarp(Collective collective, unsigned mask, uint64_t bits,
                       unsigned operand, int width, const char *file, int line);
  unsigned activeMask() const;
  [[noreturn]] void reportUnwritten() const;

private:
  static void runFiber(Fiber &self);
  void runThreads();
  bool takeUnstarted();
  void enter(unsigned thread);
  void addReady(unsigned thread) {
    ready[(readyBegin + readyCount++) % ready.size()] = thread;
  }
  /// Continues another thread; returns when the current one can go on.
  void suspend();
  /// A fiber for the next thread that starts.
  Fiber *getFreeFiber();
  /// Continues the next thread on its fiber, or starts one on a free fiber.
  void switchFrom(Fiber &from);
  bool completeCollective(unsigned warpBegin, const Thread &arrived);
  uint64_t getShuffled(unsigned warpBegin, unsigned lane) const;

  std::string describe(const Thread &thread) const;
  std::string describeWhere(const Thread &thread) const;
  [[noreturn]] void reportDivergence() const;
  [[noreturn]] void report(const std::string &message) const;

  const Launch *launch = nullptr;
  /// What orders the threads of a block, those of a warp, and a block with the
  /// one before, which had the same shared memory.
  Order barriers;
  std::vector<Order> warpBarriers;
  Order blocks;
  std::vector<Thread> threads;
  /// The order in which warps and threads start.
  std::vector<unsigned> warps;
  std::vector<unsigned> order;
  size_t started = 0;
  size_t ended = 0;
  size_t atBarrier = 0;
  /// Threads that can continue, a queue: a ring with room for every thread of
  /// the block. It does not grow while they run, since ThreadSanitizer would
  /// take the move of its elements for their own.
  std::vector<unsigned> ready;
  size_t readyBegin = 0;
  size_t readyCount = 0;
  unsigned current = 0;

  Fiber host;
  /// For ThreadSanitizer, one for each thread.
  std::vector<std::unique_ptr<Fiber>> fibers;
  std::vector<Fiber *> freeFibers;
  Fiber *running = nullptr;
};

/// The one that runs; kernels run one after another.
BlockRunner *runner;

} // namespace

void BlockRunner::enter(unsigned thread) {
  current = thread;
  threadIdx = threads[thread].index;
}

bool BlockRunner::takeUnstarted() {
  if (started == order.size())
    return false;
  unsigned thread = order[started++];
  threads[thread].fiber = running;
  threads[thread].state = State::Ready;
  enter(thread);
  return true;
}

void BlockRunner::runFiber(Fiber &self) {
  for (;;) {
    runner->runThreads();
    if (!isThreadSanitizer)
      runner->freeFibers.push_back(&self);
    runner->switchFrom(self);
  }
}

void BlockRunner::runThreads() {
  // What is suspended goes first, so that few fibers are needed.
  while (readyCount == 0 && takeUnstarted()) {
    acquire(const_cast<Launch *>(launch));
    acquire(blocks.getPrevious());
    rearmTraps();
    launch->call->run();
    release(blocks.get());
    threads[current].state = State::Ended;
    ++ended;
    if (isThreadSanitizer)
      return;
  }
}

Fiber *BlockRunner::getFreeFiber() {
  if (isThreadSanitizer) {
    while (fibers.size() < threads.size())
      fibers.push_back(std::make_unique<Fiber>(&BlockRunner::runFiber));
    return fibers[order[started]].get();
  }
  if (freeFibers.empty()) {
    fibers.push_back(std::make_unique<Fiber>(&BlockRunner::runFiber));
    return fibers.back().get();
  }
  Fiber *fiber = freeFibers.back();
  freeFibers.pop_back();
  return fiber;
}

void BlockRunner::switchFrom(Fiber &from) {
  Fiber *to = &host;
  if (readyCount != 0) {
    unsigned thread = ready[readyBegin];
    readyBegin = (readyBegin + 1) % ready.size();
    --readyCount;
    threads[thread].state = State::Ready;
    enter(thread);
    to = threads[thread].fiber;
  } else if (started != order.size()) {
    to = getFreeFiber();
  }
  running = to;
  if (to != &from)
    Fiber::switchFromTo(from, *to);
}

void BlockRunner::suspend() { switchFrom(*threads[current].fiber); }

void BlockRunner::waitForBlock(const char *file, int line) {
  Thread &thread = threads[current];
  thread.state = State::AtBarrier;
  thread.file = file;
  thread.line = line;
  char *end = barriers.get();
  release(end);
  if (++atBarrier == threads.size()) {
    for (const Thread &other : threads)
      if (other.line != line || std::strcmp(other.file, file) != 0)
        reportDivergence();
    atBarrier = 0;
    // Any order may follow a barrier; that of the start is as good as another.
    for (unsigned index : order) {
      threads[index].state = State::Ready;
      if (index != current)
        addReady(index);
    }
    ++barriers.count;
  } else {
    suspend();
  }
  acquire(end);
}

uint64_t BlockRunner::waitForWarp(Collective collective, unsigned mask,
                                  uint64_t bits, unsigned operand, int width,
                                  const char *file, int line) {
  Thread &thread = threads[current];
  unsigned lane = current % warpThreads;
  thread.state = State::AtCollective;
  thread.file = file;
  thread.line = line;
  thread.collective = collective;
  thread.mask = mask;
  thread.bits = bits;
  thread.operand = operand;
  thread.width = width;
  if (!(mask >> lane & 1))
    report("a lane that is not in the mask of its own collective: " +
           describe(thread));
  if (width <= 0 || width > 32 || (width & (width - 1)))
    report("expected a power of two up to 32 as the width of a shuffle, got " +
           std::to_string(width) + ": " + describe(thread));
  // Only this one orders memory, shuffles and votes do not.
  Order &order = warpBarriers[current / warpThreads];
  char *end = collective == Collective::SyncWarp ? order.get() : nullptr;
  if (end)
    release(end);
  if (!completeCollective(current - lane, thread))
    suspend();
  else if (end)
    ++order.count;
  if (end)
    acquire(end);
  return thread.result;
}

bool BlockRunner::completeCollective(unsigned warpBegin,
                                     const Thread &arrived) {
  unsigned mask = arrived.mask;
  for (unsigned lane = 0; lane < warpThreads; ++lane) {
    if (!(mask >> lane & 1))
      continue;
    if (warpBegin + lane >= threads.size())
      return false;
    const Thread &other = threads[warpBegin + lane];
    if (other.state != State::AtCollective || other.mask != mask ||
        other.collective != arrived.collective || other.line != arrived.line ||
        std::strcmp(other.file, arrived.file) != 0)
      return false;
  }
  uint64_t votes = 0;
  for (unsigned lane = 0; lane < warpThreads; ++lane)
    if (mask >> lane & 1 && threads[warpBegin + lane].bits)
      votes |= uint64_t(1) << lane;
  for (unsigned lane = 0; lane < warpThreads; ++lane) {
    if (!(mask >> lane & 1))
      continue;
    Thread &other = threads[warpBegin + lane];
    other.result = arrived.collective == Collective::Ballot
                       ? votes
                       : getShuffled(warpBegin, lane);
  }
  for (unsigned lane = 0; lane < warpThreads; ++lane) {
    if (!(mask >> lane & 1))
      continue;
    unsigned index = warpBegin + lane;
    threads[index].state = State::Ready;
    if (index != current)
      addReady(index);
  }
  return true;
}

/// PTX shfl: a lane whose source lies outside of its segment gets its own
/// value.
uint64_t BlockRunner::getShuffled(unsigned warpBegin, unsigned lane) const {
  const Thread &thread = threads[warpBegin + lane];
  unsigned segment = lane & ~static_cast<unsigned>(thread.width - 1);
  unsigned last = segment + static_cast<unsigned>(thread.width) - 1;
  unsigned source = lane;
  switch (thread.collective) {
  case Collective::SyncWarp:
  case Collective::Ballot:
    return 0;
  case Collective::Up:
    if (thread.operand <= lane - segment)
      source = lane - thread.operand;
    break;
  case Collective::Down:
    if (thread.operand <= last - lane)
      source = lane + thread.operand;
    break;
  case Collective::Xor:
    if ((lane ^ thread.operand) <= last)
      source = lane ^ thread.operand;
    break;
  case Collective::Index:
    source = segment + thread.operand % static_cast<unsigned>(thread.width);
    break;
  }
  if (!(thread.mask >> source & 1))
    report("a shuffle from lane " + std::to_string(source) +
           ", which is not in the mask: " + describe(thread));
  return threads[warpBegin + source].bits;
}

unsigned BlockRunner::activeMask() const {
  unsigned begin = current - current % warpThreads;
  unsigned mask = 0;
  for (unsigned lane = 0; lane < warpThreads && begin + lane < threads.size();
       ++lane)
    if (threads[begin + lane].state != State::Ended)
      mask |= 1u << lane;
  return mask;
}

void BlockRunner::run(const Launch &launch, uint3 block) {
  this->launch = &launch;
  blockIdx = block;
  size_t count = size_t(launch.block.x) * launch.block.y * launch.block.z;
  threads.assign(count, Thread());
  for (size_t i = 0; i < count; ++i) {
    auto index = static_cast<unsigned>(i);
    threads[i].index = {index % launch.block.x,
                        index / launch.block.x % launch.block.y,
                        index / (launch.block.x * launch.block.y)};
  }
  permute(warps, (count + warpThreads - 1) / warpThreads);
  order.clear();
  for (unsigned warp : warps)
    for (size_t i = warp * warpThreads;
         i < std::min<size_t>(count, (warp + 1) * warpThreads); ++i)
      order.push_back(static_cast<unsigned>(i));
  started = ended = atBarrier = 0;
  ready.resize(count);
  readyBegin = readyCount = 0;
  warpBarriers.resize(std::max(warpBarriers.size(), warps.size()));

  runner = this;
  switchFrom(host);
  if (ended != count)
    reportDivergence();
  ++blocks.count;
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

static std::string describeIndex(uint3 index, const dim3 &extent) {
  std::string text = std::to_string(index.x);
  if (extent.y > 1 || extent.z > 1)
    text += "," + std::to_string(index.y) + "," + std::to_string(index.z);
  return text;
}

std::string BlockRunner::describeWhere(const Thread &thread) const {
  std::string place = std::string(thread.file ? thread.file : "?") + ":" +
                      std::to_string(thread.line);
  switch (thread.state) {
  case State::Unstarted:
    return "has not started";
  case State::Ready:
    return "runs";
  case State::Ended:
    return "has ended";
  case State::AtBarrier:
    return "waits at the barrier at " + place;
  case State::AtCollective:
    break;
  }
  char mask[16];
  std::snprintf(mask, sizeof mask, "0x%08x", thread.mask);
  return "waits at the warp's collective at " + place + " with mask " + mask;
}

std::string BlockRunner::describe(const Thread &thread) const {
  return "thread " + describeIndex(thread.index, launch->block) + " " +
         describeWhere(thread);
}

void BlockRunner::report(const std::string &message) const {
  fatal("kernel '" + getFunctionName(launch->kernel) + "', block " +
        describeIndex(blockIdx, launch->grid) + ": " + message);
}

void BlockRunner::reportUnwritten() const {
  report("thread " + describeIndex(threads[current].index, launch->block) +
         " read memory that nothing wrote");
}

void BlockRunner::reportDivergence() const {
  // Neighbours in the same situation share a line.
  std::string text = "threads wait for others that do not come";
  for (size_t i = 0; i < threads.size();) {
    std::string where = describeWhere(threads[i]);
    size_t end = i + 1;
    while (end < threads.size() && describeWhere(threads[end]) == where)
      ++end;
    text += "\n  thread " + describeIndex(threads[i].index, launch->block);
    if (end - i > 1)
      text += " to " + describeIndex(threads[end - 1].index, launch->block);
    text += " " + where;
    i = end;
  }
  report(text);
}

//===----------------------------------------------------------------------===//
// What kernels and launches call
//===----------------------------------------------------------------------===//

void accrue::emulator::waitForBlock(const char *file, int line) {
  runner->waitForBlock(file, line);
}

uint64_t accrue::emulator::waitForWarp(Collective collective, unsigned mask,
                                       uint64_t bits, unsigned operand,
                                       int width, const char *file, int line) {
  return runner->waitForWarp(collective, mask, bits, operand, width, file,
                             line);
}

unsigned accrue::emulator::activeMask() { return runner->activeMask(); }

namespace {

/// A thread of the host that runs blocks, with shared memory of its own.
struct BlockThread {
  HostThread thread;
  std::unique_ptr<BlockRunner> blocks;
};

} // namespace

/// To ThreadSanitizer, blocks of the two threads are not ordered.
static void runBlocksUnordered(const Launch &launch,
                               const std::vector<uint3> &blocks) {
  // Never destroyed, as the threads never end.
  static auto &hostThreads = *new std::array<BlockThread, 2>;
  release(const_cast<Launch *>(&launch));
  for (size_t i = 0; i < blocks.size(); ++i) {
    BlockThread &to = hostThreads[i % 2];
    to.thread.run([&] {
      TrapScope traps([] { runner->reportUnwritten(); });
      if (!to.blocks)
        to.blocks = std::make_unique<BlockRunner>();
      to.blocks->run(launch, blocks[i]);
    });
  }
  for (BlockThread &thread : hostThreads)
    if (thread.blocks)
      thread.blocks->acquireBlocks();
}

void accrue::emulator::runGrid(const Launch &launch) {
  gridDim = launch.grid;
  blockDim = launch.block;
  std::vector<unsigned> order;
  permute(order, size_t(launch.grid.x) * launch.grid.y * launch.grid.z);
  std::vector<uint3> blocks;
  for (unsigned block : order)
    blocks.push_back({block % launch.grid.x,
                      block / launch.grid.x % launch.grid.y,
                      block / (launch.grid.x * launch.grid.y)});
  if constexpr (isThreadSanitizer) {
    runBlocksUnordered(launch, blocks);
    return;
  }
  // Its stacks are kept; the host's is that of this thread.
  static thread_local BlockRunner threads;
  TrapScope traps([] { runner->reportUnwritten(); });
  for (uint3 block : blocks)
    threads.run(launch, block);
}
