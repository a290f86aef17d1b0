// RUN: accrue-opt %s --pass-pipeline='builtin.module(func.func(train-drop-outputs))' | FileCheck %s

// CHECK-LABEL: func.func @model
// CHECK-SAME:  -> (tensor<f32> {train.name = "loss", train.result = #train.result<loss>}, tensor<?xf32> {train.name = "kept", train.result = #train.result<output>}) attributes {train.model}
// CHECK:       return %{{.*}}, %{{.*}} : tensor<f32>, tensor<?xf32>
func.func @model(%x: tensor<?xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64})
    -> (tensor<f32> {train.result = #train.result<loss>, train.name = "loss"},
        tensor<?xf32> {train.result = #train.result<output>, train.name = "dropped", train.on_demand},
        tensor<?xf32> {train.result = #train.result<output>, train.name = "kept"})
    attributes {train.model} {
  %loss = nn.mean %x dims [0] : tensor<?xf32> -> tensor<f32>
  %twice = nn.add %x, %x : tensor<?xf32>
  return %loss, %twice, %x : tensor<f32>, tensor<?xf32>, tensor<?xf32>
}

// A function that is no model stays as it is.
// CHECK-LABEL: func.func @other
// CHECK-SAME:  train.on_demand
func.func @other(%x: tensor<f32>) -> (tensor<f32> {train.on_demand}) {
  return %x : tensor<f32>
}
