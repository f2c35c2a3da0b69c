// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Networks with mistakes of the sort that somebody made who had not seen the kit, and that the kit
 * overlooked at first.
 */
public final class OverlookedMistakes {
  private OverlookedMistakes() {}

  /** Prints an exception of connect on the terminal. */
  @Breaks("NET-INIT-07")
  public static final class PrintsWhyConnectFails extends WrongNewestNet {
    @Override
    public @Nullable SendComm connect(
        NetContext context,
        int device,
        MemorySegment handle,
        @Nullable DeviceHandle[] deviceHandle) {
      try {
        return super.connect(context, device, handle, deviceHandle);
      } catch (NetException e) {
        if (e.result() == ResultCode.REMOTE_ERROR) {
          System.err.println("connect: " + e.getMessage());
        }
        throw e;
      }
    }
  }

  /** Forgets all virtual devices with the end of any context. */
  @Breaks("NET-VDEV-01")
  public static final class ForgetsVirtualDevicesWithAContext extends WrongNewestNet {
    private static final int PHYSICAL = 2;

    private volatile int forgotten;

    @Override
    public void finalizeContext(NetContext context) {
      super.finalizeContext(context);
      forgotten = super.devices() - PHYSICAL;
    }

    @Override
    public int devices() {
      return super.devices() - forgotten;
    }
  }

  /** Has a thread that clears up, whose name it leaves to the JDK. */
  @Breaks("NET-THREAD-07")
  public static final class HasACleanerOfItsOwn extends WrongNewestNet {
    /** Made when the first listener needs it. */
    private static final class Holder {
      static final Cleaner CLEANER = Cleaner.create();
    }

    @Override
    public ListenComm listen(NetContext context, int device, MemorySegment handle) {
      ListenComm comm = super.listen(context, device, handle);
      Holder.CLEANER.register(comm, () -> {});
      return comm;
    }
  }

  /** Takes the end of one connector for that of its listener. */
  @Breaks(value = "NET-CONN-17", also = "NET-CONN-19")
  public static final class GivesAListenerUpWithAPeer extends WrongNewestNet {
    private final Set<ListenComm> lost = ConcurrentHashMap.newKeySet();
    private final ThreadLocal<Boolean> dropped = ThreadLocal.withInitial(() -> false);

    @Override
    public NetContext init(
        long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
      DebugLogger listening =
          new DebugLogger() {
            @Override
            public boolean isEnabled(LogLevel level, long subsystems) {
              return level == LogLevel.WARN || logger.isEnabled(level, subsystems);
            }

            @Override
            public void log(
                LogLevel level, long subsystems, String location, int line, String message) {
              if (message.contains("dropped a connection that")) {
                dropped.set(true);
              }
              logger.log(level, subsystems, location, line, message);
            }
          };
      return super.init(commId, config, listening, profiler);
    }

    @Override
    public @Nullable RecvComm accept(ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
      if (listenComm != null && lost.contains(listenComm)) {
        throw new NetException(ResultCode.REMOTE_ERROR, "a connector has gone");
      }
      dropped.set(false);
      RecvComm comm = super.accept(listenComm, deviceHandle);
      if (comm == null && dropped.get()) {
        lost.add(listenComm);
      }
      return comm;
    }
  }

  /** Has a copy of the tags for each receive of several pieces. */
  @Breaks("NET-MEM-03")
  public static final class CopiesTheTagsOfSeveralPieces extends WrongNewestNet {
    private volatile int @Nullable [] last;

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
      last = n > 1 && tags != null ? tags.clone() : last;
      return super.irecv(comm, n, mrs, offsets, lengths, tags, profilerHandles, hints);
    }
  }

  /** Has room for receives of three connections, which all of them share. */
  @Breaks(
      value = "NET-CONN-22",
      also = {"NET-MEM-03", "NET-RECV-01", "NET-RECV-02"})
  public static final class SharesItsReceives extends WrongNewestNet {
    private static final int ROOM = 3 * MAX_REQUESTS;

    private final Map<Request, RecvComm> receives = new HashMap<>();

    @Override
    public synchronized @Nullable Request irecv(
        RecvComm comm,
        int n,
        MemoryHandle[] mrs,
        long[] offsets,
        long[] lengths,
        int[] tags,
        long @Nullable [] profilerHandles,
        int hints) {
      if (receives.size() >= ROOM && comm != null) {
        return null;
      }
      Request request = super.irecv(comm, n, mrs, offsets, lengths, tags, profilerHandles, hints);
      if (request != null) {
        receives.put(request, comm);
      }
      return request;
    }

    @Override
    public synchronized boolean test(Request request, int @Nullable [] sizes) {
      boolean ended = true;
      try {
        ended = super.test(request, sizes);
        return ended;
      } catch (NetException e) {
        ended = e.result() != ResultCode.INVALID_ARGUMENT;
        throw e;
      } finally {
        if (ended) {
          receives.remove(request);
        }
      }
    }

    @Override
    public synchronized void closeRecv(RecvComm comm) {
      receives.values().removeIf(each -> each.equals(comm));
      super.closeRecv(comm);
    }
  }

  /** Has the length of a message in an int before it looks whether it is too long. */
  @Breaks("NET-SEND-12")
  public static final class LooksAtTheLowBitsOfALength extends WrongNewestNet {
    private final Set<MemoryHandle> large = ConcurrentHashMap.newKeySet();

    @Override
    public MemoryHandle regMr(Comm comm, Memory memory) {
      MemoryHandle mr = super.regMr(comm, memory);
      if (memory.size() > 1L << 32) {
        large.add(mr);
      }
      return mr;
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
      boolean cut = length > Integer.MAX_VALUE && large.contains(mr);
      return super.isend(comm, mr, offset, cut ? (int) length : length, tag, profilerHandle);
    }
  }

  /** Completes a gather about whose window the members disagree. */
  @Breaks("COLL-18")
  public static final class CompletesWhatDoesNotGoTogether extends WrongNewestCollNet {
    private final Set<Request> gathers = ConcurrentHashMap.newKeySet();

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
      Request request =
          super.iallgather(
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
      if (request != null) {
        gathers.add(request);
      }
      return request;
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      boolean gathers = request != null && this.gathers.contains(request);
      try {
        boolean done = super.test(request, sizes);
        if (done && gathers) {
          this.gathers.remove(request);
        }
        return done;
      } catch (NetException e) {
        if (gathers && e.result() == ResultCode.INVALID_USAGE) {
          this.gathers.remove(request);
          return true;
        }
        throw e;
      }
    }
  }
}
