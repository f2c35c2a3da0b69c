// SPDX-License-Identifier: Apache-2.0
//
// Copies and reductions within one device. Compiled once for each NITINOL_TYPE, and once without
// for the copy.
#include "fold.cuh"

#ifdef NITINOL_TYPE

template <class K>
NITINOL_INLINE void local_reduce(const nitinol_local_params& a) {
  Buffers from = {a.source}, to = {a.destination};
  Scaling s = {&a.scalar, 0, a.scaled, a.divisor};
  fold<K, 2, 4>(from, a.sources, to, a.destinations, s, a.count, grid_threads());
}

NITINOL_ENTRIES(local_reduce, NITINOL_TYPE, nitinol_local_params, 512, local_reduce)

#else

NITINOL_ENTRY(nitinol_local_copy, nitinol_local_params, 512) {
  Buffers from = {a.source}, to = {a.destination};
  Scaling none = {0, 0, 0, 1};
  fold<Bytes, 1, 8>(from, 1, to, a.destinations, none, a.count, grid_threads());
}

#endif
