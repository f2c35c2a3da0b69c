// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import java.io.Serial;

/** The process of a peer ended before it answered. */
final class PeerGone extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  PeerGone(PeerProcess process) {
    super("the peer process ended before it answered; " + process.describe());
  }
}
