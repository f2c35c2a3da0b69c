// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.spi.Collective;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import org.jspecify.annotations.Nullable;

/**
 * What a rank has launched last: for the comparison with other ranks when nothing moves, and never
 * for a decision. Plain fields, since any mixture of two launches is a good enough answer.
 */
@AnyThread
final class LaunchRecord {
  private long number;
  private @Nullable Collective collective;
  private @Nullable DeviceReduction reduction;
  private long amount;
  private int root;

  /**
   * Takes note of a collective.
   *
   * @param computed what is computed; null where {@code howMuch} is in bytes
   */
  void note(Collective launched, @Nullable DeviceReduction computed, long howMuch, int rootRank) {
    number++;
    collective = launched;
    reduction = computed;
    amount = howMuch;
    root = rootRank;
  }

  /** Returns the last collective in words that are the same on all ranks; null where none was. */
  @Nullable String describe() {
    Collective last = collective;
    if (last == null) {
      return null;
    }
    DeviceReduction computed = reduction;
    return ErrorText.of(
        "device collective %d, %s of %d %s, root %d",
        number,
        last.label(),
        amount,
        computed == null
            ? "bytes"
            : computed.type().label()
                + (computed.preMultiplied() ? " (pre-multiplied " : " (")
                + computed.op().label()
                + ")",
        root);
  }
}
