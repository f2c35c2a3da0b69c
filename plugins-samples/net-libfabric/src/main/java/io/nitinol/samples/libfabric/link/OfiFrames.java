// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.link;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerProof;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.connect.Proven;
import io.nitinol.toolkit.control.FrameReader;
import io.nitinol.toolkit.thread.OneThread;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Carries the messages of two sides on their TCP connection in frames: length, version and kind, 4,
 * 2 and 2 bytes, the body, and a code of 32 bytes. The code is HMAC-SHA-256 over the number of the
 * frame and all before it but the length. Its key follows from the proofs and is another one for
 * each connection and direction: a frame that was changed, left out, repeated or put in is found
 * out. No call waits.
 */
@OneThread
public final class OfiFrames {
  /** What a frame is about. */
  public enum Kind {
    /** Where the side is in the fabric. */
    ADDRESS,
    /** Why the side has failed: a result code and a text. */
    FAILURE,
    /** A message that is longer than its receive: its number, and both lengths. */
    TOO_LONG,
    /** The side closes: how many messages, from the first on, have completed there. */
    CLOSED
  }

  /**
   * A frame that has come.
   *
   * @param kind what it is about
   * @param body what it says, the caller's
   */
  public record Frame(Kind kind, ByteBuffer body) {}

  /** The most bytes of a body. */
  public static final int MOST_BODY = 2048;

  private static final short VERSION = 1;
  private static final int HEADER = 4;
  private static final int LEAST = HEADER + PeerProof.PROOF_BYTES;
  private static final int POLLED_BYTES = 128;
  private static final byte[] USE = "nitinol ofi frames".getBytes(StandardCharsets.US_ASCII);
  private static final Kind[] KINDS = Kind.values();

  private final ByteChannel channel;
  private final byte[] sayKey;
  private final byte[] hearKey;
  private final FrameReader reader = new FrameReader(LEAST + MOST_BODY);
  private final ByteBuffer polled = ByteBuffer.allocateDirect(POLLED_BYTES);
  private ByteBuffer toSay = ByteBuffer.allocate(0);
  private long saidFrames;
  private long heardFrames;

  OfiFrames(ByteChannel channel, byte[] sayKey, byte[] hearKey) {
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
  public static OfiFrames on(Proven proven, Role side) {
    Role other = side == Role.CONNECTOR ? Role.ACCEPTOR : Role.CONNECTOR;
    return new OfiFrames(
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
    ByteBuffer next =
        ByteBuffer.allocate(toSay.remaining() + FrameReader.PREFIX + LEAST + length).put(toSay);
    int start = next.position() + FrameReader.PREFIX;
    next.putInt(LEAST + length).putShort(VERSION).putShort((short) kind.ordinal()).put(body);
    next.put(code(sayKey, saidFrames++, Arrays.copyOfRange(next.array(), start, next.position())));
    toSay = next.flip();
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
   * Returns the next frame.
   *
   * @return the frame; null: it has not come whole
   * @throws LinkException for what is no frame of the peer; nothing is to be heard afterwards
   * @throws IOException when the connection has failed or ended
   */
  public @Nullable Frame hear() throws IOException, LinkException {
    byte[] come;
    try {
      come = reader.read(channel, polled);
    } catch (ProtocolException e) {
      throw new LinkException("what is no frame: " + e.getMessage(), e);
    }
    return come == null ? null : checked(come);
  }

  /** Looks at a frame, nothing of which is believed before its code. */
  private Frame checked(byte[] come) throws LinkException {
    int end = come.length - PeerProof.PROOF_BYTES;
    if (come.length < LEAST
        || !PeerProof.matches(
            code(hearKey, heardFrames, Arrays.copyOf(come, end)),
            Arrays.copyOfRange(come, end, come.length))) {
      throw new LinkException(
          ErrorText.of("frame %d of %d bytes with a wrong code", heardFrames, come.length));
    }
    heardFrames++;
    ByteBuffer frame = ByteBuffer.wrap(come, 0, end);
    int version = frame.getShort();
    int kind = frame.getShort();
    if (version != VERSION || kind < 0 || kind >= KINDS.length) {
      throw new LinkException(
          ErrorText.of(
              "a frame of kind %d and version %d, this plugin speaks %d", kind, version, VERSION));
    }
    return new Frame(KINDS[kind], frame.slice());
  }

  private static byte[] code(byte[] key, long number, byte[] coded) {
    return PeerProof.hmac(key, ByteBuffer.allocate(Long.BYTES).putLong(number).array(), coded);
  }

  /** Closes the connection. */
  void close() throws IOException {
    channel.close();
  }
}
