// accrue-reduce knows the dialects: it shrinks a function to the op that the
// interestingness test looks for.
// RUN: accrue-reduce %s -reduction-tree='traversal-mode=0 test=%S/Inputs/has-tanh.sh' | FileCheck %s

// CHECK: nn.tanh
// CHECK-NOT: func.func @other

func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @interesting(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
