// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.scene.AllReduce;
import io.nitinol.tck.scene.ForeignTokens;
import io.nitinol.tck.session.CollGroup;
import io.nitinol.tck.session.CollListening;
import io.nitinol.tck.session.CollMember;
import io.nitinol.tck.session.CollOperation;
import io.nitinol.tck.session.CollSession;
import io.nitinol.tck.session.Reduction;
import io.nitinol.tck.session.TestedCollNet;
import io.nitinol.tck.session.TypeAndOp;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How CollNets refuse a listener, comm, memory handle or request that is not theirs. */
public final class CollTokenRules {
  private static final int ROOM = 256;

  private record ForeignTokens(
      @Nullable ListenComm listener,
      @Nullable CollComm comm,
      @Nullable MemoryHandle mr,
      @Nullable Request request) {}

  private record OtherListener() implements ListenComm {}

  private record OtherComm() implements CollComm {}

  private record OtherMemory() implements MemoryHandle {}

  private record OtherRequest() implements Request {}

  private static final ForeignTokens NONE = new ForeignTokens(null, null, null, null);
  private static final ForeignTokens FOREIGN =
      new ForeignTokens(
          new OtherListener(), new OtherComm(), new OtherMemory(), new OtherRequest());

  @Rule("NET-ERR-01")
  void whatIsRefusedIsRefusedByANetException(CollSession session) {
    CollGroup group = session.connect(2);
    for (ForeignTokens tokens : List.of(NONE, FOREIGN)) {
      calls(session, group.member(0), tokens)
          .forEach((what, call) -> {
            try {
              call.run();
            } catch (NetException e) {
              // The right kind; which code is another rule's matter.
            } catch (RuleViolation e) {
              throw e;
            } catch (Throwable e) {
              throw session.broken(what + " threw " + e + ", expected a NetException");
            }
          });
    }
  }

  @Rule("NET-ERR-02")
  void noTokensAreRefused(CollSession session) {
    refused(session, session.connect(2), NONE, "null");
  }

  @Rule("NET-ERR-02")
  void foreignTokensAreRefused(CollSession session) {
    refused(session, session.connect(2), FOREIGN, "foreign");
  }

  @Rule("NET-ERR-02")
  void tokensOfAnotherInstanceAreRefused(CollSession session) {
    TestedCollNet another = session.another();
    List<CollListening> listeners = session.listeners(List.of(another, another));
    CollGroup theirs = session.connect(listeners);
    CollMember member = theirs.member(0);
    MemoryHandle mr = member.register(session.area(ROOM));
    CollOperation operation = member.submit(reduction(session, mr));
    session.await(
        "COLL-11",
        "room for an operation",
        () -> {
          member.startNext();
          return operation.isStarted();
        });
    ForeignTokens tokens =
        new ForeignTokens(
            session.listen(another, 0).comm(), member.comm(), mr, operation.request());
    refused(session, session.connect(2), tokens, "another instance's");
  }

  private static void refused(
      CollSession session, CollGroup group, ForeignTokens tokens, String kind) {
    calls(session, group.member(0), tokens)
        .forEach(
            (what, call) -> session.expect(what + ", " + kind, call, ResultCode.INVALID_ARGUMENT));
  }

  @Rule("NET-ERR-03")
  void refusedCallsLeaveTheCommAlone(CollSession session) {
    CollGroup group = session.connect(2);
    AllReduce.once(session, group);
    for (ForeignTokens tokens : List.of(NONE, FOREIGN)) {
      calls(session, group.member(0), tokens)
          .forEach((what, call) -> invalid("NET-ERR-02", what, call));
    }
    CollMember member = group.member(0);
    MemoryHandle mr = member.register(session.area(ROOM));
    TypeAndOp pair = session.pair();
    invalid(
        "COLL-15",
        "iallreduce beyond its registration",
        () -> member.iallreduce(new Reduction(mr, 0, mr, ROOM, 1, pair)));
    try {
      AllReduce.once(session, group);
    } catch (RuleViolation e) {
      throw session.broken(
          "after calls that were INVALID_ARGUMENT the comm does not work: " + e.getMessage());
    }
  }

  /** Makes a call with a wrong token; a different answer breaks the rule about that call. */
  private static void invalid(String rule, String what, Runnable call) {
    try {
      call.run();
    } catch (NetException e) {
      if (e.result() == ResultCode.INVALID_ARGUMENT) {
        return;
      }
    } catch (RuntimeException e) {
      throw new RuleViolation("NET-ERR-01", what + " threw " + e, e);
    }
    throw new RuleViolation(rule, what + " is not INVALID_ARGUMENT");
  }

  private static Reduction reduction(CollSession session, MemoryHandle mr) {
    TypeAndOp pair = session.pair();
    return new Reduction(mr, 0, mr, 0, session.cutCount(pair, 4), pair);
  }

  /** Returns every call that takes tokens, each with one of these among ones of the member. */
  @SuppressWarnings("NullAway") // a null where none is allowed is what these calls are about
  private static Map<String, Runnable> calls(
      CollSession session, CollMember member, ForeignTokens other) {
    TestedCollNet net = member.net();
    CollComm comm = member.comm();
    MemoryHandle mr = member.register(session.area(ROOM));
    TypeAndOp pair = session.pair();
    long count = session.cutCount(pair, 4);
    MemorySegment[] handles = {session.listen(net, 0).handle()};
    Map<String, Runnable> calls = new LinkedHashMap<>();
    calls.put("connect with a wrong listener", () -> net.connect(handles, 1, 0, other.listener));
    calls.put("regMr with a wrong comm", () -> net.regMr(other.comm, session.area(ROOM).memory()));
    calls.put("deregMr with a wrong comm", () -> net.deregMr(other.comm, mr));
    calls.put("deregMr of a wrong memory handle", () -> net.deregMr(comm, other.mr));
    calls.put(
        "iallreduce with a wrong comm",
        () -> net.iallreduce(other.comm, mr, 0, mr, 0, count, pair.type(), pair.op()));
    calls.put(
        "iallreduce from a wrong memory handle",
        () -> net.iallreduce(comm, other.mr, 0, mr, 0, count, pair.type(), pair.op()));
    calls.put(
        "iallreduce into a wrong memory handle",
        () -> net.iallreduce(comm, mr, 0, other.mr, 0, count, pair.type(), pair.op()));
    calls.put("iflush with a wrong comm", () -> net.iflush(other.comm, mr, 0, 8));
    calls.put("iflush of a wrong memory handle", () -> net.iflush(comm, other.mr, 0, 8));
    calls.put("test of a wrong request", () -> net.test(other.request, null));
    calls.put("closeColl of a wrong comm", () -> net.closeColl(other.comm));
    calls.put("closeListen of a wrong listener", () -> net.closeListen(other.listener));
    return calls;
  }
}
