// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.core.plugin.adapt.NetV5ToV6;
import io.nitinol.samples.netv5.SampleV5;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v6.Net;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * A network whose connect is complete before accept is called, where the listener is in this
 * process: it accepts by itself, and keeps what it has accepted. It knows the comms that are
 * WAITING.
 */
abstract class SocketBacklog extends WrongNet {
  /** Where a handle of the toolkit, which the sample has, has its key. */
  private static final long KEY = 32;

  /** By the key of their listener. */
  private static final Map<Long, Backlog> BACKLOGS = new ConcurrentHashMap<>();

  /** The comms that were not accepted, of all instances. */
  static final Set<SendComm> WAITING = ConcurrentHashMap.newKeySet();

  private final Map<ListenComm, Long> keys = new ConcurrentHashMap<>();

  /** What one listener has accepted and not given away, and the other ends, the oldest first. */
  private record Backlog(
      Net net, ListenComm listener, Deque<RecvComm> arrived, Deque<SendComm> waiting) {
    synchronized void poll() {
      RecvComm comm = net.accept(listener);
      if (comm != null) {
        arrived.addLast(comm);
      }
    }
  }

  SocketBacklog() {
    super(new NetV5ToV6(new SampleV5()));
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    ListenComm listener = net.listen(device, handle);
    long key = handle.get(ValueLayout.JAVA_LONG_UNALIGNED, KEY);
    keys.put(listener, key);
    BACKLOGS.put(
        key,
        new Backlog(net, listener, new ConcurrentLinkedDeque<>(), new ConcurrentLinkedDeque<>()));
    return listener;
  }

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    SendComm comm = net.connect(device, handle);
    Backlog backlog = BACKLOGS.get(handle.get(ValueLayout.JAVA_LONG_UNALIGNED, KEY));
    if (backlog != null) {
      backlog.poll();
    }
    if (backlog != null && comm != null) {
      WAITING.add(comm);
      backlog.waiting().addLast(comm);
    }
    return comm;
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    Backlog backlog = backlog(listenComm);
    if (backlog == null) {
      return net.accept(listenComm);
    }
    backlog.poll();
    RecvComm comm = backlog.arrived().pollFirst();
    SendComm other = comm == null ? null : backlog.waiting().pollFirst();
    if (other != null) {
      WAITING.remove(other);
    }
    return comm;
  }

  @Override
  public void closeListen(ListenComm listenComm) {
    Long key = listenComm == null ? null : keys.remove(listenComm);
    Backlog backlog = key == null ? null : BACKLOGS.remove(key);
    net.closeListen(listenComm);
    if (backlog != null) {
      backlog.arrived().forEach(net::closeRecv);
    }
  }

  private @Nullable Backlog backlog(@Nullable ListenComm listenComm) {
    Long key = listenComm == null ? null : keys.get(listenComm);
    return key == null ? null : BACKLOGS.get(key);
  }

  /** Returns the comm that is to be accepted next. */
  final @Nullable SendComm next(ListenComm listenComm) {
    Backlog backlog = backlog(listenComm);
    return backlog == null ? null : backlog.waiting().peekFirst();
  }
}
