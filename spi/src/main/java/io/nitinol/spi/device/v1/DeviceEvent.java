// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.device.v1;

/**
 * A point in a stream. {@link DeviceStream#record} sets it, again and again if need be; every
 * method speaks of the newest record. An event that was never recorded is complete.
 */
public interface DeviceEvent extends AutoCloseable {

  /** {@return the device that it belongs to} */
  Device device();

  /**
   * Returns whether the work before the point is done. Never waits.
   *
   * @return true if it is
   * @throws DeviceException with DEVICE_LOST or DRIVER_ERROR when that work has failed; with
   *     INVALID_STATE where the event was recorded into a capture
   */
  boolean query();

  /**
   * Waits until the work before the point is done.
   *
   * @param timeoutNanos how long to wait at the most, in nanoseconds; 0 or less asks only
   * @return true if it is done; false after that time, or when the thread is interrupted, whose
   *     interrupt status stays
   * @throws DeviceException as {@link #query}
   */
  boolean synchronize(long timeoutNanos);

  /**
   * Returns the time between two points, by the device's clock.
   *
   * @param start the earlier point, of the same device
   * @return nanoseconds from there to here, as exact as the driver has it (CUDA: 500)
   * @throws DeviceException with INVALID_STATE where one of the two is not timed, was never
   *     recorded or is not complete
   */
  long elapsedNanos(DeviceEvent start);

  /** Frees the event; streams that wait for it go on waiting. A second call does nothing. */
  @Override
  void close();
}
