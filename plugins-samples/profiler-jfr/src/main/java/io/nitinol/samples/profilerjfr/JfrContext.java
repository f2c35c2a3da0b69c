// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjfr;

import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.profiler.v1.Profiler;
import io.nitinol.spi.profiler.v1.ProfilerReport;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The events of one rank that have begun and not ended. There is room for {@link #ROOM} of them. An
 * event that meets a full place is not recorded; the next one that ends carries how many those
 * were.
 */
final class JfrContext implements Profiler.Context {
  /** A power of two: an event's number without its upper bits is its place. */
  private static final int ROOM = 1 << 12;

  private final String communicator;
  private final int rank;
  private final AtomicReferenceArray<@Nullable JfrEvent> running = new AtomicReferenceArray<>(ROOM);
  private final AtomicLong started = new AtomicLong();
  private final AtomicLong missed = new AtomicLong();

  /** The communicator itself, from its beginning to its end. */
  final CommunicatorEvent life = new CommunicatorEvent();

  JfrContext(String communicator, int rank) {
    this.communicator = communicator;
    this.rank = rank;
    life.of(communicator, rank, 0, 0);
    life.begin();
  }

  @Override
  public int activationMask() {
    return EventKinds.wanted();
  }

  @Override
  public void givenUp(long event) {
    if (running(event) instanceof CallEvent operation) {
      operation.givenUp = true;
    }
  }

  @Override
  public int reportMask() {
    return EventKinds.reportsWanted();
  }

  @Override
  public void report(ProfilerReport report) {
    RankEvent event = EventKinds.event(report);
    if (event != null) {
      event.of(communicator, rank);
      event.commit();
    }
  }

  /** Returns the new event's number, from 1; 0 where it is not recorded. */
  long start(EventDescriptor descriptor) {
    if (!EventKinds.isWanted(descriptor.type())) {
      return 0; // the framework reports the events above a wanted kind as well
    }
    JfrEvent event = EventKinds.event(descriptor);
    long number = started.incrementAndGet();
    if (!running.compareAndSet((int) number & ROOM - 1, null, event)) {
      missed.incrementAndGet();
      return 0;
    }
    event.of(communicator, rank, number, descriptor.parent());
    event.begin();
    return number;
  }

  @Nullable JfrEvent running(long number) {
    return running.get((int) number & ROOM - 1);
  }

  void stop(long number) {
    int place = (int) number & ROOM - 1;
    JfrEvent event = running.get(place);
    if (event != null) {
      running.setRelease(place, null); // an event ends once, and nobody else writes a full place
      if (missed.get() != 0) {
        event.missed = missed.getAndSet(0);
      }
      event.commit();
    }
  }
}
