// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.spi.DebugLogger;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a comm for the failure of one of several ports.
 *
 * @param renewal makes new queue pairs; null: the comm fails with the first port
 * @param limitNanos how long the two sides may take to go on
 * @param logger where it reports
 */
public record FailoverPolicy(
    @Nullable QueuePairRenewal renewal, long limitNanos, DebugLogger logger) {}
