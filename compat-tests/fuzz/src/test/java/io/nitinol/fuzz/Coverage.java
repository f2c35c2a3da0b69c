// SPDX-License-Identifier: Apache-2.0
package io.nitinol.fuzz;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Which probes the input under way has passed, and how often; and which ones any input has passed.
 * The code that {@link ProbeLoader} puts into each branch calls {@link #hit}.
 */
public final class Coverage {
  private static final int MOST = 1 << 17;
  private static final byte[] HITS = new byte[MOST];
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private static int probes;

  /** A bit for each order of magnitude in which a probe was passed by one input. */
  private final byte[] seen = new byte[MOST];

  /** Begins with no probes, for other classes than those before. */
  Coverage() {
    probes = 0;
    Arrays.fill(HITS, (byte) 0);
  }

  /** Notes that a probe is passed. */
  public static void hit(int probe) {
    int count = HITS[probe];
    if (count != -1) {
      HITS[probe] = (byte) (count + 1);
    }
  }

  /** Returns how many probes there are. */
  static int count() {
    return probes;
  }

  /** Makes a probe. */
  static int add() {
    if (probes == MOST) {
      throw new IllegalStateException("more than " + MOST + " probes");
    }
    return probes++;
  }

  /** Forgets the input before. */
  void begin() {
    Arrays.fill(HITS, 0, probes, (byte) 0);
  }

  /** Returns whether the input has passed a probe that none has, or much more often; notes it. */
  boolean isNew() {
    return note(true);
  }

  /** Returns whether the input has passed a probe that none has; notes it. */
  boolean reachesNewBranch() {
    return note(false);
  }

  private boolean note(boolean countsMagnitudes) {
    boolean isNew = false;
    for (int word = 0; word < probes; word += Long.BYTES) {
      if ((long) LONGS.get(HITS, word) == 0) {
        continue;
      }
      for (int i = word; i < word + Long.BYTES; i++) {
        int magnitude = magnitude(HITS[i]);
        if ((magnitude & ~seen[i]) != 0) {
          isNew |= countsMagnitudes || seen[i] == 0;
          seen[i] |= (byte) magnitude;
        }
      }
    }
    return isNew;
  }

  private static int magnitude(byte hits) {
    int count = Byte.toUnsignedInt(hits);
    if (count < 4) {
      return count == 0 ? 0 : 1 << count - 1;
    }
    return count < 8 ? 8 : count < 16 ? 16 : count < 32 ? 32 : count < 128 ? 64 : 128;
  }

  /** Returns the magnitudes of the input, to compare those of two inputs. */
  long signature() {
    long signature = 0;
    for (int i = 0; i < probes; i++) {
      if (HITS[i] != 0) {
        signature = signature * 31 + (long) i * 257 + magnitude(HITS[i]);
      }
    }
    return signature;
  }

  /** Returns whether any input has passed a probe. */
  boolean isReached(int probe) {
    return seen[probe] != 0;
  }
}
