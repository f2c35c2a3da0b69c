// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Lets an attempt wait until the one before it at the same listener has come to an end. */
@Breaks(value = "NET-CONN-11", also = "NET-CONN-17")
public final class OneAttemptAtATime extends WrongNet {

  private static final long LISTENER = 32;
  private static final long ATTEMPT = 112;

  /** The attempt that is under way at each listener. */
  private final Map<Long, Long> underWay = new ConcurrentHashMap<>();

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    if (handle.byteSize() < HANDLE_MAXSIZE) {
      return net.connect(device, handle);
    }
    long listener = handle.get(ValueLayout.JAVA_LONG_UNALIGNED, LISTENER);
    Long first = underWay.get(listener);
    if (first != null && first != handle.get(ValueLayout.JAVA_LONG_UNALIGNED, ATTEMPT)) {
      return null;
    }
    try {
      SendComm comm = net.connect(device, handle);
      if (comm != null) {
        underWay.remove(listener);
      } else {
        underWay.put(listener, handle.get(ValueLayout.JAVA_LONG_UNALIGNED, ATTEMPT));
      }
      return comm;
    } catch (NetException e) {
      underWay.remove(listener);
      throw e;
    }
  }
}
