// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.device;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.perf.collective.PerfDevice;
import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.cli.perf.collective.PerfRecording;
import io.nitinol.cli.perf.collective.PerfSession;
import io.nitinol.core.Communicator;
import io.nitinol.core.DeviceBuffer;
import io.nitinol.core.DeviceCommunicator;
import io.nitinol.core.Group;
import io.nitinol.core.PreMulSum;
import io.nitinol.core.plugin.SelectedNet;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A rank of a communicator on device memory, with a stream of its own. The segments that its calls
 * take are slices of the host's half of {@link MirroredMemory}, and stand for the device's.
 */
public final class PerfDeviceSession implements PerfSession {
  private final Communicator communicator;
  private final SelectedNet net;
  private final DeviceProvider provider;
  private final DeviceCommunicator devices;
  private final DeviceStream stream;
  private final SessionMemory memory;
  private @Nullable PreMulSum scaledSum;

  private PerfDeviceSession(
      Communicator communicator,
      SelectedNet net,
      DeviceProvider provider,
      DeviceCommunicator devices,
      DeviceStream stream,
      boolean windows) {
    this.communicator = communicator;
    this.net = net;
    this.provider = provider;
    this.devices = devices;
    this.stream = stream;
    this.memory = new SessionMemory(devices, stream, windows);
  }

  /**
   * Joins the other ranks with a device. Every rank calls this, on a thread of its own, and waits
   * for the others.
   *
   * @param localRank the number of this rank on its host, which chooses the device; -1 where it is
   *     not known, then on all ranks
   * @return the session, to be closed before {@code communicator}
   */
  public static PerfDeviceSession open(
      Communicator communicator,
      SelectedNet net,
      DeviceProvider provider,
      PerfDevicePlan plan,
      int localRank) {
    int local = localRank < 0 ? LocalRank.among(communicator) : localRank;
    Device device = device(provider, local);
    if (plan.launches() > 0 && !device.supports(DeviceFeature.GRAPHS)) {
      throw CommandFailure.usage(
          ErrorText.of(
              "--graph: device %d of %s (%s) has no graphs",
              device.index(), provider.name(), device.name()));
    }
    DeviceCommunicator devices = DeviceCommunicator.join(communicator, provider, device);
    try {
      return new PerfDeviceSession(
          communicator, net, provider, devices, device.createStream(false), plan.windows());
    } catch (RuntimeException | Error e) {
      devices.abort();
      devices.close();
      throw e;
    }
  }

  /** Returns the device of a rank with this number on its host. */
  public static Device device(DeviceProvider provider, int localRank) {
    List<Device> all = provider.devices();
    return all.get(localRank % all.size());
  }

  @Override
  public int rank() {
    return communicator.rank();
  }

  @Override
  public int size() {
    return communicator.size();
  }

  @Override
  public PerfDevice device() {
    return PerfDeviceFacts.of(provider, devices);
  }

  @Override
  public String network() {
    return net.name() + " (v" + net.providedVersion() + "): " + communicator.describe();
  }

  @Override
  public MemorySegment allocate(Arena arena, long bytes, long alignment) {
    try {
      return memory.allocate(bytes);
    } catch (DeviceException e) {
      throw CommandFailure.usage(
          ErrorText.of(
              "rank %d cannot allocate a buffer of %d bytes on device %d, and as much pinned memory"
                  + " of the host (%s); lower -e",
              rank(), bytes, devices.device().index(), String.valueOf(e.getMessage())));
    }
  }

  @Override
  public void upload(MemorySegment slice) {
    memory.holder(slice).upload(slice, stream);
    finish(); // the host may write there again
  }

  @Override
  public void download(MemorySegment slice) {
    memory.holder(slice).download(slice, stream);
    finish();
  }

  @Override
  public void scalar(DataType type, double scalar) {
    scaledSum = communicator.preMulSum(type, scalar);
  }

  @Override
  public void allReduce(
      MemorySegment send, MemorySegment recv, long count, DataType type, PerfOperator op) {
    ReductionOp reduction = op.reduction();
    DeviceBuffer from = memory.of(send);
    DeviceBuffer to = memory.of(recv);
    if (reduction == null) {
      devices.allReduce(from, to, count, type, scaledSum(), stream);
    } else {
      devices.allReduce(from, to, count, type, reduction, stream);
    }
  }

  @Override
  public void reduce(
      MemorySegment send,
      MemorySegment recv,
      long count,
      DataType type,
      PerfOperator op,
      int root) {
    ReductionOp reduction = op.reduction();
    DeviceBuffer from = memory.of(send);
    DeviceBuffer to = memory.of(recv);
    if (reduction == null) {
      devices.reduce(from, to, count, type, scaledSum(), root, stream);
    } else {
      devices.reduce(from, to, count, type, reduction, root, stream);
    }
  }

  @Override
  public void broadcast(
      MemorySegment send, MemorySegment recv, long count, DataType type, int root) {
    devices.broadcast(memory.of(send), memory.of(recv), count, type, root, stream);
  }

  @Override
  public void allGather(MemorySegment send, MemorySegment recv, long count, DataType type) {
    devices.allGather(memory.of(send), memory.of(recv), count, type, stream);
  }

