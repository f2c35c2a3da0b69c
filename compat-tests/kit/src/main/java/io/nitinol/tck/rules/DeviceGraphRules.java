// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceEvent;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceGraph;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.device.DeviceSession;
import io.nitinol.tck.device.Foreign;
import io.nitinol.tck.device.Gate;
import io.nitinol.tck.device.Image;
import io.nitinol.tck.device.StreamScript;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Work that is recorded once and done many times. */
@SuppressWarnings("ReferenceEquality") // the very object is what is asked for
public final class DeviceGraphRules {
  private static final DeviceFailure STATE = DeviceFailure.INVALID_STATE;

  private static Device device(DeviceSession session) {
    session.needs(session.device(), DeviceFeature.GRAPHS);
    return session.device();
  }

  private static DeviceGraph end(DeviceSession session, DeviceStream stream) {
    DeviceGraph graph = session.step("DEVSTREAM-14", "endCapture", stream::endCapture);
    session.require("DEVSTREAM-14", graph != null, "endCapture returned null");
    return session.keep(graph);
  }

  @Rule("DEVSTREAM-14")
  void aGraphDoesAllItsWorkAtEachLaunch(DeviceSession session) {
    DeviceStream stream = session.stream(device(session));
    Image image = Image.onDevice(session, session.device(), 9000);
    StreamScript script = new StreamScript(session.random(), 60, image.size());
    session.run("DEVSTREAM-14", "beginCapture", stream::beginCapture);
    script.put(stream, image);
    DeviceGraph graph = end(session, stream);
    session.check(graph.device() == session.device(), "the graph's device is another one");
    session.finish(stream);
    image.check("a capture, which does no work");
    for (int i = 0; i < 5; i++) {
      session.run("DEVSTREAM-14", "launch", () -> stream.launch(graph));
      script.expect(image);
      session.finish(stream);
      image.check("launch " + (i + 1) + " of a graph");
      image.put(0, session.noise(3000)); // later runs see what the memory holds then
    }
  }

  @Rule("DEVSTREAM-14")
  void nothingIsDoneBeforeTheLaunch(DeviceSession session) {
    DeviceStream stream = session.stream(device(session));
    Image image = Image.onDevice(session, session.device(), 1000);
    stream.beginCapture();
    stream.fill(image.at(0), (byte) 1, 1000);
    session.device().kernels().copy(stream, image.at(0), image.at(500), 400);
    Image beside = Image.onDevice(session, session.device(), 1000);
    beside.check("writes of another stream during a capture"); // by the session's own stream
    image.check("a capture that goes on");
    end(session, stream);
    session.finish(stream);
    image.check("a capture that has ended");
  }

  @Rule("DEVSTREAM-14")
  void runsOfOneGraphFollowEachOther(DeviceSession session) {
    DeviceStream first = session.stream(device(session));
    DeviceStream second = session.stream(session.device());
    int size = 30_000;
    Image image = Image.onDevice(session, session.device(), size);
    // Moves everything on by 100 bytes, through a place behind: two runs at once would mix.
    Image scratch = Image.onDevice(session, session.device(), size);
    first.beginCapture();
    first.copy(scratch.at(100), image.at(0), size - 100);
    first.copy(scratch.at(0), image.at(size - 100), 100);
    first.copy(image.at(0), scratch.at(0), size);
    DeviceGraph graph = end(session, first);
    Gate gate = session.gate();
    gate.hold(first);
    DeviceEvent order = session.event(session.device());
    for (int i = 0; i < 20; i++) {
      DeviceStream stream = i % 2 == 0 ? first : second;
      session.run("DEVSTREAM-14", "launch", () -> stream.launch(graph));
      stream.record(order);
      (i % 2 == 0 ? second : first).await(order);
      byte[] before = image.part(0, size);
      image.expect(100, Arrays.copyOf(before, size - 100));
      image.expect(0, Arrays.copyOfRange(before, size - 100, size));
    }
    gate.open();
    session.finish("DEVSTREAM-14", first);
    session.finish("DEVSTREAM-14", second);
    image.check("20 runs of one graph that were put in at once");
  }

