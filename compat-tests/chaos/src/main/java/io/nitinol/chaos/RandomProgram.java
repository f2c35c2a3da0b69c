// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import io.nitinol.core.Communicator;
import io.nitinol.core.Group;
import io.nitinol.core.Work;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A random sequence of collectives, groups, sends, receives, splits and waits, the same on all
 * ranks because all draw from the same seed. Each rank compares what it gets with a sequential
 * model, which knows what every rank contributed.
 */
public final class RandomProgram implements AutoCloseable {
  private static final int LARGE = 150_000;
  private static final int PENDING = 24;
  private static final byte POISON = (byte) 0xA5;
  private static final int GUARD = 64;

  /** A communicator as all ranks know it; null where this one is not in it. */
  private record Team(List<Integer> worldRanks, @Nullable Communicator comm) {}

  /** An element of a result: what {@code rank} contributed at {@code index}, or all of them. */
  private interface Model {
    long at(long index);
  }

  private record Pending(
      String what,
      Work work,
      Arena arena,
      MemorySegment result,
      DataType type,
      long count,
      Model model) {}

  private final long seed;
  private final SplittableRandom random;

  /** For what this rank does by itself: drawing for that from {@link #random} parts the ranks. */
  private final SplittableRandom own;

  private final int me;
  private final List<Team> teams = new ArrayList<>();
  private final List<Pending> pending = new ArrayList<>();
  private final boolean splits;
  private int operation;
  private int made;

  /**
   * Creates a program.
   *
   * @param world all ranks; not closed
   */
  public RandomProgram(long seed, Communicator world) {
    this(seed, world, true);
  }

  private RandomProgram(long seed, Communicator world, boolean splits) {
    this.splits = splits;
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.me = world.rank();
    this.own = new SplittableRandom(seed + me + 1);
    teams.add(new Team(IntStream.range(0, world.size()).boxed().toList(), world));
  }

  /** Creates a program that stays on {@code world}, whose rank numbers a failure then names. */
  public static RandomProgram withoutSplits(long seed, Communicator world) {
    return new RandomProgram(seed, world, false);
  }

  /** Runs {@code steps} steps and waits for the last. */
  public void run(int steps) {
    try {
      for (int i = 0; i < steps; i++) {
        step();
      }
      settle();
    } finally {
      for (Team team : teams.subList(1, teams.size())) {
        if (team.comm() != null) {
          team.comm().close();
        }
      }
    }
  }

  /** Returns how many communicators this rank has got by splitting. */
  public int splits() {
    return made;
  }

  private void step() {
    int dice = random.nextInt(100);
    if (dice < 60) {
      collective(team());
    } else if (dice < 75) {
      group();
    } else if (dice < 85) {
      exchange(team());
    } else if (dice < 90 && splits && teams.size() < 6) {
      settle();
      split(team());
    } else if (dice < 93 && teams.size() > 1) {
      settle();
      Team last = teams.removeLast();
      if (last.comm() != null) {
        last.comm().close();
      }
    } else {
      settle();
    }
    if (pending.size() >= PENDING) {
      settle();
    }
  }

  private Team team() {
    return teams.get(random.nextInt(teams.size()));
  }

  private long count() {
    int dice = random.nextInt(20);
    if (dice == 0) {
      return 0;
    }
    return dice == 1 ? random.nextInt(LARGE) : 1 + random.nextInt(400);
  }

  private void group() {
    int calls = 1 + random.nextInt(6);
    boolean nested = random.nextBoolean();
    try (Group _ = Group.start()) {
      for (int i = 0; i < calls; i++) {
        if (random.nextInt(3) == 0) {
          exchange(team());
        } else if (nested) {
          try (Group _ = Group.start()) {
            collective(team());
          }
        } else {
          collective(team());
        }
      }
    }
  }

