// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.spi.DebugLogger;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What has connected to one listener and is not part of a comm yet. At first a connection is a
 * {@link Stranger}, of which there is a bounded number: one more drops the oldest, and rather one
 * that has said nothing. Once it has greeted with the right code it moves to the {@link Gathering}
 * of its comm, of which there is a bounded number too, and is answered.
 *
 * <p>Nobody is dropped for want of room once it has been answered: from then on a peer counts on
 * its connection, before that it tries again by itself. A copy of a hello that was used before is
 * refused, so that what was overheard does not take up room either.
 */
final class Arrivals {
  /** How many nonces are remembered, as many as a device has comms. */
  private static final int MOST_NONCES = 65_536;

  /** How many dropped connections are reported one by one. */
  private static final int TOLD_SINGLY = 8;

  private final ArrayDeque<Stranger> strangers = new ArrayDeque<>();
  private final Map<CommId, Gathering> gatherings = new LinkedHashMap<>();
  private final Set<ByteBuffer> nonces = new LinkedHashSet<>();
  private final byte[] key;
  private final Agreement agreement;
  private final ConnectOptions options;
  private final DebugLogger logger;
  private final StrangerLog log;
  private final String listener;

  Arrivals(
      byte[] key,
      Agreement agreement,
      ConnectOptions options,
      DebugLogger logger,
      String listener) {
    this.key = key;
    this.agreement = agreement;
    this.options = options;
    this.logger = logger;
    this.log = new StrangerLog(text -> options.warn(logger, text), listener, TOLD_SINGLY);
    this.listener = listener;
  }

  /** Takes over a new connection. */
  void add(SocketChannel channel, long now) {
    if (strangers.size() >= options.halfOpen().value()) {
      dropOldest(
          ErrorText.of(
              "%d connections had not proven to be peers and it was the oldest (%s)",
              options.halfOpen().value(), options.halfOpen().variable()));
    }
    try {
      strangers.addLast(new Stranger(channel, now, key, options));
    } catch (IOException e) {
      log.dropped("a peer that is already gone", String.valueOf(e.getMessage()));
    }
  }

  /**
   * Makes room: drops the oldest connection that has said nothing, or else the oldest one that has
   * not been answered.
   *
   * @return whether there was one
   */
  boolean dropOldest(String why) {
    for (Iterator<Stranger> i = strangers.iterator(); i.hasNext(); ) {
      Stranger each = i.next();
      if (!each.hasGreeted()) {
        i.remove();
        drop(each, why);
        return true;
      }
    }
    Stranger oldest = strangers.pollFirst();
    if (oldest != null) {
      drop(oldest, why);
    }
    return oldest != null;
  }

  /**
   * Looks at everyone.
   *
   * @return a comm that is complete, or one of a peer that wants other features than this side; the
   *     caller's from here on. Null: none yet
   */
  @Nullable Gathering look(long now) {
    for (Iterator<Stranger> i = strangers.iterator(); i.hasNext(); ) {
      Stranger stranger = i.next();
      switch (stranger.look(now)) {
        case WAIT, PROVEN -> {}
        case GREETED -> {
          if (gather(stranger, now)) {
            i.remove();
          }
        }
        case DROP -> {
          i.remove();
          drop(stranger, stranger.reason());
        }
      }
    }
    for (Iterator<Gathering> i = gatherings.values().iterator(); i.hasNext(); ) {
      Gathering each = i.next();
      each.look(now, this);
      if (each.isComplete() || (each.isOfPeer() && each.flags() != options.features().flags())) {
        i.remove();
        return each;
      }
      if (each.isEmpty()) {
        i.remove();
      }
    }
    return null;
  }

  /**
   * Gives up the comms of which nothing more comes. Due once the connections that have come have
   * been looked at, since the missing streams may be among them.
   */
  void giveUpIncomplete(long now) {
    for (Iterator<Gathering> i = gatherings.values().iterator(); i.hasNext(); ) {
      Gathering each = i.next();
      if (now - each.since() > options.handshakeNanos()) {
        i.remove();
        giveUp(each);
      }
    }
  }

  /** Moves a stranger that has greeted to its comm, or refuses it. False: there is no room now. */
  private boolean gather(Stranger stranger, long now) {
    StreamHello hello = stranger.hello();
    Gathering known = gatherings.get(hello.comm());
    if (known == null && gatherings.size() >= options.halfOpen().value()) {
      return false;
    }
    if (!remember(stranger.nonce())) {
      drop(stranger, "its hello is a copy of one that was used before");
      return true;
    }
    Gathering comm = known == null ? new Gathering(hello, agreement) : known;
    String objection = comm.objection(hello, agreement);
    if (objection != null) {
      drop(stranger, objection);
      return true;
    }
    gatherings.put(comm.comm(), comm);
    comm.add(stranger, now);
    stranger.answer(now);
    return true;
  }

  private boolean remember(ByteBuffer nonce) {
    if (!nonces.add(nonce)) {
      return false;
    }
    if (nonces.size() > MOST_NONCES) {
      Iterator<ByteBuffer> oldest = nonces.iterator();
      oldest.next();
      oldest.remove();
    }
    return true;
  }

  private void giveUp(Gathering comm) {
    log.dropped(
        comm.from(),
        ErrorText.of(
            "%d ms after the last of them had come, only %s had proven to be of a peer (%s)",
            options.handshakeMillis().value(),
            comm.progress(),
            options.handshakeMillis().variable()));
    comm.close(this);
  }

  /** Notes that a connection was dropped. */
  void dropped(String from, String why) {
    log.dropped(from, why);
  }

  /** Closes a connection that is none of a peer. */
  void drop(Stranger stranger, String why) {
    close(stranger.channel());
    log.dropped(stranger.from(), why);
  }

  /** Closes a channel; a failure is only worth a line. */
  void close(AutoCloseable channel) {
    try {
      channel.close();
    } catch (Exception e) {
      options.warn(logger, "closing a socket of " + listener + ": " + e);
    }
  }

  /** Closes everything. */
  void closeAll() {
    strangers.forEach(each -> close(each.channel()));
    strangers.clear();
    gatherings.values().forEach(each -> each.close(this));
    gatherings.clear();
  }
}
