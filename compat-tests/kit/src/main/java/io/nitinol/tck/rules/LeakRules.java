// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Placement;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.scene.ConnectAttempts;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NativeMemory;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.Resources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;

/** A thousand connections leave nothing behind. */
public final class LeakRules {
  private static final int FIRST = 10;

  /** So many after those say how long a connection takes. */
  private static final int TIMED = 20;

  /**
   * After this many connections the JVM has loaded and compiled nearly all that a connection uses.
   */
  private static final int SETTLED = 400;

  private static final int STEP = 120;
  private static final int STEPS = 5;
  private static final int CONNECTIONS = SETTLED + STEPS * STEP;

  /**
   * After a growth that may be that of a cache, this many more connections must not grow it
   * further.
   */
  private static final int MORE = 300;

  private static final long SPARE_KILOBYTES = 64;

  /** How long a failure is waited for, which may come later. */
  private static final long NOTICED = TimeUnit.MILLISECONDS.toNanos(2);

  /** What connections may take on a usual machine in a quick run, and in a full one. */
  private static final long QUICK = TimeUnit.SECONDS.toNanos(90);

  private static final long FULL = TimeUnit.SECONDS.toNanos(120);

  /** Heap bytes per connection: more in the middle step is a leak; the JVM takes less. */
  private static final long HEAP_EACH = 512;

  private static final long NATIVE_EACH = 2048;

  @Rule(value = "NET-CLOSE-08", needs = Need.PROC, in = Placement.PROCESS, seconds = 300)
  void aThousandConnectionsLeaveNothing(NetSession session) {
    NativeMemory memory = new NativeMemory();
    use(session, FIRST);
    Resources before = Resources.now();
    Set<Path> files = Resources.filesBeside(Set.of());
    long each = usualTime(session);
    int affordable = affordable(each, session.patient(session.full() ? FULL : QUICK));
    if (affordable < CONNECTIONS) {
      use(session, affordable - FIRST - TIMED);
      nothingStays(session, before, affordable);
      noFileStays(session, files, affordable);
      session.note(
          "a connection takes "
              + TimeUnit.NANOSECONDS.toMillis(each)
              + " ms, so that after "
              + affordable
              + " of them, and not "
              + CONNECTIONS
              + ", threads, descriptors, mappings, files and locked memory were counted; what each"
              + " leaves on the heap and beside it was not");
      return;
    }
    use(session, SETTLED - FIRST - TIMED);
    Memory left = left(session, memory);
    nothingStays(session, before, CONNECTIONS);
    noFileStays(session, files, CONNECTIONS);
    if (left.heapGrows() || left.outsideGrows()) {
      left = left(session, memory); // a cache with a bound that fills grows too, and then no more
    }
    session.check(
        !left.outsideGrows(),
        "each connection leaves %d bytes of memory outside the Java heap",
        left.outside().perConnection());
    session.check(
        !left.heapGrows(),
        "each connection leaves %d bytes on the Java heap",
        left.heap().perConnection());
  }

  /** Returns the median of what {@link #TIMED} connections take in ns: a pause says nothing. */
  private static long usualTime(NetSession session) {
    long[] times = new long[TIMED];
    for (int i = 0; i < TIMED; i++) {
      long start = System.nanoTime();
      use(session, 1);
      times[i] = System.nanoTime() - start;
    }
    Arrays.sort(times);
    return times[TIMED / 2];
  }

  /**
   * Returns how many connections fit into a time: all, or fewer, but enough of them to tell what
   * each leaves from what the first ones keep.
   *
   * @param each nanoseconds that one takes
   * @param time nanoseconds
   */
  static int affordable(long each, long time) {
    return Math.clamp(time / Math.max(1, each), 10 * FIRST, CONNECTIONS);
  }

  /** Checks what is counted, after all connections so far have been closed. */
  private static void nothingStays(NetSession session, Resources before, int connections) {
    settled(session, "threads", Resources::threads, before, FIRST, connections);
    settled(session, "descriptors", Resources::descriptors, before, FIRST, connections);
    if (!before.awaitRestored(session, Resources::mappings)) {
      // The C library maps an arena and a stack for each of the threads that are there at once,
      // those included that are about to end, and keeps them: so many, and then no more.
      Resources filled = Resources.now();
      int more = Math.min(MORE, connections / 3); // they have to end within the test's time, too
      use(session, more);
      Resources.collect();
      settled(session, "mappings", Resources::mappings, filled, connections, connections + more);
    }
    long locked = Resources.now().lockedKilobytes();
    session.check(
        locked <= before.lockedKilobytes() + SPARE_KILOBYTES,
        "%d KiB of memory are locked or pinned after %d connections, %d after the first %d",
        locked,
        connections,
        before.lockedKilobytes(),
        FIRST);
  }

