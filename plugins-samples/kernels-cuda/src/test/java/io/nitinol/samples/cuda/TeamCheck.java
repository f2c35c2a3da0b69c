// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static io.nitinol.samples.cuda.CheckBench.GUARD;
import static io.nitinol.samples.cuda.CheckBench.require;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceGraph;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.spi.device.v1.TeamExchange;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamWindow;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Ranks of one process, a thread for each where they meet; one thread launches for all. */
final class TeamCheck implements AutoCloseable {
  private static final int CAPACITY = 1 << 20;

  /** Calls that an abort finds in a stream, of up to three pieces each; the driver takes 1000. */
  private static final int QUEUED = 100;

  private static final int PLACE = 1024;

  private final CheckBench bench;
  private final int ranks;
  private final Random random;
  private final byte[][] told;
  private final CyclicBarrier barrier;
  private final ExecutorService threads;
  final List<CudaTeam> teams;
  final List<DeviceStream> streams = new ArrayList<>();

  /** By buffer and rank: input and output in windows, input and output in none. */
  private final List<List<DeviceMemory>> buffers = new ArrayList<>();

  TeamCheck(CheckBench bench, List<CudaDevice> devices, int ranks, TeamSizes sizes, int blocks)
      throws Exception {
    this.bench = bench;
    this.ranks = ranks;
    this.random = new Random(ranks);
    this.told = new byte[ranks][];
    this.barrier = new CyclicBarrier(ranks);
    this.threads = Executors.newFixedThreadPool(ranks, Thread.ofPlatform().daemon().factory());
    this.teams =
        everywhere(r ->
            devices
                .get(r % devices.size())
                .joinTeam(
                    new DeviceTeamConfig(r, Collections.nCopies(ranks, 0), blocks, exchange(r)),
                    sizes));
    for (CudaTeam team : teams) {
      streams.add(team.device().createStream(false));
    }
  }

