// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import io.nitinol.tck.session.CollSession;
import io.nitinol.tck.session.TypeAndOp;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A second process that is one member of a group of CollNets and obeys the test: between two
 * commands it makes no call. It is killed when the session ends, unless it was {@link #release}d or
 * killed before.
 *
 * <p>Driven by one thread.
 */
public final class CollPeer {
  /**
   * The time that an answer may take beyond the operation itself: busy machines start JVMs slowly.
   */
  private static final long SPARE = TimeUnit.SECONDS.toNanos(30);

  /** The time limit of a connect that waits for other members. */
  private static final long CONNECT = TimeUnit.SECONDS.toMillis(60);

  private final CollSession session;
  private final PeerProcess process;
  private boolean ended;

  private CollPeer(CollSession session, PeerProcess process) {
    this.session = session;
    this.process = process;
  }

  /** Starts a peer, or takes one that an earlier test left. */
  public static CollPeer start(CollSession session) {
    CollPeer peer =
        new CollPeer(
            session, PeerStock.take(session.plugin(), session.lane(), session.terms().patience()));
    session.atEnd(peer::kill);
    return peer;
  }

  /** Starts a peer whose plugin has not been initialized, and waits for its init to end. */
  public static CollPeer startNew(CollSession session) {
    CollPeer peer =
        new CollPeer(
            session,
            PeerStock.takeNew(session.plugin(), session.lane(), session.terms().patience()));
    session.atEnd(peer::kill);
    PeerStart.await(session, peer.process);
    return peer;
  }

  /** Listens there and returns the handle. */
  public MemorySegment listen() {
    String hex =
        ask("NET-CONN-01", "listen", 0, text -> text, "listen " + session.lane().handleSize())
            .get();
    byte[] bytes = HexFormat.of().parseHex(hex);
    MemorySegment handle = session.handle();
    MemorySegment.copy(bytes, 0, handle, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return handle;
  }

  /** Makes it connect, which may wait for the others: see the answer. */
  public PeerAnswer<String> connect(int rank, List<MemorySegment> handles) {
    StringBuilder command = new StringBuilder("connect ").append(rank);
    for (MemorySegment handle : handles) {
      command.append(' ').append(HexFormat.of().formatHex(handle.toArray(ValueLayout.JAVA_BYTE)));
    }
    return ask("NET-CONN-04", "connect", CONNECT, text -> text, command.toString());
  }

  /** Makes it start an operation whose numbers are exact and come from the seed. */
  public void reduce(TypeAndOp pair, long count, long seed, int members, int rank) {
    String started =
        ask(
                "COLL-11",
                "iallreduce",
                patience(),
                text -> text,
                "start "
                    + String.join(
                        " ",
                        pair.type().name(),
                        pair.op().name(),
                        Long.toString(count),
                        Long.toString(seed),
                        Integer.toString(members),
                        Integer.toString(rank),
                        Long.toString(patience())))
            .get();
    session.require("COLL-11", started.equals("yes"), "in the peer process, no room to start");
  }

  /**
   * Makes it test the operation until it is complete; answers "yes" with the errors, if any, or
   * "no".
   */
  public PeerAnswer<String> finish() {
    return ask("NET-TEST-05", "a reduction", patience(), text -> text, "finish " + patience());
  }

  /** Ends the process as the system kills it, and waits until it is gone. */
  public void kill() {
    if (!ended) {
      ended = true;
      PeerStock.end(process);
    }
  }

  /**
   * Returns the peer after a test without errors: it closes everything, and a later test may use
   * it.
   */
  public void release() {
    if (!ended) {
      ask("NET-CLOSE-02", "closing everything", 0, text -> text, "reset").get();
      ended = true;
      PeerStock.give(process);
    }
  }

  private long patience() {
    return TimeUnit.NANOSECONDS.toMillis(session.terms().patience().nanos());
  }

  private PeerAnswer<String> ask(
      String rule, String what, long millis, Function<String, String> meaning, String command) {
    PeerStart.await(session, process);
    return new PeerAnswer<>(
        session,
        process,
        process.ask(command),
        rule,
        what,
        TimeUnit.MILLISECONDS.toNanos(millis) + SPARE,
        meaning);
  }
}
