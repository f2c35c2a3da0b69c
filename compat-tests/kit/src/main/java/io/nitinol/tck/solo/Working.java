// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.solo;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetInstance;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.TestTerms;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Makes the usual calls, provokes failures, and watches the threads meanwhile. */
final class Working {
  /** How long attempts to connect are driven that may take longer to fail, as other rules state. */
  private static final long IN_VAIN = TimeUnit.SECONDS.toNanos(3);

  private Working() {}

  static void run(TestTerms terms, NewThreads threads, SoloReport report) {
    switch (terms.lane().kind()) {
      case NET -> sending(terms, threads, report);
      case COLLNET -> Reducing.work(terms, threads, report);
      case DEVICE -> DeviceWork.run(terms, threads, report);
    }
  }

  private static void sending(TestTerms terms, NewThreads threads, SoloReport report) {
    Set<Thread> seen = new HashSet<>();
    NetInstance instance =
        NetInstance.start(terms.plugin(), terms.lane(), terms.trace(), terms.log());
    note(threads, seen, report);
    report.say("name", instance.net().name());
    if (instance.devices() == 0) {
      return;
    }
    try (NetSession session = new NetSession(terms, instance)) {
      session.properties(0);
      NetListening listening = session.listen(0);
      NetConnection connection = session.connect(session.net(), 0, listening);
      note(threads, seen, report);
      connection.transfer(4096);
      connection.transfer(1 << 20);
      note(threads, seen, report);
      provoke(() -> session.net().getProperties(-1));
      MemoryHandle mr = connection.registerRecv(session.area(4096));
      Request receiving = connection.irecv(mr, 0, session.cut(64), 0);
      connection.closeSend();
      NetSession.within(
          terms.patience().nanos(), () -> refused(() -> session.net().test(receiving, null)));
      note(threads, seen, report);
      sendTooMuch(session, terms);
      note(threads, seen, report);
      connectInVain(session, terms);
      note(threads, seen, report);
    }
    note(threads, seen, report);
  }

  /** Connects with a handle that nobody wrote, and to listeners that close before and meanwhile. */
  private static void connectInVain(NetSession session, TestTerms terms) {
    if (terms.lane().mayWait()) {
      return; // such a call may take a minute
    }
    List<MemorySegment> handles = new ArrayList<>();
    handles.add(session.handle());
    NetListening closed = session.listen(0);
    handles.add(session.copyOf(closed.handle()));
    closed.close();
    NetListening closing = session.listen(0);
    MemorySegment begun = session.copyOf(closing.handle());
    handles.add(begun);
    provoke(() -> connect(session, begun));
    provoke(() -> close(session, session.net().accept(closing.comm())));
    closing.close();
    NetSession.within(
        Math.min(terms.patience().nanos(), IN_VAIN),
        () -> {
          handles.removeIf(handle -> refused(() -> connect(session, handle)));
          return handles.isEmpty();
        });
  }

  private static void connect(NetSession session, MemorySegment handle) {
    SendComm comm = session.net().connect(0, handle);
    if (comm != null) {
      session.net().closeSend(comm);
      handle.fill((byte) 0); // the attempt is over, and what is left is a handle of nobody
    }
  }

  private static void close(NetSession session, @Nullable RecvComm comm) {
    if (comm != null) {
      session.net().closeRecv(comm);
    }
  }

  /** Sends more than its receive has room for. */
  private static void sendTooMuch(NetSession session, TestTerms terms) {
    NetConnection connection = session.connect();
    MemoryHandle toMr = connection.registerRecv(session.area(4096));
    MemoryHandle fromMr = connection.registerSend(session.area(4096));
    long tooMuch = session.cut(4096);
    Request receiving = connection.irecv(toMr, 0, Math.min(64, tooMuch - 1), 0);
    @Nullable Request[] sending = new Request[1];
    boolean[] received = new boolean[1];
    NetSession.within(
        terms.patience().nanos(),
        () ->
            refused(() -> {
              if (sending[0] == null) {
                sending[0] = connection.sender().isend(connection.send(), fromMr, 0, tooMuch, 0);
              }
              received[0] = connection.receiver().test(receiving, null);
            })
                || received[0]);
  }

  /**
   * Makes a call that has to fail, however it does: that is for another rule to judge. Here the
   * question is what the plugin prints meanwhile, and which threads it has.
   */
  static void provoke(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      return;
    }
  }

  static boolean refused(Runnable call) {
    try {
      call.run();
      return false;
    } catch (NetException e) {
      return true;
    }
  }

  /** Reports the threads that were not seen before. */
  static void note(NewThreads threads, Set<Thread> seen, SoloReport report) {
    for (Thread thread : threads.now()) {
      if (seen.add(thread)) {
        report.say(thread.isDaemon() ? "thread" : "held", thread.getName());
      }
    }
  }
}
