//===- CPUExecutable.cpp - Programs that run in this process --------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory comes from the plans of the programs, code from a JIT. The two meet in
// the list of arena addresses that every run of a program is called with.
//
//===----------------------------------------------------------------------===//

#include "accrue/Target/CPU/CPUExecutable.h"
#include "JIT.h"
#include "accrue/Dialect/Kernel/KernelDialect.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "accrue/Target/Describe.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "runtime/cpu/Arena.h"
#include "runtime/cpu/Blas.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <map>

using namespace mlir;
using namespace accrue;
using namespace accrue::cpu;

//===----------------------------------------------------------------------===//
// From the plan to the host
//===----------------------------------------------------------------------===//

/// The attribute `name` of what the model says of `buffer`, or null.
template <typename AttrTy>
static AttrTy getMark(kernel::BufferPlanAttr buffer, StringRef name) {
  DictionaryAttr marks = buffer.getAttributes();
  return marks ? marks.getAs<AttrTy>(name) : AttrTy();
}

static StringRef getSlot(kernel::BufferPlanAttr buffer) {
  auto slot = getMark<StringAttr>(buffer, train::attrs::kSlot);
  return slot ? slot.getValue() : StringRef();
}

/// True for arenas whose contents all programs share.
static bool isShared(kernel::Arena arena) {
  return arena == kernel::Arena::params || arena == kernel::Arena::gradients ||
         arena == kernel::Arena::slots || arena == kernel::Arena::state;
}

/// The number at `data`, for reports.
static double readScalar(io::DType dtype, const void *data) {
  double value = 0;
  if (auto convert = io::findConversion(dtype, io::DType::F64))
    convert(data, &value, 1);
  else if (dtype == io::DType::I64)
    value = static_cast<double>(*static_cast<const int64_t *>(data));
  else if (dtype == io::DType::Bool)
    value = *static_cast<const uint8_t *>(data);
  return value;
}

//===----------------------------------------------------------------------===//
// The executable
//===----------------------------------------------------------------------===//

namespace {

/// A scalar that a program leaves in its outputs.
struct Output {
  io::DType dtype = io::DType::F32;
  const void *data = nullptr;
  double read() const { return data ? readScalar(dtype, data) : 0; }
};

struct CompiledProgram {
  accrue_step_fn run = nullptr;
  std::vector<void *> arenas;
  Output loss, norm, finite;
  std::vector<Output> metrics;
  std::vector<StateTensor> outputs;
};

class CPUExecutable final : public Executable {
public:
  LogicalResult build(ArrayRef<Program> programs);

  io::ArrayView<StateTensor> getParameters() const override {
    return parameters;
  }
  io::ArrayView<StateTensor> getSlots() const override { return slots; }
  io::ArrayView<StateTensor> getState() const override { return state; }
  io::ArrayView<StateTensor> getGradients() const override { return gradients; }
  io::ArrayView<StateTensor> getOutputs(unsigned program) const override {
    return compiledPrograms[program].outputs;
  }
  io::ArrayView<InputInfo> getInputs() const override { return inputs; }
  io::ArrayView<std::string> getMetricNames() const override {
    return metricNames;
  }
  io::ArrayView<ProgramInfo> getPrograms() const override {
    return programInfos;
  }
  io::ArrayView<ArenaUsage> getArenas() const override { return usage; }

  io::Status run(unsigned program, InputProvider &provider,
                 RunResults &results) override;

private:
  LogicalResult allocate(ArrayRef<Program> programs);
  LogicalResult collectState(ArrayRef<Program> programs);
  LogicalResult describe(const Program &program, CompiledProgram &compiled);
  LogicalResult describeInputs(func::FuncOp step, kernel::PlanAttr plan);

  uint8_t *getAddress(kernel::BufferPlanAttr buffer) {
    return arenas.find(buffer.getArena())->second.data() + buffer.getOffset();
  }

  std::unique_ptr<JIT> jit;
  llvm::MapVector<kernel::Arena, Arena> arenas;
  std::vector<StateTensor> parameters, slots, state, gradients;
  std::vector<InputInfo> inputs;
  std::vector<std::string> metricNames;
  std::vector<ProgramInfo> programInfos;
  std::vector<CompiledProgram> compiledPrograms;
  std::vector<ArenaUsage> usage;
};

} // namespace

static func::FuncOp getStep(ModuleOp module) {
  auto functions = module.getOps<func::FuncOp>();
  auto hasPlan = [](func::FuncOp function) {
    return function->hasAttrOfType<kernel::PlanAttr>(kernel::attrs::kPlan);
  };
  auto step = llvm::find_if(functions, hasPlan);
  return step == functions.end() ? func::FuncOp() : *step;
}

static kernel::PlanAttr getPlan(func::FuncOp step) {
  return step->getAttrOfType<kernel::PlanAttr>(kernel::attrs::kPlan);
}

