// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.spi.net.ListenComm;
import java.util.concurrent.atomic.AtomicBoolean;

/** A point of the plugin that accepts connections. */
final class NativeListener implements ListenComm {
  final Object plugin;
  final long address;
  final int device;
  private final AtomicBoolean closed = new AtomicBoolean();

  NativeListener(Object plugin, long address, int device) {
    this.plugin = plugin;
    this.address = address;
    this.device = device;
  }

  boolean isOpen() {
    return !closed.get();
  }

  /** Takes it out of use; returns whether it was open. */
  boolean close() {
    return closed.compareAndSet(false, true);
  }
}
