// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.gpu;

import io.nitinol.core.CommConfig;
import io.nitinol.core.DeviceBuffer;
import io.nitinol.core.DeviceCommunicator;
import io.nitinol.core.DeviceWindow;
import io.nitinol.core.Group;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.device.v1.DeviceStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The communicator on device memory, as applications call it. */
final class CommunicatorCalls implements GpuCalls {
  private static final DataType TYPE = DataType.FLOAT32;
  private static final ReductionOp OP = ReductionOp.SUM;
  private static final Duration PATIENCE = Duration.ofNanos(GpuRank.PATIENCE);

  private final GpuRankOptions options;
  private final List<GpuRank> own;
  private final int ranks;
  private final LocalMeeting meeting;
  private final List<DeviceCommunicator> communicators;
  private final List<DeviceBuffer> in = new ArrayList<>();
  private final List<DeviceBuffer> out = new ArrayList<>();
  private final List<DeviceWindow> windows = new ArrayList<>();

  CommunicatorCalls(GpuRankOptions options, DeviceProvider provider, List<GpuRank> own) {
    if (options.blocks() != 0) {
      throw new IllegalArgumentException("--blocks: only teams take a number of blocks");
    }
    this.options = options;
    this.own = own;
    this.ranks = options.devices().size();
    this.meeting = new LocalMeeting(own.size());
    CommConfig config = CommConfig.standard();
    this.communicators =
        options.processes() == 1
            ? DeviceCommunicator.initAll(
                provider, own.stream().map(GpuRank::device).toList(), config)
            : List.of(
                DeviceCommunicator.init(
                    UniqueId.parse(options.id()),
                    ranks,
                    own.getFirst().number(),
                    config,
                    provider,
                    own.getFirst().device()));
    for (GpuRank rank : own) {
      in.add(DeviceBuffer.of(rank.in()));
      out.add(DeviceBuffer.of(rank.out()));
    }
    if (options.windows()) {
      windows.addAll(meeting.everywhere(i -> communicators.get(i).register(in.get(i))));
      windows.addAll(meeting.everywhere(i -> communicators.get(i).register(out.get(i))));
    }
  }

  @Override
  public String describe() {
    return "%s, the communicator, %s; %s"
        .formatted(
            own.getFirst().device().name(),
            options.windows() ? "buffers in windows" : "no windows",
            communicators.getFirst().describe().replace('\n', ' '));
  }

  @Override
  public Runnable prepare(GpuOperation operation, long count) {
    List<Runnable> each = new ArrayList<>();
    for (int i = 0; i < own.size(); i++) {
      each.add(prepare(operation, count, i));
    }
    Runnable[] calls = each.toArray(Runnable[]::new);
    Runnable all =
        () -> {
          for (Runnable call : calls) {
            call.run();
          }
        };
    return operation == GpuOperation.SEND_RECV ? () -> Group.run(all) : all;
  }

  private Runnable prepare(GpuOperation operation, long count, int index) {
    DeviceCommunicator communicator = communicators.get(index);
    DeviceStream stream = own.get(index).stream();
    DeviceBuffer from = in.get(index);
    DeviceBuffer to = out.get(index);
    int next = (communicator.rank() + 1) % ranks;
    int previous = (communicator.rank() + ranks - 1) % ranks;
    return switch (operation) {
      case ALL_REDUCE -> () -> communicator.allReduce(from, to, count, TYPE, OP, stream);
      case ALL_GATHER -> () -> communicator.allGather(from, to, count, TYPE, stream);
      case REDUCE_SCATTER -> () -> communicator.reduceScatter(from, to, count, TYPE, OP, stream);
      case BROADCAST -> () -> communicator.broadcast(from, to, count, TYPE, 0, stream);
      case REDUCE -> () -> communicator.reduce(from, to, count, TYPE, OP, 0, stream);
      case ALL_TO_ALL -> () -> communicator.allToAll(from, to, count, TYPE, stream);
      case SEND_RECV ->
          () -> {
            communicator.send(from, count, TYPE, next, stream);
            communicator.recv(to, count, TYPE, previous, stream);
          };
    };
  }

  @Override
  public void settle(GpuRank rank) {
    if (!communicators.get(own.indexOf(rank)).await(rank.stream(), PATIENCE)) {
      throw new IllegalStateException("rank " + rank.number() + " is not done after 50 s");
    }
  }

  @Override
  public void close() {
    for (int w = 0; w < windows.size(); w += own.size()) {
      int first = w;
      meeting.everywhere(i -> {
        windows.get(first + i).close();
        return true;
      });
    }
    meeting.everywhere(i -> {
      communicators.get(i).close();
      return true;
    });
    meeting.close();
  }
}
