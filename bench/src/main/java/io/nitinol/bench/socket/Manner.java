// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.socket;

import java.util.List;

/**
 * The settings of an end of the plugin.
 *
 * @param slots how many messages of a stream are on their way at most
 * @param ahead how many receives are posted ahead in round trips; with 1, a message that has been
 *     sent is awaited before its answer
 * @param yields whether it lets others run while there is nothing to do, as core does where there
 *     are more threads than processors
 */
public record Manner(int slots, int ahead, boolean yields) {
  private static final Manner USUAL = new Manner(End.SLOTS, 1, false);

  static Manner of(List<String> words) {
    return words.isEmpty()
        ? USUAL
        : new Manner(
            Integer.parseInt(words.get(0)),
            Integer.parseInt(words.get(1)),
            words.get(2).equals("yield"));
  }

  /** Returns the arguments by which a process is told. */
  public List<String> words() {
    return List.of(Integer.toString(slots), Integer.toString(ahead), yields ? "yield" : "spin");
  }
}
