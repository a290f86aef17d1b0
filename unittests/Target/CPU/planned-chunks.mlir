// A program whose kernels have several chunks, of every kind: pieces of one
// row, whole rows, rows and columns with reductions, and the update.
//   x = w + 1 (with b along rows), rows[i] = sum_j tanh x[i][j],
//   columns[j] = sum_i x[i][j], loss = sqrt(sum of partials of w^2), g = w
//   w' = w - g / 4, b stays.
// What is to be looked at is kept as state.

kernel.func @shift elementwise(%w: memref<3000x700xf32>, %x: memref<3000x700xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c700 = arith.constant 700 : index
  %c3000 = arith.constant 3000 : index
  %one = arith.constant 1.0 : f32
  scf.parallel (%i, %j) = (%c0, %c0) to (%c3000, %c700) step (%c1, %c1) {
    %0 = memref.load %w[%i, %j] : memref<3000x700xf32>
    %1 = arith.addf %0, %one : f32
    memref.store %1, %x[%i, %j] : memref<3000x700xf32>
    scf.reduce
  }
  kernel.return
}

kernel.func @bias elementwise(%x: memref<3000x700xf32>, %b: memref<700xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c700 = arith.constant 700 : index
  %c3000 = arith.constant 3000 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c3000, %c700) step (%c1, %c1) {
    %0 = memref.load %x[%i, %j] : memref<3000x700xf32>
    %1 = memref.load %b[%j] : memref<700xf32>
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %x[%i, %j] : memref<3000x700xf32>
    scf.reduce
  }
  kernel.return
}

kernel.func @row_sums rows(%x: memref<3000x700xf32>, %sums: memref<3000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c700 = arith.constant 700 : index
  %c3000 = arith.constant 3000 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i) = (%c0) to (%c3000) step (%c1) {
    %sum = scf.parallel (%j) = (%c0) to (%c700) step (%c1) init (%zero) -> f32 {
      %0 = memref.load %x[%i, %j] : memref<3000x700xf32>
      %1 = math.tanh %0 : f32
      scf.reduce(%1 : f32) {
      ^bb0(%a: f32, %b: f32):
        %2 = arith.addf %a, %b : f32
        scf.reduce.return %2 : f32
      }
    }
    memref.store %sum, %sums[%i] : memref<3000xf32>
    scf.reduce
  }
  kernel.return
}

kernel.func @column_sums columns(%x: memref<3000x700xf32>, %sums: memref<700xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c700 = arith.constant 700 : index
  %c3000 = arith.constant 3000 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%j) = (%c0) to (%c700) step (%c1) {
    %sum = scf.parallel (%i) = (%c0) to (%c3000) step (%c1) init (%zero) -> f32 {
      %0 = memref.load %x[%i, %j] : memref<3000x700xf32>
      scf.reduce(%0 : f32) {
      ^bb0(%a: f32, %b: f32):
        %1 = arith.addf %a, %b : f32
        scf.reduce.return %1 : f32
      }
    }
    memref.store %sum, %sums[%j] : memref<700xf32>
    scf.reduce
  }
  kernel.return
}

kernel.func @copy elementwise(%w: memref<2100000xf32>, %g: memref<2100000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 2100000 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %0 = memref.load %w[%i] : memref<2100000xf32>
    memref.store %0, %g[%i] : memref<2100000xf32>
    scf.reduce
  }
  kernel.return
}

kernel.func @partials rows(%g: memref<2100000xf32>, %partials: memref<7xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %size = arith.constant 300000 : index
  scf.parallel (%i) = (%c0) to (%c7) step (%c1) {
    %lo = arith.muli %i, %size : index
    %hi = arith.addi %lo, %size : index
    %sum = scf.parallel (%j) = (%lo) to (%hi) step (%c1) init (%zero) -> f32 {
      %0 = memref.load %g[%j] : memref<2100000xf32>
      %1 = arith.mulf %0, %0 : f32
      scf.reduce(%1 : f32) {
      ^bb0(%a: f32, %b: f32):
        %2 = arith.addf %a, %b : f32
        scf.reduce.return %2 : f32
      }
    }
    memref.store %sum, %partials[%i] : memref<7xf32>
    scf.reduce
  }
  kernel.return
}

kernel.func @norm rows(%partials: memref<7xf32>, %loss: memref<f32>, %finite: memref<i1>, %factor: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  %quarter = arith.constant 0.25 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %true = arith.constant true
  %sum = scf.parallel (%j) = (%c0) to (%c7) step (%c1) init (%zero) -> f32 {
    %0 = memref.load %partials[%j] : memref<7xf32>
    scf.reduce(%0 : f32) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %a, %b : f32
      scf.reduce.return %1 : f32
    }
  }
  %root = math.sqrt %sum : f32
  memref.store %root, %loss[] : memref<f32>
  memref.store %true, %finite[] : memref<i1>
  memref.store %quarter, %factor[] : memref<f32>
  kernel.return
}

