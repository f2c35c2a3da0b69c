// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.team;

import io.nitinol.core.launch.JavaProcess;
import io.nitinol.core.log.Log;
import io.nitinol.core.shm.ShmDirectory;
import io.nitinol.spi.NetException;
import io.nitinol.spi.tuner.Protocol;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A member of a team in a process of its own: what it runs, and how a test starts it. */
final class TeamProcess extends JavaProcess {
  private TeamProcess(List<String> prefix, List<String> arguments) throws IOException {
    super(prefix, List.of(), TeamProcess.class, arguments);
  }

  /** Starts a process by way of {@code prefix} that runs {@code scene} in {@code directory}. */
  static TeamProcess start(
      List<String> prefix, Path directory, int index, int members, String... scene)
      throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of(directory.toString(), String.valueOf(index), String.valueOf(members)));
    arguments.addAll(List.of(scene));
    return new TeamProcess(prefix, arguments);
  }

  /** Runs one member: directory, index, members, scene and its arguments. */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[0]);
    int index = Integer.parseInt(args[1]);
    int members = Integer.parseInt(args[2]);
    ShmDirectory shm = new ShmDirectory(directory, Log.process());
    switch (args[3]) {
      case "exchange" -> {
        AreaShape shape = new AreaShape(Protocol.valueOf(args[4]), 1024, 4);
        Team team = connect(directory, shm, members, index, List.of(shape));
        say("there " + team.area(0));
        TeamRounds.exchange(team.area(0), 0, Long.parseLong(args[5]), 64);
        team.close();
        say("done");
      }
      case "again" -> {
        AreaShape shape = new AreaShape(Protocol.SIMPLE, 64 << 10, 4);
        for (long round = 0; ; round++) {
          Postbox.team(members, false, List.of(shape), shm).forEach(Team::close);
          if (round == 0) {
            say("made");
          }
        }
      }
      case "fill" -> {
        // Each member's part is more than half of what there is.
        AreaShape shape = new AreaShape(Protocol.SIMPLE, 600 << 10, 1);
        try {
          Postbox.team(members, false, List.of(shape), shm);
          say("filled");
        } catch (NetException e) {
          say("failed " + e.getMessage());
        }
        try (Stream<Path> files = Files.list(directory)) {
          say("files " + files.toList());
        }
      }
      default -> throw new IllegalArgumentException(args[3]);
    }
  }

  /** Makes a team of processes that leave each other messages in files of the directory. */
  static Team connect(
      Path directory, ShmDirectory shm, int members, int index, List<AreaShape> areas) {
    List<Integer> ranks = IntStream.range(0, members).boxed().toList();
    TeamPlan plan = new TeamPlan(ranks, index, false, areas);
    String call = "message-" + areas.toString().hashCode() + "-";
    try (TeamSetup setup =
        new TeamSetup(
            plan,
            shm,
            (to, message) -> leave(directory.resolve(call + to), message),
            from -> find(directory.resolve(call + index)))) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (System.nanoTime() - deadline < 0) {
        Team team = setup.poll();
        if (team != null) {
          return team;
        }
        Thread.yield();
      }
    }
    throw new AssertionError("no team after 30 s");
  }

  private static void leave(Path file, byte[] message) {
    try {
      Path whole = file.resolveSibling(file.getFileName() + "-unfinished");
      Files.write(whole, message);
      Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte @Nullable [] find(Path file) {
    try {
      return Files.exists(file) ? Files.readAllBytes(file) : null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
