// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.PointerType;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.scene.AllReduce;
import io.nitinol.tck.session.CollGroup;
import io.nitinol.tck.session.CollJoining;
import io.nitinol.tck.session.CollSession;
import io.nitinol.tck.session.TestedCollNet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Instances and versions of a CollNet, and the handles that their members exchange. */
public final class CollInstanceRules {

  @Rule("NET-INIT-05")
  void aSecondInstanceWorksBesideTheFirst(CollSession session) {
    CollGroup first = session.connect(2);
    AllReduce.once(session, first);
    TestedCollNet second = session.another();
    try {
      AllReduce.once(session, session.connect(session.listeners(List.of(second, second))));
      AllReduce.once(session, first);
    } catch (RuleViolation e) {
      throw session.broken("with two instances in the process: " + e.getMessage());
    }
  }

  @Rule("NET-INIT-05")
  void membersOfTwoInstancesReduce(CollSession session) {
    AllReduce.once(session, session.connect(3));
    TestedCollNet second = session.another();
    try {
      AllReduce.once(
          session, session.connect(session.listeners(List.of(session.net(), second, second))));
    } catch (RuleViolation e) {
      throw session.broken("a group with members of two instances: " + e.getMessage());
    }
  }

  @Rule("NET-CONN-04")
  void handlesWorkAsPlainBytes(CollSession session) {
    // Every member has copies of its own, at other addresses: nothing else may be passed.
    CollGroup group = session.connect(3);
    AllReduce.once(session, group);
  }

  @Rule("NET-DEV-09")
  void commsThatArePromisedExist(CollSession session) {
    int most = Math.min(session.properties(0).maxComms(), session.full() ? 500 : 32);
    session.connect(2);
    try {
      for (int comms = 2; comms + 2 <= most; comms += 2) {
        session.connect(2);
      }
    } catch (RuleViolation e) {
      throw session.broken(
          "maxComms is " + session.properties(0).maxComms() + ", and " + e.getMessage());
    }
  }

  @Rule("NET-MEM-02")
  void handlesAreForgottenAfterConnect(CollSession session) {
    AllReduce.once(session, session.connect(2));
    CollJoining joining;
    try (Arena gone = Arena.ofShared()) {
      joining = CollJoining.ofCopies(session, session.listeners(2), handle -> copy(gone, handle));
      joining.await(session.terms().patience().nanos());
    }
    // From here on a read of a handle throws in the plugin.
    CollGroup group = session.joined(joining);
    try {
      AllReduce.once(session, group);
      group.close();
    } catch (RuleViolation e) {
      throw session.broken("after the handles of connect had been freed: " + e.getMessage());
    }
  }

  private static MemorySegment copy(Arena arena, MemorySegment handle) {
    return arena.allocate(handle.byteSize(), 8).copyFrom(handle);
  }

  @Rule(value = "COLL-V5-01", needs = Need.V5_ONLY)
  void versionFiveHasNoDmaBufs(CollSession session) {
    for (int device = 0; device < session.devices(); device++) {
      int mask = session.properties(device).ptrSupport();
      session.check(
          !PointerType.DMABUF.in(mask),
          "ptrSupport of device %d is 0x%x, with DMABUF",
          device,
          mask);
    }
    AllReduce.once(session, session.connect(2));
  }

  @Rule(value = "COLL-V4-01", needs = Need.V4_ONLY)
  void versionFourHasSmallHandles(CollSession session) {
    for (int device = 0; device < session.devices(); device++) {
      int mask = session.properties(device).ptrSupport();
      session.check(
          !PointerType.DMABUF.in(mask),
          "ptrSupport of device %d is 0x%x, with DMABUF",
          device,
          mask);
    }
    // On the direct lane the kit's buffers have 64 bytes: no more is there for the plugin to use.
    AllReduce.once(session, session.connect(3));
  }
}
