// SPDX-License-Identifier: Apache-2.0

/**
 * What each rank does in a collective, as a sequence of steps computed from the algorithm, the ring
 * and the element count alone: no I/O, no clock, no memory. The runtime executes these steps and a
 * simulator can print them.
 */
@NullMarked
package io.nitinol.core.schedule;

import org.jspecify.annotations.NullMarked;
