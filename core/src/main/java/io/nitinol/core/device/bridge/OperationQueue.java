// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The way of operations from the one thread that calls to the bridge thread. It never refuses one,
 * since a caller that waited could be the one that other ranks wait for. Places are used again, so
 * that nothing is allocated unless the caller is further ahead of the network than ever before.
 *
 * <p>The places are a list: those given back, then one that the bridge thread stands on, then those
 * with operations, then the one that is written.
 */
final class OperationQueue {
  /** How many operations a caller can be ahead of the network before there are more places. */
  static final int FIRST_PLACES = 256;

  private static final VarHandle AT;
  private static final VarHandle NEXT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      AT = lookup.findVarHandle(OperationQueue.class, "at", Place.class);
      NEXT = lookup.findVarHandle(Place.class, "next", Place.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final class Place {
    final HostOperation operation = new HostOperation();
    @Nullable Place next;
  }

  /** The last place with an operation, or that of the last one taken; the caller's. */
  private Place last = new Place();

  /** The place that {@link #free} gave out and {@link #put} has not put yet; the caller's. */
  private @Nullable Place open;

  /** The oldest place that was given back; the caller's. */
  private Place oldest = last;

  /** Where the bridge thread stood when the caller looked last: places before it are free. */
  private Place seen = last;

  /** Where the bridge thread stands, by AT: its oldest operation is in the next place. */
  @SuppressWarnings("UnusedVariable")
  private Place at = last;

  OperationQueue() {
    for (int i = 0; i < FIRST_PLACES; i++) {
      HostOperation _ = free();
      put();
    }
    for (int i = 0; i < FIRST_PLACES; i++) {
      taken();
    }
  }

  /** Returns the place for the caller's next operation; the same until {@link #put}. */
  HostOperation free() {
    Place known = open;
    if (known == null) {
      known = emptyPlace();
      open = known;
    }
    return known.operation;
  }

  private Place emptyPlace() {
    if (oldest == seen) {
      seen = (Place) AT.getAcquire(this);
    }
    Place free = oldest;
    Place behind = free.next;
    if (free == seen || behind == null) {
      return new Place();
    }
    oldest = behind;
    free.next = null;
    return free;
  }

  /** Hands over what the caller wrote into {@link #free}. */
  void put() {
    Place full = open;
    if (full == null) {
      throw new IllegalStateException("no place was asked for");
    }
    open = null;
    NEXT.setRelease(last, full);
    last = full;
  }

  /** Returns the bridge thread's oldest operation; null where there is none. */
  @Nullable HostOperation oldest() {
    Place next = next();
    return next == null ? null : next.operation;
  }

  /** Gives the place of the oldest operation back, of which nothing is read any more. */
  void taken() {
    Place next = next();
    if (next == null) {
      throw new IllegalStateException("there is no operation to give back");
    }
    AT.setRelease(this, next);
  }

  /** Returns whether the bridge thread has nothing to take. */
  boolean isEmpty() {
    return next() == null;
  }

  private @Nullable Place next() {
    return (Place) NEXT.getAcquire((Place) AT.getAcquire(this));
  }
}
