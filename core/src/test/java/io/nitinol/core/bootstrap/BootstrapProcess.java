// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.core.launch.JavaProcess;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.control.ControlLink;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One rank in a process of its own: what it runs, and how a test starts it and listens to it. */
final class BootstrapProcess extends JavaProcess {
  private BootstrapProcess(List<String> prefix, List<String> arguments) throws IOException {
    super(prefix, List.of("-XX:TieredStopAtLevel=1"), BootstrapProcess.class, arguments);
  }

  /** Starts rank {@code rank} of {@code n}, which does what {@code scene} says. */
  static BootstrapProcess start(UniqueId id, int rank, int n, String scene) throws IOException {
    return start(id, rank, n, scene, List.of());
  }

  /** As the other, by way of the command {@code prefix}. */
  static BootstrapProcess start(UniqueId id, int rank, int n, String scene, List<String> prefix)
      throws IOException {
    return new BootstrapProcess(
        prefix, List.of(id.toString(), String.valueOf(rank), String.valueOf(n), scene));
  }

  /** Sends a signal, such as STOP. */
  void signal(String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start();
    if (!kill.waitFor(240, TimeUnit.SECONDS) || kill.exitValue() != 0) {
      throw new AssertionError("kill -" + name + " failed");
    }
  }

  /** Runs one rank: unique id, rank, number of ranks, scene. */
  public static void main(String[] args) throws IOException {
    int rank = Integer.parseInt(args[1]);
    int n = Integer.parseInt(args[2]);
    RecordedLog log = new RecordedLog();
    long begin = System.nanoTime();
    Bootstrap bootstrap =
        Bootstrap.connect(UniqueId.parse(args[0]), rank, n, BootstrapRanks.settings(30), log);
    say("met " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
    bootstrap.onFailure((failed, reason) -> say("failed " + failed + " " + reason));
    switch (args[3]) {
      case "gather" -> {
        for (int round = 0; round < 10; round++) {
          byte[][] all = bootstrap.allGather(new byte[] {(byte) (rank + round)});
          for (int r = 0; r < n; r++) {
            if (all[r][0] != (byte) (r + round)) {
              throw new AssertionError("rank " + rank + " got " + all[r][0] + " of rank " + r);
            }
          }
          bootstrap.barrier(round);
        }
        bootstrap.close();
        say("warnings " + log.warnings());
      }
      case "wait" -> {
        say("ready");
        try {
          bootstrap.recv((rank + 1) % n, 1);
          say("received");
        } catch (BootstrapException e) {
          say("error " + e.failedRank() + " " + e.getMessage());
        }
        System.in.read(); // until the test has seen enough
        bootstrap.close();
      }
      case "crowded" -> {
        say("listens " + log.lines());
        if (rank == 2) {
          System.in.read(); // until rank 0 has no descriptor left
          bootstrap.send(0, 5, new byte[] {42});
        } else if (rank == 0) {
          say("received " + bootstrap.recv(2, 5)[0]);
          say("log " + log.warnings());
        }
        bootstrap.barrier(1);
        bootstrap.close();
      }
      case "full" -> {
        try {
          if (rank == 0) {
            useUpDescriptors();
            bootstrap.send(2, 7, new byte[1]);
          }
          bootstrap.recv((rank + 1) % n, 8);
        } catch (BootstrapException e) {
          say("error " + e.failedRank() + " " + e.getMessage());
        }
        bootstrap.close();
      }
      default -> throw new IllegalArgumentException(args[3]);
    }
    say("bye");
  }

  private static void useUpDescriptors() throws IOException {
    for (Class<?> of :
        List.of(Member.class, ControlLink.class, ErrorText.class, ResultCode.class)) {
      load(of); // each class is a file here, which cannot be opened afterwards
    }
    List<SocketChannel> all = new ArrayList<>();
    try {
      while (true) {
        all.add(SocketChannel.open());
      }
    } catch (IOException full) {
      say("has " + all.size());
    }
  }

  /** Loads a class and its whole package. */
  private static void load(Class<?> of) throws IOException {
    String folder = of.getPackageName().replace('.', '/');
    Path classes = Path.of(location(of));
    if (!Files.isDirectory(classes)) {
      return; // a jar, which is open
    }
    try (Stream<Path> files = Files.list(classes.resolve(folder))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
        String name = file.getFileName().toString().replace(".class", "");
        Class.forName(of.getPackageName() + "." + name);
      }
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
