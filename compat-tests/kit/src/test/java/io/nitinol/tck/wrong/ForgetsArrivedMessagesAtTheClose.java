// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Drops what has arrived when it hears that the sender has closed. */
@Breaks("NET-CLOSE-04")
public final class ForgetsArrivedMessagesAtTheClose extends WrongNet {
  private final Map<ListenComm, String> handles = new ConcurrentHashMap<>();
  private final Map<String, Deque<SendComm>> connected = new ConcurrentHashMap<>();
  private final Map<RecvComm, SendComm> peers = new ConcurrentHashMap<>();
  private final Map<Request, RecvComm> receives =
      Collections.synchronizedMap(new IdentityHashMap<>());
  private final Set<SendComm> closed = ConcurrentHashMap.newKeySet();

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    ListenComm comm = net.listen(device, handle);
    handles.put(comm, text(handle));
    return comm;
  }

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    String listener = text(handle);
    SendComm comm = net.connect(device, handle);
    if (comm != null) {
      connected.computeIfAbsent(listener, key -> new ArrayDeque<>()).add(comm);
    }
    return comm;
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    RecvComm comm = net.accept(listenComm);
    Deque<SendComm> peer = comm == null ? null : connected.get(handles.get(listenComm));
    if (peer != null && !peer.isEmpty()) {
      peers.put(comm, peer.remove());
    }
    return comm;
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    Request request = net.irecv(comm, n, mrs, offsets, lengths, tags);
    if (request != null) {
      receives.put(request, comm);
    }
    return request;
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    RecvComm comm = request == null ? null : receives.get(request);
    SendComm peer = comm == null ? null : peers.get(comm);
    if (peer != null && closed.contains(peer)) {
      throw new NetException(ResultCode.REMOTE_ERROR, "the sender has closed");
    }
    boolean done = net.test(request, sizes);
    if (done) {
      receives.remove(request);
    }
    return done;
  }

  @Override
  public void closeSend(SendComm comm) {
    net.closeSend(comm);
    closed.add(comm);
  }

  private static String text(MemorySegment handle) {
    StringBuilder text = new StringBuilder();
    for (long i = 0; i < 32 && i < handle.byteSize(); i++) {
      text.append(handle.get(ValueLayout.JAVA_BYTE, i)).append(' ');
    }
    return text.toString();
  }
}
