// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.frames;

import io.nitinol.toolkit.control.PeerReason;
import io.nitinol.toolkit.control.ProvenFrames;
import io.nitinol.toolkit.control.ProvenFrames.Format;
import java.io.IOException;
import java.util.List;

/** What a frame is about. The order is on the wire. */
public enum IbFrameKind {
  /** The sender's queue pairs and memory. */
  INFO,
  /** A {@link PeerReason} why there will be no connection, or why there is none any more. */
  FAILURE,
  /** This side can be written to. */
  READY,
  /** This side has stopped, since a port has failed: a {@link PeerReason}. */
  STOP,
  /** How far this side had got when it stopped. */
  STANDING;

  /** The most bytes of a body. */
  public static final int MOST_BODY = 4096;

  /** How each frame began up to version 4, in place of its length: NTIB. */
  private static final int OLD_MAGIC = 0x4e54_4942;

  /** The frames of this network. */
  public static final Format<IbFrameKind> FORMAT =
      new Format<>(
          5,
          List.of(values()),
          MOST_BODY,
          "nitinol verbs frames",
          OLD_MAGIC,
          "version 4 of the exchange, or an older one");

  /**
   * Says that this side has failed, if the kernel takes it at once.
   *
   * @param frames where
   * @param reason why, for the peer's log and messages
   * @throws IOException when the connection has failed or ended
   */
  public static void fail(ProvenFrames<IbFrameKind> frames, PeerReason reason) throws IOException {
    frames.say(FAILURE, reason.encode());
    frames.said();
  }
}
