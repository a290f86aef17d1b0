//===- CommandLine.cpp - The options of accrue ----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Unknown words are looked for before llvm::cl parses, so that the message can
// say what was meant; the values are left to llvm::cl.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "accrue/Driver/Suggestions.h"
#include "accrue/Pipelines/Phases.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace accrue;
using namespace accrue::tool;

static void printError(const Twine &message) {
  WithColor::error(errs(), "accrue") << message << '\n';
}

int tool::usageError(const Twine &message) {
  printError(message);
  return kUsage;
}

int tool::reportError(const Twine &message) {
  printError(message);
  return kFailure;
}

static constexpr StringLiteral kOverview =
    "Accrue: a training-step compiler\n\n"
    "Splits the batch of a training step into micro-batches that fit, with the "
    "same result.\n"
    "MODEL is a model file (.acr) or MLIR text of the nn dialect (.mlir).\n"
    "Exit status: 0 done, 1 refused or failed, 2 wrong usage, 130 or 143 "
    "stopped by a signal\n"
    "after the running step (with --save, saved).\n";

/// The help text of --emit.
static std::string describeStages() {
  std::string text = "Stop after a stage and print it:";
  for (const PhaseInfo &info : getPhases())
    text += ("\n" + info.name + ": " + info.description).str();
  return text;
}

