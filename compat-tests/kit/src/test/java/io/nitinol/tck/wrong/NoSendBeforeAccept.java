// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import org.jspecify.annotations.Nullable;

/** Fails a send on a comm whose other side has not been accepted. */
@Breaks(
    value = "NET-CONN-12",
    also = {"NET-CONN-11", "NET-CONN-17"})
public final class NoSendBeforeAccept extends SocketBacklog {

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    if (comm != null && WAITING.contains(comm)) {
      throw new NetException(ResultCode.INVALID_USAGE, "not connected yet");
    }
    return net.isend(comm, mr, offset, length, tag);
  }
}
