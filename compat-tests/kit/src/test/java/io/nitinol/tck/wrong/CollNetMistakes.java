// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Collective networks that form, fail or end their groups wrongly. */
public final class CollNetMistakes {
  private CollNetMistakes() {}

  /** Takes a rank that is too large for the last one. */
  @Breaks("COLL-02")
  public static final class AcceptsAnyRank extends WrongCollNet {
    @Override
    public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
      return super.connect(handles, nranks, rank == nranks ? 0 : rank, listenComm);
    }
  }

  /** Returns null from connect where a member is not there yet, as a Net would. */
  @Breaks("COLL-03")
  public static final class ConnectsToNull extends WrongCollNet {
    private final Set<ListenComm> asked = ConcurrentHashMap.newKeySet();

    @Override
    @SuppressWarnings("NullAway") // the mistake
    public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
      if (handles != null
          && rank == 1
          && handles.length > 1
          && nranks > 3
          && asked.add(listenComm)) {
        return null;
      }
      return super.connect(handles, nranks, rank, listenComm);
    }
  }

  /** Fails where a member arrives before the one with the next lower rank. */
  @Breaks("COLL-03")
  public static final class NeedsRanksInOrder extends WrongCollNet {
    private static final Set<String> ARRIVED = ConcurrentHashMap.newKeySet();
    private static final long GRACE = TimeUnit.MILLISECONDS.toNanos(10);

    @Override
    public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
      if (handles != null && rank >= 0 && rank < nranks && handles.length >= nranks) {
        String group = HexFormat.of().formatHex(handles[0].toArray(ValueLayout.JAVA_BYTE));
        ARRIVED.add(group + rank);
        long end = System.nanoTime() + GRACE;
        while (rank > 0 && nranks == 4 && !ARRIVED.contains(group + (rank - 1))) {
          if (System.nanoTime() - end > 0) {
            throw new NetException(
                ResultCode.INTERNAL_ERROR, "rank " + (rank - 1) + " is not here");
          }
          LockSupport.parkNanos(100_000);
        }
      }
      return super.connect(handles, nranks, rank, listenComm);
    }
  }

  /** Goes on waiting when a member cannot come any more. */
  @Breaks("COLL-04")
  public static final class WaitsForMembersForEver extends WrongCollNet {
    /** Longer than the kit waits on a machine so loaded that its patience is at its end. */
    private static final long LONG = TimeUnit.MINUTES.toNanos(20);

    @Override
    public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
      try {
        return super.connect(handles, nranks, rank, listenComm);
      } catch (NetException e) {
        if (e.result() == ResultCode.REMOTE_ERROR || e.result() == ResultCode.TIMEOUT) {
          long end = System.nanoTime() + LONG;
          while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(LONG);
          }
        }
        throw e;
      }
    }
  }

  /** Refuses a large group on its first member; the others learn that it has gone. */
  @Breaks("COLL-05")
  public static final class RefusesOnOneMemberOnly extends WrongCollNet {
    @Override
    public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
      if (nranks == 9 && rank != 0) {
        throw new NetException(ResultCode.REMOTE_ERROR, "rank 0 does not serve a group of nine");
      }
      if (nranks == 9) {
        throw new NetException(ResultCode.INVALID_USAGE, "a group of nine");
      }
      return super.connect(handles, nranks, rank, listenComm);
    }
  }

  /** Does not notice that members started different operations. */
  @Breaks("COLL-18")
  public static final class CallsDisagreementComplete extends WrongCollNet {
    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      try {
        return super.test(request, sizes);
      } catch (NetException e) {
        if (e.result() == ResultCode.INVALID_USAGE) {
          return true;
        }
        throw e;
      }
    }
  }

  /** Does not notice that a member has left. */
  @Breaks(value = "COLL-19", also = "COLL-18")
  public static final class WaitsForThoseWhoLeft extends WrongCollNet {
    private final Set<Request> hanging = ConcurrentHashMap.newKeySet();

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      if (request != null && hanging.contains(request)) {
        return false;
      }
      try {
        return super.test(request, sizes);
      } catch (NetException e) {
        if (e.result() == ResultCode.REMOTE_ERROR) {
          hanging.add(request);
          return false;
        }
        throw e;
      }
    }
  }

  /** Ends a group when the listener of one of its members is closed. It allocates for that. */
  @Breaks(value = "COLL-20", also = "NET-MEM-03")
  public static final class EndsGroupsWithTheirListeners extends WrongCollNet {
    private final Map<ListenComm, CollComm> comms = new ConcurrentHashMap<>();
    private final Set<CollComm> dead = ConcurrentHashMap.newKeySet();
    private final Map<Request, CollComm> owners = new ConcurrentHashMap<>();

    @Override
    public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
      CollComm comm = super.connect(handles, nranks, rank, listenComm);
      comms.put(listenComm, comm);
      return comm;
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
      check(comm);
      Request request =
          collNet.iallreduce(comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
      if (request != null) {
        owners.put(request, comm);
      }
      return request;
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      check(request == null ? null : owners.get(request));
      return super.test(request, sizes);
    }

    private void check(@Nullable CollComm comm) {
      if (comm != null && dead.contains(comm)) {
        throw new NetException(ResultCode.REMOTE_ERROR, "the listener is closed");
      }
    }

    @Override
    public void closeListen(ListenComm listenComm) {
      super.closeListen(listenComm);
      CollComm comm = comms.get(listenComm);
      if (comm != null) {
        dead.add(comm);
      }
    }
  }

  /** Has virtual devices for show. */
  @Breaks("COLL-28")
  public static final class ListensOnPhysicalDevicesOnly extends WrongNewestCollNet {
    @Override
    public ListenComm listen(NetContext context, int device, MemorySegment handle) {
      if (device > 1 && device < devices()) {
        throw new NetException(ResultCode.SYSTEM_ERROR, "no port of device " + device);
      }
      return super.listen(context, device, handle);
    }
  }

  /** Maps a page of a file for every group, for as long as the process lives. */
  @Breaks("NET-CLOSE-08")
  public static final class MapsAPageForEachGroup extends WrongCollNet {
    @Override
    public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
      CollComm comm = super.connect(handles, nranks, rank, listenComm);
      Path file = Path.of(System.getProperty("java.home"), "release");
      try (FileChannel channel = FileChannel.open(file)) {
        channel.map(FileChannel.MapMode.READ_ONLY, 0, 1, Arena.global());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return comm;
    }
  }
}
