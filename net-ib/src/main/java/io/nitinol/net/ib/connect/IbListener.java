// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.connect;

import io.nitinol.net.ib.data.IbRecvEnd;
import io.nitinol.net.ib.device.IbDevice;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.toolkit.connect.Listener;
import org.jspecify.annotations.Nullable;

/** A point that accepts connections on a device. Driven by one thread at a time. */
public final class IbListener implements ListenComm {
  private final IbDevice device;
  private final Listener<IbRecvEnd> listener;
  private final Pace pace;

  IbListener(IbDevice device, Listener<IbRecvEnd> listener, Pace pace) {
    this.device = device;
    this.listener = listener;
    this.pace = pace;
  }

  /** {@return the device that it listens on} */
  public IbDevice device() {
    return device;
  }

  /**
   * Goes on with all that have connected.
   *
   * @return a comm, the caller's from here on; null: none yet
   * @throws io.nitinol.spi.NetException as {@code Net.accept} says
   */
  public @Nullable IbRecvEnd accept() {
    pace.begin();
    return listener.poll();
  }

  /** Closes it, and what has not become a comm. */
  public void close() {
    listener.close();
  }
}
