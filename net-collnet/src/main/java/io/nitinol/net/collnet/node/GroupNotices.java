// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.thread.OnlyThread;
import org.jspecify.annotations.Nullable;

/** Words, logs and counts what happens to a group: refusals, failures, and why it has ended. */
@OnlyThread("switch worker")
final class GroupNotices {
  private static final String HERE = "SwitchGroup";

  private final SwitchResources site;
  private final String group;
  private @Nullable EndReason ending;

  /**
   * Begins with a group that has not ended.
   *
   * @param group the group's name in messages
   */
  GroupNotices(SwitchResources site, String group) {
    this.site = site;
    this.group = group;
  }

  /**
   * Words a failure.
   *
   * @param rank the rank whose failure it is, or {@link ControlFrame#NOBODY}
   */
  EndReason failure(ResultCode code, int rank, String what) {
    return new EndReason(code, rank, site.text(what));
  }

  /** Words a defect, here or in the network plugin. */
  EndReason defect(Throwable cause) {
    return failure(ResultCode.INTERNAL_ERROR, ControlFrame.NOBODY, "defect: " + cause);
  }

  /** Words the failure of a child or the parent. */
  EndReason failure(PeerException e, Roster roster, @Nullable Uplink above) {
    if (e.child() == PeerException.PARENT) {
      return failure(e.code(), ControlFrame.NOBODY, above + ": " + e.getMessage());
    }
    SwitchChild member = roster.members.get(e.child());
    return failure(e.code(), member.rank(), member + ": " + e.getMessage());
  }

  /** Words the leave of a member, which is no failure if no operation is unfinished. */
  EndReason leaving(SwitchChild member, boolean orderly) {
    String text = site.text(member + " has left");
    return new EndReason(ResultCode.REMOTE_ERROR, member.rank(), text, orderly);
  }

  /** Refuses a member. */
  void refuse(SwitchChild member, EndReason why) {
    site.counters().refusals.increment();
    member.say(new ControlFrame.Refuse(why.code(), why.text()));
    member.gone = true;
    member.link.close();
    log(member + " is refused: " + why.text());
  }

  /** Notes why the group ends; the first reason counts. */
  void note(EndReason why) {
    if (ending != null) {
      return;
    }
    ending = why;
    if (why.orderly()) {
      log(why.text());
    } else {
      site.counters().failures.increment();
      site.logger().warn(HERE, "switch " + site.name() + ": " + group + " fails: " + why.text());
    }
  }

  /** Returns why the group ends; null: it does not. */
  @Nullable EndReason ending() {
    return ending;
  }

  void log(String what) {
    site.logger()
        .info(LogSubsystem.COLL, HERE, "switch " + site.name() + ": " + group + ": " + what);
  }
}
