// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.call.BufferCheck;
import io.nitinol.core.device.MemoryPiece;
import io.nitinol.core.plugin.BufferAdapters;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.buffer.v1.BufferView;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import org.jspecify.annotations.Nullable;

/**
 * A piece of memory that a device reaches, by address, size and device: what the calls of a {@link
 * DeviceCommunicator} take. The memory may be another library's; this object owns nothing and
 * copies nothing.
 *
 * <pre>{@code
 * DeviceBuffer.of(device, tensor.data_ptr(), tensor.nbytes())
 * }</pre>
 *
 * <p>The first call that a communicator gets with a buffer asks the driver whether the address is
 * of memory that the device reaches, and later calls with the same object do not ask again. So a
 * program keeps one object for a buffer that it uses often, and makes a new one for memory that it
 * has allocated anew.
 */
@AnyThread
public final class DeviceBuffer {
  private final MemoryPiece piece;

  private DeviceBuffer(MemoryPiece piece) {
    this.piece = piece;
  }

  /**
   * Names memory by its address.
   *
   * @param device the device that uses it
   * @param address the first byte, as the device sees it: a {@code CUdeviceptr}
   * @param size the number of bytes, 0 or more
   * @return the buffer
   * @throws CommException INVALID_ARGUMENT for a negative size, and for address 0 unless the size
   *     is 0
   */
  public static DeviceBuffer of(Device device, long address, long size) {
    BufferCheck.given("device buffer", "device", device);
    if (size < 0 || (address == 0 && size > 0)) {
      throw new CommException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "device buffer: %d bytes at address 0x%x; expected a size of 0 or more and an address"
                  + " that is not 0",
              size, address));
    }
    return new DeviceBuffer(new MemoryPiece(device, address, size));
  }

  /**
   * Names the memory that a provider holds.
   *
   * @param memory stays the caller's, open for as long as the buffer is used
   * @return the buffer
   */
  public static DeviceBuffer of(DeviceMemory memory) {
    BufferCheck.given("device buffer", "memory", memory);
    return of(memory.device(), memory.address(), memory.size());
  }

  /**
   * Names the memory of an object of another library, which a {@link
   * io.nitinol.spi.buffer.v1.BufferAdapter} of that library tells. Memory of the host is taken,
   * too: the driver is asked whether the device reaches it. Read-only memory is not, since a buffer
   * does not say that it must not be written. The adapters are those that the context class loader
   * of the calling thread finds.
   *
   * @param device the device that uses it
   * @param object stays the caller's, open, reachable and as large as it is for as long as the
   *     buffer is used
   * @return the buffer
   * @throws CommException INVALID_ARGUMENT, which names the class and the adapters that there are,
   *     where no adapter knows the object, or its memory cannot be used
   */
  public static DeviceBuffer adapt(Device device, Object object) {
    BufferCheck.given("device buffer", "object", object);
    BufferView.DeviceAddress view = BufferAdapters.ofThread().device("device buffer", object);
    return of(device, view.address(), view.bytes());
  }

  /**
   * Names a part of this buffer.
   *
   * @param offset where it begins, in bytes
   * @param length its number of bytes
   * @return the part, about which the driver is not asked again if it was asked about the whole
   * @throws CommException INVALID_ARGUMENT where it is not within this buffer
   */
  public DeviceBuffer slice(long offset, long length) {
    long size = piece.size();
    if (offset < 0 || length < 0 || offset > size || length > size - offset) {
      throw new CommException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "device buffer: a slice of %d bytes at offset %d; expected one within %d bytes",
              length, offset, size));
    }
    return new DeviceBuffer(piece.slice(offset, length));
  }

  /** Returns the device that uses it. */
  public Device device() {
    return piece.device();
  }

  /** Returns the first byte. */
  public long address() {
    return piece.address();
  }

  /** Returns the number of bytes. */
  public long size() {
    return piece.size();
  }

  /** Returns what the calls check; null where there is no buffer. */
  static @Nullable MemoryPiece piece(@Nullable DeviceBuffer buffer) {
    return buffer == null ? null : buffer.piece;
  }

  @Override
  public String toString() {
    return ErrorText.of("%d bytes at 0x%x of device %d", size(), address(), device().index());
  }
}
