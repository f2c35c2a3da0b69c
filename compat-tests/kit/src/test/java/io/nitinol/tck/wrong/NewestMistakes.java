// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.NetProperties;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Networks that are wrong where only the newest versions can be: hints, large memory, devices. */
public final class NewestMistakes {
  private NewestMistakes() {}

  /** Puts each new virtual device in front of the others. */
  @Breaks("NET-VDEV-01")
  public static final class PutsVirtualDevicesInFront extends WrongNewestNet {
    private final AtomicInteger made = new AtomicInteger();

    @Override
    public int makeVDevice(VirtualDevice devices) {
      int number = super.makeVDevice(devices);
      made.incrementAndGet();
      return number;
    }

    @Override
    public NetProperties getProperties(int device) {
      int physical = devices() - made.get();
      boolean virtual = device >= physical && device < devices();
      return super.getProperties(virtual ? physical + devices() - 1 - device : device);
    }
  }

  /** Has the size of registered memory in an int. */
  @Breaks("NET-REG-03")
  public static final class CutsTheSizeOfLargeMemory extends WrongNewestNet {
    @Override
    public MemoryHandle regMr(Comm comm, Memory memory) {
      long size = memory == null ? 0 : memory.size();
      return size > Integer.MAX_VALUE && (int) size > 0
          ? super.regMr(comm, Memory.ofHost(memory.segment().asSlice(0, (int) size)))
          : super.regMr(comm, memory);
    }
  }

  /**
   * Takes a receive for complete whose completion is optional, and has no place for its message.
   */
  @Breaks("NET-RECV-18")
  public static final class DropsOptionalReceives extends WrongNewestNet {
    private record Complete() implements Request {}

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
      return (hints & OPTIONAL_RECV_COMPLETION) != 0
          ? new Complete()
          : super.irecv(comm, n, mrs, offsets, lengths, tags, profilerHandles, hints);
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      return request instanceof Complete || super.test(request, sizes);
    }
  }
}
