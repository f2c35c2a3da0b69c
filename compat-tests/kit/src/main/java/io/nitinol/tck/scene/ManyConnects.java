// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.SideThread;
import io.nitinol.tck.session.TestedNet;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Attempts to connect to one listener, driven call by call. Which attempt a comm of accept belongs
 * to is unknown until {@link #checkEachIsHeardOnce}. Each failure here breaks the rule under test:
 * another test has shown that a single plain connection works.
 */
public final class ManyConnects {
  private static final long MOST = 512;

  /** A message of fewer bytes does not tell which attempt it is of. */
  private static final long LEAST = 8;

  private final NetSession session;
  private final TestedNet net;
  private final NetListening listening;
  private final long length;
  private final MemorySegment[] handles;
  private final @Nullable SendComm[] sends;
  private final List<RecvComm> recvs = new ArrayList<>();
  private final Set<RecvComm> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  /** So many attempts, each with a copy of the handle of its own. Calls nothing yet. */
  public ManyConnects(NetSession session, NetListening listening, int count) {
    this.session = session;
    this.net = session.net();
    this.listening = listening;
    this.length = session.cut(MOST);
    this.handles = new MemorySegment[count];
    this.sends = new SendComm[count];
    for (int i = 0; i < count; i++) {
      handles[i] = session.copyOf(listening.handle());
    }
    session.atEnd(this::close);
  }

  /** Calls connect once unless the attempt has its comm; true when it has. */
  public boolean connect(int i) {
    if (sends[i] == null) {
      sends[i] = session.step(session.terms().rule(), "connect", () -> net.connect(0, handles[i]));
    }
    return sends[i] != null;
  }

  /** Calls accept once unless there are comms for all; true when there are. */
  public boolean accept() {
    if (recvs.size() < handles.length) {
      RecvComm comm =
          session.step(session.terms().rule(), "accept", () -> net.accept(listening.comm()));
      if (comm != null) {
        session.check(
            seen.add(comm), "accept returned the same comm twice, as number %d", recvs.size() + 1);
        recvs.add(comm);
      }
    }
    return recvs.size() == handles.length;
  }

  /** Returns whether the attempt has its comm. */
  public boolean isConnected(int i) {
    return sends[i] != null;
  }

  /** Returns how many comms accept has returned. */
  public int accepted() {
    return recvs.size();
  }

  /** Calls both sides in turn, or each on a thread where they may wait, until all have comms. */
  public void bringUp() {
    if (session.lane().mayWait()) {
      SideThread connecting = SideThread.start("connects", this::connectAll);
      session.await(
          session.terms().rule(),
          handles.length + " comms from accept",
          () -> {
            connecting.check();
            return accept();
          });
      connecting.join(session.terms().patience().nanos());
      return;
    }
    session.await(
        session.terms().rule(),
        handles.length + " connections to one listener",
        () -> {
          boolean all = accept();
          for (int i = 0; i < handles.length; i++) {
            all &= connect(i);
          }
          return all;
        });
  }

  private void connectAll() {
    for (int i = 0; i < handles.length; i++) {
      int attempt = i;
      session.await(session.terms().rule(), "a comm from connect", () -> connect(attempt));
    }
  }

  /**
   * Sends a message from each sending end: each has to arrive, on a connection of its own.
   *
   * @throws io.nitinol.tck.check.Inapplicable if the device takes no message of eight bytes
   */
  public void checkEachIsHeardOnce() {
    session.needsBytes(LEAST);
    int count = handles.length;
    long base = session.random().nextLong();
    GuardedArea[] rooms = new GuardedArea[count];
    @Nullable Request[] receives = new Request[count];
    @Nullable Request[] requests = new Request[count];
    MemoryHandle[] from = new MemoryHandle[count];
    MemoryHandle[] to = new MemoryHandle[count];
    for (int i = 0; i < count; i++) {
      int at = i;
      rooms[i] = session.area(length);
      to[i] =
          session.step("NET-REG-05", "regMr", () -> net.regMr(recvs.get(at), rooms[at].memory()));
      GuardedArea area = session.area(length);
      area.fill(base + i);
      from[i] =
          session.step(
              "NET-REG-05",
              "regMr",
              () -> net.regMr(Objects.requireNonNull(sends[at]), area.memory()));
    }
    boolean[] sent = new boolean[count];
    boolean[] heard = new boolean[count];
    session.await(
        session.terms().rule(),
        "a message on each of " + count + " connections to one listener",
        () -> {
          boolean all = true;
          for (int i = 0; i < count; i++) {
            all &= receive(i, receives, to, heard);
            all &= send(i, requests, from, sent);
          }
          return all;
        });
    boolean[] found = new boolean[count];
    for (int i = 0; i < count; i++) {
      int sender = senderOf(rooms[i], base, count);
      session.check(sender >= 0, "accepted comm %d got a message that nobody sent", i);
      session.check(!found[sender], "two accepted comms got the message of attempt %d", sender);
      found[sender] = true;
    }
  }

  private boolean receive(int i, @Nullable Request[] requests, MemoryHandle[] to, boolean[] done) {
    return done[i]
        || (done[i] =
            session.step(
                session.terms().rule(),
                "a receive on accepted comm " + i,
                () -> {
                  if (requests[i] == null) {
                    requests[i] =
                        net.irecv(
                            recvs.get(i),
                            1,
                            new MemoryHandle[] {to[i]},
                            new long[] {0},
                            new long[] {length},
                            new int[] {0});
                  }
                  Request request = requests[i];
                  return request != null && net.test(request, null);
                }));
  }

  private boolean send(int i, @Nullable Request[] requests, MemoryHandle[] from, boolean[] done) {
    SendComm comm = sends[i];
    return done[i]
        || (done[i] =
            session.step(
                session.terms().rule(),
                "a send on the comm of attempt " + i,
                () -> {
                  if (requests[i] == null && comm != null) {
                    requests[i] = net.isend(comm, from[i], 0, length, 0);
                  }
                  Request request = requests[i];
                  return request != null && net.test(request, null);
                }));
  }

  private int senderOf(GuardedArea room, long base, int count) {
    for (int i = 0; i < count; i++) {
      if (room.firstDifference(0, length, base + i) < 0) {
        return i;
      }
    }
    return -1;
  }

  private void close() {
    for (int i = 0; i < sends.length; i++) {
      SendComm comm = sends[i];
      if (comm != null) {
        sends[i] = null;
        session.run("NET-CLOSE-02", "closeSend", () -> net.closeSend(comm));
      }
    }
    List<RecvComm> open = List.copyOf(recvs);
    recvs.clear();
    open.forEach(comm -> session.run("NET-CLOSE-02", "closeRecv", () -> net.closeRecv(comm)));
  }
}
