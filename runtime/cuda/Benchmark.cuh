//===- Benchmark.cuh - Measuring a model on its device --------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times are medians between two events. A call is measured as a graph of so
// many of it that the launch of the graph does not count; a step as it is run,
// and with every call launched by itself. docs/bench.md describes the output.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_CUDA_BENCHMARK_CUH
#define ACCRUE_RUNTIME_CUDA_BENCHMARK_CUH

#include "runtime/cuda/Step.cuh"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace accrue {

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

/// Element `index` of data that any kernel can work with: reals from
/// [low, low + width), integers 0, which is an index of everything, true.
template <class T>
__host__ __device__ T harmlessValue(size_t index, float low, float width) {
  if constexpr (std::is_same<T, bool>::value)
    return true;
  else if constexpr (std::is_integral<T>::value)
    return T(0);
  else // Multiples of the golden ratio are spread evenly.
    return T(low + width * (float((unsigned(index) * 0x9e3779b9u) >> 8) /
                            16777216.0f));
}

template <class T>
__global__ void fillKernel(T *data, size_t count, float low, float width) {
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x)
    data[i] = harmlessValue<T>(i, low, width);
}

/// Fills an array on the device.
template <class T>
cudaError_t fill(T *data, size_t count, cudaStream_t stream, float low = 0.5f,
                 float width = 0.5f) {
  const size_t blocks = std::min<size_t>((count + 255) / 256, 4096);
  return launch(fillKernel<T>, unsigned(blocks), 256, stream, data, count, low,
                width);
}

/// An input of a step in pinned memory of the host.
template <class T>
struct HostArray {
  explicit HostArray(size_t count) : count(count) {}
  HostArray(const HostArray &) = delete;
  HostArray &operator=(const HostArray &) = delete;
  ~HostArray() { cudaFreeHost(data); }

  int create() {
    ACCRUE_CHECK(cudaMallocHost(&data, count * sizeof(T)));
    for (size_t i = 0; i < count; ++i)
      data[i] = harmlessValue<T>(i, 0.5f, 0.5f);
    return 0;
  }

  size_t count;
  T *data = nullptr;
};

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

/// Measures what is started on a stream.
class Stopwatch {
public:
  Stopwatch() = default;
  Stopwatch(const Stopwatch &) = delete;
  Stopwatch &operator=(const Stopwatch &) = delete;
  ~Stopwatch() {
    if (start)
      cudaEventDestroy(start);
    if (stop)
      cudaEventDestroy(stop);
  }

  int create(cudaStream_t stream) {
    this->stream = stream;
    ACCRUE_CHECK(cudaEventCreate(&start));
    ACCRUE_CHECK(cudaEventCreate(&stop));
    return 0;
  }

  /// Seconds that one run of `work` takes.
  template <class Work>
  int time(Work work, double *seconds) {
    ACCRUE_CHECK(cudaEventRecord(start, stream));
    ACCRUE_CHECK(work());
    ACCRUE_CHECK(cudaEventRecord(stop, stream));
    ACCRUE_CHECK(cudaEventSynchronize(stop));
    float milliseconds = 0;
    ACCRUE_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    *seconds = milliseconds * 1e-3;
    return 0;
  }

  /// The median of `repeat` runs; of 0: of those of half a second, from 5 to
  /// 50. One run before does not count.
  template <class Work>
  int median(int repeat, Work work, double *seconds) {
    std::vector<double> samples;
    double total = 0;
    ACCRUE_CHECK(time(work, seconds));
    while (repeat > 0
               ? samples.size() < size_t(repeat)
               : samples.size() < 5 || (samples.size() < 50 && total < 0.5)) {
      ACCRUE_CHECK(time(work, seconds));
      samples.push_back(*seconds);
      total += *seconds;
    }
    std::sort(samples.begin(), samples.end());
    *seconds = samples[samples.size() / 2];
    return 0;
  }

private:
  cudaStream_t stream = nullptr;
  cudaEvent_t start = nullptr;
  cudaEvent_t stop = nullptr;
};

