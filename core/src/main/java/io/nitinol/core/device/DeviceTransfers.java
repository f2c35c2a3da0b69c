// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.core.CommException;
import io.nitinol.core.call.BufferCheck;
import io.nitinol.core.call.GroupCalls;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamTransfer.Direction;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks the arguments of the calls on device memory that are made of sends and receives. Each
 * method launches the call, or leaves it to {@code group}.
 */
@OneThread
public final class DeviceTransfers {
  private final DeviceLauncher launcher;
  private final DeviceArguments arguments;
  private final int rank;
  private final int size;

  /** The last message of each direction, so that a loop allocates nothing. */
  private List<TeamTransfer> lastSend = List.of();

  private List<TeamTransfer> lastReceive = List.of();

  DeviceTransfers(DeviceLauncher launcher, DeviceArguments arguments) {
    this.launcher = launcher;
    this.arguments = arguments;
    this.rank = launcher.rank();
    this.size = launcher.size();
  }

  /** Mirrors {@code ncclSend} and {@code ncclRecv}. */
  public void message(
      @Nullable GroupCalls group,
      boolean sends,
      @Nullable MemoryPiece buffer,
      long count,
      DataType type,
      int peer,
      DeviceStream stream) {
    String call = sends ? "send" : "recv";
    try {
      launcher.checkOpen(call);
      arguments.stream(call, stream);
      BufferCheck.rank(call, "peer", peer, size);
      long bytes = BufferCheck.bytes(call, count, type);
      long address = arguments.address(call, "buffer", buffer, bytes, type);
      take(group, call, stream, sends ? send(peer, address, bytes) : receive(peer, address, bytes));
    } catch (CommException e) {
      DeviceCalls.mistake(group, e);
    }
  }

  private List<TeamTransfer> send(int peer, long address, long bytes) {
    if (!isLast(lastSend, peer, address, bytes)) {
      lastSend = List.of(new TeamTransfer(Direction.SEND, peer, address, bytes));
    }
    return lastSend;
  }

  private List<TeamTransfer> receive(int peer, long address, long bytes) {
    if (!isLast(lastReceive, peer, address, bytes)) {
      lastReceive = List.of(new TeamTransfer(Direction.RECEIVE, peer, address, bytes));
    }
    return lastReceive;
  }

  private static boolean isLast(List<TeamTransfer> last, int peer, long address, long bytes) {
    if (last.isEmpty()) {
      return false;
    }
    TeamTransfer one = last.getFirst();
    return one.peer() == peer && one.address() == address && one.size() == bytes;
  }

  /** Mirrors {@code ncclGather}. */
  public void gather(
      @Nullable GroupCalls group,
      @Nullable MemoryPiece send,
      @Nullable MemoryPiece recv,
      long count,
      DataType type,
      int root,
      DeviceStream stream) {
    String call = "gather";
    try {
      launcher.checkOpen(call);
      arguments.stream(call, stream);
      BufferCheck.rank(call, "root", root, size);
      long all = BufferCheck.bytes(call, count, type, size);
      long each = all / size;
      long src = arguments.address(call, "send", send, each, type);
      List<TeamTransfer> transfers = new ArrayList<>();
      if (rank == root) {
        long dst = arguments.address(call, "recv", recv, all, type);
        BufferCheck.apart(call, src, each, dst, all, rank * each);
        for (int from = 0; from < size; from++) {
          if (from != rank) {
            transfers.add(new TeamTransfer(Direction.RECEIVE, from, dst + from * each, each));
          }
        }
        addToSelf(transfers, src, dst + rank * each, each);
      } else {
        transfers.add(new TeamTransfer(Direction.SEND, root, src, each));
      }
      take(group, call, stream, transfers);
    } catch (CommException e) {
      DeviceCalls.mistake(group, e);
    }
  }

  /** Mirrors {@code ncclScatter}. */
  public void scatter(
      @Nullable GroupCalls group,
      @Nullable MemoryPiece send,
      @Nullable MemoryPiece recv,
      long count,
      DataType type,
      int root,
      DeviceStream stream) {
    String call = "scatter";
    try {
      launcher.checkOpen(call);
      arguments.stream(call, stream);
      BufferCheck.rank(call, "root", root, size);
      long all = BufferCheck.bytes(call, count, type, size);
      long each = all / size;
      long dst = arguments.address(call, "recv", recv, each, type);
      List<TeamTransfer> transfers = new ArrayList<>();
      if (rank == root) {
        long src = arguments.address(call, "send", send, all, type);
        BufferCheck.apart(call, src, all, dst, each, -rank * each);
        for (int to = 0; to < size; to++) {
          if (to != rank) {
            transfers.add(new TeamTransfer(Direction.SEND, to, src + to * each, each));
          }
        }
        addToSelf(transfers, src + rank * each, dst, each);
      } else {
        transfers.add(new TeamTransfer(Direction.RECEIVE, root, dst, each));
      }
      take(group, call, stream, transfers);
    } catch (CommException e) {
      DeviceCalls.mistake(group, e);
    }
  }

  /** Adds this rank's own part, unless it is in its place already. */
  private void addToSelf(List<TeamTransfer> transfers, long from, long to, long bytes) {
    if (from != to) {
      transfers.add(new TeamTransfer(Direction.SEND, rank, from, bytes));
      transfers.add(new TeamTransfer(Direction.RECEIVE, rank, to, bytes));
    }
  }

  private void take(
      @Nullable GroupCalls group, String call, DeviceStream stream, List<TeamTransfer> transfers) {
    if (group == null) {
      checkTogether(call, rank, transfers);
      launcher.launch(call, stream, transfers);
      return;
    }
    DeviceStream others = DeviceGroupPart.transferStream(group, launcher);
    if (others != null && !others.equals(stream)) {
      throw new CommException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "%s: its stream is another one than that of the sends and receives before it in the"
                  + " group; expected one stream, since all of them are one operation",
              call));
    }
    DeviceGroupPart.of(group, launcher).add(stream, transfers);
  }

  /**
   * Checks sends and receives that become one operation.
   *
   * @throws CommException INVALID_USAGE for too many, or where this rank does not receive what it
   *     sends to itself
   */
  static void checkTogether(String call, int rank, List<TeamTransfer> transfers) {
    DeviceGroupPart.checkNumber(call, transfers.size());
    boolean toItself = false;
    for (int i = 0; i < transfers.size(); i++) { // an iterator would be an allocation
      toItself |= transfers.get(i).peer() == rank;
    }
    if (!toItself) {
      return;
    }
    List<Long> sent = ownSizes(rank, transfers, Direction.SEND);
    List<Long> received = ownSizes(rank, transfers, Direction.RECEIVE);
    if (!sent.equals(received)) {
      throw new CommException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "%s: rank %d sends messages of %s bytes to itself and receives %s; expected the same"
                  + " in one group",
              call, rank, sent, received));
    }
  }

  private static List<Long> ownSizes(int rank, List<TeamTransfer> transfers, Direction direction) {
    return transfers.stream()
        .filter(each -> each.peer() == rank && each.direction() == direction)
        .map(TeamTransfer::size)
        .toList();
  }
}
