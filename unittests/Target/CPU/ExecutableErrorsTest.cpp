//===- ExecutableErrorsTest.cpp - Programs that do not fit together -------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPrograms.h"
#include "mlir/IR/Diagnostics.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cpu;

namespace {

/// A program with parameter "w" at `offset` and `type`, and more `buffers`.
std::string getProgram(int64_t offset, StringRef type, StringRef buffers) {
  return fmt::format(
      R"(
func.func @f(%p: memref<512xi8> {{kernel.arena = #kernel.arena<params>}},
             %c: memref<64xi8> {{kernel.arena = #kernel.arena<constants>}},
             %o: memref<64xi8> {{kernel.arena = #kernel.arena<outputs>}})
    attributes {{kernel.plan = #kernel.plan<
      arenas = [<params bytes 512 used 4>, <constants bytes 64 used 0>, <outputs bytes 64 used 4>],
      buffers = [<"w" in params at {} bytes 4 : {} live 0 to 1>, {}],
      inputs = []>}} {{
  return
}})",
      offset, type.str(), buffers.str());
}

constexpr StringLiteral loss =
    "<\"loss\" in outputs at 0 bytes 4 : tensor<f32> live 0 to 1 with "
    "{train.result = #train.result<loss>}>";

/// The error of compiling `sources` as programs of one executable.
std::string getError(ArrayRef<std::string> sources,
                     ProgramKind kind = ProgramKind::Evaluation) {
  std::unique_ptr<MLIRContext> context = createContext();
  std::string message;
  ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) {
    message += diagnostic.str();
    return success();
  });
  std::vector<OwningOpRef<ModuleOp>> modules;
  std::vector<Program> programs;
  for (const std::string &source : sources) {
    modules.push_back(parseSourceString<ModuleOp>(source, context.get()));
    if (!modules.back())
      return "parsing: " + message;
    programs.push_back({*modules.back(), kind});
  }
  return failed(createExecutable(programs)) ? message : "none";
}

TEST(ExecutableErrorsTest, FindsNone) {
  std::string source = getProgram(0, "tensor<f32>", loss);
  EXPECT_EQ(getError({source, source}), "none");
}

TEST(ExecutableErrorsTest, PlacesDiffer) {
  EXPECT_EQ(getError({getProgram(0, "tensor<f32>", loss),
                      getProgram(64, "tensor<f32>", loss)}),
            "expected all programs to have \"w\" at offset 0 of 'params' as "
            "'tensor<f32>', got offset 64 and 'tensor<f32>'");
  EXPECT_EQ(getError({getProgram(0, "tensor<f32>", loss),
                      getProgram(0, "tensor<1xf32>", loss)}),
            "expected all programs to have \"w\" at offset 0 of 'params' as "
            "'tensor<f32>', got offset 0 and 'tensor<1xf32>'");
}

TEST(ExecutableErrorsTest, ResultsAreMissing) {
  EXPECT_EQ(getError({getProgram(0, "tensor<f32>",
                                 "<\"x\" in outputs at 0 bytes 4 : "
                                 "tensor<f32> live 0 to 1>")}),
            "expected a program with a loss");
  EXPECT_EQ(getError({getProgram(0, "tensor<f32>", loss)}, ProgramKind::Step),
            "expected a step that says whether it was finite");
}

TEST(ExecutableErrorsTest, MetricsDiffer) {
  std::string metric =
      loss.str() + ", <\"accuracy\" in outputs at 4 bytes 4 : tensor<f32> "
                   "live 0 to 1 with {train.result = #train.result<metric>}>";
  EXPECT_EQ(getError({getProgram(0, "tensor<f32>", loss),
                      getProgram(0, "tensor<f32>", metric)}),
            "expected all programs to have the same metrics");
}

TEST(ExecutableErrorsTest, ConstantWithoutValue) {
  std::string constant =
      loss.str() + ", <\"table\" in constants at 0 bytes 8 : tensor<2xf32> "
                   "live 0 to 1>";
  EXPECT_EQ(getError({getProgram(0, "tensor<f32>", constant)}),
            "constant \"table\" has no value");
}

TEST(ExecutableErrorsTest, UnsupportedType) {
  EXPECT_EQ(getError({getProgram(0, "tensor<i17>", loss)}),
            "state \"w\" has type 'tensor<i17>', which is not supported by "
            "the CPU target");
}

TEST(ExecutableErrorsTest, NoStepFunction) {
  EXPECT_EQ(getError({"module {}"}),
            "expected a step function with a 'kernel.plan'");
}

} // namespace
