// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.nitinol.core.plugin.ValidationMode;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetAttributes;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each mistake of a caller, over a plugin that answers as it should, is found by its rule. */
class CallerMistakesTest {
  private final ValidatedPair pair = new ValidatedPair();
  private final ValidatingNet net = pair.net;

  private final NetContext context = pair.context;

  @AfterEach
  void close() {
    pair.close();
  }

  private void found(String... rules) {
    pair.found(Party.CALLER, rules);
  }

  @Test
  void init01TwoAtOnce() {
    NetContext[] inner = new NetContext[1];
    ValidatingNet[] fresh = new ValidatingNet[1];
    RightNet nested =
        new RightNet() {
          @Override
          public NetContext init(
              long commId,
              NetCommConfig config,
              DebugLogger logger,
              @Nullable NetProfiler profiler) {
            if (inner[0] == null) {
              inner[0] = super.init(commId, config, logger, profiler);
              ValidatedPair.init(fresh[0], pair.log);
            }
            return super.init(commId, config, logger, profiler);
          }
        };
    fresh[0] = new ValidatingNet(nested, 12, ValidationMode.REPORT, pair.log);
    ValidatedPair.init(fresh[0], pair.log);
    assertThat(fresh[0].violations().counts(Party.CALLER)).containsOnlyKeys("NET-INIT-01");
  }

  @Test
  void init10FinalizeWithOpenComms() {
    ValidatedPair.whateverHappens(() -> net.finalizeContext(context));
    found("NET-INIT-10");
  }

  @Test
  void init11ADeadContext() {
    NetContext other = ValidatedPair.init(net, pair.log);
    net.finalizeContext(other);
    found();
    for (ThrowableAssert.ThrowingCallable call :
        List.<ThrowableAssert.ThrowingCallable>of(
            () -> net.listen(other, 0, pair.handle()),
            () -> net.connect(other, 0, pair.handle(), new DeviceHandle[1]),
            () -> net.finalizeContext(other))) {
      assertThatThrownBy(call).isInstanceOf(NetException.class);
    }
    found("NET-INIT-11");
    assertThat(pair.counts()).containsEntry("NET-INIT-11", 3L);
  }

  @Test
  void init10HintsAboutADeadContext() {
    NetContext other = ValidatedPair.init(net, pair.log);
    net.finalizeContext(other);
    NetAttributes.Flows flows = new NetAttributes.Flows(1, 1, 1, 1);
    net.setNetAttr(other, new NetAttributes(flows, flows, -1, -1, -1));
    found("NET-INIT-10");
  }

  @Test
  void err02AForeignContext() {
    NetContext foreign = MemoryNet.context(new RightNet());
    assertThatThrownBy(() -> net.listen(foreign, 0, pair.handle()))
        .isInstanceOf(NetException.class);
    assertThatThrownBy(() -> net.finalizeContext(foreign)).isInstanceOf(NetException.class);
    found("NET-ERR-02");
  }

  @Test
  void opt01WhatIsNotSupported() {
    assertThatThrownBy(() -> net.makeVDevice(new VirtualDevice(List.of(0, 1))))
        .isInstanceOf(NetException.class);
    assertThatThrownBy(() -> net.irecvConsumed(pair.receive, 1, pair.irecv(0, 1)))
        .isInstanceOf(NetException.class);
    found("NET-OPT-01");
  }

  @Test
  void recv18UnknownHints() {
    ValidatedPair.poll(() ->
        net.irecv(
            pair.receive,
            1,
            new MemoryHandle[] {pair.targetMr},
            new long[1],
            new long[1],
            new int[1],
            null,
            6));
    found("NET-RECV-18");
  }

  @Test
  void init01NotAtAll() {
    ValidatingNet fresh = new ValidatingNet(new RightNet(), 6, ValidationMode.REPORT, pair.log);
    fresh.name();
    assertThat(fresh.violations().total()).isZero();
    fresh.devices();
    assertThat(fresh.violations().counts(Party.CALLER)).containsOnlyKeys("NET-INIT-01");
  }

