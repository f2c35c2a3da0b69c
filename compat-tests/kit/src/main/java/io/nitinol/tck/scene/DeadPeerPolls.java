// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.TestedNet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Polls the end of a connection whose other end's process is gone. */
public final class DeadPeerPolls {
  private static final long LENGTH = 4096;

  private DeadPeerPolls() {}

  /** Sends small messages one after the other: some may still be taken, but not for ever. */
  public static BooleanSupplier sending(NetSession session, SendComm comm) {
    TestedNet net = session.net();
    long length = session.cut(LENGTH);
    GuardedArea area = session.area(length);
    MemoryHandle mr = session.step("NET-REG-05", "regMr", () -> net.regMr(comm, area.memory()));
    @Nullable Request[] request = new Request[1];
    return () -> {
      Request under = request[0];
      if (under == null) {
        request[0] = net.isend(comm, mr, 0, length, 0);
      } else if (net.test(under, null)) {
        request[0] = null;
      }
      return false;
    };
  }

  /** Tests a send, which may complete or fail. */
  public static BooleanSupplier testing(NetSession session, Request send) {
    return () -> session.net().test(send, null);
  }

  /** Posts a receive that no peer is left to send for. */
  public static BooleanSupplier receiving(NetSession session, RecvComm comm) {
    TestedNet net = session.net();
    long length = session.cut(LENGTH);
    GuardedArea area = session.area(length);
    MemoryHandle mr = session.step("NET-REG-05", "regMr", () -> net.regMr(comm, area.memory()));
    @Nullable Request[] request = new Request[1];
    return () -> {
      if (request[0] == null) {
        request[0] =
            net.irecv(
                comm, 1, new MemoryHandle[] {mr}, new long[1], new long[] {length}, new int[1]);
      }
      Request under = request[0];
      if (under != null && net.test(under, null)) {
        throw neverSent("a receive for which nothing was sent");
      }
      return false;
    };
  }

  /** Tests a receive for which nothing, or not all, was sent. */
  public static BooleanSupplier receiving(NetSession session, String what, Request request) {
    return () -> {
      if (session.net().test(request, null)) {
        throw neverSent(what);
      }
      return false;
    };
  }

  /** Tests a receive of a message that may or may not have come through: whole or not at all. */
  public static BooleanSupplier receivingWhole(
      NetSession session, Request request, String what, GuardedArea room, long length, long seed) {
    TestedNet net = session.net();
    int[] sizes = {-1};
    return () -> {
      if (!net.test(request, sizes)) {
        return false;
      }
      if (sizes[0] != length) {
        throw new RuleViolation(
            "NET-ERR-09",
            what + " of " + length + " bytes was reported complete with " + sizes[0] + " bytes");
      }
      long wrong = room.firstDifference(0, length, seed);
      if (wrong >= 0) {
        throw new RuleViolation(
            "NET-ERR-09",
            what + " of " + length + " bytes was reported complete but is wrong at byte " + wrong);
      }
      return true;
    };
  }

  private static RuleViolation neverSent(String what) {
    return new RuleViolation(
        "NET-ERR-09", what + " was reported complete after the peer's process had ended");
  }
}
