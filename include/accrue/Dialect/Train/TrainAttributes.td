//===- TrainAttributes.td - Attributes of the train dialect *- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_TRAIN_TRAINATTRIBUTES_TD
#define ACCRUE_DIALECT_TRAIN_TRAINATTRIBUTES_TD

include "accrue/Dialect/Train/TrainAttrInterfaces.td"
include "accrue/Dialect/Train/TrainDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class Train_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Train_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

/// A double, compared and printed exactly.
def Train_Double : APFloatParameter<""> {
  let parser = [{
    [&]() -> ::mlir::FailureOr<::llvm::APFloat> {
      double value;
      if ($_parser.parseFloat(value))
        return ::mlir::failure();
      return ::llvm::APFloat(value);
    }()
  }];
  let printer = "$_printer.printFloat($_self)";
}

class Train_Enum<string name, string description, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, description, cases> {
  let cppNamespace = "::accrue::train";
  let genSpecializedAttr = 0;
}

def Train_Role : Train_Enum<"Role", "what an argument of a step is", [
    I32EnumAttrCase<"param", 0>, I32EnumAttrCase<"state", 1>,
    I32EnumAttrCase<"batch", 2>, I32EnumAttrCase<"scalar", 3>]>;
def Train_RoleAttr : EnumAttr<Train_Dialect, Train_Role, "role"> {
  let assemblyFormat = "`<` $value `>`";
}

def Train_ResultKind : Train_Enum<"ResultKind", "what a result of a step is", [
    I32EnumAttrCase<"loss", 0>, I32EnumAttrCase<"metric", 1>,
    I32EnumAttrCase<"norm", 2>, I32EnumAttrCase<"finite", 3>,
    I32EnumAttrCase<"gradient", 4>, I32EnumAttrCase<"output", 5>,
    I32EnumAttrCase<"rate", 6>]>;
def Train_ResultKindAttr
    : EnumAttr<Train_Dialect, Train_ResultKind, "result"> {
  let assemblyFormat = "`<` $value `>`";
}

def Train_ProgramKind : Train_Enum<"ProgramKind", "what a function is run for", [
    I32EnumAttrCase<"step", 0>, I32EnumAttrCase<"gradients", 1>,
    I32EnumAttrCase<"evaluation", 2>]>;
def Train_ProgramKindAttr
    : EnumAttr<Train_Dialect, Train_ProgramKind, "program"> {
  let assemblyFormat = "`<` $value `>`";
}