  @Rule("DEVSTREAM-14")
  void aLaunchIsInTheOrderOfItsStream(DeviceSession session) {
    DeviceStream stream = session.stream(device(session));
    Image image = Image.onDevice(session, session.device(), 2000);
    stream.beginCapture();
    stream.copy(image.at(1000), image.at(0), 1000);
    DeviceGraph graph = end(session, stream);
    Gate gate = session.gate();
    gate.hold(stream);
    for (int i = 0; i < 10; i++) {
      stream.fill(image.at(0), (byte) i, 500 + i);
      image.expect(0, 500 + i, (byte) i);
      stream.launch(graph);
      image.expect(1000, image.part(0, 1000));
      stream.copy(image.at(700), image.at(1000), 100);
      image.expect(700, image.part(1000, 100));
    }
    session.check(
        !stream.synchronize(TimeUnit.MILLISECONDS.toNanos(5)),
        "a launch does not wait for the work before it");
    gate.open();
    session.finish("DEVSTREAM-14", stream);
    image.check("launches between other work");
  }

  @Rule("DEVSTREAM-15")
  void someCallsAreRefusedDuringACapture(DeviceSession session) {
    DeviceStream stream = session.stream(device(session));
    Image image = Image.onDevice(session, session.device(), 1000);
    session.check(!stream.isCapturing(), "isCapturing is true before a capture");
    stream.beginCapture();
    stream.fill(image.at(0), (byte) 4, 100);
    DeviceGraph empty = end(session, stream);
    session.check(!stream.isCapturing(), "isCapturing is true after a capture");
    stream.beginCapture();
    session.check(stream.isCapturing(), "isCapturing is false during a capture");
    stream.fill(image.at(50), (byte) 6, 200);
    session.refuse("query during a capture", stream::query, STATE);
    session.refuse("synchronize during a capture", () -> stream.synchronize(1000), STATE);
    session.refuse("beginCapture during a capture", stream::beginCapture, STATE);
    session.refuse("launch during a capture", () -> stream.launch(empty), STATE);
    session.check(stream.isCapturing(), "a call that was refused has ended the capture");
    stream.copy(image.at(500), image.at(0), 300);
    DeviceGraph graph = end(session, stream);
    stream.launch(graph);
    session.finish("DEVSTREAM-15", stream);
    image.expect(50, 200, (byte) 6);
    image.expect(500, image.part(0, 300));
    image.check("a graph during whose capture calls were refused");
  }

  @Rule("DEVSTREAM-16")
  void aStreamJoinsByAnEventAndComesBack(DeviceSession session) {
    DeviceStream first = session.stream(device(session));
    DeviceStream second = session.stream(session.device());
    DeviceEvent fork = session.event(session.device());
    DeviceEvent join = session.event(session.device());
    Image image = Image.onDevice(session, session.device(), 3000);
    first.beginCapture();
    first.fill(image.at(0), (byte) 1, 500);
    first.record(fork);
    second.await(fork);
    session.check(second.isCapturing(), "a stream that has joined a capture is not capturing");
    second.copy(image.at(1000), image.at(0), 700);
    second.record(join);
    first.await(join);
    first.copy(image.at(2000), image.at(1000), 800);
    DeviceGraph graph = end(session, first);
    session.check(!second.isCapturing(), "a stream is capturing after the capture has ended");
    for (int i = 0; i < 3; i++) {
      first.launch(graph);
      image.expect(0, 500, (byte) 1);
      image.expect(1000, image.part(0, 700));
      image.expect(2000, image.part(1000, 800));
      session.finish("DEVSTREAM-16", first);
      image.check("a graph of two streams");
      image.put(0, session.noise(3000));
    }
    second.fill(image.at(9), (byte) 2, 90);
    image.expect(9, 90, (byte) 2);
    session.finish("DEVSTREAM-16", second);
    image.check("work of a stream that had joined a capture");
  }

  @Rule("DEVSTREAM-16")
  void aStreamThatDoesNotComeBackFailsTheCapture(DeviceSession session) {
    DeviceStream first = session.stream(device(session));
    DeviceStream second = session.stream(session.device());
    DeviceEvent fork = session.event(session.device());
    Image image = Image.onDevice(session, session.device(), 1000);
    first.beginCapture();
    first.fill(image.at(0), (byte) 1, 500);
    first.record(fork);
    second.await(fork);
    second.fill(image.at(500), (byte) 2, 500);
    session.refuse(
        "endCapture while another stream has not come back", () -> first.endCapture(), STATE);
    for (DeviceStream stream : new DeviceStream[] {first, second}) {
      session.check(!stream.isCapturing(), "a stream is capturing after endCapture has failed");
      session.finish("DEVSTREAM-16", stream);
    }
    image.check("a capture that failed");
    first.fill(image.at(1), (byte) 3, 100);
    image.expect(1, 100, (byte) 3);
    second.fill(image.at(300), (byte) 4, 100);
    image.expect(300, 100, (byte) 4);
    session.finish("DEVSTREAM-16", first);
    session.finish("DEVSTREAM-16", second);
    image.check("work of streams whose capture failed");
    session.refuse("endCapture without a capture", () -> first.endCapture(), STATE);
  }

