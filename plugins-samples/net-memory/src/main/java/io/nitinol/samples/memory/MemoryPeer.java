// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import java.io.IOException;

/** The process at the other end of something, from which it can be gone at any time. */
final class MemoryPeer implements AutoCloseable {
  private final Host host;
  private final ProcessWatch watch;
  private final String device;

  private MemoryPeer(Host host, ProcessWatch watch, String device) {
    this.host = host;
    this.watch = watch;
    this.device = device;
  }

  /**
   * Starts to watch a process.
   *
   * @param device the local device that leads to it, for messages
   */
  static MemoryPeer of(Host host, ProcessId process, String device) throws IOException {
    return new MemoryPeer(host, host.watch(process), device);
  }

  boolean hasEnded() {
    return watch.hasEnded();
  }

  @Override
  public void close() {
    host.release(watch);
  }

  /** Names the process and the device, for messages (NET-ERR-10). */
  @Override
  public String toString() {
    return watch.process + " through " + device;
  }
}