//===----------------------------------------------------------------------===//
// The benchmark of a model
//===----------------------------------------------------------------------===//

/// A kernel or a matrix product of a step.
template <class Model>
struct BenchmarkCall {
  const char *name;
  const char *kind;
  /// Lines of the model, separated by ", ".
  const char *sources;
  long long callsPerStep;
  long long bytes;
  long long flops;
  /// Fills what the call reads; makes the call.
  int (*fill)(Model *);
  int (*run)(Model *);
  double seconds = 0;
};

/// A model to measure, then what was measured.
template <class Model>
struct Benchmark {
  const char *name;
  long long batch;
  long long microBatch;
  int (*create)(Model **);
  void (*destroy)(Model *);
  int (*fillParameters)(Model *);
  std::vector<BenchmarkCall<Model>> calls;

  std::string device = "";
  double stepSeconds = 0;
  double plainStepSeconds = 0;
};

/// The time of one call: of a graph of `runs` calls, divided.
template <class Model>
int measureCall(Model *model, Stopwatch &stopwatch, int repeat,
                BenchmarkCall<Model> &call) {
  const auto once = [&] { return call.run(model); };
  ACCRUE_CHECK(call.fill(model));
  ACCRUE_CHECK(once());
  ACCRUE_CHECK(stopwatch.time(once, &call.seconds));
  const int runs =
      int(std::max(1.0, std::min(64.0, 3e-4 / std::max(call.seconds, 1e-9))));
  Graph<> graph;
  const auto all = [&] {
    for (int i = 0; i < runs; ++i)
      ACCRUE_CHECK(call.run(model));
    return 0;
  };
  const auto launchAll = [&] { return graph.run(*model, all); };
  ACCRUE_CHECK(stopwatch.median(repeat, launchAll, &call.seconds));
  call.seconds /= runs;
  return 0;
}

template <class Model, class Step>
int measure(Benchmark<Model> &benchmark, Model *model, int repeat, Step step) {
  cudaDeviceProp properties;
  int device = 0;
  ACCRUE_CHECK(cudaGetDevice(&device));
  ACCRUE_CHECK(cudaGetDeviceProperties(&properties, device));
  benchmark.device = properties.name;

  Stopwatch stopwatch;
  ACCRUE_CHECK(stopwatch.create(model->stream));
  ACCRUE_CHECK(benchmark.fillParameters(model));
  const auto run = [&] { return step(model); };
  ACCRUE_CHECK(stopwatch.median(repeat, run, &benchmark.stepSeconds));
  model->useGraphs = false;
  ACCRUE_CHECK(stopwatch.median(repeat, run, &benchmark.plainStepSeconds));
  model->useGraphs = true;
  for (BenchmarkCall<Model> &call : benchmark.calls)
    ACCRUE_CHECK(measureCall(model, stopwatch, repeat, call));
  return 0;
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

/// `amount` per second, in units of 10^9.
inline double gigaPerSecond(long long amount, double seconds) {
  return seconds > 0 ? double(amount) / seconds * 1e-9 : 0;
}

inline std::string quoteJSON(const std::string &text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

/// `a, b` as `"a", "b"`.
inline std::string quoteJSONList(const std::string &list) {
  std::string quoted;
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find(", ", begin), list.size());
    quoted += (begin ? ", " : "") + quoteJSON(list.substr(begin, end - begin));
    begin = end + 2;
  }
  return quoted;
}

