// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.file;

import io.nitinol.toolkit.thread.AnyThread;
import java.util.BitSet;

/**
 * Lists of processors, or of NUMA nodes, as the kernel writes them: in {@code cpulist} and {@code
 * online} below {@code /sys}, and behind {@code Cpus_allowed_list} in {@code /proc/self/status}.
 */
@AnyThread
public final class ProcessorList {
  private ProcessorList() {}

  /**
   * Reads a list.
   *
   * @param list such as {@code 0-7,16-23}
   * @return the numbers, 0 to 99,999 each; a part of the list that is none adds nothing, so that a
   *     text that is no list has none
   */
  public static BitSet of(String list) {
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