  private void split(Team team) {
    int n = team.worldRanks().size();
    int colors = 1 + random.nextInt(3);
    int[] color = new int[n];
    int[] key = new int[n];
    for (int r = 0; r < n; r++) {
      color[r] = random.nextInt(4) == 0 ? Communicator.NO_COLOR : random.nextInt(colors);
      key[r] = random.nextInt(5);
    }
    Communicator mine = null;
    if (team.comm() != null) {
      int r = team.comm().rank();
      mine = team.comm().split(color[r], key[r]);
      made += mine == null ? 0 : 1;
    }
    for (int c = 0; c < colors; c++) {
      List<Integer> members = new ArrayList<>();
      for (int r = 0; r < n; r++) {
        if (color[r] == c) {
          members.add(r);
        }
      }
      if (members.isEmpty()) {
        continue;
      }
      members.sort((a, b) -> key[a] != key[b] ? Integer.compare(key[a], key[b]) : a - b);
      List<Integer> world = members.stream().map(r -> team.worldRanks().get(r)).toList();
      boolean inIt = world.contains(me);
      if (inIt) {
        if (mine == null || mine.size() != world.size() || world.get(mine.rank()) != me) {
          throw new AssertionError(
              "seed %s: split gave %s for %s"
                  .formatted(
                      seed,
                      mine == null ? "nothing" : "rank " + mine.rank() + " of " + mine.size(),
                      members));
        }
      }
      teams.add(new Team(world, inIt ? mine : null));
    }
  }

  /** One collective on one communicator; every rank draws the same. */
  private void collective(Team team) {
    int kind = random.nextInt(9);
    DataType type = ExactElements.TYPES.get(random.nextInt(ExactElements.TYPES.size()));
    ReductionOp op = ReductionOp.values()[random.nextInt(4)];
    long count = count();
    int n = team.worldRanks().size();
    int root = random.nextInt(n);
    boolean inPlace = random.nextBoolean();
    int number = ++operation;
    Communicator comm = team.comm();
    if (comm == null) {
      return;
    }
    int r = comm.rank();
    String what = "operation " + number + " kind " + kind + " " + type + " " + op + " " + count;
    Arena arena = Arena.ofShared();
    Source source = new Source(seed + number, n, op, type);
    switch (kind) {
      case 0, 1 -> { // all_reduce, twice as often
        MemorySegment recv = result(arena, type, count);
        MemorySegment send = inPlace ? recv : input(arena, type, count);
        source.fill(send, r, 0, count);
        expect(
            what,
            comm.allReduce(send, recv, count, type, op),
            arena,
            recv,
            type,
            count,
            source::reduced);
      }
      case 2 -> {
        boolean isRoot = r == root;
        MemorySegment recv = result(arena, type, isRoot ? count : 0);
        MemorySegment send = inPlace && isRoot ? recv : input(arena, type, count);
        source.fill(send, r, 0, count);
        expect(
            what,
            comm.reduce(send, recv, count, type, op, root),
            arena,
            recv,
            type,
            isRoot ? count : 0,
            source::reduced);
      }
      case 3 -> {
        MemorySegment recv = result(arena, type, count);
        MemorySegment send = inPlace ? recv : input(arena, type, count);
        if (r == root) {
          source.fill(send, root, 0, count);
        }
        expect(
            what,
            comm.broadcast(send, recv, count, type, root),
            arena,
            recv,
            type,
            count,
            i -> source.of(root, i));
      }
      case 4 -> {
        MemorySegment recv = result(arena, type, n * count);
        MemorySegment send =
            inPlace
                ? recv.asSlice(r * count * type.size(), count * type.size())
                : input(arena, type, count);
        source.fill(send, r, 0, count);
        expect(
            what,
            comm.allGather(send, recv, count, type),
            arena,
            recv,
            type,
            n * count,
            i -> source.of((int) (i / count), i % count));
      }
      case 5 -> {
        MemorySegment send = input(arena, type, n * count);
        source.fill(send, r, 0, n * count);
        MemorySegment recv =
            inPlace
                ? send.asSlice(r * count * type.size(), count * type.size())
                : result(arena, type, count);
        expect(
            what,
            comm.reduceScatter(send, recv, count, type, op),
            arena,
            recv,
            type,
            count,
            i -> source.reduced(r * count + i));
      }
      case 6 -> {
        MemorySegment send = input(arena, type, n * count);
        MemorySegment recv = result(arena, type, n * count);
        source.fill(send, r, 0, n * count);
        expect(
            what,
            comm.allToAll(send, recv, count, type),
            arena,
            recv,
            type,
            n * count,
            i -> source.of((int) (i / count), r * count + i % count));
      }
      case 7 -> {
        MemorySegment send = input(arena, type, count);
        MemorySegment recv = result(arena, type, r == root ? n * count : 0);
        source.fill(send, r, 0, count);
        expect(
            what,
            comm.gather(send, recv, count, type, root),
            arena,
            recv,
            type,
            r == root ? n * count : 0,
            i -> source.of((int) (i / count), i % count));
      }
      default -> {
        MemorySegment send = input(arena, type, r == root ? n * count : 0);
        MemorySegment recv = result(arena, type, count);
        if (r == root) {
          source.fill(send, r, 0, n * count);
        }
        expect(
            what,
            comm.scatter(send, recv, count, type, root),
            arena,
            recv,
            type,
            count,
            i -> source.of(root, r * count + i));
      }
    }
  }

