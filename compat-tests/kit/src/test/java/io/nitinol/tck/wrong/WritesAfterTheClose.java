// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Has a last byte on its way into a receive when that is closed. */
@Breaks("NET-CLOSE-03")
public final class WritesAfterTheClose extends WrongNet {
  private final Map<MemoryHandle, MemorySegment> memory = new ConcurrentHashMap<>();
  private final Map<RecvComm, MemorySegment> posted = new ConcurrentHashMap<>();
  private final Deque<MemorySegment> late = new ArrayDeque<>();

  @Override
  public MemoryHandle regMr(Comm comm, Memory registered) {
    MemoryHandle handle = net.regMr(comm, registered);
    MemorySegment segment = registered.segment();
    if (segment != null && segment.byteSize() >= 1 << 20 && !segment.isReadOnly()) {
      memory.put(handle, segment);
    }
    return handle;
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    Request request = net.irecv(comm, n, mrs, offsets, lengths, tags);
    if (request != null && memory.containsKey(mrs[0])) {
      posted.put(comm, memory.get(mrs[0]));
    }
    return request;
  }

  @Override
  public synchronized void closeRecv(RecvComm comm) {
    net.closeRecv(comm);
    MemorySegment segment = posted.remove(comm);
    if (segment != null) {
      late.clear();
      late.add(segment);
    }
  }

  @Override
  public synchronized boolean test(Request request, int @Nullable [] sizes) {
    MemorySegment segment = late.poll();
    if (segment != null && segment.scope().isAlive()) {
      segment.set(ValueLayout.JAVA_BYTE, 0, (byte) ~segment.get(ValueLayout.JAVA_BYTE, 0));
    }
    return net.test(request, sizes);
  }
}