template <class Model>
void printJSON(const Benchmark<Model> &benchmark) {
  std::printf("{\n  \"model\": %s,\n  \"target\": \"cuda\",\n"
              "  \"device\": %s,\n  \"batch\": %lld,\n"
              "  \"micro_batch\": %lld,\n  \"step_seconds\": %.4g,\n"
              "  \"plain_step_seconds\": %.4g,\n  \"kernels\": [",
              quoteJSON(benchmark.name).c_str(),
              quoteJSON(benchmark.device).c_str(), benchmark.batch,
              benchmark.microBatch, benchmark.stepSeconds,
              benchmark.plainStepSeconds);
  const char *separator = "";
  for (const BenchmarkCall<Model> &call : benchmark.calls) {
    std::printf(
        "%s\n    {\n      \"name\": %s,\n      \"kind\": %s,\n"
        "      \"sources\": [%s],\n      \"calls_per_step\": %lld,\n"
        "      \"seconds\": %.4g,\n      \"bytes\": %lld,\n"
        "      \"flops\": %lld,\n      \"gb_per_s\": %.4g,\n"
        "      \"gflop_per_s\": %.4g,\n      \"share\": %.4g\n    }",
        separator, quoteJSON(call.name).c_str(), quoteJSON(call.kind).c_str(),
        quoteJSONList(call.sources).c_str(), call.callsPerStep, call.seconds,
        call.bytes, call.flops, gigaPerSecond(call.bytes, call.seconds),
        gigaPerSecond(call.flops, call.seconds),
        double(call.callsPerStep) * call.seconds /
            std::max(benchmark.stepSeconds, 1e-12));
    separator = ",";
  }
  std::printf("\n  ]\n}\n");
}

/// The same for people, those that take most of a step first.
template <class Model>
void printTable(const Benchmark<Model> &benchmark) {
  std::vector<const BenchmarkCall<Model> *> sorted;
  int width = 16;
  for (const BenchmarkCall<Model> &call : benchmark.calls) {
    sorted.push_back(&call);
    width = std::max(width, int(std::strlen(call.name)));
  }
  const auto total = [](const BenchmarkCall<Model> *call) {
    return double(call->callsPerStep) * call->seconds;
  };
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [&](const auto *a, const auto *b) { return total(a) > total(b); });
  std::fprintf(stderr,
               "%s: %lld samples per step, at most %lld at a time, cuda (%s)\n",
               benchmark.name, benchmark.batch, benchmark.microBatch,
               benchmark.device.c_str());
  std::fprintf(stderr, "%-*s %6s %13s %7s %8s %8s  from\n", width, "", "calls",
               "one call", "share", "GB/s", "TFLOP/s");
  double all = 0;
  for (const BenchmarkCall<Model> *call : sorted) {
    std::fprintf(stderr, "%-*s %6lld %10.2f us %5.1f %% %8.1f %8.2f  %s\n",
                 width, call->name, call->callsPerStep, call->seconds * 1e6,
                 100 * total(call) / std::max(benchmark.stepSeconds, 1e-12),
                 gigaPerSecond(call->bytes, call->seconds),
                 gigaPerSecond(call->flops, call->seconds) * 1e-3,
                 call->sources);
    all += total(call);
  }
  std::fprintf(stderr, "%-*s %6s %10.2f us\n", width, "all of them", "",
               all * 1e6);
  std::fprintf(stderr, "%-*s %6d %10.2f us\n", width, "the step", 1,
               benchmark.stepSeconds * 1e6);
  std::fprintf(stderr, "%-*s %6d %10.2f us\n", width, "without graphs", 1,
               benchmark.plainStepSeconds * 1e6);
}

/// The program: measures, prints JSON to stdout and a table to stderr.
/// `--repeat N` sets the number of samples.
template <class Model, class Prepare, class Step>
int runBenchmark(int argc, char **argv, Benchmark<Model> benchmark,
                 Prepare prepare, Step step) {
  int repeat = 0;
  if (argc == 3 && std::strcmp(argv[1], "--repeat") == 0)
    repeat = std::atoi(argv[2]);
  if (argc != 1 && repeat <= 0) {
    std::fprintf(stderr, "usage: %s [--repeat N]\n", argv[0]);
    return 2;
  }
  Model *model = nullptr;
  int status = prepare();
  if (status == 0)
    status = benchmark.create(&model);
  if (status == 0)
    status = measure(benchmark, model, repeat, step);
  benchmark.destroy(model);
  if (status != 0) {
    std::fprintf(stderr, "%s: error: %s\n", argv[0], lastError());
    return 1;
  }
  printJSON(benchmark);
  printTable(benchmark);
  return 0;
}

} // namespace accrue

#endif // ACCRUE_RUNTIME_CUDA_BENCHMARK_CUH
