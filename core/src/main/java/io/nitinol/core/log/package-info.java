// SPDX-License-Identifier: Apache-2.0

/**
 * The log, configured by {@code NCCL_DEBUG} and its companions, in NCCL's line format.
 *
 * <p>Begin at {@link io.nitinol.core.log.Log}; any thread of core or of a plugin writes to it.
 * {@code NameMask} reads what is to be logged, {@code LogOutput} writes to the file or to standard
 * error.
 */
@NullMarked
package io.nitinol.core.log;

import org.jspecify.annotations.NullMarked;