LogicalResult CPUExecutable::allocate(ArrayRef<Program> programs) {
  llvm::MapVector<kernel::Arena, int64_t> bytes;
  for (const Program &program : programs)
    for (kernel::ArenaPlanAttr arena :
         getPlan(getStep(program.module)).getArenas()) {
      int64_t &size = bytes[arena.getArena()];
      size = std::max(size, arena.getBytes());
    }
  for (auto [kind, size] : bytes) {
    StringRef name = kernel::stringifyArena(kind);
    ModuleOp module = programs.front().module;
    io::Result<Arena> arena = Arena::create(size);
    if (!arena)
      return module.emitError(arena.message());
    if (io::Result<void *> memory = arena->allocate(name.str(), size); !memory)
      return module.emitError(memory.message());
    if (io::Status matches = arena->checkPlan(); !matches)
      return module.emitError(matches.message());
    usage.push_back({name.str(), size, arena->allocatedBytes(), arena->data()});
    arenas.insert({kind, std::move(*arena)});
  }
  return success();
}

/// Lists the tensors that live across steps, which have to be at the same
/// places in all programs.
LogicalResult CPUExecutable::collectState(ArrayRef<Program> programs) {
  using Key = std::tuple<kernel::Arena, StringRef, StringRef>;
  llvm::MapVector<Key, kernel::BufferPlanAttr, std::map<Key, unsigned>> known;
  for (const Program &program : programs) {
    func::FuncOp step = getStep(program.module);
    for (kernel::BufferPlanAttr buffer : getPlan(step).getBuffers()) {
      if (!isShared(buffer.getArena()))
        continue;
      Key key = {buffer.getArena(), buffer.getName(), getSlot(buffer)};
      auto [entry, isNew] = known.insert({key, buffer});
      if (!isNew && (entry->second.getOffset() != buffer.getOffset() ||
                     entry->second.getType() != buffer.getType()))
        return step.emitError("expected all programs to have \"")
               << buffer.getName() << "\" at offset "
               << entry->second.getOffset() << " of '"
               << kernel::stringifyArena(buffer.getArena()) << "' as "
               << entry->second.getType() << ", got offset "
               << buffer.getOffset() << " and " << buffer.getType();
    }
  }
  Location loc = ModuleOp(programs.front().module).getLoc();
  for (auto &[key, buffer] : known) {
    std::optional<io::DType> dtype =
        getDType(buffer.getType().getElementType());
    if (!dtype)
      return emitError(loc, "state \"")
             << buffer.getName() << "\" has type " << buffer.getType()
             << ", which is not supported by the CPU target";
    StateTensor tensor;
    tensor.name = buffer.getName().str();
    tensor.slot = getSlot(buffer).str();
    tensor.dtype = *dtype;
    tensor.shape = buffer.getType().getShape().vec();
    tensor.data = getAddress(buffer);
    if (buffer.getArena() == kernel::Arena::params)
      parameters.push_back(std::move(tensor));
    else if (buffer.getArena() == kernel::Arena::slots)
      slots.push_back(std::move(tensor));
    else if (buffer.getArena() == kernel::Arena::gradients)
      gradients.push_back(std::move(tensor));
    else
      state.push_back(std::move(tensor));
  }
  // The plan lists one array per slot.
  llvm::StringMap<size_t> order;
  for (auto [i, parameter] : llvm::enumerate(parameters))
    order[parameter.name] = i;
  llvm::stable_sort(slots, [&](const StateTensor &a, const StateTensor &b) {
    return order.lookup(a.name) < order.lookup(b.name);
  });
  return success();
}

LogicalResult CPUExecutable::describeInputs(func::FuncOp step,
                                            kernel::PlanAttr plan) {
  std::vector<InputInfo> infos;
  for (kernel::InputPlanAttr input : plan.getInputs()) {
    std::optional<io::DType> dtype = getDType(input.getType().getElementType());
    if (!dtype)
      return step.emitError("input \"")
             << input.getName() << "\" has type " << input.getType()
             << ", which is not supported by the CPU target";
    InputInfo info;
    info.name = input.getName().str();
    info.dtype = *dtype;
    info.shape = input.getType().getShape().vec();
    info.batchDim = input.getDim();
    info.shape[info.batchDim] = -1;
    infos.push_back(std::move(info));
  }
  if (inputs.empty()) {
    inputs = std::move(infos);
    return success();
  }
  bool equal =
      llvm::equal(inputs, infos, [](const InputInfo &a, const InputInfo &b) {
        return a.name == b.name && a.dtype == b.dtype && a.shape == b.shape &&
               a.batchDim == b.batchDim;
      });
  if (!equal)
    return step.emitError("expected all programs to have the same inputs");
  return success();
}

