// SPDX-License-Identifier: Apache-2.0

/**
 * Connections by memory that both ranks have: P2P between threads of one process, SHM between
 * processes of one host. {@link SlotRing} is the layout of that memory. There is nothing to
 * progress: the executors of both ranks write and read the slots themselves, and between threads of
 * one process the receiver reads the sender's buffer ({@link LentBuffers}).
 */
@NullMarked
package io.nitinol.core.transport.memory;

import org.jspecify.annotations.NullMarked;
