// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.toolkit.proof.Greeting;
import io.nitinol.toolkit.proof.Handshake;
import io.nitinol.toolkit.proof.RefusedException;
import io.nitinol.toolkit.thread.OneThread;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the two ends of one stream say of themselves: a {@link StreamHello}, and wished features.
 */
@OneThread
final class StreamGreeting implements Greeting {
  private final byte[] key;
  private final String plugin;
  private final @Nullable StreamHello own;
  private final int ownFlags;
  private @Nullable StreamHello heard;
  private int answeredFlags;

  private StreamGreeting(byte[] key, String plugin, @Nullable StreamHello own, int ownFlags) {
    this.key = key;
    this.plugin = plugin;
    this.own = own;
    this.ownFlags = ownFlags;
  }

  /** The end that connects. */
  static StreamGreeting connecting(byte[] key, String plugin, StreamHello own) {
    return new StreamGreeting(key, plugin, own, own.flags());
  }

  /** The end that listens and wants the features of {@code flags}. */
  static StreamGreeting listening(byte[] key, String plugin, int flags) {
    return new StreamGreeting(key, plugin, null, flags);
  }

  /** Loads what a stream's handshake needs; see {@link Handshake#rehearse}. */
  static void rehearse(String plugin) {
    byte[] key = Secrets.random(16);
    Handshake.rehearse(
        StreamHello.FORMAT,
        connecting(key, plugin, new StreamHello(CommId.random(), 0, Agreement.ONE, 0)),
        listening(key, plugin, 0));
  }

  /** Returns the hello that a listening end has heard. */
  StreamHello heard() {
    return Objects.requireNonNull(heard, "hello of one that has not greeted");
  }

  /** Returns the features that the other end of a connecting one wants. */
  int answeredFlags() {
    return answeredFlags;
  }

  @Override
  public byte[] secret() {
    return key;
  }

  @Override
  public byte[] words() {
    return own == null
        ? ByteBuffer.allocate(StreamHello.FORMAT.acceptorWords())
            .putShort(0, (short) ownFlags)
            .array()
        : own.words(plugin);
  }

  @Override
  public void hear(ByteBuffer words) throws RefusedException {
    if (own != null) {
      answeredFlags = Short.toUnsignedInt(words.getShort(0));
      return;
    }
    String objection = StreamHello.objection(words, plugin);
    if (objection != null) {
      throw new RefusedException(objection);
    }
    heard = StreamHello.of(words);
  }

  @Override
  public String wrongCode() {
    return "it does not know this listener's key";
  }

  @Override
  public String wrongSecret() {
    return own == null
        ? "its proof is wrong: it repeats something, or does not know this listener's key"
        : "it does not know the key of the listener's handle";
  }

  @Override
  public String unproven() {
    return "it has not proven itself";
  }
}
