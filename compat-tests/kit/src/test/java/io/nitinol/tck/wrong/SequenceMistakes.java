// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Networks that are right but for certain sequences of calls. */
public final class SequenceMistakes {
  private SequenceMistakes() {}

  /**
   * Loses the receiving end that was used last if another one, at rest, is closed while two have
   * receives in flight.
   */
  @Breaks("NET-CONN-22")
  public static final class LosesACommWhenAThirdCloses extends WatchingNet {
    private final Set<RecvComm> receivers = ConcurrentHashMap.newKeySet();
    private final Set<Comm> lost = ConcurrentHashMap.newKeySet();
    private volatile @Nullable RecvComm last;

    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      Request request = super.irecv(comm, n, mrs, offsets, lengths, tags);
      if (request != null) {
        receivers.add(comm);
        last = comm;
      }
      return request;
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      Op op = op(request);
      return (op == null || !op.live || !lost.contains(op.comm)) && super.test(request, sizes);
    }

    @Override
    public void closeRecv(RecvComm comm) {
      boolean atRest = inFlightOn(comm) == 0;
      super.closeRecv(comm);
      receivers.remove(comm);
      lost.remove(comm);
      RecvComm youngest = last;
      if (atRest
          && youngest != null
          && youngest != comm
          && receivers.contains(youngest)
          && receivers.stream().filter(each -> inFlightOn(each) > 0).count() >= 2) {
        lost.add(youngest);
      }
    }
  }

  /** Exchanges two of three and more pieces whose tags differ in their upper halves only. */
  @Breaks("NET-RECV-14")
  public static final class ConfusesTagsOfThreePieces extends WrongNet {
    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      if (n < 3 || tags == null || tags.length < n || offsets == null || offsets.length < n) {
        return super.irecv(comm, n, mrs, offsets, lengths, tags);
      }
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
          if (tags[i] != tags[j] && (short) tags[i] == (short) tags[j]) {
            long[] exchanged = offsets.clone();
            exchanged[i] = offsets[j];
            exchanged[j] = offsets[i];
            return super.irecv(comm, n, mrs, exchanged, lengths, tags);
          }
        }
      }
      return super.irecv(comm, n, mrs, offsets, lengths, tags);
    }
  }

  /** Gives the send of an empty message the request of another comm's, if two others send. */
  @Breaks("NET-TEST-05")
  public static final class SharesARequestAmongThreeComms extends WatchingNet {
    private final Map<SendComm, Request> last = new ConcurrentHashMap<>();

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      Request request = super.isend(comm, mr, offset, length, tag);
      if (request == null) {
        return null;
      }
      if (length == 0
          && last.keySet().stream().filter(each -> each != comm && inFlightOn(each) > 0).count()
              >= 2) {
        for (Request other : last.values()) {
          Op op = op(other);
          if (op != null && op.live && op.comm != comm) {
            return other;
          }
        }
      }
      last.put(comm, request);
      return request;
    }

    @Override
    public void closeSend(SendComm comm) {
      if (comm != null) {
        last.remove(comm);
      }
      super.closeSend(comm);
    }
  }

  /** Loses the last byte of the message that follows, on its comm, on three that had no room. */
  @Breaks("NET-SEND-08")
  public static final class LosesAByteAfterThreeRefusals extends WrongNet {
    private final Map<SendComm, int[]> refusals = new ConcurrentHashMap<>();

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      int[] refused = comm == null ? null : refusals.get(comm);
      boolean spoilt = refused != null && refused[0] >= 3 && refused[1] != tag && length > 1000;
      Request request = super.isend(comm, mr, offset, spoilt ? length - 1 : length, tag);
      if (request == null) {
        int[] count = refusals.computeIfAbsent(comm, _ -> new int[2]);
        count[0]++;
        count[1] = tag;
      } else if (refused != null) {
        refused[0] = 0;
      }
      return request;
    }

    @Override
    public void closeSend(SendComm comm) {
      if (comm != null) {
        refusals.remove(comm);
      }
      super.closeSend(comm);
    }
  }
}
