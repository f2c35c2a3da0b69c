// SPDX-License-Identifier: Apache-2.0
/**
 * The making of a communicator, and its end.
 *
 * <p>Begin at {@link io.nitinol.core.setup.CommSetup}: the thread that calls {@code init} meets the
 * other ranks, then takes the steps agree ({@code CommTerms}), lay out ({@code RankPlacement}),
 * connect, plan and assemble. The result is an {@link io.nitinol.core.setup.AssembledComm}, behind
 * which {@link io.nitinol.core.setup.CommResources} knows what to give back in which order. A setup
 * that fails gives back what it had opened ({@code OpenedParts}). {@link
 * io.nitinol.core.setup.SplitAndShrink} makes communicators out of the ranks of one.
 */
@NullMarked
package io.nitinol.core.setup;

import org.jspecify.annotations.NullMarked;