  /**
   * Checks that there is not a file for every second connection, twice, since other processes make
   * files as well.
   */
  private static void noFileStays(NetSession session, Set<Path> before, int connections) {
    if (Resources.filesBeside(before).size() < connections / 2) {
      return;
    }
    Set<Path> now = Resources.filesBeside(Set.of());
    int more = Math.min(MORE, connections / 3);
    use(session, more);
    int files = Resources.filesBeside(now).size();
    session.check(
        files < more / 2,
        "%d connections left %d files in /dev/shm or in the directory for temporary files",
        more,
        files);
  }

  private static Memory left(NetSession session, NativeMemory memory) {
    Growth heap = new Growth(Resources.liveHeap());
    Growth outside = new Growth(memory.bytes());
    for (int i = 0; i < STEPS; i++) {
      use(session, STEP);
      heap.add(Resources.liveHeap());
      outside.add(memory.bytes());
    }
    return new Memory(heap, outside);
  }

  private static void settled(
      NetSession session,
      String what,
      ToIntFunction<Resources> figure,
      Resources before,
      int first,
      int all) {
    session.check(
        before.awaitRestored(session, figure),
        "%d %s after %d connections, %d after the first %d",
        figure.applyAsInt(Resources.now()),
        what,
        all,
        figure.applyAsInt(before),
        first);
  }

  /**
   * Opens, uses and closes connections, each with a listener of its own. Every second one is closed
   * with operations in flight and with registered memory, and some after their senders.
   */
  private static void use(NetSession session, int connections) {
    for (int i = 0; i < connections; i++) {
      try (NetSession part = session.part()) {
        NetConnection connection = part.connect();
        connection.transfer(512);
        if (i % 2 == 0) {
          GuardedArea area = part.area(4096);
          MemoryHandle out = connection.registerSend(area);
          connection.irecv(connection.registerRecv(area), 0, 2048, 0);
          session.step(
              "NET-SEND-08",
              "isend",
              () -> connection.sender().isend(connection.send(), out, 2048, 2048, 0));
        } else if (i % 8 == 1) {
          failAndClose(part, connection);
        }
      }
    }
  }

  /** Some plugins notice at once that the sender has closed; the comm has failed then. */
  private static void failAndClose(NetSession part, NetConnection connection) {
    Request receiving = connection.irecv(connection.registerRecv(part.area(64)), 0, 64, 0);
    connection.closeSend();
    boolean[] answered = new boolean[1];
    ConnectAttempts.forAWhile(
        NOTICED,
        () -> {
          answered[0] = false;
          ConnectAttempts.tolerate(
              part,
              "NET-CLOSE-05",
              "test of a receive whose sender has closed",
              () -> {
                part.require(
                    "NET-TEST-05",
                    !connection.receiver().test(receiving, null),
                    "a receive was complete whose message was never sent");
                answered[0] = true;
              },
              ResultCode.REMOTE_ERROR);
          return !answered[0];
        });
    connection.closeRecv();
  }

  /** The memory on and outside the Java heap over some connections. */
  private record Memory(Growth heap, Growth outside) {
    /**
     * A leak makes both the middle step and the total grow. When the JVM only drops and makes a
     * buffer again, the total does not.
     */
    boolean heapGrows() {
      return heap.usualStep() > HEAP_EACH * STEP && heap.perConnection() > HEAP_EACH / 2;
    }

    boolean outsideGrows() {
      return outside.smallStep() > NATIVE_EACH * STEP;
    }
  }

  /** A figure over time; it shows a leak if it grows all along, not if it grew once. */
  private static final class Growth {
    private final List<Long> steps = new ArrayList<>();
    private final long first;
    private long last;

    Growth(long first) {
      this.first = first;
      this.last = first;
    }

    void add(long value) {
      steps.add(value - last);
      last = value;
    }

    /** Returns the least step but one, for a figure that the JVM makes grow now and then. */
    long smallStep() {
      return nthLeast(1);
    }

    /** Returns the step in the middle, for one that also shrinks when the JVM drops a buffer. */
    long usualStep() {
      return nthLeast(steps.size() / 2);
    }

    private long nthLeast(int n) {
      return steps.stream().sorted().skip(n).findFirst().orElse(0L);
    }

    long perConnection() {
      return (last - first) / ((long) steps.size() * STEP);
    }
  }
}
