// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.link;

import io.nitinol.toolkit.control.ProvenFrames.Format;
import java.util.List;

/** What a frame is about. The order is on the wire. */
public enum OfiFrameKind {
  /** What the side must have alike with its peer, and where it is in the fabric. */
  ADDRESS,
  /** Why the side has failed: a {@link io.nitinol.toolkit.control.PeerReason}. */
  FAILURE,
  /** A message that is longer than its piece: the number of the receive, and both lengths. */
  TOO_LONG,
  /** The side closes: how many receives, from the first on, are full and have completed there. */
  CLOSED,
  /** A short message that its sender, which closes, does not know to have come, with its header. */
  SHORT;

  private static final int MOST_BODY = 16 << 10;

  /** The frames of this network. */
  public static final Format<OfiFrameKind> FORMAT =
      new Format<>(4, List.of(values()), MOST_BODY, "nitinol ofi frames");
}
