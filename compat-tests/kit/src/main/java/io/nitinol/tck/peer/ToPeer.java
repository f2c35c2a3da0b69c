// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.TestedNet;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A connection that sends here and receives in the process of a {@link Peer}. */
public final class ToPeer {
  private final NetSession session;
  private final TestedNet net;
  private final SendComm comm;
  private final PeerEnd there;
  private boolean closed;

  private ToPeer(NetSession session, SendComm comm, PeerEnd there) {
    this.session = session;
    this.net = session.net();
    this.comm = comm;
    this.there = there;
  }

  /** Connects device 0 here to device 0 there, or to the one that the run names. */
  public static ToPeer connect(Peer peer) {
    return connect(peer, 0, peer.session().receivingDevice());
  }

  /** Connects a device here to one there, through a listener of their own that is then closed. */
  public static ToPeer connect(Peer peer, int device, int peerDevice) {
    PeerListener listener = peer.listen(peerDevice);
    ToPeer connection = connect(peer, device, listener);
    listener.close();
    return connection;
  }

  /** Connects a device here to a listener there. */
  public static ToPeer connect(Peer peer, int device, PeerListener listener) {
    NetSession session = peer.session();
    PeerEnd there = listener.accepting();
    PeerAnswer<Boolean> accepted = there.advance();
    MemorySegment handle = session.copyOf(listener.handle());
    @Nullable SendComm[] comm = new SendComm[1];
    session.await(
        Peer.CONNECTS,
        "a connection to another process",
        () -> {
          comm[0] =
              session.step(
                  Peer.CONNECTS,
                  "connect to another process",
                  () -> session.net().connect(device, handle));
          return comm[0] != null;
        });
    session.require(
        Peer.CONNECTS, accepted.get(), "the other process waited in vain for a comm from accept");
    ToPeer connection = new ToPeer(session, Objects.requireNonNull(comm[0]), there);
    session.atEnd(connection::close);
    return connection;
  }

  /** Returns the sending end. */
  public SendComm comm() {
    return comm;
  }

  /** Returns the receiving end, in the other process. */
  public PeerEnd there() {
    return there;
  }

  /** Registers an area with the sending end. */
  public MemoryHandle register(GuardedArea area) {
    return session.step("NET-REG-05", "regMr on a send comm", () -> net.regMr(comm, area.memory()));
  }

  /** Starts a send, asking again while there is no room, with calls on the other side as well. */
  public Request isend(MemoryHandle mr, long offset, long length, int tag) {
    session.needsBytes(length);
    @Nullable Request[] request = new Request[1];
    session.await(
        "NET-SEND-02",
        "room for a send of " + length + " bytes",
        () -> {
          request[0] =
              session.step("NET-SEND-08", "isend", () -> net.isend(comm, mr, offset, length, tag));
          if (request[0] == null) {
            there.peer().poll();
          }
          return request[0] != null;
        });
    return Objects.requireNonNull(request[0]);
  }

  /** Sends a message, cut to what the devices take, through fresh memory and looks at it there. */
  public void transfer(long most) {
    long length = session.cut(most);
    GuardedArea area = session.area(length);
    long seed = session.random().nextLong();
    area.fill(seed);
    MemoryHandle mr = register(area);
    PeerRequest receiving = there.receive(length);
    Request sending = isend(mr, 0, length, 0);
    PeerAnswer<int[]> received = receiving.finish();
    session.await(
        "NET-TEST-05",
        "a send to another process to complete",
        () -> session.step("NET-TEST-02", "test of a send", () -> net.test(sending, null)));
    int[] sizes = received.get();
    session.require(
        "NET-RECV-04",
        sizes[0] == length,
        "a message of %d bytes to another process reported %d",
        length,
        sizes[0]);
    long wrong = receiving.firstDifference(0, length, seed);
    session.require(
        "NET-SEND-08",
        wrong < 0,
        "a message of %d bytes arrived in another process wrong at byte %d",
        length,
        wrong);
    session.run("NET-REG-07", "deregMr", () -> net.deregMr(comm, mr));
  }

  /** Closes the sending end the first time. */
  public void close() {
    if (!closed) {
      closed = true;
      session.run("NET-CLOSE-02", "closeSend", () -> net.closeSend(comm));
    }
  }
}
