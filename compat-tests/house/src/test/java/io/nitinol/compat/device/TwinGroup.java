// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.device;

import io.nitinol.core.CommConfig;
import io.nitinol.core.DeviceBuffer;
import io.nitinol.core.DeviceCommunicator;
import io.nitinol.core.Devices;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.device.v1.DeviceStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;

/** The ranks of a device communicator on the CPU twin, with a stream each, in this process. */
final class TwinGroup implements AutoCloseable {
  private final DeviceProvider provider;
  private final List<DeviceCommunicator> ranks;
  private final List<DeviceStream> streams = new ArrayList<>();
  private final List<DeviceMemory> memory = new ArrayList<>();

  TwinGroup(int n, Map<String, String> variables) {
    CommConfig config = config(variables);
    provider = Devices.provider(config);
    List<Device> devices = new ArrayList<>();
    for (int r = 0; r < n; r++) {
      devices.add(provider.devices().get(r % provider.devices().size()));
    }
    ranks = DeviceCommunicator.initAll(provider, devices, config);
    ranks.forEach(rank -> streams.add(rank.device().createStream(false)));
  }

  /** Returns a configuration with these variables, on loopback, for the CPU twin. */
  static CommConfig config(Map<String, String> variables) {
    Map<String, String> all = new HashMap<>(variables);
    all.putIfAbsent("NCCL_SOCKET_IFNAME", "lo");
    all.putIfAbsent("NCCL_NET", "Socket");
    all.putIfAbsent("NITINOL_DEVICE", "cpu");
    return CommConfig.standard().withSettings(Settings.of(all));
  }

  int size() {
    return ranks.size();
  }

  DeviceCommunicator rank(int rank) {
    return ranks.get(rank);
  }

  DeviceStream stream(int rank) {
    return streams.get(rank);
  }

  /** Allocates {@code count} ints on a rank's device, each of the value that {@code of} has. */
  DeviceBuffer ints(int rank, int count, IntUnaryOperator of) {
    DeviceMemory made = rank(rank).device().allocate(Math.max(1, 4L * count));
    memory.add(made);
    MemorySegment segment = Objects.requireNonNull(made.segment());
    for (int i = 0; i < count; i++) {
      segment.setAtIndex(ValueLayout.JAVA_INT, i, of.applyAsInt(i));
    }
    return DeviceBuffer.of(made);
  }

  /** Returns the segment of the memory that was allocated for {@code rank}, the only one. */
  MemorySegment segment(int rank) {
    return Objects.requireNonNull(memory.get(rank).segment());
  }

  /** Reads ints back, once the stream is done. */
  int[] read(DeviceBuffer buffer) {
    MemorySegment segment =
        MemorySegment.ofAddress(buffer.address()).reinterpret(buffer.size() / 4 * 4);
    return segment.toArray(ValueLayout.JAVA_INT);
  }

  /** Calls something for each rank, on this thread. */
  void each(IntConsumer call) {
    for (int r = 0; r < size(); r++) {
      call.accept(r);
    }
  }

  /** Waits for the streams of all ranks, on this thread. */
  void awaitAll() {
    each(r -> rank(r).await(stream(r)));
  }

  /** Calls something for each rank, each on a thread of its own. */
  void onThreads(IntConsumer call) {
    onThreads(size(), call);
  }

  static void onThreads(int n, IntConsumer call) {
    try (ExecutorService threads = Executors.newFixedThreadPool(n)) {
      List<Future<?>> all = new ArrayList<>();
      for (int r = 0; r < n; r++) {
        int rank = r;
        all.add(threads.submit(() -> call.accept(rank)));
      }
      for (Future<?> each : all) {
        each.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException own) {
        throw own;
      }
      throw new AssertionError(e.getCause());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    ranks.forEach(DeviceCommunicator::close);
    streams.forEach(DeviceStream::close);
    memory.forEach(DeviceMemory::close);
  }
}
