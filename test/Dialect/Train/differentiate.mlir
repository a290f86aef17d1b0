// RUN: accrue-opt %s -train-differentiate | FileCheck %s
// RUN: accrue-opt %s -train-differentiate --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOC

// A value that is read twice: contributions are summed in the order of the
// walk, which is from the last reader to the first.
// CHECK-LABEL: func.func @fan_out(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[Y:.*]] = nn.exp %[[X]]
// CHECK-NEXT: %[[A:.*]] = nn.square %[[Y]]
// CHECK-NEXT: %[[B:.*]] = nn.mul %[[Y]], %[[A]]
// CHECK-NEXT: %[[ONE:.*]] = nn.constant {train.backward} dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[DY1:.*]] = nn.mul %[[ONE]], %[[A]] {train.backward}
// CHECK-NEXT: %[[DA:.*]] = nn.mul %[[ONE]], %[[Y]] {train.backward}
// CHECK-NEXT: %[[TWICE:.*]] = nn.add %[[Y]], %[[Y]] {train.backward}
// CHECK-NEXT: %[[DY2:.*]] = nn.mul %[[DA]], %[[TWICE]] {train.backward}
// CHECK-NEXT: %[[DY:.*]] = nn.add %[[DY1]], %[[DY2]] {train.backward}
// CHECK-NEXT: %[[DX:.*]] = nn.mul %[[DY]], %[[Y]] {train.backward}
// CHECK-NEXT: return %[[DX]]
func.func @fan_out(%x: tensor<f32>) -> tensor<f32> {
  %y = nn.exp %x : tensor<f32>
  %a = nn.square %y : tensor<f32>
  %b = nn.mul %y, %a : tensor<f32>
  %dx = train.gradient %b wrt %x : tensor<f32> wrt tensor<f32>
  return %dx : tensor<f32>
}

// Nothing is built for what is not differentiated by, nor for what the loss
// does not depend on.
// CHECK-LABEL: func.func @activity(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[W:[^:]+]]:
// CHECK: %[[P:.*]] = nn.mul
// CHECK-NEXT: %[[METRIC:.*]] = nn.log %[[P]]
// CHECK-NEXT: %[[ONE:.*]] = nn.constant {train.backward} dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[DW:.*]] = nn.mul %[[ONE]], %{{.*}} {train.backward}
// CHECK-NEXT: return %[[METRIC]], %[[DW]]
func.func @activity(%x: tensor<f32>, %w: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %h = nn.exp %x : tensor<f32>
  %loss = nn.mul %h, %w : tensor<f32>
  %metric = nn.log %loss : tensor<f32>
  %dw = train.gradient %loss wrt %w : tensor<f32> wrt tensor<f32>
  return %metric, %dw : tensor<f32>, tensor<f32>
}

// Only what is wanted is built: no division of the quotient for %b, no select
// for %a.
// CHECK-LABEL: func.func @wanted(
// CHECK-COUNT-1: nn.div {{.*}} {train.backward}
// CHECK-NOT: train.backward
// CHECK: return
func.func @wanted(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %loss = nn.div %a, %b : tensor<f32>
  %da = train.gradient %loss wrt %a : tensor<f32> wrt tensor<f32>
  return %da : tensor<f32>
}

// Integers end the dependence; nothing is differentiated beyond them.
// CHECK-LABEL: func.func @through_integers(
// CHECK: nn.constant {train.backward} dense<1.000000e+00>
// CHECK-NEXT: %[[DX:.*]] = nn.mul %{{.*}} {train.backward}
// CHECK-NEXT: return %[[DX]]
func.func @through_integers(%x: tensor<f32>) -> tensor<f32> {
  %i = nn.convert %x : tensor<f32> to tensor<i32>
  %f = nn.convert %i : tensor<i32> to tensor<f32>
  %loss = nn.mul %x, %f : tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<f32>
  return %dx : tensor<f32>
}

// By a value in the middle, and by the loss itself.
// CHECK-LABEL: func.func @middle(
// CHECK: %[[ONE:.*]] = nn.constant {train.backward} dense<1.000000e+00> : tensor<f64>
// CHECK: %[[DY:.*]] = nn.mul %[[ONE]], %{{.*}}
// CHECK: return %[[DY]], %[[ONE]]
func.func @middle(%x: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %y = nn.exp %x : tensor<f64>
  %loss = nn.square %y : tensor<f64>
  %dy, %dl = train.gradient %loss wrt %y, %loss : tensor<f64> wrt tensor<f64>, tensor<f64>
  return %dy, %dl : tensor<f64>, tensor<f64>
}

// The gradient of a gradient's norm: the second train.gradient sees the ops of
// the first.
// CHECK-LABEL: func.func @second_order(
// CHECK-NOT: train.gradient
// CHECK: return
func.func @second_order(%x: tensor<f32>) -> tensor<f32> {
  %loss = nn.exp %x : tensor<f32>
  %d = train.gradient %loss wrt %x : tensor<f32> wrt tensor<f32>
  %s = nn.square %d : tensor<f32>
  %dd = train.gradient %s wrt %x : tensor<f32> wrt tensor<f32>
  return %dd : tensor<f32>
}

// CHECK-LABEL: func.func @unused(
// CHECK: %[[ZERO:.*]] = nn.constant {train.backward} dense<0.000000e+00> : tensor<f32>
// CHECK: %[[DV:.*]] = nn.broadcast %[[ZERO]] dims [0, 1] {train.backward} : tensor<f32> to tensor<4x3xf32>
// CHECK: return %{{.*}}, %[[DV]]
func.func @unused(%w: tensor<f32>, %v: tensor<4x3xf32>) -> (tensor<f32>, tensor<4x3xf32>) {
  %loss = nn.exp %w : tensor<f32>
  %dw, %dv = train.gradient %loss wrt %w, %v : tensor<f32> wrt tensor<f32>, tensor<4x3xf32>
  return %dw, %dv : tensor<f32>, tensor<4x3xf32>
}

// Backward ops are found where their forward op is.
// LOC-LABEL: func.func @locations(
// LOC: nn.exp {{.*}} loc("model.acr":3:7)
// LOC: nn.mul {{.*}} {train.backward} {{.*}} loc("model.acr":3:7)
func.func @locations(%x: tensor<f32>) -> tensor<f32> {
  %loss = nn.exp %x : tensor<f32> loc("model.acr":3:7)
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<f32>
  return %dx : tensor<f32>
}