  /** A random pattern of sends and receives, several between some pairs, in one group. */
  private void exchange(Team team) {
    int n = team.worldRanks().size();
    int messages = 1 + random.nextInt(3 * n);
    Communicator comm = team.comm();
    try (Group _ = Group.start()) {
      for (int m = 0; m < messages; m++) {
        int from = random.nextInt(n);
        int to = random.nextInt(n);
        long count = count();
        DataType type = ExactElements.TYPES.get(random.nextInt(ExactElements.TYPES.size()));
        int number = ++operation;
        if (comm == null) {
          continue;
        }
        Source source = new Source(seed + number, n, ReductionOp.SUM, type);
        String what = "message " + number + " " + from + " to " + to + " " + type + " " + count;
        if (comm.rank() == from) {
          Arena arena = Arena.ofShared();
          MemorySegment send = input(arena, type, count);
          source.fill(send, from, 0, count);
          Work work = comm.send(send, count, type, to);
          expect(what + ", sent", work, arena, MemorySegment.NULL, type, 0, i -> 0);
        }
        if (comm.rank() == to) {
          Arena arena = Arena.ofShared();
          MemorySegment recv = result(arena, type, count);
          expect(
              what,
              comm.recv(recv, count, type, from),
              arena,
              recv,
              type,
              count,
              i -> source.of(from, i));
        }
      }
    }
  }

  private static MemorySegment input(Arena arena, DataType type, long count) {
    return arena.allocate(Math.max(1, count * type.size()), 8);
  }

  /** Memory with poison behind it, which must stay. */
  private static MemorySegment result(Arena arena, DataType type, long count) {
    MemorySegment whole = arena.allocate(count * type.size() + GUARD, 8);
    whole.fill(POISON);
    return whole;
  }

  private void expect(
      String what,
      Work work,
      Arena arena,
      MemorySegment result,
      DataType type,
      long count,
      Model model) {
    pending.add(new Pending(what, work, arena, result, type, count, model));
  }

  /** Waits for everything, in any order, and compares. Each rank by itself. */
  private void settle() {
    List<Pending> order = new ArrayList<>(pending);
    if (own.nextBoolean()) {
      order = order.reversed();
    }
    for (Pending each : order) {
      each.work().await();
      compare(each);
    }
    close();
  }

  /** Frees the buffers. After an operation has failed, its communicator must be closed before. */
  @Override
  public void close() {
    pending.forEach(each -> each.arena().close());
    pending.clear();
  }

  private void compare(Pending pending) {
    DataType type = pending.type();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment expected = arena.allocate(Math.max(1, pending.count() * type.size()), 8);
      for (long i = 0; i < pending.count(); i++) {
        ExactElements.set(expected, type, i, pending.model().at(i));
      }
      long bytes = pending.count() * type.size();
      long wrong = MemorySegment.mismatch(pending.result(), 0, bytes, expected, 0, bytes);
      if (wrong >= 0) {
        throw new AssertionError(
            "seed %s rank %s: %s is wrong at element %s"
                .formatted(seed, me, pending.what(), wrong / type.size()));
      }
    }
    for (long i = pending.count() * type.size(); i < pending.result().byteSize(); i++) {
      if (pending.result().get(ValueLayout.JAVA_BYTE, i) != POISON) {
        throw new AssertionError(
            "seed " + seed + " rank " + me + ": " + pending.what() + " wrote behind its result");
      }
    }
  }

  /** What the ranks of one operation contribute. */
  private record Source(long seed, int ranks, ReductionOp op, DataType type) {
    long of(int rank, long index) {
      return ExactElements.value(seed, rank, index, op);
    }

    long reduced(long index) {
      long value = of(0, index);
      for (int r = 1; r < ranks; r++) {
        value = ExactElements.combine(value, of(r, index), op);
      }
      return value;
    }

    void fill(MemorySegment to, int rank, long from, long count) {
      for (long i = 0; i < count; i++) {
        ExactElements.set(to, type, i, of(rank, from + i));
      }
    }
  }
}
