// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.device.v1;

/**
 * Recorded work that {@link DeviceStream#launch} does as often as the caller likes. It refers to
 * the addresses, teams and other objects that it was recorded with, which the caller keeps alive.
 */
public interface DeviceGraph extends AutoCloseable {

  /** {@return the device of the stream that recorded it} */
  Device device();

  /** Frees the graph; runs that were launched are still done. A second call does nothing. */
  @Override
  void close();
}
