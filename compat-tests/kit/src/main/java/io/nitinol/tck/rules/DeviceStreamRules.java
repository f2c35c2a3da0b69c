// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceEvent;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.device.DeviceSession;
import io.nitinol.tck.device.Foreign;
import io.nitinol.tck.device.Gate;
import io.nitinol.tck.device.Image;
import io.nitinol.tck.device.StreamScript;
import io.nitinol.tck.scene.Promptness;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What streams do with copies, fills and numbers, and how they are waited for. */
@SuppressWarnings("ReferenceEquality") // the very object is what is asked for
public final class DeviceStreamRules {
  private static final int PENDING = 500;

  /** How many of the calls may be late because the machine is busy. */
  private static final int LATE = 5;

  @Rule("DEVSTREAM-01")
  void workIsDoneInOrder(DeviceSession session) {
    int rounds = session.full() ? 40 : 8;
    DeviceStream stream = session.stream(session.device());
    Image image = Image.onDevice(session, session.device(), 20_000);
    for (int i = 0; i < rounds; i++) {
      StreamScript script = new StreamScript(session.random(), 100, image.size());
      session.run("DEVSTREAM-04", "copies and fills", () -> script.put(stream, image));
      script.expect(image);
      session.finish(stream);
      image.check("100 copies and fills, each of which reads what others wrote");
    }
  }

  @Rule("DEVSTREAM-02")
  void whatPutsWorkIntoAStreamNeverWaits(DeviceSession session) {
    Device device = session.device();
    DeviceStream stream = session.stream(device);
    DeviceEvent event = session.event(device);
    Image image = Image.onDevice(session, device, 4096);
    Gate gate = session.gate();
    gate.hold(stream);
    int late = 0;
    long slowest = 0;
    for (int i = 0; i < PENDING; i++) {
      long start = System.nanoTime();
      switch (i % 5) {
        case 0 -> stream.copy(image.at(0), image.at(2048), 1000);
        case 1 -> stream.fill(image.at(100), (byte) 3, 500);
        case 2 -> stream.record(event);
        case 3 -> stream.await(event);
        default -> device.kernels().copy(stream, image.at(1000), image.at(3000), 999);
      }
      long nanos = System.nanoTime() - start;
      slowest = Math.max(slowest, nanos);
      late += nanos > Promptness.CALL ? 1 : 0;
    }
    session.check(
        late <= LATE,
        "%d of %d calls that put work into a stream took more than 100 ms while the stream waited,"
            + " one of them %d ms",
        late,
        PENDING,
        TimeUnit.NANOSECONDS.toMillis(slowest));
    session.check(!stream.query(), "a stream that waits for a number has done all its work");
    gate.open();
    session.finish(stream);
    for (int i = 0; i < PENDING / 5; i++) {
      image.expect(0, image.part(2048, 1000));
      image.expect(100, 500, (byte) 3);
      image.expect(1000, image.part(3000, 999));
    }
    image.check("500 operations that were pending at once");
  }

  @Rule("DEVSTREAM-03")
  void streamsGoOnWhileOneWaitsForANumber(DeviceSession session) {
    Others others = new Others(session, 3);
    Gate gate = session.gate();
    DeviceStream waiting = session.stream(session.device());
    gate.hold(waiting);
    others.goOn();
    session.check(!waiting.query(), "a stream does not wait for its number");
    gate.open();
    session.finish(waiting);
  }

  @Rule("DEVSTREAM-03")
  void streamsGoOnWhileOneWaitsForAnEvent(DeviceSession session) {
    Others others = new Others(session, 2);
    Gate gate = session.gate();
    DeviceStream first = session.stream(session.device());
    DeviceStream second = session.stream(session.device());
    DeviceEvent event = session.event(session.device());
    gate.hold(first);
    first.record(event);
    second.await(event);
    others.goOn();
    session.check(!second.query(), "a stream does not wait for its event");
    gate.open();
    session.finish(first);
    session.finish(second);
  }

  /** Streams beside one that waits. They are made before it does, since the kit's own may wait. */
  private static final class Others {
    private final DeviceSession session;
    private final List<DeviceStream> streams = new ArrayList<>();
    private final List<Image> images = new ArrayList<>();

