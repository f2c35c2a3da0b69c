// SPDX-License-Identifier: Apache-2.0

/**
 * Connections by memory that both ranks have: P2P between threads of one process, SHM between
 * processes of one host. There is nothing to progress: the kernel sides write and read the slots
 * themselves.
 */
@NullMarked
package io.nitinol.core.transport.memory;

import org.jspecify.annotations.NullMarked;
