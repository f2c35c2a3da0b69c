// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Fails a receive whose message is a little too long, and goes on with the next. */
@Breaks(
    value = "NET-RECV-07",
    also = {"NET-ERR-05", "NET-TEST-10"})
public final class LivesOnAfterALongMessage extends WatchingNet {
  private static final int SPARE = 16 << 10;

  /** What is behind a piece, to be put back. */
  private final Map<Request, byte[]> behind = new ConcurrentHashMap<>();

  private final long[] room = new long[1];
  private final int[] size = new int[1];

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    Memory memory = n == 1 && mrs.length > 0 && mrs[0] != null ? memoryOf(mrs[0]) : null;
    if (memory == null
        || offsets.length < 1
        || lengths.length < 1
        || offsets[0] < 0
        || lengths[0] < 0
        || offsets[0] > memory.size() - lengths[0]) {
      return super.irecv(comm, n, mrs, offsets, lengths, tags);
    }
    synchronized (room) {
      room[0] = Math.min(memory.size() - offsets[0], lengths[0] + SPARE);
      Request request = super.irecv(comm, n, mrs, offsets, room, tags);
      Op op = request == null ? null : op(request);
      if (op != null) {
        byte[] kept = behind.computeIfAbsent(request, key -> new byte[SPARE]);
        for (int i = 0; i < room[0] - lengths[0]; i++) {
          kept[i] = op.get(0, lengths[0] + i);
        }
        op.lengths[0] = lengths[0];
      }
      return request;
    }
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    Op op = request == null ? null : op(request);
    if (op == null || op.sending || op.pieces != 1 || (sizes != null && sizes.length < 1)) {
      return super.test(request, sizes);
    }
    synchronized (size) {
      boolean done = super.test(request, size);
      byte[] kept = behind.get(request);
      if (done && kept != null && size[0] > op.lengths[0]) {
        for (int i = 0; i < size[0] - op.lengths[0]; i++) {
          op.set(0, op.lengths[0] + i, kept[i]);
        }
        throw new NetException(ResultCode.INVALID_USAGE, "a message of " + size[0] + " bytes");
      }
      if (done && sizes != null) {
        sizes[0] = size[0];
      }
      return done;
    }
  }

  @Override
  public void closeRecv(RecvComm comm) {
    behind.clear();
    super.closeRecv(comm);
  }
}