    Others(DeviceSession session, int count) {
      this.session = session;
      for (int i = 0; i < count; i++) {
        streams.add(session.stream(session.device()));
        images.add(Image.onHost(session, session.device(), 1000));
      }
    }

    void goOn() {
      for (int i = 0; i < streams.size(); i++) {
        streams.get(i).fill(images.get(i).at(10), (byte) i, 900);
        images.get(i).expect(10, 900, (byte) i);
      }
      for (int i = 0; i < streams.size(); i++) {
        session.finish("DEVSTREAM-03", streams.get(i));
        images.get(i).check("a fill beside a stream that waits");
      }
    }
  }

  @Rule("DEVSTREAM-04")
  void copiesGoBetweenAllMemories(DeviceSession session) {
    Device device = session.device();
    DeviceStream stream = session.stream(device);
    int size = session.full() ? 3_000_000 : 70_000;
    List<Image> images = new ArrayList<>();
    images.add(Image.onDevice(session, device, size));
    images.add(Image.onDevice(session, device, size));
    images.add(Image.onHost(session, device, size));
    images.add(Image.onHost(session, device, size));
    if (device.supports(DeviceFeature.HOST_REGISTRATION)) {
      MemorySegment segment = session.arena().allocate(size + 1, 1).asSlice(1);
      DeviceMemory registered =
          session.keep(
              session.step("DEVMEM-07", "registerHost", () -> device.registerHost(segment)));
      images.add(new Image(session, device, registered));
    }
    for (Image to : images) {
      for (Image from : images) {
        for (int i = 0; i < 4; i++) {
          copyOnce(session, stream, to, from, size(session, size / 2));
        }
      }
    }
    images.forEach(image -> image.check("copies between memories of all kinds"));
  }

  @Rule("DEVSTREAM-04")
  void copiesGoFromAndToAPeer(DeviceSession session) {
    Device peer = session.peer();
    DeviceStream stream = session.stream(session.device());
    Image here = Image.onDevice(session, session.device(), 40_000);
    Image there = Image.onDevice(session, peer, 40_000);
    for (int i = 0; i < 8; i++) {
      copyOnce(session, stream, there, here, size(session, 20_000));
      copyOnce(session, stream, here, there, size(session, 20_000));
    }
    here.check("copies from and to a peer");
    there.check("copies from and to a peer");
  }

  @Rule("DEVSTREAM-04")
  void copiesOfEverySmallSizeWriteNothingElse(DeviceSession session) {
    DeviceStream stream = session.stream(session.device());
    Image to = Image.onDevice(session, session.device(), 512);
    Image from = Image.onDevice(session, session.device(), 512);
    for (int length = 0; length <= 70; length++) {
      int source = session.random().nextInt(512 - length + 1);
      int target = session.random().nextInt(512 - length + 1);
      stream.copy(to.at(target), from.at(source), length);
      to.expect(target, from.part(source, length));
      session.finish(stream);
      to.check("a copy of " + length + " bytes to offset " + target + " from offset " + source);
    }
    from.check("copies from it");
  }

  private static int size(DeviceSession session, int most) {
    return session.random().nextInt(4) == 0
        ? session.random().nextInt(20)
        : session.random().nextInt(most);
  }

  private static void copyOnce(
      DeviceSession session, DeviceStream stream, Image to, Image from, int length) {
    int half = from.size() / 2;
    int source = session.random().nextInt(half - length + 1);
    int target = half + session.random().nextInt(half - length + 1);
    session.run("DEVSTREAM-04", "copy", () -> stream.copy(to.at(target), from.at(source), length));
    session.finish(stream);
    to.expect(target, from.part(source, length));
  }

  @Rule("DEVSTREAM-05")
  void fillsSetARangeAndNothingElse(DeviceSession session) {
    DeviceStream stream = session.stream(session.device());
    List<Image> images =
        List.of(
            Image.onDevice(session, session.device(), 5000),
            Image.onHost(session, session.device(), 5000));
    for (Image image : images) {
      for (int i = 0; i < 90; i++) {
        int length = i < 70 ? i : session.random().nextInt(4000);
        int offset = session.random().nextInt(5000 - length + 1);
        byte value = (byte) session.random().nextInt();
        stream.fill(image.at(offset), value, length);
        image.expect(offset, length, value);
        session.finish(stream);
        image.check("a fill of " + length + " bytes at offset " + offset);
      }
    }
  }

