// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import org.jspecify.annotations.Nullable;

/** Waits for a peer that is gone. */
@Breaks(
    value = "NET-CLOSE-05",
    also = {"NET-ERR-07", "NET-RECV-07"})
public final class DoesNotNoticeThatThePeerCloses extends WrongNet {
  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    try {
      return net.isend(comm, mr, offset, length, tag);
    } catch (NetException e) {
      return nothing(e);
    }
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    try {
      return net.test(request, sizes);
    } catch (NetException e) {
      nothing(e);
      return false;
    }
  }

  private static @Nullable Request nothing(NetException e) {
    if (e.result() != ResultCode.REMOTE_ERROR) {
      throw e;
    }
    return null;
  }
}
