//===- accrue-fuzz.cpp - Random programs, split and compared --------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Generates models, splits their steps into micro-batches in many ways and
// compares all results with those of the full batch. Exit status: 0 where all
// are equal, refused or unstable, 1 where one is different or broken, 2 for bad
// usage.
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "accrue/Dialect/NN/NNDialect.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "accrue/Fuzz/ProgramCheck.h"
#include "accrue/Fuzz/ProgramGenerator.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/ToolOutputFile.h"
#include <chrono>
#include <cmath>

using namespace mlir;
using namespace accrue;
using namespace accrue::fuzz;

static llvm::cl::OptionCategory category("accrue-fuzz options");
static llvm::cl::opt<uint64_t>
    seed("seed", llvm::cl::desc("Start of the sequence of programs"),
         llvm::cl::init(1), llvm::cl::cat(category));
static llvm::cl::opt<uint64_t>
    first("first", llvm::cl::desc("Number of the first program"),
          llvm::cl::init(0), llvm::cl::cat(category));
static llvm::cl::opt<uint64_t> programCount("count",
                                            llvm::cl::desc("Programs to check"),
                                            llvm::cl::init(1000),
                                            llvm::cl::cat(category));
static llvm::cl::opt<unsigned>
    maxOps("max-ops", llvm::cl::desc("Drawn ops of a program, at most"),
           llvm::cl::init(30), llvm::cl::cat(category));
static llvm::cl::opt<uint64_t>
    maxFailures("max-failures", llvm::cl::desc("Stop after so many failures"),
                llvm::cl::init(10), llvm::cl::cat(category));
static llvm::cl::opt<std::string>
    saveDir("save-dir", llvm::cl::desc("Write programs that fail here"),
            llvm::cl::value_desc("folder"), llvm::cl::cat(category));
static llvm::cl::opt<bool>
    reduce("reduce",
           llvm::cl::desc("Shrink programs that fail, by accrue-reduce"),
           llvm::cl::cat(category));
static llvm::cl::opt<std::string>
    replay("replay", llvm::cl::desc("Check the model of an .mlir file instead"),
           llvm::cl::value_desc("file"), llvm::cl::cat(category));
static llvm::cl::opt<bool>
    printOnly("print",
              llvm::cl::desc("Print the programs instead of checking them"),
              llvm::cl::cat(category));
static llvm::cl::opt<std::string>
    reportFile("report", llvm::cl::desc("Write the counts as JSON"),
               llvm::cl::value_desc("file"), llvm::cl::cat(category));
static llvm::cl::opt<bool>
    allModes("all-modes",
             llvm::cl::desc("Check every split in every mode, not in one"),
             llvm::cl::cat(category));
static llvm::cl::opt<bool>
    listUnstable("list-unstable",
                 llvm::cl::desc("Also tell of programs whose results rounding "
                                "or the order of samples decides"),
                 llvm::cl::cat(category));
static llvm::cl::opt<bool>
    omitWeights("omit-weights",
                llvm::cl::desc("Leave out the weights of micro-batches: nearly "
                               "every program fails"),
                llvm::cl::cat(category));
static llvm::cl::opt<std::string> plantFault(
    "plant-fault",
    llvm::cl::desc("Analyse with a wrong rule, as train-accumulate does"),
    llvm::cl::value_desc("name"), llvm::cl::cat(category));

namespace {
/// A context and what is kept in it from program to program. After a crash it
/// is left as it is, since nobody knows its state.
struct Session {
  Session() : context(MLIRContext::Threading::DISABLED) {
    context
        .loadDialect<func::FuncDialect, nn::NNDialect, train::TrainDialect>();
    CheckOptions options;
    options.allModes = allModes;
    options.omitWeights = omitWeights;
    options.plantFault = plantFault;
    checker = std::make_unique<ProgramChecker>(context, options);
  }

  MLIRContext context;
  std::unique_ptr<ProgramChecker> checker;
};

/// Runs programs one after another.
class Fuzzer {
public:
  explicit Fuzzer(StringRef executable)
      : executable(executable), session(std::make_unique<Session>()) {}

