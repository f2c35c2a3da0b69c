// SPDX-License-Identifier: Apache-2.0

/**
 * A profiler whose spans and metrics go to OpenTelemetry, through its API alone: the application
 * has the SDK.
 *
 * <p>Read in this order. {@link io.nitinol.samples.profileropentelemetry.OpenTelemetryProfiler} is
 * what Nitinol sees. The thread that calls a collective starts its event, so that the span there is
 * current; threads that move data end it. {@code OpenTelemetryContext} has the operations of a rank
 * that are under way, and {@code Instruments} the names of everything.
 *
 * <p>Try it: an application with this module on its path registers its SDK by {@code
 * buildAndRegisterGlobal()}, makes a span current, and calls a collective.
 */
@NullMarked
package io.nitinol.samples.profileropentelemetry;

import org.jspecify.annotations.NullMarked;
