// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.adapt;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.plugin.AdapterChain;
import io.nitinol.core.plugin.PluginKind;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The steps between versions: NET-V4-07, NET-V5-02, COLL-V4-01, COLL-V5-01. */
class AdapterTest {

  static final AdapterStep<io.nitinol.spi.net.v4.Net, io.nitinol.spi.net.v5.Net> NET_4 =
      AdapterStep.NET_4;
  static final AdapterStep<io.nitinol.spi.net.v5.Net, io.nitinol.spi.net.v6.Net> NET_5 =
      AdapterStep.NET_5;
  static final AdapterStep<io.nitinol.spi.collnet.v4.CollNet, io.nitinol.spi.collnet.v5.CollNet>
      COLL_4 = AdapterStep.COLL_4;
  static final AdapterStep<io.nitinol.spi.collnet.v5.CollNet, io.nitinol.spi.collnet.v6.CollNet>
      COLL_5 = AdapterStep.COLL_5;

  static List<AdapterStep<?, ?>> steps() {
    return AdapterStep.ALL;
  }

  private final MemorySegment handle = Arena.ofAuto().allocate(128);

  /** A step that is not in {@link AdapterStep#ALL} would be in the ladder and in no test. */
  @Test
  void everyStepOfTheLaddersIsTested() {
    List<Class<?>> reached = new ArrayList<>();
    for (PluginKind kind : List.of(PluginKind.NET, PluginKind.COLLNET)) {
      AdapterChain.from(kind, 4).stream().skip(1).forEach(chain -> reached.add(chain.service()));
    }
    assertThat(steps()).<Class<?>>map(AdapterStep::to).isEqualTo(reached);
  }

  /** A default method that a step inherits would never reach the plugin. */
  @ParameterizedTest
  @MethodSource("steps")
  void everyMethodIsOverridden(AdapterStep<?, ?> step) {
    Class<?> adapter = step.over(new Recorder(null)).getClass();
    List<Method> operations = AdapterSamples.operations(step.to());
    assertThat(operations).hasSizeGreaterThanOrEqualTo(14);
    for (Method operation : operations) {
      assertThat(adapter.getDeclaredMethods())
          .as("%s of %s", operation, adapter.getName())
          .anyMatch(m ->
              m.getName().equals(operation.getName())
                  && Arrays.equals(m.getParameterTypes(), operation.getParameterTypes()));
    }
  }

  @ParameterizedTest
  @MethodSource("steps")
  void makingAnAdapterCallsNothing(AdapterStep<?, ?> step) {
    Recorder recorder = new Recorder(null);
    step.over(recorder);
    assertThat(recorder.calls).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("steps")
  void everyOtherCallIsForwardedAsItIs(AdapterStep<?, ?> step) throws Exception {
    int forwarded = 0;
    for (Method operation : AdapterSamples.operations(step.to())) {
      if (step.changed().contains(operation.getName())) {
        continue;
      }
      Object answer = AdapterSamples.of(operation.getReturnType(), 99);
      Recorder recorder = new Recorder(answer);
      Object adapter = step.over(recorder);
      Object[] arguments = new Object[operation.getParameterCount()];
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = AdapterSamples.of(operation.getParameterTypes()[i], 10 + i);
      }
      Object got = operation.invoke(adapter, arguments);
      assertThat(recorder.calls).as("calls behind %s", operation).hasSize(1);
      Recorder.Call call = recorder.calls.getFirst();
      assertThat(call.name()).isEqualTo(operation.getName());
      assertThat(call.arguments()).hasSize(arguments.length);
      for (int i = 0; i < arguments.length; i++) {
        if (arguments[i] instanceof Number || arguments[i] instanceof Boolean) {
          assertThat(call.arguments().get(i))
              .as("argument %s of %s", i, operation)
              .isEqualTo(arguments[i]);
        } else {
          assertThat(call.arguments().get(i))
              .as("argument %s of %s", i, operation)
              .isSameAs(arguments[i]);
        }
      }
      if (answer instanceof Number || answer instanceof Boolean) {
        assertThat(got).isEqualTo(answer);
      } else {
        assertThat(got).as("answer of %s", operation).isSameAs(answer);
      }
      forwarded++;
    }
    assertThat(forwarded)
        .isEqualTo(AdapterSamples.operations(step.to()).size() - step.changed().size());
  }

