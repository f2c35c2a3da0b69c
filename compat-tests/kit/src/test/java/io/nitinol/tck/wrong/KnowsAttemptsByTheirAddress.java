// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Goes on with the attempt that once was at this address, whatever is written there: also in a test
 * that happens to get the address of an attempt that another one abandoned.
 */
@Breaks(value = "NET-CONN-06", also = "NET-CONN-09")
public final class KnowsAttemptsByTheirAddress extends WrongNet {

  private final Map<Long, MemorySegment> attempts = new ConcurrentHashMap<>();

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    if (handle.byteSize() < HANDLE_MAXSIZE) {
      return net.connect(device, handle);
    }
    MemorySegment own =
        attempts.computeIfAbsent(
            handle.address(),
            at ->
                Arena.ofAuto()
                    .allocate(HANDLE_MAXSIZE, 8)
                    .copyFrom(handle.asSlice(0, HANDLE_MAXSIZE)));
    try {
      SendComm comm = net.connect(device, own);
      if (comm != null) {
        attempts.remove(handle.address());
      }
      return comm;
    } catch (NetException e) {
      attempts.remove(handle.address());
      throw e;
    }
  }
}
