// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.scene.ForeignTokens;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.TestedNet;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls on a connection that the plugin has to refuse, each with memory that nothing else uses: a
 * plugin that takes part of what it refuses is found by what comes next. One thread.
 */
final class RefusedCalls {
  private static final long SIZE = 64;

  private record NoSend() implements SendComm {}

  private record NoRecv() implements RecvComm {}

  private record NoRequest() implements Request {}

  private record NoContext() implements NetContext {}

  private final NetSession session;
  private final NetConnection connection;
  private final GuardedArea area;
  private final MemoryHandle from;
  private final MemoryHandle to;

  RefusedCalls(NetSession session, NetConnection connection) {
    this.session = session;
    this.connection = connection;
    this.area = session.area(SIZE);
    this.from = connection.registerSend(area);
    this.to = connection.registerRecv(area);
  }

  /**
   * Makes a call.
   *
   * @param tag one that the connection may use
   * @param oldest the oldest receive in flight; null where there is none
   * @param pieces how many pieces that has
   * @param dead a context that was finalized; null where there is none
   */
  void make(
      WrongCall call, int tag, @Nullable Request oldest, int pieces, @Nullable NetContext dead) {
    TestedNet sender = connection.sender();
    TestedNet receiver = connection.receiver();
    SendComm send = connection.send();
    RecvComm recv = connection.recv();
    switch (call) {
      case SEND_OUTSIDE -> starts(call, () -> sender.isend(send, from, 1, SIZE, tag));
      case RECV_OUTSIDE -> receive(call, session.maxRecvs(), to, 1, tag);
      case RECV_TOO_MANY -> receive(call, session.maxRecvs() + 1, to, 0, tag);
      case FLUSH_OUTSIDE ->
          refused(
              call,
              () ->
                  receiver.iflush(
                      recv, 1, new MemoryHandle[] {to}, new long[] {1}, new long[] {SIZE}));
      case SEND_DEAD_HANDLE ->
          starts(call, () -> sender.isend(send, dead(sender, true), 0, SIZE, tag));
      case RECV_DEAD_HANDLE -> receive(call, 1, dead(receiver, false), 0, tag);
      case DEREG_TWICE -> {
        MemoryHandle sending = dead(sender, true);
        MemoryHandle receiving = dead(receiver, false);
        refused(call, () -> sender.deregMr(send, sending));
        refused(call, () -> receiver.deregMr(recv, receiving));
      }
      case REG_OTHER_TYPE -> otherType(call);
      case TEST_SHORT_SIZES -> {
        if (oldest != null) {
          refused(call, () -> receiver.test(oldest, new int[pieces - 1]));
        }
      }
      case TEST_FOREIGN -> {
        refused(call, () -> sender.test(new NoRequest(), new int[1]));
        refused(call, () -> receiver.test(new NoRequest(), new int[1]));
      }
      case CLOSE_FOREIGN -> {
        refused(call, () -> sender.closeSend(new NoSend()));
        refused(call, () -> receiver.closeRecv(new NoRecv()));
      }
      case LISTEN_NO_DEVICE ->
          refused(call, () -> receiver.listen(session.devices(), session.handle()));
      case LISTEN_SHORT_BUFFER -> {
        MemorySegment handle = session.handle();
        refused(call, () -> receiver.listen(0, handle.asSlice(0, handle.byteSize() - 8)));
      }
      case CONNECT_NO_DEVICE -> refused(call, () -> sender.connect(-1, session.handle()));
      case FINALIZE_DEAD -> context(call, dead == null ? new NoContext() : dead);
      case DENIED -> denied(call, oldest);
    }
  }

  private MemoryHandle dead(TestedNet net, boolean sending) {
    MemoryHandle handle = sending ? connection.registerSend(area) : connection.registerRecv(area);
    session.run(
        "NET-REG-07",
        "deregMr",
        () -> net.deregMr(sending ? connection.send() : connection.recv(), handle));
    return handle;
  }

  /** All pieces but the last one are in order. */
  private void receive(WrongCall call, int n, MemoryHandle last, long offset, int tag) {
    MemoryHandle[] mrs = new MemoryHandle[n];
    Arrays.fill(mrs, to);
    mrs[n - 1] = last;
    long[] offsets = new long[n];
    offsets[n - 1] = offset;
    long[] lengths = new long[n];
    lengths[n - 1] = SIZE; // the others have no room, so that pieces do not overlap
    int[] tags = new int[n];
    Arrays.fill(tags, tag);
    starts(
        call, () -> connection.receiver().irecv(connection.recv(), n, mrs, offsets, lengths, tags));
  }

  private void otherType(WrongCall call) {
    if (PointerType.CUDA.in(session.properties(0).ptrSupport())) {
      return;
    }
    Memory other = Memory.ofDevice(area.segment().address(), SIZE, PointerType.CUDA);
    refused(call, () -> connection.sender().regMr(connection.send(), other));
    refused(call, () -> connection.receiver().regMr(connection.recv(), other));
  }

  private void context(WrongCall call, NetContext dead) {
    TestedNet.Newest newest = session.newest();
    refused(call, () -> newest.net().finalizeContext(dead));
    refused(call, () -> newest.net().listen(dead, 0, session.handle()));
  }

  private void denied(WrongCall call, @Nullable Request oldest) {
    var net = session.newest().net();
    if (!net.supports(OptionalOperation.GET_DEVICE_MR)) {
      refused(call, () -> net.getDeviceMr(connection.recv(), to), ResultCode.INVALID_USAGE);
    }
    if (!net.supports(OptionalOperation.IRECV_CONSUMED) && oldest != null) {
      refused(
          call, () -> net.irecvConsumed(connection.recv(), 1, oldest), ResultCode.INVALID_USAGE);
    }
    if (!net.supports(OptionalOperation.MAKE_VDEVICE)) {
      refused(call, () -> net.makeVDevice(new VirtualDevice(List.of(0))), ResultCode.INVALID_USAGE);
    }
  }

  private void refused(WrongCall call, Runnable made) {
    refused(call, made, ResultCode.INVALID_ARGUMENT);
  }

  private void refused(WrongCall call, Runnable made, ResultCode code) {
    NetException refusal = new ForeignTokens.Call(call.text(), made).refused();
    if (refusal == null) {
      throw new RuleViolation(call.rule(), ErrorText.of("%s succeeded", call.text()));
    }
    session.code(call.rule(), call.text(), refusal, code);
  }

  /** A plugin without room may answer null before it looks at the arguments. */
  private void starts(WrongCall call, Supplier<@Nullable Request> made) {
    boolean[] full = new boolean[1];
    NetException refusal =
        new ForeignTokens.Call(call.text(), () -> full[0] = made.get() == null).refused();
    if (refusal == null && !full[0]) {
      throw new RuleViolation(call.rule(), ErrorText.of("%s succeeded", call.text()));
    }
    if (refusal != null) {
      session.code(call.rule(), call.text(), refusal, ResultCode.INVALID_ARGUMENT);
    }
  }
}
