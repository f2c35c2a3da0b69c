// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerProof;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.connect.Proven;
import io.nitinol.toolkit.thread.OneThread;
import java.io.Closeable;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries the messages of two sides on their TCP connection, in frames: length, version and kind,
 * 4, 2 and 2 bytes, the body, and a code of 32 bytes. The length counts what is behind it; {@link
 * FrameReader} bounds it.
 *
 * <p>The code is HMAC-SHA-256 over the number of the frame, its version, its kind and its body. Its
 * key follows from the proofs, by {@link Proven#binding}, and is another one for each connection,
 * each direction and each {@link Format#use}. So a frame that was changed, left out, repeated,
 * swapped with another, sent back or taken from another connection is found out. It is not
 * encrypted: a listener on the wire can read it.
 *
 * <p>Never reads beyond a frame. No call waits. Listening allocates nothing until something comes.
 * The plugins for networks of cards use it beside their data ({@code io.nitinol.net.ib.frames},
 * {@code io.nitinol.samples.libfabric.link}); each brings its own {@link Format}.
 *
 * @param <K> what frames are about
 */
@OneThread
public final class ProvenFrames<K extends Enum<K>> implements Closeable {

  /**
   * What the frames of one network look like.
   *
   * @param <K> what frames are about
   * @param version of the frames and of what is in them, 0 to 32767; a peer of another is refused
   * @param kinds what a frame can be about; its place in the list is on the wire
   * @param mostBody the most bytes of a body
   * @param use what the keys are for, in ASCII: another text gives other keys
   * @param formerPrefix how frames of former versions began that had no length; 0 if none did
   * @param formerVersions the name of these versions, for messages
   */
  public record Format<K extends Enum<K>>(
      int version,
      List<K> kinds,
      int mostBody,
      String use,
      int formerPrefix,
      String formerVersions) {
    /** Copies the list. */
    public Format {
      kinds = List.copyOf(kinds);
    }

    /**
     * A format without former versions.
     *
     * @param version of the frames and of what is in them
     * @param kinds what a frame can be about
     * @param mostBody the most bytes of a body
     * @param use what the keys are for, in ASCII
     */
    public Format(int version, List<K> kinds, int mostBody, String use) {
      this(version, kinds, mostBody, use, 0, "");
    }

    /** The bytes from which the keys follow, together with the proofs. */
    private byte[] useBytes() {
      return use.getBytes(StandardCharsets.US_ASCII);
    }
  }

  /**
   * A frame that has come.
   *
   * @param <K> what frames are about
   * @param kind what it is about
   * @param body what it says, the caller's
   */
  public record Frame<K>(K kind, ByteBuffer body) {}

  /** Version and kind. */
  private static final int HEADER = 4;

  private static final int LEAST = HEADER + PeerProof.PROOF_BYTES;
  private static final int POLLED_BYTES = 128;

  private final Format<K> format;
  private final ByteChannel channel;
  private final byte[] sayKey;
  private final byte[] hearKey;
  private final FrameReader reader;

  /** Direct, since a connection at rest looks for a frame again and again. */
  private final ByteBuffer polled = ByteBuffer.allocateDirect(POLLED_BYTES);

  private ByteBuffer toSay = ByteBuffer.allocate(0);
  private long saidFrames;
  private long heardFrames;
  private @Nullable FrameException broken;

  /**
   * Begins with nothing said or heard, for the tests of those that say and hear: {@link #on} takes
   * the keys from the proofs.
   *
   * @param format what the frames look like
   * @param channel the connection, non-blocking, which is this object's from the return on
   * @param sayKey the key of this side's codes; not kept secret by this class
   * @param hearKey the key of the peer's codes
   */
  public ProvenFrames(Format<K> format, ByteChannel channel, byte[] sayKey, byte[] hearKey) {
    this.format = format;
    this.channel = channel;
    this.sayKey = sayKey.clone();
    this.hearKey = hearKey.clone();
    this.reader = new FrameReader(LEAST + format.mostBody());
  }

  /**
   * Begins with nothing said or heard on a connection that has just been proven.
   *
   * @param <K> what frames are about
   * @param format what the frames look like
   * @param proven the connection, non-blocking, which is this object's from the return on
   * @param side which side this is
   * @return what is said and heard on it
   */
  public static <K extends Enum<K>> ProvenFrames<K> on(Format<K> format, Proven proven, Role side) {
    Role other = side == Role.CONNECTOR ? Role.ACCEPTOR : Role.CONNECTOR;
    byte[] use = format.useBytes();
    return new ProvenFrames<>(
        format, proven.channels()[0], proven.binding(0, side, use), proven.binding(0, other, use));
  }

  /**
   * Gives a frame to {@link #said}, behind what has not been said yet.
   *
   * @param kind what it is about
   * @param body what it says, at most {@link Format#mostBody} bytes; not kept
   */
  public void say(K kind, ByteBuffer body) {
    int length = body.remaining();
    if (length > format.mostBody()) {
      throw new IllegalArgumentException("a frame of " + length + " bytes");
    }
    ByteBuffer next =
        ByteBuffer.allocate(toSay.remaining() + FrameReader.PREFIX + LEAST + length).put(toSay);
    int start = next.position() + FrameReader.PREFIX;
    next.putInt(LEAST + length)
        .putShort((short) format.version())
        .putShort((short) format.kinds().indexOf(kind))
        .put(body.duplicate());
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
   * @throws FrameException for what is no frame of the peer, and for all behind it
   * @throws IOException when the connection has failed or ended
   */
  public @Nullable Frame<K> hear() throws IOException, FrameException {
    if (broken != null) {
      throw broken;
    }
    try {
      return next();
    } catch (FrameException e) {
      broken = e;
      throw e;
    }
  }

  private @Nullable Frame<K> next() throws IOException, FrameException {
    byte[] come;
    try {
      come = reader.read(channel, polled);
    } catch (ProtocolException e) {
      String what =
          format.formerPrefix() != 0 && reader.announced() == format.formerPrefix()
              ? ErrorText.of("%s, this plugin speaks %d", format.formerVersions(), format.version())
              : "what is no frame";
      throw new FrameException(what + ": " + e.getMessage(), e);
    }
    return come == null ? null : checked(come);
  }

  /** Looks at a frame, nothing of which is believed before its code. */
  private Frame<K> checked(byte[] come) throws FrameException {
    if (come.length < LEAST) {
      throw new FrameException("a frame of " + come.length + " bytes");
    }
    int end = come.length - PeerProof.PROOF_BYTES;
    byte[] right = code(hearKey, heardFrames, Arrays.copyOf(come, end));
    if (!PeerProof.matches(right, Arrays.copyOfRange(come, end, come.length))) {
      throw new FrameException(
          ErrorText.of(
              "a frame with a wrong code, number %d of the connection: it was changed, repeated,"
                  + " left out or put in on the way",
              heardFrames));
    }
    heardFrames++;
    ByteBuffer frame = ByteBuffer.wrap(come, 0, end);
    int version = frame.getShort();
    if (version != format.version()) {
      throw new FrameException(
          ErrorText.of(
              "version %d of the exchange, this plugin speaks %d", version, format.version()));
    }
    int kind = frame.getShort();
    if (kind < 0 || kind >= format.kinds().size()) {
      throw new FrameException(
          ErrorText.of("a frame of kind %d with %d bytes", kind, frame.remaining()));
    }
    return new Frame<>(format.kinds().get(kind), frame.slice());
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
