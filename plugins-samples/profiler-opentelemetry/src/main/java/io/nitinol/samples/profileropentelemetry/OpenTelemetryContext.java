// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profileropentelemetry;

import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.profiler.v1.Profiler;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.StatusCode;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The operations of one rank that are under way, in memory that is there before the first of them.
 * The number of an operation is its place, above the numbers below; of messages only the direction
 * is kept, which their number is. An operation that finds no room has neither a span nor a time,
 * and is counted as missed.
 *
 * <p>{@code MicrometerContext} has a twin of this table, as the two plugins have only the SPI in
 * common. A change here is due there too.
 */
final class OpenTelemetryContext implements Profiler.Context {
  private static final int OPERATIONS = EventType.COLL.mask() | EventType.P2P.mask();
  private static final int MESSAGES = EventType.PROXY_OP.mask() | EventType.PROXY_STEP.mask();

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

  private final Supplier<@Nullable Instruments> instruments;
  private final boolean spans;
  private final boolean spansUnderNone;
  private final int wanted;
  private final String communicator;
  private final int ranks;

  /** By place, when the operation began, by {@link System#nanoTime}; 0 where there is none. */
  private final AtomicLongArray begun = new AtomicLongArray(ROOM);

  // By place; written by the thread that took the place, before others hear of the operation.
  private final @Nullable OperationAttributes[] of = new @Nullable OperationAttributes[ROOM];
  private final @Nullable Span[] spanOf = new @Nullable Span[ROOM];

  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger active = new AtomicInteger();

  /**
   * Creates the state of a rank.
   *
   * @param instruments returns null while the application has no SDK
   * @param spans a value of {@link OpenTelemetryVariables#SPANS}
   * @param network whether messages are counted
   */
  OpenTelemetryContext(
      Supplier<@Nullable Instruments> instruments,
      String spans,
      boolean network,
      String communicator,
      int ranks) {
    this.instruments = instruments;
    this.spans = !spans.equals(OpenTelemetryVariables.NONE);
    this.spansUnderNone = spans.equals(OpenTelemetryVariables.ALL);
    this.wanted = network ? OPERATIONS | MESSAGES : OPERATIONS;
    this.communicator = communicator;
    this.ranks = ranks;
  }

  @Override
  public int activationMask() {
    return instruments.get() == null ? 0 : wanted;
  }

  /** Returns the new event's number; 0 for what is not told. */
  long start(EventDescriptor descriptor) {
    return switch (descriptor) {
      case EventDescriptor.Coll coll -> collective(coll);
      case EventDescriptor.P2p pair -> pointToPoint(pair);
      case EventDescriptor.ProxyOp messages -> messages.sends() ? SEND : RECEIVE;
      case EventDescriptor.ProxyStep step -> step.parent();
      default -> 0;
    };
  }

  private long collective(EventDescriptor.Coll coll) {
    Instruments to = instruments.get();
    if (to == null) {
      return 0;
    }
    OperationAttributes operation =
        to.collective(coll.function(), coll.dataType(), coll.algorithm(), coll.protocol());
    long size = coll.count() * coll.dataType().size();
    int place = begin(to, operation, size);
    if (place >= 0 && hasSpan()) {
      spanOf[place] =
          builder(to, operation, coll.rank(), coll.count(), size)
              .setAttribute(Instruments.SEQUENCE, coll.sequence())
              .setAttribute(Instruments.ROOT, (long) coll.root())
              .setAttribute(Instruments.CHANNELS, (long) coll.channels())
              .startSpan();
    }
    return place < 0 ? 0 : FIRST + place;
  }

  private long pointToPoint(EventDescriptor.P2p pair) {
    Instruments to = instruments.get();
    if (to == null) {
      return 0;
    }
    OperationAttributes operation = to.pointToPoint(pair.function(), pair.dataType());
    long size = pair.count() * pair.dataType().size();
    int place = begin(to, operation, size);
    if (place >= 0 && hasSpan()) {
      spanOf[place] =
          builder(to, operation, pair.rank(), pair.count(), size)
              .setAttribute(Instruments.PEER, (long) pair.peer())
              .startSpan();
    }
    return place < 0 ? 0 : FIRST + place;
  }

  /** Takes a place for an operation; returns -1 where there is none. */
  private int begin(Instruments to, OperationAttributes operation, long size) {
    to.bytes.add(size, operation.done());
    long now = System.nanoTime() | 1; // never 0, which is a free place
    int from = next.getAndIncrement();
    for (int look = 0; look < ROOM && active.get() < ROOM; look++) {
      int place = (from + look) & (ROOM - 1);
      if (begun.compareAndSet(place, 0, now)) {
        of[place] = operation;
        active.incrementAndGet();
        to.active.add(1, operation.done());
        return place;
      }
      if (look % LOOKS == LOOKS - 1) {
        next.addAndGet(LOOKS);
      }
    }
    to.missed.add(1);
    return -1;
  }

  /** The thread that calls is the application's, so its current span is the parent. */
  private boolean hasSpan() {
    return spansUnderNone || (spans && Span.current().isRecording());
  }

  private SpanBuilder builder(
      Instruments to, OperationAttributes operation, int rank, long count, long size) {
    return to.tracer
        .spanBuilder(operation.name())
        .setAllAttributes(operation.done())
        .setAttribute(Instruments.COUNT, count)
        .setAttribute(Instruments.SIZE, size)
        .setAttribute(Instruments.RANK, (long) rank)
        .setAttribute(Instruments.RANKS, (long) ranks)
        .setAttribute(Instruments.COMMUNICATOR, communicator);
  }

  /** Notes that a message of this many bytes was handed to the network, or came from it. */
  void message(long event, long bytes) {
    Instruments to = instruments.get();
    if (to != null && (event == SEND || event == RECEIVE)) {
      to.message(event == SEND, bytes);
    }
  }

  void stop(long event) {
    if (event >= FIRST) {
      stop((int) event - FIRST, false);
    }
  }

  @Override
  public void givenUp(long event) {
    stop((int) event - FIRST, true);
  }

  private void stop(int place, boolean givenUp) {
    long since = begun.get(place);
    OperationAttributes operation = of[place];
    Instruments to = instruments.get();
    if (since == 0 || operation == null || to == null) { // it was given up before
      return;
    }
    Span span = spanOf[place];
    spanOf[place] = null;
    active.decrementAndGet();
    begun.set(place, 0);
    to.active.add(-1, operation.done());
    to.duration.record(
        (System.nanoTime() - since) / 1e9, givenUp ? operation.givenUp() : operation.done());
    if (span != null) {
      if (givenUp) {
        span.setAttribute(Instruments.ERROR_TYPE, Instruments.GIVEN_UP)
            .setStatus(
                StatusCode.ERROR,
                "given up: the communicator failed, or closed before it was done");
      }
      span.end();
    }
  }

  /** Ends; operations that are not stopped by now never will be. */
  void end() {
    for (int place = 0; place < ROOM; place++) {
      stop(place, true);
    }
  }
}
