// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceEvent;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceKernels;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.KernelStep;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamTransfer.Direction;
import io.nitinol.spi.device.v1.TeamWindow;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.device.DeviceSession;
import io.nitinol.tck.device.Foreign;
import io.nitinol.tck.device.Image;
import io.nitinol.tck.device.StreamScript;
import io.nitinol.tck.device.TeamGroup;
import io.nitinol.tck.session.SideThread;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How calls fail, what they leave behind, and which threads may make them. */
// Null is what many of these calls are about, and the very object what others ask for.
@SuppressWarnings({"NullAway", "ReferenceEquality"})
public final class DeviceErrorRules {
  private static final DeviceReduction SUM = DeviceReduction.of(DataType.INT32, ReductionOp.SUM, 2);
  private static final int THREADS = 8;

  @Rule("DEV-12")
  void nullIsAnInvalidArgument(DeviceSession session) {
    Device device = session.device();
    DeviceKernels kernels = device.kernels();
    DeviceStream stream = session.stream(device);
    DeviceEvent event = session.event(device);
    Image image = Image.onDevice(session, device, 256);
    Map<String, Runnable> calls = new LinkedHashMap<>();
    calls.put("supports(null)", () -> device.supports(null));
    calls.put("canAccess(null)", () -> device.canAccess(null));
    calls.put("link(null)", () -> device.link(null));
    calls.put("enablePeerAccess(null)", () -> device.enablePeerAccess(null));
    calls.put("record(null)", () -> stream.record(null));
    calls.put("await(null)", () -> stream.await(null));
    calls.put("elapsedNanos(null)", () -> event.elapsedNanos(null));
    calls.put("supports(null) of kernels", () -> kernels.supports(null));
    calls.put("copy by a kernel on null", () -> kernels.copy(null, image.at(0), image.at(64), 4));
    calls.put("apply on null", () -> apply(kernels, null, SUM, KernelStep.COPY, image));
    calls.put("apply of null", () -> apply(kernels, stream, null, KernelStep.COPY, image));
    calls.put("apply of no step", () -> apply(kernels, stream, SUM, null, image));
    calls.forEach((what, call) -> session.refuse(what, call, DeviceFailure.INVALID_ARGUMENT));
    Map<DeviceFeature, Runnable> optional = new LinkedHashMap<>();
    optional.put(DeviceFeature.HOST_REGISTRATION, () -> device.registerHost(null));
    optional.put(DeviceFeature.MEMORY_HANDLES, () -> device.importMemory(null));
    optional.put(DeviceFeature.GRAPHS, () -> stream.launch(null));
    optional.put(DeviceFeature.TEAMS, () -> device.joinTeam(null));
    optional.forEach((feature, call) -> {
      if (device.supports(feature)) {
        session.refuse("null in a call of " + feature, call, DeviceFailure.INVALID_ARGUMENT);
      }
    });
    session.finish(stream);
    image.check("calls that were refused");
  }

  private static void apply(
      DeviceKernels kernels,
      @Nullable DeviceStream stream,
      @Nullable DeviceReduction reduction,
      @Nullable KernelStep step,
      Image image) {
    kernels.apply(stream, reduction, step, image.at(0), image.at(64), image.at(128), 4);
  }

  @Rule("DEV-12")
  void nullIsAnInvalidArgumentOfATeam(DeviceSession session) {
    TeamGroup group = TeamGroup.alone(session);
    DeviceTeam team = group.member(0).team();
    DeviceStream stream = group.member(0).stream();
    Image image = Image.onDevice(session, session.device(), 256);
    long a = image.at(0);
    long b = image.at(128);
    DeviceReduction sum = DeviceReduction.of(DataType.INT32, ReductionOp.SUM, 1);
    Map<String, Runnable> calls = new LinkedHashMap<>();
    calls.put("supports(null)", () -> team.supports(null, null));
    calls.put("allReduce on null", () -> team.allReduce(null, sum, a, b, 4));
    calls.put("allReduce of null", () -> team.allReduce(stream, null, a, b, 4));
    calls.put("allGather on null", () -> team.allGather(null, a, b, 4));
    calls.put("broadcast on null", () -> team.broadcast(null, a, b, 4, 0));
    calls.put("transfer on null", () -> team.transfer(null, List.of()));
    calls.put("transfer of null", () -> team.transfer(stream, null));
    calls.put(
        "transfer of a list with null",
        () -> team.transfer(stream, Arrays.asList((TeamTransfer) null)));
    calls.forEach((what, call) -> session.refuse(what, call, DeviceFailure.INVALID_ARGUMENT));
    session.finish(stream);
    image.check("calls that were refused");
  }

