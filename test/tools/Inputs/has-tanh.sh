#!/bin/sh
# Interesting (status 1, as mlir-reduce has it): the text has a tanh.
grep -q nn.tanh "$1" && exit 1
exit 0
