// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import io.nitinol.samples.memory.MemoryNet;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.ForwardingNet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A right network inside one process whose connections are complete once the receiving side has
 * tested: the first send of each has no room before, as with libraries whose two ends both have to
 * be called.
 */
public final class MovesWhileBothSidesCall extends ForwardingNet {
  private static final AtomicLong TESTS = new AtomicLong();
  private static final Set<Request> RECEIVES = ConcurrentHashMap.newKeySet();

  /** How many tests of receives there had been when the comm was first asked to send. */
  private final Map<SendComm, Long> asked = new ConcurrentHashMap<>();

  /** For the kit. */
  public MovesWhileBothSidesCall() {
    super(new MemoryNet());
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    long now = TESTS.get();
    return asked.computeIfAbsent(comm, first -> now) == now
        ? null
        : super.isend(comm, mr, offset, length, tag);
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    Request request = super.irecv(comm, n, mrs, offsets, lengths, tags);
    if (request != null) {
      RECEIVES.add(request);
    }
    return request;
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    if (request != null && RECEIVES.contains(request)) {
      TESTS.incrementAndGet();
    }
    return super.test(request, sizes);
  }

  @Override
  public void closeSend(SendComm comm) {
    super.closeSend(comm);
    asked.remove(comm);
  }
}
