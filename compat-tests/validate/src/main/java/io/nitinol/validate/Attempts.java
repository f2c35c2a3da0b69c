// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The connections under way, by the memory of their handles: each attempt keeps its memory and its
 * device, and only the plugin changes the bytes (NET-CONN-05). An attempt may be abandoned and its
 * memory used for another (NET-CONN-18), so bytes that are simply others say nothing; it is the
 * mixture of old and new ones that no fresh copy of a handle has.
 */
final class Attempts {
  /** Abandoned attempts are never heard of again; the oldest give way. */
  private static final int MOST = 4096;

  private final Map<Long, Attempt> byAddress = new LinkedHashMap<>(); // guarded by this

  /** One attempt. */
  static final class Attempt {
    final int device;
    final byte[] fresh;
    byte[] left;
    boolean inCall = true;

    Attempt(int device, byte[] fresh) {
      this.device = device;
      this.fresh = fresh;
      this.left = fresh;
    }

    /** Returns whether the plugin keeps something in the bytes. */
    boolean hasState() {
      return !Arrays.equals(fresh, left);
    }

    /**
     * Returns whether {@code now} is what the plugin left, in part, and something else, in part.
     */
    boolean isMixedWith(byte[] now) {
      boolean others = true; // are the bytes that the plugin did not touch the handle's?
      boolean kept = hasState(); // and those it did touch what it left?
      for (int i = 0; i < now.length; i++) {
        if (fresh[i] == left[i]) {
          others &= now[i] == fresh[i];
        } else {
          kept &= now[i] == left[i];
        }
      }
      return !Arrays.equals(now, fresh) && (kept || others);
    }
  }

  /** Returns the attempt that a call belongs to, and reports what is wrong with it. */
  Attempt enter(ValidatedCall call, int device, MemorySegment handle) {
    byte[] now = bytes(handle);
    String wrong = null;
    Attempt attempt;
    synchronized (this) {
      attempt = byAddress.get(handle.address());
      if (attempt != null && attempt.inCall) {
        wrong = "another thread is in connect with the same handle buffer";
      } else if (attempt != null && Arrays.equals(attempt.left, now)) {
        if (attempt.device != device) {
          wrong = "the attempt began with device " + attempt.device + ", not " + device;
        }
        attempt.inCall = true;
      } else {
        if (attempt != null && attempt.isMixedWith(now)) {
          wrong = "the bytes of the handle were changed while the attempt was under way";
        } else if (attempt == null && find(now) != null) {
          wrong = "the attempt goes on in other memory";
        }
        attempt = new Attempt(device, now);
        byAddress.remove(handle.address());
        byAddress.put(handle.address(), attempt);
        if (byAddress.size() > MOST) {
          byAddress.remove(byAddress.keySet().iterator().next());
        }
      }
    }
    if (wrong != null) {
      try {
        call.caller("NET-CONN-05", wrong);
      } catch (NetException e) {
        end(attempt, handle);
        throw e;
      }
    }
    return attempt;
  }

  private @Nullable Attempt find(byte[] now) {
    for (Attempt attempt : byAddress.values()) {
      if (attempt.hasState() && Arrays.equals(attempt.left, now)) {
        return attempt;
      }
    }
    return null;
  }

  /** Notes that a call has ended and the attempt has not. */
  synchronized void goesOn(Attempt attempt, MemorySegment handle) {
    attempt.left = bytes(handle);
    attempt.inCall = false;
  }

  /** Notes that the attempt has ended. */
  synchronized void end(Attempt attempt, MemorySegment handle) {
    byAddress.remove(handle.address(), attempt);
  }

  private static byte[] bytes(MemorySegment handle) {
    return handle.asSlice(0, Net.HANDLE_MAXSIZE).toArray(ValueLayout.JAVA_BYTE);
  }
}
