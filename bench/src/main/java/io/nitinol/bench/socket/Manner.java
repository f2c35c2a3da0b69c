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
 * @param pingBytes bytes of a message of a round trip
 * @param room bytes of a receive of a round trip
 */
public record Manner(int slots, int ahead, boolean yields, int pingBytes, int room) {
  /** The bytes of a round trip where nothing else is asked for. */
  public static final int FEW_BYTES = 8;

  private static final Manner USUAL = new Manner(End.SLOTS, 1, false, FEW_BYTES, FEW_BYTES);

  static Manner of(List<String> words) {
    return words.isEmpty()
        ? USUAL
        : new Manner(
            Integer.parseInt(words.get(0)),
            Integer.parseInt(words.get(1)),
            words.get(2).equals("yield"),
            Integer.parseInt(words.get(3)),
            Integer.parseInt(words.get(4)));
  }

  /** Returns the arguments by which a process is told. */
  public List<String> words() {
    return List.of(
        Integer.toString(slots),
        Integer.toString(ahead),
        yields ? "yield" : "spin",
        Integer.toString(pingBytes),
        Integer.toString(room));
  }
}
