// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import org.jspecify.annotations.Nullable;

/** Lets the seventh message of a burst of small ones overtake the sixth. */
@Breaks(
    value = "NET-RECV-03",
    also = {"NET-RECV-09", "NET-RECV-11"})
public final class SwapsTwoMessages extends WrongNet {
  private record Held(SendComm comm, MemoryHandle mr, long offset, long length, int tag)
      implements Request {}

  private @Nullable SendComm bursting;
  private int burst;
  private @Nullable Held held;
  private @Nullable Request released;

  @Override
  public synchronized @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    if (comm != bursting) {
      bursting = comm;
      burst = 0;
    }
    if (burst == 5 && length < 4096 && held == null) {
      held = new Held(comm, mr, offset, length, tag);
      return held;
    }
    Request request = super.isend(comm, mr, offset, length, tag);
    if (request == null) {
      burst = 0;
    } else {
      burst++;
      release(comm);
    }
    return request;
  }

  private void release(SendComm comm) {
    Held late = held;
    if (late != null && released == null && late.comm() == comm) {
      released = super.isend(comm, late.mr(), late.offset(), late.length(), late.tag());
    }
  }

  @Override
  public synchronized boolean test(Request request, int @Nullable [] sizes) {
    burst = 0;
    Held late = held;
    if (late != null) {
      release(late.comm());
    }
    if (!(request instanceof Held)) {
      return super.test(request, sizes);
    }
    Request inner = released;
    boolean done = inner != null && super.test(inner, sizes);
    if (done) {
      held = null;
      released = null;
    }
    return done;
  }

  @Override
  public synchronized void closeSend(SendComm comm) {
    if (held != null && held.comm() == comm) {
      held = null;
      released = null;
    }
    super.closeSend(comm);
  }
}
