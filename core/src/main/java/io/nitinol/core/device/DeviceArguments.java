// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.core.CommException;
import io.nitinol.core.call.BufferCheck;
import io.nitinol.spi.DataType;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.MemoryKind;
import io.nitinol.spi.device.v1.MemoryRange;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks the buffers and streams that callers pass, each with an INVALID_ARGUMENT that names it.
 * The driver is asked once for each {@link MemoryPiece}, or each time where the user wants that.
 */
@OneThread
final class DeviceArguments {
  private final DeviceProvider provider;
  private final Device device;
  private final boolean asksAlways;

  /** By index: the devices whose memory this one uses. */
  private final boolean[] reached;

  /**
   * Creates the checks of one rank.
   *
   * @param device the rank's device, one of the provider's
   * @param asksAlways whether the driver is asked at each call
   */
  DeviceArguments(DeviceProvider provider, Device device, boolean asksAlways) {
    this.provider = provider;
    this.device = device;
    this.asksAlways = asksAlways;
    this.reached = new boolean[provider.devices().size()];
    this.reached[device.index()] = true;
  }

  /**
   * Checks a buffer of which the call uses the first {@code bytes} bytes; returns its address.
   *
   * @param type the type of its elements, whose size divides the address
   */
  long address(String call, String name, @Nullable MemoryPiece buffer, long bytes, DataType type) {
    if (buffer == null) {
      throw BufferCheck.invalid(
          call, name, "null", ErrorText.of("a buffer of at least %d bytes", bytes));
    }
    if (buffer.size() < bytes) {
      throw BufferCheck.invalid(
          call,
          name,
          ErrorText.of("a buffer of %d bytes", buffer.size()),
          ErrorText.of("at least %d bytes", bytes));
    }
    long address = buffer.address();
    if (bytes > 0) {
      if ((address & (type.size() - 1)) != 0) {
        throw BufferCheck.invalid(
            call,
            name,
            ErrorText.of("at address 0x%x", address),
            ErrorText.of(
                "one that %d divides, the size of an element of %s", type.size(), type.label()));
      }
      if (!buffer.isKnown() || asksAlways || !buffer.device().equals(device)) {
        ask(call, name, buffer);
      }
    }
    return address;
  }

  /** Asks the driver whether the device reaches all of a buffer. */
  private void ask(String call, String name, MemoryPiece buffer) {
    reach(call, name, buffer.device());
    if (buffer.isKnown() && !asksAlways) {
      return;
    }
    long at = buffer.address();
    long left = buffer.size();
    while (left > 0) { // a driver may have mapped memory in pieces that follow each other
      MemoryRange range = find(call, at);
      if (range == null || range.offsetOf(at) < 0 || range.offsetOf(at) >= range.size()) {
        throw BufferCheck.invalid(
            call,
            name,
            ErrorText.of(
                "%d bytes at 0x%x, of which the driver of %s knows the first %d",
                buffer.size(), buffer.address(), provider.name(), buffer.size() - left),
            ErrorText.of(
                "memory of device %d (%s), or host memory that is pinned",
                device.index(), device.name()));
      }
      if (range.kind() == MemoryKind.DEVICE && !isReached(range.device())) {
        if (range.device() >= provider.devices().size()) {
          throw BufferCheck.invalid(
              call, name, "memory of device " + range.device(), "one of this process");
        }
        reach(call, name, provider.devices().get(range.device()));
      }
      long here = range.size() - range.offsetOf(at);
      at += Math.min(here, left);
      left -= Math.min(here, left);
    }
    buffer.setKnown();
  }

  private @Nullable MemoryRange find(String call, long address) {
    try {
      return provider.find(address);
    } catch (DeviceException e) {
      throw new CommException(e.result(), -1, call + ": " + e.getMessage(), e);
    }
  }

  private boolean isReached(int index) {
    return index >= 0 && index < reached.length && reached[index];
  }

  /** Lets this rank's device use the memory of another one, the first time. */
  private void reach(String call, String name, Device owner) {
    int index = owner.index();
    if (isReached(index) && provider.devices().get(index).equals(owner)) {
      return;
    }
    List<Device> devices = provider.devices();
    if (index < 0 || index >= devices.size() || !devices.get(index).equals(owner)) {
      throw BufferCheck.invalid(
          call,
          name,
          ErrorText.of("a buffer of %s, a device of another provider", owner.name()),
          ErrorText.of("one of device %d of %s", device.index(), provider.name()));
    }
    try {
      if (device.canAccess(owner)) {
        device.enablePeerAccess(owner);
        reached[index] = true;
        return;
      }
    } catch (DeviceException e) {
      throw new CommException(e.result(), -1, call + ": " + e.getMessage(), e);
    }
    throw BufferCheck.invalid(
        call,
        name,
        ErrorText.of("memory of device %d (%s)", index, owner.name()),
        ErrorText.of(
            "memory that device %d (%s), this rank's, can access", device.index(), device.name()));
  }

  /** Checks a stream. */
  void stream(String call, @Nullable DeviceStream stream) {
    if (stream == null || !stream.device().equals(device)) {
      throw BufferCheck.invalid(
          call,
          "stream",
          stream == null
              ? "null"
              : ErrorText.of(
                  "one of device %d (%s)", stream.device().index(), stream.device().name()),
          ErrorText.of("a stream of device %d (%s)", device.index(), device.name()));
    }
  }
}
