// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** While a send of a comm is in flight, the next ones share its request. */
@Breaks(value = "NET-TEST-05", also = "NET-TEST-03")
public final class OneRequestForSeveralSends extends WrongNet {
  private static final class Shared implements Request {
    final ArrayDeque<Request> sends = new ArrayDeque<>();
  }

  private final Map<SendComm, Shared> requests = new ConcurrentHashMap<>();

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    Request request = super.isend(comm, mr, offset, length, tag);
    if (request == null) {
      return null;
    }
    Shared shared = requests.get(comm);
    if (shared == null) {
      shared = new Shared();
      requests.put(comm, shared);
    }
    shared.sends.add(request);
    return shared;
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    if (!(request instanceof Shared shared)) {
      return super.test(request, sizes);
    }
    Request first = shared.sends.peek();
    boolean done = super.test(first == null ? request : first, sizes);
    if (done) {
      shared.sends.remove();
    }
    return done;
  }

  @Override
  public void closeSend(SendComm comm) {
    super.closeSend(comm);
    requests.remove(comm);
  }
}