  @Rule("DEVSTREAM-06")
  void wrongArgumentsAreRefused(DeviceSession session) {
    DeviceStream stream = session.stream(session.device());
    Image image = Image.onDevice(session, session.device(), 64);
    DeviceFailure wrong = DeviceFailure.INVALID_ARGUMENT;
    session.refuse("copy of -1 bytes", () -> stream.copy(image.at(0), image.at(32), -1), wrong);
    session.refuse("fill of -1 bytes", () -> stream.fill(image.at(0), (byte) 1, -1), wrong);
    DeviceEvent foreign = Foreign.object(DeviceEvent.class);
    session.refuse("record of another provider's event", () -> stream.record(foreign), wrong);
    session.refuse("await of another provider's event", () -> stream.await(foreign), wrong);
    if (session.devices() > 1) {
      DeviceEvent other = session.event(session.all().get(1));
      session.refuse("record of another device's event", () -> stream.record(other), wrong);
    }
    session.finish(stream);
    image.check("calls that were refused");
  }

  @Rule("DEVSTREAM-07")
  void queryTellsWhenTheWorkIsDone(DeviceSession session) {
    DeviceStream stream = session.stream(session.device());
    session.await("DEVSTREAM-07", "a stream without work to be done", stream::query);
    Gate gate = session.gate();
    gate.hold(stream);
    Promptness.check(
        session,
        "query of a stream that waits",
        watch -> {
          for (int i = 0; i < 20; i++) {
            session.check(
                !watch.timed(stream::query), "query is true while the stream waits for a number");
          }
        });
    gate.open();
    session.await("DEVSTREAM-07", "query to be true", stream::query);
  }

  @Rule("DEVSTREAM-07")
  void theHostSeesWhatWasWrittenOnceQueryIsTrue(DeviceSession session) {
    DeviceStream stream = session.stream(session.device());
    int size = 200_000;
    Image from = Image.onDevice(session, session.device(), size);
    Image to = Image.onHost(session, session.device(), size);
    Image cleared = Image.onHost(session, session.device(), size);
    for (int i = 0; i < (session.full() ? 200 : 20); i++) {
      stream.copy(from.at(0), cleared.at(0), size);
      stream.copy(to.at(0), from.at(0), size);
      from.expect(0, cleared.part(0, size));
      to.expect(0, cleared.part(0, size));
      session.await("DEVSTREAM-08", "a copy to the host", stream::query);
      to.check("query was true");
      cleared.put(0, session.noise(size));
    }
  }

  @Rule("DEVSTREAM-08")
  void synchronizeWaitsAsLongAsItIsTold(DeviceSession session) {
    DeviceStream stream = session.stream(session.device());
    DeviceEvent event = session.event(session.device());
    Gate gate = session.gate();
    gate.hold(stream);
    stream.record(event);
    for (long millis : new long[] {-1, 0, 1, 60}) {
      long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
      Promptness.check(
          session,
          "synchronize beyond its " + millis + " ms",
          watch -> {
            long start = System.nanoTime();
            boolean done = stream.synchronize(nanos) || event.synchronize(nanos);
            long over = System.nanoTime() - start - 2 * Math.max(0, nanos);
            session.check(!done, "synchronize is true while the stream waits for a number");
            session.check(
                over >= 0 || millis <= 0,
                "synchronize of %d ms came back %d us early",
                millis,
                TimeUnit.NANOSECONDS.toMicros(-over));
            watch.late(over);
          });
    }
    gate.open();
    session.finish(stream);
    session.check(
        event.synchronize(session.terms().patience().nanos()),
        "synchronize of an event is false though its stream has done its work");
  }

