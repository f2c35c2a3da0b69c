// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.toolkit.connect.Listener;
import org.jspecify.annotations.Nullable;

/** A point that accepts connections on a device. Driven by one thread at a time. */
final class OfiListener implements ListenComm {
  private final OfiDevice device;
  private final Listener<OfiRecvComm> listener;
  private boolean closed;

  OfiListener(OfiDevice device, Listener<OfiRecvComm> listener) {
    this.device = device;
    this.listener = listener;
  }

  OfiDevice device() {
    return device;
  }

  @Nullable OfiRecvComm accept() {
    checkOpen();
    return listener.poll();
  }

  void close() {
    checkOpen();
    closed = true;
    listener.close();
  }

  private void checkOpen() {
    if (closed) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, device.label() + ": the listener is closed");
    }
  }
}
