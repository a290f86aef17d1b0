//===- Ranges.cuh - Ranges of flat arrays ---------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The optimizer runs over all parameters as one flat array; a table tells which
// rule the elements of a range have.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_CUDA_RANGES_CUH
#define ACCRUE_RUNTIME_CUDA_RANGES_CUH

namespace accrue {

/// Elements [begin, end) have rule number `rule`.
template <class Index>
struct Range {
  Index begin;
  Index end;
  int rule;
};

/// The rule of element `index`, or -1 where it lies in no range. `ranges` is in
/// ascending order.
template <class Index, int N, class Position>
__device__ int findRule(const Range<Index> (&ranges)[N], Position index) {
  int low = 0;
  int high = N;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (ranges[middle].begin <= index)
      low = middle;
    else
      high = middle;
  }
  const Range<Index> &range = ranges[low];
  return index >= range.begin && index < range.end ? range.rule : -1;
}

} // namespace accrue

#endif // ACCRUE_RUNTIME_CUDA_RANGES_CUH
