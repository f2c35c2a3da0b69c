// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import com.sun.management.ThreadMXBean;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Placement;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.numeric.InputSort;
import io.nitinol.tck.scene.AllReduce;
import io.nitinol.tck.scene.HeapUse;
import io.nitinol.tck.session.CollGroup;
import io.nitinol.tck.session.CollMember;
import io.nitinol.tck.session.CollSession;
import io.nitinol.tck.session.NativeMemory;
import io.nitinol.tck.session.Resources;
import io.nitinol.tck.session.TestedCollNet;
import io.nitinol.tck.session.TypeAndOp;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The memory and other resources that groups and operations of a CollNet take and leave behind. */
public final class CollFootprintRules {
  private static final int FIRST = 10;

  /** After a growth that may be that of a cache, so many more groups must not grow it further. */
  private static final int MORE = 100;

  private static final int OPERATIONS = 500;
  private static final int MANY = 20_000;
  private static final long GROWTH = 4L << 20;

  /** An idle machine of two cores needs a second, one with other work minutes. */
  private static final long WARM_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long MORE_NANOS = TimeUnit.SECONDS.toNanos(30);

  @Rule(value = "NET-CLOSE-08", needs = Need.PROC, in = Placement.PROCESS, seconds = 300)
  void manyGroupsLeaveNothing(CollSession session) {
    use(session, FIRST);
    Resources before = Resources.now();
    int groups = session.full() ? 500 : 150;
    use(session, groups);
    settled(session, groups, "threads", before, Resources::threads);
    settled(session, groups, "descriptors", before, Resources::descriptors);
    if (!before.awaitRestored(session, Resources::mappings)) {
      // As in LeakRules: the C library maps an arena and a stack for each of the threads that are
      // there at once, and keeps them: so many, and then no more.
      // Memory may be left to the collector too, which has no reason to run in such a process.
      Resources.collect();
      Resources filled = Resources.now();
      use(session, MORE);
      Resources.collect();
      settled(session, groups + MORE, "mappings", filled, Resources::mappings);
    }
  }

  /** Uses groups; closes every second one with operations in flight and registered memory. */
  private static void use(CollSession session, int groups) {
    for (int i = 0; i < groups; i++) {
      try (CollSession part = session.part()) {
        CollGroup group = part.connect(2);
        AllReduce.once(part, group);
        if (i % 2 == 0) {
          AllReduce.of(part, group, part.pair(), 64, InputSort.EXACT).submit(0);
          group.turn();
        }
      }
    }
  }

  private static void settled(
      CollSession session,
      int groups,
      String what,
      Resources before,
      ToIntFunction<Resources> figure) {
    session.check(
        before.awaitRestored(session, figure),
        "%d %s after %d groups of two, %d before",
        figure.applyAsInt(Resources.now()),
        what,
        groups,
        figure.applyAsInt(before));
  }

  @Rule("NET-MEM-03")
  void operationsAllocateNothing(CollSession session) {
    ThreadMXBean threads = HeapUse.counter(session);
    Rounds rounds = new Rounds(session, session.connect(2));
    HeapUse.Use least = HeapUse.least(session, OPERATIONS, rounds::run, threads, () -> 0);
    session.check(
        least.bytes() < OPERATIONS,
        "%d reductions of 2 members allocate %s, expected none",
        OPERATIONS,
        least);
  }

  @Rule(value = "NET-MEM-04", needs = Need.PROC, in = Placement.PROCESS, seconds = 120)
  void operationsLeaveNoMemoryBehind(CollSession session) {
    NativeMemory memory = new NativeMemory();
    Rounds rounds = new Rounds(session, session.connect(2));
    rounds.run(MANY, WARM_NANOS);
    long heap = Resources.liveHeap();
    long outside = memory.bytes();
    int many = session.full() ? 20 * MANY : 3 * MANY;
    int more = rounds.run(many, MORE_NANOS);
    if (more < many) {
      session.note(
          "NET-MEM-04 was tested with %d reductions, since %d took too long".formatted(more, many));
    }
    session.check(
        Resources.liveHeap() - heap < GROWTH,
        "%d reductions leave %d bytes on the Java heap",
        more,
        Resources.liveHeap() - heap);
    session.check(
        memory.bytes() - outside < GROWTH,
        "%d reductions leave %d bytes of memory outside the Java heap",
        more,
        memory.bytes() - outside);
  }

  /** Reductions of two members one after the other, without allocations of the kit's own. */
  private static final class Rounds {
    private static final int MOST = 64;

    private final TestedCollNet net;
    private final TypeAndOp pair;
    private final long count;
    private final CollComm[] comms = new CollComm[2];
    private final MemoryHandle[] from = new MemoryHandle[2];
    private final MemoryHandle[] to = new MemoryHandle[2];
    private final @Nullable Request[] requests = new Request[2];
    private final boolean[] done = new boolean[2];
    private final int[] sizes = new int[1];
    private final long patience;

    Rounds(CollSession session, CollGroup group) {
      this.net = session.bare();
      this.pair = session.pair();
      this.count = session.cutCount(pair, MOST);
      this.patience = session.terms().patience().nanos();
      for (int i = 0; i < 2; i++) {
        CollMember member = group.member(i);
        comms[i] = member.comm();
        from[i] = member.register(session.area(pair.bytes(count)));
        to[i] = member.register(session.area(pair.bytes(count)));
      }
    }

    void run(int operations) {
      run(operations, Long.MAX_VALUE);
    }

    /**
     * Runs so many, or as many as there is time for. A thread of the plugin that shares its core
     * with others' work gets its turn once in some milliseconds.
     *
     * @return how many
     */
    int run(int operations, long nanos) {
      long begin = System.nanoTime();
      for (int i = 0; i < operations; i++) {
        if (System.nanoTime() - begin > nanos) {
          return i;
        }
        round();
      }
      return operations;
    }

    private void round() {
      requests[0] = null;
      requests[1] = null;
      done[0] = false;
      done[1] = false;
      long end = System.nanoTime() + patience;
      while (!done[0] || !done[1]) {
        turn(0);
        turn(1);
        if (System.nanoTime() - end > 0) {
          throw new RuleViolation(
              "NET-TEST-05", "waited in vain for a reduction of " + count + " elements");
        }
        // A thread of the plugin may wait for this core: without a yield until the system takes the
        // core away, which is a millisecond for each reduction.
        Thread.yield();
      }
    }

    private void turn(int member) {
      Request request = requests[member];
      if (request == null) {
        requests[member] =
            net.iallreduce(
                comms[member], from[member], 0, to[member], 0, count, pair.type(), pair.op());
      } else if (!done[member]) {
        done[member] = net.test(request, sizes);
      }
    }
  }
}
