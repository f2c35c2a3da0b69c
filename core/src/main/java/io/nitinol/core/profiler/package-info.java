// SPDX-License-Identifier: Apache-2.0

/** Tells a profiler what a communicator does: calls, operations, network messages. */
@NullMarked
package io.nitinol.core.profiler;

import org.jspecify.annotations.NullMarked;
