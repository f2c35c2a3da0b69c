// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import io.nitinol.chaos.RandomProgram;
import io.nitinol.chaos.SumCheck;
import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.core.PersistentCall;
import io.nitinol.core.Work;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.launch.RankEnvironment;
import io.nitinol.core.launch.Rendezvous;
import io.nitinol.core.log.Log;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.config.Settings;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;

/** One rank as a process of its own; it reports on standard output, one line each. */
final class RankProcess {
  private RankProcess() {}

  /** Stands for no unique id: the ranks meet as their variables have it. */
  static final String NO_ID = "-";

  /**
   * Arguments: rank, nRanks, unique id or {@link #NO_ID}, then what to do, such as verify or
   * endless.
   */
  public static void main(String[] args) {
    int rank = Integer.parseInt(args[0]);
    int nRanks = Integer.parseInt(args[1]);
    if (args[2].equals(NO_ID)) {
      meeting(rank, nRanks, List.of(args).subList(3, args.length));
      return;
    }
    UniqueId id = UniqueId.parse(args[2]);
    if (args[3].equals("survivor")) {
      boolean aborts = Integer.parseInt(args[5]) == rank;
      Survivor.run(id, nRanks, rank, Long.parseLong(args[4]), aborts, RankProcess::say);
      return;
    }
    if (args[3].equals("restarter")) {
      UniqueId next = UniqueId.parse(args[4]);
      int victim = Integer.parseInt(args[5]);
      Restarter.run(id, nRanks, rank, next, victim, Long.parseLong(args[6]), RankProcess::say);
      return;
    }
    if (args[3].equals("shrinker")) {
      boolean lingers = Integer.parseInt(args[4]) == rank;
      Shrinker.run(id, nRanks, rank, lingers, RankProcess::say);
      return;
    }
    long start = System.nanoTime();
    try (Communicator comm = Communicator.init(id, nRanks, rank)) {
      say("initialised in " + (System.nanoTime() - start) / 1_000_000 + " ms");
      switch (args[3]) {
        case "verify" -> verify(comm);
        case "random" -> {
          new RandomProgram(Long.parseLong(args[4]), comm).run(Integer.parseInt(args[5]));
          say("right");
        }
        case "every" -> {
          EveryCollective.runAll(comm);
          say("right");
        }
        case "endless" -> endless(comm, Long.parseLong(args[4]));
        case "persistent" -> persistent(comm, Long.parseLong(args[4]));
        case "rounds" -> rounds(comm, Integer.parseInt(args[4]), Long.parseLong(args[5]));
        case "halved" -> {
          HalfClose.whenTold(System.in, HalfClose.Direction.valueOf(args[4]), RankProcess::say);
          rounds(comm, Integer.MAX_VALUE, 200_000);
        }
        case "lonely" -> lonely(comm);
        case "survive" -> survive(comm);
        default -> throw new IllegalArgumentException(args[3]);
      }
    } catch (CommException e) {
      say("failed " + e.failedRank() + " " + e.getMessage());
      System.exit(3);
    }
    say("closed");
  }

  /**
   * Meets the others as a launched program does. Waits for a byte on standard input before the
   * meeting, before the first reduction and before the end, if it is to be {@code gated}. A {@code
   * root} is no rank: it only makes the id and stays where the ranks meet.
   */
  private static void meeting(int rank, int nRanks, List<String> task) {
    if (task.getFirst().equals("root")) {
      say("id " + UniqueId.create(Settings.process(), Log.process()));
      awaitByte(true);
      return;
    }
    boolean gated = task.getFirst().equals("gated");
    awaitByte(gated);
    try {
      UniqueId id =
          Rendezvous.uniqueId(
              new RankEnvironment("a test", rank, nRanks, -1),
              System.getenv(),
              Settings.process(),
              Log.process());
      try (Communicator comm = Communicator.init(id, nRanks, rank)) {
        say("initialised");
        awaitByte(gated);
        rounds(comm, Integer.parseInt(task.get(1)), Long.parseLong(task.get(2)));
        awaitByte(gated);
      }
    } catch (CommException e) {
      say("failed " + e.failedRank() + " " + e.getMessage());
      System.exit(3);
    }
    say("closed");
  }

  private static void awaitByte(boolean gated) {
    try {
      if (gated && System.in.read() < 0) {
        throw new EOFException("the test has ended");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void verify(Communicator comm) {
    for (int i = 0; i < 30; i++) {
      SumCheck.allReduce(comm, 37L * i * i, i % 2 == 0, i);
    }
    SumCheck.allReduce(comm, 1 << 20, false, 99);
    say("right");
  }

  /** Reduces and checks some times, and prints the number of each time. */
  private static void rounds(Communicator comm, int times, long count) {
    for (int i = 0; i < times; i++) {
      SumCheck.allReduce(comm, count, false, i);
      say("round " + i);
    }
    say("right");
  }

  /** Reduces for ever, and prints a line once it is under way. */
  private static void endless(Communicator comm, long bytes) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment buffer = arena.allocate(bytes, 64);
      for (int i = 0; ; i++) {
        comm.allReduce(buffer, buffer, bytes, DataType.UINT8, ReductionOp.MAX).await();
        if (i == 20) {
          say("running");
        }
      }
    } finally {
      // The engine's threads may still hold the buffer: close first, the process ends anyway.
      comm.close();
    }
  }

  /** As {@link #endless}, by one persistent call, which is right as long as all ranks live. */
  private static void persistent(Communicator comm, long bytes) {
    Arena arena = Arena.ofShared(); // not freed: after a failure threads may hold the buffers
    MemorySegment send = arena.allocate(bytes, 64);
    MemorySegment recv = arena.allocate(bytes, 64);
    PersistentCall call =
        comm.persistent().allReduce(send, recv, bytes, DataType.UINT8, ReductionOp.SUM);
    for (int i = 0; ; i++) {
      send.fill((byte) (comm.rank() + i));
      call.start().await();
      byte expected = (byte) (comm.size() * (comm.size() - 1) / 2 + comm.size() * i);
      if (recv.get(ValueLayout.JAVA_BYTE, bytes - 1) != expected) {
        throw new AssertionError("start " + i + " gave " + recv.get(ValueLayout.JAVA_BYTE, 0));
      }
      if (i == 20) {
        say("running");
      }
    }
  }

  /** Reduces twice, but the last rank only once, and then waits for its end. */
  private static void lonely(Communicator comm) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment buffer = arena.allocate(64, 64);
      comm.allReduce(buffer, buffer, 16, DataType.FLOAT32, ReductionOp.SUM).await();
      if (comm.rank() == comm.size() - 1) {
        say("absent");
        System.in.read(); // the test ends this process
      }
      Work second = comm.allReduce(buffer, buffer, 16, DataType.FLOAT32, ReductionOp.SUM);
      if (second.await(Duration.ofMillis(200))) {
        throw new IllegalStateException("nobody is left to reduce with");
      }
      say("alone");
      second.await();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      comm.close();
    }
  }

  /** Reduces until a rank is lost, and goes on without it, until only this one is left. */
  private static void survive(Communicator comm) {
    long[] sum = {0};
    try {
      for (int i = 0; comm.size() > 1; i++) {
        sum[0] = comm.rank();
        comm.blocking().allReduce(sum, ReductionOp.SUM);
        if (i == 20) {
          say("running " + comm.size() + " " + comm.rank() + " " + sum[0]);
        }
      }
    } catch (CommException e) {
      try (comm;
          Communicator left = comm.shrink(e.failedRank())) {
        survive(left);
      }
    }
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
