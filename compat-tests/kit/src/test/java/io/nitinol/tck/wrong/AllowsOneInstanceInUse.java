// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.RecvComm;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Has its connections in a table that only one instance may use. */
@Breaks(value = "NET-INIT-05", also = "NET-CONN-01")
public final class AllowsOneInstanceInUse extends WrongNet {
  private static final Object LOCK = new Object();
  private static final Set<Object> IN_USE = ConcurrentHashMap.newKeySet();
  private static @Nullable Object owner;

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    synchronized (LOCK) {
      if (owner != null && !owner.equals(this) && !IN_USE.isEmpty()) {
        throw new NetException(ResultCode.SYSTEM_ERROR, "another instance is in use");
      }
      ListenComm comm = net.listen(device, handle);
      owner = this;
      IN_USE.add(comm);
      return comm;
    }
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    RecvComm comm = net.accept(listenComm);
    if (comm != null) {
      IN_USE.add(comm);
    }
    return comm;
  }

  @Override
  public void closeListen(ListenComm comm) {
    net.closeListen(comm);
    IN_USE.remove(comm);
  }

  @Override
  public void closeRecv(RecvComm comm) {
    net.closeRecv(comm);
    IN_USE.remove(comm);
  }
}
