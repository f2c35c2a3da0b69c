// SPDX-License-Identifier: Apache-2.0

/**
 * Memory that the ranks of one host share for collectives: each rank's slots, which that rank
 * writes and all read, and the counters by which they tell one another how far they are.
 */
@NullMarked
package io.nitinol.core.team;

import org.jspecify.annotations.NullMarked;
