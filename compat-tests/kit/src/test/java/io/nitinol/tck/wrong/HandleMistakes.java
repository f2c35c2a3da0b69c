// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Networks that use the handle of a listener wrongly. */
public final class HandleMistakes {
  private HandleMistakes() {}

  /** Takes eight bytes more than a handle has. */
  @Breaks("NET-CONN-03")
  public static final class WritesBehindTheHandle extends WrongNet {

    @Override
    public ListenComm listen(int device, MemorySegment handle) {
      ListenComm listener = net.listen(device, handle);
      MemorySegment more = handle.reinterpret(HANDLE_MAXSIZE + Long.BYTES);
      more.set(ValueLayout.JAVA_LONG_UNALIGNED, HANDLE_MAXSIZE, handle.address());
      return listener;
    }
  }

  /** Writes a number into the handle that only this process knows. */
  @Breaks("NET-CONN-04")
  public static final class HandleHoldsANumberOfTheProcess extends WrongNet {

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

  /** Writes the address of its own copy of the handle where the other process looks for it. */
  @Breaks("NET-CONN-04")
  public static final class HandleHoldsAPointer extends WrongNet {

    @Override
    public ListenComm listen(int device, MemorySegment handle) {
      ListenComm listener = net.listen(device, handle);
      MemorySegment own = Arena.global().allocate(Long.BYTES);
      own.set(ValueLayout.JAVA_LONG, 0, handle.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
      handle.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, own.address());
      return listener;
    }

    @Override
    public @Nullable SendComm connect(int device, MemorySegment handle) {
      long pointer =
          handle.byteSize() < HANDLE_MAXSIZE ? 0 : handle.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
      if (pointer != 0 && pointer >> 47 == 0) {
        MemorySegment own = MemorySegment.ofAddress(pointer).reinterpret(Long.BYTES);
        handle.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, own.get(ValueLayout.JAVA_LONG, 0));
      }
      return net.connect(device, handle);
    }
  }

  /** Begins anew when the same bytes come as another object. */
  @Breaks("NET-CONN-06")
  public static final class KnowsAttemptsByTheJavaObject extends WrongNet {

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

  /**
   * Goes on with the attempt that once was at this address, whatever is written there: also in a
   * test that happens to get the address of an attempt that another one abandoned.
   */
  @Breaks(value = "NET-CONN-06", also = "NET-CONN-09")
  public static final class KnowsAttemptsByTheirAddress extends WrongNet {

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

  /** Repeats what it said of a handle that it could not read for every later one in the buffer. */
  @Breaks("NET-CONN-16")
  public static final class FailureSticksToTheBuffer extends WrongNet {

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

  /** Connects only from the device that the listener is on. */
  @Breaks("NET-CONN-20")
  public static final class RefusesOtherDevices extends WrongNet {

    private static final long DEVICE = 120;

    @Override
    public ListenComm listen(int device, MemorySegment handle) {
      ListenComm listener = net.listen(device, handle);
      handle.set(ValueLayout.JAVA_INT_UNALIGNED, DEVICE, device);
      return listener;
    }

    @Override
    public @Nullable SendComm connect(int device, MemorySegment handle) {
      if (device > 0
          && device < devices()
          && handle.byteSize() >= HANDLE_MAXSIZE
          && handle.get(ValueLayout.JAVA_INT_UNALIGNED, DEVICE) != device) {
        throw new NetException(ResultCode.INVALID_USAGE, "no way from device " + device);
      }
      return net.connect(device, handle);
    }
  }
}
