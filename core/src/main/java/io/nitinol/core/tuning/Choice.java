// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;

/**
 * How one operation is done, the same on all ranks.
 *
 * @param channels how many channels share the operation, from 1
 */
public record Choice(Algorithm algorithm, Protocol protocol, int channels) {

  /** Checks the number of channels. */
  public Choice {
    if (channels < 1) {
      throw new IllegalArgumentException("channels " + channels + "; expected 1 or more");
    }
  }

  /** Returns this in 11 bits: algorithm, protocol, and the low 6 of the number of channels. */
  public int code() {
    return algorithm.ordinal() | protocol.ordinal() << 3 | (channels & 0x3f) << 5;
  }

  /** Returns what a {@link #code} says, for people. */
  public static String describe(int code) {
    Algorithm[] algorithms = Algorithm.values();
    Protocol[] protocols = Protocol.values();
    int algorithm = code & 7;
    int protocol = code >>> 3 & 3;
    int channels = code >>> 5 & 0x3f;
    return (algorithm < algorithms.length ? algorithms[algorithm] : "unknown")
        + "/"
        + (protocol < protocols.length ? protocols[protocol] : "unknown")
        + " on "
        + (channels == 0 ? 0x40 : channels)
        + (channels == 1 ? " channel" : " channels");
  }

  @Override
  public String toString() {
    return describe(code());
  }
}
