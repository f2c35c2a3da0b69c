// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.tck.session.NetSession;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Waits in accept for somebody to connect, on its second device. */
@Breaks("NET-CONN-08")
public final class AcceptWaitsForConnect extends WrongNet {
  private final Set<ListenComm> second = ConcurrentHashMap.newKeySet();

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    ListenComm listener = net.listen(device, handle);
    if (device == 1) {
      second.add(listener);
    }
    return listener;
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    @Nullable RecvComm[] comm = {net.accept(listenComm)};
    if (comm[0] == null && second.contains(listenComm)) {
      NetSession.within(
          150_000_000,
          () -> {
            comm[0] = net.accept(listenComm);
            return comm[0] != null;
          });
    }
    return comm[0];
  }
}
