// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The words in front of the value, so that no other object's field shares its cache line. */
@SuppressWarnings("unused")
abstract class PaddingInFront {
  private long f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14;
}

/** The value, in a class between the paddings because a JVM orders fields within one class. */
abstract class PaddedValue extends PaddingInFront {
  long value;
}

/**
 * A counter that one thread advances and another one watches, alone on its cache lines (two: the
 * prefetcher fetches pairs).
 */
@SuppressWarnings("unused")
public final class PaddedCounter extends PaddedValue {
  private static final VarHandle VALUE;

  static {
    try {
      VALUE = MethodHandles.lookup().findVarHandle(PaddedValue.class, "value", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14;

  /** Creates a counter at 0. */
  public PaddedCounter() {}

  /** Returns the value as its one writer sees it. */
  public long own() {
    return value;
  }

  /** Returns the value, and with it sight of what its writer wrote before it. */
  public long get() {
    return (long) VALUE.getAcquire(this);
  }

  /** Sets the value, after everything that this thread has written before. */
  public void set(long newValue) {
    VALUE.setRelease(this, newValue);
  }
}
