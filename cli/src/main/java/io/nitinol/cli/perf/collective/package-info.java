// SPDX-License-Identifier: Apache-2.0

/**
 * The collectives that {@code nitinol perf} can measure: how each is called, how large its buffers
 * are, what it is to leave in them, and by which sizes and factors nccl-tests reckons its
 * bandwidth.
 */
@NullMarked
package io.nitinol.cli.perf.collective;

import org.jspecify.annotations.NullMarked;
