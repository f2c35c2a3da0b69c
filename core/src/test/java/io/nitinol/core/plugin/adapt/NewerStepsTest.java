// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.adapt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetAttributes;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.VirtualDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What the steps from version 6 on change: NET-V6-01 to NET-V11-01, COLL-V7-01 to COLL-V11-01. */
class NewerStepsTest {
  private static final long GIB = 1L << 30;
  private static final long HALF = 512L << 20;

  private final AdapterSamples.Token token = new AdapterSamples.Token();
  private final Recorder recorder = new Recorder(token);
  private final MemorySegment handle = Arena.ofAuto().allocate(128);
  private final DebugLogger log = (DebugLogger) AdapterSamples.of(DebugLogger.class, 0);

  private static void refused(ResultCode code, String with, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(NetException.class)
        .hasMessageContaining(with)
        .extracting(e -> ((NetException) e).result())
        .isEqualTo(code);
  }

  private static DeviceHandle[] offload() {
    return (DeviceHandle[]) AdapterSamples.of(DeviceHandle[].class, 5);
  }

  @Test
  void aVersion6PluginOffloadsNothing() {
    io.nitinol.spi.net.v7.Net net = AdapterStep.NET_6.over(recorder);
    DeviceHandle[] asked = offload();
    assertThat(net.connect(2, handle, asked)).isSameAs(token);
    assertThat(asked).containsExactly((DeviceHandle) null);
    asked = offload();
    assertThat(net.accept(token, asked)).isSameAs(token);
    assertThat(asked).containsExactly((DeviceHandle) null);
    assertThat(recorder.calls.get(0).arguments()).containsExactly(2, handle);
    assertThat(recorder.calls.get(1).arguments()).containsExactly(token);
    refused(ResultCode.INVALID_USAGE, "Old", () -> net.getDeviceMr(token, token));
    refused(ResultCode.INVALID_USAGE, "Old", () -> net.irecvConsumed(token, 1, token));
    for (OptionalOperation operation : OptionalOperation.values()) {
      assertThat(net.supports(operation)).isFalse();
    }
    assertThat(recorder.names()).containsOnly("connect", "accept", "name");
  }

  @Test
  void aVersion7PluginRegistersWhatAnIntCounts() {
    Memory most = Memory.ofDevice(64, Integer.MAX_VALUE, PointerType.CUDA);
    Memory more = Memory.ofDevice(64, 1L << 31, PointerType.CUDA);
    assertThat(AdapterStep.NET_7.over(recorder).regMr(token, most)).isSameAs(token);
    assertThat(AdapterStep.COLL_7.over(recorder).regMr(token, most)).isSameAs(token);
    refused(
        ResultCode.INVALID_ARGUMENT,
        "2147483648",
        () -> AdapterStep.NET_7.over(recorder).regMr(token, more));
    refused(
        ResultCode.INVALID_ARGUMENT,
        "2147483648",
        () -> AdapterStep.COLL_7.over(recorder).regMr(token, more));
    assertThat(AdapterStep.NET_7.over(recorder).regMrDmaBuf(token, more, 0, 3)).isSameAs(token);
  }

  @Test
  void aVersion7CollNetNeitherGathersNorScatters() {
    io.nitinol.spi.collnet.v8.CollNet net = AdapterStep.COLL_7.over(recorder);
    MemoryHandle[] mrs = {token};
    long[] one = {1};
    refused(
        ResultCode.INVALID_USAGE,
        "Old",
        () -> net.iallgather(token, token, 0, 1, mrs, one, one, 1, 0, 1));
    refused(
        ResultCode.INVALID_USAGE,
        "Old",
        () ->
            net.ireducescatter(
                token, 1, mrs, one, one, token, 0, 1, 0, 1, DataType.INT8, ReductionOp.SUM));
    assertThat(net.supports(OptionalOperation.ALL_GATHER)).isFalse();
    assertThat(net.supports(OptionalOperation.REDUCE_SCATTER)).isFalse();
  }

  @Test
  void aVersion8PluginNeverGetsALongMessage() {
    io.nitinol.spi.net.v9.Net net = AdapterStep.NET_8.over(recorder);
    MemoryHandle[] mrs = {token, token};
    int[] tags = {4, 5};
    assertThat(net.isend(token, token, 3, GIB, 6)).isSameAs(token);
    long[] offsets = {1, 2};
    long[] lengths = {GIB, GIB + 1};
    assertThat(net.irecv(token, 1, mrs, offsets, lengths, tags, 0)).isSameAs(token);
    assertThat(recorder.calls.getLast().arguments())
        .containsExactly(token, 1, mrs, offsets, lengths, tags);
    int calls = recorder.calls.size();
    refused(
        ResultCode.INVALID_ARGUMENT, "1073741825", () -> net.isend(token, token, 3, GIB + 1, 6));
    refused(
        ResultCode.INVALID_ARGUMENT,
        "1073741825",
        () -> net.irecv(token, 2, mrs, offsets, lengths, tags, 0));
    assertThat(recorder.names().subList(calls, recorder.calls.size())).containsOnly("name");
  }

