// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.TestedNet;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Very many small messages through one connection, of changing lengths, each with its number in its
 * first bytes and the number's complement in its last ones. As many are in flight as a comm takes,
 * since one may take milliseconds. The kit allocates nothing meanwhile.
 */
public final class NumberedMessages {
  /** More messages than a counter of 17 bits tells apart. */
  public static final int MORE_THAN_17_BITS = (1 << 17) + 1_000;

  private static final ValueLayout.OfLong NUMBER = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final int SLOT = 64;

  /** Room for two numbers; the length of message k is this and k modulo the other. */
  private static final int LEAST = 2 * Long.BYTES;

  private static final int LENGTHS = SLOT - LEAST + 1;

  private final NetSession session;
  private final NetConnection connection;
  private final TestedNet net;
  private final MemorySegment from;
  private final MemorySegment to;
  private final MemoryHandle fromMr;
  private final MemoryHandle[] toMr;
  private final long[] offsets = {0};
  private final long[] lengths = {SLOT};
  private final int[] tags = {SlotTraffic.TAG};
  private final int[] size = {-1};
  private final @Nullable Request[] sends;
  private final @Nullable Request[] receives;
  private int passed;

  /**
   * Registers memory for the messages of this connection.
   *
   * @throws io.nitinol.tck.check.Inapplicable if the device takes no room as large as theirs
   */
  public NumberedMessages(NetSession session, NetConnection connection) {
    this(session, connection, 0);
  }

  /** The same with the number of the first message, from which its length follows. */
  public NumberedMessages(NetSession session, NetConnection connection, int first) {
    session.needsBytes(SLOT);
    this.passed = first;
    this.session = session;
    this.connection = connection;
    this.net = session.bare();
    this.sends = new @Nullable Request[session.maxRequests()];
    this.receives = new @Nullable Request[session.maxRequests()];
    GuardedArea source = session.area((long) SLOT * sends.length);
    GuardedArea target = session.area((long) SLOT * sends.length);
    this.from = source.segment();
    this.to = target.segment();
    this.fromMr = connection.registerSend(source);
    this.toMr = new MemoryHandle[] {connection.registerRecv(target)};
  }

  /**
   * Sends at least so many messages more, and looks at what arrives.
   *
   * @throws RuleViolation when a call fails, or a message or its size is wrong
   */
  public void pass(int messages) {
    for (int end = passed + messages; passed < end; passed += sends.length) {
      window();
    }
  }

  private void window() {
    long end = System.nanoTime() + session.terms().patience().nanos();
    int turns = 0;
    for (int posted = 0, sent = 0, came = 0; sent < sends.length || came < receives.length; ) {
      if (posted < sends.length) {
        posted += post(posted);
      }
      if (sent < posted && net.test(Objects.requireNonNull(sends[sent]), null)) {
        sent++;
      }
      size[0] = -1;
      if (came < posted && net.test(Objects.requireNonNull(receives[came]), size)) {
        verify(came);
        came++;
      }
      if ((++turns & 0xff) == 0 && System.nanoTime() - end > 0) {
        session.terms().patience().disappointed();
        throw waitedInVain(posted, sent, came);
      }
    }
    Arrays.fill(sends, null);
    Arrays.fill(receives, null);
  }

  /** When nothing is in flight there is room: a plugin that still answers null breaks that rule. */
  private RuleViolation waitedInVain(int posted, int sent, int came) {
    String rule = "NET-TEST-05";
    String what = "message";
    if (posted < sends.length && sent == posted && came == posted) {
      if (receives[posted] == null) {
        rule = "NET-RECV-02";
        what = "room for the receive of message";
      } else if (sends[posted] == null) {
        rule = "NET-SEND-02";
        what = "room for the send of message";
      }
    }
    return new RuleViolation(
        rule,
        ErrorText.of("waited in vain for %s %s of up to %s bytes", what, passed + came, SLOT));
  }

  private long number(int slot) {
    return (long) passed + slot;
  }

  private int length(int slot) {
    return LEAST + (passed + slot) % LENGTHS;
  }

  /** Posts what is missing of a message; returns 1 where both sides of it are posted. */
  private int post(int slot) {
    long at = (long) slot * SLOT;
    if (receives[slot] == null) {
      for (int i = 0; i < SLOT; i += Long.BYTES) {
        to.set(NUMBER, at + i, 0); // a byte that does not come must not look like one that did
      }
      offsets[0] = at;
      receives[slot] = net.irecv(connection.recv(), 1, toMr, offsets, lengths, tags);
    }
    if (sends[slot] == null) {
      int length = length(slot);
      from.set(NUMBER, at, number(slot));
      from.set(NUMBER, at + length - Long.BYTES, ~number(slot)); // no byte of its end is 0
      sends[slot] = net.isend(connection.send(), fromMr, at, length, SlotTraffic.TAG);
    }
    return receives[slot] != null && sends[slot] != null ? 1 : 0;
  }

  private void verify(int slot) {
    long number = number(slot);
    int length = length(slot);
    long at = (long) slot * SLOT;
    long first = to.get(NUMBER, at);
    long last = ~to.get(NUMBER, at + length - Long.BYTES);
    if (first != number || last != number) {
      throw new RuleViolation(
          first == last && first >= passed && first < passed + sends.length
              ? "NET-RECV-03"
              : "NET-SEND-08",
          ErrorText.of(
              "message %s of a comm, of %s bytes, arrived with %s at its begin and %s at its end,"
                  + " expected its number",
              number, length, first, last));
    }
    if (size[0] != length) {
      throw new RuleViolation(
          "NET-RECV-04",
          ErrorText.of(
              "message %s of a comm, of %s bytes, %s",
              number, length, session.reported(size[0], SLOT)));
    }
  }
}
