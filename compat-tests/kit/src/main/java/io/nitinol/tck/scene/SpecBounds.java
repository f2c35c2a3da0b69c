// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import java.util.concurrent.TimeUnit;

/**
 * The bounds of the contract, in nanoseconds, with a reserve for a busy machine. Unlike the kit's
 * patience they stay as they are for a plugin that has let the kit wait: it may use all of them.
 */
public final class SpecBounds {
  /** PEER is 10 s from the end of the peer until an operation that is polled fails. */
  public static final long PEER = TimeUnit.SECONDS.toNanos(11);

  /** CONNECT is 60 s for a connection that cannot come about. */
  public static final long CONNECT = TimeUnit.SECONDS.toNanos(65);

  private SpecBounds() {}
}
