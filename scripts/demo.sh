#!/usr/bin/env bash
# The demonstration behind `make demo`: plans the digits example with its batch
# split in four and the bytes that this takes, trains it, and shows that the
# split step equals the full-batch step.
#
# usage: scripts/demo.sh [BUILD]
#
# Fails when the held-out accuracy ends below 0.95 or a gradient differs.

set -euo pipefail
cd "$(dirname "$0")/.."

accrue=${1:-build}/bin/accrue
model=examples/digits.acr
data=examples/data/digits
log=runs/digits.jsonl
least_accuracy=0.95

[ -x "$accrue" ] || {
  echo "demo: no $accrue; run 'make build' first" >&2
  exit 1
}
mkdir -p runs

"$accrue" train "$model" --accumulate 4 --steps 400 \
  --data "pixels=$data/train_pixels.npy,label=$data/train_label.npy" \
  --eval-data "pixels=$data/test_pixels.npy,label=$data/test_label.npy" \
  --log "$log" --save runs/digits.safetensors
"$accrue" verify "$model" --micro-batch 128,100

# The log has one JSON object per logical batch; the last evaluation counts.
python3 - "$log" "$least_accuracy" <<'EOF'
import json
import sys

log, least = sys.argv[1], float(sys.argv[2])
accuracy = None
for line in open(log):
    evaluation = json.loads(line).get("eval")
    if evaluation:
        accuracy = evaluation["metrics"]["accuracy"]
if accuracy is None:
    sys.exit(f"demo: no held-out accuracy in {log}")
print(f"held-out accuracy {accuracy:.3f}, at least {least} expected")
sys.exit(accuracy < least)
EOF
