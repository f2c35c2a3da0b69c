// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.scene.ForeignTokens;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * A message that is longer than its piece, on a connection with nothing under way. Its receive
 * fails, and with it the connection (NET-RECV-06, NET-RECV-07).
 */
final class FailedReceive {
  static final int ROOM = 64;
  static final int LENGTH = 96;
  private static final byte BLANK = 0x3C;

  private final NetSession session;
  private final NetConnection connection;
  private final GuardedArea area;
  private final int tag;
  private boolean sendEnded;
  private @Nullable Request sending;

  FailedReceive(NetSession session, NetConnection connection, GuardedArea area, int tag) {
    this.session = session;
    this.connection = connection;
    this.area = area;
    this.tag = tag;
    area.set(BLANK);
  }

  void play() {
    MemoryHandle from = connection.registerSend(session.area(LENGTH));
    MemoryHandle to = connection.registerRecv(area);
    Request receiving = connection.irecv(to, 0, ROOM, tag);
    session.await(
        "NET-RECV-06",
        "the failure of a receive whose message is too long",
        () -> {
          send(from);
          return hasFailed(receiving);
        });
    for (long at = ROOM; at < area.size(); at++) {
      session.require(
          "NET-RECV-06",
          area.segment().get(ValueLayout.JAVA_BYTE, at) == BLANK,
          "a message of %d bytes changed byte %d, behind its piece of %d bytes",
          LENGTH,
          at,
          ROOM);
    }
  }

  /** The sender may see its send complete, or fail (NET-RECV-07). */
  private void send(MemoryHandle from) {
    if (sendEnded) {
      return;
    }
    NetException failure =
        new ForeignTokens.Call(
                "a send that is longer than its piece",
                () -> {
                  if (sending == null) {
                    sending = connection.sender().isend(connection.send(), from, 0, LENGTH, tag);
                  } else {
                    sendEnded = connection.sender().test(sending, null);
                  }
                })
            .refused();
    if (failure != null) {
      sendEnded = true;
      session.code(
          "NET-RECV-07",
          "a send that is longer than its piece",
          failure,
          ResultCode.INVALID_USAGE,
          ResultCode.REMOTE_ERROR);
    }
  }

  private boolean hasFailed(Request receiving) {
    boolean[] done = new boolean[1];
    NetException failure =
        new ForeignTokens.Call(
                "test of a receive whose message is too long",
                () -> done[0] = connection.receiver().test(receiving, new int[1]))
            .refused();
    if (failure != null) {
      session.code(
          "NET-RECV-06",
          "test of a receive whose message is too long",
          failure,
          ResultCode.INVALID_USAGE);
      return true;
    }
    if (done[0]) {
      throw new RuleViolation(
          "NET-RECV-06",
          ErrorText.of("a message of %s bytes is complete in a piece of %s bytes", LENGTH, ROOM));
    }
    return false;
  }
}
