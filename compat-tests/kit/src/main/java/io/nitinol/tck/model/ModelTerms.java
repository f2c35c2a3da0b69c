// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

/**
 * What the model has to know of a plugin.
 *
 * @param maxRecvs how many pieces a receive may have. Where it is 1, tags may be ignored
 *     (NET-RECV-13), and the messages of a connection all have one tag
 * @param window how many messages of several tags may be under way on a connection. Sends that run
 *     ahead of their receives must not take all the room there is from those that fit
 */
public record ModelTerms(int maxRecvs, int window) {
  /** Checks the numbers. */
  public ModelTerms {
    if (maxRecvs < 1 || window < maxRecvs) {
      throw new IllegalArgumentException(
          "maxRecvs " + maxRecvs + " and a window of " + window + ", expected 1 <= maxRecvs <= it");
    }
  }
}
