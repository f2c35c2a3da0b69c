// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Networks that report a failure wrongly, or more than what failed. */
public final class FailureMistakes {
  private FailureMistakes() {}

  /** Casts what it is given, and throws what the cast throws. */
  @Breaks("NET-ERR-01")
  public static final class CastsRequests extends WrongNet {
    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      if (request != null && !request.getClass().getName().startsWith("io.nitinol.samples.")) {
        throw new ClassCastException("no request of mine: " + request);
      }
      return net.test(request, sizes);
    }
  }

  /** Takes null for a listener that is closed already. */
  @Breaks("NET-ERR-02")
  public static final class ClosesANullListener extends WrongNet {
    @Override
    public void closeListen(ListenComm comm) {
      if (comm != null) {
        net.closeListen(comm);
      }
    }
  }

  /** Gives up the comm when a receive has no memory handle. */
  @Breaks("NET-ERR-03")
  public static final class FailsTheCommOverAWrongHandle extends WrongNet {
    private final Set<RecvComm> failed = ConcurrentHashMap.newKeySet();

    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      if (comm != null && failed.contains(comm)) {
        throw new NetException(ResultCode.INTERNAL_ERROR, "the comm has failed");
      }
      if (comm != null && n == 1 && mrs.length == 1 && mrs[0] == null) {
        failed.add(comm);
      }
      return net.irecv(comm, n, mrs, offsets, lengths, tags);
    }
  }

  /** Throws a code that is none of a failure. */
  @Breaks(value = "NET-ERR-04", also = "NET-ERR-02")
  public static final class CallsAMissingTokenProgress extends WrongNet {
    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      if (request == null) {
        throw new NetException(ResultCode.IN_PROGRESS, "not yet");
      }
      return net.test(request, sizes);
    }
  }

  /** Says that there is no room on a comm that has failed. */
  @Breaks("NET-ERR-05")
  public static final class ForgetsThatACommHasFailed extends WrongNet {
    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      try {
        return net.irecv(comm, n, mrs, offsets, lengths, tags);
      } catch (NetException e) {
        if (e.result() == ResultCode.REMOTE_ERROR) {
          return null;
        }
        throw e;
      }
    }
  }

  /** Gives up every comm when one peer is gone. */
  @Breaks("NET-ERR-06")
  public static final class FailsAllCommsWithOne extends WrongNet {
    private final Set<SendComm> sending = ConcurrentHashMap.newKeySet();
    private final Set<SendComm> failed = ConcurrentHashMap.newKeySet();

    @Override
    public @Nullable SendComm connect(int device, MemorySegment handle) {
      SendComm comm = net.connect(device, handle);
      if (comm != null) {
        sending.add(comm);
      }
      return comm;
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      try {
        return net.test(request, sizes);
      } catch (NetException e) {
        if (e.result() == ResultCode.REMOTE_ERROR) {
          failed.addAll(sending);
        }
        throw e;
      }
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      if (comm != null && failed.contains(comm)) {
        throw new NetException(ResultCode.REMOTE_ERROR, "a peer is gone");
      }
      return net.isend(comm, mr, offset, length, tag);
    }

    @Override
    public void closeSend(SendComm comm) {
      net.closeSend(comm);
      sending.remove(comm);
    }
  }

  /** Waits for a peer whose process has ended to come back. */
  @Breaks("NET-ERR-07")
  public static final class HangsOnADeadPeer extends WrongNet {
    private final Set<Request> hanging = ConcurrentHashMap.newKeySet();

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      if (request != null && hanging.contains(request)) {
        return false;
      }
      try {
        return net.test(request, sizes);
      } catch (NetException e) {
        if (OtherProcess.isNamedIn(e)) {
          hanging.add(request);
          return false;
        }
        throw e;
      }
    }
  }

  /** Calls a receive complete when its sender is gone, whatever has come of it. */
  @Breaks("NET-ERR-09")
  public static final class CompletesWithADeadPeer extends WrongNet {

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      try {
        return net.test(request, sizes);
      } catch (NetException e) {
        if (OtherProcess.isNamedIn(e)) {
          return true;
        }
        throw e;
      }
    }
  }
}
