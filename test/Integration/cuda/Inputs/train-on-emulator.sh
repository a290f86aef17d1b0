#!/usr/bin/env bash
# Trains an emitted program on the emulator and compares it with the reference.
#
# usage: EMULATE=COMPILER train-on-emulator.sh FOLDER MODEL DATA STEPS OPTION...
#
# Emits the program that trains MODEL with the options of `accrue compile`,
# builds it with EMULATE (one of lit's %emulate...), runs it for STEPS steps on
# DATA under two seeds, whose results have to be the same bits, and compares
# logs and parameters with `accrue train --target reference`.
set -euo pipefail
inputs=$(cd "$(dirname "$0")" && pwd)
folder=$1 model=$2 data=$3 steps=$4
shift 4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

accrue compile "$model" "$@" --data "$data" --emit cuda-driver --self-contained -o model.cu
$EMULATE model.cu model_main.cpp -o model -lAccrueTrainingRuntime -lAccrueIO -lfmt

for seed in 1 2; do
  ACCRUE_EMULATOR_SEED=$seed ACCRUE_EMULATOR_PLAN=model.cu \
    ./model --data "$data" --steps "$steps" --log $seed.jsonl --save $seed.safetensors
done
cmp 1.safetensors 2.safetensors
python3 "$inputs/../../../Inputs/compare-runs.py" 1.jsonl 2.jsonl --tolerance 0 >/dev/null
echo "seeds agree"

options=()
while [ $# -gt 0 ]; do
  case $1 in
  --no-graph) ;;
  *) options+=("$1") ;;
  esac
  shift
done
accrue train "$model" "${options[@]}" --target reference --data "$data" --steps "$steps" \
  --log reference.jsonl --save reference.safetensors 2>/dev/null
python3 "$inputs/../../../Inputs/compare-runs.py" \
  reference.jsonl 1.jsonl reference.safetensors 1.safetensors --tolerance 1e-5
