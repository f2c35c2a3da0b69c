// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.TestedNet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A connection that sends in the process of a {@link Peer} and receives here. */
public final class FromPeer {
  private final NetSession session;
  private final TestedNet net;
  private final RecvComm comm;
  private final PeerEnd there;
  private boolean closed;

  private FromPeer(NetSession session, RecvComm comm, PeerEnd there) {
    this.session = session;
    this.net = session.net();
    this.comm = comm;
    this.there = there;
  }

  /** Connects device 0 there to device 0 here, or to the one that the run names. */
  public static FromPeer connect(Peer peer) {
    return connect(peer, 0, peer.session().receivingDevice());
  }

  /** Connects a device there to one here, through a listener of their own that is then closed. */
  public static FromPeer connect(Peer peer, int peerDevice, int device) {
    NetSession session = peer.session();
    NetListening listening = session.listen(device);
    FromPeer connection = connect(peer, peerDevice, listening);
    session.run("NET-CLOSE-07", "closeListen after an accept", listening::close);
    return connection;
  }

  /** Connects a device there to a listener here that nobody else connects to meanwhile. */
  public static FromPeer connect(Peer peer, int peerDevice, NetListening listening) {
    NetSession session = peer.session();
    PeerEnd there = peer.connecting(peerDevice, listening.handle());
    PeerAnswer<Boolean> connected = there.advance();
    @Nullable RecvComm[] comm = new RecvComm[1];
    session.await(
        Peer.CONNECTS,
        "a connection from another process",
        () -> {
          if (connected.isDone()) {
            session.require(
                Peer.CONNECTS,
                connected.get(),
                "the other process waited in vain for a comm from connect");
          }
          comm[0] =
              session.step(
                  Peer.CONNECTS,
                  "accept from another process",
                  () -> session.net().accept(listening.comm()));
          return comm[0] != null;
        });
    session.require(
        Peer.CONNECTS, connected.get(), "the other process waited in vain for a comm from connect");
    FromPeer connection = new FromPeer(session, Objects.requireNonNull(comm[0]), there);
    session.atEnd(connection::close);
    return connection;
  }

  /** Returns the receiving end. */
  public RecvComm comm() {
    return comm;
  }

  /** Returns the sending end, in the other process. */
  public PeerEnd there() {
    return there;
  }

  /** Registers an area with the receiving end. */
  public MemoryHandle register(GuardedArea area) {
    return session.step("NET-REG-05", "regMr on a recv comm", () -> net.regMr(comm, area.memory()));
  }

  /** Starts a receive of one piece, asking again while there is no room. */
  public Request irecv(MemoryHandle mr, long offset, long length, int tag) {
    return irecv(
        new MemoryHandle[] {mr}, new long[] {offset}, new long[] {length}, new int[] {tag});
  }

  /** Starts a receive of as many pieces as the arrays are long, asking again without room. */
  public Request irecv(MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    for (long length : lengths) {
      session.needsBytes(length);
    }
    @Nullable Request[] request = new Request[1];
    session.await(
        "NET-RECV-02",
        "room for a receive of " + mrs.length + " pieces",
        () -> {
          request[0] =
              session.step(
                  "NET-RECV-02",
                  "irecv",
                  () -> net.irecv(comm, mrs.length, mrs, offsets, lengths, tags));
          return request[0] != null;
        });
    return Objects.requireNonNull(request[0]);
  }

  /** Receives a message, cut to what the devices take, into fresh memory and looks at it. */
  public void transfer(long most) {
    long length = session.cut(most);
    GuardedArea area = session.area(length);
    long seed = session.random().nextLong();
    MemoryHandle mr = register(area);
    Request receiving = irecv(mr, 0, length, 0);
    PeerRequest sending = there.send(length, seed, 0);
    PeerAnswer<int[]> sent = sending.finish();
    int[] sizes = new int[1];
    boolean came =
        session.comes(() ->
            session.step("NET-TEST-02", "test of a receive", () -> net.test(receiving, sizes)));
    sent.get(); // what the sender says comes first: a send without room never arrives
    session.require(
        "NET-TEST-05", came, "waited in vain for a receive from another process to complete");
    session.require(
        "NET-RECV-04",
        sizes[0] == length,
        "a message of %d bytes from another process reported %d",
        length,
        sizes[0]);
    long wrong = area.firstDifference(0, length, seed);
    session.require(
        "NET-SEND-08",
        wrong < 0,
        "a message of %d bytes from another process arrived wrong at byte %d",
        length,
        wrong);
    session.run("NET-REG-07", "deregMr", () -> net.deregMr(comm, mr));
  }

  /** Closes the receiving end the first time. */
  public void close() {
    if (!closed) {
      closed = true;
      session.run("NET-CLOSE-02", "closeRecv", () -> net.closeRecv(comm));
    }
  }
}