  int run();
  int runReplay();

private:
  CheckResult check(ModuleOp module);
  void printProgram(uint64_t number, const CheckResult &result);
  /// Returns false after an error.
  bool save(ModuleOp module, uint64_t number, const CheckResult &result);
  /// Shrinks the program of `path` while it shows the failure of `result`.
  bool shrink(StringRef path, const CheckResult &result);
  bool writeReport(double seconds);

  StringRef executable;
  std::unique_ptr<Session> session;
  Report report;
};
} // namespace

static void printVariant(llvm::raw_ostream &os, const VariantResult &result) {
  os << "  " << result.variant.str() << ": " << toString(result.outcome);
  if (result.outcome == Outcome::Different ||
      result.outcome == Outcome::Unstable)
    os << llvm::format(", error %.1e in ", result.error) << result.reason;
  else if (!result.reason.empty())
    os << ": " << result.reason;
  os << '\n';
}

CheckResult Fuzzer::check(ModuleOp module) {
  CheckResult result;
  result.outcome = Outcome::Broken;
  llvm::CrashRecoveryContext recovery;
  bool survived = recovery.RunSafely([&] {
    result = session->checker->check(*module.getOps<func::FuncOp>().begin());
  });
  if (!survived) {
    VariantResult crash;
    crash.outcome = Outcome::Broken;
    crash.reason = "crashed";
    result.outcome = Outcome::Broken;
    result.variants.push_back(crash);
  }
  return result;
}

void Fuzzer::printProgram(uint64_t number, const CheckResult &result) {
  llvm::errs() << "program " << number << " of seed " << seed << " (--first "
               << number << " --count 1):\n";
  for (const VariantResult &variant : result.variants)
    if (variant.outcome >= Outcome::Unstable)
      printVariant(llvm::errs(), variant);
}

bool Fuzzer::save(ModuleOp module, uint64_t number, const CheckResult &result) {
  llvm::SmallString<128> path(saveDir);
  llvm::sys::path::append(path, "seed" + Twine(seed) + "-program" +
                                    Twine(number) + ".mlir");
  std::error_code error = llvm::sys::fs::create_directories(saveDir);
  if (!error) {
    llvm::raw_fd_ostream os(path, error);
    if (!error)
      os << module << '\n';
  }
  if (error) {
    llvm::errs() << "accrue-fuzz: error: cannot write '" << path
                 << "': " << error.message() << '\n';
    return false;
  }
  return !reduce || shrink(path, result);
}

bool Fuzzer::shrink(StringRef path, const CheckResult &result) {
  // A smaller program has to fail in the same way: with numbers that differ,
  // or by the same reason.
  const VariantResult &worst =
      *llvm::find_if(result.variants, [&](const VariantResult &variant) {
        return variant.outcome == result.outcome;
      });
  bool isDifferent = result.outcome == Outcome::Different;
  std::string sign = isDifferent ? std::isfinite(worst.error)
                                       ? ": different, error [0-9]"
                                       : ": different, error inf"
                                 : worst.reason;
  // accrue-reduce keeps what the script rejects.
  std::string script = (path + ".sh").str(), smaller = (path + ".min").str();
  std::error_code error;
  {
    llvm::raw_fd_ostream os(script, error);
    if (!error) {
      os << "#!/bin/sh\n'" << executable << "' --replay \"$1\"";
      if (omitWeights)
        os << " --omit-weights";
      if (!plantFault.empty())
        os << " --plant-fault=" << plantFault;
      os << " 2>/dev/null | grep -q" << (isDifferent ? "" : "F") << " -- ";
      llvm::sys::printArg(os, sign, /*Quote=*/true);
      os << " && exit 1\nexit 0\n";
    }
  }
  if (!error)
    error = llvm::sys::fs::setPermissions(
        script, llvm::sys::fs::all_exe | llvm::sys::fs::all_read |
                    llvm::sys::fs::owner_write);
  if (error) {
    llvm::errs() << "accrue-fuzz: error: cannot write '" << script
                 << "': " << error.message() << '\n';
    return false;
  }
  llvm::SmallString<128> reducer(llvm::sys::path::parent_path(executable));
  llvm::sys::path::append(reducer, "accrue-reduce");
  std::string tree = "-reduction-tree=traversal-mode=0 test=" + script;
  std::string message;
  int status = llvm::sys::ExecuteAndWait(
      reducer, {reducer, path, tree, "-o", smaller}, std::nullopt, {},
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &message);
  if (status != 0)
    llvm::errs() << "accrue-fuzz: error: '" << reducer << "' failed"
                 << (message.empty() ? "" : ": ") << message << '\n';
  return status == 0;
}

