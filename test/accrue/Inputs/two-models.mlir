func.func @first(%w: tensor<f32> {train.role = #train.role<param>, train.name = "w", train.init = #train.fill<1.0>, train.rule = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>},
                 %x: tensor<?xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64})
    -> (tensor<f32> {train.result = #train.result<loss>, train.name = "loss"})
    attributes {train.model, train.batch = 4 : i64, train.schedule = #train.constant} {
  %m = nn.mean %x dims [0] : tensor<?xf32> -> tensor<f32>
  %l = nn.mul %m, %w : tensor<f32>
  return %l : tensor<f32>
}
func.func @second(%w: tensor<f32> {train.role = #train.role<param>, train.name = "w", train.init = #train.fill<1.0>, train.rule = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>},
                  %x: tensor<?xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64})
    -> (tensor<f32> {train.result = #train.result<loss>, train.name = "loss"})
    attributes {train.model, train.batch = 6 : i64, train.schedule = #train.constant} {
  %m = nn.sum %x dims [0] : tensor<?xf32> -> tensor<f32>
  %l = nn.mul %m, %w : tensor<f32>
  return %l : tensor<f32>
}
