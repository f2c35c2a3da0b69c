// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.net.v6.Net;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.security.MessageDigest;

/**
 * The memory that the two ends of a connection share: how far the connection has come, who they
 * are, what the receiver has posted, and a ring of bytes. Each number has one writer, but for the
 * state.
 *
 * <pre>
 *    0  magic                8
 *    8  state                8   offered, accepted, ...
 *   16  connector           24   process, start time, namespace
 *   40  secret              16   of the listener's handle
 *  128  bytes sent           8   the sender's
 *  136  sender is gone       8
 *  256  bytes taken          8   the receiver's
 *  264  receiver is gone     8
 *  272  receives posted      8
 * 1024  receives          2048   32 of: pieces 4, then their tags; number k is at k modulo 32
 * 4096  ring             65536
 * </pre>
 *
 * <p>In the ring, a message is the number of its piece (4 bytes), its length (4), its bytes, and as
 * many as are missing to a multiple of 8: so the 8 bytes in front never break at the ring's end.
 */
final class MemoryLink implements AutoCloseable {
  /** The connector waits for the listener. */
  static final long OFFERED = 1;

  /** The listener has the link and waits for the connector to call again. */
  static final long ACCEPTED = 2;

  /** Both have it. */
  static final long ESTABLISHED = 3;

  /** The connector has given up. */
  static final long WITHDRAWN = 4;

  /** The listener has been closed. */
  static final long REFUSED = 5;

  /** How many bytes fit into the ring; a power of two. */
  static final int RING_SIZE = 1 << 16;

  private static final long MAGIC = 0x4c6e6b3031000000L;
  private static final long STATE = 8;
  private static final long PROCESS = 16;
  private static final long SECRET = 40;
  private static final long SENT = 128;
  private static final long SENDER_GONE = 136;
  private static final long TAKEN = 256;
  private static final long RECEIVER_GONE = 264;
  private static final long POSTED = 272;
  private static final long RECEIVES = 1024;
  private static final long RECEIVE_SIZE = 64;
  private static final long RING = 4096;
  private static final long SIZE = RING + RING_SIZE;

  private final MappedFile file;
  private final MemorySegment bytes;

  private MemoryLink(MappedFile file) {
    this.file = file;
    this.bytes = file.bytes;
  }

  /** Creates the file of a connection to be. */
  static MemoryLink create(Path path, ProcessId connector, byte[] secret) throws IOException {
    MemoryLink link = new MemoryLink(MappedFile.create(path, SIZE));
    link.bytes.set(ValueLayout.JAVA_LONG, 0, MAGIC);
    link.bytes.set(ValueLayout.JAVA_LONG, PROCESS, connector.pid());
    link.bytes.set(ValueLayout.JAVA_LONG, PROCESS + 8, connector.start());
    link.bytes.set(ValueLayout.JAVA_LONG, PROCESS + 16, connector.space());
    MemorySegment.copy(secret, 0, link.bytes, ValueLayout.JAVA_BYTE, SECRET, secret.length);
    link.file.publish(STATE, OFFERED);
    return link;
  }

  /** Opens the offer of a connector, which is not trusted yet. */
  static MemoryLink open(Path path) throws IOException {
    return new MemoryLink(MappedFile.open(path, SIZE));
  }

  /** Returns whether it was made by a connector that knows the secret (NET-CONN-13). */
  boolean knows(byte[] secret) {
    byte[] said = bytes.asSlice(SECRET, secret.length).toArray(ValueLayout.JAVA_BYTE);
    return state() != 0
        && bytes.get(ValueLayout.JAVA_LONG, 0) == MAGIC
        && MessageDigest.isEqual(secret, said);
  }

  ProcessId connector() {
    return new ProcessId(
        (int) bytes.get(ValueLayout.JAVA_LONG, PROCESS),
        bytes.get(ValueLayout.JAVA_LONG, PROCESS + 8),
        bytes.get(ValueLayout.JAVA_LONG, PROCESS + 16));
  }

  long state() {
    return file.watch(STATE);
  }

  /** Takes the connection one step on, unless the other side has ended it meanwhile. */
  boolean advance(long from, long to) {
    return file.change(STATE, from, to);
  }

  /** Gives up, unless the listener has refused already. */
  void withdraw() {
    while (state() <= ACCEPTED && !advance(OFFERED, WITHDRAWN) && !advance(ACCEPTED, WITHDRAWN)) {
      Thread.onSpinWait(); // accepted between the two: once at most
    }
  }

  /** How many bytes the sender has put into the ring, from the beginning. */
  long sent() {
    return file.watch(SENT);
  }

  void sent(long total) {
    file.publish(SENT, total);
  }

  /** How many bytes the receiver has taken out, from the beginning. */
  long taken() {
    return file.watch(TAKEN);
  }

  void taken(long total) {
    file.publish(TAKEN, total);
  }

  boolean isSenderGone() {
    return file.watch(SENDER_GONE) != 0;
  }

  void senderGoes() {
    file.publish(SENDER_GONE, 1);
  }

  boolean isReceiverGone() {
    return file.watch(RECEIVER_GONE) != 0;
  }

  void receiverGoes() {
    file.publish(RECEIVER_GONE, 1);
  }

  /** How many receives have been posted, from the beginning. */
  long posted() {
    return file.watch(POSTED);
  }

  /**
   * Tells the sender about receive number {@code number}. The one that had its place has been
   * filled: no more than {@link Net#MAX_REQUESTS} are in flight.
   */
  void post(long number, int pieces, int[] tags) {
    long at = receive(number);
    bytes.set(ValueLayout.JAVA_INT, at, pieces);
    for (int i = 0; i < pieces; i++) {
      bytes.set(ValueLayout.JAVA_INT, at + 4 + 4L * i, tags[i]);
    }
    file.publish(POSTED, number + 1);
  }

  int pieces(long number) {
    return bytes.get(ValueLayout.JAVA_INT, receive(number));
  }

  int tag(long number, int piece) {
    return bytes.get(ValueLayout.JAVA_INT, receive(number) + 4 + 4L * piece);
  }

  private static long receive(long number) {
    return RECEIVES + number % Net.MAX_REQUESTS * RECEIVE_SIZE;
  }

  void putHead(long total, int piece, int length) {
    bytes.set(ValueLayout.JAVA_INT, ring(total), piece);
    bytes.set(ValueLayout.JAVA_INT, ring(total) + 4, length);
  }

  int headPiece(long total) {
    return bytes.get(ValueLayout.JAVA_INT, ring(total));
  }

  int headLength(long total) {
    return bytes.get(ValueLayout.JAVA_INT, ring(total) + 4);
  }

  /** Copies into the ring, up to its end at most; returns how many bytes. */
  int put(long total, MemorySegment from, long offset, long length) {
    int count = upToEnd(total, length);
    MemorySegment.copy(from, offset, bytes, ring(total), count);
    return count;
  }

  /** Copies out of the ring, up to its end at most; returns how many bytes. */
  int take(long total, MemorySegment to, long offset, long length) {
    int count = upToEnd(total, length);
    MemorySegment.copy(bytes, ring(total), to, offset, count);
    return count;
  }

  private static int upToEnd(long total, long length) {
    return (int) Math.min(length, RING_SIZE - (total & (RING_SIZE - 1)));
  }

  private static long ring(long total) {
    return RING + (total & (RING_SIZE - 1));
  }

  @Override
  public void close() {
    file.close();
  }
}
