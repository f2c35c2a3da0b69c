// SPDX-License-Identifier: Apache-2.0

/**
 * A profiler whose figures are meters of Micrometer, for dashboards: how many operations, bytes and
 * messages there are, how long operations take, how many are under way, and how many were given up.
 *
 * <p>Read in this order. {@link io.nitinol.samples.profilermicrometer.MicrometerProfiler} is what
 * Nitinol sees; threads of the application and those that move data call it, several at a time.
 * {@code MicrometerContext} has the operations of a rank that are under way. {@code MeterSet} makes
 * the meters, one set for all ranks of a process, and has their names.
 *
 * <p>Try it: an application with this module on its path adds a registry to {@code
 * Metrics.globalRegistry}, and finds {@code nitinol.operations} there.
 */
@NullMarked
package io.nitinol.samples.profilermicrometer;

import org.jspecify.annotations.NullMarked;
