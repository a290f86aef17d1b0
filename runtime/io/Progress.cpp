//===- Progress.cpp - Progress of a long run ------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bar is one line that starts with a carriage return and ends by clearing to
// the end of the line; it is cut at the terminal's width, because a wrapped
// line cannot be redrawn.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/Progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

namespace accrue::io {
namespace {

constexpr double redrawSeconds = 0.1;
constexpr int barWidth = 10;

bool canRedraw(std::FILE *stream) {
  const char *terminal = std::getenv("TERM");
  return ::isatty(::fileno(stream)) && terminal &&
         std::string_view(terminal) != "dumb";
}

int terminalColumns(std::FILE *stream) {
  winsize size = {};
  if (::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  return 80;
}

double monotonicSeconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

} // namespace

std::string groupDigits(int64_t value) {
  std::string digits = fmt::format("{}", value);
  size_t first = value < 0 ? 1 : 0;
  for (size_t i = digits.size(); i > first + 3;)
    digits.insert(i -= 3, ",");
  return digits;
}

std::string formatDuration(double seconds) {
  if (seconds < 99.95)
    return fmt::format("{:.1f} s", seconds);
  int64_t whole = std::llround(seconds);
  if (whole < 7200)
    return fmt::format("{} m {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} m", whole / 3600, whole / 60 % 60);
}

Progress::Progress(ProgressOptions given) : options(std::move(given)) {
  if (!options.clock)
    options.clock = monotonicSeconds;
  if (!options.bar)
    options.bar = canRedraw(options.stream);
  step = options.start;
  started = options.clock();
  drawn = started - redrawSeconds;
}

Progress::~Progress() {
  if (lineOpen)
    fmt::print(options.stream, "\n");
}

std::string Progress::format(double now) const {
  std::string total = fmt::format("{}", options.total);
  std::string line =
      fmt::format("{:<7} {:>{}}/{}", options.label, step, total.size(), total);
  if (*options.bar) {
    int64_t full =
        options.total ? std::min(step, options.total) * barWidth / options.total
                      : barWidth;
    line += fmt::format(" [{:<{}}]", std::string(full, '='), barWidth);
  }
  const char *separator = " ";
  for (const auto &[name, value] : fields) {
    line += fmt::format("{}{} {:.3g}", separator, name, value);
    separator = "  ";
  }
  double elapsed = now - started;
  if (samples > 0 && elapsed > 0)
    line += fmt::format("   {} samples/s",
                        groupDigits(std::llround(samples / elapsed)));
  return line + "   " + formatDuration(elapsed);
}

void Progress::draw(double now) {
  std::string line = format(now);
  if (*options.bar) {
    size_t columns =
        options.columns ? *options.columns : terminalColumns(options.stream);
    // The last column is left free: writing there wraps on some terminals.
    line.resize(std::min(line.size(), columns - 1));
    fmt::print(options.stream, "\r{}\x1b[K", line);
    lineOpen = true;
  } else {
    fmt::print(options.stream, "{}\n", line);
    printed = step;
  }
  std::fflush(options.stream);
  drawn = now;
}

void Progress::update(int64_t newStep, int64_t newSamples,
                      std::vector<ProgressField> newFields) {
  if (finished)
    return;
  step = newStep;
  samples += newSamples;
  fields = std::move(newFields);
  double now = options.clock();
  if (*options.bar ? now - drawn >= redrawSeconds
                   : step % std::max<int64_t>(options.plainEvery, 1) == 0)
    draw(now);
}

void Progress::note(std::string_view text) {
  fmt::print(options.stream, "{}{}\n", lineOpen ? "\r\x1b[K" : "", text);
  if (lineOpen)
    draw(options.clock());
  std::fflush(options.stream);
}

void Progress::finish() {
  if (finished)
    return;
  finished = true;
  if (*options.bar || printed != step)
    draw(options.clock());
  if (lineOpen)
    fmt::print(options.stream, "\n");
  std::fflush(options.stream);
  lineOpen = false;
}

} // namespace accrue::io