  @Rule("DEV-12")
  void anotherProvidersObjectIsAnInvalidArgument(DeviceSession session) {
    Device device = session.device();
    Device foreign = Foreign.object(Device.class);
    DeviceEvent event = session.event(device);
    DeviceEvent other = Foreign.object(DeviceEvent.class);
    DeviceFailure wrong = DeviceFailure.INVALID_ARGUMENT;
    session.refuse(
        "canAccess of another provider's device", () -> device.canAccess(foreign), wrong);
    session.refuse("link to another provider's device", () -> device.link(foreign), wrong);
    session.refuse(
        "enablePeerAccess of another provider's device",
        () -> device.enablePeerAccess(foreign),
        wrong);
    session.refuse(
        "elapsedNanos of another provider's event", () -> event.elapsedNanos(other), wrong);
  }

  @Rule("DEV-13")
  void whatFailedHasChangedNothing(DeviceSession session) {
    Device device = session.device();
    DeviceStream stream = session.stream(device);
    Image image = Image.onDevice(session, device, 6000);
    DeviceEvent event = session.event(device);
    DeviceEvent foreign = Foreign.object(DeviceEvent.class);
    for (int i = 0; i < 20; i++) {
      StreamScript script = new StreamScript(session.random(), 5, image.size());
      script.put(stream, image);
      script.expect(image);
      failing(() -> stream.copy(image.at(0), image.at(3000), -1));
      failing(() -> stream.fill(image.at(0), (byte) 1, -5));
      failing(() -> stream.record(foreign));
      failing(() -> stream.await(foreign));
      failing(stream::endCapture);
      failing(() -> stream.waitValue(image.at(1), 1));
      failing(() -> device.kernels().copy(stream, image.at(0), image.at(3000), -1));
      failing(() -> apply(device.kernels(), stream, SUM, null, image));
      failing(() -> device.allocate(0));
      failing(() -> device.allocate(1L << 62));
      failing(() -> event.elapsedNanos(event));
      stream.record(event);
    }
    session.finish("DEV-13", stream);
    session.check(event.query(), "an event is not complete behind calls that failed");
    image.check("work with calls between that failed");
    Image.onDevice(session, device, 1 << 20).check("allocations that failed");
  }

  private static void failing(Runnable call) {
    try {
      call.run();
    } catch (DeviceException e) {
      // Whether it fails, and how, is the matter of other tests.
    }
  }

  @Rule("DEV-14")
  void aClosedStreamRefusesWork(DeviceSession session) {
    Device device = session.device();
    Image image = Image.onDevice(session, device, 256);
    DeviceEvent event = session.event(device);
    DeviceStream stream = device.createStream(false);
    session.finish(stream);
    stream.close();
    stream.close();
    Map<String, Runnable> calls = new LinkedHashMap<>();
    calls.put("copy", () -> stream.copy(image.at(0), image.at(128), 64));
    calls.put("fill", () -> stream.fill(image.at(0), (byte) 1, 64));
    calls.put("record", () -> stream.record(event));
    calls.put("await", () -> stream.await(event));
    calls.put("query", stream::query);
    calls.put("synchronize", () -> stream.synchronize(1));
    calls.put("a kernel", () -> device.kernels().copy(stream, image.at(0), image.at(128), 64));
    if (device.supports(DeviceFeature.GRAPHS)) {
      calls.put("beginCapture", stream::beginCapture);
    }
    calls.forEach((what, call) ->
        session.refuse(what + " of a closed stream", call, DeviceFailure.INVALID_STATE));
    session.check(stream.device() == device, "a closed stream has forgotten its device");
    image.check("calls that were refused");
  }

  @Rule("DEV-14")
  void aClosedEventIsNotUsed(DeviceSession session) {
    Device device = session.device();
    DeviceStream stream = session.stream(device);
    DeviceEvent usual = session.keep(device.createEvent(true));
    DeviceEvent event = device.createEvent(true);
    stream.record(event);
    stream.record(usual);
    session.finish(stream);
    event.close();
    event.close();
    Map<String, Runnable> calls = new LinkedHashMap<>();
    calls.put("query", event::query);
    calls.put("synchronize", () -> event.synchronize(1));
    calls.put("elapsedNanos", () -> event.elapsedNanos(usual));
    calls.put("elapsedNanos from it", () -> usual.elapsedNanos(event));
    calls.put("record", () -> stream.record(event));
    calls.put("await", () -> stream.await(event));
    calls.forEach((what, call) ->
        session.refuse(what + " of a closed event", call, DeviceFailure.INVALID_STATE));
    session.check(event.device() == device, "a closed event has forgotten its device");
    session.finish(stream);
  }

  @Rule("DEV-14")
  void closedMemoryStillDescribesItself(DeviceSession session) {
    Device device = session.device();
    for (DeviceMemory memory : List.of(device.allocate(1000), device.allocateHost(1000))) {
      long address = memory.address();
      memory.close();
      session.run("DEV-14", "a second close of memory", memory::close);
      session.check(
          memory.address() == address && memory.size() == 1000 && memory.device() == device,
          "closed memory has forgotten its address, size or device");
      // What is allocated next may get the same place, which a third close must not free.
      Image next = Image.onDevice(session, device, 1000);
      memory.close();
      Image other = Image.onDevice(session, device, 1000);
      next.check("memory was closed once more");
      other.check("memory was closed once more");
    }
  }

