// SPDX-License-Identifier: Apache-2.0

/**
 * Runs the schedules of all ranks without data: memory holds which contributions were reduced in
 * which order, and every access is checked to be ordered after what it depends on.
 */
@NullMarked
package io.nitinol.core.schedule.symbolic;

import org.jspecify.annotations.NullMarked;
