//===- Optimizers.cpp - The optimizers of the model language --------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Optimizers.h"
#include "accrue/Dialect/Train/TrainDialect.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::frontend;
using llvm::APFloat;

namespace {
/// The values of the options, in their order.
class Reader {
public:
  explicit Reader(const OptionValues &values) : values(values) {}

  APFloat number(unsigned option, unsigned element = 0) const {
    return APFloat(values[option][element]);
  }
  bool flag(unsigned option) const { return values[option][0] != 0; }

private:
  const OptionValues &values;
};
} // namespace

static Attribute buildAdagrad(MLIRContext *context,
                              const OptionValues &values) {
  Reader read(values);
  return train::AdagradAttr::get(context, read.number(0), read.number(1),
                                 read.number(2), read.number(3),
                                 read.number(4));
}

/// Adam, AdamW or LAMB.
template <typename AttrTy>
static Attribute buildAdam(MLIRContext *context, const OptionValues &values) {
  Reader read(values);
  return AttrTy::get(context, read.number(0), read.number(1, 0),
                     read.number(1, 1), read.number(2), read.number(3));
}

static Attribute buildLARS(MLIRContext *context, const OptionValues &values) {
  Reader read(values);
  return train::LARSAttr::get(context, read.number(0), read.number(1),
                              read.flag(2), read.number(3), read.number(4),
                              read.number(5));
}

static Attribute buildLion(MLIRContext *context, const OptionValues &values) {
  Reader read(values);
  return train::LionAttr::get(context, read.number(0), read.number(1, 0),
                              read.number(1, 1), read.number(2));
}

static Attribute buildRMSprop(MLIRContext *context,
                              const OptionValues &values) {
  Reader read(values);
  return train::RMSpropAttr::get(context, read.number(0), read.number(1),
                                 read.number(2), read.number(3), read.number(4),
                                 read.flag(5));
}

static Attribute buildSGD(MLIRContext *context, const OptionValues &values) {
  Reader read(values);
  return train::SGDAttr::get(context, read.number(0), read.number(1),
                             read.flag(2), read.number(3));
}

// The defaults are those of PyTorch, of LAMB, LARS and Lion those of Optax,
// except that a learning rate has none.
ArrayRef<OptimizerKind> frontend::getOptimizers() {
  constexpr OptionType number = OptionType::Number;
  constexpr OptionType boolean = OptionType::Boolean;
  constexpr OptionType pair = OptionType::Pair;
  static const OptimizerKind optimizers[] = {
      {"adagrad",
       {{"lr", number, {}},
        {"lr_decay", number, {0}},
        {"weight_decay", number, {0}},
        {"initial_accumulator_value", number, {0}},
        {"eps", number, {1e-10}}},
       buildAdagrad},
      {"adam",
       {{"lr", number, {}},
        {"betas", pair, {0.9, 0.999}, 1},
        {"eps", number, {1e-8}},
        {"weight_decay", number, {0}}},
       buildAdam<train::AdamAttr>},
      {"adamw",
       {{"lr", number, {}},
        {"betas", pair, {0.9, 0.999}, 1},
        {"eps", number, {1e-8}},
        {"weight_decay", number, {0.01}}},
       buildAdam<train::AdamWAttr>},
      {"lamb",
       {{"lr", number, {}},
        {"betas", pair, {0.9, 0.999}, 1},
        {"eps", number, {1e-6}},
        {"weight_decay", number, {0}}},
       buildAdam<train::LAMBAttr>},
      {"lars",
       {{"lr", number, {}},
        {"momentum", number, {0.9}, 1},
        {"nesterov", boolean, {0}},
        {"weight_decay", number, {0}},
        {"trust_coefficient", number, {1e-3}},
        {"eps", number, {0}}},
       buildLARS},
      {"lion",
       {{"lr", number, {}},
        {"betas", pair, {0.9, 0.99}, 1},
        {"weight_decay", number, {1e-3}}},
       buildLion},
      {"rmsprop",
       {{"lr", number, {}},
        {"alpha", number, {0.99}, 1},
        {"eps", number, {1e-8}},
        {"weight_decay", number, {0}},
        {"momentum", number, {0}, 1},
        {"centered", boolean, {0}}},
       buildRMSprop},
      {"sgd",
       {{"lr", number, {}},
        {"momentum", number, {0}, 1},
        {"nesterov", boolean, {0}},
        {"weight_decay", number, {0}}},
       buildSGD},
  };
  return optimizers;
}
