// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Repeats what it said of a handle that it could not read for every later one in the buffer. */
@Breaks("NET-CONN-16")
public final class FailureSticksToTheBuffer extends WrongNet {

  private final Map<Long, NetException> failures = new ConcurrentHashMap<>();

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    NetException before = failures.get(handle.address());
    if (before != null) {
      throw before;
    }
    try {
      return net.connect(device, handle);
    } catch (NetException e) {
      if (e.result() == ResultCode.INVALID_ARGUMENT
          && handle.byteSize() == HANDLE_MAXSIZE
          && device == 0) {
        failures.put(handle.address(), e);
      }
      throw e;
    }
  }
}
