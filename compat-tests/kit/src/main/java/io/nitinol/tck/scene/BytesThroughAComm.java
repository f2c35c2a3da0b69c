// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.TestedNet;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Very many bytes through one connection, in the largest messages that pass quickly, eight at a
 * time. Each has its number in its first bytes and in its last ones. The kit allocates nothing
 * meanwhile.
 */
public final class BytesThroughAComm {
  private static final long LENGTH = 2 << 20;
  private static final int WINDOW = 8;
  private static final ValueLayout.OfLong NUMBER = ValueLayout.JAVA_LONG_UNALIGNED;

  private final NetSession session;
  private final NetConnection connection;
  private final TestedNet net;
  private final long length;
  private final GuardedArea from;
  private final GuardedArea to;
  private final MemoryHandle fromMr;
  private final MemoryHandle[] toMr;
  private final long[] offsets = {0};
  private final long[] lengths;
  private final int[] tags = {SlotTraffic.TAG};
  private final @Nullable Request[] sends = new Request[WINDOW];
  private final @Nullable Request[] receives = new Request[WINDOW];
  private long messages;

  /**
   * Registers memory for the messages of this connection.
   *
   * @throws io.nitinol.tck.check.Inapplicable if the device takes no message with two numbers
   */
  public BytesThroughAComm(NetSession session, NetConnection connection) {
    session.needsBytes(2 * Long.BYTES); // a number at both ends
    this.session = session;
    this.connection = connection;
    this.net = session.bare();
    this.length = session.cut(LENGTH);
    this.lengths = new long[] {length};
    this.from = session.area(WINDOW * length);
    this.to = session.area(WINDOW * length);
    this.fromMr = connection.registerSend(from);
    this.toMr = new MemoryHandle[] {connection.registerRecv(to)};
  }

  /** Returns how many bytes have passed. */
  public long passed() {
    return messages * length;
  }

  /**
   * Sends the next messages, and looks whether it is they that arrive.
   *
   * @throws io.nitinol.tck.check.RuleViolation of the rule under test if they do not
   */
  public void pass() {
    long end = System.nanoTime() + session.terms().patience().nanos();
    int turns = 0;
    for (int posted = 0, sent = 0, came = 0; sent < WINDOW || came < WINDOW; ) {
      if (posted < WINDOW && isPosted(posted)) {
        posted++;
      }
      if (sent < posted && net.test(Objects.requireNonNull(sends[sent]), null)) {
        sent++;
        end = System.nanoTime() + session.terms().patience().nanos();
      }
      if (came < posted && net.test(Objects.requireNonNull(receives[came]), null)) {
        verify(came);
        came++;
        end = System.nanoTime() + session.terms().patience().nanos();
      }
      if ((++turns & 0xff) == 0 && System.nanoTime() - end > 0) {
        session.terms().patience().disappointed();
        throw session.broken(
            ErrorText.of(
                "after %s bytes through a comm, message %s, of %s bytes, does not arrive",
                passed() + came * length, messages + came, length));
      }
    }
    Arrays.fill(sends, null);
    Arrays.fill(receives, null);
    messages += WINDOW;
  }

  /** Returns whether both sides of a message are posted. */
  private boolean isPosted(int slot) {
    long at = slot * length;
    if (receives[slot] == null) {
      to.segment().set(NUMBER, at, -1);
      to.segment().set(NUMBER, at + length - Long.BYTES, -1);
      offsets[0] = at;
      receives[slot] = net.irecv(connection.recv(), 1, toMr, offsets, lengths, tags);
    }
    if (sends[slot] == null) {
      from.segment().set(NUMBER, at, messages + slot);
      from.segment().set(NUMBER, at + length - Long.BYTES, messages + slot);
      sends[slot] = net.isend(connection.send(), fromMr, at, length, SlotTraffic.TAG);
    }
    return receives[slot] != null && sends[slot] != null;
  }

  private void verify(int slot) {
    long at = slot * length;
    long number = messages + slot;
    session.check(
        to.segment().get(NUMBER, at) == number
            && to.segment().get(NUMBER, at + length - Long.BYTES) == number,
        "after %d bytes through a comm, message %d, of %d bytes, arrived wrong",
        passed() + slot * length,
        number,
        length);
  }
}
