// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.toolkit.thread.AnyThread;

/** A piece of memory by its address: what {@code io.nitinol.core.DeviceBuffer} is the front of. */
@AnyThread
public final class MemoryPiece {
  private final Device device;
  private final long address;
  private final long size;

  /** Whether the driver has been asked; a race asks twice, which is harmless. */
  private boolean known;

  /** Creates a piece that no driver has been asked about. */
  public MemoryPiece(Device device, long address, long size) {
    this.device = device;
    this.address = address;
    this.size = size;
  }

  /** Returns a part of this piece, as known as this. */
  public MemoryPiece slice(long offset, long length) {
    MemoryPiece part = new MemoryPiece(device, address + offset, length);
    part.known = known;
    return part;
  }

  /** Returns the device that uses it. */
  public Device device() {
    return device;
  }

  /** Returns the first byte. */
  public long address() {
    return address;
  }

  /** Returns the number of bytes. */
  public long size() {
    return size;
  }

  /** Returns whether the driver has been asked about it. */
  boolean isKnown() {
    return known;
  }

  /** Notes that the driver knows it. */
  void setKnown() {
    known = true;
  }
}
