// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.session.NetSession;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Waits in the second of two connects of a thread until somebody accepts. */
@Breaks("NET-V4-03")
public final class V4ConnectWaitsForAccept extends WrongNetV4 {
  private static final long PORT = 4;
  private static final AtomicInteger ACCEPTED = new AtomicInteger();
  private static final ThreadLocal<Long> LAST = new ThreadLocal<>();

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    int before = ACCEPTED.get();
    SendComm comm = net.connect(device, handle);
    long place = comm == null ? 0 : handle.get(ValueLayout.JAVA_INT_UNALIGNED, PORT);
    Long last = LAST.get();
    long now = place + ((long) before << Integer.SIZE);
    LAST.set(now);
    // Only where nobody has accepted since the first, which went to another listener.
    if (last != null && last != now && last >> Integer.SIZE == before) {
      NetSession.within(TimeUnit.SECONDS.toNanos(6), () -> ACCEPTED.get() > before);
    }
    return comm;
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    RecvComm comm = net.accept(listenComm);
    ACCEPTED.incrementAndGet();
    return comm;
  }
}