bool Fuzzer::writeReport(double seconds) {
  std::error_code error;
  llvm::ToolOutputFile file(reportFile, error, llvm::sys::fs::OF_Text);
  if (error) {
    llvm::errs() << "accrue-fuzz: error: cannot write '" << reportFile
                 << "': " << error.message() << '\n';
    return false;
  }
  llvm::json::OStream json(file.os(), /*IndentSize=*/2);
  json.object([&] {
    json.attribute("seed", static_cast<int64_t>(seed));
    json.attribute("first", static_cast<int64_t>(first));
    json.attribute("seconds", seconds);
    report.write(json);
  });
  file.os() << '\n';
  file.keep();
  return true;
}

int Fuzzer::run() {
  auto start = std::chrono::steady_clock::now();
  for (uint64_t number = first; number < first + programCount; ++number) {
    OwningOpRef<ModuleOp> module =
        generateProgram(session->context, seed, number, maxOps);
    if (printOnly) {
      llvm::outs() << "// program " << number << " of seed " << seed << '\n'
                   << *module << '\n';
      continue;
    }
    CheckResult result = check(*module);
    report.add(*module->getOps<func::FuncOp>().begin(), result);
    bool isFailure = result.outcome >= Outcome::Different;
    if (isFailure || (listUnstable && result.outcome == Outcome::Unstable))
      printProgram(number, result);
    if (!isFailure)
      continue;
    if (!saveDir.empty() && !save(*module, number, result))
      return 2;
    if (result.variants.back().reason == "crashed") {
      (void)module.release();
      (void)session.release();
      session = std::make_unique<Session>();
    }
    if (static_cast<uint64_t>(report.getFailures()) >= maxFailures)
      break;
  }
  if (printOnly)
    return 0;
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  report.print(llvm::outs());
  llvm::outs() << llvm::format("%.0f programs per second\n",
                               static_cast<double>(report.getPrograms()) /
                                   seconds.count());
  if (!reportFile.empty() && !writeReport(seconds.count()))
    return 2;
  return report.getFailures() > 0 ? 1 : 0;
}

int Fuzzer::runReplay() {
  ParserConfig config(&session->context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(replay, config);
  if (!module)
    return 2;
  auto functions = module->getOps<func::FuncOp>();
  if (functions.empty() ||
      !(*functions.begin())->hasAttr(train::attrs::kModel)) {
    llvm::errs() << "accrue-fuzz: error: expected '" << replay
                 << "' to begin with a function with '" << train::attrs::kModel
                 << "'\n";
    return 2;
  }
  CheckResult result = check(*module);
  for (const VariantResult &variant : result.variants)
    printVariant(llvm::outs(), variant);
  llvm::outs() << toString(result.outcome) << '\n';
  if (result.outcome == Outcome::Broken)
    (void)module.release();
  return result.outcome >= Outcome::Different ? 1 : 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::ParseCommandLineOptions(
      argc, argv, "Accrue fuzzer: splits random training steps\n");
  if (saveDir.empty() && reduce) {
    llvm::errs() << "accrue-fuzz: error: '--reduce' needs '--save-dir'\n";
    return 2;
  }
  llvm::CrashRecoveryContext::Enable();
  std::string executable = llvm::sys::fs::getMainExecutable(
      argv[0], reinterpret_cast<void *>(&main));
  Fuzzer fuzzer(executable);
  return replay.empty() ? fuzzer.run() : fuzzer.runReplay();
}