  @Test
  void init02AfterAFailure() {
    RightNet failing =
        new RightNet() {
          @Override
          public NetContext init(
              long commId,
              NetCommConfig config,
              DebugLogger logger,
              @Nullable NetProfiler profiler) {
            throw new NetException(ResultCode.SYSTEM_ERROR, "no card");
          }
        };
    ValidatingNet fresh = new ValidatingNet(failing, 6, ValidationMode.REPORT, pair.log);
    assertThatThrownBy(() -> ValidatedPair.init(fresh, pair.log)).hasMessage("no card");
    fresh.devices();
    assertThat(fresh.violations().counts(Party.CALLER)).containsOnlyKeys("NET-INIT-02");
  }

  @Test
  void dev03NoSuchDevice() {
    for (int device : new int[] {-1, 2}) {
      assertThatThrownBy(() -> net.getProperties(device)).isInstanceOf(NetException.class);
      assertThatThrownBy(() -> net.listen(context, device, pair.handle()))
          .isInstanceOf(NetException.class);
      assertThatThrownBy(() -> net.connect(context, device, pair.handle(), new DeviceHandle[1]))
          .isInstanceOf(NetException.class);
    }
    found("NET-DEV-03");
    assertThat(pair.counts()).containsEntry("NET-DEV-03", 6L);
  }

  @Test
  void conn02HandleBuffersAreNativeAlignedAndZeroed() {
    net.listen(context, 0, MemorySegment.ofArray(new long[16]));
    net.listen(
        context, 0, pair.arena.allocate(Net.HANDLE_MAXSIZE + 8, 8).asSlice(4, Net.HANDLE_MAXSIZE));
    MemorySegment dirty = pair.handle();
    dirty.set(ValueLayout.JAVA_BYTE, 127, (byte) 1);
    net.listen(context, 0, dirty);
    found("NET-CONN-02");
    assertThat(pair.counts()).containsEntry("NET-CONN-02", 3L);
  }

  @Test
  void conn03ShortHandleBuffers() {
    assertThatThrownBy(() -> net.listen(context, 0, pair.arena.allocate(64, 8)))
        .isInstanceOf(NetException.class);
    assertThatThrownBy(
            () -> net.connect(context, 0, pair.arena.allocate(64, 8), new DeviceHandle[1]))
        .isInstanceOf(NetException.class);
    found("NET-CONN-03");
  }

  private MemorySegment attempt() {
    MemorySegment handle = pair.handle();
    net.listen(context, 0, handle);
    return handle;
  }

  @Test
  void conn05AnotherDevice() {
    MemorySegment handle = attempt();
    assertThat(net.connect(context, 0, handle, new DeviceHandle[1])).isNull();
    net.connect(context, 1, handle, new DeviceHandle[1]);
    found("NET-CONN-05");
  }

  @Test
  void conn05OtherMemory() {
    MemorySegment handle = attempt();
    assertThat(net.connect(context, 0, handle, new DeviceHandle[1])).isNull();
    net.connect(context, 0, pair.handle().copyFrom(handle), new DeviceHandle[1]);
    found("NET-CONN-05");
  }

  @Test
  void conn05ChangedHandle() {
    MemorySegment handle = attempt();
    assertThat(net.connect(context, 0, handle, new DeviceHandle[1])).isNull();
    handle.set(ValueLayout.JAVA_BYTE, 100, (byte) 1);
    net.connect(context, 0, handle, new DeviceHandle[1]);
    found("NET-CONN-05");
  }

  @Test
  void conn18AbandonedAttemptsAreNoMistake() {
    MemorySegment handle = attempt();
    byte[] fresh = handle.toArray(ValueLayout.JAVA_BYTE);
    MemorySegment other = attempt();
    assertThat(net.connect(context, 0, handle, new DeviceHandle[1])).isNull();
    handle.copyFrom(MemorySegment.ofArray(fresh));
    assertThat(net.connect(context, 1, handle, new DeviceHandle[1])).isNull();
    handle.copyFrom(other);
    assertThat(net.connect(context, 0, handle, new DeviceHandle[1])).isNull();
    assertThat(net.connect(context, 0, handle, new DeviceHandle[1])).isNotNull();
    found();
  }

