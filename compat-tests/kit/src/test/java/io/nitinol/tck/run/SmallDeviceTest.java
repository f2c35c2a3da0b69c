// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.samples.memory.MemoryCollNet12;
import io.nitinol.samples.memory.MemoryNet12;
import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.spi.testing.Slow;
import io.nitinol.tck.Kit;
import io.nitinol.tck.KitListener;
import io.nitinol.tck.KitOptions;
import io.nitinol.tck.NewestCollNet;
import io.nitinol.tck.NewestNet;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The kit asks no device for longer messages and operations than its properties allow. */
@Slow
class SmallDeviceTest {
  private static final int MOST = 1003;

  /** Refuses what is longer than the properties say. */
  public static final class SmallNet extends NewestNet {
    /** Over the sample. */
    public SmallNet() {
      super(new MemoryNet12());
    }

    @Override
    public NetProperties getProperties(int device) {
      return small(super.getProperties(device));
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
      refuseMore(length);
      return super.isend(comm, mr, offset, length, tag, profilerHandle);
    }

    @Override
    public @Nullable Request irecv(
        RecvComm comm,
        int n,
        MemoryHandle[] mrs,
        long[] offsets,
        long[] lengths,
        int[] tags,
        long @Nullable [] profilerHandles,
        int hints) {
      for (int i = 0; lengths != null && i < Math.min(n, lengths.length); i++) {
        refuseMore(lengths[i]);
      }
      return super.irecv(comm, n, mrs, offsets, lengths, tags, profilerHandles, hints);
    }
  }

  /** Refuses what is longer than the properties say. */
  public static final class SmallCollNet extends NewestCollNet {
    /** Over the sample. */
    public SmallCollNet() {
      super(new MemoryCollNet12());
    }

    @Override
    public NetProperties getProperties(int device) {
      return small(super.getProperties(device));
    }

    @Override
    public @Nullable Request iallreduce(
        CollComm comm,
        MemoryHandle sendMr,
        long sendOffset,
        MemoryHandle recvMr,
        long recvOffset,
        long count,
        DataType dataType,
        ReductionOp op) {
      refuseMore(count > MOST ? count : count * dataType.size());
      return super.iallreduce(comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
    }

    @Override
    public @Nullable Request iallgather(
        CollComm comm,
        MemoryHandle sendMr,
        long sendOffset,
        int n,
        MemoryHandle[] recvMrs,
        long[] recvOffsets,
        long[] recvLengths,
        long bytesPerRank,
        long windowOffset,
        long windowBytes) {
      refuseMore(windowBytes);
      return super.iallgather(
          comm,
          sendMr,
          sendOffset,
          n,
          recvMrs,
          recvOffsets,
          recvLengths,
          bytesPerRank,
          windowOffset,
          windowBytes);
    }
  }

  private static NetProperties small(NetProperties of) {
    return new NetProperties(
        of.name(),
        of.pciPath(),
        of.guid(),
        of.ptrSupport(),
        of.regIsGlobal(),
        of.forceFlush(),
        of.speed(),
        of.port(),
        of.latency(),
        of.maxComms(),
        of.maxRecvs(),
        of.netDeviceType(),
        of.netDeviceVersion(),
        of.virtualDevice(),
        MOST,
        MOST,
        of.maxMultiRequestSize(),
        of.railId(),
        of.planeId());
  }

  private static void refuseMore(long bytes) {
    if (bytes > MOST) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, bytes + " bytes, expected at most " + MOST);
    }
  }

  @Test
  void aNetworkOfShortMessagesIsAccusedOfNothing() {
    assertThat(accusations(SmallNet.class)).isEmpty();
  }

  @Test
  void aCollNetOfShortOperationsIsAccusedOfNothing() {
    assertThat(accusations(SmallCollNet.class)).isEmpty();
  }

  private static List<String> accusations(Class<?> plugin) {
    KitOptions options = KitOptions.quick().withSeed(1).withoutProcesses();
    return Kit.run(PluginUnderTest.of(plugin), options, new KitListener() {}).cases().stream()
        .filter(result -> result.broken() != null)
        .map(SmallDeviceTest::inWords)
        .toList();
  }

  private static String inWords(CaseResult result) {
    return "%s %s: %s".formatted(result.broken(), result.test(), result.why());
  }
}
