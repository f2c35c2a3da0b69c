// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceEvent;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceGraph;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.spi.device.v1.TeamWindow;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Placement;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.device.DeviceSession;
import io.nitinol.tck.device.Gate;
import io.nitinol.tck.device.Image;
import io.nitinol.tck.device.RankExchange;
import io.nitinol.tck.device.TeamGroup;
import io.nitinol.tck.session.Resources;
import io.nitinol.tck.solo.Errand;
import io.nitinol.tck.solo.NewThreads;
import io.nitinol.tck.solo.Solo;
import io.nitinol.tck.solo.SoloResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Threads, output and resources of a device provider. */
public final class DeviceFootprintRules {
  private static final int ROUNDS = 1000;
  private static final int TEAMS = 100;
  private static final int FIRST = 10;
  private static final int QUEUES = 8;

  @Rule(value = "DEV-17", needs = Need.SOLO)
  void threadsAreDaemonsWithTheProvidersName(DeviceSession session) {
    SoloResult seen = Solo.run(session, Errand.WORK);
    String name = session.provider().name();
    session.check(seen.all("held").isEmpty(), "threads that are no daemons: %s", seen.all("held"));
    for (String thread : seen.all("thread")) {
      session.check(
          thread.startsWith(name), "a thread is named %s, and the provider %s", thread, name);
    }
  }

  @Rule(value = "DEV-17", in = Placement.PROCESS)
  void threadsDoNotGrowWithStreamsAndTeams(DeviceSession session) {
    NewThreads threads = new NewThreads();
    Device device = session.device();
    busy(session, device, 4);
    int few = threads.now().size();
    busy(session, device, 60);
    if (device.supports(DeviceFeature.TEAMS)) {
      for (int i = 0; i < 6; i++) {
        TeamGroup.alone(session);
      }
    }
    int many = threads.now().size();
    // The number is bounded by the processors, whatever the figure is with which it begins.
    int most = Math.max(few + 1, 2 * Runtime.getRuntime().availableProcessors() + 2);
    session.check(
        many <= most,
        "there are %d threads with 4 streams and %d with 64 and 6 teams, on %d processors: %s",
        few,
        many,
        Runtime.getRuntime().availableProcessors(),
        threads.now());
  }

  /**
   * Makes streams that work at once. Some of them wait first, no more than a device surely has
   * queues: CUDA's driver makes no stream while 32 wait.
   */
  private static void busy(DeviceSession session, Device device, int count) {
    List<DeviceStream> streams = new ArrayList<>();
    Gate gate = device.supports(DeviceFeature.STREAM_VALUES) ? session.gate() : null;
    Image image = Image.onDevice(session, device, 1000);
    for (int i = 0; i < count; i++) {
      streams.add(session.stream(device));
    }
    if (gate != null) {
      streams.stream().limit(QUEUES).forEach(gate::hold);
    }
    for (DeviceStream stream : streams) {
      stream.fill(image.at(0), (byte) 1, 1000);
      stream.record(session.event(device));
    }
    if (gate != null) {
      gate.open();
    }
    streams.forEach(session::finish);
  }

  @Rule(value = "DEV-18", needs = Need.SOLO)
  void nothingIsPrinted(DeviceSession session) {
    SoloResult seen = Solo.run(session, Errand.WORK);
    session.check(
        seen.printed().isEmpty(),
        "it printed %d lines, the first: %s",
        seen.printed().size(),
        seen.printed().isEmpty() ? "" : seen.printed().getFirst());
  }

  @Rule(value = "DEV-19", in = Placement.PROCESS, needs = Need.PROC, seconds = 180)
  void whatIsClosedIsGone(DeviceSession session) {
    Device device = session.device();
    Image image = Image.onDevice(session, device, 4096);
    grows(session, ROUNDS, round -> oneRound(session, device, image));
    image.check("1000 rounds that used it");
  }

  private static void oneRound(DeviceSession session, Device device, Image image) {
    DeviceStream stream = device.createStream(false);
    DeviceEvent event = device.createEvent(false);
    DeviceMemory memory = device.allocate(5000);
    DeviceMemory host = device.allocateHost(5000);
    stream.copy(memory.address(), image.at(0), 4096);
    stream.copy(host.address(), memory.address(), 4096);
    stream.record(event);
    if (device.supports(DeviceFeature.GRAPHS)) {
      stream.beginCapture();
      stream.copy(host.address(), image.at(100), 3000);
      DeviceGraph graph = stream.endCapture();
      stream.launch(graph);
      graph.close();
    }
    session.finish("DEV-19", stream);
    stream.close();
    event.close();
    memory.close();
    host.close();
  }

