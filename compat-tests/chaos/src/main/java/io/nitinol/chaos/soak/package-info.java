// SPDX-License-Identifier: Apache-2.0
/**
 * Ranks that compute for an hour, and the resources that their processes hold meanwhile. Begin with
 * {@link io.nitinol.chaos.soak.Soak}, the program. A {@link io.nitinol.chaos.soak.SoakWorker} is
 * one of its processes, and a {@link io.nitinol.chaos.soak.Footprint} is what that process reports.
 * A {@link io.nitinol.chaos.soak.SoakVerdict} finds out whether footprints grow.
 */
@NullMarked
package io.nitinol.chaos.soak;

import org.jspecify.annotations.NullMarked;
