// SPDX-License-Identifier: Apache-2.0

/**
 * Collectives over trees, reduced on the way up to the root and handed out on the way down. {@link
 * Tree} is the shape, one of the two of NCCL's double binary tree; {@link TreeAllReduce} the only
 * schedule.
 */
@NullMarked
package io.nitinol.core.schedule.tree;

import org.jspecify.annotations.NullMarked;
