#!/usr/bin/env bash
# usage: expect-status.sh STATUS COMMAND...
#
# Runs COMMAND and fails unless it exits with STATUS.
expected=$1
shift
"$@"
status=$?
[ "$status" -eq "$expected" ] || {
  echo "expected exit status $expected, got $status" >&2
  exit 1
}
