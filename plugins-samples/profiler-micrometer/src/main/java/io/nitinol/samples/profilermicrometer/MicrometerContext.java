// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilermicrometer;

import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.profiler.v1.Profiler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The operations of one rank that are under way, in memory that is there before the first of them.
 * The number of an operation is its place, above the numbers below; of messages only the direction
 * is kept, which their number is. An operation that finds no room is counted as missed.
 *
 * <p>{@code OpenTelemetryContext} has a twin of this table, as the two plugins have only the SPI in
 * common. A change here is due there too.
 */
final class MicrometerContext implements Profiler.Context {
  /** A power of two, of 16 bytes each. */
  private static final int ROOM = 1 << 12;

  /**
   * After so many places that are taken, later operations begin beyond them too. Operations that
   * take long keep their places, and those that began together have places side by side.
   */
  private static final int LOOKS = 64;

  private static final long SEND = 1;
  private static final long RECEIVE = 2;
  private static final int FIRST = 3;

  private final MeterSet meters;

  /** By place, when the operation began, by {@link System#nanoTime}; 0 where there is none. */
  private final AtomicLongArray begun = new AtomicLongArray(ROOM);

  /** By place; written by the thread that took the place, before others hear of the operation. */
  private final @Nullable OperationMeters[] of = new @Nullable OperationMeters[ROOM];

  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger active = new AtomicInteger();

  MicrometerContext(MeterSet meters) {
    this.meters = meters;
    meters.joins(this);
  }

  @Override
  public int activationMask() {
    return meters.activationMask();
  }

  /** Returns the new event's number; 0 for what has no meter. */
  long start(EventDescriptor descriptor) {
    return switch (descriptor) {
      case EventDescriptor.Coll coll ->
          begin(
              meters.collective(
                  coll.function(), coll.dataType(), coll.algorithm(), coll.protocol()),
              coll.count() * coll.dataType().size());
      case EventDescriptor.P2p pair ->
          begin(
              meters.pointToPoint(pair.function(), pair.dataType()),
              pair.count() * pair.dataType().size());
      case EventDescriptor.ProxyOp messages -> messages.sends() ? SEND : RECEIVE;
      case EventDescriptor.ProxyStep step -> step.parent();
      default -> 0;
    };
  }

  private long begin(OperationMeters operation, long bytes) {
    operation.bytes().increment((double) bytes);
    long now = System.nanoTime() | 1; // never 0, which is a free place
    int from = next.getAndIncrement();
    for (int look = 0; look < ROOM && active.get() < ROOM; look++) {
      int place = (from + look) & (ROOM - 1);
      if (begun.compareAndSet(place, 0, now)) {
        of[place] = operation;
        active.incrementAndGet();
        return (long) FIRST + place;
      }
      if (look % LOOKS == LOOKS - 1) {
        next.addAndGet(LOOKS);
      }
    }
    meters.missed().increment();
    return 0;
  }

  /** Notes that a message of this many bytes was handed to the network, or came from it. */
  void message(long event, long bytes) {
    if (event == SEND) {
      meters.sent().count(bytes);
    } else if (event == RECEIVE) {
      meters.received().count(bytes);
    }
  }

  void stop(long event) {
    if (event < FIRST) {
      return;
    }
    int place = (int) event - FIRST;
    long since = begun.get(place);
    OperationMeters operation = of[place];
    if (since != 0 && operation != null) { // it was not given up before
      free(place);
      operation.time().record(System.nanoTime() - since, TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public void givenUp(long event) {
    int place = (int) event - FIRST;
    OperationMeters operation = of[place];
    if (begun.get(place) != 0 && operation != null) {
      free(place);
      operation.errors().increment();
    }
  }

  private void free(int place) {
    active.decrementAndGet();
    begun.set(place, 0);
  }

  int active() {
    return active.get();
  }

  /** Returns for how many nanoseconds the oldest operation is under way; 0 where none is. */
  long oldest(long now) {
    long oldest = 0;
    if (active.get() > 0) {
      for (int place = 0; place < ROOM; place++) {
        long since = begun.get(place);
        if (since != 0) {
          oldest = Math.max(oldest, now - since);
        }
      }
    }
    return oldest;
  }

  /** Ends; operations that are not stopped by now never will be. */
  void end() {
    for (int place = 0; place < ROOM && active.get() > 0; place++) {
      givenUp(FIRST + place);
    }
    meters.leaves(this);
  }
}