  @Test
  void reg01MemoryThatOneThreadCanAccess() {
    try (Arena confined = Arena.ofConfined()) {
      net.regMr(pair.send, Memory.ofHost(confined.allocate(16)));
    }
    net.regMr(pair.send, Memory.ofHost(pair.arena.allocate(16).asSlice(0, 0)));
    found("NET-REG-01");
    assertThat(pair.counts()).containsEntry("NET-REG-01", 2L);
  }

  @Test
  void reg02AndReg11TypesThatAreNotDeclared() {
    Memory device = Memory.ofDevice(1L << 40, 4096, PointerType.CUDA);
    assertThatThrownBy(() -> net.regMr(pair.send, device)).isInstanceOf(NetException.class);
    assertThatThrownBy(() -> net.regMrDmaBuf(pair.send, device, 0, 1))
        .isInstanceOf(NetException.class);
    found("NET-REG-02", "NET-REG-11");
  }

  @Test
  void reg03TooMuch() {
    MemorySegment huge = MemorySegment.ofAddress(pair.source.address()).reinterpret(1L << 31);
    assertThatThrownBy(() -> net.regMr(pair.send, Memory.ofHost(huge)))
        .isInstanceOf(NetException.class);
    found("NET-REG-03");
  }

  @Test
  void reg06And07HandlesOfOthersAndDeadOnes() {
    assertThatThrownBy(() -> net.isend(pair.send, pair.targetMr, 0, 1, 0, 0))
        .isInstanceOf(NetException.class);
    net.deregMr(pair.send, pair.sourceMr);
    assertThatThrownBy(() -> net.isend(pair.send, pair.sourceMr, 0, 1, 0, 0))
        .isInstanceOf(NetException.class);
    assertThatThrownBy(() -> net.deregMr(pair.send, pair.sourceMr))
        .isInstanceOf(NetException.class);
    found("NET-REG-06", "NET-REG-07");
    assertThat(pair.counts()).containsEntry("NET-REG-07", 2L);
  }

  @Test
  void reg08OperationsGoOnAfterTheirMemoryWasDeregistered() {
    Request request = pair.isend(0, 16);
    net.deregMr(pair.send, pair.sourceMr);
    found();
    net.test(request, null);
    found("NET-REG-08");
  }

  @Test
  void reg08TearingDownIsNoMistake() {
    pair.isend(0, 16);
    pair.irecv(0, 16);
    net.deregMr(pair.send, pair.sourceMr);
    net.deregMr(pair.receive, pair.targetMr);
    net.closeSend(pair.send);
    net.closeRecv(pair.receive);
    found();
  }

  @Test
  void reg13AReceiveIntoReadOnlyMemory() {
    MemoryHandle mr = net.regMr(pair.receive, Memory.ofHost(pair.target.asReadOnly()));
    assertThatThrownBy(() -> receive(mr, 0, 16)).isInstanceOf(NetException.class);
    found("NET-REG-13");
  }

  private @Nullable Request receive(MemoryHandle mr, long offset, long length) {
    return net.irecv(
        pair.receive,
        1,
        new MemoryHandle[] {mr},
        new long[] {offset},
        new long[] {length},
        new int[1],
        null,
        0);
  }

  @Test
  void send05AndRecv16OutOfBounds() {
    long[][] wrong = {{-1, 1}, {0, -1}, {4096, 1}, {1, Long.MAX_VALUE}, {Long.MAX_VALUE, 2}};
    for (long[] piece : wrong) {
      assertThat(
              catchThrowable(() -> net.isend(pair.send, pair.sourceMr, piece[0], piece[1], 0, 0)))
          .isInstanceOf(NetException.class);
      assertThat(catchThrowable(() -> receive(pair.targetMr, piece[0], piece[1])))
          .isInstanceOf(NetException.class);
    }
    assertThat(pair.counts()).containsEntry("NET-SEND-05", 5L).containsEntry("NET-RECV-16", 5L);
  }

