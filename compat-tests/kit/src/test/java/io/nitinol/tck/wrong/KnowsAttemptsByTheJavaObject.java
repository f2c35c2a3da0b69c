// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Begins anew when the same bytes come as another object. */
@Breaks("NET-CONN-06")
public final class KnowsAttemptsByTheJavaObject extends WrongNet {

  private final Map<MemorySegment, MemorySegment> attempts =
      Collections.synchronizedMap(new IdentityHashMap<>());

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    if (handle.byteSize() < HANDLE_MAXSIZE) {
      return net.connect(device, handle);
    }
    MemorySegment own =
        attempts.computeIfAbsent(
            handle,
            at ->
                Arena.ofAuto()
                    .allocate(HANDLE_MAXSIZE, 8)
                    .copyFrom(handle.asSlice(0, HANDLE_MAXSIZE)));
    try {
      SendComm comm = net.connect(device, own);
      if (comm != null) {
        attempts.remove(handle);
      }
      return comm;
    } catch (NetException e) {
      attempts.remove(handle);
      throw e;
    }
  }
}
