// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.device.v1;

/**
 * A queue of work of one device, done in order. What puts work into it never waits for that work
 * ({@code DEVSTREAM-02}). Work that fails is reported by a later call on the stream, or on an event
 * behind it.
 *
 * <p>One thread at a time puts work into a stream; {@link #query} and {@link #synchronize} may come
 * from others beside it. Addresses are of memory that the provider {@linkplain DeviceProvider#find
 * finds} and the device reaches: its own, that of peers after {@link Device#enablePeerAccess},
 * opened memory, pinned host memory. The caller keeps it alive until the work is done. A provider
 * need not check addresses.
 */
public interface DeviceStream extends AutoCloseable {

  /** {@return the device that does the work} */
  Device device();

  /**
   * Returns the driver's handle, for other libraries.
   *
   * @return a {@code CUstream}, {@code hipStream_t} or {@code ze_command_list_handle_t} as a
   *     number; of another kind of device whatever its {@link Device#wrapStream} takes
   */
  long nativeHandle();

  /**
   * Copies bytes by the means that the driver prefers, as a copy engine.
   *
   * @param dst where the first byte goes
   * @param src the first byte; the two ranges do not overlap
   * @param size the number of bytes; 0 does nothing
   * @throws DeviceException with INVALID_ARGUMENT for a negative size
   */
  void copy(long dst, long src, long size);

  /**
   * Sets every byte of a range.
   *
   * @param dst the first byte
   * @param value what each byte becomes
   * @param size the number of bytes; 0 does nothing
   * @throws DeviceException with INVALID_ARGUMENT for a negative size
   */
  void fill(long dst, byte value, long size);

  /**
   * Writes a number when all work before has been done and its results can be seen by the host and
   * by every device. Needs {@link DeviceFeature#STREAM_VALUES}.
   *
   * @param address eight bytes at an address divisible by 8
   * @param value the number, in the host's byte order
   */
  default void writeValue(long address, long value) {
    throw DeviceOptions.unsupported(device().name(), DeviceFeature.STREAM_VALUES);
  }

  /**
   * Lets later work wait until a number has reached a value; what was written before the number was
   * can be seen then. The host, another stream or another device writes the number. Needs {@link
   * DeviceFeature#STREAM_VALUES}. The caller takes care that the number comes, after a failure too:
   * no call ends the waiting.
   *
   * @param address eight bytes at an address divisible by 8
   * @param value the least number; compared as the sign of the difference, so numbers may wrap
   */
  default void waitValue(long address, long value) {
    throw DeviceOptions.unsupported(device().name(), DeviceFeature.STREAM_VALUES);
  }

  /**
   * Sets an event at this point.
   *
   * @param event an event of the same device
   */
  void record(DeviceEvent event);

  /**
   * Lets later work wait for an event as it is recorded now; a later record of the event changes
   * nothing here.
   *
   * @param event an event of any device of the same provider; one that was never recorded does
   *     nothing
   */
  void await(DeviceEvent event);

  /**
   * Returns whether all work put in so far is done. Never waits.
   *
   * @return true if it is
   * @throws DeviceException with the failure of work; with INVALID_STATE during a capture
   */
  boolean query();

  /**
   * Waits until all work put in so far is done.
   *
   * @param timeoutNanos how long to wait at the most, in nanoseconds; 0 or less asks only
   * @return true if it is done; false after that time, or when the thread is interrupted, whose
   *     interrupt status stays
   * @throws DeviceException as {@link #query}
   */
  boolean synchronize(long timeoutNanos);

  /**
   * Begins to record work instead of doing it. A stream of the same provider that waits for an
   * event recorded in a capture joins it, and comes back by an event that this stream waits for.
   * Meanwhile other threads may use the provider for anything. Needs {@link DeviceFeature#GRAPHS}.
   *
   * @throws DeviceException with INVALID_STATE where the stream is capturing
   */
  default void beginCapture() {
    throw DeviceOptions.unsupported(device().name(), DeviceFeature.GRAPHS);
  }

  /**
   * Ends the capture and makes what was recorded ready for launch.
   *
   * @return the graph, owned by the caller until {@link DeviceGraph#close}
   * @throws DeviceException with INVALID_STATE where this stream did not begin a capture, or where
   *     the capture has failed, which it then ends
   */
  default DeviceGraph endCapture() {
    throw DeviceOptions.unsupported(device().name(), DeviceFeature.GRAPHS);
  }

  /**
   * Returns whether work is recorded at the moment, begun here or by another library on the stream
   * that this one wraps.
   *
   * @return true between begin and end
   */
  boolean isCapturing();

  /**
   * Does all work of a graph, after what came before. A graph may be launched again while it runs:
   * the second run begins after the first.
   *
   * @param graph a graph of the same device
   * @throws DeviceException with INVALID_STATE during a capture, or where the graph is closed
   */
  default void launch(DeviceGraph graph) {
    throw DeviceOptions.unsupported(device().name(), DeviceFeature.GRAPHS);
  }

  /**
   * Frees the stream without waiting: what was put in is still done. Of a wrapped stream it frees
   * the wrapper only. A second call does nothing.
   */
  @Override
  void close();
}
