// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.net.socket.SocketNet;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import org.jspecify.annotations.Nullable;

/** Fails where there is no room for a send. */
@Breaks("NET-SEND-04")
public final class ThrowsWhenFull extends WrongNewestNet {
  public ThrowsWhenFull() {
    super(new SocketNet());
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
    Request request = super.isend(comm, mr, offset, length, tag, profilerHandle);
    if (request == null) {
      throw new NetException(ResultCode.INTERNAL_ERROR, "unable to allocate a request");
    }
    return request;
  }
}
