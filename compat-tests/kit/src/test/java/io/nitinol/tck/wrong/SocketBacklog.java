// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.core.plugin.adapt.NetV5ToV6;
import io.nitinol.samples.netv5.SampleV5;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * A network whose connect is complete before the accept that returns the other end, which knows the
 * comms that are WAITING.
 */
abstract class SocketBacklog extends WrongNet {
  /** Where a handle of the toolkit, which the sample has, has its key. */
  private static final long KEY = 32;

  /** The comms that were not accepted, oldest first, by the key of their listener. */
  private static final Map<Long, Deque<SendComm>> BACKLOGS = new ConcurrentHashMap<>();

  private final Map<ListenComm, Long> keys = new ConcurrentHashMap<>();

  /** The comms that were not accepted, of all instances. */
  static final Set<SendComm> WAITING = ConcurrentHashMap.newKeySet();

  SocketBacklog() {
    super(new NetV5ToV6(new SampleV5()));
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    ListenComm listener = net.listen(device, handle);
    keys.put(listener, handle.get(ValueLayout.JAVA_LONG_UNALIGNED, KEY));
    return listener;
  }

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    SendComm comm = net.connect(device, handle);
    if (comm != null) {
      WAITING.add(comm);
      BACKLOGS
          .computeIfAbsent(
              handle.get(ValueLayout.JAVA_LONG_UNALIGNED, KEY),
              key -> new ConcurrentLinkedDeque<>())
          .addLast(comm);
    }
    return comm;
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    RecvComm comm = net.accept(listenComm);
    Long key = comm == null ? null : keys.get(listenComm);
    Deque<SendComm> backlog = key == null ? null : BACKLOGS.get(key);
    SendComm other = backlog == null ? null : backlog.pollFirst();
    if (other != null) {
      WAITING.remove(other);
    }
    return comm;
  }

  /** Returns the comm that is to be accepted next. */
  final @Nullable SendComm next(ListenComm listenComm) {
    Long key = keys.get(listenComm);
    Deque<SendComm> backlog = key == null ? null : BACKLOGS.get(key);
    return backlog == null ? null : backlog.peekFirst();
  }
}
