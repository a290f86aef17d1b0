#!/usr/bin/env bash
# usage: kill-and-resume.sh DIR COMMAND...
#
# COMMAND trains and gets --log and --save appended. Runs it once undisturbed;
# then again, killed by SIGKILL when the log has reached certain lengths and
# resumed each time; and compares logs (times apart) and weights.
dir=$1
shift
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir" || exit 1

"$@" --log whole.jsonl --save whole.safetensors || exit 1
for lines in 3 117 118 310 555; do
  resume=()
  [ -f cut.safetensors ] && resume=(--resume cut.safetensors)
  "$@" --log cut.jsonl --save cut.safetensors "${resume[@]}" &
  process=$!
  for ((i = 0; i < 20000; ++i)); do
    [ -f cut.jsonl ] && [ "$(wc -l <cut.jsonl)" -ge "$lines" ] && break
    kill -0 $process 2>/dev/null || break
    sleep 0.001
  done
  kill -9 $process 2>/dev/null && killed=1
  wait $process
done
[ -n "$killed" ] || { echo "no run was killed" >&2; exit 1; }
"$@" --log cut.jsonl --save cut.safetensors --resume cut.safetensors || exit 1

for log in whole cut; do
  sed 's/, "seconds": [^}]*//' $log.jsonl >$log.compare
done
cmp whole.compare cut.compare && cmp whole.safetensors cut.safetensors