func.func @chunks(
    %params: memref<8402800xi8> {kernel.arena = #kernel.arena<params>},
    %gradients: memref<8402800xi8> {kernel.arena = #kernel.arena<gradients>},
    %state: memref<14896xi8> {kernel.arena = #kernel.arena<state>},
    %activations: memref<8400092xi8> {kernel.arena = #kernel.arena<activations>},
    %outputs: memref<132xi8> {kernel.arena = #kernel.arena<outputs>})
    attributes {train.batch = 1 : i64,
      kernel.plan = #kernel.plan<
        arenas = [<params bytes 8402800 used 8402800>, <gradients bytes 8402800 used 8402800>,
                  <state bytes 14896 used 14808>, <activations bytes 8400092 used 8400028>,
                  <outputs bytes 132 used 9>],
        buffers = [
          <"w" in params at 0 bytes 8400000 : tensor<3000x700xf32> live 0 to 9>,
          <"b" in params at 8400000 bytes 2800 : tensor<700xf32> live 0 to 9>,
          <"step" in state at 0 bytes 8 : tensor<i64> live 0 to 9>,
          <"rows" in state at 64 bytes 12000 : tensor<3000xf32> live 0 to 9>,
          <"columns" in state at 12096 bytes 2800 : tensor<700xf32> live 0 to 9>,
          <"loss" in outputs at 0 bytes 4 : tensor<f32> live 0 to 9 with {train.result = #train.result<loss>}>,
          <"finite" in outputs at 64 bytes 1 : tensor<i1> live 0 to 9 with {train.result = #train.result<finite>}>],
        inputs = []>} {
  %w = kernel.buffer "w" of %params at 0 : memref<8402800xi8> to memref<3000x700xf32>
  %flat_w = kernel.buffer "w" of %params at 0 : memref<8402800xi8> to memref<2100000xf32>
  %b = kernel.buffer "b" of %params at 8400000 : memref<8402800xi8> to memref<700xf32>
  %g = kernel.buffer "w" of %gradients at 0 : memref<8402800xi8> to memref<2100000xf32>
  %step = kernel.buffer "step" of %state at 0 : memref<14896xi8> to memref<i64>
  %rows = kernel.buffer "rows" of %state at 64 : memref<14896xi8> to memref<3000xf32>
  %columns = kernel.buffer "columns" of %state at 12096 : memref<14896xi8> to memref<700xf32>
  %x = kernel.buffer "x" of %activations at 0 : memref<8400092xi8> to memref<3000x700xf32>
  %partials = kernel.buffer "partials" of %activations at 8400000 : memref<8400092xi8> to memref<7xf32>
  %loss = kernel.buffer "loss" of %outputs at 0 : memref<132xi8> to memref<f32>
  %finite = kernel.buffer "finite" of %outputs at 64 : memref<132xi8> to memref<i1>
  %factor = kernel.buffer "factor" of %outputs at 128 : memref<132xi8> to memref<f32>
  kernel.launch @shift(%w, %x) : memref<3000x700xf32>, memref<3000x700xf32>
  kernel.launch @bias(%x, %b) : memref<3000x700xf32>, memref<700xf32>
  kernel.launch @row_sums(%x, %rows) : memref<3000x700xf32>, memref<3000xf32>
  kernel.launch @column_sums(%x, %columns) : memref<3000x700xf32>, memref<700xf32>
  kernel.launch @copy(%flat_w, %g) : memref<2100000xf32>, memref<2100000xf32>
  kernel.launch @partials(%g, %partials) : memref<2100000xf32>, memref<7xf32>
  kernel.launch @norm(%partials, %loss, %finite, %factor) : memref<7xf32>, memref<f32>, memref<i1>, memref<f32>
  %flat_p = kernel.buffer "params" of %params at 0 : memref<8402800xi8> to memref<2100700xf32>
  %flat_g = kernel.buffer "gradients" of %gradients at 0 : memref<8402800xi8> to memref<2100700xf32>
  kernel.flat_update params(%flat_p : memref<2100700xf32>) gradients(%flat_g : memref<2100700xf32>)
      completed %step factor %factor if %finite
      ranges [#kernel.range<"w" at 0 count 2100000 rule 0>]
      : memref<i64>, memref<f32>, memref<i1> {
  ^bb0(%p0: f32, %g0: f32, %t: i64, %f: f32):
    %0 = arith.mulf %f, %g0 : f32
    %p1 = arith.subf %p0, %0 : f32
    kernel.yield %p1 : f32
  }
  return
}
