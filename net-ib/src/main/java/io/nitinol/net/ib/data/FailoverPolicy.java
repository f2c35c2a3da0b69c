// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.spi.DebugLogger;
import org.jspecify.annotations.Nullable;

/**
 * What a comm does when one of several ports fails.
 *
 * @param renewal how it gets new queue pairs; null: it fails with the first that does
 * @param limitNanos how long the two sides may take to go on
 * @param logger told of it
 */
public record FailoverPolicy(
    @Nullable QueuePairRenewal renewal, long limitNanos, DebugLogger logger) {}
