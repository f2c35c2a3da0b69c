// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.check.Inapplicable;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.TestedNet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One set of all tokens that a plugin gets back, and the calls that get one token of another set
 * each.
 *
 * @param listener a listener
 * @param send a sending end
 * @param recv a receiving end
 * @param sendMr memory of the sending end
 * @param recvMr memory of the receiving end
 * @param request a request
 */
public record ForeignTokens(
    @Nullable ListenComm listener,
    @Nullable SendComm send,
    @Nullable RecvComm recv,
    @Nullable MemoryHandle sendMr,
    @Nullable MemoryHandle recvMr,
    @Nullable Request request) {

  private static final long LENGTH = 64;

  private record ForeignListener() implements ListenComm {}

  private record ForeignSend() implements SendComm {}

  private record ForeignRecv() implements RecvComm {}

  private record ForeignMemory() implements MemoryHandle {}

  private record ForeignRequest() implements Request {}

  /** A call that a right plugin refuses, with its description. */
  public record Call(String what, Runnable call) {

    /**
     * Makes the call and takes any failure of the right kind.
     *
     * @throws RuleViolation of NET-ERR-01 when something else than a NetException comes
     * @return the exception; null when the call went through
     */
    public @Nullable NetException refused() {
      try {
        call.run();
        return null;
      } catch (NetException e) {
        return e;
      } catch (Inapplicable | RuleViolation e) {
        throw e;
      } catch (Throwable e) {
        throw new RuleViolation(
            "NET-ERR-01", what + " threw " + e + " instead of a NetException", e);
      }
    }
  }

  /** Returns tokens that are all null. */
  public static ForeignTokens none() {
    return new ForeignTokens(null, null, null, null, null, null);
  }

  /** Returns tokens of the kit's own classes. */
  public static ForeignTokens foreign() {
    return new ForeignTokens(
        new ForeignListener(),
        new ForeignSend(),
        new ForeignRecv(),
        new ForeignMemory(),
        new ForeignMemory(),
        new ForeignRequest());
  }

  /** Opens everything on the instance; the request is a receive in flight. */
  public static ForeignTokens of(NetSession session, TestedNet net) {
    NetListening listening = session.listen(net, 0);
    NetConnection connection = session.connect(net, 0, listening);
    return of(session, listening, connection);
  }

  /** Registers and receives on a connection. */
  public static ForeignTokens of(
      NetSession session, NetListening listening, NetConnection connection) {
    GuardedArea area = session.area(4096);
    MemoryHandle sendMr = connection.registerSend(area);
    MemoryHandle recvMr = connection.registerRecv(area);
    return new ForeignTokens(
        listening.comm(),
        connection.send(),
        connection.recv(),
        sendMr,
        recvMr,
        connection.irecv(recvMr, 0, session.cut(LENGTH), 0));
  }

  /**
   * Returns every call that takes tokens, each with one of {@code others} among ones of this set,
   * which are of the instance.
   */
  @SuppressWarnings("NullAway") // a null where none is allowed is what these calls are about
  public List<Call> callsWith(
      NetSession session, TestedNet net, ForeignTokens others, String kind) {
    long length = session.cut(LENGTH);
    List<Call> calls = new ArrayList<>();
    calls.add(new Call("accept on " + kind + " listener", () -> net.accept(others.listener)));
    calls.add(
        new Call(
            "regMr with " + kind + " send comm",
            () -> net.regMr(others.send, session.area(64).memory())));
    calls.add(
        new Call(
            "regMr with " + kind + " recv comm",
            () -> net.regMr(others.recv, session.area(64).memory())));
    calls.add(
        new Call(
            "deregMr with " + kind + " memory handle", () -> net.deregMr(send, others.sendMr)));
    calls.add(new Call("deregMr with " + kind + " comm", () -> net.deregMr(others.send, sendMr)));
    calls.add(
        new Call("isend on " + kind + " comm", () -> net.isend(others.send, sendMr, 0, length, 0)));
    calls.add(
        new Call(
            "isend from " + kind + " memory handle",
            () -> net.isend(send, others.sendMr, 0, length, 0)));
    calls.add(
        new Call("irecv on " + kind + " comm", () -> irecv(net, others.recv, recvMr, length)));
    calls.add(
        new Call(
            "irecv into " + kind + " memory handle",
            () -> irecv(net, recv, others.recvMr, length)));
    calls.add(
        new Call("iflush on " + kind + " comm", () -> iflush(net, others.recv, recvMr, length)));
    calls.add(
        new Call(
            "iflush of " + kind + " memory handle",
            () -> iflush(net, recv, others.recvMr, length)));
    calls.add(new Call("test of " + kind + " request", () -> net.test(others.request, null)));
    calls.add(new Call("closeSend of " + kind + " comm", () -> net.closeSend(others.send)));
    calls.add(new Call("closeRecv of " + kind + " comm", () -> net.closeRecv(others.recv)));
    calls.add(
        new Call("closeListen of " + kind + " listener", () -> net.closeListen(others.listener)));
    return calls;
  }

  private static void irecv(TestedNet net, RecvComm comm, MemoryHandle mr, long length) {
    net.irecv(comm, 1, new MemoryHandle[] {mr}, new long[] {0}, new long[] {length}, new int[] {0});
  }

  private static void iflush(TestedNet net, RecvComm comm, MemoryHandle mr, long length) {
    net.iflush(comm, 1, new MemoryHandle[] {mr}, new long[] {0}, new long[] {length});
  }

  /** Returns the code that a refusal has to have. */
  public static ResultCode expected() {
    return ResultCode.INVALID_ARGUMENT;
  }
}
