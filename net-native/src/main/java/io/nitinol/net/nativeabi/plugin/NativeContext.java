// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.spi.net.NetContext;
import java.util.concurrent.atomic.AtomicBoolean;

/** The plugin's state for one communicator: its own pointer, which may be null. */
final class NativeContext implements NetContext {
  final Object plugin;
  final long address;
  private final AtomicBoolean closed = new AtomicBoolean();

  NativeContext(Object plugin, long address) {
    this.plugin = plugin;
    this.address = address;
  }

  boolean isOpen() {
    return !closed.get();
  }

  /** Takes it out of use; returns whether it was in use. */
  boolean close() {
    return closed.compareAndSet(false, true);
  }
}
