// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Registered memory; the caller's token in place of the plugin's handle. */
final class Registration implements MemoryHandle {
  final CommState state;
  final MemoryHandle plugins;
  final Memory memory;
  final @Nullable ValidatedRegion region;

  /** Operations in flight that use it; guarded by the comm's tracker. */
  int users;

  /** Those of other comms, where memory is good for all (NET-REG-14). */
  final AtomicInteger usersElsewhere = new AtomicInteger();

  volatile boolean dead;
  private boolean saidGone;

  Registration(
      CommState state, MemoryHandle plugins, Memory memory, @Nullable ValidatedRegion region) {
    this.state = state;
    this.plugins = plugins;
    this.memory = memory;
    this.region = region;
  }

  /** Returns the segment of host memory while it can be read; null otherwise. */
  @Nullable MemorySegment readable() {
    MemorySegment segment = memory.segment();
    return segment != null
            && segment.scope().isAlive()
            && segment.isAccessibleBy(Thread.currentThread())
        ? segment
        : null;
  }

  /** Returns whether host memory has been freed, the first time it is asked. */
  boolean isNewlyGone() {
    MemorySegment segment = memory.segment();
    if (saidGone || segment == null || segment.scope().isAlive()) {
      return false;
    }
    saidGone = true;
    return true;
  }

  @Override
  public String toString() {
    return "registration of " + memory;
  }
}