  @Rule("DEV-14")
  void aClosedTeamRefusesLaunches(DeviceSession session) {
    TeamGroup group = TeamGroup.several(session, 2);
    DeviceTeam team = group.member(0).team();
    DeviceStream stream = group.member(0).stream();
    DeviceReduction sum = DeviceReduction.of(DataType.INT32, ReductionOp.SUM, group.size());
    Image image = Image.onDevice(session, session.device(), 256);
    List<Image> pieces =
        group.members().stream()
            .map(member -> Image.onDevice(session, member.device(), 4096))
            .toList();
    List<TeamWindow> windows = group.window(member -> pieces.get(member.rank()).at(0), 4096);
    int blocks = team.blocks();
    group.closeTeam();
    group.closeTeam();
    long a = image.at(0);
    long b = image.at(128);
    Map<String, Runnable> calls = new LinkedHashMap<>();
    if (team.ranks() == 2 && supports(team, sum)) {
      calls.put("allReduce", () -> team.allReduce(stream, sum, a, b, 4));
    }
    calls.put("broadcast", () -> team.broadcast(stream, a, b, 4, 0));
    calls.put(
        "transfer",
        () -> team.transfer(stream, List.of(new TeamTransfer(Direction.SEND, 1, a, 4))));
    calls.put("openWindow", () -> team.openWindow(a, 64));
    calls.forEach((what, call) ->
        session.refuse(what + " of a closed team", call, DeviceFailure.INVALID_STATE));
    session.check(
        team.rank() == 0
            && team.ranks() == group.size()
            && team.device() == session.device()
            && team.blocks() == blocks,
        "a closed team has forgotten what it was");
    TeamWindow window = windows.getFirst();
    session.check(
        window.address() == pieces.getFirst().at(0) && window.size() == 4096,
        "a window of a closed team has forgotten where it was");
    session.finish(stream);
    image.check("launches that were refused");
  }

  /** Whether a closed team still says what it supports is its own affair. */
  private static boolean supports(DeviceTeam team, DeviceReduction sum) {
    try {
      return team.supports(Collective.ALL_REDUCE, sum);
    } catch (DeviceException e) {
      return true;
    }
  }

  @Rule(value = "DEV-16", seconds = 120)
  void manyThreadsUseADeviceAtOnce(DeviceSession session) {
    Device device = session.device();
    SideThread[] threads = new SideThread[THREADS];
    for (int i = 0; i < THREADS; i++) {
      Image image = Image.onDevice(session, device, 8000);
      DeviceStream stream = session.stream(device);
      Random random = new Random(session.random().nextLong());
      threads[i] =
          SideThread.start(
              "device-" + i,
              () -> {
                for (int turn = 0; turn < 30; turn++) {
                  StreamScript script = new StreamScript(random, 10, image.size());
                  script.put(stream, image);
                  script.expect(image);
                  try (DeviceMemory memory = device.allocate(1 + random.nextInt(5000));
                      DeviceEvent event = device.createEvent(false);
                      DeviceStream other = device.createStream(false)) {
                    session.check(
                        session.provider().find(memory.address()) != null,
                        "find does not know memory that another thread allocated");
                    stream.record(event);
                    other.await(event);
                    session.finish("DEV-16", other);
                  }
                  session.finish("DEV-16", stream);
                }
              });
      session.atEnd(() -> image.check("work of a thread among " + THREADS));
    }
    for (SideThread thread : threads) {
      thread.join("DEV-16", session.patient(TimeUnit.SECONDS.toNanos(90)));
    }
  }

  @Rule("DEV-16")
  void nothingDependsOnTheThread(DeviceSession session) {
    for (Device device : session.all()) {
      Image image = Image.onDevice(session, device, 6000);
      DeviceStream stream = session.stream(device);
      DeviceEvent event = session.event(device);
      for (int turn = 0; turn < 12; turn++) {
        StreamScript script = new StreamScript(session.random(), 10, image.size());
        SideThread.start(
                "turn-" + turn,
                () -> {
                  script.put(stream, image);
                  stream.record(event);
                })
            .join("DEV-16", session.patient(TimeUnit.SECONDS.toNanos(20)));
        script.expect(image);
        SideThread.start("wait-" + turn, () -> session.finish("DEV-16", stream))
            .join("DEV-16", session.patient(TimeUnit.SECONDS.toNanos(20)));
        session.check(event.query(), "an event is not complete though its stream is");
      }
      image.check("work that a new thread put in each time");
    }
  }
}
