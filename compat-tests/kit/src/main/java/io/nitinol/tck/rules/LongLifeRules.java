// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.scene.BytesThroughAComm;
import io.nitinol.tck.session.CollGroup;
import io.nitinol.tck.session.CollMember;
import io.nitinol.tck.session.CollSession;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.RunDelay;
import io.nitinol.tck.session.TestedCollNet;
import io.nitinol.tck.session.TypeAndOp;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a comm or a group has carried before changes nothing: counters of few bits wrap around. */
public final class LongLifeRules {
  private static final long MIB = 1 << 20;
  private static final long SPEED_SAMPLE = 64 * MIB;
  private static final long SAMPLE_TIME = TimeUnit.MILLISECONDS.toNanos(500);

  /** What takes longer is left out. */
  private static final long MOST_TIME = TimeUnit.SECONDS.toNanos(3);

  private static final long MOST_TIME_IN_FULL = TimeUnit.SECONDS.toNanos(90);

  /** So many times as long it may take where other work comes in between. */
  private static final int TIMES = 4;

  /** More operations than a counter of 16 bits tells apart. */
  private static final int OPERATIONS = 70_000;

  private static final int FIRST_OPERATIONS = 2_000;
  private static final ValueLayout.OfInt NUMBER = ValueLayout.JAVA_INT_UNALIGNED;

  @Rule(value = "NET-SEND-08", seconds = 240)
  void moreBytesPassThroughACommThanAnIntCounts(NetSession session) {
    session.onNewestLaneOnly();
    BytesThroughAComm bytes = new BytesThroughAComm(session, session.connect());
    RunDelay delay = RunDelay.ofThisThread();
    long waited = delay.nanos();
    long start = System.nanoTime();
    long end = start + SAMPLE_TIME;
    do {
      bytes.pass();
    } while (bytes.passed() < SPEED_SAMPLE && System.nanoTime() - end < 0);
    long nanos = Math.max(1, System.nanoTime() - start - (delay.nanos() - waited));
    double perByte = (double) nanos / bytes.passed();
    long most = session.full() ? MOST_TIME_IN_FULL : MOST_TIME;
    long last = 0;
    for (int bits = 31; bits <= 32; bits++) {
      long wanted = (1L << bits) + SPEED_SAMPLE;
      if (perByte * wanted <= most) {
        last = wanted;
      }
    }
    if (last == 0) {
      throw session.skip(
          ErrorText.of(
              "2 GiB through one comm would take %s s here, after %s MiB in %s ms",
              Math.round(perByte * (1L << 31) / 1e9), bytes.passed() / MIB, nanos / 1_000_000));
    }
    long over = System.nanoTime() + TIMES * most;
    while (bytes.passed() < last && !session.isGivenUp()) {
      if (System.nanoTime() - over > 0) {
        throw session.skip(slower(bytes.passed() / MIB + " MiB"));
      }
      bytes.pass();
    }
  }

  @Rule(value = "COLL-13", seconds = 120)
  void moreOperationsOfAGroupThan16BitsCount(CollSession session) {
    session.onNewestLaneOnly();
    TypeAndOp sum = new TypeAndOp(DataType.INT32, ReductionOp.SUM);
    boolean sums = session.pairs().contains(sum);
    OneAfterTheOther operations =
        new OneAfterTheOther(session, session.connect(2), sums ? sum : session.pair());
    RunDelay delay = RunDelay.ofThisThread();
    long waited = delay.nanos();
    long start = System.nanoTime();
    long end = start + SAMPLE_TIME;
    do {
      operations.pass();
    } while (operations.done < FIRST_OPERATIONS && System.nanoTime() - end < 0);
    long nanos = Math.max(1, System.nanoTime() - start - (delay.nanos() - waited));
    long all = nanos / operations.done * OPERATIONS;
    long most = session.full() ? MOST_TIME_IN_FULL : MOST_TIME;
    if (all > most) {
      throw session.skip(
          ErrorText.of(
              "%s operations would take %s s here: one takes %s us",
              OPERATIONS, TimeUnit.NANOSECONDS.toSeconds(all), nanos / operations.done / 1_000));
    }
    long over = System.nanoTime() + TIMES * most;
    while (operations.done < OPERATIONS && !session.isGivenUp()) {
      if (System.nanoTime() - over > 0) {
        throw session.skip(slower(operations.done + " operations"));
      }
      operations.pass();
    }
  }

  private static String slower(String after) {
    return ErrorText.of("the machine became slower than at the begin, after %s", after);
  }

  /** Reductions of one element each, with the number of the operation where the type allows it. */
  private static final class OneAfterTheOther {
    private final CollSession session;
    private final CollGroup group;
    private final TypeAndOp pair;
    private final boolean numbered;
    private final TestedCollNet net;
    private final GuardedArea[] from = new GuardedArea[2];
    private final GuardedArea[] to = new GuardedArea[2];
    private final MemoryHandle[] fromMr = new MemoryHandle[2];
    private final MemoryHandle[] toMr = new MemoryHandle[2];
    private final @Nullable Request[] requests = new Request[2];
    private int done;

    OneAfterTheOther(CollSession session, CollGroup group, TypeAndOp pair) {
      this.session = session;
      this.group = group;
      this.pair = pair;
      this.numbered = pair.equals(new TypeAndOp(DataType.INT32, ReductionOp.SUM));
      this.net = session.bare();
      session.needsBytes(pair.bytes(1));
      for (int i = 0; i < 2; i++) {
        from[i] = session.area(pair.bytes(1));
        to[i] = session.area(pair.bytes(1));
        fromMr[i] = group.member(i).register(from[i]);
        toMr[i] = group.member(i).register(to[i]);
        from[i].set((byte) 0); // as zeroes are their own sum, product and so on
      }
    }

    void pass() {
      for (int i = 0; i < 2; i++) {
        to[i].set((byte) -1);
        if (numbered) {
          from[i].segment().set(NUMBER, 0, (i + 1) * done);
        }
      }
      long end = System.nanoTime() + session.terms().patience().nanos();
      boolean first = false;
      boolean second = false;
      for (int turns = 1; !first || !second; turns++) {
        first = first || isDone(0);
        second = second || isDone(1);
        if ((turns & 0xff) == 0 && System.nanoTime() - end > 0) {
          session.terms().patience().disappointed();
          throw session.broken(
              ErrorText.of(
                  "the members have ended %s operations one after the other, and the next does not"
                      + " end",
                  done));
        }
      }
      for (int i = 0; i < 2; i++) {
        requests[i] = null;
        session.check(
            numbered
                ? to[i].segment().get(NUMBER, 0) == 3 * done
                : to[i].segment().mismatch(from[i].segment()) < 0,
            "operation %d of a group gave rank %d a wrong result",
            done,
            i);
      }
      done++;
    }

    private boolean isDone(int i) {
      if (requests[i] == null) {
        CollMember member = group.member(i);
        requests[i] =
            session.step(
                "COLL-13",
                "iallreduce",
                () ->
                    net.iallreduce(
                        member.comm(), fromMr[i], 0, toMr[i], 0, 1, pair.type(), pair.op()));
        return false;
      }
      return session.step(
          "COLL-13", "test", () -> net.test(Objects.requireNonNull(requests[i]), null));
    }
  }
}