  @Rule("DEVSTREAM-16")
  void onlyTheStreamThatBeganItEndsACapture(DeviceSession session) {
    DeviceStream first = session.stream(device(session));
    DeviceStream second = session.stream(session.device());
    DeviceEvent fork = session.event(session.device());
    DeviceEvent join = session.event(session.device());
    session.refuse("endCapture without a capture", () -> first.endCapture(), STATE);
    first.beginCapture();
    session.refuse("endCapture of a stream beside it", () -> second.endCapture(), STATE);
    first.record(fork);
    second.await(fork);
    session.refuse("endCapture of a stream that joined", () -> second.endCapture(), STATE);
    session.check(first.isCapturing(), "another stream's endCapture has ended the capture");
    second.record(join);
    first.await(join);
    end(session, first);
  }

  @Rule("DEVSTREAM-17")
  void anEventOfACaptureIsNoPointInTime(DeviceSession session) {
    Device device = device(session);
    DeviceStream stream = session.stream(device);
    DeviceStream other = session.stream(device);
    DeviceEvent event = session.keep(device.createEvent(true));
    DeviceEvent usual = session.keep(device.createEvent(true));
    stream.record(usual);
    stream.record(event);
    session.finish(stream);
    stream.beginCapture();
    stream.record(event);
    refused(session, event, usual, "during the capture");
    DeviceGraph graph = end(session, stream);
    refused(session, event, usual, "after the capture");
    session.refuse("await of an event of a capture that is over", () -> other.await(event), STATE);
    stream.launch(graph);
    session.finish(stream);
    refused(session, event, usual, "after a launch");
    stream.record(event);
    session.finish(stream);
    session.check(event.query(), "an event that was recorded again is not complete");
    session.check(event.elapsedNanos(usual) >= 0, "an event that was recorded again has no time");
    other.await(event);
    session.finish(other);
  }

  private static void refused(
      DeviceSession session, DeviceEvent event, DeviceEvent usual, String when) {
    session.refuse("query " + when, event::query, STATE);
    session.refuse("synchronize " + when, () -> event.synchronize(1000), STATE);
    session.refuse("elapsedNanos " + when, () -> event.elapsedNanos(usual), STATE);
    session.refuse("elapsedNanos from it " + when, () -> usual.elapsedNanos(event), STATE);
  }

  @Rule("DEVSTREAM-18")
  void aClosedGraphIsStillRunAndNotLaunched(DeviceSession session) {
    DeviceStream stream = session.stream(device(session));
    Image image = Image.onDevice(session, session.device(), 1000);
    stream.beginCapture();
    stream.fill(image.at(10), (byte) 1, 700);
    DeviceGraph graph = end(session, stream);
    Gate gate = session.gate();
    gate.hold(stream);
    stream.launch(graph);
    session.run("DEVSTREAM-18", "close of a graph that was launched", graph::close);
    session.refuse("launch of a closed graph", () -> stream.launch(graph), STATE);
    gate.open();
    session.finish("DEVSTREAM-18", stream);
    image.expect(10, 700, (byte) 1);
    image.check("a graph was closed with a run before it");
  }

  @Rule("DEVSTREAM-18")
  void aGraphBelongsToADevice(DeviceSession session) {
    DeviceStream stream = session.stream(device(session));
    DeviceFailure wrong = DeviceFailure.INVALID_ARGUMENT;
    DeviceGraph foreign = Foreign.object(DeviceGraph.class);
    session.refuse("launch of another provider's graph", () -> stream.launch(foreign), wrong);
    if (session.devices() < 2 || !session.all().get(1).supports(DeviceFeature.GRAPHS)) {
      return;
    }
    DeviceStream other = session.stream(session.all().get(1));
    Image image = Image.onHost(session, session.device(), 100);
    other.beginCapture();
    other.fill(image.at(0), (byte) 1, 100);
    DeviceGraph graph = end(session, other);
    session.refuse("launch of another device's graph", () -> stream.launch(graph), wrong);
    session.finish(stream);
    image.check("a launch that was refused");
  }
}