  /** Repeats something and compares what the process holds after the first ten with the end. */
  private static void grows(DeviceSession session, int rounds, IntConsumer round) {
    for (int i = 0; i < FIRST; i++) {
      round.accept(i);
    }
    Resources.collect();
    Resources before = Resources.now();
    for (int i = FIRST; i < rounds; i++) {
      round.accept(i);
    }
    Resources.collect();
    int spare = rounds / 10; // the JVM and a driver go on mapping, but not in each round
    session.check(
        before.awaitRestored(session, Resources::threads)
            && before.awaitRestored(session, Resources::descriptors)
            && before.awaitRestored(session, Resources::mappings, spare),
        "after %d rounds the process holds %s, and after the first %d %s",
        rounds,
        Resources.now(),
        FIRST,
        before);
  }

  /** Joins that fail at any of their exchanges, at either rank; windows that cannot be opened. */
  @Rule(value = "DEVTEAM-05", in = Placement.PROCESS, needs = Need.PROC, seconds = 240)
  void whatFailedLeavesNothingBehind(DeviceSession session) {
    TeamGroup lasting = TeamGroup.several(session, 2);
    List<Device> devices = lasting.members().stream().map(each -> each.device()).toList();
    int exchanges = lasting.exchange().calls()[0];
    List<Image> images = new ArrayList<>();
    devices.forEach(device -> images.add(Image.onDevice(session, device, 4096)));
    NetException lost = new NetException(ResultCode.REMOTE_ERROR, "the bytes are lost");
    grows(
        session,
        TEAMS,
        round -> {
          AtomicInteger left = new AtomicInteger(round % Math.max(1, exchanges));
          int from = round / Math.max(1, exchanges) % devices.size();
          RankExchange failing =
              new RankExchange(
                  session,
                  devices.size(),
                  (rank, bytes) -> {
                    if (rank == from && left.getAndDecrement() == 0) {
                      throw lost;
                    }
                  });
          List<TeamGroup.Joined> joined =
              TeamGroup.attempt(session, devices, DeviceTeamConfig.DEFAULT_BLOCKS, failing);
          session.check(
              joined.get(from).team() == null,
              "rank %d has joined though one of its exchanges failed",
              from);
          // Where the last exchange is the one that fails, the others may have their ends already.
          joined.stream()
              .map(TeamGroup.Joined::team)
              .filter(Objects::nonNull)
              .forEach(DeviceTeam::close);
          lasting.collective(
              "DEVTEAM-05",
              "openWindow of other memory at one rank",
              member -> {
                long address = member.rank() == 0 ? 64 : images.get(member.rank()).at(0);
                try {
                  member.team().openWindow(address, 4096).close();
                  return false;
                } catch (DeviceException e) {
                  return true;
                }
              });
          lasting.restart();
        });
    images.forEach(image -> image.check("teams and windows that failed"));
  }

  @Rule(value = "DEVTEAM-19", in = Placement.PROCESS, needs = Need.PROC, seconds = 240)
  void closedTeamsAreGone(DeviceSession session) {
    List<Device> devices =
        TeamGroup.several(session, 2).members().stream().map(each -> each.device()).toList();
    List<Image> images = new ArrayList<>();
    devices.forEach(device -> images.add(Image.onDevice(session, device, 8192)));
    List<DeviceStream> streams = devices.stream().map(session::stream).toList();
    grows(
        session,
        TEAMS,
        round -> {
          TeamGroup group = TeamGroup.join(session, devices, 0);
          List<TeamWindow> windows = group.window(each -> images.get(each.rank()).at(0), 8192);
          group.each(each ->
              each.team()
                  .broadcast(
                      streams.get(each.rank()),
                      images.get(each.rank()).at(0),
                      images.get(each.rank()).at(4096),
                      4096,
                      0));
          streams.forEach(session::finish);
          if (round % 2 == 0) {
            group.close(windows); // the others go with their team
          }
          group.closeTeam();
          group.forget();
        });
    for (Image image : images) {
      image.expect(4096, images.getFirst().part(0, 4096));
      image.check("broadcasts of 100 teams");
    }
  }
}
