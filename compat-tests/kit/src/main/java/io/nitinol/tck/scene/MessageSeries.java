// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;

/** One message after the other through one connection, in memory that is registered once. */
public final class MessageSeries {
  private final NetSession session;
  private final NetConnection connection;
  private final GuardedArea from;
  private final GuardedArea to;
  private MemoryHandle fromMr;
  private MemoryHandle toMr;

  public MessageSeries(NetSession session, NetConnection connection, int length) {
    this.session = session;
    this.connection = connection;
    this.from = session.area(length);
    this.to = session.area(length);
    this.fromMr = connection.registerSend(from);
    this.toMr = connection.registerRecv(to);
  }

  /** Undoes the registrations and makes new ones, the youngest of the comms. */
  public void registerAgain() {
    connection.sender().deregMr(connection.send(), fromMr);
    connection.receiver().deregMr(connection.recv(), toMr);
    fromMr = connection.registerSend(from);
    toMr = connection.registerRecv(to);
  }

  /** Sends the bytes that follow from the seed, and looks at what arrives. */
  public void send(long seed) {
    send(seed, from.size());
  }

  /** The same with a message of this length, which has room for the longest. */
  public void send(long seed, long length) {
    from.fill(0, length, seed);
    Request receiving = connection.irecv(toMr, 0, from.size(), 0);
    Request sending = connection.isend(fromMr, 0, length, 0, receiving);
    int[] sizes = connection.finish(sending, receiving, 1);
    long wrong = to.firstDifference(0, length, seed);
    session.check(
        sizes[0] == length && wrong < 0,
        "message %d of %d bytes arrived as %d bytes, wrong at byte %d",
        seed,
        length,
        sizes[0],
        wrong);
  }
}
