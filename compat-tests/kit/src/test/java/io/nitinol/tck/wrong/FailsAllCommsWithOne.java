// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Gives up every comm when one peer is gone. */
@Breaks("NET-ERR-06")
public final class FailsAllCommsWithOne extends WrongNet {
  private final Set<SendComm> sending = ConcurrentHashMap.newKeySet();
  private final Set<SendComm> failed = ConcurrentHashMap.newKeySet();

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    SendComm comm = net.connect(device, handle);
    if (comm != null) {
      sending.add(comm);
    }
    return comm;
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    try {
      return net.test(request, sizes);
    } catch (NetException e) {
      if (e.result() == ResultCode.REMOTE_ERROR) {
        failed.addAll(sending);
      }
      throw e;
    }
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    if (comm != null && failed.contains(comm)) {
      throw new NetException(ResultCode.REMOTE_ERROR, "a peer is gone");
    }
    return net.isend(comm, mr, offset, length, tag);
  }

  @Override
  public void closeSend(SendComm comm) {
    net.closeSend(comm);
    sending.remove(comm);
  }
}
