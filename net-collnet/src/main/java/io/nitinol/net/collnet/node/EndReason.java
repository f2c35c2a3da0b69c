// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.spi.ResultCode;

/**
 * The reason why a group has ended.
 *
 * @param code the kind of failure
 * @param rank the rank whose failure it is, or {@link ControlFrame#NOBODY}
 * @param text what happened
 * @param orderly whether a member has left while no operation was unfinished, as each does in the
 *     end
 */
record EndReason(ResultCode code, int rank, String text, boolean orderly) {
  /** Makes the reason of a failure. */
  EndReason(ResultCode code, int rank, String text) {
    this(code, rank, text, false);
  }

  /** Returns the frame that reports it. */
  ControlFrame.Fail frame(long operations) {
    return new ControlFrame.Fail(code, rank, operations, text);
  }
}
