// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Checks a message against the registration and not its piece, and reports what was asked for. */
@Breaks("NET-RECV-06")
public final class CutsLongMessages extends WatchingNet {
  private final long[] room = new long[1];

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    Memory memory = n == 1 && mrs.length > 0 && mrs[0] != null ? memoryOf(mrs[0]) : null;
    if (memory == null
        || offsets.length < 1
        || lengths.length < 1
        || !inside(memory, offsets[0], lengths[0])) {
      return super.irecv(comm, n, mrs, offsets, lengths, tags);
    }
    synchronized (room) {
      room[0] = memory.size() - offsets[0];
      Request request = super.irecv(comm, n, mrs, offsets, room, tags);
      Op op = request == null ? null : op(request);
      if (op != null) {
        op.lengths[0] = lengths[0];
      }
      return request;
    }
  }

  private static boolean inside(Memory memory, long offset, long length) {
    return offset >= 0 && length >= 0 && offset <= memory.size() - length;
  }

  @Override
  void completed(Op op, int @Nullable [] sizes) {
    if (sizes != null && !op.sending && op.pieces == 1) {
      sizes[0] = (int) Math.min(sizes[0], op.lengths[0]);
    }
  }
}
