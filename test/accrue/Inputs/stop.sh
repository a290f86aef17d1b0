#!/usr/bin/env bash
# usage: stop.sh SIGNAL STATUS LOG COMMAND...
#
# Sends SIGNAL to COMMAND once its LOG has a few lines; fails unless it then
# exits with STATUS.
signal=$1 expected=$2 log=$3
shift 3
"$@" &
process=$!
for ((i = 0; i < 20000; ++i)); do
  [ -f "$log" ] && [ "$(wc -l <"$log")" -ge 5 ] && break
  sleep 0.001
done
kill -"$signal" $process
wait $process
status=$?
[ "$status" -eq "$expected" ] || {
  echo "expected exit status $expected, got $status" >&2
  exit 1
}
