// A layer with batch norm over the samples, and a loss per sample after it.
#rule = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>
func.func @batch_norm(
    %w: tensor<5x4xf32> {train.role = #train.role<param>, train.name = "weight", train.init = #train.uniform<0.5>, train.rule = #rule},
    %g: tensor<4xf32> {train.role = #train.role<param>, train.name = "gain", train.init = #train.fill<1.0>, train.rule = #rule},
    %x: tensor<?x5xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64},
    %t: tensor<?x4xf32> {train.role = #train.role<batch>, train.name = "target", train.batch_dim = 0 : i64})
    -> (tensor<f32> {train.result = #train.result<loss>, train.name = "loss"})
    attributes {train.model, train.batch = 12 : i64, train.schedule = #train.constant} {
  %h = nn.matmul %x, %w : (tensor<?x5xf32>, tensor<5x4xf32>) -> tensor<?x4xf32>
  %n = nn.normalize %h dims [0] eps 1.0e-2 : tensor<?x4xf32>
  %gs = nn.broadcast %g dims [0] : tensor<4xf32> to tensor<?x4xf32>
  %y = nn.mul %n, %gs : tensor<?x4xf32>
  %a = nn.tanh %y : tensor<?x4xf32>
  %d = nn.sub %a, %t : tensor<?x4xf32>
  %s = nn.square %d : tensor<?x4xf32>
  %loss = nn.mean %s dims [0, 1] : tensor<?x4xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
