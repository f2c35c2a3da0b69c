// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Networks that judge an attempt to connect by how long it takes, or by other attempts. */
public final class AttemptMistakes {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private AttemptMistakes() {}

  /** Knows the attempts that have not led to a comm, by where their handles are. */
  private abstract static class Attempting extends WrongNewestNet {
    /** An attempt, by {@link System#nanoTime}. */
    static final class Attempt {
      final long begun = System.nanoTime();
      long called = begun;
      boolean dropped;
    }

    private final Map<Long, Attempt> attempts = new HashMap<>();

    /** Says what becomes of an attempt before this call: null in place of false. */
    abstract boolean mayGoOn(Attempt attempt, int known);

    @Override
    public @Nullable SendComm connect(
        NetContext context,
        int device,
        MemorySegment handle,
        @Nullable DeviceHandle[] deviceHandle) {
      if (handle == null || !begins(handle.address())) {
        return handle == null ? super.connect(context, device, null, deviceHandle) : null;
      }
      SendComm comm = super.connect(context, device, handle, deviceHandle);
      if (comm != null) {
        forget(handle.address());
      }
      return comm;
    }

    private synchronized boolean begins(long address) {
      Attempt attempt = attempts.get(address);
      if (attempt == null || System.nanoTime() - attempt.called > SECOND) {
        attempt = new Attempt(); // another one at the same address
      }
      if (!mayGoOn(attempt, attempts.size() - (attempts.containsKey(address) ? 1 : 0))) {
        return false;
      }
      attempt.called = System.nanoTime();
      attempts.put(address, attempt);
      return true;
    }

    private synchronized void forget(long address) {
      attempts.remove(address);
    }

    synchronized void dropAll() {
      attempts.values().forEach(attempt -> attempt.dropped = true);
    }
  }

  /** Gives an attempt up whose peer has not called accept for three seconds. */
  @Breaks("NET-CONN-09")
  public static final class GivesUpOnASlowPeer extends Attempting {
    @Override
    boolean mayGoOn(Attempt attempt, int known) {
      if (System.nanoTime() - attempt.begun > 3 * SECOND) {
        throw new NetException(ResultCode.TIMEOUT, "the peer does not accept");
      }
      return true;
    }
  }

  /** Begins no attempt while 32 others have not ended. */
  @Breaks("NET-CONN-11")
  public static final class HasRoomForAttempts extends Attempting {
    @Override
    boolean mayGoOn(Attempt attempt, int known) {
      return known < 32;
    }
  }

  /** Drops what is half accepted, whichever listener is closed. */
  @Breaks("NET-CLOSE-07")
  public static final class DropsWhatIsHalfAccepted extends Attempting {
    @Override
    boolean mayGoOn(Attempt attempt, int known) {
      if (attempt.dropped) {
        throw new NetException(ResultCode.REMOTE_ERROR, "the listener is closed");
      }
      return true;
    }

    @Override
    public void closeListen(ListenComm listenComm) {
      super.closeListen(listenComm);
      dropAll();
    }
  }
}
