// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Networks that several threads or ranks of one process cannot share. */
public final class ThreadMistakes {
  private ThreadMistakes() {}

  /** Has one scratch buffer for all handles. */
  @Breaks("NET-THREAD-01")
  public static final class ListensOnOneThreadAtATime extends WrongNet {
    private final AtomicBoolean busy = new AtomicBoolean();

    @Override
    public ListenComm listen(int device, MemorySegment handle) {
      enter();
      try {
        return net.listen(device, handle);
      } finally {
        busy.set(false);
      }
    }

    private void enter() {
      if (!busy.compareAndSet(false, true)) {
        throw new NetException(ResultCode.INTERNAL_ERROR, "called by two threads at once");
      }
      for (int i = 0; i < 200; i++) {
        Thread.onSpinWait();
      }
    }
  }

  /** Has one scratch buffer for the sends of all comms. */
  @Breaks("NET-THREAD-02")
  public static final class SharesStateBetweenComms extends WrongNet {
    private final AtomicBoolean busy = new AtomicBoolean();

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      enter();
      try {
        return net.isend(comm, mr, offset, length, tag);
      } finally {
        busy.set(false);
      }
    }

    private void enter() {
      if (!busy.compareAndSet(false, true)) {
        throw new NetException(ResultCode.INTERNAL_ERROR, "called by two threads at once");
      }
      for (int i = 0; i < 200; i++) {
        Thread.onSpinWait();
      }
    }
  }

  /** Fails when memory is registered while another thread tests. */
  @Breaks(value = "NET-THREAD-04", also = "NET-THREAD-02")
  public static final class RegistersOnlyWhenIdle extends WrongNet {
    private final AtomicInteger testing = new AtomicInteger();

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      testing.incrementAndGet();
      try {
        return net.test(request, sizes);
      } finally {
        testing.decrementAndGet();
      }
    }

    @Override
    public MemoryHandle regMr(Comm comm, Memory memory) {
      if (testing.get() > 0) {
        throw new NetException(ResultCode.INTERNAL_ERROR, "the comm is busy");
      }
      return net.regMr(comm, memory);
    }
  }

  /** Lets only the thread that sent first on a comm send on it. */
  @Breaks("NET-THREAD-05")
  public static final class BelongsToItsFirstThread extends WrongNet {
    private final Map<SendComm, Thread> owners = new ConcurrentHashMap<>();

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      Request request = net.isend(comm, mr, offset, length, tag);
      if (request != null) {
        Thread owner = owners.computeIfAbsent(comm, key -> Thread.currentThread());
        if (!owner.equals(Thread.currentThread())) {
          throw new NetException(ResultCode.INTERNAL_ERROR, "this comm belongs to " + owner);
        }
      }
      return request;
    }

    @Override
    public void closeSend(SendComm comm) {
      net.closeSend(comm);
      owners.remove(comm);
    }
  }

  /** Has a thread that nobody can tell from the application's. */
  @Breaks("NET-THREAD-07")
  public static final class HasAnAnonymousThread extends WrongNet {
    private static final AtomicBoolean STARTED = new AtomicBoolean();

    @Override
    public void init(DebugLogger logger) {
      net.init(logger);
      if (STARTED.compareAndSet(false, true)) {
        Thread.ofPlatform()
            .daemon()
            .name("worker")
            .start(() -> LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(30)));
      }
    }
  }

  /** Passes the sizes of all comms through one array. */
  @Breaks("NET-THREAD-02")
  public static final class HasOneArrayForAllSizes extends WatchingNet {
    private final int[] shared = new int[8];

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      Op op = op(request);
      if (op == null || op.sending || sizes == null || sizes.length < op.pieces) {
        return super.test(request, sizes);
      }
      boolean done = super.test(request, shared);
      if (done) {
        System.arraycopy(shared, 0, sizes, 0, op.pieces);
      }
      return done;
    }
  }
}
