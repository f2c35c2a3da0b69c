// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.testing;

import java.io.IOException;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/** Hostile inputs of one kind, in batches that one seed makes again. */
public interface Fuzz {
  ByteOrder WIRE_ORDER = ByteOrder.BIG_ENDIAN;

  /**
   * Tries some inputs.
   *
   * @param inputs how many, at least 1
   * @return how many were tried
   * @throws AssertionError when one has an effect that it must not have; the message says which
   */
  int batch(SplittableRandom random, int inputs) throws IOException;

  /** Fails where something does not hold. */
  static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
