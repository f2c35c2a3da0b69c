// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.net.socket.SocketNet;
import io.nitinol.spi.NetException;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Answers null to a send beyond its room, and sends it all the same when there is room. */
@Breaks(value = "NET-SEND-02", also = "NET-RECV-03")
public final class SendsWhatItRefused extends WrongNewestNet {
  private record Refused(SendComm comm, MemoryHandle mr, long offset, long length, int tag) {}

  private final AtomicReference<@Nullable Refused> refused = new AtomicReference<>();

  public SendsWhatItRefused() {
    super(new SocketNet());
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
    Request request = super.isend(comm, mr, offset, length, tag, profilerHandle);
    if (request == null) {
      refused.compareAndSet(null, new Refused(comm, mr, offset, length, tag));
    }
    return request;
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    boolean done = super.test(request, sizes);
    Refused again = done ? refused.getAndSet(null) : null;
    if (again != null) {
      try {
        super.isend(again.comm(), again.mr(), again.offset(), again.length(), again.tag(), 0);
      } catch (NetException e) {
        // The comm has been closed since.
        return done;
      }
    }
    return done;
  }
}