def Train_MappedAttr : Train_Attr<"Mapped", "mapped"> {
  let summary = "the dimension that enumerates samples, and how";
  let description = [{
    Dimension `dim` is (outer, sample, inner) in row-major order, see
    `MappedMode`.
  }];
  let parameters = (ins "int64_t":$dim, DefaultValuedParameter<"int64_t", "1">:$outer,
                        DefaultValuedParameter<"int64_t", "1">:$inner,
                        DefaultValuedParameter<"int64_t", "1">:$group);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Train_ReducerKind : Train_Enum<"Reducer",
    "how contributions of micro-batches combine", [
    I32EnumAttrCase<"sum", 0>, I32EnumAttrCase<"max", 1>,
    I32EnumAttrCase<"concat", 2>, I32EnumAttrCase<"stack", 3>]>;
def Train_ReducerAttr : Train_Attr<"ReducerOf", "reducer"> {
  let summary = "how the contributions to one result combine";
  let description = [{
    `sum` adds in the order of the micro-batches, the first one overwrites;
    `max` takes the larger; `concat` puts the slice of each micro-batch, in
    the given mode, at its place in the whole result; `stack` makes the
    contributions, which have a first dimension of 1, rows of the result, from
    `row` on.

    ```mlir
    #train.reducer<sum>
    #train.reducer<concat, <dim = 0>>
    #train.reducer<stack at 15>
    ```
  }];
  let parameters = (ins EnumParameter<Train_ReducerKind>:$kind,
                        OptionalParameter<"::accrue::train::MappedAttr">:$mode,
                        DefaultValuedParameter<"int64_t", "0">:$row);
  let builders = [AttrBuilder<
      (ins "Reducer":$kind, CArg<"MappedAttr", "{}">:$mode,
           CArg<"int64_t", "0">:$row),
      [{ return $_get($_ctxt, kind, mode, row); }]>];
  let skipDefaultBuilders = 1;
  let assemblyFormat = "`<` $kind (`,` $mode^)? (`at` $row^)? `>`";
}

//===----------------------------------------------------------------------===//
// Initializers
//===----------------------------------------------------------------------===//

def Train_FillAttr : Train_Attr<"Fill", "fill"> {
  let summary = "every element the same";
  let parameters = (ins Train_Double:$value);
  let assemblyFormat = "`<` $value `>`";
}
def Train_UniformAttr : Train_Attr<"Uniform", "uniform"> {
  let summary = "uniform in [-bound, bound)";
  let parameters = (ins Train_Double:$bound);
  let assemblyFormat = "`<` $bound `>`";
}
def Train_NormalAttr : Train_Attr<"Normal", "normal"> {
  let summary = "normal with this mean and standard deviation";
  let parameters = (ins Train_Double:$mean, Train_Double:$std);
  let assemblyFormat = "`<` struct(params) `>`";
}

//===----------------------------------------------------------------------===//
// Batch inputs
//===----------------------------------------------------------------------===//

def Train_IndexBoundAttr : Train_Attr<"IndexBound", "index_bound"> {
  let summary = "what values the elements of an integer input may have";
  let description = [{
    Elements [begin, end) of every sample (counted in C order, without the batch
    dimension) have to be in [0, bound), as `reader` reads them: an op and its
    place.

    ```mlir
    #train.index_bound<0 to 64 below 50257 for "embedding at gpt2.acr:31:8">
    ```
  }];
  let parameters = (ins "int64_t":$begin, "int64_t":$end, "int64_t":$bound,
                        StringRefParameter<>:$reader);
  let assemblyFormat = "`<` $begin `to` $end `below` $bound `for` $reader `>`";
}

//===----------------------------------------------------------------------===//
// Optimizer rules
//===----------------------------------------------------------------------===//

def Train_SGDAttr : Train_Attr<"SGD", "sgd",
    [DeclareAttrInterfaceMethods<Train_OptimizerRule>]> {
  let summary = "stochastic gradient descent with momentum";
  let description = [{
    g += weight_decay * p;  b = momentum * b + g;
    p -= lr * (nesterov ? g + momentum * b : b). As in PyTorch (no dampening).
    The slot `momentum` exists only where momentum is not 0.
  }];
  let parameters = (ins Train_Double:$lr, Train_Double:$momentum,
                        "bool":$nesterov, Train_Double:$weight_decay);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Train_AdamAttr : Train_Attr<"Adam", "adam",
    [DeclareAttrInterfaceMethods<Train_OptimizerRule>]> {
  let summary = "Adam, weight decay as part of the gradient";
  let description = [{
    Kingma and Ba 2015 (arXiv 1412.6980), as in PyTorch:
    g += weight_decay * p;  m = beta1 * m + (1 - beta1) * g;
    v = beta2 * v + (1 - beta2) * g^2;
    p -= lr * (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps).
  }];
  let parameters = (ins Train_Double:$lr, Train_Double:$beta1,
                        Train_Double:$beta2, Train_Double:$eps,
                        Train_Double:$weight_decay);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Train_AdamWAttr : Train_Attr<"AdamW", "adamw",
    [DeclareAttrInterfaceMethods<Train_OptimizerRule>]> {
  let summary = "Adam with decoupled weight decay";
  let description = [{
    Loshchilov and Hutter 2019 (arXiv 1711.05101), as in PyTorch:
    p -= lr * weight_decay * p;  m = beta1 * m + (1 - beta1) * g;
    v = beta2 * v + (1 - beta2) * g^2;
    p -= lr * (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps).
  }];
  let parameters = (ins Train_Double:$lr, Train_Double:$beta1,
                        Train_Double:$beta2, Train_Double:$eps,
                        Train_Double:$weight_decay);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Train_LionAttr : Train_Attr<"Lion", "lion",
    [DeclareAttrInterfaceMethods<Train_OptimizerRule>]> {
  let summary = "evolved sign momentum";
  let description = [{
    Chen et al. 2023 (arXiv 2302.06675):
    p -= lr * (sign(beta1 * m + (1 - beta1) * g) + weight_decay * p);
    m = beta2 * m + (1 - beta2) * g.  The sign of 0 is 0.
  }];
  let parameters = (ins Train_Double:$lr, Train_Double:$beta1,
                        Train_Double:$beta2, Train_Double:$weight_decay);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Train_LAMBAttr : Train_Attr<"LAMB", "lamb",
    [DeclareAttrInterfaceMethods<Train_OptimizerRule,
       ["hasScale", "getScaleTerms", "getScale", "buildScaleTerms",
        "buildScale"]>]> {
  let summary = "Adam with a learning rate per parameter by norms";
  let description = [{
    You et al. 2020 (arXiv 1904.00962), as in Optax:
    m = beta1 * m + (1 - beta1) * g;  v = beta2 * v + (1 - beta2) * g^2;
    u = (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps) +
        weight_decay * p;
    p -= lr * |p| / |u| * u, with the Euclidean norms of the whole parameter;
    where one of them is 0, the quotient is 1.
  }];
  let parameters = (ins Train_Double:$lr, Train_Double:$beta1,
                        Train_Double:$beta2, Train_Double:$eps,
                        Train_Double:$weight_decay);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Train_LARSAttr : Train_Attr<"LARS", "lars",
    [DeclareAttrInterfaceMethods<Train_OptimizerRule,
       ["hasScale", "getScaleTerms", "getScale", "buildScaleTerms",
        "buildScale"]>]> {
  let summary = "momentum with a learning rate per parameter by norms";
  let description = [{
    You et al. 2017 (arXiv 1708.03888), as in Optax: u = g + weight_decay * p;
    d = lr * trust_coefficient * |p| / (|u| + eps) * u, with the Euclidean
    norms of the whole parameter; where one of them is 0, d = lr * u;
    b = momentum * b + d;  p -= nesterov ? d + momentum * b : b.
    The slot `momentum` exists only where momentum is not 0.
  }];
  let parameters = (ins Train_Double:$lr, Train_Double:$momentum,
                        "bool":$nesterov, Train_Double:$weight_decay,
                        Train_Double:$trust_coefficient, Train_Double:$eps);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Train_AdagradAttr : Train_Attr<"Adagrad", "adagrad",
    [DeclareAttrInterfaceMethods<Train_OptimizerRule>]> {
  let summary = "learning rates by the sum of squared gradients";
  let description = [{
    Duchi et al. 2011, as in PyTorch: g += weight_decay * p;  sum += g^2;
    p -= lr / (1 + (t - 1) * lr_decay) * g /
         (sqrt(initial_accumulator_value + sum) + eps).
    The slot `sum` is without the initial value.
  }];
  let parameters = (ins Train_Double:$lr, Train_Double:$lr_decay,
                        Train_Double:$weight_decay,
                        Train_Double:$initial_accumulator_value,
                        Train_Double:$eps);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Train_RMSpropAttr : Train_Attr<"RMSprop", "rmsprop",
    [DeclareAttrInterfaceMethods<Train_OptimizerRule>]> {
  let summary = "learning rates by the mean of squared gradients";
  let description = [{
    Tieleman and Hinton 2012, as in PyTorch: g += weight_decay * p;
    square_avg = alpha * square_avg + (1 - alpha) * g^2;
    d = g / (sqrt(square_avg) + eps);  b = momentum * b + d;  p -= lr * b.
    With `centered`, grad_avg = alpha * grad_avg + (1 - alpha) * g and the root
    is that of max(0, square_avg - grad_avg^2). The slot `grad_avg` exists only
    then, `momentum` only where momentum is not 0.
  }];
  let parameters = (ins Train_Double:$lr, Train_Double:$alpha,
                        Train_Double:$eps, Train_Double:$weight_decay,
                        Train_Double:$momentum, "bool":$centered);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Train_EMAAttr : Train_Attr<"EMA", "ema",
    [DeclareAttrInterfaceMethods<Train_OptimizerRule,
       ["hasScale", "getScaleTerms", "getScale", "buildScaleTerms",
        "buildScale"]>]> {
  let summary = "a rule, and an exponential moving average of the parameter";
  let description = [{
    Updates the parameter by `rule`, then average = decay * average +
    (1 - decay) * p. The average starts at the parameter's first value. The slot
    `ema_difference`, behind those of `rule`, is average - p: it starts at 0,
    whatever the parameter starts at, and keeps the digits of a slow average
    where the parameter has few. By p and p' before and after the update:
    difference = decay * (difference + (p - p')).
  }];
  let parameters = (ins "::accrue::train::OptimizerRule":$rule,
                        Train_Double:$decay);
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    /// The slot of the average.
    static constexpr ::llvm::StringLiteral kSlot = "ema_difference";
  }];
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

class Train_ScheduleAttr<string name, string attrMnemonic>
    : Train_Attr<name, attrMnemonic,
                 [DeclareAttrInterfaceMethods<Train_Schedule>]>;

def Train_ConstantScheduleAttr
    : Train_ScheduleAttr<"ConstantSchedule", "constant"> {
  let summary = "factor 1, after a linear warm-up";
  let description = [{
    After t completed steps: (t + 1) / warmup for t < warmup, as with all
    schedules; then 1.

    ```mlir
    #train.constant
    #train.constant<warmup = 20>
    ```
  }];
  let parameters = (ins DefaultValuedParameter<"int64_t", "0">:$warmup);
  let builders = [AttrBuilder<(ins CArg<"int64_t", "0">:$warmup),
                              [{ return $_get($_ctxt, warmup); }]>];
  let skipDefaultBuilders = 1;
  let assemblyFormat = "(`<` `warmup` `=` $warmup^ `>`)?";
  let genVerifyDecl = 1;
}

def Train_LinearScheduleAttr : Train_ScheduleAttr<"LinearSchedule", "linear"> {
  let summary = "linear warm-up, then straight down to `floor`";
  let description = [{
    After t completed steps, behind the warm-up: with
    x = min(1, (t - warmup) / (steps - warmup)): floor + (1 - floor) * (1 - x).
  }];
  let parameters = (ins "int64_t":$warmup, "int64_t":$steps, Train_Double:$floor);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Train_WarmupCosineAttr : Train_ScheduleAttr<"WarmupCosine", "warmup_cosine"> {
  let summary = "linear warm-up, then half a cosine down to `floor`";
  let description = [{
    After t completed steps: (t + 1) / warmup for t < warmup; then with
    x = min(1, (t - warmup) / (steps - warmup)):
    floor + (1 - floor) * (1 + cos(pi * x)) / 2.
  }];
  let parameters = (ins "int64_t":$warmup, "int64_t":$steps, Train_Double:$floor);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Train_InverseSqrtAttr : Train_ScheduleAttr<"InverseSqrt", "inverse_sqrt"> {
  let summary = "linear warm-up, then as one over the root of the step";
  let description = [{
    After t completed steps, behind the warm-up: sqrt(warmup / (t + 1)), which
    continues it. As in Vaswani et al. 2017 (arXiv 1706.03762), but for the
    constant in front. `warmup` is at least 1.
  }];
  let parameters = (ins "int64_t":$warmup);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Train_StepScheduleAttr : Train_ScheduleAttr<"StepSchedule", "step"> {
  let summary = "linear warm-up, then a factor every so many steps";
  let description = [{
    After t completed steps, behind the warm-up: gamma^floor(t / every). Steps
    of the warm-up count; it is no longer than `every`.
  }];
  let parameters = (ins "int64_t":$warmup, "int64_t":$every, Train_Double:$gamma);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // ACCRUE_DIALECT_TRAIN_TRAINATTRIBUTES_TD