LogicalResult CPUExecutable::describe(const Program &program,
                                      CompiledProgram &compiled) {
  func::FuncOp step = getStep(program.module);
  kernel::PlanAttr plan = getPlan(step);
  for (kernel::ArenaPlanAttr arena : plan.getArenas())
    compiled.arenas.push_back(arenas.find(arena.getArena())->second.data());
  if (failed(describeInputs(step, plan)))
    return failure();

  std::vector<std::string> names;
  for (kernel::BufferPlanAttr buffer : plan.getBuffers()) {
    if (buffer.getArena() == kernel::Arena::constants)
      return step.emitError("constant \"")
             << buffer.getName() << "\" has no value";
    auto mark = getMark<train::ResultKindAttr>(buffer, train::attrs::kResult);
    if (buffer.getArena() != kernel::Arena::outputs || !mark)
      continue;
    std::optional<io::DType> dtype =
        getDType(buffer.getType().getElementType());
    if (!dtype)
      return step.emitError("result \"")
             << buffer.getName() << "\" has type " << buffer.getType()
             << ", which is not supported by the CPU target";
    Output output = {*dtype, getAddress(buffer)};
    switch (mark.getValue()) {
    case train::ResultKind::loss:
      compiled.loss = output;
      break;
    case train::ResultKind::norm:
      compiled.norm = output;
      break;
    case train::ResultKind::finite:
      compiled.finite = output;
      break;
    case train::ResultKind::metric:
      compiled.metrics.push_back(output);
      names.push_back(buffer.getName().str());
      break;
    case train::ResultKind::output: {
      StateTensor &tensor = compiled.outputs.emplace_back();
      tensor.name = buffer.getName().str();
      tensor.dtype = *dtype;
      tensor.shape = buffer.getType().getShape().vec();
      tensor.data = getAddress(buffer);
      break;
    }
    case train::ResultKind::gradient:
    case train::ResultKind::rate:
      break;
    }
  }
  if (!compiled.loss.data)
    return step.emitError("expected a program with a loss");
  if (program.kind == ProgramKind::Step && !compiled.finite.data)
    return step.emitError("expected a step that says whether it was finite");
  if (!programInfos.empty() && names != metricNames)
    return step.emitError("expected all programs to have the same metrics");
  metricNames = std::move(names);

  int64_t batch = 0;
  if (auto attr = step->getAttrOfType<IntegerAttr>(train::attrs::kBatch))
    batch = attr.getInt();
  if (!plan.getInputs().empty()) {
    kernel::InputPlanAttr input = plan.getInputs().front();
    batch = input.getType().getDimSize(input.getDim());
  }
  programInfos.push_back({program.kind, batch});
  return success();
}

LogicalResult CPUExecutable::build(ArrayRef<Program> programs) {
  for (const Program &program : programs)
    if (!getStep(program.module))
      return program.module->emitError("expected a step function with a '")
             << kernel::attrs::kPlan << "'";
  ModuleOp first = programs.front().module;
  if (io::Status blas = loadBlas(); !blas)
    return first.emitError(blas.message());
  if (failed(allocate(programs)) || failed(collectState(programs)))
    return failure();
  jit = JIT::create(first.getLoc());
  if (!jit)
    return failure();
  for (const Program &program : programs) {
    CompiledProgram compiled;
    compiled.run =
        jit->compile(program.module, getStep(program.module).getName());
    if (!compiled.run || failed(describe(program, compiled)))
      return failure();
    compiledPrograms.push_back(std::move(compiled));
  }
  return success();
}

namespace {
/// What `accrue_load_input_fn` is called with.
struct InputContext {
  InputProvider &provider;
  io::Status status = io::Status::success();
};
} // namespace

static int32_t loadInput(void *ctx, int64_t input, int64_t first, int64_t count,
                         void *to) {
  auto *context = static_cast<InputContext *>(ctx);
  context->status = context->provider.fill(input, first, count, to);
  return context->status ? 0 : 1;
}

io::Status CPUExecutable::run(unsigned program, InputProvider &provider,
                              RunResults &results) {
  CompiledProgram &compiled = compiledPrograms[program];
  InputContext context = {provider};
  if (compiled.run(compiled.arenas.data(), loadInput, &context) != 0)
    return context.status;
  results.loss = compiled.loss.read();
  results.gradNorm = compiled.norm.read();
  results.finite = !compiled.finite.data || compiled.finite.read() != 0;
  results.metrics.clear();
  for (const Output &metric : compiled.metrics)
    results.metrics.push_back(metric.read());
  return io::Status::success();
}

FailureOr<std::unique_ptr<Executable>>
cpu::createExecutable(ArrayRef<Program> programs) {
  assert(!programs.empty() && "expected a program");
  auto executable = std::make_unique<CPUExecutable>();
  if (failed(executable->build(programs)))
    return failure();
  return std::unique_ptr<Executable>(std::move(executable));
}
