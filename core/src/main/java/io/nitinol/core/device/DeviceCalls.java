// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.core.CommException;
import io.nitinol.core.call.BufferCheck;
import io.nitinol.core.call.GroupCalls;
import io.nitinol.core.call.ScaledSum;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.toolkit.thread.OneThread;
import org.jspecify.annotations.Nullable;

/**
 * Checks the arguments of collectives on device memory. Each method launches the call, or leaves it
 * to {@code group}. A call that is as those before it allocates nothing.
 */
@OneThread
public final class DeviceCalls {
  private final DeviceLauncher launcher;
  private final DeviceArguments arguments;
  private final DeviceReductions reductions;
  private final int rank;
  private final int size;

  DeviceCalls(DeviceLauncher launcher, DeviceArguments arguments) {
    this.launcher = launcher;
    this.arguments = arguments;
    this.rank = launcher.rank();
    this.size = launcher.size();
    this.reductions = new DeviceReductions(launcher.calls(), size);
  }

  /** Mirrors {@code ncclAllReduce}. */
  public void allReduce(
      @Nullable GroupCalls group,
      @Nullable MemoryPiece send,
      @Nullable MemoryPiece recv,
      long count,
      DataType type,
      @Nullable ReductionOp op,
      @Nullable ScaledSum scaled,
      DeviceStream stream) {
    String call = "all_reduce";
    try {
      launcher.checkOpen(call);
      arguments.stream(call, stream);
      long bytes = BufferCheck.bytes(call, count, type);
      long src = arguments.address(call, "send", send, bytes, type);
      long dst = arguments.address(call, "recv", recv, bytes, type);
      BufferCheck.overlap(call, src, dst, bytes);
      DeviceReduction reduction = reductions.of(call, type, op, scaled);
      take(group, Collective.ALL_REDUCE, stream, reduction, src, dst, count, 0);
    } catch (CommException e) {
      mistake(group, e);
    }
  }

  /** Mirrors {@code ncclReduce}. */
  public void reduce(
      @Nullable GroupCalls group,
      @Nullable MemoryPiece send,
      @Nullable MemoryPiece recv,
      long count,
      DataType type,
      @Nullable ReductionOp op,
      @Nullable ScaledSum scaled,
      int root,
      DeviceStream stream) {
    String call = "reduce";
    try {
      launcher.checkOpen(call);
      arguments.stream(call, stream);
      BufferCheck.rank(call, "root", root, size);
      long bytes = BufferCheck.bytes(call, count, type);
      long src = arguments.address(call, "send", send, bytes, type);
      // Elsewhere it is not used; but it may tell that the result goes into a window.
      long dst = recv == null ? src : recv.address();
      if (rank == root) {
        dst = arguments.address(call, "recv", recv, bytes, type);
        BufferCheck.apart(call, src, bytes, dst, bytes, 0);
      }
      DeviceReduction reduction = reductions.of(call, type, op, scaled);
      take(group, Collective.REDUCE, stream, reduction, src, dst, count, root);
    } catch (CommException e) {
      mistake(group, e);
    }
  }

  /** Mirrors {@code ncclBroadcast}. */
  public void broadcast(
      @Nullable GroupCalls group,
      @Nullable MemoryPiece send,
      @Nullable MemoryPiece recv,
      long count,
      DataType type,
      int root,
      DeviceStream stream) {
    String call = "broadcast";
    try {
      launcher.checkOpen(call);
      arguments.stream(call, stream);
      BufferCheck.rank(call, "root", root, size);
      long bytes = BufferCheck.bytes(call, count, type);
      long dst = arguments.address(call, "recv", recv, bytes, type);
      long src = send == null ? dst : send.address();
      if (rank == root) {
        src = arguments.address(call, "send", send, bytes, type);
        BufferCheck.apart(call, src, bytes, dst, bytes, 0);
      }
      take(group, Collective.BROADCAST, stream, null, src, dst, bytes, root);
    } catch (CommException e) {
      mistake(group, e);
    }
  }

  /** Mirrors {@code ncclAllGather}. */
  public void allGather(
      @Nullable GroupCalls group,
      @Nullable MemoryPiece send,
      @Nullable MemoryPiece recv,
      long count,
      DataType type,
      DeviceStream stream) {
    String call = "all_gather";
    try {
      launcher.checkOpen(call);
      arguments.stream(call, stream);
      long all = BufferCheck.bytes(call, count, type, size);
      long own = all / size;
      long src = arguments.address(call, "send", send, own, type);
      long dst = arguments.address(call, "recv", recv, all, type);
      BufferCheck.apart(call, src, own, dst, all, rank * own);
      take(group, Collective.ALL_GATHER, stream, null, src, dst, own, 0);
    } catch (CommException e) {
      mistake(group, e);
    }
  }

  /** Mirrors {@code ncclReduceScatter}. */
  public void reduceScatter(
      @Nullable GroupCalls group,
      @Nullable MemoryPiece send,
      @Nullable MemoryPiece recv,
      long count,
      DataType type,
      @Nullable ReductionOp op,
      @Nullable ScaledSum scaled,
      DeviceStream stream) {
    String call = "reduce_scatter";
    try {
      launcher.checkOpen(call);
      arguments.stream(call, stream);
      long all = BufferCheck.bytes(call, count, type, size);
      long own = all / size;
      long src = arguments.address(call, "send", send, all, type);
      long dst = arguments.address(call, "recv", recv, own, type);
      BufferCheck.apart(call, src, all, dst, own, -rank * own);
      DeviceReduction reduction = reductions.of(call, type, op, scaled);
      take(group, Collective.REDUCE_SCATTER, stream, reduction, src, dst, count, 0);
    } catch (CommException e) {
      mistake(group, e);
    }
  }

  /** Mirrors {@code ncclAlltoAll}. */
  public void allToAll(
      @Nullable GroupCalls group,
      @Nullable MemoryPiece send,
      @Nullable MemoryPiece recv,
      long count,
      DataType type,
      DeviceStream stream) {
    String call = "alltoall";
    try {
      launcher.checkOpen(call);
      arguments.stream(call, stream);
      long all = BufferCheck.bytes(call, count, type, size);
      long src = arguments.address(call, "send", send, all, type);
      long dst = arguments.address(call, "recv", recv, all, type);
      BufferCheck.apart(call, src, all, dst, all, BufferCheck.NOT_IN_PLACE);
      take(group, Collective.ALL_TO_ALL, stream, null, src, dst, all / size, 0);
    } catch (CommException e) {
      mistake(group, e);
    }
  }

  private void take(
      @Nullable GroupCalls group,
      Collective collective,
      DeviceStream stream,
      @Nullable DeviceReduction reduction,
      long src,
      long dst,
      long amount,
      int root) {
    if (group == null) {
      launcher.launch(collective, stream, reduction, src, dst, amount, root);
    } else {
      DeviceGroupPart.of(group, launcher)
          .add(new DeviceGroupPart.Launch(collective, stream, reduction, src, dst, amount, root));
    }
  }

  /** Throws the mistake of a call, or leaves it to the end of {@code group}. */
  static void mistake(@Nullable GroupCalls group, CommException error) {
    if (group == null) {
      throw error;
    }
    group.mistake(error);
  }
}