  @Override
  public void reduceScatter(
      MemorySegment send, MemorySegment recv, long count, DataType type, PerfOperator op) {
    ReductionOp reduction = op.reduction();
    DeviceBuffer from = memory.of(send);
    DeviceBuffer to = memory.of(recv);
    if (reduction == null) {
      devices.reduceScatter(from, to, count, type, scaledSum(), stream);
    } else {
      devices.reduceScatter(from, to, count, type, reduction, stream);
    }
  }

  @Override
  public void allToAll(MemorySegment send, MemorySegment recv, long count, DataType type) {
    devices.allToAll(memory.of(send), memory.of(recv), count, type, stream);
  }

  @Override
  public void allToAllV(
      MemorySegment send,
      long[] sendCounts,
      long[] sendOffsets,
      MemorySegment recv,
      long[] recvCounts,
      long[] recvOffsets,
      DataType type) {
    Runnable transfers = memory.exchange(sendOffsets);
    if (transfers == null) {
      transfers = transfers(send, sendCounts, sendOffsets, recv, recvCounts, recvOffsets, type);
      memory.keep(sendOffsets, transfers);
    }
    Group.run(transfers);
  }

  /** Makes the sends and receives of an alltoallv once, for all times that it runs. */
  private Runnable transfers(
      MemorySegment send,
      long[] sendCounts,
      long[] sendOffsets,
      MemorySegment recv,
      long[] recvCounts,
      long[] recvOffsets,
      DataType type) {
    DeviceBuffer[] sends = parts(memory.of(send), sendCounts, sendOffsets, type);
    DeviceBuffer[] recvs = parts(memory.of(recv), recvCounts, recvOffsets, type);
    return () -> {
      for (int peer = 0; peer < sends.length; peer++) {
        if (sendCounts[peer] > 0) {
          devices.send(sends[peer], sendCounts[peer], type, peer, stream);
        }
        if (recvCounts[peer] > 0) {
          devices.recv(recvs[peer], recvCounts[peer], type, peer, stream);
        }
      }
    };
  }

  private static DeviceBuffer[] parts(
      DeviceBuffer buffer, long[] counts, long[] offsets, DataType type) {
    DeviceBuffer[] parts = new DeviceBuffer[counts.length];
    for (int peer = 0; peer < parts.length; peer++) {
      parts[peer] = buffer.slice(offsets[peer] * type.size(), counts[peer] * type.size());
    }
    return parts;
  }

  // Devices have no calls for uneven blocks: these are the sends and receives of an alltoallv.

  @Override
  public Runnable allGatherV(
      MemorySegment send, MemorySegment recv, long[] counts, long[] offsets, DataType type) {
    long[] sendCounts = new long[size()];
    Arrays.fill(sendCounts, counts[rank()]);
    long[] sendOffsets = new long[size()];
    return () -> allToAllV(send, sendCounts, sendOffsets, recv, counts, offsets, type);
  }

  @Override
  public Runnable gatherV(
      MemorySegment send,
      MemorySegment recv,
      long[] counts,
      long[] offsets,
      DataType type,
      int root) {
    long[] sendCounts = new long[size()];
    sendCounts[root] = counts[rank()];
    long[] sendOffsets = new long[size()];
    long[] recvCounts = rank() == root ? counts : new long[size()];
    return () -> allToAllV(send, sendCounts, sendOffsets, recv, recvCounts, offsets, type);
  }

  @Override
  public Runnable scatterV(
      MemorySegment send,
      long[] counts,
      long[] offsets,
      MemorySegment recv,
      DataType type,
      int root) {
    long[] sendCounts = rank() == root ? counts : new long[size()];
    long[] recvCounts = new long[size()];
    recvCounts[root] = counts[rank()];
    long[] recvOffsets = new long[size()];
    return () -> allToAllV(send, sendCounts, offsets, recv, recvCounts, recvOffsets, type);
  }

  @Override
  public void barrier() {
    throw new UnsupportedOperationException("there is no barrier on memory of devices");
  }

  @Override
  public void gather(MemorySegment send, MemorySegment recv, long count, DataType type, int root) {
    devices.gather(memory.of(send), memory.of(recv), count, type, root, stream);
  }

  @Override
  public void scatter(MemorySegment send, MemorySegment recv, long count, DataType type, int root) {
    devices.scatter(memory.of(send), memory.of(recv), count, type, root, stream);
  }

  @Override
  public void send(MemorySegment buffer, long count, DataType type, int peer) {
    devices.send(memory.of(buffer), count, type, peer, stream);
  }

  @Override
  public void recv(MemorySegment buffer, long count, DataType type, int peer) {
    devices.recv(memory.of(buffer), count, type, peer, stream);
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // groupEnd closes it
  public void groupStart() {
    Group.start();
  }

  @Override
  public void groupEnd() {
    Group.end();
  }

  @Override
  public void finish() {
    devices.await(stream);
  }

  @Override
  public PerfRecording record(Runnable operations) {
    return StreamRecording.of(stream, operations);
  }

  @Override
  public byte[][] exchange(byte[] mine) {
    return communicator.exchange(mine);
  }

  @Override
  public void abort() {
    devices.abort();
  }

  @Override
  public void close() {
    try {
      memory.closeWindows();
    } finally {
      try {
        devices.close(); // waits for the stream, or aborts what it waits for
      } finally {
        memory.closeWithStream();
      }
    }
  }

  private PreMulSum scaledSum() {
    return Objects.requireNonNull(scaledSum, "a sum of products without a scalar");
  }
}
