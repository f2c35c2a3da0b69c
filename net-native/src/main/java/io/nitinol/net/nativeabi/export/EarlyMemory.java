// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;

/**
 * Memory that the host has registered with a comm that is not made yet.
 *
 * @param memory what is registered with the plugin once it is
 */
record EarlyMemory(Memory memory) implements MemoryHandle {}