  @ParameterizedTest
  @MethodSource("steps")
  void exceptionsAndNullsPassThrough(AdapterStep<?, ?> step) throws Exception {
    for (Method operation : AdapterSamples.operations(step.to())) {
      if (step.changed().contains(operation.getName()) && !step.reaches(operation.getName())) {
        continue;
      }
      NetException failure = new NetException(ResultCode.REMOTE_ERROR, "peer");
      Object[] arguments = new Object[operation.getParameterCount()];
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = AdapterSamples.of(operation.getParameterTypes()[i], 1); // one piece
      }
      assertThatThrownBy(() -> operation.invoke(step.over(new Recorder(failure)), arguments))
          .isInstanceOf(InvocationTargetException.class)
          .cause()
          .as("%s", operation)
          .isSameAs(failure);
      if (Request.class.isAssignableFrom(operation.getReturnType())
          || Comm.class.isAssignableFrom(operation.getReturnType())) {
        assertThat(operation.invoke(step.over(new Recorder(null)), arguments))
            .as("null from %s", operation)
            .isNull();
      }
    }
  }

  @Test
  void aVersion4DeviceHasNoLatencyAndTakesOneBuffer() {
    Recorder recorder =
        new Recorder(new io.nitinol.spi.net.v4.NetProperties("d", "/sys/x", 7, 5, 100, 2, 33));
    assertThat(NET_4.over(recorder).getProperties(4))
        .isEqualTo(new io.nitinol.spi.net.v5.NetProperties("d", "/sys/x", 7, 5, 100, 2, 0, 33, 1));
    assertThat(COLL_4.over(recorder).getProperties(5))
        .isEqualTo(new io.nitinol.spi.net.v5.NetProperties("d", "/sys/x", 7, 5, 100, 2, 0, 33, 1));
    assertThat(recorder.calls).extracting(c -> c.arguments().getFirst()).containsExactly(4, 5);
  }

  @Test
  void aVersion5DeviceNeverClaimsDmaBuf() {
    int all = PointerType.HOST.mask() | PointerType.CUDA.mask() | PointerType.DMABUF.mask();
    Recorder recorder =
        new Recorder(
            new io.nitinol.spi.net.v5.NetProperties("d", null, 7, all, 100, 2, 1.5f, 33, 8));
    io.nitinol.spi.net.v6.NetProperties expected =
        new io.nitinol.spi.net.v6.NetProperties(
            "d", null, 7, PointerType.HOST.mask() | PointerType.CUDA.mask(), 100, 2, 1.5f, 33, 8);
    assertThat(NET_5.over(recorder).getProperties(4)).isEqualTo(expected);
    assertThat(COLL_5.over(recorder).getProperties(5)).isEqualTo(expected);
    assertThat(recorder.calls).extracting(c -> c.arguments().getFirst()).containsExactly(4, 5);
  }

  @Test
  void aVersion5PluginCannotRegisterDmaBufs() {
    Recorder recorder = new Recorder("Old");
    Memory memory = Memory.ofDevice(16, 32, PointerType.CUDA);
    assertThatThrownBy(
            () -> NET_5.over(recorder).regMrDmaBuf(new AdapterSamples.Token(), memory, 0, 3))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("Old")
        .extracting(e -> ((NetException) e).result())
        .isEqualTo(ResultCode.INVALID_USAGE);
    assertThatThrownBy(
            () -> COLL_5.over(recorder).regMrDmaBuf(new AdapterSamples.Token(), memory, 0, 3))
        .isInstanceOf(NetException.class)
        .extracting(e -> ((NetException) e).result())
        .isEqualTo(ResultCode.INVALID_USAGE);
  }

  @Test
  void listenClearsTheHandleAndShowsAVersion4PluginItsHalf() {
    AdapterSamples.Token listener = new AdapterSamples.Token();
    for (boolean coll : new boolean[] {false, true}) {
      handle.fill((byte) 0x5a);
      Recorder recorder = new Recorder(listener);
      ListenComm got =
          coll ? COLL_4.over(recorder).listen(3, handle) : NET_4.over(recorder).listen(3, handle);
      assertThat(got).isSameAs(listener);
      assertThat(recorder.calls.getFirst().arguments().get(0)).isEqualTo(3);
      assertNarrow((MemorySegment) recorder.calls.getFirst().arguments().get(1));
      assertThat(handle.mismatch(Arena.ofAuto().allocate(128))).as("zeroed").isEqualTo(-1);
    }
  }

  @Test
  void connectShowsTheSameMemoryEachTime() {
    Recorder recorder = new Recorder(null);
    io.nitinol.spi.net.v5.Net net = NET_4.over(recorder);
    handle.fill((byte) 0x5a);
    assertThat(net.connect(2, handle)).isNull();
    MemorySegment first = (MemorySegment) recorder.calls.getFirst().arguments().get(1);
    assertNarrow(first);
    assertThat(first.get(JAVA_BYTE, 63)).isEqualTo((byte) 0x5a);
    first.set(JAVA_BYTE, 0, (byte) 1); // the plugin's state
    assertThat(net.connect(2, handle)).isNull();
    MemorySegment second = (MemorySegment) recorder.calls.get(1).arguments().get(1);
    assertThat(second.address()).isEqualTo(handle.address());
    assertThat(second.get(JAVA_BYTE, 0)).isEqualTo((byte) 1);
    assertThat(recorder.calls.get(1).arguments().get(0)).isEqualTo(2);
  }

  @Test
  void aHandleTooSmallIsAnInvalidArgument() {
    // Also where the plugin had room: the caller's version promises more.
    for (int size : new int[] {63, 64, 127}) {
      MemorySegment small = handle.asSlice(0, size);
      assertThatThrownBy(() -> NET_4.over(new Recorder(null)).listen(0, small))
          .isInstanceOf(NetException.class)
          .hasMessageContaining(size + " bytes")
          .extracting(e -> ((NetException) e).result())
          .isEqualTo(ResultCode.INVALID_ARGUMENT);
    }
  }

  @Test
  void bytesBehindTheHandleStayAsTheyAre() {
    MemorySegment longer = Arena.ofAuto().allocate(136);
    longer.fill((byte) 0x5a);
    assertThat(NET_4.over(new Recorder(new AdapterSamples.Token())).listen(0, longer)).isNotNull();
    assertThat(longer.get(JAVA_BYTE, 127)).isZero();
    assertThat(longer.get(JAVA_BYTE, 128)).isEqualTo((byte) 0x5a);
  }

  @Test
  void collectiveConnectShowsHalfOfEachHandle() {
    AdapterSamples.Token comm = new AdapterSamples.Token();
    AdapterSamples.Token listener = new AdapterSamples.Token();
    Recorder recorder = new Recorder(comm);
    MemorySegment other = Arena.ofAuto().allocate(128);
    handle.fill((byte) 0x5a);
    CollComm got =
        COLL_4.over(recorder).connect(new MemorySegment[] {handle, other}, 2, 1, listener);
    assertThat(got).isSameAs(comm);
    List<Object> arguments = recorder.calls.getFirst().arguments();
    MemorySegment[] handles = (MemorySegment[]) arguments.get(0);
    assertThat(handles).hasSize(2);
    assertNarrow(handles[0]);
    assertThat(handles[1].address()).isEqualTo(other.address());
    assertThat(handles[1].byteSize()).isEqualTo(64);
    assertThat(handle.get(JAVA_BYTE, 127)).isEqualTo((byte) 0x5a);
    assertThat(arguments.get(1)).isEqualTo(2);
    assertThat(arguments.get(2)).isEqualTo(1);
    assertThat(arguments.get(3)).isSameAs(listener);
  }

  @Test
  void aVersion4PluginSeesNoTags() {
    AdapterSamples.Token request = new AdapterSamples.Token();
    Recorder recorder = new Recorder(request);
    AdapterSamples.Token comm = new AdapterSamples.Token();
    AdapterSamples.Token mr = new AdapterSamples.Token();
    assertThat(NET_4.over(recorder).isend(comm, mr, 5, 6, 77)).isSameAs(request);
    assertThat(recorder.calls.getFirst().arguments()).containsExactly(comm, mr, 5L, 6L);
  }

  @Test
  void aVersion4PluginReceivesAndFlushesOneBuffer() {
    AdapterSamples.Token request = new AdapterSamples.Token();
    AdapterSamples.Token comm = new AdapterSamples.Token();
    MemoryHandle[] mrs = {new AdapterSamples.Token(), new AdapterSamples.Token()};
    long[] offsets = {5, 6};
    long[] lengths = {7, 8};
    int[] tags = {9, 10};
    Recorder recorder = new Recorder(request);
    io.nitinol.spi.net.v5.Net net = NET_4.over(recorder);
    assertThat(net.irecv(comm, 1, mrs, offsets, lengths, tags)).isSameAs(request);
    assertThat(net.iflush(comm, 1, mrs, offsets, lengths)).isSameAs(request);
    assertThat(recorder.calls).extracting(Recorder.Call::name).containsExactly("irecv", "iflush");
    for (Recorder.Call call : recorder.calls) {
      assertThat(call.arguments()).containsExactly(comm, mrs[0], 5L, 7L);
    }
    assertThatThrownBy(() -> net.irecv(comm, 0, mrs, offsets, lengths, tags))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("0 buffers on Old")
        .extracting(e -> ((NetException) e).result())
        .isEqualTo(ResultCode.INVALID_ARGUMENT);
    assertThat(net.iflush(comm, 0, mrs, offsets, lengths)).isNull();
    assertThat(recorder.calls)
        .extracting(Recorder.Call::name)
        .as("name() is asked for the message")
        .containsExactly("irecv", "iflush", "name");
    for (int n : new int[] {2, -1}) {
      assertThatThrownBy(() -> net.irecv(comm, n, mrs, offsets, lengths, tags))
          .isInstanceOf(NetException.class)
          .hasMessageContaining(n + " buffers on Old")
          .extracting(e -> ((NetException) e).result())
          .isEqualTo(ResultCode.INVALID_ARGUMENT);
      assertThatThrownBy(() -> net.iflush(comm, n, mrs, offsets, lengths))
          .isInstanceOf(NetException.class)
          .extracting(e -> ((NetException) e).result())
          .isEqualTo(ResultCode.INVALID_ARGUMENT);
    }
  }

  private void assertNarrow(MemorySegment seen) {
    assertThat(seen.address()).isEqualTo(handle.address());
    assertThat(seen.byteSize()).isEqualTo(64);
  }
}