  @Test
  void aVersion8PluginHearsNoHints() {
    int hint = io.nitinol.spi.net.v9.Net.OPTIONAL_RECV_COMPLETION;
    AdapterStep.NET_8
        .over(recorder)
        .irecv(token, 1, new MemoryHandle[] {token}, new long[1], new long[1], new int[1], hint);
    assertThat(recorder.calls.getFirst().arguments()).hasSize(6);
  }

  @Test
  void aVersion8PluginHasNoVirtualDevices() {
    Recorder yes = new Recorder(true);
    io.nitinol.spi.net.v9.Net net = AdapterStep.NET_8.over(yes);
    io.nitinol.spi.collnet.v9.CollNet collNet = AdapterStep.COLL_8.over(yes);
    assertThat(net.supports(OptionalOperation.MAKE_VDEVICE)).isFalse();
    assertThat(collNet.supports(OptionalOperation.MAKE_VDEVICE)).isFalse();
    assertThat(net.supports(OptionalOperation.GET_DEVICE_MR)).isTrue();
    assertThat(collNet.supports(OptionalOperation.ALL_GATHER)).isTrue();
    VirtualDevice two = new VirtualDevice(List.of(0, 1));
    refused(
        ResultCode.INVALID_USAGE, "Old", () -> AdapterStep.NET_8.over(recorder).makeVDevice(two));
    refused(
        ResultCode.INVALID_USAGE, "Old", () -> AdapterStep.COLL_8.over(recorder).makeVDevice(two));
  }

  @Test
  void aVersion8CollNetTakesOnePieceOfHalfAGibibyte() {
    io.nitinol.spi.collnet.v9.CollNet net = AdapterStep.COLL_8.over(recorder);
    MemoryHandle[] mrs = {token, token};
    long[] offsets = {1, 2};
    long[] fits = {HALF, 1};
    long[] large = {HALF + 1};
    assertThat(net.iallgather(token, token, 0, 1, mrs, offsets, fits, HALF, 0, HALF))
        .isSameAs(token);
    assertThat(
            net.ireducescatter(
                token,
                1,
                mrs,
                offsets,
                fits,
                token,
                0,
                HALF,
                0,
                HALF,
                DataType.INT8,
                ReductionOp.SUM))
        .isSameAs(token);
    refused(
        ResultCode.INVALID_ARGUMENT,
        "one piece, not 2",
        () -> net.iallgather(token, token, 0, 2, mrs, offsets, fits, HALF, 0, HALF + 1));
    refused(
        ResultCode.INVALID_ARGUMENT,
        "536870913",
        () -> net.iallgather(token, token, 0, 1, mrs, offsets, large, HALF + 1, 0, HALF + 1));
    refused(
        ResultCode.INVALID_ARGUMENT,
        "one piece, not 0",
        () ->
            net.ireducescatter(
                token, 0, mrs, offsets, fits, token, 0, 1, 0, 1, DataType.INT8, ReductionOp.SUM));
    refused(
        ResultCode.INVALID_ARGUMENT,
        "1073741825",
        () -> net.iallreduce(token, token, 0, token, 0, GIB + 1, DataType.INT8, ReductionOp.SUM));
    assertThat(net.iallreduce(token, token, 0, token, 0, GIB, DataType.INT8, ReductionOp.SUM))
        .isSameAs(token);
  }

  @Test
  void aVersion9PluginHearsNothingOfTheCommunicator() {
    io.nitinol.spi.net.v10.Net net = AdapterStep.NET_9.over(recorder);
    NetProfiler profiler = (NetProfiler) AdapterSamples.of(NetProfiler.class, 0);
    net.init(log, profiler);
    DeviceHandle[] asked = offload();
    net.connect(1, new NetCommConfig(7), handle, asked);
    net.isend(token, token, 1, 2, 3, 77);
    MemoryHandle[] mrs = {token};
    long[] offsets = {1};
    long[] lengths = {2};
    int[] tags = {3};
    net.irecv(token, 1, mrs, offsets, lengths, tags, new long[] {88}, 1);
    assertThat(recorder.calls.get(0).arguments()).containsExactly(log);
    assertThat(recorder.calls.get(1).arguments()).containsExactly(1, handle, asked);
    assertThat(recorder.calls.get(2).arguments()).containsExactly(token, token, 1L, 2L, 3);
    assertThat(recorder.calls.get(3).arguments())
        .as("the hint passes, as in NCCL")
        .containsExactly(token, 1, mrs, offsets, lengths, tags, 1);
  }

