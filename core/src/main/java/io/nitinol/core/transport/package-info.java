// SPDX-License-Identifier: Apache-2.0

/**
 * How data gets from one rank to another: a connector is a ring of slots in native memory with a
 * head and a tail counter, filled and emptied by the kernel side, moved by the network side.
 */
@NullMarked
package io.nitinol.core.transport;

import org.jspecify.annotations.NullMarked;
