// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.net.Request;

/** A request, taken from its comm's pool and put back once it has ended (NET-MEM-03). */
abstract class MemoryOperation implements Request {
  final MemoryConnection owner;

  /** Whether the caller has it; a request in the pool is dead. */
  boolean live;

  MemoryOperation(MemoryConnection owner) {
    this.owner = owner;
  }

  /** How many sizes it reports (NET-TEST-07). */
  abstract int pieces();

  abstract boolean isComplete();

  /** Writes the sizes of the complete operation (NET-TEST-08). */
  abstract void report(int[] sizes);

  /** Puts it back into its pool. */
  abstract void release();
}
