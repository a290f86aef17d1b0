//===- Measure.cpp - Measuring steps in this process ----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers share memory, so what a call reads is written anew before it is
// measured, and before every sample where the call changes it: repeated in
// place, an operation would soon run on infinities or denormal numbers.
//
//===----------------------------------------------------------------------===//

#include "accrue/Benchmark/Benchmark.h"
#include "accrue/Dialect/Kernel/IsolateCall.h"
#include "accrue/Target/Describe.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>
#include <chrono>

using namespace mlir;
using namespace accrue;
using namespace accrue::bench;

/// Bytes and operations that are worth reading the clock.
static constexpr int64_t kWorkPerSample = 1 << 17;
static constexpr int64_t kMaxRuns = 64;
/// Where no number of samples is asked for.
static constexpr double kSecondsPerMeasurement = 0.5;
static constexpr size_t kMinSamples = 5;
static constexpr size_t kMaxSamples = 200;

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

/// Fills `data` with what every kernel can work with: reals from [0.5, 1),
/// integers 0, which is an index of everything, flags true.
static void fillHarmlessly(io::DType dtype, void *data, int64_t count) {
  auto *bytes = static_cast<uint8_t *>(data);
  if (dtype == io::DType::Bool) {
    std::fill_n(bytes, count, uint8_t(1));
    return;
  }
  auto convert = io::findConversion(io::DType::F64, dtype);
  if (!convert) {
    std::fill_n(bytes, count * io::byteSize(dtype), uint8_t(0));
    return;
  }
  double values[256];
  for (int64_t first = 0; first < count; first += std::size(values)) {
    int64_t size = std::min<int64_t>(count - first, std::size(values));
    for (int64_t i = 0; i < size; ++i) {
      // Multiples of the golden ratio are spread evenly.
      uint32_t hash = static_cast<uint32_t>(first + i) * 0x9e3779b9u;
      values[i] = 0.5 + (hash >> 9) * 0x1p-24;
    }
    convert(values, bytes + first * io::byteSize(dtype), size);
  }
}

namespace {

class HarmlessInputs final : public InputProvider {
public:
  explicit HarmlessInputs(io::ArrayView<InputInfo> inputs) : inputs(inputs) {}

  io::Status fill(unsigned input, int64_t, int64_t count, void *to) override {
    const InputInfo &info = inputs[input];
    std::vector<int64_t> shape = info.shape;
    shape[info.batchDim] = count;
    fillHarmlessly(info.dtype, to, io::elementCount(shape));
    return io::Status::success();
  }

private:
  io::ArrayView<InputInfo> inputs;
};

/// A buffer that a call reads.
struct Operand {
  io::DType dtype;
  void *data;
  int64_t count;
  bool isWritten;

  void fill() const { fillHarmlessly(dtype, data, count); }
};

} // namespace

/// What `call` reads.
static SmallVector<Operand>
getOperands(Operation *call, const llvm::StringMap<uint8_t *> &arenas) {
  auto step = call->getParentOfType<func::FuncOp>();
  auto effects = cast<MemoryEffectOpInterface>(call);
  SmallVector<Operand> operands;
  for (Value value : call->getOperands()) {
    auto buffer = value.getDefiningOp<kernel::BufferOp>();
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffectsOnValue(value, instances);
    auto has = [&](auto effect) {
      return llvm::any_of(instances, [&](const auto &instance) {
        return isa<decltype(effect)>(instance.getEffect());
      });
    };
    if (!buffer || !has(MemoryEffects::Read()))
      continue;
    auto arena = cast<BlockArgument>(buffer.getArena());
    auto mark = step.getArgAttrOfType<kernel::ArenaAttr>(arena.getArgNumber(),
                                                         kernel::attrs::kArena);
    auto type = cast<MemRefType>(buffer.getType());
    std::optional<io::DType> dtype = getDType(type.getElementType());
    if (dtype)
      operands.push_back(
          {*dtype,
           arenas.lookup(stringifyArena(mark.getValue())) + buffer.getOffset(),
           type.getNumElements(), has(MemoryEffects::Write())});
  }
  return operands;
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

/// The median time of `run` in seconds, each time after `prepare`. `run` stops
/// the measurement where it fails.
template <typename Prepare, typename Run>
static io::Status sample(const Options &options, Prepare prepare, Run run,
                         double &median) {
  using Clock = std::chrono::steady_clock;
  auto secondsSince = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  // The first run is slower: code and data are not in the caches yet.
  prepare();
  if (io::Status status = run(); !status)
    return status;
  std::vector<double> samples;
  Clock::time_point started = Clock::now();
  auto isDone = [&] {
    if (options.repeat > 0)
      return samples.size() == static_cast<size_t>(options.repeat);
    return samples.size() == kMaxSamples ||
           (samples.size() >= kMinSamples &&
            secondsSince(started) > kSecondsPerMeasurement);
  };
  while (!isDone()) {
    prepare();
    Clock::time_point start = Clock::now();
    if (io::Status status = run(); !status)
      return status;
    samples.push_back(secondsSince(start));
  }
  auto middle = samples.begin() + samples.size() / 2;
  std::nth_element(samples.begin(), middle, samples.end());
  median = *middle;
  return io::Status::success();
}

//===----------------------------------------------------------------------===//
// Steps and their calls
//===----------------------------------------------------------------------===//

FailureOr<std::vector<IsolatedCall>> bench::isolateCalls(func::FuncOp step) {
  FailureOr<SmallVector<StepCall>> calls = listStepCalls(step);
  if (failed(calls))
    return failure();
  std::vector<IsolatedCall> isolated;
  for (StepCall &call : *calls) {
    int64_t work = std::max<int64_t>(call.cost.bytes + call.cost.flops, 1);
    int64_t runs = std::clamp<int64_t>(kWorkPerSample / work, 1, kMaxRuns);
    isolated.push_back(
        {std::move(call), runs, kernel::isolateCall(call.op, runs)});
  }
  return isolated;
}

io::Status bench::measure(Executable &executable, ArrayRef<IsolatedCall> calls,
                          const Options &options, Report &report) {
  llvm::StringMap<uint8_t *> arenas;
  for (const ArenaUsage &arena : executable.getArenas())
    arenas[arena.name] = static_cast<uint8_t *>(arena.data);
  HarmlessInputs inputs(executable.getInputs());
  RunResults results;
  io::Status status = sample(
      options, [] {}, [&] { return executable.run(0, inputs, results); },
      report.stepSeconds);
  if (!status)
    return status;

  for (auto [i, isolated] : llvm::enumerate(calls)) {
    const StepCall &call = isolated.call;
    SmallVector<Operand> operands = getOperands(call.op, arenas);
    for (const Operand &operand : operands)
      operand.fill();
    auto refill = [&] {
      for (const Operand &operand : operands)
        if (operand.isWritten)
          operand.fill();
    };
    double seconds = 0;
    unsigned program = i + 1;
    status = sample(
        options, refill,
        [&] { return executable.run(program, inputs, results); }, seconds);
    if (!status)
      return status;
    KernelTime time;
    time.name = call.name;
    time.kind = call.kind.str();
    time.sources.assign(call.sources.begin(), call.sources.end());
    time.callsPerStep = call.callsPerStep;
    time.seconds = seconds / static_cast<double>(isolated.runs);
    time.bytes = call.cost.bytes;
    time.flops = call.cost.flops;
    report.kernels.push_back(std::move(time));
  }
  return io::Status::success();
}
