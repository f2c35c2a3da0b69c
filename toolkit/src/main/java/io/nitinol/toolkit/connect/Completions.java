// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The comms of one listener whose streams have all proven to be of a peer and which their plugin is
 * completing. They are peers, so none is dropped for another; each has the time of a handshake once
 * more.
 */
final class Completions<C> {
  /** A comm, whose it is and when its completion began. */
  private record Arrival<C>(Completion<C> comm, String from, long since) {}

  private final ArrayDeque<Arrival<C>> arrivals = new ArrayDeque<>();
  private final Completion.Beginning<C> beginning;
  private final ConnectOptions options;
  private final Arrivals log;

  /**
   * Begins with none.
   *
   * @param log told of those that are dropped
   */
  Completions(Completion.Beginning<C> beginning, ConnectOptions options, Arrivals log) {
    this.beginning = beginning;
    this.options = options;
    this.log = log;
  }

  /** Returns whether there is room for one more. */
  boolean hasRoom() {
    return arrivals.size() < options.halfOpen().value();
  }

  /** Takes over a comm, unless this throws. */
  void add(Proven proven, long now) throws IOException {
    arrivals.addLast(new Arrival<>(beginning.on(proven), proven.peer(), now));
  }

  /** Goes on with all; returns one that is complete, the caller's then, or null. */
  @Nullable C look(long now) {
    for (Iterator<Arrival<C>> i = arrivals.iterator(); i.hasNext(); ) {
      Arrival<C> each = i.next();
      try {
        C complete = each.comm.advance();
        if (complete != null) {
          i.remove();
          return complete;
        }
      } catch (IOException e) {
        i.remove();
        drop(each, "its " + each.comm.what() + " failed: " + e.getMessage());
        continue;
      } catch (RuntimeException | Error e) {
        i.remove();
        log.close(each.comm::close);
        throw e;
      }
      if (now - each.since > options.handshakeNanos()) {
        i.remove();
        drop(
            each,
            ErrorText.of(
                "after %d ms its %s was not complete (%s)",
                options.handshakeMillis().value(),
                each.comm.what(),
                options.handshakeMillis().variable()));
      }
    }
    return null;
  }

  private void drop(Arrival<C> arrival, String why) {
    log.dropped(arrival.from, why);
    log.close(arrival.comm::close);
  }

  /** Closes all. */
  void closeAll() {
    arrivals.forEach(each -> log.close(each.comm::close));
    arrivals.clear();
  }
}
