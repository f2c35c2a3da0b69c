// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Networks that register memory wrongly. */
public final class RegistrationMistakes {
  private RegistrationMistakes() {}

  /** Registers whatever it is given, also what its devices cannot reach. */
  @Breaks("NET-REG-02")
  public static final class TakesAnyMemory extends WrongNet {
    @Override
    public MemoryHandle regMr(Comm comm, Memory memory) {
      return super.regMr(
          comm, memory.segment() == null ? Memory.ofHost(Arena.global().allocate(64)) : memory);
    }
  }

  /** Keeps registrations in a cache and drops one with its first deregistration. */
  @Breaks("NET-REG-04")
  public static final class OneHandlePerAddress extends WrongNet {
    private record Place(Comm comm, long address, long size) {}

    private final Map<Place, MemoryHandle> cache = new ConcurrentHashMap<>();

    @Override
    public MemoryHandle regMr(Comm comm, Memory memory) {
      if (memory.segment() == null || comm == null) {
        return super.regMr(comm, memory);
      }
      return cache.computeIfAbsent(
          new Place(comm, memory.address(), memory.size()), place -> super.regMr(comm, memory));
    }

    @Override
    public void deregMr(Comm comm, MemoryHandle handle) {
      super.deregMr(comm, handle);
      cache.values().remove(handle);
    }

    @Override
    public void closeSend(SendComm comm) {
      cache.keySet().removeIf(place -> place.comm() == comm);
      super.closeSend(comm);
    }

    @Override
    public void closeRecv(RecvComm comm) {
      cache.keySet().removeIf(place -> place.comm() == comm);
      super.closeRecv(comm);
    }
  }

  /** Registers memory only where a page begins. */
  @Breaks(
      value = "NET-REG-05",
      also = {"NET-REG-04", "NET-THREAD-04"})
  public static final class NeedsWholePages extends WrongNet {
    @Override
    public MemoryHandle regMr(Comm comm, Memory memory) {
      if (memory.address() % 4096 != 0) {
        throw new NetException(ResultCode.INVALID_ARGUMENT, memory + " does not begin with a page");
      }
      return super.regMr(comm, memory);
    }
  }

  /** Uses a memory handle with any comm. */
  @Breaks(value = "NET-REG-06", also = "NET-SEND-07")
  public static final class AcceptsForeignHandles extends WatchingNet {
    private MemoryHandle own(Comm comm, MemoryHandle handle) {
      Memory memory = handle == null ? null : memoryOf(handle);
      return memory == null || commOf(handle) == comm ? handle : regMr(comm, memory);
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      return super.isend(comm, own(comm, mr), offset, length, tag);
    }
  }

  /** Leaves deregistered memory usable. */
  @Breaks(value = "NET-REG-07", also = "NET-SEND-07")
  public static final class AcceptsDeadHandles extends WatchingNet {
    @Override
    public void deregMr(Comm comm, MemoryHandle handle) {
      if (handle == null || commOf(handle) != comm) {
        super.deregMr(comm, handle);
      } // or else the registration goes with the comm
    }
  }

  /** Keeps memory registered until the comm is closed. */
  @Breaks("NET-REG-07")
  public static final class UndoesNoRegistration extends WrongCollNet {
    private final Map<MemoryHandle, CollComm> comms = new ConcurrentHashMap<>();

    @Override
    public MemoryHandle regMr(CollComm comm, Memory memory) {
      MemoryHandle handle = super.regMr(comm, memory);
      comms.put(handle, comm);
      return handle;
    }

    @Override
    public void deregMr(CollComm comm, MemoryHandle handle) {
      if (handle == null || comm == null || !comm.equals(comms.get(handle))) {
        super.deregMr(comm, handle);
      }
    }

    @Override
    public void closeColl(CollComm comm) {
      super.closeColl(comm);
      comms.values().removeIf(comm::equals);
    }
  }

  /** Does not deregister memory while anything is in flight. */
  @Breaks(value = "NET-REG-09", also = "NET-REG-04")
  public static final class KeepsMemoryInFlight extends WatchingNet {
    @Override
    public void deregMr(Comm comm, MemoryHandle handle) {
      if (handle != null && isInFlight(handle)) {
        throw new NetException(ResultCode.INTERNAL_ERROR, "the memory is in use");
      }
      super.deregMr(comm, handle);
    }
  }

  /** Leaves what was registered with a closed comm usable with the next. */
  @Breaks(value = "NET-REG-10", also = "NET-CLOSE-08")
  public static final class HandlesOutliveTheirComm extends WrongNet {
    private final Map<MemoryHandle, Memory> left = new ConcurrentHashMap<>();
    private final Map<MemoryHandle, Comm> owners = new ConcurrentHashMap<>();

    @Override
    public MemoryHandle regMr(Comm comm, Memory memory) {
      MemoryHandle handle = super.regMr(comm, memory);
      owners.put(handle, comm);
      if (owners.size() < 100) {
        left.put(handle, memory);
      }
      return handle;
    }

    @Override
    public void deregMr(Comm comm, MemoryHandle handle) {
      super.deregMr(comm, handle);
      left.remove(handle);
      owners.remove(handle);
    }

    @Override
    public void closeSend(SendComm comm) {
      owners.values().removeIf(owner -> owner == comm);
      super.closeSend(comm);
    }

    @Override
    public void closeRecv(RecvComm comm) {
      owners.values().removeIf(owner -> owner == comm);
      super.closeRecv(comm);
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      if (mr != null && !owners.containsKey(mr) && left.containsKey(mr)) {
        return super.isend(comm, regMr(comm, left.get(mr)), offset, length, tag);
      }
      return super.isend(comm, mr, offset, length, tag);
    }
  }

  /** Registers through dma-buf without having said that it can. */
  @Breaks("NET-REG-11")
  public static final class TakesDmaBuf extends WrongNet {
    @Override
    public MemoryHandle regMrDmaBuf(Comm comm, Memory memory, long offset, int fd) {
      return super.regMr(comm, memory);
    }
  }

  /** Writes to memory that it was shown as read-only. */
  @Breaks("NET-REG-13")
  public static final class ReceivesIntoConstants extends WrongNet {
    @Override
    public MemoryHandle regMr(Comm comm, Memory memory) {
      MemorySegment segment = memory.segment();
      return super.regMr(
          comm,
          segment != null && segment.isReadOnly()
              ? Memory.ofHost(MemorySegment.ofAddress(memory.address()).reinterpret(memory.size()))
              : memory);
    }
  }

  /** Declares registrations for all comms and has them for one each. */
  @Breaks("NET-REG-14")
  public static final class ClaimsGlobalRegistrations extends WrongNewestNet {
    @Override
    public NetProperties getProperties(int device) {
      NetProperties p = super.getProperties(device);
      return new NetProperties(
          p.name(),
          p.pciPath(),
          p.guid(),
          p.ptrSupport(),
          true,
          p.forceFlush(),
          p.speed(),
          p.port(),
          p.latency(),
          p.maxComms(),
          p.maxRecvs(),
          p.netDeviceType(),
          p.netDeviceVersion(),
          p.virtualDevice(),
          p.maxP2pBytes(),
          p.maxCollBytes(),
          p.maxMultiRequestSize(),
          p.railId(),
          p.planeId());
    }
  }
}
