// SPDX-License-Identifier: Apache-2.0

/** Collectives over trees: reduced on the way up to the root, handed out on the way down. */
@NullMarked
package io.nitinol.core.schedule.tree;

import org.jspecify.annotations.NullMarked;
