// SPDX-License-Identifier: Apache-2.0
//
// The kernels of ll.cuh with lines of 128 bytes. Compiled once for each NITINOL_TYPE, and once
// without for the moves.
#include "ll.cuh"

#ifdef NITINOL_TYPE

template <class K>
NITINOL_INLINE void ll_reduce_long(const nitinol_ll_reduce_params& a) {
  ll_reduce<K, LongLines>(a);
}

NITINOL_ENTRIES(ll128_reduce, NITINOL_TYPE, nitinol_ll_reduce_params, 512, ll_reduce_long)

#else

NITINOL_ENTRY(nitinol_ll128_move, nitinol_ll_move_params, 512) { ll_move<LongLines>(a); }

#endif
