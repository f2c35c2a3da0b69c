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

  @Override
  public String toString() {
    return algorithm + "/" + protocol + " on " + channels + " channel(s)";
  }
}
