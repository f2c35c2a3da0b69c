// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static io.nitinol.samples.cuda.CheckBench.GUARD;
import static io.nitinol.samples.cuda.CheckBench.require;

import io.nitinol.spi.device.v1.DeviceEvent;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamWindow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.LongPredicate;

/**
 * Sends and receives between two ranks, of sizes that go every way: read where they lie, through a
 * window, through the stages. Each rank knows what the other one sends, so that they may be in two
 * processes.
 */
final class TransferCheck {
  private static final int CAPACITY = 48 << 20;

  /** By case and sender: the bytes of each part. Single ones of few bytes go in lines. */
  private static final int[][][] CASES = {
    {{200_001}, {200_001}},
    {{131_073}, {}},
    {{}, {999_999}},
    {{20_000_003}, {5}},
    {{1, 4096, 70_000, 3}, {33_000_017, 0, 17}},
    {many(37, 911), many(19, 40_961)},
    {{0, 0}, {0, 0, 0}},
    {{77, 1_000_000}, {1_000_000, 12}},
  };

  /** One rank: its team, where it sends from and where it receives. */
  record End(CudaTeam team, DeviceStream stream, DeviceMemory out, DeviceMemory in)
      implements AutoCloseable {
    static End open(CudaTeam team, DeviceStream stream) {
      DeviceMemory out = team.device().allocate(CAPACITY);
      return new End(team, stream, out, team.device().allocate(CAPACITY));
    }

    TeamWindow window() {
      return team.openWindow(out.address(), out.size());
    }

    @Override
    public void close() {
      out.close();
      in.close();
    }
  }

  private final CheckBench bench;
  private final List<Runnable> checks = new ArrayList<>();

  TransferCheck(CheckBench bench) {
    this.bench = bench;
  }

  private static int[] many(int count, int most) {
    return new Random(count).ints(count, 0, most).toArray();
  }

  /** Returns how many cases there are. */
  static int cases() {
    return CASES.length;
  }

  /** Prepares one rank's buffers for a case, and what is to be compared then. */
  List<TeamTransfer> prepare(End end, int number) {
    int rank = end.team().rank();
    List<TeamTransfer> list = new ArrayList<>();
    Random places = new Random(number);
    for (int sender = 0; sender < 2; sender++) {
      boolean sends = sender == rank;
      long at = (sends ? end.out() : end.in()).address();
      for (int part = 0; part < CASES[number][sender].length; part++) {
        int size = CASES[number][sender][part];
        // Both ranks draw alike: every third part lies alike on both.
        int offset = places.nextInt(16);
        int shift = places.nextInt(3) == 0 ? 0 : 5;
        long address = at + GUARD + (sends ? offset : (offset + shift) % 16);
        byte[] data = CheckBench.bytes(new Random(31L * number + 7L * part + sender), size);
        bench.putGuarded(address, size, sends ? data : null);
        list.add(
            new TeamTransfer(
                sends ? TeamTransfer.Direction.SEND : TeamTransfer.Direction.RECEIVE,
                1 - rank,
                address,
                size));
        if (!sends) {
          String what =
              String.format(
                  "case %d, part %d of %d bytes from rank %d", number, part, size, sender);
          checks.add(() -> bench.compareGuarded(what, address, data, 1));
        }
        at += size + 3L * GUARD;
      }
    }
    return list;
  }

  /** Launches a list, and overwrites what was sent when the stream goes on. */
  static void launch(End end, List<TeamTransfer> list) {
    end.team().transfer(end.stream(), list);
    end.stream().fill(end.out().address(), (byte) 0x77, end.out().size());
  }

  /** Compares what came. */
  void verify() {
    checks.forEach(Runnable::run);
    checks.clear();
  }

  /**
   * Runs the cases between two ranks of one process.
   *
   * @param most the bytes of a part at the most; cases with larger ones are left out
   */
  void cases(TeamCheck team, int most) throws Exception {
    try (End zero = End.open(team.teams.get(0), team.streams.get(0));
        End one = End.open(team.teams.get(1), team.streams.get(1))) {
      List<End> ends = List.of(zero, one);
      cases(team, ends, "read where they lie", address -> false, most);
      cases(team, ends, "through the stages", address -> true, most);
      cases(team, ends, "some of either", address -> (address >> 2 & 1) == 0, most);
      List<TeamWindow> windows = team.everywhere(r -> ends.get(r).window());
      cases(team, ends, "in windows", address -> false, most);
      team.everywhere(r -> {
        windows.get(r).close();
        return 0;
      });
    }
  }

  private void cases(TeamCheck team, List<End> ends, String how, LongPredicate hidden, int most) {
    for (int number = 0; number < CASES.length; number++) {
      if (Arrays.stream(CASES[number]).flatMapToInt(Arrays::stream).anyMatch(n -> n > most)) {
        continue;
      }
      List<List<TeamTransfer>> lists = new ArrayList<>();
      for (End end : ends) {
        end.team().reach().hide(hidden);
        lists.add(prepare(end, number));
      }
      for (int r = 0; r < 2; r++) {
        launch(ends.get(r), lists.get(r));
      }
      team.finishAll(how + ", case " + number);
      verify();
    }
    ends.forEach(end -> end.team().reach().hide(address -> false));
  }

