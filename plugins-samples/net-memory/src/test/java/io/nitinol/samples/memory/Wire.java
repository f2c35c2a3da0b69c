// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v6.Net;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** One connection between two instances of the plugin, with memory registered at both ends. */
final class Wire implements AutoCloseable {
  static final int SIZE = 1 << 20;

  final Log log = new Log();
  final MemoryNet sender = net(log);
  final MemoryNet receiver = net(log);
  final Arena arena = Arena.ofShared();
  final MemorySegment from = arena.allocate(SIZE);
  final MemorySegment into = arena.allocate(SIZE);
  final MemorySegment handle = arena.allocate(Net.HANDLE_MAXSIZE);
  final ListenComm listener = receiver.listen(0, handle);
  final SendComm send;
  final RecvComm recv;
  final MemoryHandle sendMr;
  final MemoryHandle recvMr;

  Wire() {
    SendComm[] s = new SendComm[1];
    RecvComm[] r = new RecvComm[1];
    connect(s, r);
    send = s[0];
    recv = r[0];
    sendMr = sender.regMr(send, Memory.ofHost(from));
    recvMr = receiver.regMr(recv, Memory.ofHost(into));
    for (int i = 0; i < SIZE; i++) {
      from.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + (i >> 8)));
    }
  }

  static MemoryNet net(DebugLogger logger) {
    MemoryNet net = new MemoryNet();
    net.init(logger);
    return net;
  }

  MemorySegment copy() {
    return arena.allocate(Net.HANDLE_MAXSIZE).copyFrom(handle);
  }

  /** Makes one more connection. */
  void connect(SendComm[] s, RecvComm[] r) {
    MemorySegment copy = copy();
    await(() -> {
      s[0] = s[0] == null ? sender.connect(0, copy) : s[0];
      r[0] = r[0] == null ? receiver.accept(listener) : r[0];
      return s[0] != null && r[0] != null;
    });
  }

  Request isend(int offset, int length, int tag) {
    Request[] s = new Request[1];
    await(() -> (s[0] = sender.isend(send, sendMr, offset, length, tag)) != null);
    return s[0];
  }

  Request irecv(int offset, int room, int tag) {
    return irecv(new int[] {offset}, room, new int[] {tag});
  }

  Request irecv(int[] at, int room, int[] tags) {
    MemoryHandle[] mrs = new MemoryHandle[at.length];
    long[] offsets = new long[at.length];
    long[] lengths = new long[at.length];
    for (int i = 0; i < at.length; i++) {
      mrs[i] = recvMr;
      offsets[i] = at[i];
      lengths[i] = room;
    }
    return receiver.irecv(recv, at.length, mrs, offsets, lengths, tags);
  }

  /** Tests the receive and all sends in turn until each has completed, once. */
  void finish(Request receive, int[] sizes, Request... sends) {
    List<Request> left = new ArrayList<>(List.of(sends));
    boolean[] received = new boolean[1];
    await(() -> {
      left.removeIf(s -> sender.test(s, null));
      received[0] = received[0] || receiver.test(receive, sizes);
      return received[0] && left.isEmpty();
    });
  }

  static ResultCode failure(BooleanSupplier call) {
    return catchThrowableOfType(NetException.class, () -> await(call)).result();
  }

  static void invalid(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            NetException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_ARGUMENT));
  }

  static void invalidCall(Callable<?> call) {
    invalid(call::call);
  }

  /** Asks until the answer is true. */
  static void await(BooleanSupplier done) {
    while (!done.getAsBoolean()) {
      assertThat(Thread.currentThread().isInterrupted()).as("out of time").isFalse();
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    receiver.closeListen(listener);
    arena.close();
  }

  /** Keeps what the plugin logs. */
  static final class Log implements DebugLogger {
    final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public boolean isEnabled(LogLevel level, long subsystems) {
      return true;
    }

    @Override
    public void log(LogLevel level, long subsystems, String location, int line, String message) {
      lines.add(level + " " + location + ": " + message);
    }
  }
}
