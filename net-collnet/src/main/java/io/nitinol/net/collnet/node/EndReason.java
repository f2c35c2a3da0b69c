// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.spi.ResultCode;

/**
 * Why a group has ended.
 *
 * @param code what kind of failure
 * @param rank whose it is, or {@link ControlFrame#NOBODY}
 * @param text what happened
 * @param orderly whether a member has left with nothing under way, as one does in the end
 */
record EndReason(ResultCode code, int rank, String text, boolean orderly) {
  /** Makes it a failure. */
  EndReason(ResultCode code, int rank, String text) {
    this(code, rank, text, false);
  }

  /** Says it in a frame. */
  ControlFrame.Fail frame(long operations) {
    return new ControlFrame.Fail(code, rank, operations, text);
  }
}
