// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import io.nitinol.core.transport.BitField;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import io.nitinol.toolkit.ErrorText;

/**
 * How one operation is done, the same on all ranks.
 *
 * @param channels how many channels share the operation, from 1
 * @param inPlace whether the ranks show each other where their buffers lie, and work on those where
 *     all of them lie in memory that all can see
 */
public record Choice(Algorithm algorithm, Protocol protocol, int channels, boolean inPlace) {
  private static final BitField CHANNELS = new BitField("channels", 0, 6);
  private static final BitField PROTOCOL = new BitField("protocol", 6, 4);
  private static final BitField IN_PLACE = new BitField("in place", 10, 1);
  private static final BitField ALGORITHM = new BitField("algorithm", 11, 8);

  private static final Algorithm[] ALGORITHMS = Algorithm.values();
  private static final Protocol[] PROTOCOLS = Protocol.values();

  /** The most channels that an operation can have. */
  private static final int MOST_CHANNELS = (int) CHANNELS.max() + 1;

  static {
    requireRoom(ALGORITHMS.length, PROTOCOLS.length);
    int bits = CHANNELS.bits() + PROTOCOL.bits() + IN_PLACE.bits() + ALGORITHM.bits();
    if (bits != MessageHeader.CHOICE_BITS) {
      throw new IllegalStateException(
          ErrorText.of(
              "a choice's code has %d bits, but the message header has %d for it",
              bits, MessageHeader.CHOICE_BITS));
    }
  }

  /** Checks the number of channels. */
  public Choice {
    if (channels < 1 || channels > MOST_CHANNELS) {
      throw new IllegalArgumentException(
          ErrorText.of("%d channels; expected 1 to %d", channels, MOST_CHANNELS));
    }
  }

  /** A choice that uses slots or connections only. */
  public Choice(Algorithm algorithm, Protocol protocol, int channels) {
    this(algorithm, protocol, channels, false);
  }

  /**
   * Throws if there are more algorithms or protocols than {@link #code} can tell apart.
   *
   * @throws IllegalStateException if so
   */
  static void requireRoom(int algorithms, int protocols) {
    ALGORITHM.upTo(algorithms - 1);
    PROTOCOL.upTo(protocols - 1);
  }

  /** Returns this in {@value MessageHeader#CHOICE_BITS} bits, by which ranks compare choices. */
  public int code() {
    return (int)
        (ALGORITHM.put(algorithm.ordinal())
            | PROTOCOL.put(protocol.ordinal())
            | IN_PLACE.put(inPlace ? 1 : 0)
            | CHANNELS.put(channels - 1));
  }

  /** Returns what a {@link #code} of any rank stands for, as a human-readable text. */
  public static String describe(int code) {
    int algorithm = (int) ALGORITHM.get(code);
    int protocol = (int) PROTOCOL.get(code);
    int channels = (int) CHANNELS.get(code) + 1;
    return ErrorText.of(
        "%s/%s on %d %s%s",
        algorithm < ALGORITHMS.length ? ALGORITHMS[algorithm] : "unknown",
        protocol < PROTOCOLS.length ? PROTOCOLS[protocol] : "unknown",
        channels,
        channels == 1 ? "channel" : "channels",
        IN_PLACE.get(code) == 0 ? "" : ", in place where all buffers are allocated");
  }

  @Override
  public String toString() {
    return describe(code());
  }
}
