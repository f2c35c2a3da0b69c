// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.net.socket.tls.TlsContext;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The comms of one listener whose streams have all proven to be of a peer and whose TLS handshakes
 * are under way. They are peers, so none is dropped for another; each has the time of {@link
 * SocketVariables#HANDSHAKE_MSEC} once more.
 */
final class TlsArrivals {
  /** A comm and when its handshakes began. */
  private record Arrival(Encrypting comm, long since) {}

  private final ArrayDeque<Arrival> arrivals = new ArrayDeque<>();
  private final SocketDevice device;
  private final SocketOptions options;
  private final byte[] key;
  private final Arrivals log;
  private @Nullable TlsContext context;

  /**
   * Begins with none.
   *
   * @param key the key of the listener's handle
   * @param log told of those that are dropped
   */
  TlsArrivals(SocketDevice device, SocketOptions options, byte[] key, Arrivals log) {
    this.device = device;
    this.options = options;
    this.key = key;
    this.log = log;
  }

  /** Returns whether there is room for one more. */
  boolean hasRoom() {
    return arrivals.size() < options.halfOpen();
  }

  /**
   * Begins TLS on the channels of a comm, which are closed if that fails.
   *
   * @param said what has been said on each of them
   */
  void add(SocketChannel[] channels, Transcript[] said, Encryption encryption, long now)
      throws IOException {
    TlsContext known = context;
    if (known == null) {
      known = encryption.context(key);
      context = known;
    }
    arrivals.addLast(
        new Arrival(
            Encrypting.begin(channels, said, device, options, known, TlsWire::accepting), now));
  }

  /** Goes on with all; returns one whose handshakes are complete, the caller's then, or null. */
  @Nullable Encrypting look(long now) {
    for (Iterator<Arrival> i = arrivals.iterator(); i.hasNext(); ) {
      Arrival each = i.next();
      try {
        if (each.comm.advance()) {
          i.remove();
          return each.comm;
        }
        if (now - each.since > options.handshakeNanos()) {
          i.remove();
          drop(
              each.comm,
              "after "
                  + options.handshakeNanos() / 1_000_000
                  + " ms its TLS handshake was not complete ("
                  + SocketVariables.HANDSHAKE_MSEC
                  + ")");
        }
      } catch (IOException e) {
        i.remove();
        drop(each.comm, "its TLS handshake failed: " + e.getMessage());
      }
    }
    return null;
  }

  private void drop(Encrypting comm, String why) {
    log.dropped(comm.from(), why);
    log.close(comm::close);
  }

  /** Closes all. */
  void closeAll() {
    arrivals.forEach(each -> log.close(each.comm::close));
    arrivals.clear();
  }
}
