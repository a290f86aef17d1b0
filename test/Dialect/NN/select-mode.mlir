// RUN: accrue-opt %s --nn-select-mode | FileCheck %s --check-prefix=TRAIN
// RUN: accrue-opt %s --nn-select-mode=training=false | FileCheck %s --check-prefix=EVAL
// RUN: accrue-opt %s --accrue-pipeline='to=accumulated evaluation=true batch=4' | FileCheck %s --check-prefix=PROGRAM
// RUN: accrue-opt %s --accrue-pipeline='to=step' | FileCheck %s --check-prefix=STEP

// The chosen operand is left, and nothing that only the other one reads.

// TRAIN-LABEL: @choose
// TRAIN-SAME: (%[[X:.*]]: tensor<?x3xf32>
// TRAIN-NEXT: %[[Y:.*]] = nn.exp %[[X]]
// TRAIN-NEXT: return %[[Y]]
// EVAL-LABEL: @choose
// EVAL-SAME: (%[[X:.*]]: tensor<?x3xf32>
// EVAL-NEXT: %[[N:.*]] = nn.neg %[[X]]
// EVAL-NEXT: %[[Y:.*]] = nn.tanh %[[N]]
// EVAL-NEXT: return %[[Y]]
func.func @choose(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = nn.exp %x : tensor<?x3xf32>
  %1 = nn.neg %x : tensor<?x3xf32>
  %2 = nn.tanh %1 : tensor<?x3xf32>
  %3 = nn.when_training %0 else %2 : tensor<?x3xf32>
  return %3 : tensor<?x3xf32>
}

// TRAIN-LABEL: @nested
// TRAIN-SAME: (%[[A:.*]]: tensor<f32>, %{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>)
// TRAIN-NEXT: return %[[A]]
// EVAL-LABEL: @nested
// EVAL-SAME: (%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>, %[[C:.*]]: tensor<f32>)
// EVAL-NEXT: return %[[C]]
func.func @nested(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = nn.when_training %a else %b : tensor<f32>
  %1 = nn.when_training %0 else %c : tensor<f32>
  return %1 : tensor<f32>
}

// An evaluation and a step of one model.

// PROGRAM-LABEL: @model
// PROGRAM-NOT: nn.exp
// PROGRAM: nn.neg
// STEP-LABEL: @model
// STEP-NOT: nn.neg
// STEP: nn.exp
func.func @model(%w: tensor<3xf32> {train.role = #train.role<param>, train.name = "w", train.init = #train.fill<0.0>, train.rule = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>},
                 %x: tensor<?x3xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64})
    -> (tensor<f32> {train.result = #train.result<loss>, train.name = "loss"}) attributes {train.model} {
  %0 = nn.broadcast %w dims [0] : tensor<3xf32> to tensor<?x3xf32>
  %1 = nn.mul %x, %0 : tensor<?x3xf32>
  %2 = nn.exp %1 : tensor<?x3xf32>
  %3 = nn.neg %1 : tensor<?x3xf32>
  %4 = nn.when_training %2 else %3 : tensor<?x3xf32>
  %5 = nn.mean %4 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  return %5 : tensor<f32>
}
