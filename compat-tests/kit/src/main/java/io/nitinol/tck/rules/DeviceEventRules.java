// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceEvent;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.device.DeviceSession;
import io.nitinol.tck.device.Gate;
import io.nitinol.tck.device.Image;
import java.util.concurrent.TimeUnit;

/** Points in streams, and work that waits for them. */
@SuppressWarnings("ReferenceEquality") // the very object is what is asked for
public final class DeviceEventRules {

  @Rule("DEVSTREAM-09")
  void anEventThatWasNeverRecordedIsComplete(DeviceSession session) {
    for (boolean timed : new boolean[] {false, true}) {
      DeviceEvent event =
          session.keep(
              session.step(
                  "DEVSTREAM-09", "createEvent", () -> session.device().createEvent(timed)));
      session.check(event.query(), "query of an event that was never recorded is false");
      session.check(event.synchronize(0), "synchronize of such an event is false");
      DeviceStream stream = session.stream(session.device());
      stream.await(event);
      session.finish("DEVSTREAM-09", stream);
      session.check(event.device() == session.device(), "the event's device is another one");
    }
  }

  @Rule("DEVSTREAM-09")
  void anEventIsCompleteWhenTheWorkBeforeItIsDone(DeviceSession session) {
    DeviceStream stream = session.stream(session.device());
    DeviceEvent event = session.event(session.device());
    Gate gate = session.gate();
    for (int i = 0; i < 20; i++) {
      gate.shut();
      stream.record(event); // complete by the time of the next line, and must not count any more
      session.await("DEVSTREAM-09", "an event without work before it", event::query);
      gate.hold(stream);
      stream.record(event);
      session.check(!event.query(), "query is true before the work in front of the record is done");
      session.check(
          !event.synchronize(TimeUnit.MILLISECONDS.toNanos(2)),
          "synchronize is true before the work in front of the record is done");
      gate.open();
      session.await("DEVSTREAM-09", "an event whose work is done", event::query);
      session.check(event.synchronize(0), "synchronize is false after query was true");
    }
  }

  @Rule("DEVSTREAM-09")
  void workBehindTheRecordDoesNotCount(DeviceSession session) {
    DeviceStream stream = session.stream(session.device());
    DeviceEvent event = session.event(session.device());
    Image image = Image.onHost(session, session.device(), 100_000);
    Gate gate = session.gate();
    stream.fill(image.at(0), (byte) 5, image.size());
    image.expect(0, image.size(), (byte) 5);
    stream.record(event);
    gate.hold(stream);
    session.check(
        event.synchronize(session.terms().patience().nanos()),
        "an event waits for work behind its record");
    image.check("the event was complete");
    gate.open();
    session.finish(stream);
  }

  @Rule("DEVSTREAM-10")
  void workWaitsForAnEventOfAnotherStream(DeviceSession session) {
    handOver(session, session.device());
  }

  @Rule("DEVSTREAM-10")
  void workWaitsForAnEventOfAnotherDevice(DeviceSession session) {
    handOver(session, session.peer());
  }

  /** Hands data on from a stream of the first device to one of another, which may be the same. */
  private static void handOver(DeviceSession session, Device other) {
    DeviceStream first = session.stream(session.device());
    DeviceStream second = session.stream(other);
    DeviceEvent event = session.event(session.device());
    int size = 100_000;
    Image from = Image.onDevice(session, session.device(), size);
    Image to = Image.onDevice(session, other, size);
    Gate gate = session.gate();
    Gate later = session.gate();
    for (int i = 0; i < 10; i++) {
      gate.shut();
      later.shut();
      gate.hold(first);
      first.fill(from.at(0), (byte) i, size / 2);
      from.expect(0, size / 2, (byte) i);
      first.record(event);
      second.await(event);
      second.copy(to.at(0), from.at(0), size);
      to.expect(0, from.part(0, size));
      later.hold(first);
      first.record(event); // changes nothing for the second stream
      session.check(
          !second.synchronize(TimeUnit.MILLISECONDS.toNanos(2)),
          "work went on before the event that it waits for");
      gate.open();
      session.finish("DEVSTREAM-10", second);
      to.check("a copy that waited for the event behind the fill of its source");
      session.check(!first.query(), "a stream does not wait for its number");
      later.open();
      session.finish(first);
    }
    from.check("fills");
  }

  @Rule("DEVSTREAM-10")
  void anEventOfTheSameStreamKeepsNothing(DeviceSession session) {
    DeviceStream stream = session.stream(session.device());
    DeviceEvent event = session.event(session.device());
    Image image = Image.onDevice(session, session.device(), 1000);
    for (int i = 0; i < 50; i++) {
      stream.fill(image.at(i), (byte) i, 900);
      image.expect(i, 900, (byte) i);
      stream.record(event);
      stream.await(event);
    }
    session.finish("DEVSTREAM-10", stream);
    image.check("fills with events between them");
  }

  @Rule("DEVSTREAM-11")
  void elapsedTimeIsThatOfTheDevice(DeviceSession session) {
    DeviceStream stream = session.stream(session.device());
    DeviceEvent start = session.keep(session.device().createEvent(true));
    DeviceEvent end = session.keep(session.device().createEvent(true));
    Gate gate = session.gate();
    long slack = 1000; // as exact as a driver has it
    for (long millis : new long[] {0, 20}) {
      gate.shut();
      long before = System.nanoTime();
      stream.record(start);
      session.await("DEVSTREAM-09", "the first event", start::query);
      gate.hold(stream);
      stream.record(end);
      long held = System.nanoTime();
      session.check(
          !end.synchronize(TimeUnit.MILLISECONDS.toNanos(millis)), "the second event is complete");
      long kept = System.nanoTime() - held;
      gate.open();
      session.finish(stream);
      long around = System.nanoTime() - before;
      long elapsed = session.step("DEVSTREAM-11", "elapsedNanos", () -> end.elapsedNanos(start));
      session.check(
          elapsed >= 0 && elapsed <= around + slack,
          "elapsedNanos is %d, while the host measured %d around both",
          elapsed,
          around);
      session.check(
          elapsed + slack >= kept,
          "elapsedNanos is %d, though the stream was kept for %d between the two",
          elapsed,
          kept);
      session.check(start.elapsedNanos(start) == 0, "an event is not 0 ns apart from itself");
    }
  }

  @Rule("DEVSTREAM-11")
  void elapsedTimeNeedsTwoTimedCompleteEvents(DeviceSession session) {
    Device device = session.device();
    DeviceStream stream = session.stream(device);
    DeviceEvent timed = session.keep(device.createEvent(true));
    DeviceEvent never = session.keep(device.createEvent(true));
    DeviceEvent untimed = session.event(device);
    DeviceEvent pending = session.keep(device.createEvent(true));
    stream.record(timed);
    stream.record(untimed);
    session.finish(stream);
    Gate gate = session.gate();
    gate.hold(stream);
    stream.record(pending);
    DeviceFailure state = DeviceFailure.INVALID_STATE;
    for (DeviceEvent other : new DeviceEvent[] {never, untimed, pending}) {
      String what = other == never ? "never recorded" : other == untimed ? "not timed" : "pending";
      session.refuse("elapsedNanos to an event: " + what, () -> other.elapsedNanos(timed), state);
      session.refuse("elapsedNanos from an event: " + what, () -> timed.elapsedNanos(other), state);
    }
    gate.open();
    session.finish(stream);
  }
}
