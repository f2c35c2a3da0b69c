// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Networks that are right until contexts, connections or refused calls meet in some order. */
public final class LifeMistakes {
  private LifeMistakes() {}

  /** Sends a byte less of each long message that comes after a refused one on its comm. */
  @Breaks(
      value = "NET-ERR-03",
      also = {"NET-RECV-04", "NET-SEND-08"})
  public static final class SendsLessAfterARefusal extends WrongNewestNet {
    private final Set<SendComm> refused = ConcurrentHashMap.newKeySet();

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag, long handle) {
      boolean spoilt = length > 100 && comm != null && refused.contains(comm);
      try {
        return super.isend(comm, mr, offset, spoilt ? length - 1 : length, tag, handle);
      } catch (NetException e) {
        if (comm != null) {
          refused.add(comm);
        }
        throw e;
      }
    }

    @Override
    public void closeSend(SendComm comm) {
      super.closeSend(comm);
      refused.remove(comm);
    }
  }

  /** Loses what comes on connections between contexts when a third context ends. */
  @Breaks("NET-INIT-08")
  public static final class LosesCommsBetweenContexts extends WrongNewestNet {
    private final Map<ListenComm, NetContext> listeners = new ConcurrentHashMap<>();
    private final Map<RecvComm, NetContext> receivers = new ConcurrentHashMap<>();
    private final Set<Comm> lost = ConcurrentHashMap.newKeySet();

    @Override
    public ListenComm listen(NetContext context, int device, MemorySegment handle) {
      ListenComm listener = super.listen(context, device, handle);
      listeners.put(listener, context);
      return listener;
    }

    @Override
    public @Nullable RecvComm accept(ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
      RecvComm comm = super.accept(listenComm, deviceHandle);
      NetContext context = comm == null ? null : listeners.get(listenComm);
      if (comm != null && context != null) {
        receivers.put(comm, context);
      }
      return comm;
    }

    @Override
    public @Nullable Request irecv(
        RecvComm comm,
        int n,
        MemoryHandle[] mrs,
        long[] offsets,
        long[] lengths,
        int[] tags,
        long @Nullable [] handles,
        int hints) {
      if (comm != null && lost.contains(comm)) {
        throw new NetException(ResultCode.REMOTE_ERROR, "the context is gone");
      }
      return super.irecv(comm, n, mrs, offsets, lengths, tags, handles, hints);
    }

    @Override
    public void finalizeContext(NetContext context) {
      super.finalizeContext(context);
      if (Set.copyOf(receivers.values()).size() >= 2) {
        lost.addAll(receivers.keySet());
      }
    }

    @Override
    public void closeRecv(RecvComm comm) {
      super.closeRecv(comm);
      receivers.remove(comm);
      lost.remove(comm);
    }
  }
}