  @Test
  void send06TooLong() {
    try (ValidatedPair strict = new ValidatedPair(new RightNet(), ValidationMode.FAIL)) {
      // Nothing reads what is behind the end of the real memory, since the call is refused.
      MemorySegment large =
          MemorySegment.ofAddress(strict.source.address()).reinterpret(Integer.MAX_VALUE);
      MemoryHandle mr = strict.net.regMr(strict.send, Memory.ofHost(large));
      assertThatThrownBy(() -> strict.net.isend(strict.send, mr, 0, (1L << 30) + 1, 0, 0))
          .isInstanceOf(NetException.class)
          .hasMessageContaining("NET-SEND-06");
      strict.found(Party.CALLER, "NET-SEND-06");
    }
  }

  @Test
  void send09MemoryWrittenWhileItIsSent() {
    pair.irecv(0, 64);
    Request request = pair.isend(0, 64);
    pair.source.set(ValueLayout.JAVA_BYTE, 63, (byte) 99);
    pair.finish(request);
    pair.found(Party.EITHER, "NET-SEND-09");
  }

  @Test
  void recv05ThePieceWrittenBehindTheMessage() {
    Request request = pair.irecv(0, 2048);
    pair.finish(pair.isend(0, 64));
    pair.target.set(ValueLayout.JAVA_BYTE, 2047, (byte) 99);
    pair.finish(request, new int[1]);
    pair.found(Party.EITHER, "NET-RECV-05");
  }

  @Test
  void recv08TooManyPiecesAndShortArrays() {
    MemoryHandle[] two = {pair.targetMr, pair.targetMr};
    for (int n : new int[] {-1, 2, 3}) {
      assertThatThrownBy(
              () -> net.irecv(pair.receive, n, two, new long[2], new long[2], new int[2], null, 0))
          .isInstanceOf(NetException.class);
    }
    assertThatThrownBy(
            () -> net.irecv(pair.receive, 1, two, new long[0], new long[2], new int[2], null, 0))
        .isInstanceOf(NetException.class);
    found("NET-RECV-08");
    assertThat(pair.counts()).containsEntry("NET-RECV-08", 4L);
  }

  @Test
  void recv15ReceivesOverlap() {
    pair.irecv(0, 64);
    pair.irecv(64, 64);
    found();
    pair.irecv(127, 64);
    found("NET-RECV-15");
  }

  @Test
  void recv15AcrossComms() {
    MemoryHandle forSending = net.regMr(pair.send, Memory.ofHost(pair.target.asSlice(32, 64)));
    MemoryHandle more = net.regMr(pair.send, Memory.ofHost(pair.target.asSlice(90, 64)));
    pair.irecv(0, 64);
    ValidatedPair.poll(() -> net.isend(pair.send, more, 0, 64, 0, 0));
    found();
    ValidatedPair.poll(() -> net.isend(pair.send, forSending, 0, 32, 0, 0));
    found("NET-RECV-15");
  }

  @Test
  void send09SendsMayShareMemory() {
    Request first = pair.isend(0, 64);
    Request second = pair.isend(32, 64);
    Request in = pair.irecv(0, 64);
    pair.finish(first);
    pair.finish(second);
    pair.finish(in);
    pair.irecv(0, 64); // free again
    found();
  }

  @Test
  void test06DeadRequests() {
    Request in = pair.irecv(0, 64);
    Request out = pair.isend(0, 64);
    pair.finish(out);
    pair.finish(in);
    pair.isend(0, 64); // the plugin may use its object again
    assertThatThrownBy(() -> net.test(out, null)).isInstanceOf(NetException.class);
    found("NET-TEST-06");
  }