  /** More than 2^31 bytes each way, of which some pieces are compared. */
  void huge(TeamCheck team) {
    long size = (1L << 31) + 1_234_567;
    int piece = 100_003;
    Random random = new Random(5);
    List<DeviceMemory> memories = new ArrayList<>();
    for (int r = 0; r < 2; r++) {
      memories.add(team.teams.get(r).device().allocate(size));
      memories.add(team.teams.get(r).device().allocate(size));
    }
    long[] places = new long[12];
    for (int i = 0; i < places.length; i++) {
      places[i] = i == 0 ? 0 : i == 1 ? size - piece : random.nextLong(size - piece);
    }
    Arrays.sort(places);
    for (boolean staged : new boolean[] {false, true}) {
      List<Runnable> comparisons = new ArrayList<>();
      for (int r = 0; r < 2; r++) {
        team.teams.get(r).reach().hide(address -> staged);
        long from = memories.get(2 * r).address();
        long to = memories.get(2 * (1 - r) + 1).address();
        team.streams.get(r).fill(from, (byte) (3 + r), size);
        team.finishAll("a fill");
        for (int i = 0; i < places.length; i++) {
          if (i == 0 || places[i] >= places[i - 1] + piece) {
            long at = places[i];
            byte[] data = CheckBench.bytes(random, piece);
            bench.put(from + at, data);
            comparisons.add(() ->
                require(
                    Arrays.equals(bench.get(to + at, piece), data),
                    "WRONG at byte %d of %d, through the stages %b",
                    at,
                    size,
                    staged));
          }
        }
      }
      for (int r = 0; r < 2; r++) {
        long from = memories.get(2 * r).address();
        long to = memories.get(2 * r + 1).address();
        exchange(team, r, from, to, size);
      }
      team.finishAll("a transfer of " + size + " bytes");
      comparisons.forEach(Runnable::run);
    }
    team.teams.forEach(one -> one.reach().hide(address -> false));
    memories.forEach(DeviceMemory::close);
  }

  private static void exchange(TeamCheck team, int r, long from, long to, long size) {
    team.teams
        .get(r)
        .transfer(
            team.streams.get(r),
            List.of(
                new TeamTransfer(TeamTransfer.Direction.SEND, 1 - r, from, size),
                new TeamTransfer(TeamTransfer.Direction.RECEIVE, 1 - r, to, size)));
  }

  /** Lets rank 0 stay away from a transfer, and aborts rank 1; the team is of no use afterwards. */
  static void abort(TeamCheck team, boolean staged) {
    CudaTeam one = team.teams.get(1);
    DeviceStream stream = team.streams.get(1);
    try (DeviceMemory memory = one.device().allocate(1 << 20)) {
      one.reach().hide(address -> staged);
      one.transfer(
          stream,
          List.of(new TeamTransfer(TeamTransfer.Direction.SEND, 0, memory.address(), 1 << 20)));
      require(!stream.synchronize(50_000_000), "a send ended without a receiver");
      one.abort("the check wants it");
      CheckBench.finish(stream, "a stream after an abort of a send");
      require(one.failure() != null, "no failure after an abort");
    }
  }

  /** Measures exchanges in which both ranks send. */
  static void speed(TeamCheck team) {
    long most = 1L << 30;
    try (DeviceMemory a = team.teams.get(0).device().allocate(most);
        DeviceMemory b = team.teams.get(0).device().allocate(most);
        DeviceMemory c = team.teams.get(1).device().allocate(most);
        DeviceMemory d = team.teams.get(1).device().allocate(most)) {
      for (int shift : new int[] {3, 10, 14, 16, 17, 18, 20, 22, 24, 26, 28, 30}) {
        long size = 1L << shift;
        double[] best = new double[2];
        for (int way = 0; way < 2; way++) {
          boolean staged = way == 1;
          team.teams.forEach(one -> one.reach().hide(address -> staged));
          best[way] = Double.MAX_VALUE;
          for (int round = 0; round < 4; round++) {
            double time = time(team, a.address(), b.address(), c.address(), d.address(), size);
            best[way] = Math.min(best[way], time);
          }
        }
        System.out.printf(
            "  send and receive %10d bytes: %9.2f us read where they lie, %9.2f through stages%n",
            size, best[0], best[1]);
      }
      team.teams.forEach(one -> one.reach().hide(address -> false));
    }
  }

  private static double time(TeamCheck team, long a, long b, long c, long d, long size) {
    int times = size > 64 << 20 ? 4 : 20;
    try (DeviceEvent begin = team.teams.get(0).device().createEvent(true);
        DeviceEvent end = team.teams.get(0).device().createEvent(true)) {
      // The first brings both ranks together.
      for (int i = 0; i <= times; i++) {
        exchange(team, 0, a, b, size);
        exchange(team, 1, c, d, size);
        if (i == 0) {
          team.streams.get(0).record(begin);
        }
      }
      team.streams.get(0).record(end);
      team.finishAll("timed transfers");
      return end.elapsedNanos(begin) / 1e3 / times;
    }
  }
}
