// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import com.sun.management.ThreadMXBean;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.scene.HeapUse;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.TestedNet;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The data path takes nothing from the Java heap. */
public final class AllocationRules {
  private static final int WINDOW = 4;
  private static final int MESSAGES = 1_000;

  /** How many pieces a receive of several has, if the device takes as many. */
  private static final int PIECES = 4;

  private static final long DEADLINE = TimeUnit.SECONDS.toNanos(20);

  /** How long a connection at rest is looked at, at least. */
  private static final long IDLE = TimeUnit.MILLISECONDS.toNanos(500);

  @Rule("NET-MEM-03")
  void smallMessagesAllocateNothing(NetSession session) {
    allocateNothing(session, session.cut(512), false);
  }

  @Rule("NET-MEM-03")
  void largeMessagesAllocateNothing(NetSession session) {
    allocateNothing(session, session.cut(1 << 17), false);
  }

  @Rule(value = "NET-MEM-03", needs = Need.MULTI_RECEIVE)
  void receivesOfSeveralPiecesAllocateNothing(NetSession session) {
    allocateNothing(session, session.cut(512), false, Math.min(session.maxRecvs(), PIECES));
  }

  @Rule("NET-MEM-03")
  void flushesAllocateNothing(NetSession session) {
    allocateNothing(session, session.cut(512), true);
  }

  private static void allocateNothing(NetSession session, int length, boolean flushes) {
    allocateNothing(session, length, flushes, 1);
  }

  private static void allocateNothing(NetSession session, int length, boolean flushes, int pieces) {
    ThreadMXBean threads = HeapUse.counter(session);
    Exchange exchange = new Exchange(session, length, flushes, pieces);
    String name = session.net().name();
    long deadline =
        System.nanoTime() + session.terms().patience().nanos() + session.patient(DEADLINE);
    HeapUse.Use least =
        HeapUse.least(
            session,
            MESSAGES,
            count -> exchange.run(count, deadline),
            threads,
            () -> allocatedByPlugin(threads, name));
    long bytes = least.bytes();
    if (bytes >= MESSAGES) {
      bytes -= Math.min(least.others(), byTheClock(threads, name, least.nanos()));
    }
    session.check(
        bytes < MESSAGES,
        "%d messages of %d bytes allocate %.1f bytes each, beside what threads do by the clock;"
            + " expected none: %s",
        MESSAGES,
        length,
        (double) bytes / MESSAGES,
        least);
  }

  /**
   * Returns what the plugin's own threads may have allocated in so much time without any message: a
   * thread that looks around now and then does it whether messages pass or not. Twice as much as
   * was seen, since it may look more often while there is something to do.
   */
  private static long byTheClock(ThreadMXBean threads, String name, long nanos) {
    long wait = Math.max(nanos, IDLE);
    long start = System.nanoTime();
    long before = allocatedByPlugin(threads, name);
    while (System.nanoTime() - start < wait) {
      LockSupport.parkNanos(wait);
    }
    double idle = Math.max(0, allocatedByPlugin(threads, name) - before); // a thread may end
    return (long) (2 * idle * nanos / (System.nanoTime() - start));
  }

  /** Returns how many bytes the plugin's own threads have allocated. This call allocates, too. */
  private static long allocatedByPlugin(ThreadMXBean threads, String plugin) {
    long bytes = 0;
    Thread[] all = new Thread[Thread.activeCount() + 16];
    int count = Thread.enumerate(all);
    for (Thread thread : Arrays.copyOf(all, count)) {
      if (thread.getName().startsWith(plugin)
          && thread.threadId() != Thread.currentThread().threadId()) {
        bytes += Math.max(0, threads.getThreadAllocatedBytes(thread.threadId()));
      }
    }
    return bytes;
  }

  /** Sends to itself with several messages in flight, and allocates nothing of its own. */
  private static final class Exchange {
    private final NetSession session;
    private final TestedNet net;
    private final NetConnection connection;
    private final int length;
    private final boolean flushes;
    private final int pieces;
    private final MemoryHandle out;
    private final MemoryHandle[] in;
    private final long[][] offsets;
    private final long[] lengths;
    private final int[] tags;
    private final int[] sizes;
    private final @Nullable Request[] sends = new Request[WINDOW];
    private final @Nullable Request[] receives = new Request[WINDOW];

    Exchange(NetSession session, int length, boolean flushes, int pieces) {
      this.session = session;
      this.net = session.bare();
      this.connection = session.connect();
      this.length = length;
      this.flushes = flushes;
      this.pieces = pieces;
      this.tags = new int[pieces];
      this.sizes = new int[pieces];
      this.offsets = new long[WINDOW][pieces];
      GuardedArea from = session.area(length);
      // A place for each piece of each receive in flight.
      GuardedArea to = session.area((long) WINDOW * pieces * length);
      for (int i = 0; i < WINDOW * pieces; i++) {
        offsets[i / pieces][i % pieces] = (long) i * length;
      }
      this.out = connection.registerSend(from);
      this.in = new MemoryHandle[pieces];
      Arrays.fill(in, connection.registerRecv(to));
      this.lengths = new long[pieces];
      Arrays.fill(lengths, length);
    }

    /** One send and one receive at a time in each place of the window. */
    void run(int most, long deadline) {
      int receives = most / pieces;
      run(receives, receives * pieces, deadline);
    }

    private void run(int posts, int messages, long deadline) {
      int received = 0;
      int sent = 0;
      int startedSends = 0;
      int startedReceives = 0;
      for (int turn = 0; received < posts || sent < messages; turn++) {
        int receiveAt = startedReceives % WINDOW;
        if (startedReceives < posts && receives[receiveAt] == null) {
          receives[receiveAt] =
              net.irecv(connection.recv(), pieces, in, offsets[receiveAt], lengths, tags);
          startedReceives += receives[receiveAt] == null ? 0 : 1;
        }
        int sendAt = startedSends % WINDOW;
        if (startedSends < messages && sends[sendAt] == null) {
          sends[sendAt] = net.isend(connection.send(), out, 0, length, 0);
          startedSends += sends[sendAt] == null ? 0 : 1;
        }
        if (completed(receives, received < startedReceives ? received % WINDOW : -1)) {
          flush(received % WINDOW);
          received++;
        }
        if (completed(sends, sent < startedSends ? sent % WINDOW : -1)) {
          sent++;
        }
        if ((turn & 0xfff) == 0xfff && System.nanoTime() - deadline > 0) {
          throw session.skip(
              "the network is too slow: " + received + " messages before the time was over");
        }
      }
    }

    /** Tests the oldest one; returns whether it has completed. */
    private boolean completed(@Nullable Request[] requests, int at) {
      if (at < 0) {
        return false;
      }
      Request request = requests[at];
      if (request == null || !net.test(request, sizes)) {
        return false;
      }
      requests[at] = null;
      return true;
    }

    private void flush(int at) {
      if (!flushes) {
        return;
      }
      Request flushing = net.iflush(connection.recv(), 1, in, offsets[at], lengths);
      long end = System.nanoTime() + session.terms().patience().nanos();
      while (flushing != null && !net.test(flushing, sizes)) {
        if (System.nanoTime() - end > 0) {
          session.terms().patience().disappointed();
          throw new RuleViolation("NET-FLUSH-04", "waited in vain for a flush to complete");
        }
        Thread.onSpinWait();
      }
    }
  }
}