  @Test
  void test07NoRoomForTheSizes() {
    Request request = pair.isend(0, 64);
    assertThatThrownBy(() -> net.test(request, new int[0])).isInstanceOf(NetException.class);
    found("NET-TEST-07");
    pair.irecv(0, 64);
    pair.finish(request, new int[1]);
    found("NET-TEST-07");
  }

  @Test
  void close01ClosedTwiceAndUsedAfterwards() {
    Request request = pair.isend(0, 64);
    net.closeSend(pair.send);
    net.closeSend(pair.send);
    ValidatedPair.whateverHappens(() -> net.isend(pair.send, pair.sourceMr, 0, 64, 0, 0));
    ValidatedPair.whateverHappens(() -> net.test(request, null));
    net.closeListen(pair.listener);
    ValidatedPair.whateverHappens(() -> net.accept(pair.listener, new DeviceHandle[1]));
    assertThat(pair.counts()).containsEntry("NET-CLOSE-01", 4L);
  }

  @Test
  void err02TokensOfNobody() {
    ValidatedPair other = new ValidatedPair();
    MemoryHandle nobodys = new MemoryHandle() {};
    assertThatThrownBy(() -> net.isend(pair.send, nobodys, 0, 1, 0, 0))
        .isInstanceOf(NetException.class);
    ValidatedPair.whateverHappens(() -> net.test(new Request() {}, null));
    ValidatedPair.whateverHappens(() -> net.closeSend(new SendComm() {}));
    ValidatedPair.whateverHappens(() -> net.closeRecv(new RecvComm() {}));
    assertThat(net.violations().counts(Party.CALLER)).containsEntry("NET-ERR-02", 4L);
    other.close();
  }

  @Test
  void mem01MemoryFreedWhileItIsSent() {
    Arena shortLived = Arena.ofShared();
    MemoryHandle mr = net.regMr(pair.send, Memory.ofHost(shortLived.allocate(64)));
    Request request = ValidatedPair.poll(() -> net.isend(pair.send, mr, 0, 64, 0, 0));
    shortLived.close();
    ValidatedPair.whateverHappens(() -> net.test(request, null));
    found("NET-MEM-01");
  }

  @Test
  void mem01MemoryFreedBeforeTheCommIsClosed() {
    Arena shortLived = Arena.ofShared();
    net.regMr(pair.send, Memory.ofHost(shortLived.allocate(64)));
    shortLived.close();
    net.closeSend(pair.send);
    found("NET-MEM-01");
  }

  @Test
  void thread03TwoThreadsInOneComm() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    RightNet slow =
        new RightNet() {
          @Override
          public boolean test(Request request, int @Nullable [] sizes) {
            if (Thread.currentThread().getName().equals("stays")) {
              inside.countDown();
              await(leave);
            }
            return super.test(request, sizes);
          }
        };
    try (ValidatedPair crowded = ValidatedPair.over(slow)) {
      Request request = crowded.isend(0, 64);
      Thread other =
          Thread.ofPlatform().daemon().name("stays").start(() -> crowded.net.test(request, null));
      await(inside);
      crowded.net.regMr(crowded.send, Memory.ofHost(crowded.source)); // may be beside it
      crowded.found(Party.CALLER);
      crowded.net.isend(crowded.send, crowded.sourceMr, 0, 64, 0, 0);
      crowded.found(Party.CALLER, "NET-THREAD-03");
      assertThat(crowded.log.lines()).anyMatch(line -> line.contains("thread stays ("));
      leave.countDown();
      other.join(240_000);
      crowded.isend(0, 64);
      assertThat(crowded.counts()).containsEntry("NET-THREAD-03", 1L);
    }
  }

  @Test
  void thread06InterruptedThreads() {
    Thread.currentThread().interrupt();
    try {
      ValidatedPair.whateverHappens(() -> net.isend(pair.send, pair.sourceMr, 0, 64, 0, 0));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    found("NET-THREAD-06");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(240, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