CommandLine::CommandLine()
    : compile("compile", "plan a training step, or print it at a stage"),
      train("train", "train a model"),
      eval("eval", "loss and metrics of trained weights"),
      verify("verify", "show that the split step equals the full batch"),
      generate("generate", "continue a text with a trained model"),
      bench("bench", "measure the kernels of a training step"),
      build("build", "build a program that trains on a GPU, with nvcc"),
      category("Options"), stages(describeStages()),
      model(cl::Positional, cl::desc("MODEL"), cl::value_desc("MODEL"),
            cl::sub(compile), cl::sub(build), cl::sub(train), cl::sub(eval),
            cl::sub(verify), cl::sub(bench), cl::sub(generate),
            cl::cat(category)),
      modelName("model", cl::desc("The model, where the file has several"),
                cl::value_desc("name"), cl::sub(compile), cl::sub(build),
                cl::sub(train), cl::sub(eval), cl::sub(verify), cl::sub(bench),
                cl::sub(generate), cl::cat(category)),
      overrides("set", cl::desc("Replace a config value of the model file"),
                cl::value_desc("name=value"), cl::sub(compile), cl::sub(build),
                cl::sub(train), cl::sub(eval), cl::sub(verify), cl::sub(bench),
                cl::sub(generate), cl::cat(category)),
      batch(
          "batch",
          cl::desc("Samples per optimizer step; default: the model's. With "
                   "--emit also the sizes of further entry points, as "
                   "512,413. With eval: samples per evaluated batch; default: "
                   "all"),
          cl::value_desc("B"), cl::CommaSeparated, cl::sub(compile),
          cl::sub(build), cl::sub(train), cl::sub(eval), cl::sub(verify),
          cl::sub(bench), cl::cat(category)),
      evalBatch("eval-batch",
                cl::desc("Samples of an emitted evaluation; default: as many "
                         "as in a step"),
                cl::value_desc("N"), cl::CommaSeparated, cl::sub(compile),
                cl::sub(build), cl::cat(category)),
      microBatches("micro-batch",
                   cl::desc("The micro-batches to try; default: several, one "
                            "of them ragged"),
                   cl::value_desc("M,..."), cl::CommaSeparated, cl::sub(verify),
                   cl::cat(category)),
      microBatch("micro-batch",
                 cl::desc("Samples per micro-batch; the last one may be "
                          "smaller"),
                 cl::value_desc("M"), cl::sub(compile), cl::sub(build),
                 cl::sub(train), cl::sub(eval), cl::sub(bench),
                 cl::cat(category)),
      accumulate("accumulate",
                 cl::desc("Micro-batches per optimizer step, of sizes that "
                          "differ by at most one"),
                 cl::value_desc("K"), cl::sub(compile), cl::sub(build),
                 cl::sub(train), cl::sub(bench), cl::cat(category)),
      memory("memory",
             cl::desc("Choose the largest micro-batch whose memory plan fits"),
             cl::value_desc("8GiB"), cl::sub(compile), cl::sub(build),
             cl::sub(train), cl::sub(bench), cl::cat(category)),
      batchNorm("batch-norm",
                cl::desc("Statistics over the samples of a split batch: exact "
                         "(in several loops over the batch), micro (of each "
                         "micro-batch: a different step), or frozen (running "
                         "ones, which stay)"),
                cl::value_desc("what"), cl::init("exact"), cl::sub(compile),
                cl::sub(build), cl::sub(train), cl::sub(verify), cl::sub(bench),
                cl::cat(category)),
      coupled("coupled",
              cl::desc("What later loops over the batch read of earlier ones: "
                       "store, recompute, auto (the cheaper one, if it is at "
                       "most 1.10 x the work), or error (one loop only)"),
              cl::value_desc("how"), cl::init("auto"), cl::sub(compile),
              cl::sub(build), cl::sub(train), cl::sub(eval), cl::sub(verify),
              cl::sub(bench), cl::cat(category)),
      gatherLimit(
          "gather-limit",
          cl::desc("Refuse a larger value that an op reads of all samples at "
                   "once, such as gathered activations"),
          cl::value_desc("1GiB"), cl::init("1GiB"), cl::sub(compile),
          cl::sub(build), cl::sub(train), cl::sub(eval), cl::sub(verify),
          cl::sub(bench), cl::cat(category)),
      plantFault("plant-fault",
                 cl::desc("Accumulate by a wrong rule, by name: for tests"),
                 cl::value_desc("fault"), cl::Hidden, cl::sub(verify),
                 cl::cat(category)),
      remat("remat",
            cl::desc("Activations that the backward pass computes again: none, "
                     "full, or auto (none, but full where --memory needs it)"),
            cl::value_desc("policy"), cl::init("auto"), cl::sub(compile),
            cl::sub(build), cl::sub(train), cl::sub(verify), cl::sub(bench),
            cl::cat(category)),
      tail("tail",
           cl::desc("The epoch's last samples % B: keep (a smaller step) or "
                    "drop"),
           cl::value_desc("what"), cl::init("keep"), cl::sub(compile),
           cl::sub(build), cl::sub(train), cl::cat(category)),
      emit("emit", cl::desc(stages), cl::value_desc("stage"), cl::sub(compile),
           cl::cat(category)),
      explain("explain",
              cl::desc("Print reasons: scaling, batch, memory or all"),
              cl::value_desc("topic"), cl::sub(compile), cl::cat(category)),
      output("o", cl::desc("Write the result to a file instead of stdout"),
             cl::value_desc("file"), cl::sub(compile), cl::sub(build),
             cl::sub(bench), cl::cat(category)),
      entries("entries",
              cl::desc("Functions of an emitted CUDA program: step, gradients, "
                       "evaluate; default: all"),
              cl::value_desc("entry,..."), cl::CommaSeparated, cl::sub(compile),
              cl::cat(category)),
      selfContained("self-contained",
                    cl::desc("Write the text of runtime/cuda into the emitted "
                             "CUDA C++ instead of including it"),
                    cl::sub(compile), cl::sub(bench), cl::cat(category)),
      noGraph("no-graph",
              cl::desc("Start the kernels of emitted CUDA C++ one by one, not "
                       "as CUDA graphs"),
              cl::sub(compile), cl::sub(build), cl::sub(bench),
              cl::cat(category)),
      ema("ema",
          cl::desc("Use the averages of the weights (ema in the train block)"),
          cl::sub(eval), cl::sub(generate), cl::cat(category)),
      checkNumerics("check-numerics",
                    cl::desc("Stop at a step that is not finite, and name the "
                             "first such value: op, place in the model, "
                             "sample"),
                    cl::sub(train), cl::cat(category)),
      compileTarget("target",
                    cl::desc("What to compile for: cpu or cuda; default: what "
                             "--emit is for, else cpu"),
                    cl::value_desc("target"), cl::sub(compile),
                    cl::cat(category)),
      target(
          "target", cl::desc("Where to run: cpu, or reference (interpreted)"),
          cl::value_desc("target"), cl::init("cpu"), cl::sub(train),
          cl::sub(eval), cl::sub(verify), cl::sub(generate), cl::cat(category)),
      benchTarget(
          "target",
          cl::desc("What to measure: cpu, or cuda, for which the result "
                   "is a program to run where the GPU is"),
          cl::value_desc("target"), cl::init("cpu"), cl::sub(bench),
          cl::cat(category)),
      data("data",
           cl::desc("The file of every batch input: .npy, or .bin tokens"),
           cl::value_desc("input=file,..."), cl::CommaSeparated,
           cl::sub(compile), cl::sub(build), cl::sub(train), cl::sub(eval),
           cl::cat(category)),
      evalData("eval-data", cl::desc("Held-out data, as for --data"),
               cl::value_desc("input=file,..."), cl::CommaSeparated,
               cl::sub(compile), cl::sub(build), cl::sub(train),
               cl::cat(category)),
      load("load", cl::desc("Weights to evaluate (.safetensors)"),
           cl::value_desc("file"), cl::sub(eval), cl::sub(generate),
           cl::cat(category)),
      init("init",
           cl::desc("Weights to start from (.safetensors), with a new "
                    "optimizer; elsewhere the same as --load"),
           cl::value_desc("file"), cl::sub(train), cl::sub(eval),
           cl::sub(generate), cl::cat(category)),
      resume("resume", cl::desc("Saved state to continue from, bit-exactly"),
             cl::value_desc("file"), cl::sub(train), cl::cat(category)),
      save("save",
           cl::desc("Save weights and optimizer state at the end, and when "
                    "stopped"),
           cl::value_desc("file"), cl::sub(train), cl::cat(category)),
      log("log", cl::desc("Write one JSON line per optimizer step"),
          cl::value_desc("file.jsonl"), cl::sub(train), cl::cat(category)),
      initPrefix("init-prefix",
                 cl::desc("What to take off the names in the file of --init"),
                 cl::value_desc("text"), cl::sub(train), cl::sub(eval),
                 cl::sub(generate), cl::cat(category)),
      initIgnore("init-ignore",
                 cl::desc("Tensors in the file of --init to leave aside"),
                 cl::value_desc("pattern,..."), cl::CommaSeparated,
                 cl::sub(train), cl::sub(eval), cl::sub(generate),
                 cl::cat(category)),
      initTranspose("init-transpose",
                    cl::desc("Matrices in the file of --init that are stored "
                             "as [in, out]"),
                    cl::value_desc("pattern,..."), cl::CommaSeparated,
                    cl::sub(train), cl::sub(eval), cl::sub(generate),
                    cl::cat(category)),
      steps("steps",
            cl::desc("Optimizer steps in all; default: until the schedule "
                     "ends"),
            cl::value_desc("N"), cl::sub(train), cl::cat(category)),
      saveEvery("save-every", cl::desc("Save also every so many steps"),
                cl::value_desc("N"), cl::sub(train), cl::cat(category)),
      evalEvery("eval-every",
                cl::desc("Evaluate every so many steps; default: at the end"),
                cl::value_desc("N"), cl::sub(train), cl::cat(category)),
      logEvery("log-every",
               cl::desc("Off a terminal, print a line every so many steps"),
               cl::value_desc("N"), cl::init(100), cl::sub(train),
               cl::cat(category)),
      seed("seed",
           cl::desc("Seed of initial weights and data order; default 0"),
           cl::value_desc("N"), cl::sub(train), cl::sub(verify), cl::sub(bench),
           cl::sub(generate), cl::cat(category)),
      prompt("prompt", cl::desc("The beginning of the text"),
             cl::value_desc("text"), cl::sub(generate), cl::cat(category)),
      vocabulary("vocabulary",
                 cl::desc("JSON array with the text of every token; default: "
                          "tokens are numbers"),
                 cl::value_desc("file.json"), cl::sub(generate),
                 cl::cat(category)),
      tokens("tokens", cl::desc("Tokens to add; default 100"),
             cl::value_desc("N"), cl::init(100), cl::sub(generate),
             cl::cat(category)),
      topK("top-k",
           cl::desc("Draw among the K most likely tokens; default: all"),
           cl::value_desc("K"), cl::sub(generate), cl::cat(category)),
      temperature("temperature",
                  cl::desc("Divisor of the logits; 0 takes the most likely "
                           "token; default 1"),
                  cl::value_desc("T"), cl::init(1.0), cl::sub(generate),
                  cl::cat(category)),
      repeat("repeat",
             cl::desc("Samples per measurement, of which the median counts; "
                      "default: as many as half a second has room for"),
             cl::value_desc("N"), cl::sub(bench), cl::cat(category)),
      arch("arch", cl::desc("GPUs to build for; default: sm_80 and sm_90"),
           cl::value_desc("sm_90,..."), cl::CommaSeparated, cl::sub(build),
           cl::cat(category)),
      keep("keep", cl::desc("Keep the CUDA C++ in this folder"),
           cl::value_desc("folder"), cl::sub(build), cl::cat(category)),
      json("json", cl::desc("Print JSON instead of a table"), cl::sub(bench),
           cl::sub(eval), cl::cat(category)) {
  for (cl::SubCommand *command :
       {&compile, &train, &eval, &generate, &verify, &bench, &build})
    cl::HideUnrelatedOptions(category, *command);
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter([](raw_ostream &os) {
    os << "accrue " ACCRUE_VERSION " (LLVM " << LLVM_VERSION_STRING << ")\n";
  });
}

