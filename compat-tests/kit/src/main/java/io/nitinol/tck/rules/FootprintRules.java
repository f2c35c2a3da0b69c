// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.check.Placement;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.scene.NumberedMessages;
import io.nitinol.tck.scene.SlotTraffic;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Which objects of the caller a plugin keeps, and how much memory messages leave behind. */
public final class FootprintRules {
  private static final int PAGE = 4096;
  private static final int MIB = 1 << 20;
  private static final int WARM_UP = 30_000;
  private static final int MEASURED = 100_000;

  /**
   * More than this part of a byte per message, and it may be that each message leaves something.
   */
  private static final long HEAP_GROWTH = MEASURED;

  /** A list that doubles has done so at least once when so many times the messages have passed. */
  private static final int MORE = 2;

  private static final long RESIDENT_GROWTH = 6L * MIB;
  private static final byte OVERWRITTEN = (byte) 0xEE;
  private static final long COLLECTED = TimeUnit.SECONDS.toNanos(3);
  private static final Path STATUS = Path.of("/proc/self/status");

  @Rule("NET-MEM-02")
  void handleBuffersMayBeWrittenOverAfterTheCalls(NetSession session) {
    NetListening listening = session.listen(0);
    MemorySegment handle = session.copyOf(listening.handle());
    listening.handle().fill(OVERWRITTEN);
    NetListening elsewhere = listening.withHandleAt(handle);
    if (session.lane().mayWait()) {
      session.connect(session.net(), 0, elsewhere).transfer(PAGE);
      return;
    }
    @Nullable SendComm[] send = new SendComm[1];
    @Nullable RecvComm[] recv = new RecvComm[1];
    session.await(
        "NET-MEM-02",
        "a connection whose handle buffers are written over after the calls",
        () -> {
          if (send[0] == null) {
            send[0] = step(session, "connect", () -> session.net().connect(0, handle));
            if (send[0] != null) {
              handle.fill(OVERWRITTEN);
            }
          }
          if (recv[0] == null) {
            recv[0] = step(session, "accept", () -> session.net().accept(listening.comm()));
          }
          return send[0] != null && recv[0] != null;
        });
    session.connection(send[0], recv[0]).transfer(PAGE);
  }

  private static <T extends @Nullable Object> T step(
      NetSession session, String what, Supplier<T> call) {
    return session.step("NET-MEM-02", what + " after a handle buffer was written over", call);
  }

  @Rule("NET-MEM-02")
  void arraysAreNotKept(NetSession session) {
    NetConnection connection = session.connect();
    MemoryHandle mr = connection.registerRecv(session.area(PAGE));
    List<WeakReference<Object>> arrays = new ArrayList<>();
    List<WeakReference<Object>> control = List.of(new WeakReference<>(new int[1]));
    Request receiving = receive(connection, mr, arrays);
    try {
      if (!NetSession.within(session.patient(COLLECTED), () -> collected(control))) {
        throw session.skip("this JVM does not collect garbage when it is asked to");
      }
      session.check(
          NetSession.within(session.patient(COLLECTED), () -> collected(arrays)),
          "an array that was given to irecv or test can still be reached after the call");
    } finally {
      Reference.reachabilityFence(receiving);
    }
  }

  private static boolean collected(List<WeakReference<Object>> references) {
    System.gc();
    return references.stream().allMatch(reference -> reference.refersTo(null));
  }

  private static Request receive(
      NetConnection connection, MemoryHandle mr, List<WeakReference<Object>> arrays) {
    MemoryHandle[] mrs = {mr};
    long[] offsets = {0};
    long[] lengths = {PAGE};
    int[] tags = {SlotTraffic.TAG};
    int[] sizes = {-1};
    Request request = connection.irecv(mrs, offsets, lengths, tags);
    connection.testRecv(request, sizes);
    for (Object array : List.of(mrs, offsets, lengths, tags, sizes)) {
      arrays.add(new WeakReference<>(array));
    }
    return request;
  }

  @Rule(value = "NET-MEM-04", in = Placement.PROCESS, seconds = 120)
  void messagesLeaveNoMemoryBehind(NetSession session) {
    NetConnection connection = session.connect();
    NumberedMessages flow = new NumberedMessages(session, connection);
    flow.pass(WARM_UP);
    touchHeap();
    long heapBefore = usedHeap();
    long residentBefore = resident();
    int messages = session.full() ? 20 * MEASURED : MEASURED;
    flow.pass(messages);
    long heap = usedHeap();
    long resident = residentBefore < 0 ? -1 : resident() - residentBefore;
    if (heap - heapBefore >= HEAP_GROWTH) {
      // A cache with a bound fills and then grows no more, and the JVM keeps something of its own.
      flow.pass(MORE * messages);
      long once = usedHeap();
      if (once - heap >= MORE * HEAP_GROWTH) {
        flow.pass(MORE * messages);
        long again = usedHeap() - once;
        session.check(
            again < MORE * HEAP_GROWTH,
            "after %d messages more, %d bytes more of the Java heap were in use, after %d further"
                + " ones another %d, and after as many again another %d (%d per message)",
            messages,
            heap - heapBefore,
            MORE * messages,
            once - heap,
            again,
            again / MORE / messages);
      }
    }
    session.check(
        resident < RESIDENT_GROWTH,
        "after %d messages more, the process had %d KiB more memory (%d bytes per message)",
        messages,
        resident >> 10,
        resident / messages);
  }

  /** Touches the heap's pages before they are counted. */
  private static void touchHeap() {
    List<byte[]> held = new ArrayList<>();
    try {
      long most = Runtime.getRuntime().maxMemory() / 2;
      for (long size = 0; size < most; size += MIB) {
        held.add(new byte[MIB]);
      }
    } finally {
      Reference.reachabilityFence(held);
    }
  }

  private static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  /** Returns the anonymous memory of this process in bytes; -1 where the system does not say. */
  private static long resident() {
    if (!Files.exists(STATUS)) {
      return -1;
    }
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith("RssAnon:")) {
          return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
        }
      }
      return -1;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + STATUS, e);
    }
  }
}
