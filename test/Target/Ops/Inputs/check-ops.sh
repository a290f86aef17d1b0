#!/usr/bin/env bash
# Runs functions of nn ops on every target and compares them with the reference.
#
# usage: EMULATE=COMPILER check-ops.sh FOLDER FUNCTIONS.mlir
#
# ops-model.py says what a function may be and what is compared: results and
# derivatives, in f32 and f64; the batch at once and in micro-batches of 4 and 2
# samples; interpreted, on the CPU, and as CUDA on the emulator (EMULATE: one of
# lit's %emulate...).
set -euo pipefail
inputs=$(cd "$(dirname "$0")" && pwd)
functions=$2
rm -rf "$1"

check() { # FOLDER TYPE TOLERANCE
  mkdir -p "$1"
  cd "$1"
  local data run coupled
  data=$(python3 "$inputs/ops-model.py" "$functions" . "$2")
  run=(--data "$data" --steps 1 --init init.safetensors)
  # What loops over the batch in turn do is the test, not what they cost.
  coupled=(--coupled recompute)
  train() { # NAME OPTION...
    accrue train model.mlir "${run[@]}" "${coupled[@]}" --save "$1.safetensors" "${@:2}" \
      >"$1.log" 2>&1 || { cat "$1.log"; exit 1; }
  }
  train reference --accumulate 1 --target reference
  train reference-split --micro-batch 4 --target reference
  train cpu --accumulate 1 --target cpu
  train cpu-split --micro-batch 4 --target cpu
  accrue compile model.mlir --micro-batch 4 --data "$data" "${coupled[@]}" \
    --emit cuda-driver --self-contained -o model.cu
  $EMULATE model.cu model_main.cpp -o model -lAccrueTrainingRuntime -lAccrueIO -lfmt
  ACCRUE_EMULATOR_PLAN=model.cu ./model "${run[@]}" --save cuda.safetensors \
    >cuda.log 2>&1 || { cat cuda.log; exit 1; }
  for name in reference-split cpu cpu-split cuda; do
    echo "$2, $name:"
    python3 "$inputs/../../../Inputs/compare-runs.py" \
      reference.safetensors $name.safetensors --tolerance "$3"
  done
}

check "$1/f32" f32 1e-5
check "$1/f64" f64 1e-13
echo "all targets agree"
