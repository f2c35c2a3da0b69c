// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.spi.device.v1.TeamWindow;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.device.DeviceSession;
import io.nitinol.tck.device.FileExchange;
import io.nitinol.tck.device.Image;
import io.nitinol.tck.peer.DevicePeer;
import io.nitinol.tck.scene.Promptness;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Teams whose ranks are processes. */
public final class DeviceTeamProcessRules {
  private static final int COUNT = 200;
  private static final int HALF = COUNT * Integer.BYTES;
  private static final long FREE = TimeUnit.SECONDS.toNanos(10);
  private static final DeviceReduction SUM = DeviceReduction.of(DataType.INT32, ReductionOp.SUM, 2);

  /** Rank 0 here and rank 1 in another process. */
  private static final class Pair {
    final DeviceSession session;
    final DevicePeer peer;
    final DeviceTeam team;
    final DeviceStream stream;
    final Image image;

    Pair(DeviceSession session) throws IOException {
      this.session = session;
      Device device = session.device();
      session.needs(device, DeviceFeature.TEAMS);
      session.needs(device, DeviceFeature.MEMORY_HANDLES);
      // On a device of its own if there is one.
      int other = session.devices() > 1 && device.canAccess(session.all().get(1)) ? 1 : 0;
      Path directory = Files.createTempDirectory("nitinol-tck");
      session.atEnd(() -> delete(directory));
      peer = DevicePeer.start(session);
      stream = session.stream(device);
      CompletableFuture<String> there = peer.begin("join", other, 1, 2, directory);
      try {
        team =
            device.joinTeam(
                new DeviceTeamConfig(
                    0,
                    List.of(0, 1),
                    DeviceTeamConfig.DEFAULT_BLOCKS,
                    new FileExchange(session, directory, 0, 2)));
      } catch (DeviceException e) {
        if (other == 0 && e.failure() == DeviceFailure.UNSUPPORTED) {
          throw session.skip("there is one device, and the provider's ranks do not share one");
        }
        throw session.broken("joinTeam failed with " + e.failure() + ": " + e.getMessage());
      }
      session.endTeam(team);
      String seen = peer.done("DEVTEAM-03", "joinTeam", there);
      session.check(seen.equals("1 2"), "rank 1 of 2 is \"%s\" to itself", seen);
      if (!team.supports(Collective.ALL_REDUCE, SUM)) {
        throw session.skip("the team supports no all-reduce of INT32");
      }
      image = Image.onDevice(session, device, 2 * HALF);
      peer.allocate("far", other, 2 * HALF);
    }

    private static void delete(Path directory) {
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
        Files.delete(directory);
      } catch (IOException e) {
        directory.toFile().deleteOnExit(); // what is left among temporary files is no finding
      }
    }

    void launch() {
      team.allReduce(stream, SUM, image.at(0), image.at(HALF), COUNT);
    }

    void allReduce(String how) {
      byte[] there = session.noise(HALF);
      peer.write("far", 0, there);
      image.put(0, session.noise(HALF));
      launch();
      peer.done("DEVTEAM-03", "an all-reduce", peer.begin("allreduce", "far", COUNT));
      session.finish("DEVTEAM-03", stream);
      peer.done("DEVTEAM-03", "an all-reduce", peer.begin("finish"));
      byte[] sum = new byte[HALF];
      MemorySegment result = MemorySegment.ofArray(sum);
      MemorySegment here = MemorySegment.ofArray(image.part(0, HALF));
      MemorySegment far = MemorySegment.ofArray(there);
      for (int i = 0; i < COUNT; i++) {
        long at = (long) i * Integer.BYTES;
        result.set(
            ValueLayout.JAVA_INT_UNALIGNED,
            at,
            here.get(ValueLayout.JAVA_INT_UNALIGNED, at)
                + far.get(ValueLayout.JAVA_INT_UNALIGNED, at));
      }
      image.expect(HALF, sum);
      image.check("an all-reduce of two processes, " + how);
      session.check(
          Arrays.equals(peer.read("far", HALF, HALF), sum),
          "an all-reduce of two processes, %s, gave another result there",
          how);
    }
  }

  @Rule(value = "DEVTEAM-03", needs = Need.PROCESSES, seconds = 90)
  void ranksInProcessesFormATeam(DeviceSession session) throws IOException {
    Pair pair = new Pair(session);
    for (int i = 0; i < 5; i++) {
      pair.allReduce("number " + i);
    }
    CompletableFuture<String> there = pair.peer.begin("window", "far");
    TeamWindow window =
        session.step(
            "DEVTEAM-03", "openWindow", () -> pair.team.openWindow(pair.image.at(0), 2L * HALF));
    pair.peer.done("DEVTEAM-03", "openWindow", there);
    for (int i = 0; i < 5; i++) {
      pair.allReduce("in a window, number " + i);
    }
    CompletableFuture<String> closing = pair.peer.begin("closewindow");
    session.run("DEVTEAM-03", "close of a window", window::close);
    pair.peer.done("DEVTEAM-03", "close of a window", closing);
    pair.allReduce("after a window");
    pair.peer.release();
  }

  @Rule(value = "DEVTEAM-17", needs = Need.PROCESSES, seconds = 90)
  void aRankThatEndsDoesNotKeepTheOthers(DeviceSession session) throws IOException {
    Pair pair = new Pair(session);
    pair.allReduce("before the end");
    for (int i = 0; i < 3; i++) {
      pair.launch();
    }
    session.check(
        !pair.stream.synchronize(TimeUnit.MILLISECONDS.toNanos(20)),
        "an all-reduce is done though the other rank has not launched it");
    pair.peer.kill();
    Promptness.checkCall(session, "abort", () -> pair.team.abort("the other rank has gone"));
    session.check(
        pair.stream.synchronize(session.patient(FREE)),
        "a stream is not free 10 s after the abort of its rank");
    DeviceException failure = pair.team.failure();
    session.check(
        failure != null && failure.failure() == DeviceFailure.TEAM_ABORTED,
        "failure after an abort is %s",
        failure);
    session.refuse("a launch after an abort", pair::launch, DeviceFailure.TEAM_ABORTED);
    session.run("DEVTEAM-17", "close of the team", pair.team::close);
    List<Image> images = new ArrayList<>();
    for (Device device : session.all()) {
      images.add(Image.onDevice(session, device, 3000));
    }
    images.forEach(image -> image.check("a rank in another process was killed"));
  }
}
