// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import io.nitinol.tck.session.NetSession;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A second process with an instance of the same plugin on the same lane, which obeys the test.
 * Between two commands it makes no call, so a peer stops wherever the test leaves it. It is killed
 * when the session ends, unless it was {@link #release}d or killed before.
 *
 * <p>Driven by one thread.
 */
public final class Peer {
  /** The time that an answer may take beyond the plugin's own: busy machines start JVMs slowly. */
  private static final long SPARE = TimeUnit.SECONDS.toNanos(30);

  private static final long V4_WAIT = TimeUnit.SECONDS.toNanos(60);

  /**
   * The rule that is broken when a connection between processes does not come about. Inside one
   * process the same calls work, or the test of another rule reports why not.
   */
  static final String CONNECTS = "NET-CONN-04";

  private final NetSession session;
  private final PeerProcess process;
  private int lastId;
  private boolean ended;

  private Peer(NetSession session, PeerProcess process) {
    this.session = session;
    this.process = process;
  }

  /**
   * Starts a peer, or takes one that an earlier test left. Returns at once: the first answer takes
   * as long as the JVM to start.
   */
  public static Peer start(NetSession session) {
    Peer peer =
        new Peer(
            session, PeerStock.take(session.plugin(), session.lane(), session.terms().patience()));
    session.atEnd(peer::kill);
    return peer;
  }

  /** Starts a peer whose plugin has not been initialized, and waits for its init to end. */
  public static Peer startNew(NetSession session) {
    Peer peer =
        new Peer(
            session,
            PeerStock.takeNew(session.plugin(), session.lane(), session.terms().patience()));
    session.atEnd(peer::kill);
    peer.ready();
    return peer;
  }

  /** Returns the session that it belongs to. */
  NetSession session() {
    return session;
  }

  /** Returns the id of the process. */
  public long pid() {
    return process.pid();
  }

  /** Listens there. */
  public PeerListener listen(int device) {
    int id = ++lastId;
    String hex =
        ask(
                "NET-CONN-01",
                "listen on device " + device,
                0,
                text -> text,
                "listen",
                id,
                device,
                session.lane().handleSize())
            .get();
    byte[] bytes = HexFormat.of().parseHex(hex);
    MemorySegment handle = session.handle();
    MemorySegment.copy(bytes, 0, handle, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return new PeerListener(this, id, handle);
  }

  /** Begins an attempt to connect from there, in a copy of the handle. Calls nothing yet. */
  public PeerEnd connecting(int device, MemorySegment handle) {
    String hex = HexFormat.of().formatHex(handle.toArray(ValueLayout.JAVA_BYTE));
    return new PeerEnd(this, "connect", device + " " + hex);
  }

  /** Ends the process as the system kills it, and waits until it is gone. */
  public void kill() {
    if (!ended) {
      ended = true;
      PeerStock.end(process);
    }
  }

  /** Makes the process end by itself with everything open, as after an error of its application. */
  public void exit() {
    ready();
    ended = true;
    process.tell("exit 0");
    process.awaitEnd();
  }

  /** Stops the process where it is: no thread of it runs. It can be killed or {@link #thaw}ed. */
  public void freeze() {
    ready();
    process.stop();
  }

  /** Lets the process run on. */
  public void thaw() {
    process.signal("CONT");
  }

  /** Waits until the process has started. */
  public void ready() {
    PeerStart.await(session, process);
  }

  /**
   * Returns the peer after a test without errors: it closes everything that it has open, and a
   * later test may use it.
   */
  public void release() {
    if (!ended) {
      ask("NET-CLOSE-02", "closing everything", 0, text -> text, "reset").get();
      ended = true;
      PeerStock.give(process);
    }
  }

  /**
   * Tests the oldest operation of each comm there that is not complete, once, and posts it where it
   * had no room: NCCL calls on both sides of a connection all the time, and some plugins get no
   * further without.
   */
  public void poll() {
    ask("NET-TEST-02", "test", 0, text -> text, "poll").get();
  }

  /** Returns the next number for something in the process. */
  int newId() {
    return ++lastId;
  }

  /** Returns for how many milliseconds something is repeated there. */
  long patience() {
    return TimeUnit.NANOSECONDS.toMillis(session.terms().patience().nanos());
  }

  /**
   * Sends a command.
   *
   * @param rule the rule that is broken when the plugin fails or hangs there
   * @param what the command in words, for the report
   * @param millis for how long the peer repeats it
   * @param meaning reads the words of the answer
   */
  <T> PeerAnswer<T> ask(
      String rule, String what, long millis, Function<String, T> meaning, Object... words) {
    StringBuilder command = new StringBuilder();
    for (Object word : words) {
      command.append(command.isEmpty() ? "" : " ").append(word);
    }
    long nanos = TimeUnit.MILLISECONDS.toNanos(millis) + SPARE;
    boolean mayWait = session.lane().mayWait() && rule.equals(CONNECTS);
    ready();
    return new PeerAnswer<>(
        session,
        process,
        process.ask(command.toString()),
        rule,
        what,
        mayWait ? nanos + V4_WAIT : nanos,
        meaning);
  }
}
