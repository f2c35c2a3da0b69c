// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.TestedNet;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An attempt at a listener that had other attempts before. Accept may return their comms as well,
 * so this one counts as connected when its own message has arrived on one of the comms.
 */
public final class FurtherConnection {
  private static final long MOST = 512;
  private static final int TRIES = 3;

  /** How long a message may take before the next call of an accept that may wait. */
  private static final long LISTENING = TimeUnit.MILLISECONDS.toNanos(100);

  private static final int POLLS = 100;

  /** A comm that accept returned, listening for the message. */
  private static final class AcceptedComm {
    final RecvComm comm;
    final GuardedArea room;
    final MemoryHandle memory;
    @Nullable Request request;
    boolean deaf;

    AcceptedComm(RecvComm comm, GuardedArea room, MemoryHandle memory) {
      this.comm = comm;
      this.room = room;
      this.memory = memory;
    }
  }

  private final NetSession session;
  private final TestedNet net;
  private final NetListening listening;
  private final MemorySegment handle;
  private final List<AcceptedComm> ears = new ArrayList<>();
  private final GuardedArea message;
  private final long length;
  private final long seed;
  private @Nullable SendComm send;
  private @Nullable MemoryHandle memory;
  private @Nullable Request sending;
  private boolean sent;
  private long lastAccept = System.nanoTime() - LISTENING;
  private int polls = POLLS;
  private boolean declined; // whether connect has asked for another call

  private FurtherConnection(NetSession session, NetListening listening) {
    this.session = session;
    this.net = session.net();
    this.listening = listening;
    this.handle = session.copyOf(listening.handle());
    this.length = session.cut(MOST);
    this.message = session.area(length);
    this.seed = session.random().nextLong();
    message.fill(seed);
    session.atEnd(this::close);
  }

  /** Connects to the listener; if that fails, the rule under test is broken. */
  public static void checkConnects(NetSession session, NetListening listening, String where) {
    FurtherConnection newcomer = new FurtherConnection(session, listening);
    session.await(session.terms().rule(), "a connection " + where, newcomer::advance);
  }

  /**
   * Compares the time of a connection to a fresh listener with that to one in this state. The rule
   * under test is broken if the latter takes longer by more than the bound CALL each time.
   */
  public static void checkNotDelayed(
      NetSession session, String where, Consumer<NetListening> state) {
    long worst = 0;
    long least = Long.MAX_VALUE;
    for (int i = 0; i < TRIES && least > Promptness.CALL; i++) {
      NetListening free = session.listen(0);
      long start = System.nanoTime();
      checkConnects(session, free, "to a listener of its own");
      long usual = System.nanoTime() - start;
      NetListening busy = session.listen(0);
      state.accept(busy);
      start = System.nanoTime();
      checkConnects(session, busy, where);
      long delay = System.nanoTime() - start - usual;
      worst = Math.max(worst, delay);
      least = Math.min(least, delay);
    }
    session.check(
        least <= Promptness.CALL,
        "a connection %s came %d to %d ms later than one to a listener of its own in %d tries,"
            + " expected at most %d ms",
        where,
        TimeUnit.NANOSECONDS.toMillis(least),
        TimeUnit.NANOSECONDS.toMillis(worst),
        TRIES,
        TimeUnit.NANOSECONDS.toMillis(Promptness.CALL));
  }

  /** Makes one call of each sort; true when the message has arrived. */
  private boolean advance() {
    connect();
    speak();
    for (AcceptedComm ear : ears) {
      if (hears(ear)) {
        return true;
      }
    }
    accept();
    return false;
  }

  private void connect() {
    if (send == null) {
      SendComm comm = session.step(session.terms().rule(), "connect", () -> net.connect(0, handle));
      declined = comm == null;
      if (comm != null) {
        send = comm;
        memory = session.step("NET-REG-05", "regMr", () -> net.regMr(comm, message.memory()));
      }
    }
  }

  private void accept() {
    if (session.lane().mayWait() && !declined && (send == null || isListening())) {
      return; // it may wait for ever if there is no connection to accept
    }
    RecvComm comm = ConnectAttempts.acceptAny(session, listening);
    if (comm != null) {
      lastAccept = System.nanoTime();
      polls = 0;
      GuardedArea room = session.area(length);
      ears.add(
          new AcceptedComm(
              comm,
              room,
              session.step("NET-REG-05", "regMr", () -> net.regMr(comm, room.memory()))));
    }
  }

  private boolean isListening() {
    return polls++ < POLLS || System.nanoTime() - lastAccept < LISTENING;
  }

  private void speak() {
    SendComm comm = send;
    MemoryHandle from = memory;
    if (comm != null && from != null) {
      Request request = sending;
      if (request == null) {
        sending =
            session.step(
                session.terms().rule(), "isend", () -> net.isend(comm, from, 0, length, 0));
      } else if (!sent) {
        sent = session.step(session.terms().rule(), "test", () -> net.test(request, null));
      }
    }
  }

  /** The comm may be that of an attempt that has ended, and then it may fail. */
  private boolean hears(AcceptedComm ear) {
    if (ear.deaf) {
      return false;
    }
    boolean[] heard = new boolean[1];
    ear.deaf = true; // unless the calls return
    ConnectAttempts.tolerate(
        session,
        "NET-CLOSE-05", // this comm's connector has gone, and the listener has done its part
        "a receive on an accepted comm",
        () -> {
          if (ear.request == null) {
            ear.request =
                net.irecv(
                    ear.comm,
                    1,
                    new MemoryHandle[] {ear.memory},
                    new long[1],
                    new long[] {length},
                    new int[1]);
          }
          Request request = ear.request;
          boolean done = request != null && net.test(request, null);
          heard[0] = done && ear.room.firstDifference(0, length, seed) < 0;
          ear.deaf = done;
        },
        ResultCode.REMOTE_ERROR,
        ResultCode.TIMEOUT);
    return heard[0];
  }

  private void close() {
    SendComm comm = send;
    if (comm != null) {
      session.run("NET-CLOSE-02", "closeSend", () -> net.closeSend(comm));
    }
    for (AcceptedComm ear : ears) {
      session.run("NET-CLOSE-02", "closeRecv", () -> net.closeRecv(ear.comm));
    }
  }
}
