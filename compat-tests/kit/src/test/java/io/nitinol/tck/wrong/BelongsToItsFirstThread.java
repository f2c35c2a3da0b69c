// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Lets only the thread that sent first on a comm send on it. */
@Breaks("NET-THREAD-05")
public final class BelongsToItsFirstThread extends WrongNet {
  private final Map<SendComm, Thread> owners = new ConcurrentHashMap<>();

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    Request request = net.isend(comm, mr, offset, length, tag);
    if (request != null) {
      Thread owner = owners.computeIfAbsent(comm, key -> Thread.currentThread());
      if (!owner.equals(Thread.currentThread())) {
        throw new NetException(ResultCode.INTERNAL_ERROR, "this comm belongs to " + owner);
      }
    }
    return request;
  }

  @Override
  public void closeSend(SendComm comm) {
    net.closeSend(comm);
    owners.remove(comm);
  }
}