/// The name that an argument gives, without dashes and value.
static StringRef getOptionName(StringRef argument) {
  return argument.ltrim('-').split('=').first;
}

/// Checks the value of an option that takes a number, or several.
static bool checkNumber(const cl::Option &option, StringRef text) {
  static constexpr StringLiteral numbers[] = {
      "accumulate", "batch",       "eval-batch", "eval-every",
      "log-every",  "micro-batch", "repeat",     "save-every",
      "seed",       "steps",       "tokens",     "top-k"};
  if (!is_contained(numbers, option.ArgStr))
    return true;
  SmallVector<StringRef> parts = {text};
  if (option.getMiscFlags() & cl::CommaSeparated) {
    parts.clear();
    text.split(parts, ',');
  }
  long value;
  if (none_of(parts,
              [&](StringRef part) { return part.getAsInteger(10, value); }))
    return true;
  printError("expected a number for '--" + option.ArgStr + "', got '" + text +
             "'");
  return false;
}

/// Finds unknown commands and options and says what may be meant.
bool CommandLine::checkArguments(int argc, char **argv) {
  StringRef command = argv[1];
  if (command.starts_with("-"))
    return true;
  cl::SubCommand *found = nullptr;
  SmallVector<StringRef> commands;
  for (cl::SubCommand *candidate :
       {&compile, &train, &eval, &generate, &verify, &bench, &build}) {
    commands.push_back(candidate->getName());
    if (candidate->getName() == command)
      found = candidate;
  }
  if (!found) {
    StringRef nearest = suggestWord(command, commands);
    printError("unknown command '" + command + "'" +
               (nearest.empty() ? ": expected " + join(commands, ", ")
                                : ": did you mean '" + nearest + "'?"));
    return false;
  }

  SmallVector<StringRef> names;
  for (auto &[name, option] : found->OptionsMap)
    if (option->getOptionHiddenFlag() != cl::ReallyHidden)
      names.push_back(name);
  llvm::sort(names);
  for (int i = 2; i < argc; ++i) {
    StringRef argument = argv[i];
    if (argument == "--")
      break;
    if (argument.size() < 2 || !argument.starts_with("-"))
      continue;
    StringRef name = getOptionName(argument);
    auto it = found->OptionsMap.find(name);
    if (it == found->OptionsMap.end()) {
      std::string advice = suggestOption(name, names);
      printError("unknown option '" + argument.split('=').first + "' of '" +
                 command + "'" + (advice.empty() ? "" : ": " + advice));
      return false;
    }
    // The next argument is its value, dashes or not.
    StringRef value = argument.split('=').second;
    bool hasValue = it->second->getValueExpectedFlag() == cl::ValueRequired;
    if (hasValue && !argument.contains('=') && i + 1 < argc)
      value = argv[++i];
    if (!checkNumber(*it->second, value))
      return false;
  }
  return true;
}

bool CommandLine::parse(int argc, char **argv) {
  if (argc < 2) {
    printError("expected a command: compile, train, eval, generate, verify, "
               "bench or build (see "
               "'accrue --help')");
    return false;
  }
  if (!checkArguments(argc, argv))
    return false;
  std::string errors;
  raw_string_ostream stream(errors);
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &stream)) {
    // As llvm::cl puts it, with the program's name and an exclamation mark.
    for (StringRef line : split(StringRef(errors).trim(), '\n')) {
      if (line.empty())
        continue;
      line.consume_front(argv[0]);
      line.consume_front(": ");
      printError(line.rtrim('!'));
    }
    return false;
  }
  if (!compile && !train && !eval && !generate && !verify && !bench && !build) {
    printError("expected a command: compile, train, eval, generate, verify, "
               "bench or build");
    return false;
  }
  if (model.empty()) {
    printError("expected a model file");
    return false;
  }
  return true;
}
