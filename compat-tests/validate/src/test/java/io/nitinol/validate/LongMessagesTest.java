// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.PointerType;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.NetProperties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages whose length is no int: of their sizes the low 32 bits are told (NET-TEST-08). */
class LongMessagesTest {
  private static final long LONGEST = 1L << 40;

  private static final class LongMessage implements Request, MemoryHandle {
    final long length;

    LongMessage(long length) {
      this.length = length;
    }
  }

  /** Moves nothing and says that it has, so that no test needs that much memory. */
  private static class Pretending extends RightNet {
    @Override
    public NetProperties getProperties(int device) {
      NetProperties p = super.getProperties(device);
      return new NetProperties(
          p.name(),
          p.pciPath(),
          p.guid(),
          PointerType.HOST.mask() | PointerType.CUDA.mask(),
          p.regIsGlobal(),
          p.forceFlush(),
          p.speed(),
          p.port(),
          p.latency(),
          p.maxComms(),
          p.maxRecvs(),
          p.netDeviceType(),
          p.netDeviceVersion(),
          p.virtualDevice(),
          LONGEST,
          p.maxCollBytes(),
          p.maxMultiRequestSize(),
          p.railId(),
          p.planeId());
    }

    @Override
    public MemoryHandle regMr(Comm comm, Memory memory) {
      return memory.segment() == null ? new LongMessage(memory.size()) : super.regMr(comm, memory);
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
      return new LongMessage(length);
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
      return new LongMessage(lengths[0]);
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      if (sizes != null && request instanceof LongMessage message) {
        sizes[0] = size(message.length);
      }
      return true;
    }

    int size(long length) {
      return (int) length;
    }
  }

  private static Memory onDevice(long address, long length) {
    return Memory.ofDevice(address, length, PointerType.CUDA);
  }

  private static void pass(ValidatedPair pair, long length) {
    MemoryHandle from = pair.net.regMr(pair.send, onDevice(1L << 44, length));
    MemoryHandle to = pair.net.regMr(pair.receive, onDevice(1L << 45, length));
    Request in =
        pair.net.irecv(
            pair.receive,
            1,
            new MemoryHandle[] {to},
            new long[1],
            new long[] {length},
            new int[1],
            null,
            0);
    Request out = pair.net.isend(pair.send, from, 0, length, 0, 0);
    pair.finish(out, new int[1]);
    pair.finish(in, new int[1]);
  }

  @ParameterizedTest
  @ValueSource(longs = {Integer.MAX_VALUE, 1L << 31, (1L << 32) - 1, (1L << 32) + 5, LONGEST})
  void theLowBitsOfASizeAreRight(long length) {
    try (ValidatedPair pair = ValidatedPair.overNewest(new Pretending())) {
      pass(pair, length);
      assertThat(pair.counts()).isEmpty();
    }
  }

  @Test
  void otherBitsAreNot() {
    try (ValidatedPair pair =
        ValidatedPair.overNewest(
            new Pretending() {
              @Override
              int size(long length) {
                return Integer.MAX_VALUE;
              }
            })) {
      pass(pair, (1L << 32) + 5);
      pair.found(Party.PLUGIN, "NET-TEST-08");
    }
  }
}
