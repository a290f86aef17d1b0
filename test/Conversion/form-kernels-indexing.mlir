// RUN: accrue-opt %s --form-kernels -split-input-file | FileCheck %s

// The gradient of an embedding goes straight into its accumulator, which the
// first micro-batch overwrites.
// CHECK-LABEL: func.func @embedding(
// CHECK:         %[[T:.*]] = kernel.alloc "table" gradients {{.*}} : tensor<10x4xf32>
// CHECK:         scf.for %{{.*}} iter_args(%[[ACC:.*]] = %[[T]])
// CHECK:           %[[FIRST:.*]] = arith.cmpi eq
// CHECK:           %[[I:.*]] = kernel.load_input "token"
// CHECK:           %[[U:.*]] = kernel.group "exp"
// CHECK:           %[[G:.*]] = kernel.scatter_add %[[U]], %[[I]] dim 0 overwrite %[[FIRST]] outs(%[[ACC]]) : tensor<2x4xf32>, tensor<2xi32>, tensor<10x4xf32> -> tensor<10x4xf32>
// CHECK:           scf.yield %[[G]]
func.func @embedding(%u: tensor<4x4xf32> {train.role = #train.role<batch>, train.name = "update", train.batch_dim = 0 : i64},
                     %i: tensor<4xi32> {train.role = #train.role<batch>, train.name = "token", train.batch_dim = 0 : i64})
    -> (tensor<10x4xf32> {train.result = #train.result<gradient>, train.name = "table"})
    attributes {train.step, train.batch = 4 : i64} {
  %g = train.accumulate count(2) size(2) offset(0) of(4) slices(%u, %i : tensor<4x4xf32>, tensor<4xi32>)
      modes [#train.mapped<dim = 0>, #train.mapped<dim = 0>] reduce [#train.reducer<sum>] -> tensor<10x4xf32> {
  ^bb0(%offset: index, %us: tensor<2x4xf32>, %is: tensor<2xi32>):
    %e = nn.exp %us : tensor<2x4xf32>
    %s = nn.scatter_add %e, %is dim 0 : (tensor<2x4xf32>, tensor<2xi32>) -> tensor<10x4xf32>
    train.yield %s : tensor<10x4xf32>
  }
  return %g : tensor<10x4xf32>
}

// -----

// A tied table: the product and the sum by index add to one accumulator, one
// after the other, and neither is stored by itself.
// CHECK-LABEL: func.func @tied(
// CHECK:         scf.for %{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (tensor<10x4xf32>)
// CHECK-NOT:       kernel.alloc {{.*}} tensor<10x4xf32>
// CHECK:           %[[BETA:.*]] = arith.select
// CHECK:           %[[P:.*]] = kernel.gemm %{{.*}} beta %[[BETA]] outs(%[[ACC]])
// CHECK:           %[[NO:.*]] = arith.constant false
// CHECK:           %[[G:.*]] = kernel.scatter_add %{{.*}} overwrite %[[NO]] outs(%[[P]])
// CHECK:           scf.yield %[[G]]
func.func @tied(%h: tensor<4x4xf32> {train.role = #train.role<batch>, train.name = "h", train.batch_dim = 0 : i64},
                %c: tensor<4x10xf32> {train.role = #train.role<batch>, train.name = "c", train.batch_dim = 0 : i64},
                %i: tensor<4xi32> {train.role = #train.role<batch>, train.name = "token", train.batch_dim = 0 : i64})
    -> (tensor<10x4xf32> {train.result = #train.result<gradient>, train.name = "table"})
    attributes {train.step, train.batch = 4 : i64} {
  %g = train.accumulate count(2) size(2) offset(0) of(4) slices(%h, %c, %i : tensor<4x4xf32>, tensor<4x10xf32>, tensor<4xi32>)
      modes [#train.mapped<dim = 0>, #train.mapped<dim = 0>, #train.mapped<dim = 0>] reduce [#train.reducer<sum>] -> tensor<10x4xf32> {
  ^bb0(%offset: index, %hs: tensor<2x4xf32>, %cs: tensor<2x10xf32>, %is: tensor<2xi32>):
    %p = nn.matmul %cs, %hs transpose_lhs : (tensor<2x10xf32>, tensor<2x4xf32>) -> tensor<10x4xf32>
    %s = nn.scatter_add %hs, %is dim 0 : (tensor<2x4xf32>, tensor<2xi32>) -> tensor<10x4xf32>
    %t = nn.add %p, %s : tensor<10x4xf32>
    train.yield %t : tensor<10x4xf32>
  }
  return %g : tensor<10x4xf32>
}

// -----

// A term that is read again is stored by itself.
// CHECK-LABEL: func.func @two_uses(
// CHECK:           %[[T:.*]] = kernel.alloc "scatter_add" activations : tensor<10x4xf32>
// CHECK:           kernel.scatter_add %{{.*}} overwrite %true{{.*}} outs(%[[T]])
// CHECK:           kernel.group "table_grad_add"
func.func @two_uses(%h: tensor<4x4xf32> {train.role = #train.role<batch>, train.name = "h", train.batch_dim = 0 : i64},
                    %c: tensor<4x10xf32> {train.role = #train.role<batch>, train.name = "c", train.batch_dim = 0 : i64},
                    %i: tensor<4xi32> {train.role = #train.role<batch>, train.name = "token", train.batch_dim = 0 : i64})
    -> (tensor<10x4xf32> {train.result = #train.result<gradient>, train.name = "table"}, tensor<f32> {train.result = #train.result<loss>, train.name = "loss"})
    attributes {train.step, train.batch = 4 : i64} {
  %g:2 = train.accumulate count(2) size(2) offset(0) of(4) slices(%h, %c, %i : tensor<4x4xf32>, tensor<4x10xf32>, tensor<4xi32>)
      modes [#train.mapped<dim = 0>, #train.mapped<dim = 0>, #train.mapped<dim = 0>] reduce [#train.reducer<sum>, #train.reducer<sum>] -> tensor<10x4xf32>, tensor<f32> {
  ^bb0(%offset: index, %hs: tensor<2x4xf32>, %cs: tensor<2x10xf32>, %is: tensor<2xi32>):
    %p = nn.matmul %cs, %hs transpose_lhs : (tensor<2x10xf32>, tensor<2x4xf32>) -> tensor<10x4xf32>
    %s = nn.scatter_add %hs, %is dim 0 : (tensor<2x4xf32>, tensor<2xi32>) -> tensor<10x4xf32>
    %t = nn.add %p, %s : tensor<10x4xf32>
    %q = nn.sum %s dims [0, 1] : tensor<10x4xf32> -> tensor<f32>
    train.yield %t, %q : tensor<10x4xf32>, tensor<f32>
  }
  return %g#0, %g#1 : tensor<10x4xf32>, tensor<f32>
}

// -----

// Products read slices from memory; other kernels compute their elements.
// CHECK-LABEL: func.func @product(
// CHECK:         %[[S:.*]] = kernel.group "slice" elementwise
// CHECK:         %[[F:.*]] = kernel.group "flip" elementwise
// CHECK:         kernel.gemm %[[S]], %[[F]]
// CHECK:         kernel.group "result1" elementwise ins(%arg0 : tensor<2x4xf32>)
// CHECK:           nn.slice
// CHECK:           nn.exp
func.func @product(%x: tensor<2x4xf32> {train.role = #train.role<param>, train.name = "x"},
                   %y: tensor<3x2xf32> {train.role = #train.role<param>, train.name = "y"})
    -> (tensor<2x2xf32>, tensor<2x3xf32>) attributes {train.step, train.batch = 1 : i64} {
  %s = nn.slice %x dim 1 from 1 to 4 : tensor<2x4xf32> -> tensor<2x3xf32>
  %f = nn.flip %y dims [0] : tensor<3x2xf32> -> tensor<3x2xf32>
  %p = nn.matmul %s, %f : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %e = nn.exp %s : tensor<2x3xf32>
  return %p, %e : tensor<2x2xf32>, tensor<2x3xf32>
}

// -----

// A state that is read at other places than those that are overwritten is not
// overwritten in place; results that show old values are made before.
// CHECK-LABEL: func.func @state(
// CHECK-SAME:    %[[A:.*]]: tensor<4xf32> {{.*}}, %[[B:.*]]: tensor<4xf32> {{.*}}, %[[T:.*]]: tensor<2x2xf32>
// CHECK-DAG:     kernel.group "exp_add" elementwise ins(%[[A]] : tensor<4xf32>) outs(%{{[^:]*}} : tensor<4xf32>)
// CHECK-DAG:     %[[OLD:.*]] = kernel.group "slice" elementwise ins(%[[B]] : tensor<4xf32>)
// CHECK:         %[[COPY:.*]] = kernel.group "copy" elementwise ins(%[[OLD]]
// CHECK:         kernel.group {{.*}} outs(%[[B]] : tensor<4xf32>)
func.func @state(%a: tensor<4xf32> {train.role = #train.role<state>, train.name = "a"},
                 %b: tensor<4xf32> {train.role = #train.role<state>, train.name = "b"},
                 %t: tensor<2x2xf32> {train.role = #train.role<state>, train.name = "t"})
    -> (tensor<4xf32> {train.updates = 0 : i64}, tensor<4xf32> {train.updates = 1 : i64},
        tensor<2x2xf32> {train.updates = 2 : i64}, tensor<2xf32> {train.result = #train.result<metric>, train.name = "old"})
    attributes {train.step, train.batch = 1 : i64} {
  %e = nn.exp %a : tensor<4xf32>
  %f = nn.flip %e dims [0] : tensor<4xf32> -> tensor<4xf32>
  %x = nn.add %a, %f : tensor<4xf32>
  %y = nn.exp %b : tensor<4xf32>
  %old = nn.slice %b dim 0 from 1 to 3 : tensor<4xf32> -> tensor<2xf32>
  %u = nn.transpose %t [1, 0] : tensor<2x2xf32> -> tensor<2x2xf32>
  %z = nn.add %t, %u : tensor<2x2xf32>
  return %x, %y, %z, %old : tensor<4xf32>, tensor<4xf32>, tensor<2x2xf32>, tensor<2xf32>
}

// -----

// What is sliced in the loop and read after it is made before it.
// CHECK-LABEL: func.func @sliced(
// CHECK:         %[[F:.*]] = kernel.group "flip" elementwise
// CHECK:         scf.for
// CHECK:           kernel.group "slice" elementwise ins(%[[F]], %{{.*}} : tensor<4xf32>, index)
// CHECK:         return %{{.*}}, %{{.*}}
func.func @sliced(%x: tensor<4xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64},
                  %w: tensor<4xf32> {train.role = #train.role<state>, train.name = "w"})
    -> (tensor<f32> {train.result = #train.result<loss>, train.name = "loss"}, tensor<4xf32> {train.result = #train.result<metric>, train.name = "flipped"})
    attributes {train.step, train.batch = 4 : i64} {
  %f = nn.flip %w dims [0] : tensor<4xf32> -> tensor<4xf32>
  %g = train.accumulate count(2) size(2) offset(0) of(4) slices(%x, %f : tensor<4xf32>, tensor<4xf32>)
      modes [#train.mapped<dim = 0>, #train.mapped<dim = 0>] reduce [#train.reducer<sum>] -> tensor<f32> {
  ^bb0(%offset: index, %xs: tensor<2xf32>, %fs: tensor<2xf32>):
    %p = nn.mul %xs, %fs : tensor<2xf32>
    %s = nn.sum %p dims [0] : tensor<2xf32> -> tensor<f32>
    train.yield %s : tensor<f32>
  }
  return %g, %f : tensor<f32>, tensor<4xf32>
}
