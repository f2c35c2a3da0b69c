// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.frames;

import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerProof;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.connect.Proven;
import io.nitinol.toolkit.control.FrameReader;
import io.nitinol.toolkit.thread.OneThread;
import java.io.Closeable;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Carries the messages of two sides on their TCP connection, in frames: length, version and kind,
 * 4, 2 and 2 bytes, the body, and a code of 32 bytes. The length counts what is behind it; {@link
 * FrameReader} bounds it.
 *
 * <p>The code is HMAC-SHA-256 over the number of the frame, its version, its kind and its body. Its
 * key follows from the proofs, by {@link Proven#binding}, and is another one for each connection
 * and each direction. So a frame that was changed, left out, repeated, swapped with another, sent
 * back or taken from another connection is found out. It is not encrypted: a listener on the wire
 * can read it.
 *
 * <p>Never reads beyond a frame. No call waits. Listening allocates nothing until something comes.
 */
@OneThread
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

  private static final short VERSION = 5;

  /** How each frame began up to version 4, in place of its length: NTIB. */
  private static final int OLD_MAGIC = 0x4e54_4942;

  /** Version and kind. */
  private static final int HEADER = 4;

  private static final int LEAST = HEADER + PeerProof.PROOF_BYTES;
  private static final int POLLED_BYTES = 128;
  private static final byte[] USE = "nitinol verbs frames".getBytes(StandardCharsets.US_ASCII);
  private static final Kind[] KINDS = Kind.values();

  private final ByteChannel channel;
  private final byte[] sayKey;
  private final byte[] hearKey;
  private final FrameReader reader = new FrameReader(LEAST + MOST_BODY);

  /** Direct, since a comm at rest looks for a frame again and again. */
  private final ByteBuffer polled = ByteBuffer.allocateDirect(POLLED_BYTES);

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
        ByteBuffer.allocate(FrameReader.PREFIX + LEAST + length)
            .putInt(LEAST + length)
            .putShort(VERSION)
            .putShort((short) kind.ordinal())
            .put(body.duplicate());
    byte[] coded = Arrays.copyOfRange(frame.array(), FrameReader.PREFIX, frame.position());
    frame.put(code(sayKey, saidFrames++, coded)).flip();
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
    byte[] come;
    try {
      come = reader.read(channel, polled);
    } catch (ProtocolException e) {
      String what =
          reader.announced() == OLD_MAGIC
              ? ErrorText.of(
                  "version 4 of the exchange, or an older one, this plugin speaks %d", VERSION)
              : "what is no frame";
      throw new MetadataException(what + ": " + e.getMessage(), e);
    }
    return come == null ? null : checked(come);
  }

  /** Looks at a frame, nothing of which is believed before its code. */
  private Frame checked(byte[] come) throws MetadataException {
    if (come.length < LEAST) {
      throw new MetadataException("a frame of " + come.length + " bytes");
    }
    int end = come.length - PeerProof.PROOF_BYTES;
    byte[] right = code(hearKey, heardFrames, Arrays.copyOf(come, end));
    if (!PeerProof.matches(right, Arrays.copyOfRange(come, end, come.length))) {
      throw new MetadataException(
          ErrorText.of(
              "a frame with a wrong code, number %d of the connection: it was changed, repeated,"
                  + " left out or put in on the way",
              heardFrames));
    }
    heardFrames++;
    ByteBuffer frame = ByteBuffer.wrap(come, 0, end);
    int version = frame.getShort();
    if (version != VERSION) {
      throw new MetadataException(
          ErrorText.of("version %d of the exchange, this plugin speaks %d", version, VERSION));
    }
    int kind = frame.getShort();
    if (kind < 0 || kind >= KINDS.length) {
      throw new MetadataException(
          ErrorText.of("a frame of kind %d with %d bytes", kind, frame.remaining()));
    }
    return new Frame(KINDS[kind], frame.slice());
  }

  private static byte[] code(byte[] key, long number, byte[] coded) {
    return PeerProof.hmac(key, ByteBuffer.allocate(Long.BYTES).putLong(number).array(), coded);
  }

  /** Closes the connection. */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
