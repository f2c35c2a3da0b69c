// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import io.nitinol.net.collnet.link.SwitchLink;
import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.net.collnet.wire.ControlFrame.Admit;
import io.nitinol.net.collnet.wire.ControlFrame.Fail;
import io.nitinol.net.collnet.wire.ControlFrame.Refuse;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a member has heard from its switch. The thread of control connections writes it, and the
 * thread that drives the member reads it.
 */
final class GroupLink implements SwitchLink.Events {
  /** How long results that a failed group still delivers may take. */
  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final String group;
  private volatile @Nullable Admit admitted;
  private volatile boolean ready;
  private long failedNanos; // written before failure
  private long horizon = Long.MAX_VALUE; // written before failure
  private volatile @Nullable NetException failure;

  /**
   * Begins before the switch has answered.
   *
   * @param group the rank, the group and the address of its switch, for messages
   */
  GroupLink(String group) {
    this.group = group;
  }

  @Override
  public void frame(ControlFrame frame) {
    switch (frame) {
      case Admit admit -> admitted = admit;
      case ControlFrame.Ready() -> ready = true;
      case Refuse refuse -> fail(refuse.code(), refuse.text(), 0);
      case Fail fail -> fail(fail.code(), fail.text(), Math.max(0, fail.operations()));
      default ->
          fail(ResultCode.REMOTE_ERROR, "it sent a frame that only members send: " + frame, 0);
    }
  }

  @Override
  public void closed(String why) {
    String what = admitted == null ? "no connection to the switch: " : "the switch is gone: ";
    fail(ResultCode.REMOTE_ERROR, what + why, 0);
  }

  private void fail(ResultCode code, String text, long operations) {
    if (failure == null) {
      horizon = operations;
      failedNanos = System.nanoTime();
      failure = new NetException(code, group + ": " + text);
    }
  }

  @Override
  public String toString() {
    return group;
  }

  /** Returns what the switch offered, once it has. */
  @Nullable Admit admitted() {
    return admitted;
  }

  /** Returns whether the whole tree is connected. */
  boolean isReady() {
    return ready;
  }

  /** Returns why the group has failed, or null. */
  @Nullable NetException failure() {
    return failure;
  }

  /** Returns whether the failure of a failed group is also that of an operation. */
  boolean isLost(long sequence) {
    return sequence >= horizon || System.nanoTime() - failedNanos > DRAIN_NANOS;
  }
}
