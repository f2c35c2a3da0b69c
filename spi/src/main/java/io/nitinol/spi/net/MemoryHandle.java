// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.net;

/**
 * Memory registered with one comm by {@code regMr}; mirrors the C {@code mhandle}. A message is a
 * handle, an offset into its memory and a length.
 */
public interface MemoryHandle {}