  @Test
  void aVersion10PluginIsInitializedOnceAndEachContextKeepsItsConfig() {
    io.nitinol.spi.net.v11.Net net = AdapterStep.NET_10.over(recorder);
    NetProfiler profiler = (NetProfiler) AdapterSamples.of(NetProfiler.class, 0);
    NetCommConfig seven = new NetCommConfig(7);
    NetContext first = net.init(1, NetCommConfig.DEFAULT, log, profiler);
    NetContext second = net.init(2, seven, log, null);
    assertThat(second).isNotSameAs(first);
    assertThat(recorder.names()).containsExactly("init");
    assertThat(recorder.calls.getFirst().arguments()).containsExactly(log, profiler);
    DeviceHandle[] asked = offload();
    assertThat(net.listen(first, 4, handle)).isSameAs(token);
    assertThat(net.connect(second, 5, handle, asked)).isSameAs(token);
    assertThat(recorder.calls.get(1).arguments()).containsExactly(4, handle);
    assertThat(recorder.calls.get(2).arguments()).containsExactly(5, seven, handle, asked);
    net.setNetAttr(first, (NetAttributes) AdapterSamples.of(NetAttributes.class, 0));
    net.finalizeContext(first);
    assertThat(recorder.calls).as("nothing of it reaches the plugin").hasSize(3);
    assertThat(net.connect(second, 5, handle, asked)).as("the other lives on").isSameAs(token);
    refused(ResultCode.INVALID_ARGUMENT, "before", () -> net.listen(first, 4, handle));
    refused(ResultCode.INVALID_ARGUMENT, "before", () -> net.finalizeContext(first));
    refused(ResultCode.INVALID_ARGUMENT, "context", () -> net.listen(token, 4, handle));
    NetContext others = AdapterStep.NET_10.over(new Recorder(null)).init(1, seven, log, null);
    refused(ResultCode.INVALID_ARGUMENT, "context", () -> net.connect(others, 4, handle, asked));
    assertThat(AdapterStep.NET_10.over(new Recorder(true)).supports(OptionalOperation.SET_NET_ATTR))
        .isFalse();
  }

  @Test
  void aVersion10CollNetIsInitializedOnce() {
    io.nitinol.spi.collnet.v11.CollNet net = AdapterStep.COLL_10.over(recorder);
    NetContext first = net.init(1, log);
    NetContext second = net.init(1, log);
    assertThat(recorder.names()).containsExactly("init");
    net.finalizeContext(first);
    assertThat(net.listen(second, 4, handle)).isSameAs(token);
    refused(ResultCode.INVALID_ARGUMENT, "before", () -> net.listen(first, 4, handle));
    assertThat(recorder.names()).containsExactly("init", "listen");
  }

  @Test
  void anInitThatFailedIsTriedAgainByTheNextCommunicator() {
    NetException down = new NetException(ResultCode.SYSTEM_ERROR, "down");
    Recorder failing = new Recorder(down);
    io.nitinol.spi.net.v11.Net net = AdapterStep.NET_10.over(failing);
    for (int i = 1; i <= 2; i++) {
      assertThatThrownBy(() -> net.init(1, NetCommConfig.DEFAULT, log, null)).isSameAs(down);
      assertThat(failing.calls).hasSize(i);
    }
  }

  @Test
  void aVersion11PluginJoinsFourDevices() {
    Recorder device = new Recorder(9);
    VirtualDevice four = new VirtualDevice(List.of(0, 1, 2, 3));
    VirtualDevice five = new VirtualDevice(IntStream.range(0, 5).boxed().toList());
    assertThat(AdapterStep.NET_11.over(device).makeVDevice(four)).isEqualTo(9);
    assertThat(AdapterStep.COLL_11.over(device).makeVDevice(four)).isEqualTo(9);
    refused(
        ResultCode.INVALID_ARGUMENT,
        "at most 4 devices one, not 5",
        () -> AdapterStep.NET_11.over(recorder).makeVDevice(five));
    refused(
        ResultCode.INVALID_ARGUMENT,
        "at most 4 devices one, not 5",
        () -> AdapterStep.COLL_11.over(recorder).makeVDevice(five));
  }

  @Test
  void adapterOffloadTypesPass() {
    DeviceHandle[] asked = {new DeviceHandle(NetDeviceType.UNPACK, 7, 1, 2, true)};
    AdapterStep.NET_7.over(recorder).connect(1, handle, asked);
    assertThat(asked[0]).as("left to the plugin").isNotNull();
    assertThat(recorder.calls.getFirst().arguments().getLast()).isSameAs(asked);
  }
}
