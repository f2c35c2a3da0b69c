// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Writes a number into the handle that only this process knows. */
@Breaks("NET-CONN-04")
public final class HandleHoldsANumberOfTheProcess extends WrongNet {

  private static final Map<Long, MemorySegment> LISTENERS = new ConcurrentHashMap<>();
  private static final Map<Long, MemorySegment> ATTEMPTS = new ConcurrentHashMap<>();
  private static final AtomicLong NUMBER = new AtomicLong();
  private static final long ATTEMPT = 8;

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    if (handle.byteSize() < HANDLE_MAXSIZE) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, "short handle");
    }
    MemorySegment own = Arena.ofAuto().allocate(HANDLE_MAXSIZE, 8);
    ListenComm listener = net.listen(device, own);
    long number = NUMBER.incrementAndGet();
    LISTENERS.put(number, own);
    handle.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, number);
    return listener;
  }

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    if (handle.byteSize() < HANDLE_MAXSIZE) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, "short handle");
    }
    MemorySegment own = LISTENERS.get(handle.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
    if (own == null) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, "no such listener");
    }
    long number = handle.get(ValueLayout.JAVA_LONG_UNALIGNED, ATTEMPT);
    if (number == 0) {
      number = NUMBER.incrementAndGet();
      ATTEMPTS.put(number, Arena.ofAuto().allocate(HANDLE_MAXSIZE, 8).copyFrom(own));
      handle.set(ValueLayout.JAVA_LONG_UNALIGNED, ATTEMPT, number);
    }
    return net.connect(device, ATTEMPTS.getOrDefault(number, own));
  }
}
