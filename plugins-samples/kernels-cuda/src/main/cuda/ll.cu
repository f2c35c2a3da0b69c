// SPDX-License-Identifier: Apache-2.0
//
// The kernels of ll.cuh with lines of 16 bytes. Compiled once for each NITINOL_TYPE, and once without
// for the moves.
#include "ll.cuh"

#ifdef NITINOL_TYPE

template <class K>
NITINOL_INLINE void ll_reduce_short(const nitinol_ll_reduce_params& a) {
  ll_reduce<K, ShortLines>(a);
}

NITINOL_ENTRIES(ll_reduce, NITINOL_TYPE, nitinol_ll_reduce_params, 512, ll_reduce_short)

#else

NITINOL_ENTRY(nitinol_ll_move, nitinol_ll_move_params, 512) { ll_move<ShortLines>(a); }

NITINOL_ENTRY(nitinol_ll_pairs, nitinol_ll_pairs_params, 512) {
  ll_move<ShortLines>(a.pair[blockIdx.y]);
}

#endif
