// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import io.nitinol.core.CommConfig;
import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.config.Settings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A process that is a rank of one job after another, as it is told line by line on its standard
 * input. It reports on standard output, a line each: the number of the round, a word of {@link
 * Report}, and what belongs to it.
 */
final class Worker {
  /** The variable of rounds whose plugin can be told to fail. */
  static final String FAULTY = "CHAOS_FAULTY";

  /** The variables of a worker that hold for its warm-up, too, where it is over IB. */
  private static final List<String> WARM_UP =
      List.of(
          "NCCL_NET",
          "NCCL_IB_HCA",
          "NCCL_IB_TIMEOUT",
          "NITINOL_IB_CONNECT_MSEC",
          "NITINOL_BOOTSTRAP_TIMEOUT");

  private static final int STEPS = 10;

  private final @Nullable FaultyNet faulty;
  private final List<String> before;
  private volatile @Nullable Communicator current;
  private volatile boolean leaving;
  private volatile boolean finishing;

  private Worker(@Nullable FaultyNet faulty, List<String> before) {
    this.faulty = faulty;
    this.before = before;
  }

  /** Argument: the name of a plugin that is to be told to fail, or none. */
  public static void main(String[] arguments)
      throws IOException, InterruptedException, IllegalAccessException {
    warmUp();
    Worker worker =
        new Worker(arguments.length == 0 ? null : new FaultyNet(arguments[0]), Leftovers.now());
    System.out.println("ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      worker.hear(line.split(" ", -1));
    }
    Runtime.getRuntime().halt(0); // whatever still runs belongs to a program that has ended
  }

  /**
   * Loads classes and opens what the JVM keeps open, such as what closing sockets needs. Later a
   * fault may leave this process without descriptors.
   */
  private static void warmUp() throws InterruptedException, IllegalAccessException {
    for (Class<?> each : List.of(Report.class, FaultyNet.class)) {
      MethodHandles.lookup().ensureInitialized(each); // to report is the last thing to fail
    }
    Map<String, String> variables = new HashMap<>();
    variables.put("NCCL_SOCKET_IFNAME", "lo");
    variables.put("NCCL_P2P_DISABLE", "1");
    variables.put("NCCL_SHM_DISABLE", "1");
    variables.put("NCCL_NET", "Socket");
    if ("IB".equals(System.getenv("NCCL_NET"))) {
      WARM_UP.forEach(
          name -> variables.put(name, Objects.requireNonNull(System.getenv(name), name)));
    }
    Settings settings = Settings.of(variables);
    List<Thread> ranks = new ArrayList<>();
    for (Communicator each :
        Communicator.initAll(2, CommConfig.standard().withSettings(settings))) {
      ranks.add(
          Thread.ofPlatform()
              .start(() -> {
                try (each) {
                  RandomProgram.withoutSplits(1, each).run(STEPS);
                  SumCheck.allReduce(each, 100, false, 1);
                }
              }));
    }
    for (Thread rank : ranks) {
      rank.join();
    }
  }

  private void hear(String[] words) {
    switch (words[0]) {
      case "round" -> {
        leaving = false;
        finishing = false;
        Thread.ofPlatform().daemon().name("round " + words[1]).start(() -> round(words));
      }
      case "abort" -> {
        Communicator comm = current;
        if (comm != null) {
          comm.abort();
        }
      }
      case "leave" -> leaving = true;
      case "finish" -> finishing = true;
      case "fail" -> {
        if (faulty != null) {
          faulty.failNext();
        }
      }
      case "clock" -> System.out.println("clock " + System.currentTimeMillis());
      default -> throw new IllegalArgumentException(words[0]);
    }
  }

  /** Words: round, number, ranks, rank, unique id, seed, and variables. */
  private void round(String[] words) {
    int round = Integer.parseInt(words[1]);
    int rank = Integer.parseInt(words[3]);
    Map<String, String> variables = new HashMap<>(System.getenv());
    for (int i = 6; i < words.length; i++) {
      String[] pair = words[i].split("=", 2);
      variables.put(pair[0], pair[1]);
    }
    CommConfig config = CommConfig.standard().withSettings(Settings.of(variables));
    if (faulty != null && variables.containsKey(FAULTY)) {
      config = config.withNet(faulty.net());
    }
    try {
      Communicator comm =
          Communicator.init(UniqueId.parse(words[4]), Integer.parseInt(words[2]), rank, config);
      current = comm;
      work(round, comm, Long.parseLong(words[5]));
    } catch (CommException e) {
      say(round, Report.FAILED, e.failedRank() + " " + text(e));
    } catch (NoClassDefFoundError e) {
      // A JVM without descriptors cannot load classes; the library can do nothing about it.
      say(round, Report.FAILED, "-1 a class is missing: " + text(e));
    } catch (AssertionError e) {
      say(round, Report.WRONG, text(e));
    } catch (Throwable e) {
      e.printStackTrace();
      say(round, Report.BROKEN, e.getClass().getName() + " " + text(e));
    }
    current = null;
    say(round, Report.LEFT, Leftovers.since(before).toString());
    say(round, Report.DONE, "");
  }

  private void work(int round, Communicator comm, long seed) {
    List<RandomProgram> programs = new ArrayList<>();
    try {
      try (comm) {
        try {
          reduceUntilTold(round, comm, seed, programs);
        } catch (CommException e) {
          say(round, Report.FAILED, e.failedRank() + " " + text(e));
          if (e.failedRank() >= 0 && e.failedRank() != comm.rank()) {
            goOnWithout(round, comm, e.failedRank());
          }
        }
      }
    } finally {
      programs.forEach(RandomProgram::close); // the communicator does not use their buffers now
    }
  }

  /** Runs one program after the other; the last is in {@code programs} if it fails. */
  private void reduceUntilTold(
      int round, Communicator comm, long seed, List<RandomProgram> programs) {
    for (int step = 0; ; step++) {
      RandomProgram program = RandomProgram.withoutSplits(seed + step, comm);
      programs.add(program);
      program.run(STEPS);
      programs.clear(); // it has freed its buffers
      if (step == 0) {
        say(round, Report.RUNNING, "");
      }
      if (leaving) {
        say(round, Report.LEAVES, "");
        return;
      }
      if (agreeToFinish(comm)) {
        say(round, Report.RIGHT, "");
        return;
      }
    }
  }

  private boolean agreeToFinish(Communicator comm) {
    long[] wish = {finishing ? 1 : 0};
    comm.blocking().allReduce(wish, ReductionOp.MAX);
    return wish[0] == 1;
  }

  private static void goOnWithout(int round, Communicator comm, int failed) {
    try (Communicator rest = comm.shrink(failed)) {
      SumCheck.allReduce(rest, 10_000, false, 5);
      say(round, Report.SHRUNK, Integer.toString(rest.size()));
    } catch (CommException e) {
      // A rank that was stopped may find that the others have gone on without it.
      say(round, Report.ALONE, text(e));
    }
  }

  private static String text(Throwable e) {
    return String.valueOf(e.getMessage()).replace('\n', ' ');
  }

  private static synchronized void say(int round, Report report, String what) {
    System.out.println(round + " " + report + " " + what);
    System.out.flush();
  }
}
