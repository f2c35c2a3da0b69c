// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.toolkit.control.ControlLoop;
import java.util.function.Predicate;

/** The messages of rallies, which are sent and heard after failures too. */
final class RallyMessages implements Rally.Messages {
  private final ControlLoop loop;
  private final Mailbox mailbox;
  private final Member member;

  RallyMessages(ControlLoop loop, Mailbox mailbox, Member member) {
    this.loop = loop;
    this.mailbox = mailbox;
    this.member = member;
  }

  @Override
  public void send(int peer, byte[] body) {
    mailbox.force(peer, Frame.HEADER_BYTES + body.length);
    Frame frame = new Frame(FrameType.RALLY, 0, body);
    loop.execute(() -> member.sendAnyway(peer, frame));
  }

  @Override
  public byte[] take(int peer, Predicate<byte[]> wanted, long deadline, String what) {
    return mailbox.takeRally(peer, wanted, deadline, what);
  }
}