  @Rule("DEVSTREAM-08")
  void anInterruptedThreadStaysInterrupted(DeviceSession session) {
    DeviceStream stream = session.stream(session.device());
    DeviceEvent event = session.event(session.device());
    Gate gate = session.gate();
    gate.hold(stream);
    stream.record(event);
    for (String what : List.of("stream", "event")) {
      long limit = session.patient(TimeUnit.SECONDS.toNanos(5));
      long start = System.nanoTime();
      Thread.currentThread().interrupt();
      boolean done = what.equals("stream") ? stream.synchronize(limit) : event.synchronize(limit);
      boolean kept = Thread.interrupted();
      session.check(!done, "synchronize of a %s is true for an interrupted thread", what);
      session.check(kept, "synchronize of a %s took the thread's interrupt away", what);
      session.check(
          System.nanoTime() - start < limit / 2,
          "synchronize of a %s goes on waiting when its thread is interrupted",
          what);
    }
    gate.open();
    session.finish(stream);
  }

  @Rule("DEVSTREAM-12")
  void workWaitsForANumber(DeviceSession session) {
    Device device = session.device();
    session.needs(device, DeviceFeature.STREAM_VALUES);
    DeviceMemory numbers = session.hostMemory(device, 64);
    MemorySegment segment = session.segment(numbers);
    // The number that is there and the least that is waited for; whether the work goes on.
    record Row(long there, long least, boolean goes) {}
    List<Row> rows =
        List.of(
            new Row(5, 3, true),
            new Row(5, 5, true),
            new Row(5, 6, false),
            new Row(0, 1, false),
            new Row(-1, 0, false),
            new Row(0, -1, true),
            new Row(Long.MIN_VALUE, Long.MAX_VALUE, true),
            new Row(Long.MAX_VALUE, Long.MIN_VALUE, false),
            new Row(1L << 40, (1L << 40) + 1, false),
            new Row(1L << 32, 1, true));
    Image image = Image.onDevice(session, device, 100);
    for (Row row : rows) {
      DeviceStream stream = session.stream(device);
      segment.set(ValueLayout.JAVA_LONG, 8, row.there);
      stream.waitValue(numbers.address() + 8, row.least);
      stream.fill(image.at(3), (byte) row.there, 90);
      image.expect(3, 90, (byte) row.there);
      if (!row.goes) {
        boolean done = stream.synchronize(TimeUnit.MILLISECONDS.toNanos(30));
        // The number first, so that the stream comes free whatever the test says.
        ValueLayout.JAVA_LONG.varHandle().setVolatile(segment, 8L, row.least);
        session.check(!done, "work did not wait for %d: the number was %d", row.least, row.there);
      }
      session.finish("DEVSTREAM-12", stream);
      image.check("work behind a number");
    }
  }

  @Rule("DEVSTREAM-12")
  void aStreamWritesANumberAfterTheWorkBeforeIt(DeviceSession session) {
    Device device = session.device();
    session.needs(device, DeviceFeature.STREAM_VALUES);
    DeviceMemory numbers = session.memory(device, 64);
    session.write(device, numbers.address(), new byte[64]);
    DeviceStream writer = session.stream(device);
    DeviceStream reader = session.stream(device);
    int size = 100_000;
    Image a = Image.onDevice(session, device, size);
    Image b = Image.onDevice(session, device, size);
    Image c = Image.onDevice(session, device, size);
    for (int i = 1; i <= 20; i++) {
      reader.waitValue(numbers.address() + 16, i);
      reader.copy(c.at(0), b.at(0), size);
      a.put(0, session.noise(size));
      writer.copy(b.at(0), a.at(0), size);
      writer.writeValue(numbers.address() + 16, i);
      b.expect(0, a.part(0, size));
      c.expect(0, a.part(0, size));
      session.finish("DEVSTREAM-12", writer);
      session.finish("DEVSTREAM-12", reader);
      c.check("a copy that waited for the number behind another stream's copy");
    }
    byte[] seen = session.read(device, numbers.address(), 64);
    session.check(
        MemorySegment.ofArray(seen).get(ValueLayout.JAVA_LONG_UNALIGNED, 16) == 20,
        "writeValue left other bytes than its number");
    for (int i = 0; i < 64; i++) {
      session.check(
          (i >= 16 && i < 24) || seen[i] == 0,
          "writeValue wrote byte %d beside its number",
          i - 16);
    }
  }

