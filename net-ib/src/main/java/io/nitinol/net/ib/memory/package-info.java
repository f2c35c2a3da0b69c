// SPDX-License-Identifier: Apache-2.0
/**
 * Memory registered with cards. Begin with {@link io.nitinol.net.ib.memory.IbCommMemory}, the
 * handles of one comm, which callers of {@code regMr} get; {@link io.nitinol.net.ib.memory.MrCache}
 * keeps the memory regions of a card, which comms share.
 */
@NullMarked
package io.nitinol.net.ib.memory;

import org.jspecify.annotations.NullMarked;
