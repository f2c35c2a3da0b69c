// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import io.nitinol.toolkit.ErrorText;

/**
 * What the model has to know of a plugin.
 *
 * @param maxRecvs how many pieces a receive may have. Where it is 1, tags may be ignored
 *     (NET-RECV-13), and the messages of a connection all have one tag
 * @param window how many messages of several tags may be under way on a connection. Sends that run
 *     ahead of their receives must not take all the room there is from those that fit
 * @param mostBytes how many bytes a message, and the room for it, may have (maxP2pBytes)
 */
public record ModelTerms(int maxRecvs, int window, long mostBytes) {
  /** Checks the numbers. */
  public ModelTerms {
    if (maxRecvs < 1 || window < maxRecvs || mostBytes < 0) {
      throw new IllegalArgumentException(
          ErrorText.of(
              "maxRecvs %s, a window of %s and messages of %s bytes at the most, expected"
                  + " 1 <= maxRecvs <= window, and no negative length",
              maxRecvs, window, mostBytes));
    }
  }
}
