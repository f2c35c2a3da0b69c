// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.MemorySegment;

/** Combines the contributions to a segment in the order of the children, always the same. */
final class Reducer {
  /** So much of a sum stays in the first cache while the children are added to it. */
  static final int BLOCK = 16 << 10;

  private Reducer() {}

  /**
   * Reduces the messages that wait at all ports.
   *
   * @param elementBytes the size of an element
   * @param skip where in the messages the contributions begin
   * @param out where the result goes
   * @param outAt its first byte
   * @param bytes how many each contribution has
   */
  static void reduce(
      ReduceFunction function,
      int elementBytes,
      SwitchPort[] ports,
      int skip,
      MemorySegment out,
      long outAt,
      int bytes) {
    SwitchPort first = ports[0];
    if (ports.length == 1) {
      MemorySegment.copy(first.slots, first.message() + skip, out, outAt, bytes);
      return;
    }
    SwitchPort second = ports[1];
    for (int done = 0; done < bytes; done += BLOCK) {
      long at = outAt + done;
      int from = skip + done;
      long count = Math.min(BLOCK, bytes - done) / elementBytes;
      function.combine(
          first.slots,
          first.message() + from,
          second.slots,
          second.message() + from,
          out,
          at,
          count);
      for (int i = 2; i < ports.length; i++) {
        SwitchPort next = ports[i];
        function.combine(out, at, next.slots, next.message() + from, out, at, count);
      }
    }
  }
}
