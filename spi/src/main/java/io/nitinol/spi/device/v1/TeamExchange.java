// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.device.v1;

/**
 * Carries bytes among the ranks of a team while it is made, and while windows are opened and
 * closed: memory handles, for the most part. The caller of {@link Device#joinTeam} supplies it.
 */
@FunctionalInterface
public interface TeamExchange {

  /** The most bytes that one call takes. */
  int MAX_SIZE = 1 << 16;

  /**
   * Gives each rank the bytes of all. Every rank calls it equally often; the call waits for the
   * others. A provider calls it from the thread that called the provider, and only within that
   * call.
   *
   * @param mine this rank's bytes, at most {@link #MAX_SIZE}, as many on every rank; not changed
   *     and not kept
   * @return the bytes of rank r at place r, this rank's own too, owned by the provider
   * @throws io.nitinol.spi.NetException when a rank has failed or does not come; the provider frees
   *     what it has made so far and passes it on
   */
  byte[][] exchange(byte[] mine);
}
