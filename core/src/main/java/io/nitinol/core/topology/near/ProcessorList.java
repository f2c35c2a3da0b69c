// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.near;

import java.util.BitSet;

/** Lists of processors as the kernel writes them. */
final class ProcessorList {
  private ProcessorList() {}

  /**
   * Reads a list.
   *
   * @param list such as {@code 0-7,16-23}
   * @return the numbers; a part of the list that is none adds nothing
   */
  static BitSet of(String list) {
    BitSet found = new BitSet();
    for (String part : list.strip().split(",", -1)) {
      if (part.matches("[0-9]{1,5}(-[0-9]{1,5})?")) {
        int dash = part.indexOf('-');
        int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
        int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1));
        found.set(first, Math.max(first, last) + 1);
      }
    }
    return found;
  }
}
