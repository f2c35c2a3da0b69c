// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

/**
 * What the listening side decides for both. It is in the handle, the connecting side repeats it,
 * and a listener refuses a side that says something else.
 *
 * @param streams of how many TCP connections a comm consists, 1 to {@link #MOST_STREAMS}
 * @param detail a number of the plugin's own, 0 to {@link #MOST_DETAIL}; what it means and which
 *     values make sense is the plugin's to check
 */
public record Agreement(int streams, int detail) {
  /** The most connections that a comm may have: NCCL's 64 data sockets and one for control. */
  public static final int MOST_STREAMS = 65;

  /** The largest {@link #detail}. */
  public static final int MOST_DETAIL = 0xffff;

  /** One connection, and nothing else to agree about. */
  public static final Agreement ONE = new Agreement(1, 0);

  /** Returns whether a comm can be made of this; what comes from elsewhere is looked at first. */
  boolean isPossible() {
    return streams >= 1 && streams <= MOST_STREAMS && detail >= 0 && detail <= MOST_DETAIL;
  }

  /** Returns it for messages. */
  String label() {
    return streams + (streams == 1 ? " stream" : " streams") + " (detail " + detail + ")";
  }
}
