// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.ib;

import io.nitinol.bench.BenchOptions;
import io.nitinol.core.launch.JvmCommand;
import io.nitinol.guest.Guest;
import io.nitinol.guest.GuestCommand;
import io.nitinol.guest.GuestResult;
import io.nitinol.guest.GuestRun;
import io.nitinol.guest.GuestUnavailable;
import io.nitinol.toolkit.file.OutputFile;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Starts the comparison here, where there are RDMA devices, or in a guest, where there are none.
 */
public final class IbBench {
  private static final Duration LIMIT = Duration.ofMinutes(9);
  private static final int MTU = 4200;

  private IbBench() {}

  /**
   * Runs the comparison; exit status 0 where the goal holds, 1 where it is missed or a side has
   * failed, 2 where the command line is not understood or this machine cannot run it.
   *
   * @param arguments as {@link IbComparison#main} takes them
   */
  public static void main(String[] arguments) throws Exception {
    List<String> others = new ArrayList<>(List.of(arguments));
    String only = IbComparison.only(others);
    BenchOptions options = BenchOptions.parse("ib-vs-perftest", others.toArray(String[]::new));
    String missing = compile();
    if (!missing.isEmpty()) {
      System.err.println("bench ib-vs-perftest: " + missing);
      System.exit(2);
    }
    if (!IbComparison.devices().isEmpty()) {
      IbComparison.main(arguments);
      return;
    }
    try {
      System.exit(inGuest(options, only));
    } catch (GuestUnavailable e) {
      System.err.println(
          "bench ib-vs-perftest: no RDMA devices here, and no guest: " + e.getMessage());
      System.exit(2);
    }
  }

  private static int inGuest(BenchOptions options, String only)
      throws IOException, InterruptedException, GuestUnavailable {
    int cpus = Runtime.getRuntime().availableProcessors();
    System.out.printf(
        "# no RDMA devices here: in a guest with Soft-RoCE, %d emulated processors and C1 only%n",
        cpus);
    List<String> arguments = new ArrayList<>();
    if (options.quick()) {
      arguments.add("--quick");
    }
    if (!only.isEmpty()) {
      arguments.addAll(List.of("--only", only));
    }
    arguments.addAll(List.of("--json", "/out/bench/figures.json"));
    GuestRun run =
        Guest.prepare()
            .withProcessors(Math.max(2, cpus))
            .run(
                root().resolve("bench/target/guest"),
                MTU,
                LIMIT,
                List.of(
                    new GuestCommand(
                        "bench",
                        JvmCommand.ofThisProcess().run(IbComparison.class, arguments),
                        Map.of("NCCL_SOCKET_IFNAME", "=lo"),
                        LIMIT)));
    GuestResult result = run.result("bench");
    System.err.print(result.err());
    System.out.print(result.out());
    Path figures = result.directory().resolve("figures.json");
    if (options.json() != null && Files.exists(figures)) {
      OutputFile.write(options.json(), Files.readString(figures));
    }
    return result.status();
  }

  private static Path root() {
    return Path.of(System.getProperty("nitinol.root", ".")).toAbsolutePath();
  }

  /** Builds the C program; returns why that is not possible, empty where it is there. */
  private static String compile() throws IOException, InterruptedException {
    Path source = root().resolve("bench/src/main/c/ib_peer.c");
    Files.createDirectories(IbEnds.program().getParent());
    File log = Files.createTempFile("cc", ".log").toFile();
    Process cc =
        new ProcessBuilder(
                "cc",
                "-O2",
                "-Wall",
                "-o",
                IbEnds.program().toString(),
                source.toString(),
                "-libverbs")
            .redirectErrorStream(true)
            .redirectOutput(log)
            .start();
    int status = cc.waitFor();
    String words = Files.readString(log.toPath());
    Files.delete(log.toPath());
    return status == 0 ? "" : "libibverbs-dev and cc are needed: " + words;
  }
}
