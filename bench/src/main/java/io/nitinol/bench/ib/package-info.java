// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs plugin against perftest and a C program, on RDMA devices: those of this machine, or of
 * a guest that is started for it.
 */
@NullMarked
package io.nitinol.bench.ib;

import org.jspecify.annotations.NullMarked;
