// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.device;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.MemoryKind;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Memory and what should be in it: a test changes the one by the provider and the other by hand,
 * and compares every byte, those that nothing should have touched too.
 */
public final class Image {
  private final DeviceSession session;
  private final Device device;
  private final DeviceMemory memory;
  private final byte[] expected;

  /**
   * Fills memory with random bytes.
   *
   * @param device a device that reaches the memory
   */
  public Image(DeviceSession session, Device device, DeviceMemory memory) {
    this.session = session;
    this.device = device;
    this.memory = memory;
    this.expected = session.noise(Math.toIntExact(memory.size()));
    store();
  }

  /** Allocates memory of a device and fills it. */
  public static Image onDevice(DeviceSession session, Device device, int size) {
    return new Image(session, device, session.memory(device, size));
  }

  /** Allocates pinned host memory and fills it. */
  public static Image onHost(DeviceSession session, Device device, int size) {
    return new Image(session, device, session.hostMemory(device, size));
  }

  /** Writes what should be in the memory into it. */
  public void store() {
    if (memory.kind() == MemoryKind.DEVICE) {
      session.write(device, memory.address(), expected);
    } else {
      MemorySegment.copy(
          expected, 0, session.segment(memory), ValueLayout.JAVA_BYTE, 0, expected.length);
    }
  }

  /** Returns the number of bytes. */
  public int size() {
    return expected.length;
  }

  /** Returns the address of a byte. */
  public long at(long offset) {
    return memory.address() + offset;
  }

  /** Returns what should be in a part of the memory. */
  public byte[] part(int offset, int length) {
    return Arrays.copyOfRange(expected, offset, offset + length);
  }

  /** From now on these bytes should be there. */
  public void expect(int offset, byte[] bytes) {
    System.arraycopy(bytes, 0, expected, offset, bytes.length);
  }

  /** From now on this byte should be everywhere in a part. */
  public void expect(int offset, int length, byte value) {
    Arrays.fill(expected, offset, offset + length, value);
  }

  /** Writes bytes into a part of the memory, where they should be from now on. */
  public void put(int offset, byte[] bytes) {
    expect(offset, bytes);
    if (memory.kind() == MemoryKind.DEVICE) {
      session.write(device, at(offset), bytes);
    } else {
      MemorySegment.copy(
          bytes, 0, session.segment(memory), ValueLayout.JAVA_BYTE, offset, bytes.length);
    }
  }

  /** Reads a part of the memory and takes it for what should be there. */
  public byte[] take(int offset, int length) {
    byte[] found = Arrays.copyOfRange(read(), offset, offset + length);
    expect(offset, found);
    return found;
  }

  private byte[] read() {
    return memory.kind() == MemoryKind.DEVICE
        ? session.read(device, memory.address(), expected.length)
        : session.segment(memory).toArray(ValueLayout.JAVA_BYTE);
  }

  /** Compares every byte; the rule under test is broken if one differs. */
  public void check(String after) {
    check(session.terms().rule(), after);
  }

  /** The same for another rule. */
  public void check(String rule, String after) {
    byte[] found = read();
    int wrong = Arrays.mismatch(found, expected);
    if (wrong >= 0) {
      session.require(
          rule,
          false,
          "%s",
          ErrorText.of(
              "byte %d of %d bytes of %s memory is 0x%02x, expected 0x%02x, after %s",
              wrong, found.length, memory.kind(), found[wrong], expected[wrong], after));
    }
  }
}
