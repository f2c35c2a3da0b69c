// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.frames;

import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.PeerProof;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.connect.Proven;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Carries the messages of two sides on their TCP connection, in frames: magic number, version, kind
 * and length, 4, 2, 2 and 4 bytes, the body, and a code of 32 bytes.
 *
 * <p>The code is HMAC-SHA-256 over the number of the frame, its header and its body. Its key
 * follows from the proofs, by {@link Proven#binding}, and is another one for each connection and
 * each direction. So a frame that was changed, left out, repeated, swapped with another, sent back
 * or taken from another connection is found out. It is not encrypted: a listener on the wire can
 * read it.
 *
 * <p>Never reads beyond a frame. No call waits. Listening allocates nothing until something comes.
 * Used by one thread at a time.
 */
public final class Frames implements Closeable {
  /** What a frame is about. */
  public enum Kind {
    /** The sender's queue pairs and memory. */
    INFO,
    /** A {@link Reason} why there will be no connection, or why there is none any more. */
    FAILURE,
    /** This side can be written to. */
    READY,
    /** This side has stopped, since a port has failed: a {@link Reason}. */
    STOP,
    /** How far this side had got when it stopped. */
    STANDING
  }

  /**
   * A frame that has come.
   *
   * @param kind what it is about
   * @param body what it says, the caller's
   */
  public record Frame(Kind kind, ByteBuffer body) {}

  /** The most bytes of a body. */
  public static final int MOST_BODY = 4096;

  private static final int MAGIC = 0x4e54_4942; // "NTIB"
  private static final short VERSION = 4;
  private static final int HEADER = 12;
  private static final byte[] USE = "nitinol verbs frames".getBytes(StandardCharsets.US_ASCII);
  private static final Kind[] KINDS = Kind.values();

  private final ByteChannel channel;
  private final byte[] sayKey;
  private final byte[] hearKey;

  /** Direct, since a comm at rest looks for a header again and again. */
  private final ByteBuffer header = ByteBuffer.allocateDirect(HEADER);

  private @Nullable ByteBuffer content;
  private ByteBuffer toSay = ByteBuffer.allocate(0);
  private long saidFrames;
  private long heardFrames;
  private @Nullable MetadataException broken;

  Frames(ByteChannel channel, byte[] sayKey, byte[] hearKey) {
    this.channel = channel;
    this.sayKey = sayKey;
    this.hearKey = hearKey;
  }

  /**
   * Begins with nothing said or heard on a connection that has just been proven.
   *
   * @param proven the connection, non-blocking, which is this object's from the return on
   * @param side which side this is
   * @return what is said and heard on it
   */
  public static Frames on(Proven proven, Role side) {
    Role other = side == Role.CONNECTOR ? Role.ACCEPTOR : Role.CONNECTOR;
    return new Frames(
        proven.channels()[0], proven.binding(0, side, USE), proven.binding(0, other, USE));
  }

  /**
   * Gives a frame to {@link #said}, behind what has not been said yet.
   *
   * @param kind what it is about
   * @param body what it says, at most {@link #MOST_BODY} bytes; not kept
   */
  public void say(Kind kind, ByteBuffer body) {
    int length = body.remaining();
    if (length > MOST_BODY) {
      throw new IllegalArgumentException("a frame of " + length + " bytes");
    }
    ByteBuffer frame =
        ByteBuffer.allocate(HEADER + length + PeerProof.PROOF_BYTES)
            .putInt(MAGIC)
            .putShort(VERSION)
            .putShort((short) kind.ordinal())
            .putInt(length)
            .put(body.duplicate());
    frame.put(code(sayKey, saidFrames++, frame.duplicate().flip())).flip();
    toSay =
        toSay.hasRemaining()
            ? ByteBuffer.allocate(toSay.remaining() + frame.remaining())
                .put(toSay)
                .put(frame)
                .flip()
            : frame;
  }

  /**
   * Says what there is to say, as far as the kernel takes it.
   *
   * @return whether all of it has been said
   * @throws IOException when the connection has failed or ended
   */
  public boolean said() throws IOException {
    if (toSay.hasRemaining()) {
      channel.write(toSay);
    }
    return !toSay.hasRemaining();
  }

  /**
   * Says that this side has failed, if the kernel takes it at once.
   *
   * @param result what the failure is on this side
   * @param why for the peer's log and messages
   * @throws IOException when the connection has failed or ended
   */
  public void fail(ResultCode result, String why) throws IOException {
    say(Kind.FAILURE, Reason.encode(result, why));
    said();
  }

  /**
   * Returns the next frame.
   *
   * @return the frame; null: it has not come whole
   * @throws MetadataException for what is no frame of the peer, and for all behind it
   * @throws IOException when the connection has failed or ended
   */
  public @Nullable Frame hear() throws IOException, MetadataException {
    if (broken != null) {
      throw broken;
    }
    try {
      return next();
    } catch (MetadataException e) {
      broken = e;
      throw e;
    }
  }

  private @Nullable Frame next() throws IOException, MetadataException {
    ByteBuffer into = content;
    if (into == null) {
      if (!fill(header)) {
        return null;
      }
      into = ByteBuffer.allocate(HEADER + checkedLength() + PeerProof.PROOF_BYTES);
      into.put(header.flip());
      content = into;
    }
    if (!fill(into)) {
      return null;
    }
    int end = into.limit() - PeerProof.PROOF_BYTES;
    byte[] code = new byte[PeerProof.PROOF_BYTES];
    into.get(end, code).flip().limit(end);
    if (!PeerProof.matches(code(hearKey, heardFrames, into.duplicate()), code)) {
      throw new MetadataException(
          "a frame with a wrong code, number "
              + heardFrames
              + " of the connection: it was changed, repeated, left out or put in on the way");
    }
    heardFrames++;
    header.clear();
    content = null;
    return new Frame(KINDS[into.getShort(6)], into.position(HEADER).slice());
  }

  private boolean fill(ByteBuffer into) throws IOException {
    if (into.hasRemaining() && channel.read(into) < 0) {
      throw new EOFException("the peer closed the connection");
    }
    return !into.hasRemaining();
  }

  /** Looks at a header: nothing is believed of it but that so many bytes are worth reading. */
  private int checkedLength() throws MetadataException {
    int version = header.getShort(4);
    int kind = header.getShort(6);
    int length = header.getInt(8);
    if (header.getInt(0) != MAGIC) {
      throw new MetadataException(
          "a frame that begins with 0x" + Integer.toHexString(header.getInt(0)));
    }
    if (version != VERSION) {
      throw new MetadataException(
          "version " + version + " of the exchange, this plugin speaks " + VERSION);
    }
    if (kind < 0 || kind >= KINDS.length || length < 0 || length > MOST_BODY) {
      throw new MetadataException("a frame of kind " + kind + " with " + length + " bytes");
    }
    return length;
  }

  private static byte[] code(byte[] key, long number, ByteBuffer frame) {
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    return PeerProof.hmac(key, ByteBuffer.allocate(Long.BYTES).putLong(number).array(), bytes);
  }

  /** Closes the connection. */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
