// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.net.ListenComm;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * A member's listener: the directory where, if it is the first member, the others find the group.
 */
final class MemoryGathering implements ListenComm {
  final Object plugin;
  final MemoryListenHandle handle;
  final String device;
  private final ListenDirectory directory;
  private boolean open = true;
  private boolean used;

  private MemoryGathering(
      Object plugin, String device, MemoryListenHandle handle, ListenDirectory directory) {
    this.plugin = plugin;
    this.device = device;
    this.handle = handle;
    this.directory = directory;
  }

  /** Opens a listener and writes its handle. */
  static MemoryGathering open(Object plugin, Host host, String device, MemorySegment buffer) {
    MemoryListenHandle handle = MemoryListenHandle.create(host);
    handle.writeTo(buffer); // first: if that goes wrong, there is nothing to undo
    try {
      return new MemoryGathering(plugin, device, handle, ListenDirectory.create(handle));
    } catch (IOException e) {
      throw MemoryFailures.system("cannot make the directory " + handle.directory(), e);
    }
  }

  boolean isOpen() {
    return open;
  }

  /** Notes that a group is made here; fails the second time (COLL-01). */
  void use() {
    if (used) {
      throw MemoryFailures.usage("a listener serves one group, and this one has been used");
    }
    used = true;
  }

  void close() {
    open = false;
    try {
      directory.remove();
    } catch (IOException e) {
      throw MemoryFailures.system("cannot remove " + directory.path, e);
    }
  }
}