  private TeamExchange exchange(int rank) {
    return mine -> {
      try {
        told[rank] = mine.clone();
        barrier.await(1, TimeUnit.MINUTES);
        byte[][] all = told.clone();
        barrier.await(1, TimeUnit.MINUTES);
        return all;
      } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
        throw new IllegalStateException("the ranks did not meet", e);
      }
    };
  }

  /** Calls something on a thread for each rank, all at once. */
  <T> List<T> everywhere(IntFunction<T> call) throws InterruptedException, ExecutionException {
    List<Future<T>> futures = new ArrayList<>();
    for (int r = 0; r < ranks; r++) {
      int rank = r;
      futures.add(threads.submit(() -> call.apply(rank)));
    }
    List<T> results = new ArrayList<>();
    for (Future<T> future : futures) {
      results.add(future.get());
    }
    return results;
  }

  private List<DeviceMemory> allocate() {
    List<DeviceMemory> memories = new ArrayList<>();
    for (CudaTeam team : teams) {
      memories.add(team.device().allocate(CAPACITY));
    }
    return memories;
  }

  void finishAll(String what) {
    for (int r = 0; r < ranks; r++) {
      if (!streams.get(r).synchronize(CheckBench.PATIENCE)) {
        teams.forEach(team -> team.abort("the check is stuck"));
        throw new IllegalStateException("STUCK at rank " + r + ": " + what);
      }
    }
  }

  /** Runs collectives at random, each element compared. */
  void collectives(int cases, List<DataType> types) throws Exception {
    for (DataType type : types) {
      for (CudaTeam team : teams) {
        require(
            team.supports(Collective.ALL_REDUCE, DeviceReduction.of(type, ReductionOp.SUM, ranks)),
            "all_reduce of %s",
            type);
      }
    }
    for (int b = 0; b < 4; b++) {
      buffers.add(allocate());
    }
    List<TeamWindow> inputs =
        everywhere(r -> teams.get(r).openWindow(buffers.get(0).get(r).address(), CAPACITY));
    List<TeamWindow> outputs =
        everywhere(r -> teams.get(r).openWindow(buffers.get(1).get(r).address(), CAPACITY));
    KernelFamily[] families = {
      KernelFamily.LL, KernelFamily.LL128, KernelFamily.DIRECT, KernelFamily.RING, null,
    };
    Collective[] collectives = {
      Collective.ALL_REDUCE,
      Collective.REDUCE_SCATTER,
      Collective.REDUCE,
      Collective.ALL_GATHER,
      Collective.BROADCAST,
      Collective.ALL_TO_ALL,
    };
    for (int i = 0; i < cases; i++) {
      KernelFamily family = families[i % families.length];
      teams.forEach(team -> team.choice().force(family));
      new Case(
              collectives[random.nextInt(collectives.length)],
              types.get(random.nextInt(types.size())),
              family)
          .run();
    }
    teams.forEach(team -> team.choice().force(null));
    everywhere(r -> {
      outputs.get(r).close();
      inputs.get(r).close();
      return 0;
    });
    buffers.forEach(list -> list.forEach(DeviceMemory::close));
    buffers.clear();
  }

  private DeviceReduction reduction(DataType type, int op, int scalar) {
    return op == 5
        ? DeviceReduction.preMulSum(type, ranks, CheckBench.encode(type, scalar))
        : DeviceReduction.of(type, ReductionOp.values()[op], ranks);
  }

  /** One collective with one choice of everything. */
  private final class Case {
    private final Collective collective;
    private final DataType type;
    private final int width;
    private final int count;
    private final int op;
    private final int root = random.nextInt(ranks);
    private final boolean inWindow = random.nextBoolean();
    private final boolean outWindow = random.nextBoolean();
    private final boolean inPlace;
    private final @Nullable KernelFamily family;
    private final long[] src = new long[ranks];
    private final long[] dst = new long[ranks];
    private final byte[][] data = new byte[ranks][];
    private final int[] scalars = new int[ranks];

    Case(Collective collective, DataType type, @Nullable KernelFamily family) {
      this.collective = collective;
      this.type = type;
      this.width = type.size();
      this.family = family;
      int most = random.nextInt(8) == 0 ? 40_000 / ranks / width * 4 : 3000 / width + 1;
      this.count = 1 + random.nextInt(most);
      int number = random.nextInt(6);
      boolean inexact =
          type.isFloat()
              && ((number == 4 && Integer.bitCount(ranks) != 1) || (number == 5 && ranks > 4));
      this.op = inexact ? 0 : number;
      this.inPlace = collective != Collective.ALL_TO_ALL && random.nextInt(4) == 0;
    }

    private int partsIn() {
      return collective == Collective.REDUCE_SCATTER || collective == Collective.ALL_TO_ALL
          ? ranks
          : 1;
    }

    private int partsOut() {
      return collective == Collective.ALL_GATHER || collective == Collective.ALL_TO_ALL ? ranks : 1;
    }

    private boolean receives(int rank) {
      return collective != Collective.REDUCE || rank == root;
    }

    @Override
    public String toString() {
      return String.format(
          "%s %s %s, count %d, %d ranks, family %s, windows %b %b, in place %b, root %d",
          collective.label(),
          type.label(),
          op == 5 ? "premulsum" : ReductionOp.values()[op].label(),
          count,
          ranks,
          family,
          inWindow,
          outWindow,
          inPlace,
          root);
    }

    void run() {
      prepare();
      for (int r = 0; r < ranks; r++) {
        launch(r);
      }
      finishAll(toString());
      verify();
    }

    private void prepare() {
      int part = count * width;
      // The same in windows, anything else in none.
      int common = GUARD + PLACE + random.nextInt(64) * width;
      int commonOut = GUARD + PLACE + random.nextInt(64) * width;
      for (int r = 0; r < ranks; r++) {
        int at = inWindow ? common : GUARD + PLACE + random.nextInt(64) * width;
        int atOut = outWindow ? commonOut : GUARD + PLACE + random.nextInt(64) * width;
        src[r] = buffers.get(inWindow ? 0 : 2).get(r).address() + at;
        dst[r] = buffers.get(outWindow ? 1 : 3).get(r).address() + atOut;
        scalars[r] = 1 + random.nextInt(2);
        boolean reduces =
            collective == Collective.REDUCE_SCATTER
                || collective == Collective.REDUCE
                || collective == Collective.ALL_REDUCE;
        data[r] =
            reduces
                ? CheckBench.exact(
                    random,
                    type,
                    op == 5 ? ReductionOp.SUM : ReductionOp.values()[op],
                    partsIn() * count)
                : CheckBench.bytes(random, partsIn() * part);
        if (inPlace && collective == Collective.REDUCE_SCATTER) {
          bench.putGuarded(src[r], data[r].length, data[r]);
          dst[r] = src[r] + (long) r * part;
        } else if (inPlace && collective == Collective.ALL_GATHER) {
          bench.putGuarded(dst[r], ranks * part, null);
          src[r] = dst[r] + (long) r * part;
          bench.put(src[r], data[r]);
        } else if (inPlace) {
          bench.putGuarded(src[r], data[r].length, data[r]);
          dst[r] = src[r];
        } else {
          bench.putGuarded(src[r], data[r].length, data[r]);
          bench.putGuarded(dst[r], partsOut() * part, null);
        }
      }
    }

    private void launch(int r) {
      CudaTeam team = teams.get(r);
      DeviceStream stream = streams.get(r);
      DeviceReduction reduction = reduction(type, op, scalars[r]);
      long size = (long) count * width;
      switch (collective) {
        case ALL_REDUCE -> team.allReduce(stream, reduction, src[r], dst[r], count);
        case REDUCE_SCATTER -> team.reduceScatter(stream, reduction, src[r], dst[r], count);
        case REDUCE -> team.reduce(stream, reduction, src[r], dst[r], count, root);
        case ALL_GATHER -> team.allGather(stream, src[r], dst[r], size);
        case BROADCAST -> team.broadcast(stream, src[r], dst[r], size, root);
        case ALL_TO_ALL -> team.allToAll(stream, src[r], dst[r], size);
        case SEND_RECV, SEND, RECV, GATHER, SCATTER ->
            throw new IllegalStateException("not run here: " + collective);
      }
    }

    private byte[] reduced(int part) {
      try (Arena arena = Arena.ofConfined()) {
        int size = count * width;
        MemorySegment sum = arena.allocate(size);
        MemorySegment own = arena.allocate(size);
        for (int r = 0; r < ranks; r++) {
          ReduceFunction function = bench.function(reduction(type, op, scalars[r]));
          MemorySegment.copy(data[r], part * size, own, ValueLayout.JAVA_BYTE, 0, size);
          if (r == 0) {
            function.copy(own, 0, sum, 0, count);
          } else if (r == ranks - 1) {
            function.reduceFinal(sum, 0, own, 0, sum, 0, count);
          } else {
            function.reduce(sum, 0, own, 0, sum, 0, count);
          }
        }
        return sum.toArray(ValueLayout.JAVA_BYTE);
      }
    }

    private void verify() {
      int part = count * width;
      byte[] same =
          partsIn() == 1 && partsOut() == 1 && collective != Collective.BROADCAST
              ? reduced(0)
              : null;
      for (int r = 0; r < ranks; r++) {
        String what = this + ", rank " + r;
        if (!receives(r)) {
          if (!inPlace) {
            byte[] untouched = new byte[part];
            Arrays.fill(untouched, CheckBench.GUARD_BYTE);
            bench.compareGuarded(what + " (no result wanted)", dst[r], untouched, width);
          }
          continue;
        }
        byte[] wanted = new byte[partsOut() * part];
        switch (collective) {
          case ALL_REDUCE, REDUCE -> wanted = same == null ? wanted : same;
          case REDUCE_SCATTER -> wanted = reduced(r);
          case ALL_GATHER -> {
            for (int p = 0; p < ranks; p++) {
              System.arraycopy(data[p], 0, wanted, p * part, part);
            }
          }
          case BROADCAST -> wanted = data[root];
          case ALL_TO_ALL -> {
            for (int p = 0; p < ranks; p++) {
              System.arraycopy(data[p], r * part, wanted, p * part, part);
            }
          }
          case SEND_RECV, SEND, RECV, GATHER, SCATTER ->
              throw new IllegalStateException("not run here: " + collective);
        }
        if (inPlace && collective == Collective.REDUCE_SCATTER) {
          byte[] whole = data[r].clone();
          System.arraycopy(wanted, 0, whole, r * part, part);
          bench.compareGuarded(what + " (whole input)", src[r], whole, width);
        } else {
          bench.compareGuarded(what, dst[r], wanted, width);
          if (!inPlace) {
            bench.compareGuarded(what + " (input)", src[r], data[r], width);
          }
        }
      }
    }
  }

  /** Runs a graph of collectives on changing data, between plain launches. */
  void graphs() throws Exception {
    int count = 3000;
    List<DeviceMemory> from = allocate();
    List<DeviceMemory> to = allocate();
    DeviceReduction sum = DeviceReduction.of(DataType.INT32, ReductionOp.SUM, ranks);
    for (CudaTeam team : teams) {
      require(team.supports(Collective.ALL_REDUCE, sum), "a sum of integers");
    }
    KernelFamily[] families = {
      KernelFamily.LL, KernelFamily.LL128, KernelFamily.DIRECT, KernelFamily.RING
    };
    List<DeviceGraph> graphs = new ArrayList<>();
    for (int r = 0; r < ranks; r++) {
      DeviceStream stream = streams.get(r);
      long in = from.get(r).address();
      long out = to.get(r).address();
      stream.beginCapture();
      for (KernelFamily family : families) {
        teams.get(r).choice().force(family);
        // The first gives the sum, the next ranks times the sum, and so on.
        teams.get(r).allReduce(stream, sum, family == KernelFamily.LL ? in : out, out, count);
      }
      // Between pairs too, on streams that join the capture.
      int next = (r + 1) % ranks;
      int previous = (r + ranks - 1) % ranks;
      teams
          .get(r)
          .transfer(
              stream,
              List.of(
                  new TeamTransfer(TeamTransfer.Direction.SEND, next, in, 400),
                  new TeamTransfer(
                      TeamTransfer.Direction.RECEIVE, previous, out + CAPACITY / 2, 400)));
      // Several of a pair, which one kernel reads where they lie or takes from the stage.
      for (int half = 0; half < 2; half++) {
        boolean staged = half == 1;
        long to0 = out + CAPACITY / 2 + 4096 + half * 16_384L;
        teams.get(r).reach().hide(address -> staged);
        teams
            .get(r)
            .transfer(
                stream,
                List.of(
                    new TeamTransfer(TeamTransfer.Direction.SEND, next, in, 9001),
                    new TeamTransfer(TeamTransfer.Direction.SEND, next, in + 9001, 799),
                    new TeamTransfer(TeamTransfer.Direction.RECEIVE, previous, to0, 9001),
                    new TeamTransfer(TeamTransfer.Direction.RECEIVE, previous, to0 + 9001, 799)));
        teams.get(r).reach().hide(address -> false);
      }
      // Few bytes for one peer and more for the other, which are two launches, on a stream each.
      long mixed = out + CAPACITY / 2 + 4096 + 2 * 16_384L;
      teams
          .get(r)
          .transfer(
              stream,
              List.of(
                  new TeamTransfer(TeamTransfer.Direction.SEND, next, in, 400),
                  new TeamTransfer(TeamTransfer.Direction.RECEIVE, previous, mixed, 400),
                  new TeamTransfer(TeamTransfer.Direction.SEND, previous, in, 9800),
                  new TeamTransfer(TeamTransfer.Direction.RECEIVE, next, mixed + 16_384, 9800)));
      graphs.add(stream.endCapture());
      teams.get(r).choice().force(null);
    }
    for (int round = 0; round < 4; round++) {
      int[][] inputs = new int[ranks][count];
      for (int r = 0; r < ranks; r++) {
        inputs[r] = random.ints(count).toArray();
        bench.put(
            from.get(r).address(), MemorySegment.ofArray(inputs[r]).toArray(ValueLayout.JAVA_BYTE));
      }
      for (int again = 0; again <= round; again++) {
        for (int r = 0; r < ranks; r++) {
          streams.get(r).launch(graphs.get(r));
        }
      }
      finishAll("graphs, round " + round);
      for (int r = 0; r < ranks; r++) {
        byte[] got = bench.get(to.get(r).address(), count * 4);
        for (int i = 0; i < count; i++) {
          int wanted = 0;
          for (int[] input : inputs) {
            wanted += input[i];
          }
          wanted *= ranks * ranks * ranks;
          int is = MemorySegment.ofArray(got).get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i);
          require(is == wanted, "WRONG graph, rank %d, element %d: %d, not %d", r, i, is, wanted);
        }
        byte[] previous =
            MemorySegment.ofArray(inputs[(r + ranks - 1) % ranks]).toArray(ValueLayout.JAVA_BYTE);
        byte[] next = MemorySegment.ofArray(inputs[(r + 1) % ranks]).toArray(ValueLayout.JAVA_BYTE);
        int[] places = {0, 4096, 4096 + 16_384, 4096 + 2 * 16_384, 4096 + 3 * 16_384};
        int[] sizes = {400, 9800, 9800, 400, 9800};
        for (int i = 0; i < places.length; i++) {
          byte[] wanted = i == 4 ? next : previous;
          byte[] sent = bench.get(to.get(r).address() + CAPACITY / 2 + places[i], sizes[i]);
          require(
              Arrays.equals(sent, Arrays.copyOf(wanted, sizes[i])),
              "WRONG transfer %d in a graph, rank %d",
              i,
              r);
        }
      }
      // A launch in between, whose number in the team the graph does not know.
      for (int r = 0; r < ranks; r++) {
        teams.get(r).allReduce(streams.get(r), sum, from.get(r).address(), to.get(r).address(), 7);
      }
      finishAll("a launch between graphs");
    }
    graphs.forEach(DeviceGraph::close);
    from.forEach(DeviceMemory::close);
    to.forEach(DeviceMemory::close);
  }

  /** Sends and receives among random pairs, with several messages for each. */
  void transfers(int rounds) {
    List<DeviceMemory> from = allocate();
    List<DeviceMemory> to = allocate();
    for (int round = 0; round < rounds; round++) {
      List<List<TeamTransfer>> lists = new ArrayList<>();
      List<Runnable> checks = new ArrayList<>();
      int[] in = new int[ranks];
      int[] out = new int[ranks];
      byte[][] data = new byte[ranks][];
      for (int r = 0; r < ranks; r++) {
        lists.add(new ArrayList<>());
        data[r] = CheckBench.bytes(random, CAPACITY);
        bench.put(from.get(r).address(), data[r]);
        Arrays.fill(in, GUARD);
      }
      for (int m = random.nextInt(2 * ranks * ranks); m >= 0; m--) {
        int sender = random.nextInt(ranks);
        int receiver = random.nextInt(ranks);
        int room = CAPACITY / (2 * ranks * ranks + 1) - 3 * GUARD;
        int size = random.nextInt(5) == 0 ? 0 : random.nextInt(Math.min(room, 20_000));
        int at = out[sender];
        int place = in[receiver];
        out[sender] += size;
        in[receiver] += size + GUARD;
        long source = from.get(sender).address() + at;
        long target = to.get(receiver).address() + place;
        lists
            .get(sender)
            .add(new TeamTransfer(TeamTransfer.Direction.SEND, receiver, source, size));
        lists
            .get(receiver)
            .add(new TeamTransfer(TeamTransfer.Direction.RECEIVE, sender, target, size));
        byte[] wanted = Arrays.copyOfRange(data[sender], at, at + size);
        checks.add(() -> {
          byte[] got = bench.get(target, Math.max(1, wanted.length));
          require(
              wanted.length == 0 || Arrays.equals(got, wanted),
              "WRONG transfer of %d bytes from rank %d to rank %d of %d",
              wanted.length,
              sender,
              receiver,
              ranks);
        });
      }
      for (int r = 0; r < ranks; r++) {
        if (!lists.get(r).isEmpty()) {
          // Some parts go through stages, whatever the receiver does.
          int bit = random.nextInt(6);
          teams.get(r).reach().hide(address -> (address >> bit & 1) == 0);
          teams.get(r).transfer(streams.get(r), lists.get(r));
        }
      }
      teams.forEach(team -> team.reach().hide(address -> false));
      finishAll("transfers, round " + round);
      checks.forEach(Runnable::run);
    }
    from.forEach(DeviceMemory::close);
    to.forEach(DeviceMemory::close);
  }

  /** Lets one rank stay away and aborts the others; the team is of no use afterwards. */
  void abort(KernelFamily family) {
    DeviceReduction sum = DeviceReduction.of(DataType.FLOAT32, ReductionOp.SUM, ranks);
    List<DeviceMemory> from = allocate();
    for (int r = 1; r < ranks; r++) {
      teams.get(r).choice().force(family);
      require(teams.get(r).failure() == null, "a failure before an abort");
      for (int i = 0; i < QUEUED; i++) { // those behind the first wait in vain, too
        long at = from.get(r).address();
        teams.get(r).allReduce(streams.get(r), sum, at, at, 99);
      }
    }
    require(!streams.get(1).synchronize(50_000_000), "a collective ended without rank 0");
    // Other work of the device goes on.
    DeviceStream other = teams.get(1).device().createStream(true);
    other.fill(from.get(0).address(), (byte) 1, 1000);
    CheckBench.finish(other, "a stream beside a waiting team");
    other.close();
    long start = System.nanoTime();
    long called = Long.MAX_VALUE; // the fastest: a busy machine makes one slow, and not all
    for (int r = 1; r < ranks; r++) {
      long before = System.nanoTime();
      teams.get(r).abort("the check wants it");
      called = Math.min(called, System.nanoTime() - before);
    }
    for (int r = 1; r < ranks; r++) {
      CheckBench.finish(streams.get(r), "a stream after an abort");
      require(teams.get(r).failure() != null, "no failure after an abort");
    }
    System.out.printf(
        "  abort of %s, %d launches queued: called in %d us, streams free after %.1f ms%n",
        family.prefix(), QUEUED, called / 1000, (System.nanoTime() - start) / 1e6);
    require(called <= CheckBench.CALL, "abort took too long");
    try {
      teams.get(1).allGather(streams.get(1), from.get(1).address(), from.get(1).address(), 1);
      throw new IllegalStateException("a launch after an abort was taken");
    } catch (io.nitinol.spi.device.v1.DeviceException e) {
      require(
          e.failure() == io.nitinol.spi.device.v1.DeviceFailure.TEAM_ABORTED,
          "a launch after an abort: %s",
          e);
    }
    from.forEach(DeviceMemory::close);
  }

  @Override
  public void close() {
    streams.forEach(DeviceStream::close);
    teams.forEach(CudaTeam::close);
    threads.shutdown();
  }
}
