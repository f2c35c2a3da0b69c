// SPDX-License-Identifier: Apache-2.0

/** Collectives over rings: each rank receives from the one before and sends to the one behind. */
@NullMarked
package io.nitinol.core.schedule.ring;

import org.jspecify.annotations.NullMarked;
