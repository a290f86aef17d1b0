#!/usr/bin/env bash
# Checks and measures emitted CUDA on a machine with a GPU.
#
# usage: scripts/gpu-check.sh --prepare DIR [BUILD]
#        DIR/gpu-check.sh --run DIR
#
# --prepare, where Accrue is built, writes programs, expected losses (from the
# same programs, run on the host) and this script to DIR. --run, where the GPU
# is, needs only DIR, nvcc (or $NVCC, $NVCCFLAGS and $NVCCLIBRARIES) and python3:
# it compiles, compares losses,
# lets compute-sanitizer look where there is one, measures, and prints a table.
# Every command has a time limit; all of it ends within 8 minutes.

set -uo pipefail

# name, model, options of accrue
variants=(
  "digits_k1       digits            --accumulate 1"
  "digits_k4       digits            --accumulate 4"
  "digits_ragged   digits            --micro-batch 185"
  "digits_remat    digits            --accumulate 4 --remat full"
  "linear_k1       linear_regression --accumulate 1"
  "linear_k4       linear_regression --accumulate 4"
  "linear_ragged   linear_regression --micro-batch 23"
  "linear_remat    linear_regression --accumulate 4 --remat full"
)

fail() {
  echo "gpu-check: $*" >&2
  exit 1
}

prepare() {
  local dir=$1 root build accrue
  root=$(cd "$(dirname "$0")/.." && pwd)
  build=${2:-$root/build}
  accrue=$build/bin/accrue
  [ -x "$accrue" ] || fail "no $accrue; run 'make build' first"
  mkdir -p "$dir"
  cp "$root/scripts/gpu-check.sh" "$root/scripts/gpu-check/check.cpp" "$dir" || fail "cannot write $dir"
  for variant in "${variants[@]}"; do
    read -r name model options <<<"$variant"
    # shellcheck disable=SC2086
    "$accrue" compile "$root/examples/$model.acr" $options --entries step \
      --emit cuda --self-contained -o "$dir/$name.cu" || fail "cannot emit $name"
    g++ -std=c++17 -O1 -x c++ -I"$root/runtime/emulator/include" -I"$dir" \
      "-DCHECK_HEADER=\"$name.h\"" "-D${model^^}" -rdynamic -L"$build/lib" \
      -Wl,--whole-archive -lAccrueEmulator -Wl,--no-whole-archive \
      "$dir/check.cpp" "$dir/$name.cu" -o "$dir/host" || fail "cannot compile $name for the host"
    "$dir/host" >"$dir/$name.expected" || fail "$name fails on the host"
  done
  rm -f "$dir/host"
  "$accrue" bench "$root/examples/digits.acr" --accumulate 4 --target cuda \
    --self-contained -o "$dir/bench.cu" || fail "cannot emit the benchmark"
  echo "prepared $dir: run '$dir/gpu-check.sh --run $dir' where the GPU is"
}

# Prints the largest relative difference of two files of numbers; fails above
# 1e-4.
compare() {
  python3 - "$1" "$2" <<'PY'
import sys
a, b = ([float(line) for line in open(path)] for path in sys.argv[1:])
if len(a) != len(b):
    sys.exit(f"{len(a)} losses instead of {len(b)}")
error = max(abs(x - y) / max(1e-6, abs(y)) for x, y in zip(a, b))
print(f"{error:.0e}")
sys.exit(not error <= 1e-4)
PY
}

run() {
  local dir=$1 nvcc failed=0 table=""
  nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
  local flags=${NVCCFLAGS--std=c++17 -O3 -arch=native}
  local libraries=${NVCCLIBRARIES--lcublas -lcublasLt}
  local out=$dir/out
  rm -rf "$out"
  mkdir -p "$out" || fail "cannot write $out"
  # All at once: most of the time is the compiler's.
  local name model options
  for variant in "${variants[@]}"; do
    read -r name model options <<<"$variant"
    # shellcheck disable=SC2086
    timeout 150 "$nvcc" $flags -I"$dir" "-DCHECK_HEADER=\"$name.h\"" "-D${model^^}" \
      "$dir/check.cpp" "$dir/$name.cu" $libraries -o "$out/$name" >"$out/$name.log" 2>&1 &
  done
  # shellcheck disable=SC2086
  timeout 150 "$nvcc" $flags "$dir/bench.cu" $libraries -o "$out/bench" >"$out/bench.log" 2>&1 &
  wait
  local result
  for variant in "${variants[@]}"; do
    read -r name model options <<<"$variant"
    if ! [ -x "$out/$name" ]; then
      result="does not compile, see $out/$name.log"
    elif ! timeout 15 "$out/$name" >"$out/$name.losses" 2>>"$out/$name.log"; then
      result="fails, see $out/$name.log"
    elif result=$(compare "$out/$name.losses" "$dir/$name.expected" 2>&1); then
      table+=$(printf '%-14s ok    20 losses, error %s' "$name" "$result")$'\n'
      continue
    fi
    failed=1
    table+=$(printf '%-14s FAIL  %s' "$name" "$result")$'\n'
  done
  result="no compute-sanitizer"
  if command -v compute-sanitizer >/dev/null; then
    result=ok
    timeout 100 compute-sanitizer --error-exitcode 1 "$out/digits_ragged" >"$out/sanitizer.log" 2>&1 || {
      result="FAIL  see $out/sanitizer.log"
      failed=1
    }
  fi
  table+=$(printf '%-14s %s' sanitizer "$result")$'\n'
  if timeout 60 "$out/bench" >"$out/bench.json" 2>"$out/bench.txt"; then
    table+=$'\n'$(cat "$out/bench.txt")
  else
    failed=1
    table+=$(printf '%-14s FAIL  see %s' bench "$out/bench.txt")
  fi
  printf '%s\n' "$table"
  return $failed
}

case "${1:-} $#" in
  "--prepare 2" | "--prepare 3") prepare "${@:2}" ;;
  "--run 2") run "$2" ;;
  *)
    echo "usage: $0 --prepare DIR [BUILD] | --run DIR" >&2
    exit 2
    ;;
esac