  @Rule("DEVSTREAM-12")
  void aNumberHasAnAddressOfEights(DeviceSession session) {
    Device device = session.device();
    session.needs(device, DeviceFeature.STREAM_VALUES);
    DeviceStream stream = session.stream(device);
    Image image = Image.onHost(session, device, 64);
    for (int off : new int[] {1, 2, 4, 7}) {
      session.refuse(
          "waitValue at an address that is " + off + " beside a multiple of 8",
          () -> stream.waitValue(image.at(8 + off), 1),
          DeviceFailure.INVALID_ARGUMENT);
      session.refuse(
          "writeValue at an address that is " + off + " beside a multiple of 8",
          () -> stream.writeValue(image.at(8 + off), 1),
          DeviceFailure.INVALID_ARGUMENT);
    }
    session.finish(stream);
    image.check("calls that were refused");
  }

  @Rule("DEVSTREAM-13")
  void aWrapperIsTheSameStream(DeviceSession session) {
    Device device = session.device();
    session.needs(device, DeviceFeature.FOREIGN_STREAMS);
    DeviceStream stream = session.stream(device);
    DeviceStream wrapper =
        session.step("DEVSTREAM-13", "wrapStream", () -> device.wrapStream(stream.nativeHandle()));
    session.check(wrapper != null, "wrapStream returned null");
    session.check(
        wrapper.nativeHandle() == stream.nativeHandle(),
        "the wrapper's handle is not that of the stream");
    session.check(wrapper.device() == device, "the wrapper's device is another one");
    Image image = Image.onDevice(session, device, 10_000);
    Gate gate = session.gate();
    gate.hold(stream);
    for (int i = 0; i < 20; i++) {
      DeviceStream which = i % 2 == 0 ? wrapper : stream;
      int to = i % 2 == 0 ? 0 : 5000;
      which.copy(image.at(to), image.at(5000 - to), 4000);
      image.expect(to, image.part(5000 - to, 4000));
      which.fill(image.at(to), (byte) i, 100 + i);
      image.expect(to, 100 + i, (byte) i);
    }
    session.check(!wrapper.query(), "work of the wrapper does not wait for that of the stream");
    gate.open();
    session.finish("DEVSTREAM-13", wrapper);
    session.finish("DEVSTREAM-13", stream);
    image.check("work through a stream and its wrapper in turn");
    session.run("DEVSTREAM-13", "close of a wrapper", wrapper::close);
    session.run("DEVSTREAM-13", "fill", () -> stream.fill(image.at(7), (byte) 7, 77));
    image.expect(7, 77, (byte) 7);
    session.finish("DEVSTREAM-13", stream);
    image.check("work of a stream whose wrapper was closed");
  }

  @Rule("DEVSTREAM-18")
  void whatWasPutInBeforeCloseIsDone(DeviceSession session) {
    Device device = session.device();
    Image image = Image.onHost(session, device, 2000);
    DeviceStream closed = session.stream(device);
    DeviceStream waiting = session.stream(device);
    DeviceEvent event = device.createEvent(false);
    Gate gate = session.gate();
    gate.hold(closed);
    closed.fill(image.at(100), (byte) 9, 500);
    closed.record(event);
    waiting.await(event);
    waiting.fill(image.at(1000), (byte) 8, 500);
    image.expect(100, 500, (byte) 9);
    image.expect(1000, 500, (byte) 8);
    List<DeviceStream> others = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      others.add(session.stream(device));
      gate.hold(others.get(i));
    }
    others.add(closed);
    long fastest = Long.MAX_VALUE; // of several: a busy machine makes one slow
    for (DeviceStream each : others) {
      long start = System.nanoTime();
      session.run("DEVSTREAM-18", "close of a stream with work", each::close);
      fastest = Math.min(fastest, System.nanoTime() - start);
    }
    session.check(
        fastest <= Promptness.CALL,
        "close of a stream with work took %d ms or more each time",
        TimeUnit.NANOSECONDS.toMillis(fastest));
    session.run("DEVSTREAM-18", "close of an event that a stream waits for", event::close);
    session.check(!waiting.query(), "a stream does not wait any more for an event that was closed");
    gate.open();
    session.finish("DEVSTREAM-18", waiting);
    image.check("a stream and an event were closed with work before them");
  }
}
